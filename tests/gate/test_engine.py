"""The engine: dispatch, verdicts, levels, origins, order, and what it counts."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hawser.contract import load_deployment
from hawser.contract.deployment import Deployment
from hawser.policy import engine
from hawser.policy.engine import judge
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.registry import Context, Hit, Rule, RuleMeta, all_rules
from hawser.terraform.plan import Change, read_plan
from tests.handmade_plans import entry, plan

POLICY = Path(__file__).parents[1] / "policy"
BUCKET = {"bucket": "weights"}


STAYS = entry("aws_iam_role.stays", ["no-op"], {"name": "a"}, {"name": "a"})


def found(judgement: Any, rule_id: str) -> list[Finding]:
    return [finding for finding in judgement.findings if finding.rule_id == rule_id]


@pytest.fixture
def ours() -> Deployment:
    return load_deployment(POLICY, "prod")


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Replaces the rules by one."""

    def use(looks_at: Any, types: tuple[str, ...], on_change: Any = None, on_plan: Any = None) -> None:
        meta = RuleMeta(
            id="HW-TST-001",
            title="It is in order.",
            area="test",
            severity=Severity.HIGH,
            level=Level.BLOCK,
            resource_types=types,
            looks_at=looks_at,
            why="It matters.",
            fix="Mend it.",
        )
        monkeypatch.setattr(engine, "all_rules", lambda: (Rule(meta, on_change, on_plan),))
        engine._rules_for.cache_clear()

    yield use
    engine._rules_for.cache_clear()


def sides(action: str) -> tuple[Any, Any]:
    """What stands before and after an action."""
    return None if action == "create" else {}, None if action in ("delete", "forget") else {}


def each(change: Change, _: Context) -> Iterator[Hit]:
    yield Hit("x", "Wrong.")


@pytest.mark.parametrize(
    ("looks_at", "seen"),
    [
        ("change", ["create", "delete", "forget", "replace", "update"]),
        ("planned state", ["create", "no-op", "replace", "update"]),
        ("both", ["create", "delete", "forget", "no-op", "replace", "update"]),
    ],
)
def test_a_rule_sees_the_changes_it_looks_at(only: Any, looks_at: str, seen: list[str]) -> None:
    actions = {name: [name] for name in ("create", "update", "delete", "forget", "no-op")} | {
        "replace": ["delete", "create"]
    }
    only(looks_at, ("aws_s3_bucket",), each)
    judged = judge(
        plan(*(entry(f"aws_s3_bucket.{name}", done, *sides(name)) for name, done in actions.items())), None, {}
    )
    assert sorted(f.address.split(".")[1] for f in judged.findings) == seen


def test_findings_on_unchanged_resources_do_not_decide(only: Any) -> None:
    only("planned state", ("aws_s3_bucket",), each)
    judged = judge(
        plan(entry("aws_s3_bucket.old", ["no-op"], {}, {}), entry("aws_s3_bucket.new", ["create"], after={})), None, {}
    )
    assert [(f.address, f.changed, f.decides) for f in judged.findings] == [
        ("aws_s3_bucket.new", True, True),
        ("aws_s3_bucket.old", False, False),
    ]


def test_data_sources_are_another_type_and_a_read_counts_as_a_change(only: Any) -> None:
    only("change", ("data.aws_iam_policy_document",), each)
    read = entry("data.aws_iam_policy_document.x", ["read"])
    judged = judge(plan(read, entry("aws_iam_policy_document.x", ["create"], after={})), None, {})
    assert [(f.address, f.changed) for f in judged.findings] == [("data.aws_iam_policy_document.x", True)]


def test_star_means_every_managed_type(only: Any) -> None:
    only("change", ("*",), each)
    judged = judge(plan(entry("data.http.x", ["read"]), entry("aws_anything.x", ["create"], after={})), None, {})
    assert [f.address for f in judged.findings] == ["aws_anything.x"]


def test_a_rule_that_raises_is_an_error_without_its_words(only: Any) -> None:
    def broken(change: Change, _: Context) -> Iterator[Hit]:
        yield Hit("x", "Seen before the fault.")
        raise KeyError("a-secret-value")

    only("change", ("aws_s3_bucket",), broken)
    judged = judge(plan(entry("aws_s3_bucket.x", ["create"], after={})), None, {})
    assert [f.verdict for f in judged.findings] == [Verdict.ERROR, Verdict.FAIL]
    assert "KeyError" in judged.findings[0].message
    assert "a-secret-value" not in repr(judged)


