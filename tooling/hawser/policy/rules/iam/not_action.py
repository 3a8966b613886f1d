"""HW-IAM-002: everything but a list."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import IDENTITY_TYPES, granting, identity_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-IAM-002",
        title="A policy allows what it lists, not everything but what it lists.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=IDENTITY_TYPES,
        looks_at="planned state",
        why="Allow with NotAction or NotResource also grants every action and service that AWS adds later.",
        fix="List the actions and resources that are meant.",
    )
)
def not_action(change: Change, context: Context) -> Iterator[Hit]:
    """Allow with ``NotAction`` or ``NotResource``."""
    doubts = Doubts()
    statements = identity_statements(change, context, doubts)
    for statement in granting(statements, doubts, lambda s: bool(s.not_actions or s.not_resources)):
        what, listed = (
            ("action", statement.not_actions) if statement.not_actions else ("resource", statement.not_resources)
        )
        yield Hit(path=statement.path, message=f"Allows every {what} but {shown_plain(list(listed))}.")
    doubts.settle()
