"""What a plan says and other readers of plans have got wrong: one input for each, with what must come of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hawser.decision.decide import Decision, decide
from hawser.policy.engine import judge
from hawser.policy.findings import Verdict
from hawser.terraform.plan import REASONS, Action, Plan, read_plan
from hawser.terraform.values import UNKNOWN
from tests.handmade_plans import document, entry, plan

BUCKET = {"bucket": "weights", "tags": None}
GROUP = {
    "node_group_name": "k3",
    "instance_types": ["p5.48xlarge"],
    "scaling_config": [{"desired_size": 2, "max_size": 2, "min_size": 0}],
}
STAYS = entry("aws_iam_role.stays", ["no-op"], {"name": "a"}, {"name": "a"})
STAR = json.dumps({"Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]})
SECRETS = json.dumps({"Statement": [{"Effect": "Deny", "Action": "s3:*", "Resource": "*", "Principal": "*"}]})


def found(read: Plan, *rules: str) -> list[tuple[str, str, str, str]]:
    """(verdict, rule, address, path) of the findings of these rules, or of all."""
    return [
        (one.verdict.value, one.rule_id, one.address, one.path)
        for one in judge(read, None, {}).findings
        if not rules or one.rule_id in rules
    ]


# -- actions and counts ----------------------------------------------------------------------------------------


def test_a_forgotten_resource_is_counted_apart_although_planned_values_still_list_it() -> None:
    left = [{"address": "aws_s3_bucket.x", "mode": "managed", "type": "aws_s3_bucket", "name": "x"}]
    read = plan(entry("aws_s3_bucket.x", ["forget"], BUCKET), planned=left)
    assert read.counts() == {"forget": 1}
    assert list(read.planned()) == []
    assert found(read) == [("fail", "HW-DEL-004", "aws_s3_bucket.x", "")]


def test_every_kind_of_change_is_counted() -> None:
    read = plan(
        entry("aws_sns_topic.a", ["create"], None, {}),
        entry("aws_sns_topic.b", ["update"], {"a": 1}, {"a": 2}),
        entry("aws_sns_topic.c", ["delete", "create"], {}, {}),
        entry("aws_sns_topic.d", ["create", "delete"], {}, {}),
        entry("aws_sns_topic.e", ["create", "forget"], {}, {}),
        entry("aws_sns_topic.f", ["delete"], {}),
        entry("aws_sns_topic.g", ["forget"], {}),
        entry("aws_sns_topic.h", ["no-op"], {}, {}, previous_address="aws_sns_topic.old"),
        entry("aws_sns_topic.i", ["update"], {"a": 1}, {"a": 2}, previous_address="aws_sns_topic.older"),
        entry("data.aws_region.x", ["read"], None, {}),
    )
    assert read.counts() == {
        "create": 1,
        "update": 2,
        "replace": 3,
        "delete": 1,
        "forget": 1,
        "no-op": 1,
        "move": 2,
    }


@pytest.mark.parametrize("importing", [{"id": "weights"}, {"unknown": True}, {"identity": {"bucket": "weights"}}, {}])
def test_an_import_is_counted_however_it_is_written(importing: dict[str, Any]) -> None:
    imported = entry("aws_sns_topic.x", ["no-op"], {"name": "x"}, {"name": "x"})
    imported["change"]["importing"] = importing
    read = plan(imported)
    assert read.counts() == {"no-op": 1, "import": 1}
    assert found(read) == []


def test_only_moved_is_no_risk_of_its_own() -> None:
    read = plan(entry("aws_s3_bucket.new", ["no-op"], BUCKET, BUCKET, previous_address="aws_s3_bucket.old"))
    assert read.changes[0].previous_address == "aws_s3_bucket.old"
    assert not read.changes[0].changes
    assert decide(judge(read, None, {}).findings) is Decision.ALLOW


@pytest.mark.parametrize("reason", [*REASONS, "because_the_moon_is_full", None])
def test_every_reason_has_words_and_a_new_one_breaks_nothing(reason: str | None) -> None:
    gone = entry("aws_s3_bucket.x", ["delete", "create"], BUCKET, BUCKET)
    gone |= {} if reason is None else {"action_reason": reason}
    (first, *_) = judge(plan(gone), None, {}).findings
    assert first.rule_id in ("HW-DEL-003", "HW-DEL-005")
    assert REASONS.get(str(reason), "") in first.message or reason == "replace_because_tainted"


@pytest.mark.parametrize(
    ("paths", "read"),
    [
        ([["bucket"]], ("bucket",)),
        ([["rule", 0, "a.b"], "id"], ('rule[0]["a.b"]', "id")),
        (None, ()),
        ([[]], ("",)),
    ],
)
def test_replace_paths_are_read_in_terraforms_notation(paths: Any, read: tuple[str, ...]) -> None:
    gone = entry("aws_s3_bucket.x", ["delete", "create"], BUCKET, BUCKET)
    gone["change"]["replace_paths"] = paths
    assert plan(gone).changes[0].replace_paths == read


def test_a_deposed_object_is_judged_beside_the_present_one() -> None:
    present = entry("aws_eks_node_group.x", ["no-op"], GROUP, GROUP)
    old = entry("aws_eks_node_group.x", ["delete"], GROUP, deposed="0a1b2c3d")
    read = plan(present, old)
    assert read.counts() == {"delete": 1, "no-op": 1}
    assert ("fail", "HW-CAP-002", "aws_eks_node_group.x", "") in found(read)
    assert [(pool.before, pool.after) for pool in judge(read, None, {}).capacity] == [(16, 16), (16, 0)]


def test_an_action_that_runs_beside_the_resources_is_no_empty_plan() -> None:
    invoked = [{"address": "action.aws_ec2_stop_instance.x", "type": "aws_ec2_stop_instance", "name": "x"}]
    read = read_plan(json.dumps(document(STAYS, action_invocations=invoked)).encode(), "x")
    assert decide(judge(read, None, {}).findings) is Decision.NEEDS_APPROVAL


# -- values that are not known, not there, or not what they seem -----------------------------------------------


def test_an_output_that_is_wholly_unknown_has_no_after() -> None:
    read = plan(STAYS, output_changes={"arn": {"actions": ["create"], "before": None, "after_unknown": True}})
    assert read.outputs[0].after.is_unknown
    assert read.outputs[0].after.tree() is UNKNOWN


def test_a_block_written_as_an_attribute_is_judged_from_its_values() -> None:
    """The configuration lists no such block, or not what is in it."""
    open_rule = {"from_port": 443, "to_port": 443, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"]}
    for expressions in ({}, {"ingress": {}}, {"name": {"constant_value": "x"}}):
        resource = {"address": "aws_security_group.x", "mode": "managed", "expressions": expressions}
        read = plan(
            entry("aws_security_group.x", ["create"], None, {"name": "x", "ingress": [open_rule]}),
            configuration={"root_module": {"resources": [resource]}},
        )
        assert found(read, "HW-NET-002") == [("fail", "HW-NET-002", "aws_security_group.x", "ingress[0].cidr_blocks")]


def test_a_policy_that_is_missing_because_it_is_unknown_cannot_be_judged() -> None:
    read = plan(entry("aws_iam_policy.x", ["create"], None, {"name": "x"}, {"policy": True}))
    assert {(verdict, path) for verdict, _, _, path in found(read)} == {("undecidable", "policy")}
    assert decide(judge(read, None, {}).findings) is Decision.NEEDS_APPROVAL


def test_a_policy_that_becomes_unknown_loses_no_statement() -> None:
    read = plan(
        entry(
            "aws_s3_bucket_policy.x",
            ["update"],
            {"bucket": "weights", "policy": SECRETS},
            {"bucket": "weights"},
            {"policy": True},
        )
    )
    assert ("undecidable", "HW-IAM-008", "aws_s3_bucket_policy.x", "policy") in found(read)
    assert all(one.verdict is Verdict.UNDECIDABLE for one in judge(read, None, {}).findings)
    assert read.changes[0].changed_paths() == ("policy",)


def test_a_reservation_that_is_made_in_the_same_plan_is_there() -> None:
    """A rule that asks whether something is given accepts what is only not known yet."""
    template = {
        "name": "x",
        "instance_type": "p5.48xlarge",
        "instance_market_options": [{"market_type": "capacity-block"}],
        "capacity_reservation_specification": [{"capacity_reservation_target": [{}]}],
    }
    mark = {
        "capacity_reservation_specification": [{"capacity_reservation_target": [{"capacity_reservation_id": True}]}]
    }
    made = entry("aws_launch_template.x", ["create"], None, template, mark)
    assert found(plan(made), "HW-BLK-001") == []
    assert len(found(plan(entry("aws_launch_template.x", ["create"], None, template)), "HW-BLK-001")) == 1


@pytest.mark.parametrize("text", ["true_after_unknown", "(known after apply)", "UNKNOWN", "${var.x}"])
def test_no_text_stands_for_what_is_unknown(text: str) -> None:
    read = plan(entry("aws_iam_policy.x", ["create"], None, {"policy": text}))
    assert not read.changes[0].after.get("policy").is_unknown
    assert read.changes[0].after.get("policy").known() == text


@pytest.mark.parametrize(("after", "unknown"), [(["a", "c"], [False, True, False]), (["a", "b", "c"], [False, True])])
def test_marks_of_another_length_leave_every_element_open(after: list[str], unknown: list[bool]) -> None:
    group = {**GROUP, "subnet_ids": after}
    read = plan(entry("aws_eks_node_group.x", ["create"], None, group, {"subnet_ids": unknown}))
    assert [value.is_unknown for value in read.changes[0].after.get("subnet_ids").elements()] == [True] * len(after)


@pytest.mark.parametrize("nothing", [None, [], {}, ""])
@pytest.mark.parametrize("key", ["tags", "tags_all", "ingress", "policy", "scaling_config", "template_body", "rule"])
def test_null_and_empty_attributes_break_no_rule(key: str, nothing: Any) -> None:
    types = ("aws_s3_bucket", "aws_security_group", "aws_iam_policy", "aws_eks_node_group", "aws_cloudformation_stack")
    more = ("aws_s3_bucket_lifecycle_configuration", "aws_ec2_fleet", "aws_sagemaker_endpoint", "aws_instance")
    changes = [
        entry(f"{type_}.{action[0].replace('-', '_')}", action, before, after)
        for type_ in (*types, *more)
        for action, before, after in (
            (["create"], None, {key: nothing}),
            (["update"], {key: nothing}, {key: nothing, "other": 1}),
            (["delete"], {key: nothing}, None),
        )
    ]
    assert [one for one in judge(plan(*changes), None, {}).findings if one.verdict is Verdict.ERROR] == []


# -- addresses -------------------------------------------------------------------------------------------------

KEYS = ("a.b", "[0]", 'say \\"x\\"', "module.x", "ü–漢", "back\\\\slash", "a]b[c", "${x}", "")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("module", ["", "module.module_a", 'module.data["x.y"].module.module["["]'])
def test_a_finding_names_the_exact_address_whatever_its_keys(key: str, module: str) -> None:
    prefix = f"{module}." if module else ""
    address = f'{prefix}aws_s3_bucket.data["{key}"]'
    gone = entry("aws_s3_bucket.data", ["delete"], BUCKET, index=json.loads(f'"{key}"'))
    gone |= {"address": address} | ({"module_address": module} if module else {})
    assert found(plan(gone, STAYS)) == [("fail", "HW-DEL-002", address, "")]


def test_a_data_source_in_a_module_is_no_resource() -> None:
    read_later = entry("data.aws_iam_policy_document.data", ["read"], None, {"statement": []})
    read_later |= {
        "address": "module.module_a.data.aws_iam_policy_document.data[0]",
        "module_address": "module.module_a",
    }
    read = plan(read_later, STAYS)
    assert (read.changes[0].mode, read.changes[0].action) == ("data", Action.READ)
    assert read.counts() == {"no-op": 1}
    assert found(read) == []


def test_each_instance_of_a_for_each_is_judged() -> None:
    policies = [
        entry(
            "aws_iam_policy.x",
            ["create"],
            None,
            {"policy": STAR if key == "c" else SECRETS.replace("Principal", "Sid")},
        )
        | {"address": f'aws_iam_policy.x["{key}"]', "index": key}
        for key in "abc"
    ]
    assert [address for _, rule, address, _ in found(plan(*policies)) if rule == "HW-IAM-001"] == [
        'aws_iam_policy.x["c"]'
    ]


# -- what stands beside the changes ----------------------------------------------------------------------------


def check(status: str, *messages: str) -> dict[str, Any]:
    problems = [{"message": message} for message in messages]
    address = {"kind": "check", "name": "room", "to_display": "check.room"}
    return {"address": address, "status": status, "instances": [{"status": status, "problems": problems}]}


@pytest.mark.parametrize(
    ("status", "verdicts"), [("fail", ["fail"]), ("error", ["fail"]), ("pass", []), ("unknown", [])]
)
def test_a_failing_check_is_a_finding_although_terraform_goes_on(status: str, verdicts: list[str]) -> None:
    read = plan(STAYS, checks=[check(status, "There is no room.")])
    assert [verdict for verdict, *_ in found(read, "HW-RUN-003")] == verdicts


@pytest.mark.parametrize("checks", [None, {}, "x", [None], [{}], [{"status": "fail", "address": [], "instances": {}}]])
def test_odd_checks_break_nothing(checks: Any) -> None:
    assert all(verdict != "error" for verdict, *_ in found(plan(STAYS, checks=checks)))


def test_an_output_that_loses_its_mark_is_found_in_the_configuration_only() -> None:
    """``output_changes`` marks both sides as sensitive, and the text of terraform says that nothing changes."""
    change = {
        "actions": ["update"],
        "before": "x",
        "after": "x",
        "after_unknown": False,
        "before_sensitive": True,
        "after_sensitive": True,
    }
    for outputs, rules in (({"p": {"expression": {}}}, ["HW-SEC-002"]), ({"p": {"sensitive": True}}, [])):
        read = plan(STAYS, output_changes={"p": change}, configuration={"root_module": {"outputs": outputs}})
        assert [rule for _, rule, _, _ in found(read)] == rules


def test_only_drift_changes_no_verdict_and_is_kept_apart() -> None:
    drift = entry("aws_autoscaling_group.x", ["update"], {"desired_capacity": 2}, {"desired_capacity": 3})
    read = plan(STAYS, resource_drift=[drift], relevant_attributes=[{"resource": "aws_autoscaling_group.x"}])
    assert read.counts() == {"no-op": 1}
    assert decide(judge(read, None, {}).findings) is Decision.ALLOW
