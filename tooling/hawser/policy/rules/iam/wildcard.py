"""HW-IAM-001: everything, or a whole service, on every resource."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import IDENTITY_TYPES, granting, identity_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.unknown import Doubts, both
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-IAM-001",
        title="A policy that allows * or a whole service names the resources.",
        area="iam",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=IDENTITY_TYPES,
        looks_at="planned state",
        why="Whoever takes over a pod or node with such a policy has the whole service, or the account.",
        fix="Use hawser's roles, which name actions and resources; in other code list the actions that are called.",
    )
)
def wildcard(change: Change, context: Context) -> Iterator[Hit]:
    """Allow with ``*`` or ``service:*`` on ``*``; conditions do not excuse it."""
    doubts = Doubts()
    statements = identity_statements(change, context, doubts)
    for statement in granting(statements, doubts, lambda s: both(s.whole_service, s.for_everything)):
        yield Hit(
            path=statement.path,
            message=f"Allows {shown_plain(list(statement.actions))} on {shown_plain(list(statement.resources))}.",
        )
    doubts.settle()
