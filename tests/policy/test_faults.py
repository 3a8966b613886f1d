"""Faults of our own code and plans that terraform does not write: an error of the gate, never silence or a crash."""

import json
from typing import Any

import pytest

from hawser.policy import capacity, engine
from hawser.policy.engine import NO_CAPACITY, ODD_ENTRY, judge
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.registry import Rule, RuleMeta
from hawser.terraform.plan import Plan, read_plan

GROUP = {"scaling_config": [{"desired_size": 2, "max_size": 2}], "instance_types": ["p5.48xlarge"]}


def plan(*changes: dict[str, Any]) -> Plan:
    document = {
        "format_version": "1.2",
        "planned_values": {},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": list(changes),
    }
    return read_plan(json.dumps(document).encode(), "test.json")


def entry(type_: str, action: str, before: Any = None, after: Any = None, **more: Any) -> dict[str, Any]:
    change = {"actions": [action], "before": before, "after": after}
    return {"address": f"{type_}.x", "mode": "managed", "type": type_, "name": "x", "change": change, **more}


def errors(made: Plan) -> list[Finding]:
    return [finding for finding in judge(made, None, {}).findings if finding.verdict is Verdict.ERROR]


def test_capacity_that_raises_is_an_error_that_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a-secret-value")

    monkeypatch.setattr(capacity, "capacity", broken)
    judged = judge(plan(entry("aws_eks_node_group", "create", None, GROUP)), None, {})
    (finding,) = [finding for finding in judged.findings if finding.rule_id == NO_CAPACITY]
    assert (finding.verdict, finding.decides, judged.capacity) == (Verdict.ERROR, True, ())
    assert "KeyError" in finding.message
    assert "a-secret-value" not in repr(judged)


@pytest.mark.parametrize("where", ["on_change", "on_plan"])
def test_a_rule_that_is_no_generator_is_an_error(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def raises(*_: object) -> Any:
        raise KeyError("x")

    def nothing(*_: object) -> Any:
        return None

    for function in (raises, nothing):
        meta = RuleMeta(
            id="HW-TST-001",
            title="It is in order.",
            area="test",
            severity=Severity.HIGH,
            level=Level.BLOCK,
            resource_types=("aws_s3_bucket",),
            looks_at="change",
            why="It matters.",
            fix="Mend it.",
        )
        rule = Rule(meta, **{where: function})
        monkeypatch.setattr(engine, "all_rules", lambda rule=rule: (rule,))
        engine._rules_for.cache_clear()
        try:
            assert [f.rule_id for f in errors(plan(entry("aws_s3_bucket", "create", None, {})))] == ["HW-TST-001"]
        finally:
            engine._rules_for.cache_clear()


@pytest.mark.parametrize(
    "changes",
    [
        [entry("aws_s3_bucket", "delete", {"id": "b"}, mode="data")],
        [entry("aws_s3_bucket", "delete", {"id": "b"}, mode="Managed")],
        [entry("aws_eks_node_group", "create", None, GROUP, mode="ephemeral")],
        [entry("aws_s3_bucket", "no-op", {}, {}), entry("aws_s3_bucket", "delete", {"id": "b"})],
        [entry("aws_s3_bucket", "delete", {}, deposed="0a"), entry("aws_s3_bucket", "delete", {}, deposed="0a")],
    ],
    ids=["data-that-is-deleted", "mode-in-capitals", "mode-of-no-resource", "address-twice", "deposed-twice"],
)
def test_an_entry_that_terraform_does_not_write_is_an_error(changes: list[dict[str, Any]]) -> None:
    assert [(finding.rule_id, finding.decides) for finding in errors(plan(*changes))] == [(ODD_ENTRY, True)]


def test_a_deposed_object_beside_the_present_one_is_no_error_and_is_seen() -> None:
    made = plan(
        entry("aws_s3_bucket", "no-op", {"id": "b"}, {"id": "b"}),
        entry("aws_s3_bucket", "delete", {"id": "a"}, deposed="0123abcd"),
    )
    (finding,) = judge(made, None, {}).findings
    assert (finding.rule_id, finding.verdict, finding.changed) == ("HW-DEL-002", Verdict.FAIL, True)
    assert "0123abcd" in finding.message


def test_a_deposed_pool_is_judged_by_itself() -> None:
    unheard = {"scaling_config": [{"desired_size": 2, "max_size": 2}], "instance_types": ["p9.48xlarge"]}
    made = plan(
        entry("aws_eks_node_group", "no-op", unheard, unheard),
        entry("aws_eks_node_group", "delete", unheard, deposed="0123abcd"),
    )
    found = {(finding.rule_id, finding.verdict) for finding in judge(made, None, {}).findings}
    assert found == {("HW-CAP-001", Verdict.UNDECIDABLE), ("HW-CAP-002", Verdict.FAIL)}
