"""HW-IAM-003: roles may be passed freely."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import IDENTITY_TYPES, Statement, granting, identity_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.unknown import Doubts, State, both
from hawser.terraform.plan import Change

_SERVICE = ("iam:passedtoservice", "iam:associatedresourcearn")


@change_rule(
    RuleMeta(
        id="HW-IAM-003",
        title="iam:PassRole names the roles, and the service that they are passed to.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=IDENTITY_TYPES,
        looks_at="planned state",
        why="Whoever may pass any role to any service can start something that runs as administrator.",
        fix="Name the role's ARN, and add the condition iam:PassedToService.",
        references=("https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html",),
    )
)
def pass_role(change: Change, context: Context) -> Iterator[Hit]:
    """A statement that covers PassRole with a pattern that any role fits, or no condition that binds the service.

    Statements for ``*`` or ``iam:*`` on everything are left to HW-IAM-001.
    """
    doubts = Doubts()
    for statement in granting(identity_statements(change, context, doubts), doubts, _free):
        where = shown_plain(list(statement.resources))
        unbound = "" if statement.bound_by(_SERVICE) is True else ", to any service"
        yield Hit(path=statement.path, message=f"Allows iam:PassRole on {where}{unbound}.")
    doubts.settle()


def _free(statement: Statement) -> State:
    if both(statement.whole_service, statement.for_everything) is True:
        return False
    grants = statement.grants("iam:PassRole")
    if grants is False:
        return False
    any_role = statement.for_any_role
    bound = statement.bound_by(_SERVICE)
    if bound is True and any_role is False:
        return False
    if any_role is True or bound is False:
        return grants
    return both(grants, any_role)
