"""HW-IAM-004: anybody may take a role."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import TRUST_TYPES, WHO, Statement, granting, trust_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.unknown import Doubts, State, both, opposite
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-IAM-004",
        title="A role names who may take it.",
        area="iam",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=TRUST_TYPES,
        looks_at="planned state",
        why="A trust for * lets every AWS account of the world take the role and what it may do.",
        fix="Name accounts, roles or services in the trust; people come in by cluster.admin_principals in env.yaml.",
    )
)
def trust_everybody(change: Change, _: Context) -> Iterator[Hit]:
    """Principal ``*`` (also as AWS, Federated) without a condition that binds it, or an Allow with NotPrincipal."""
    doubts = Doubts()
    for statement in granting(trust_statements(change, doubts), doubts, _everybody):
        who = "everybody but those it lists" if statement.not_principals else "*"
        yield Hit(
            path=statement.path,
            message=f"Lets {who} take the role ({shown_plain(list(statement.actions))}).",
        )
    doubts.settle()


def _everybody(statement: Statement) -> State:
    if statement.not_principals:
        return True
    return both(statement.for_everybody, opposite(statement.bound_by(WHO)))
