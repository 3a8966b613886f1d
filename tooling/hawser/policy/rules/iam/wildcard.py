"""HW-IAM-001: everything, or a whole service, on every resource."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import IDENTITY_TYPES, Statement, fits, granting, identity_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.unknown import Doubts, State, any_of, both
from hawser.terraform.plan import Change

#: Actions by which their holder gives itself, or a role that it can take, any right (IAM service authorization
#: reference, 2026-11-30). A pattern that covers one of them (``iam:*Policy*``) is as good as naming it.
_ESCALATION = (
    "iam:AddUserToGroup",
    "iam:AttachGroupPolicy",
    "iam:AttachRolePolicy",
    "iam:AttachUserPolicy",
    "iam:CreateAccessKey",
    "iam:CreateLoginProfile",
    "iam:CreatePolicyVersion",
    "iam:DeleteRolePermissionsBoundary",
    "iam:DeleteUserPermissionsBoundary",
    "iam:PutGroupPolicy",
    "iam:PutRolePolicy",
    "iam:PutUserPolicy",
    "iam:SetDefaultPolicyVersion",
    "iam:UpdateAssumeRolePolicy",
    "iam:UpdateLoginProfile",
)


@change_rule(
    RuleMeta(
        id="HW-IAM-001",
        title="A policy that allows *, a whole service or changes of policies names the resources.",
        area="iam",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=IDENTITY_TYPES,
        looks_at="planned state",
        why="Whoever takes over a pod or node with such a policy has the whole service, or the account: who may change"
        " any role's policies may do everything.",
        fix="Use hawser's roles, which name actions and resources; in other code list the actions that are called.",
    )
)
def wildcard(change: Change, context: Context) -> Iterator[Hit]:
    """Allow with ``*``, ``service:*`` or an action of ``_ESCALATION`` on ``*``; conditions do not excuse it."""
    doubts = Doubts()
    statements = identity_statements(change, context, doubts)
    for statement in granting(statements, doubts, _too_much):
        yield Hit(
            path=statement.path,
            message=f"Allows {shown_plain(list(statement.actions))} on {shown_plain(list(statement.resources))}.",
        )
    doubts.settle()


def _too_much(statement: Statement) -> State:
    whole = both(statement.whole_service, statement.for_everything)
    if whole is True:
        return True
    escalates = any_of(statement.actions, _escalates)
    if escalates is False:
        return whole
    everywhere = any_of((statement.for_everything, statement.for_any_role), bool)
    return any_of((whole, both(escalates, everywhere)), bool)


def _escalates(pattern: str) -> bool:
    # Most actions are of another service, which the first letter tells; this runs for every action of every policy.
    return pattern[:1] in "iI*?" and any(fits(action.lower(), pattern.lower()) for action in _ESCALATION)
