"""Faults of our own code and plans that terraform does not write: an error of the gate, never silence or a crash."""

from types import ModuleType
from typing import Any

import pytest
from tests.handmade_plans import entry, plan

from hawser.policy import capacity, engine, privileges
from hawser.policy.engine import judge
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.known import CONTRADICTION, NO_ACCESS, NO_CAPACITY
from hawser.policy.registry import Rule, RuleMeta
from hawser.terraform.plan import Plan

GROUP = {"scaling_config": [{"desired_size": 2, "max_size": 2}], "instance_types": ["p5.48xlarge"]}


def errors(made: Plan) -> list[Finding]:
    return [finding for finding in judge(made, None, {}).findings if finding.verdict is Verdict.ERROR]


def test_capacity_that_raises_is_an_error_that_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a-secret-value")

    monkeypatch.setattr(capacity, "capacity", broken)
    judged = judge(plan(entry("aws_eks_node_group.x", ["create"], None, GROUP)), None, {})
    (finding,) = [finding for finding in judged.findings if finding.rule_id == NO_CAPACITY.id]
    assert (finding.verdict, finding.decides, judged.capacity) == (Verdict.ERROR, True, ())
    assert "KeyError" in finding.message
    assert "a-secret-value" not in repr(judged)


@pytest.mark.parametrize(
    ("module", "reader"), [(engine, "exposures"), (engine, "roles"), (privileges, "privileges")], ids=str
)
def test_access_that_raises_is_an_error_that_decides(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, reader: str
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a-secret-value")

    monkeypatch.setattr(module, reader, broken)
    judged = judge(plan(entry("aws_s3_bucket.x", ["create"], None, {})), None, {})
    (finding,) = [finding for finding in judged.findings if finding.rule_id == NO_ACCESS.id]
    assert (finding.verdict, finding.decides, finding.address) == (Verdict.ERROR, True, "")
    assert judged.privileges + judged.exposure + judged.roles == ()
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
            assert [f.rule_id for f in errors(plan(entry("aws_s3_bucket.x", ["create"], None, {})))] == ["HW-TST-001"]
        finally:
            engine._rules_for.cache_clear()


BUCKET = {"id": "b"}


@pytest.mark.parametrize(
    "changes",
    [
        [entry("data.aws_s3_bucket.x", ["delete"], BUCKET)],
        [{**entry("aws_s3_bucket.x", ["delete"], BUCKET), "mode": "Managed"}],
        [{**entry("aws_eks_node_group.x", ["create"], None, GROUP), "mode": "ephemeral"}],
        [entry("aws_s3_bucket.x", ["no-op"], {}, {}), entry("aws_s3_bucket.x", ["delete"], BUCKET)],
        [entry("aws_s3_bucket.x", ["delete"], {}, deposed="0a")] * 2,
        [{**entry("aws_s3_object.x", ["update"], BUCKET, {"id": "c"}), "address": "aws_s3_bucket.x"}],
        [entry("aws_s3_object.x", ["update"], BUCKET, {"id": "c"}, module_address="module.a")],
        [{**entry("aws_s3_object.x", ["update"], BUCKET, {"id": "c"}), "name": "xx"}],
        [entry("aws_s3_object.x", ["create"], BUCKET, BUCKET)],
        [entry("aws_s3_object.x", ["update"], None, BUCKET)],
        [entry("aws_s3_object.x", ["delete"])],
        [entry("aws_s3_object.x", ["create"])],
        [entry("aws_s3_object.x", ["forget"], BUCKET, BUCKET)],
        [entry("aws_s3_object.x", ["no-op"], BUCKET, {"id": "c"})],
    ],
    ids=[
        "data-that-is-deleted", "mode-in-capitals", "mode-of-no-resource", "address-twice", "deposed-twice",
        "type-of-another", "module-of-another", "name-of-another", "create-of-what-is-there", "update-of-nothing",
        "delete-of-nothing", "create-of-nothing", "forget-that-stays", "no-op-that-changes",
    ],
)  # fmt: skip
def test_an_entry_that_terraform_does_not_write_is_an_error(changes: list[dict[str, Any]]) -> None:
    assert [(finding.rule_id, finding.decides) for finding in errors(plan(*changes))] == [(CONTRADICTION.id, True)]


@pytest.mark.parametrize(
    "planned",
    [
        [],
        [{"address": "aws_s3_object.x", "mode": "managed", "values": {"id": "c"}}],
        [{"address": "aws_s3_object.x", "mode": "managed"}],
        [{"address": "aws_s3_object.x", "mode": "managed", "values": BUCKET}] * 2,
        [{"address": f"aws_s3_object.{name}", "mode": "managed", "values": BUCKET} for name in "xy"],
    ],
    ids=["left-out", "other-values", "no-values", "twice", "one-more"],
)
def test_planned_values_that_disagree_with_the_changes_are_an_error(planned: list[dict[str, Any]]) -> None:
    made = plan(entry("aws_s3_object.x", ["create"], None, BUCKET), planned=planned)
    assert [(finding.rule_id, finding.decides) for finding in errors(made)] == [(CONTRADICTION.id, True)]


@pytest.mark.parametrize("index", ["[0]", '["a.b"]', '["say \\"x\\" [1]"]', '["größe"]', ""])
@pytest.mark.parametrize("module", ["", "module.a", 'module.pool["a.b[c]"].module.x'])
def test_addresses_with_any_key_agree(index: str, module: str) -> None:
    address = f"{module}.aws_s3_object.x{index}".lstrip(".")
    made = plan({**entry("aws_s3_object.x", ["create"], None, BUCKET), "address": address, "module_address": module})
    assert errors(made) == []


def test_a_deposed_object_beside_the_present_one_is_no_error_and_is_seen() -> None:
    made = plan(
        entry("aws_s3_bucket.x", ["no-op"], {"id": "b"}, {"id": "b"}),
        entry("aws_s3_bucket.x", ["delete"], {"id": "a"}, deposed="0123abcd"),
    )
    (finding,) = judge(made, None, {}).findings
    assert (finding.rule_id, finding.verdict, finding.changed) == ("HW-DEL-002", Verdict.FAIL, True)
    assert "0123abcd" in finding.message


def test_a_deposed_pool_is_judged_by_itself() -> None:
    unheard = {"scaling_config": [{"desired_size": 2, "max_size": 2}], "instance_types": ["p9.48xlarge"]}
    made = plan(
        entry("aws_eks_node_group.x", ["no-op"], unheard, unheard),
        entry("aws_eks_node_group.x", ["delete"], unheard, deposed="0123abcd"),
    )
    found = {(finding.rule_id, finding.verdict) for finding in judge(made, None, {}).findings}
    assert found == {("HW-CAP-001", Verdict.UNDECIDABLE), ("HW-CAP-002", Verdict.FAIL)}
