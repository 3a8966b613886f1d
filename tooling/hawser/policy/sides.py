"""A plan's objects at three moments: as the state recorded them, as they stand after the refresh, as they are planned.

Each moment is a ``Context`` whose changes hold their values in ``after``, so that whatever reads policies and rules of
a plan reads every moment alike. What the plan does is the difference between the last two; what was done outside of
Terraform is the difference between the first two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from hawser.policy.registry import Context
from hawser.terraform.drift import foreign_entries
from hawser.terraform.plan import Action, Change, Plan
from hawser.terraform.values import Value

#: Attributes in which the provider repeats what resources of their own say (hashicorp/aws 5.100.0). Where the plan does
#: not change one, it is the echo of the state before the apply and says nothing of what will be.
_ECHOES: Final[Mapping[str, tuple[str, ...]]] = {
    "aws_default_security_group": ("ingress",),
    "aws_iam_role": ("inline_policy", "managed_policy_arns"),
    "aws_kms_external_key": ("policy",),
    "aws_kms_key": ("policy",),
    "aws_kms_replica_key": ("policy",),
    "aws_s3_access_point": ("policy",),
    "aws_s3_bucket": ("policy", "acl", "grant"),
    "aws_secretsmanager_secret": ("policy",),
    "aws_security_group": ("ingress",),
    "aws_sns_topic": ("policy",),
    "aws_sqs_queue": ("policy",),
}


def planned(context: Context, types: Collection[str]) -> Context:
    """The objects of these types after the apply."""
    found = []
    for change in _of(context, types):
        if change.planned:
            drop = _echoes(change)
            found.append(replace(change, after=_less(change.after, drop)) if drop else change)
    return _context(context, found, context.plan.placeholders)


def standing(context: Context, types: Collection[str]) -> Context:
    """The objects of these types as they are now, at the addresses that they will have."""
    found = [
        _at_rest(change, _less(change.before, _echoes(change)))
        for change in _of(context, types)
        if isinstance(change.before.raw(), dict) and change.mode == "managed"
    ]
    return _context(context, found, frozenset())


def refreshed(context: Context, types: Collection[str]) -> Context:
    """The same with every echo: what the refresh found."""
    found = [
        _at_rest(change, change.before)
        for change in _of(context, types)
        if isinstance(change.before.raw(), dict) and change.mode == "managed"
    ]
    return _context(context, found, frozenset())


def recorded(context: Context, types: Collection[str]) -> Context:
    """The objects of these types as the state held them before the refresh."""
    drifted = {entry.address: entry for entry in foreign_entries(context.plan.document) if entry.type in types}
    found = []
    for change in refreshed(context, types).plan.changes:
        entry = drifted.pop(change.previous_address or change.address, None) or drifted.pop(change.address, None)
        found.append(change if entry is None else _at_rest(change, _recorded(entry.before, entry.before_sensitive)))
    for entry in drifted.values():  # deleted outside of Terraform: the plan makes them anew
        found += [
            _at_rest(change, _recorded(entry.before, entry.before_sensitive))
            for change in _of(context, (entry.type,))
            if change.address == entry.address
        ]
    return _context(context, [one for one in found if isinstance(one.after.raw(), dict)], frozenset())


def has_drift(context: Context, types: Collection[str]) -> bool:
    """Whether an object of these types was changed outside of Terraform; echoes of our own resources are no drift."""
    return any(entry.type in types for entry in foreign_entries(context.plan.document))


def _recorded(before: Any, sensitive: Any) -> Value:
    return Value(before, None, sensitive)


def hidden(context: Context, types: Collection[str]) -> Iterator[tuple[str, str]]:
    """(address, attribute) of what is changed and marked as sensitive: no moment has it, so that none shows it."""
    for change in context.plan.of_type(*types):
        name = _sensitive(change)
        if name and change.changes:
            yield change.address, name


def _sensitive(change: Change) -> str:
    marked = [side for side in (change.before, change.after) if side.is_sensitive]  # nearly always none
    return next((name for name in _QUOTED if any(side.get(name).is_sensitive for side in marked)), "")


#: Attributes whose insides are put into words.
_QUOTED: Final = (
    "access_control_policy",
    "assume_role_policy",
    "cidr_blocks",
    "cidr_ipv4",
    "cidr_ipv6",
    "content",
    "ingress",
    "inline_policy",
    "ipv6_cidr_blocks",
    "managed_policy_arns",
    "parameters",
    "policy",
    "policy_arn",
    "policy_arns",
    "principal_arn",
    "statement",
    "template_body",
    "vpc_config",
)


def _of(context: Context, types: Collection[str]) -> Iterator[Change]:
    return (c for c in context.plan.of_type(*types) if c.deposed is None and not _sensitive(c))


def _at_rest(change: Change, value: Value) -> Change:
    return replace(change, action=Action.NO_OP, actions=("no-op",), before=value, after=value)


def _context(context: Context, changes: list[Change], placeholders: frozenset[str]) -> Context:
    plan = Plan(context.plan.document, tuple(changes), (), (), placeholders)
    return Context(plan, context.deployment)


def _echoes(change: Change) -> tuple[str, ...]:
    names = _ECHOES.get(change.type, ())
    if not names or change.action not in (Action.UPDATE, Action.NO_OP):
        return ()
    before, after = change.before.raw(), change.after.raw()
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ()
    return tuple(
        name for name in names if before.get(name) == after.get(name) and not change.after.get(name).has_unknown
    )


def _less(value: Value, names: tuple[str, ...]) -> Value:
    return value.without(names) if names else value
