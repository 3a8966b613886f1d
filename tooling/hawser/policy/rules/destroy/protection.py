"""HW-DEL-009: what protects something against deletion is switched off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import policy_in
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.policy.templates import STACK, made_by
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Action, Change
from hawser.terraform.values import UNKNOWN

#: Type -> (where the switch stands, the value that protects). Names of hashicorp/aws 5.100.0 (eks: 6.x).
_SWITCHES: Final[Mapping[str, tuple[tuple[tuple[str | int, ...], bool], ...]]] = {
    "aws_cloudformation_stack": (),
    "aws_db_instance": ((("deletion_protection",), True), (("skip_final_snapshot",), False)),
    "aws_docdb_cluster": ((("deletion_protection",), True), (("skip_final_snapshot",), False)),
    "aws_dynamodb_table": ((("deletion_protection_enabled",), True), (("point_in_time_recovery", 0, "enabled"), True)),
    "aws_ecr_repository": ((("force_delete",), False),),
    "aws_eks_cluster": ((("deletion_protection",), True),),
    "aws_instance": ((("disable_api_termination",), True),),
    "aws_kms_key": ((("is_enabled",), True), (("enable_key_rotation",), True)),
    "aws_lb": ((("enable_deletion_protection",), True),),
    "aws_neptune_cluster": ((("deletion_protection",), True), (("skip_final_snapshot",), False)),
    "aws_rds_cluster": ((("deletion_protection",), True), (("skip_final_snapshot",), False)),
    "aws_s3_bucket": ((("force_destroy",), False),),
}


@change_rule(
    RuleMeta(
        id="HW-DEL-009",
        title="What is protected against deletion stays protected.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=tuple(sorted(_SWITCHES)),
        looks_at="change",
        why="It is the first of two steps: with the protection gone, the next plan or one wrong call deletes it.",
        fix="Leave the protection on; take it off in the plan before the one that deletes, reviewed by itself.",
    )
)
def protection(change: Change, context: Context) -> Iterator[Hit]:
    """A switch that is turned, and a stack policy that denies less."""
    if change.action is not Action.UPDATE:
        return
    doubts = Doubts()
    for keys, protects in _SWITCHES[change.type]:
        with doubts:
            value = change.after.at(*keys)
            had = bool(change.before.at(*keys).raw())
            if value.is_unknown and not context.configuration.writes(change, str(keys[0])):
                continue
            if had is protects and bool(value.known()) is not protects:
                yield Hit(
                    path=value.path,
                    message=f"{value.path} goes from {str(had).lower()} to {shown(value)}.",
                    before=str(had).lower(),
                    after=shown(value),
                )
    if change.type == STACK:
        with doubts:
            yield from _stack_policy(change)
        yield from _no_longer_kept(change)
    doubts.settle()


def _stack_policy(change: Change) -> Iterator[Hit]:
    """Updates that the stack policy denied and no longer does (by action and resource)."""
    value = change.after.get("policy_body")
    if not change.before.get("policy_body").present:
        return
    lost = _denied(change, "before") - (_denied(change, "after") if value.present else set())
    if lost:
        what = ", ".join(sorted({action for action, _ in lost}))
        yield Hit(path=value.path, message=f"The stack policy no longer denies {what}.")


def _no_longer_kept(change: Change) -> Iterator[Hit]:
    """Resources of the template that stayed in the account when they left it, and no longer would."""
    after = {one.name: one for one in made_by(change)}
    for one in made_by(change, "before"):
        if one.kept and one.name in after and not after[one.name].kept:
            path = f"template_body.Resources.{one.name}.DeletionPolicy"
            yield Hit(path=path, message=f"{one.name} ({one.type}) is deleted when it leaves the template.")


def _denied(change: Change, side: str) -> set[tuple[str, str]]:
    value = (change.before if side == "before" else change.after).get("policy_body")
    return {
        (str(action), str(resource))
        for statement in policy_in(value)
        if statement.effect in ("Deny", UNKNOWN)
        for action in (*statement.actions, *(f"all but {one}" for one in statement.not_actions))
        for resource in (*statement.resources, *(f"all but {one}" for one in statement.not_resources))
    }
