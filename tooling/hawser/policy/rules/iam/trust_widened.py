"""HW-IAM-009: more may take a role that is there already."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.privileges import TYPES, Direction
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.rights import Cause


@plan_rule(
    RuleMeta(
        id="HW-IAM-009",
        title="A role that exists is taken by those who could take it, and by nobody else.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=TYPES,
        looks_at="change",
        why="Whoever may take a role has all that it was ever given, and its owner gave that to somebody else.",
        fix="Give the new principal a role of its own; if it must be this one, have somebody approve exactly that.",
        references=("https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_update-role-trust-policy.html",),
    )
)
def trust_widened(context: Context) -> Iterator[Hit]:
    """New principals, lost conditions and lost Denies in trust policies, and pod identities, of roles that stay."""
    for one in context.privileges:
        if one.cause is Cause.TRUST and one.direction is Direction.MORE and not one.new and not one.drift:
            yield Hit(path=one.path, message=f"{one.holder} {one.what}.", address=one.address, changed=True)
