"""HW-IAM-010: somebody who exists gets a whole service."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.privileges import TYPES, Direction
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.rights import Cause

_WIDE = ("every action", "a whole service")


@plan_rule(
    RuleMeta(
        id="HW-IAM-010",
        title="Rights that a role or policy gains name their actions.",
        area="iam",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=TYPES,
        looks_at="change",
        why="Every action of a service on a bucket or queue also changes its policy, deletes it, and takes in what AWS"
        " adds later.",
        fix="List the actions that are called.",
    )
)
def widened(context: Context) -> Iterator[Hit]:
    """Identity policies that stay, and policies of AWS for a whole service, whoever gets them.

    HW-IAM-001 stops the statement of a whole service on every resource, also where all is new.
    """
    for one in context.privileges:
        if one.drift or one.at_resource or one.direction is not Direction.MORE:
            continue
        wide = any(alarm in _WIDE for alarm in one.alarms) and "every resource" not in one.alarms
        if wide and (one.cause is Cause.ATTACHMENT or (one.cause in (Cause.ALLOW, Cause.CONDITION) and not one.new)):
            yield Hit(path=one.path, message=f"{one.holder} {one.what}.", address=one.address, changed=True)
