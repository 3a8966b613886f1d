"""Whole reports of real plans, as files that a person has read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from report_samples import CANARY, HERE, REGENERATE, expected_reports

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", sorted(path.name for path in (HERE / "expected").iterdir()))
def test_report_is_as_expected(name: str) -> None:
    assert expected_reports()[name] == (HERE / "expected" / name).read_text(encoding="utf-8"), REGENERATE


def test_every_report_has_its_expected_file() -> None:
    assert set(expected_reports()) == {path.name for path in (HERE / "expected").iterdir()}


def test_no_expected_report_holds_the_secret() -> None:
    for path in (HERE / "expected").iterdir():
        text = path.read_text(encoding="utf-8")
        assert CANARY not in text
        assert "mock-secret-key" not in text
        assert "(sensitive)" in text or path.name.startswith("destroy")


def test_reports_do_not_depend_on_the_order_of_hashes() -> None:
    program = "import report_samples, json; print(json.dumps(report_samples.expected_reports()))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT / 'tooling'}{os.pathsep}{HERE}"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
