"""HW-IAM-008: what a policy denied, or allowed only under a condition, is free."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.privileges import TYPES, Direction
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.rights import Cause
from hawser.policy.unknown import Doubts


@plan_rule(
    RuleMeta(
        id="HW-IAM-008",
        title="Policies keep what they deny, and the conditions under which they allow.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=TYPES,
        looks_at="change",
        why="A Deny that goes frees whatever other policies allow, and a condition that goes lets in everybody whom it"
        " kept out. Neither breaks anything, so nobody notices.",
        fix="Put the Deny or the condition back; if it must go, have somebody approve exactly that.",
        references=(
            "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html",
            "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition.html",
        ),
    )
)
def guards_kept(context: Context) -> Iterator[Hit]:
    """Of holders that stay. HW-DEL-006 speaks for a bucket's policy that is destroyed, HW-IAM-009 for trust."""
    doubts = Doubts()
    told = {change.address for change in context.plan.of_type("aws_s3_bucket_policy") if not change.planned}
    for one in context.privileges:
        if one.drift or one.new or one.cause not in (Cause.DENY, Cause.CONDITION) or one.address in told:
            continue
        if one.direction is Direction.MORE:
            yield Hit(path=one.path, message=f"{one.holder} {one.what}.", address=one.address, changed=True)
        elif one.direction is Direction.UNKNOWN:
            doubts.add(one.path.split(".Statement[")[0], "may deny less, or allow under other conditions", one.address)
    doubts.settle()