def test_a_value_that_is_unknown_is_undecidable_and_says_where_to_look(only: Any) -> None:
    def needs(change: Change, _: Context) -> Iterator[Hit]:
        change.after.get("bucket").known()
        yield Hit("x", "Wrong.")

    only("change", ("aws_s3_bucket",), needs)
    judged = judge(plan(entry("aws_s3_bucket.x", ["create"], after={}, unknown={"bucket": True})), None, {})
    (finding,) = judged.findings
    assert (finding.verdict, finding.path) == (Verdict.UNDECIDABLE, "bucket")
    assert "terraform state show 'aws_s3_bucket.x'" in finding.message


def test_counts_passes_and_names_idle_rules() -> None:
    judged = judge(plan(entry("aws_s3_bucket.x", ["create"], after=BUCKET), STAYS), None, {})
    assert judged.passed["HW-DEL-002"] == 1
    assert "HW-DEL-002" not in judged.idle
    assert "HW-BLK-003" in judged.idle
    assert set(judged.passed).isdisjoint(judged.idle)


def test_a_plan_rule_counts_the_resources_it_passed() -> None:
    rule = {"security_group_id": "sg-1", "ip_protocol": "tcp", "from_port": 1, "to_port": 1}
    one = entry("aws_vpc_security_group_ingress_rule.a", ["create"], after={**rule, "cidr_ipv4": "0.0.0.0/0"})
    two = entry("aws_vpc_security_group_ingress_rule.b", ["create"], after={**rule, "cidr_ipv4": "10.0.0.0/8"})
    judged = judge(plan(one, two), None, {})
    assert judged.passed["HW-NET-002"] == 1
    assert [f.address for f in found(judged, "HW-NET-002")] == ["aws_vpc_security_group_ingress_rule.a"]


def test_levels_override_the_rule() -> None:
    gone = plan(entry("aws_s3_bucket.x", ["delete"], BUCKET), STAYS)
    assert found(judge(gone, None, {}), "HW-DEL-002")[0].level is Level.BLOCK
    assert found(judge(gone, None, {"HW-DEL-002": Level.ADVISORY}), "HW-DEL-002")[0].level is Level.ADVISORY


def test_a_level_that_is_lowered_is_named_with_its_line(ours: Deployment) -> None:
    levels = {"HW-DEL-002": Level.ADVISORY, "HW-CAP-001": Level.BLOCK}
    (said,) = judge(plan(STAYS), ours, levels).lowered
    assert said.startswith("HW-DEL-002 from block to advisory (")
    guardrails = replace(ours.environment.guardrails, destroy="approval")
    relaxed = replace(ours, environment=replace(ours.environment, guardrails=guardrails))
    (said,) = judge(plan(STAYS), relaxed, {}).lowered
    assert said.startswith("HW-DEL-001 from block to approval (")
    assert "env.yaml:" in said
    assert judge(plan(STAYS), ours, {}).lowered == ()
    (said,) = judge(plan(STAYS), ours, {"HW-STK-001": Level.ADVISORY}).lowered
    assert said.startswith("HW-STK-001 from approval to advisory (")


def test_a_level_for_a_rule_that_does_not_exist_is_an_error() -> None:
    judged = judge(plan(STAYS), None, {"HW-DEL-022": Level.ADVISORY, "CKV_AWS_1": Level.BLOCK})
    (finding,) = judged.findings
    assert finding.verdict is Verdict.ERROR
    assert "HW-DEL-022" in finding.message
    assert "HW-DEL-002" in finding.message
    assert judge(plan(STAYS), None, {"HW-WVR-001": Level.BLOCK}).findings == ()
    for never in ("HW-BRK-001", "HW-LVL-001"):
        (finding,) = judge(plan(STAYS), None, {never: Level.ADVISORY}).findings
        assert f"names the rule {never}, which does not exist" in finding.message


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("CKV_AWS_5800", "does not exist; is CKV_AWS_80 meant?"),
        ("CKV_AWS_124", "which checkov.yaml switches off everywhere"),
    ],
)
def test_a_level_for_a_check_of_checkov_that_never_runs_is_an_error(check: str, says: str) -> None:
    (finding,) = judge(plan(STAYS), None, {check: Level.BLOCK, "CKV2_AWS_12": Level.BLOCK}).findings
    assert finding.verdict is Verdict.ERROR
    assert says in finding.message


