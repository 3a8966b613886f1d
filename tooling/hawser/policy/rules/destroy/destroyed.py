"""HW-DEL-002: something that holds data is destroyed."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import pool_path
from hawser.policy.stateful import IN_TEMPLATE, STATEFUL, TYPES, folded, what_is_lost
from hawser.policy.templates import STACK, made_by, template
from hawser.terraform.plan import REASONS, Action, Change
from hawser.terraform.values import UndecidableError


@change_rule(
    RuleMeta(
        id="HW-DEL-002",
        title="What holds data, keys, images or a cluster is kept.",
        area="destroy",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=TYPES,
        looks_at="change",
        why="Planning again does not bring back objects, keys, images or a running cluster.",
        fix="Find out which change of contract or environment removed it and take that back; to delete it on purpose,"
        " empty or copy it first and write a waiver for exactly this address.",
    )
)
def destroyed(change: Change, context: Context) -> Iterator[Hit]:
    """A delete, also out of a template; in a plan that destroys everything HW-DEL-001 speaks instead."""
    if change.type == STACK and change.action is Action.UPDATE:
        yield from _out_of_template(change)
    if change.action is not Action.DELETE or folded(context):
        return
    why = f"; reason: {REASONS[change.reason]}" if change.reason in REASONS else ""
    old = f" (deposed {change.deposed})" if change.deposed else ""
    yield Hit(
        path="",
        message=f"{change.type} is destroyed{old} with {what_is_lost(change)}{why}.",
        contract_path=pool_path(change.address, context.deployment),
    )


def _out_of_template(change: Change) -> Iterator[Hit]:
    """An update of a stack whose template no longer has what holds data, or has another type by that name.

    What the old template keeps (``DeletionPolicy: Retain``) stays in the account. A new template that cannot be read is
    for HW-RUN-004 to say.
    """
    try:
        if not template(change, "after"):
            return
    except UndecidableError:
        return
    after = {(one.name, one.type) for one in made_by(change)}
    for one in made_by(change, "before"):
        if one.type in IN_TEMPLATE and (one.name, one.type) not in after and not one.kept:
            yield Hit(
                path=f"template_body.Resources.{one.name}",
                message=f"{one.type} {one.name} leaves the template and is destroyed with"
                f" {STATEFUL[IN_TEMPLATE[one.type]]}.",
            )
