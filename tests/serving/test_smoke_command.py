"""``hawser serve smoke``: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.serving.openai_server import Good, Request, serving

ROOT = Path(__file__).parents[2]
HAWSER = Path(sys.executable).with_name("hawser")


class Damaged(Good):
    def content(self, request: Request) -> str:
        return "The number of the cat " * 3 if "tools" not in request else super().content(request)


def hawser(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    return subprocess.run(
        [str(HAWSER), "serve", "smoke", *arguments],
        cwd=ROOT,
        env={**kept, "LANG": "C.UTF-8", **environment},
        capture_output=True,
        text=True,
    )


def test_a_good_server_is_exit_0_with_a_row_for_each_check() -> None:
    with serving(Good()) as url:
        done = hawser("prod", "--url", f"{url}/")
    assert (done.returncode, done.stderr) == (0, "")
    rows = done.stdout.splitlines()
    assert re.fullmatch(r"pass  health +\d+\.\d s  200 on /health\.", rows[0])
    assert rows[-1] == f"prod at {url}: 10 passed, 0 failed, 0 skipped"
    assert "\x1b" not in done.stdout
    assert max(map(len, rows)) <= 100


def test_a_bad_server_is_exit_8_and_its_row_is_wrapped_to_the_width() -> None:
    with serving(Damaged()) as url:
        done = hawser("prod", "--url", url, COLUMNS="70")
    assert done.returncode == 8
    rows = done.stdout.splitlines()
    row = next(number for number, line in enumerate(rows) if line.startswith("FAIL  chat"))
    assert "answered with" in "".join(rows[row : row + 3])
    column = rows[row].index("'What is")
    assert rows[row + 1][:column].strip() == "", "the sentence stays in its column"
    assert max(map(len, rows[:-1])) <= 70


def test_json_for_machines() -> None:
    with serving(Damaged()) as url:
        done = hawser("prod", "--url", url, "--json")
    assert done.returncode == 8
    document = json.loads(done.stdout)
    assert (document["schema"], document["environment"], document["verdict"]) == ("hawser.smoke/1", "prod", "fail")
    assert (document["url"], document["entry"], len(document["deployment"])) == (url, False, 64)
    chat = document["checks"][2]
    assert (chat["name"], chat["verdict"], set(chat)) == ("chat", "fail", {"name", "verdict", "seconds", "sentence"})


def test_the_key_is_sent_and_not_shown() -> None:
    with serving(model := Good()) as url:
        done = hawser("prod", "--url", url, "--entry", HAWSER_API_KEY="s3cret")
    assert done.returncode == 0
    assert "404 on POST /invocations." in done.stdout
    assert model.asked[0][3]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in done.stdout + done.stderr


def test_without_a_url_it_says_how_to_get_one() -> None:
    done = hawser("prod")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "hawser: smoke needs --url, the address at which the server answers",
        "  → Run `kubectl port-forward POD 8000:8000`, then give --url http://127.0.0.1:8000.",
    ]


def test_wrong_usage() -> None:
    assert hawser("prod", "--url", "localhost:8000").returncode == 2
    assert hawser("nowhere", "--url", "http://127.0.0.1:1").returncode == 2
    done = hawser("prod", "--url", "http://127.0.0.1:1", HAWSER_API_KEY="two\nlines")
    assert done.returncode == 2
    assert "two" not in done.stderr
