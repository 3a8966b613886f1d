"""HW-IAM-014: somebody who exists may give rights, or act as somebody else."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.privileges import RIGHTS_OVER_RIGHTS, TYPES, Direction
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.rights import Cause


@plan_rule(
    RuleMeta(
        id="HW-IAM-014",
        title="Nobody who exists gains the right to give rights, or to act as somebody else, without approval.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=TYPES,
        looks_at="change",
        why="Whoever may change the policy, the trust, the keys or the code of another identity has all that it has,"
        " however narrow the resource looks.",
        fix="Leave such rights to the role that applies; what else needs one is approved once, for named resources.",
        references=("https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html",),
    )
)
def rights_over_rights(context: Context) -> Iterator[Hit]:
    """Gains of holders that stay; what a new role may do is listed with it, and HW-IAM-001 judges the widest of it."""
    for one in context.privileges:
        if one.drift or one.new or one.at_resource or one.direction is not Direction.MORE:
            continue
        if one.cause in (Cause.ALLOW, Cause.CONDITION) and RIGHTS_OVER_RIGHTS in one.alarms:
            yield Hit(path=one.path, message=f"{one.holder} {one.what}.", address=one.address, changed=True)
