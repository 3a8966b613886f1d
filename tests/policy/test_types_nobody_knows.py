"""Types of the Cloud Control provider (awscc), of which no plan can be made without that provider."""

from typing import Any

import pytest
from tests.handmade_plans import entry, plan

from hawser.policy.engine import judge
from hawser.policy.findings import Level

RULE = "HW-RUN-005"


def said(*changes: dict[str, Any]) -> dict[str, tuple[str, Level]]:
    """Address -> verdict and level of what the rule says."""
    found = judge(plan(*changes), None, {}).findings
    return {one.address: (one.verdict.value, one.level) for one in found if one.rule_id == RULE}


@pytest.mark.parametrize("actions", [["create"], ["update"], ["delete", "create"]])
# That a cluster is lost is known, not what is in a new one.
@pytest.mark.parametrize("type_", ["awscc_iam_role", "awscc_ec2_security_group", "awscc_sagemaker_cluster"])
def test_a_type_that_no_rule_reads_needs_approval(type_: str, actions: list[str]) -> None:
    before = None if actions == ["create"] else {"name": "x"}
    assert said(entry(f"{type_}.x", actions, before, {"name": "y"})) == {f"{type_}.x": ("fail", Level.APPROVAL)}


def test_what_a_rule_reads_goes_or_only_looks_is_quiet() -> None:
    assert (
        said(
            entry("awscc_ec2_capacity_reservation.x", ["create"], None, {"instance_count": 1}),
            entry("awscc_iam_role.gone", ["delete"], {"role_name": "x"}, None),
            entry("awscc_iam_role.same", ["no-op"], {"role_name": "x"}, {"role_name": "x"}),
            entry("data.awscc_iam_role.x", ["read"], None, {"role_name": "x"}),
        )
        == {}
    )
