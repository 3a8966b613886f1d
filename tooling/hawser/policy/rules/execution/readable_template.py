"""HW-RUN-004: nobody can see what a CloudFormation template makes."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import clusters, is_update_of_cluster
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.templates import STACK
from hawser.policy.unknown import OpaqueError
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError


@change_rule(
    RuleMeta(
        id="HW-RUN-004",
        title="The template of a CloudFormation stack is known and can be read before it is applied.",
        area="execution",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(STACK,),
        looks_at="change",
        why="A stack can make roles, open ports and start nodes. Rules that look into templates see nothing in one"
        " that is unknown, made by a macro, or elsewhere.",
        fix="Give template_body literally, with ids of stacks that were applied before.",
    )
)
def readable_template(change: Change, _: Context) -> Iterator[Hit]:
    """New and changed stacks; HW-HYP-004 speaks for updates of HyperPod stacks."""
    if not change.planned or is_update_of_cluster(change):
        return
    try:
        clusters(change, "after")
    except UndecidableError as error:
        reason = error.reason if isinstance(error, OpaqueError) else "is known only after apply"
        yield Hit(path=error.path, message=f"What the stack makes cannot be seen: {error.path} {reason}.")
