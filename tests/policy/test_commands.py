"""``hawser policy``: what it prints and how it ends."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hawser.cli.commands.policy import command
from hawser.errors import CheckFoundError, UsageError
from hawser.policy.docs import render_policies
from hawser.policy.known import OTHERS
from hawser.policy.manifests.registry import manifest_rules
from hawser.policy.registry import all_rules

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> str:
    return CliRunner().invoke(command, arguments, catch_exceptions=False, standalone_mode=False).output


def test_list_names_every_rule() -> None:
    rules = [rule.meta.id for rule in (*all_rules(), *manifest_rules())]
    assert [line.split()[0] for line in run("list").splitlines()] == rules
    assert [one["id"] for one in json.loads(run("list", "--json"))] == rules


def test_explain_shows_reason_and_fix_in_any_case_of_letters() -> None:
    text = " ".join(run("explain", "hw-net-001").split())
    meta = next(rule.meta for rule in all_rules() if rule.meta.id == "HW-NET-001")
    assert meta.why in text
    assert meta.fix in text


def test_explain_knows_what_no_rule_finds() -> None:
    written = {
        rule_id
        for file in (ROOT / "tooling" / "hawser").rglob("*.py")
        for rule_id in re.findall(r"HW-[A-Z]{2,4}-\d{3}", file.read_text(encoding="utf-8"))
    } - {"HW-AREA-001"}
    rules = {rule.meta.id for rule in (*all_rules(), *manifest_rules())}
    assert written == rules | {meta.id for meta in OTHERS}
    for meta in OTHERS:
        text = " ".join(run("explain", meta.id.lower()).split())
        assert meta.why in text
        assert meta.fix in text
        assert json.loads(run("explain", meta.id, "--json"))["level"] == meta.level.value
        assert f"### {meta.id}\n" in render_policies()


def test_explain_of_a_mistyped_rule_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="HW-NET-001"):
        run("explain", "HW-NETT-001")


def test_test_judges_the_fixtures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run("test", "HW-CAP-003", "HW-DEL-002") == "2 rules tested, 0 with a difference\n"


def test_test_fails_when_a_fixture_is_judged_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tests" / "policy" / "HW-DEL-002"
    folder.mkdir(parents=True)
    for mark in ("environments/contract.yaml", "tooling/locks/checkov.txt"):
        (tmp_path / mark).parent.mkdir(parents=True)
        (tmp_path / mark).touch()
    source = ROOT / "tests" / "policy" / "HW-DEL-002"
    for name in ("fail-bucket.json", "pass-rule-of-group.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckFoundError):
        run("test", "HW-DEL-002")


def test_the_reference_names_every_rule_once_in_the_table() -> None:
    text = render_policies()
    assert render_policies() == text
    for rule in all_rules():
        assert text.count(f"### {rule.meta.id}\n") == 1
        assert rule.meta.fix in text


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("ckv_aws_24", ("port 22", "block (severity critical)", "Systems Manager")),
        ("CKV_AWS_124", ("level     off", "why off   CloudFormation carries one SageMaker cluster")),
        ("CKV_AWS_145", ("encrypted with KMS", "advisory, as is every check that")),
    ],
)
def test_explain_says_what_is_decided_about_a_check_of_checkov(check: str, says: tuple[str, ...]) -> None:
    text = run("explain", check)
    assert [one for one in says if one not in text] == []
    assert json.loads(run("explain", check, "--json"))["id"] == check.upper()


def test_explain_of_a_check_that_does_not_exist_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"has no check CKV_AWS_1244; is CKV_AWS_[0-9]+ meant"):
        run("explain", "CKV_AWS_1244")
