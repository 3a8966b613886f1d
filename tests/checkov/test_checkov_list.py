"""``checkov.yaml``: what decides, what is off, and that nothing in it can be misread."""

from __future__ import annotations

from pathlib import Path

import pytest

from hawser.errors import CannotJudgeError
from hawser.policy.checkov import load_policy, pinned_version
from hawser.policy.findings import Level


def test_the_list_is_valid() -> None:
    policy = load_policy()
    assert policy.listed["CKV_AWS_24"].level is Level.BLOCK
    assert policy.listed["CKV_AWS_58"].level is Level.APPROVAL
    assert "CKV_AWS_124" in policy.off
    assert not set(policy.listed) & set(policy.off)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "must have the keys"),
        ("blok: {}", "must have the keys"),
        ("block: [CKV_AWS_1]", "block must be a map"),
        ("block: {CKV_AWS_x: {severity: high, fix: y}}", "not a checkov id"),
        ("block: {CKV_AWS_1: {severity: high}}", "needs the keys severity and fix"),
        ("block: {CKV_AWS_1: {severity: high, fix: y, level: z}}", "needs the keys severity and fix"),
        ("block: {CKV_AWS_1: {severity: hgih, fix: y}}", "has a severity that is none of"),
        ("block: {CKV_AWS_1: {severity: high, fix: ''}}", "needs a fix in words"),
        ("off: {CKV_AWS_1: }", "needs a reason in words"),
        ("off: {CKV_AWS_1: no}", "needs a reason in words"),
        ("off: {CKV_AWS_1: a reason in words, CKV_AWS_1: another reason}", "stands twice"),
        ("block: {CKV_AWS_1: {severity: high, fix: y}}\noff: {CKV_AWS_1: a reason in words}", "is listed twice"),
        ("block: {", "while parsing"),
    ],
)
def test_a_wrong_list_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "checkov.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CannotJudgeError, match=said):
        load_policy(path)


def test_a_missing_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotJudgeError, match="cannot be read"):
        load_policy(tmp_path / "checkov.yaml")


def test_the_version_comes_from_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "checkov.txt"
    lock.write_text("checkov==3.3.30 \\\n    --hash=sha256:00\nother==1\n", encoding="utf-8")
    assert pinned_version(lock) == "3.3.30"
    lock.write_text("other==1\n", encoding="utf-8")
    with pytest.raises(CannotJudgeError, match="does not pin"):
        pinned_version(lock)
    with pytest.raises(CannotJudgeError, match="cannot be read"):
        pinned_version(tmp_path / "none.txt")
