"""Ways into an account that no policy of the plan shows: types that no offline plan holds, and what is quiet."""

from typing import Any

import pytest
from tests.handmade_plans import entry, plan

from hawser.decision.decide import Decision, decide
from hawser.policy.engine import judge


def said(*changes: dict[str, Any]) -> tuple[str, set[str]]:
    """The decision, and the rules that say something."""
    found = judge(plan(*changes), None, {}).findings
    return decide(found), {one.rule_id for one in found}


@pytest.mark.parametrize(
    ("type_", "after", "rule"),
    [
        ("aws_snapshot_create_volume_permission", {"account_id": "444455556666"}, "HW-NET-006"),
        ("aws_rolesanywhere_trust_anchor", {"name": "x"}, "HW-IAM-011"),
        ("aws_vpn_connection", {"customer_gateway_id": "cgw-1"}, "HW-NET-006"),
        ("aws_eip_association", {"instance_id": "i-1"}, "HW-NET-006"),
        ("aws_mq_broker", {"publicly_accessible": True}, "HW-NET-006"),
    ],
)
def test_a_new_way_in_needs_approval(type_: str, after: dict[str, Any], rule: str) -> None:
    assert said(entry(f"{type_}.x", ["create"], None, after)) == (Decision.NEEDS_APPROVAL, {rule})


def test_a_way_in_that_stays_or_is_closed_is_quiet() -> None:
    public = {"publicly_accessible": True}
    assert said(
        entry("aws_mq_broker.tagged", ["update"], public, {**public, "tags": {"a": "b"}}),
        entry("aws_mq_broker.closed", ["update"], public, {"publicly_accessible": False}),
        entry("aws_iam_access_key.gone", ["delete"], {"user": "x"}, None),
        entry("aws_vpc_peering_connection.same", ["no-op"], {"vpc_id": "x"}, {"vpc_id": "x"}),
    ) == (Decision.ALLOW, set())


def test_a_document_shared_with_named_accounts_is_not_open_to_everybody() -> None:
    shared = {"permissions": {"type": "Share", "account_ids": "111122223333,444455556666"}}
    asked = (Decision.NEEDS_APPROVAL, {"HW-NET-006"})
    assert said(entry("aws_ssm_document.x", ["create"], None, shared)) == asked
    assert said(entry("aws_ssm_document.x", ["update"], shared, {**shared, "tags": {}})) == (Decision.ALLOW, set())
    shared = {"permissions": {"type": "Share", "account_ids": "111122223333, All"}}
    assert said(entry("aws_ssm_document.x", ["create"], None, shared)) == (Decision.DENY, {"HW-NET-003", "HW-NET-006"})
