"""HW-IAM-004: anybody may take a role."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import TRUST_TYPES, Statement, granting, trust_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.unknown import Doubts, State, any_of, both, opposite
from hawser.terraform.plan import Change
from hawser.terraform.values import Unknown

#: Condition keys that bind a trust to an account, an organisation, a principal or a source, whoever ``*`` may be.
_BINDING = frozenset(
    {
        "aws:principalarn",
        "aws:principalaccount",
        "aws:principalorgid",
        "aws:principalorgpaths",
        "aws:sourceaccount",
        "aws:sourcearn",
        "aws:sourceorgid",
        "aws:userid",
    }
)


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
def trust_everybody(change: Change, context: Context) -> Iterator[Hit]:
    """Principal ``*`` (also as AWS, Federated) without a condition that binds it, or an Allow with NotPrincipal."""
    doubts = Doubts()
    for statement in granting(trust_statements(change, context, doubts), doubts, _everybody):
        who = "everybody but those it lists" if statement.not_principals else "*"
        yield Hit(
            path=statement.path,
            message=f"Lets {who} take the role ({shown_plain(list(statement.actions))}).",
        )
    doubts.settle()


def _everybody(statement: Statement) -> State:
    if statement.not_principals:
        return True
    # A Service or Federated principal has no form that means everybody; an unknown one of those is no doubt.
    accounts = (who for kind, who in statement.principals if kind in ("AWS", "*") or isinstance(kind, Unknown))
    return both(any_of(accounts, lambda who: "*" in who), opposite(statement.bound_by(_BINDING)))