def test_a_check_of_checkov_that_is_lowered_is_named_too(ours: Deployment) -> None:
    levels = {"CKV_AWS_24": Level.APPROVAL, "CKV_AWS_58": Level.BLOCK, "CKV_AWS_3": Level.BLOCK}
    (said,) = judge(plan(STAYS), ours, levels).lowered
    assert said.startswith("CKV_AWS_24 from block to approval (")


def test_destroying_everything_is_one_finding_with_the_level_of_the_environment(ours: Deployment) -> None:
    everything = plan(entry("aws_s3_bucket.x", ["delete"], BUCKET), entry("aws_kms_key.x", ["delete"], {"id": "k"}))
    judged = judge(everything, ours, {})
    assert [(f.rule_id, f.level, f.address) for f in judged.findings] == [("HW-DEL-001", Level.BLOCK, "")]
    guardrails = replace(ours.environment.guardrails, destroy="approval")
    relaxed = replace(ours, environment=replace(ours.environment, guardrails=guardrails))
    assert judge(everything, relaxed, {}).findings[0].level is Level.APPROVAL


def test_deleting_some_is_not_destroying_everything(ours: Deployment) -> None:
    judged = judge(plan(entry("aws_s3_bucket.x", ["delete"], BUCKET), STAYS), ours, {})
    assert [f.rule_id for f in judged.findings] == ["HW-DEL-002"]


def test_origin_is_the_contract_line_or_the_reason_why_there_is_none(ours: Deployment) -> None:
    cluster = {"vpc_config": [{"endpoint_public_access": True, "public_access_cidrs": ["0.0.0.0/0"]}]}
    open_cluster = plan(
        entry("aws_eks_cluster.x", ["create"], after=cluster), entry("aws_s3_bucket.x", ["delete"], BUCKET)
    )
    origins = {f.rule_id: f.origin for f in judge(open_cluster, ours, {}).findings}
    place = ours.place("cluster.public_access_cidrs")
    assert origins["HW-NET-001"] == str(place)
    assert origins["HW-DEL-002"].startswith("not from the contract: ")
    assert {f.origin for f in judge(open_cluster, None, {}).findings} == {"plan not made by hawser"}


def test_sensitive_values_are_not_quoted() -> None:
    statement = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
    policy = entry("aws_iam_policy.x", ["create"], after={"policy": json.dumps({"Statement": [statement]})})
    policy["change"]["after_sensitive"] = {"policy": True}
    (finding,) = judge(plan(policy), None, {}).findings
    assert finding.rule_id == "HW-IAM-001"
    assert "s3:" not in repr(finding)


def test_the_order_is_the_same_whatever_the_order_of_the_plan() -> None:
    changes = [entry(f"aws_s3_bucket.b{n}", ["delete"], BUCKET) for n in range(5)] + [STAYS]
    changes.append(entry("aws_launch_template.x", ["create"], after={"name": "x"}))
    forwards, backwards = judge(plan(*changes), None, {}), judge(plan(*reversed(changes)), None, {})
    assert forwards.findings == backwards.findings
    assert forwards.passed == backwards.passed


def test_placeholders_of_a_speculative_plan_are_unknown() -> None:
    group = "sg-00000000000000000"
    statement = [{"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::not-final"}]
    policy = entry("aws_iam_policy.x", ["create"], after={"policy": json.dumps({"Statement": statement})})
    made = plan(policy)
    assert judge(made, None, {}).findings == ()
    speculative = read_plan(json.dumps(made.document).encode(), "test.json", frozenset({group, "not-final"}))
    assert [(f.rule_id, f.verdict) for f in judge(speculative, None, {}).findings] == [
        ("HW-IAM-001", Verdict.UNDECIDABLE)
    ]


def test_rule_ids_of_areas_and_titles_are_unique() -> None:
    metas = [rule.meta for rule in all_rules()]
    assert len({meta.title for meta in metas}) == len(metas)
    assert all(meta.area == rule_folder for meta, rule_folder in zip(metas, map(_folder, all_rules()), strict=True))


def _folder(rule: Rule) -> str:
    function = rule.on_change or rule.on_plan
    assert function is not None
    return function.__module__.split(".")[-2]
