"""The page in a real browser: Chromium, headless, one session. CI sets HAWSER_BROWSER=required: there it must run."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_samples import CAPACITY, FINDINGS, sample_plan, sample_review

from hawser.policy.findings import Judgement
from hawser.report import render
from hawser.terraform.plan import Action

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (path := shutil.which(name))), None
)
DRIVER = shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    (BROWSER is None or DRIVER is None) and os.environ.get("HAWSER_BROWSER") != "required",
    reason="needs chromium (or chrome) and chromedriver on PATH",
)

# The contrast of every visible text with what is behind it, as WCAG 2.2 computes it; what is below AA.
CONTRAST = """
const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => {
  const part = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
};
const behind = (node) => {
  for (let one = node; one; one = one.parentElement) {
    const colour = parse(getComputedStyle(one).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
  return null;
};
const bad = [];
let seen = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !node.getClientRects().length || node.closest('script')) continue;
  seen += 1;
  const style = getComputedStyle(node);
  const colour = node.closest('svg') ? style.fill : style.color;
  const pair = [light(parse(colour)), light(behind(node))].sort((a, b) => b - a);
  const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
  if (ratio < 4.5) bad.push([walker.currentNode.data.trim().slice(0, 40), node.tagName, ratio.toFixed(2)]);
}
return [seen, bad];
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if BROWSER is None or DRIVER is None:
        pytest.fail("HAWSER_BROWSER=required, but chromium or chromedriver is not on PATH")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    review = sample_review(sample_plan("mixed"), judgement=Judgement(FINDINGS, CAPACITY), gpus_needed=32)
    hostile = "<img src=https://example.com/x onerror=document.title='owned'>"
    findings = (*FINDINGS, replace(FINDINGS[0], message=hostile, address=f'aws_a.b["{hostile}"]'))
    review = replace(review, judgement=replace(review.judgement, findings=findings))
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(review, "html", width=80, colour=False), encoding="utf-8")
    return path.as_uri()


def look(driver: Any, page: str, *, width: int, height: int, dark: bool = False) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    scheme = "dark" if dark else "light"
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    driver.get(page)


def visible(driver: Any, selector: str) -> list[str]:
    script = (
        "return [...document.querySelectorAll(arguments[0])].filter(n => n.getClientRects().length)"
        ".map(n => n.innerText)"
    )
    found: list[str] = driver.execute_script(script, selector)
    return found


def test_search_filter_diff_and_keys(browser: Any, page: str) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    look(browser, page, width=1280, height=900)
    everything = len(visible(browser, "[data-item]"))
    browser.find_element(By.TAG_NAME, "body").send_keys("/")
    search = browser.find_element(By.ID, "search")
    assert browser.switch_to.active_element == search
    assert search.get_attribute("value") == ""
    assert browser.execute_script("return getComputedStyle(arguments[0]).outlineStyle", search) == "solid"

    search.send_keys("OLD-BLOCK eks_node")
    shown = visible(browser, "[data-item]")
    assert 0 < len(shown) < everything
    assert all("old-block" in text and "aws_eks_node_group" in text for text in shown)
    assert visible(browser, "#shown") == [f"{len(shown)} of {everything} shown"]
    search.send_keys(Keys.ESCAPE)
    assert len(visible(browser, "[data-item]")) == everything

    for box in browser.find_elements(By.NAME, "action"):
        if box.get_attribute("value") != "update":
            box.click()
    assert {text.split()[0] for text in visible(browser, "[data-action]")} == {"update"}
    close = browser.find_element(By.ID, "close")
    close.click()
    change = next(
        one
        for one in browser.find_elements(By.CSS_SELECTOR, "[data-action] details")
        if one.is_displayed() and "aws_security_group.api" in one.text
    )
    assert "ingress[0].cidr_blocks" not in change.text
    change.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert '["10.0.0.0/8", "0.0.0.0/0"]' in change.text

    Select(browser.find_element(By.ID, "severity")).select_by_value("critical")
    left = "return [...document.querySelectorAll('[data-severity]:not([hidden])')].map(n => n.dataset.severity)"
    assert set(browser.execute_script(left)) == {"critical"}

    Select(browser.find_element(By.ID, "severity")).select_by_value("")
    area = Select(browser.find_element(By.ID, "area"))
    area.select_by_value("checkov")
    found = visible(browser, "[data-kind=finding]")
    assert found
    assert all("CKV_" in text for text in found)

    assert browser.title != "owned"
    assert browser.find_elements(By.TAG_NAME, "img") == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_text_is_readable(browser: Any, page: str, width: int, dark: bool) -> None:
    look(browser, page, width=width, height=800, dark=dark)
    browser.execute_script("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    screen, there, wide = browser.execute_script(
        "const root = document.documentElement; return [innerWidth, root.clientWidth, root.scrollWidth]"
    )
    assert screen == width
    assert wide <= there  # a scroll bar takes some of the screen
    seen, bad = browser.execute_script(CONTRAST)
    assert seen > 200
    # More is needed than there is: the mark stands at the end of the picture, not nowhere.
    assert browser.execute_script("return document.querySelector('line.need').getAttribute('x1')") == "100.0"
    assert bad == []
    background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert all(int(part) < 60 for part in re.findall(r"\d+", background)) is dark


@pytest.mark.parametrize("width", [360, 1280])
def test_the_line_that_gives_a_value_is_not_shown_as_a_value(browser: Any, tmp_path: Path, width: int) -> None:
    plan = sample_plan("mixed")
    change = next(one for one in plan.changes if one.action is Action.UPDATE and one.changed_paths())
    causes = {(change.address, path): ("environments/prod/env.yaml:18",) for path in change.changed_paths()}
    file = tmp_path / "report.html"
    review = sample_review(plan, judgement=Judgement((), causes=causes))
    file.write_text(render(review, "html", width=80, colour=False), encoding="utf-8")
    look(browser, file.as_uri(), width=width, height=800)
    styles = (
        "return [...document.querySelectorAll(arguments[0])].map(n =>"
        " [getComputedStyle(n).backgroundColor, getComputedStyle(n, '::before').content])"
    )
    value, line = (browser.execute_script(styles, selector) for selector in (".new > code", ".new .dim code"))
    assert line
    assert {tuple(one) for one in line} == {("rgba(0, 0, 0, 0)", "none")}
    assert value[0] == ["rgb(218, 251, 225)", '"+ "' if width == 360 else "none"]


def test_without_scripts_everything_is_still_there(browser: Any, page: str) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(page)
        hidden = [
            one.get_attribute("role")
            for one in browser.find_elements("css selector", "header, form, section")
            if not one.is_displayed()
        ]
        assert hidden == ["search"]
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_no_error_and_no_request(browser: Any, page: str) -> None:
    import json

    browser.get_log("browser"), browser.get_log("performance")
    look(browser, page, width=1280, height=900)
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if url != page] == []
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'document.title=1'; document.body.append(s)"
    )
    assert browser.title != "1"
    assert "Content Security Policy" in browser.get_log("browser")[0]["message"]
