"""A plan's objects at three moments: as the state recorded them, as they stand after the refresh, as they are planned.

Each moment is a ``Context`` whose changes hold their values in ``after``, so that whatever reads policies and rules of
a plan reads every moment alike. What the plan does is the difference between the last two; what was done outside of
Terraform is the difference between the first two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from hawser.policy.registry import Context
from hawser.terraform.drift import DriftEntry, foreign_entries
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


class Sides:
    """The objects of some types at every moment of a plan."""

    def __init__(self, context: Context, types: Collection[str]) -> None:
        """``types`` are resource types."""
        self._context = context
        self._types = types
        self._seen: list[tuple[Change, tuple[str, ...]]] = []  # and its echoes
        self._hidden: list[tuple[Change, str]] = []
        for change in context.plan.of_type(*types):
            name = _sensitive(change)
            if not name:
                if change.deposed is None:
                    self._seen.append((change, _echoes(change)))
            elif change.changes:
                self._hidden.append((change, name))

    def hidden(self, types: Collection[str]) -> Iterator[tuple[str, str]]:
        """(address, attribute) of what is changed and marked as sensitive: no moment has it, so that none shows it."""
        return ((change.address, name) for change, name in self._hidden if change.type in types)

    @cached_property
    def planned(self) -> Context:
        """The objects after the apply."""
        found = []
        for change, echoes in self._seen:
            if change.planned:
                found.append(replace(change, after=change.after.without(echoes)) if echoes else change)
        return self._moment(found, self._context.plan.placeholders)

    @cached_property
    def standing(self) -> Context:
        """The objects as they are now, at the addresses that they will have."""
        return self._moment(
            [one.at_rest(one.before.without(echoes) if echoes else one.before) for one, echoes in self._objects()]
        )

    @cached_property
    def refreshed(self) -> Context:
        """The same with every echo: what the refresh found."""
        return self._moment([one.at_rest(one.before) for one, _ in self._objects()])

    @cached_property
    def recorded(self) -> Context:
        """The objects as the state held them before the refresh."""
        drifted = {entry.address: entry for entry in self._drift()}
        found = []
        for change in self.refreshed.plan.changes:
            entry = drifted.pop(change.previous_address or change.address, None) or drifted.pop(change.address, None)
            found.append(change if entry is None else change.at_rest(_recorded(entry.before, entry.before_sensitive)))
        for entry in drifted.values():  # deleted outside of Terraform: the plan makes them anew
            found += [
                change.at_rest(_recorded(entry.before, entry.before_sensitive))
                for change, _ in self._seen
                if change.type == entry.type and change.address == entry.address
            ]
        return self._moment([one for one in found if isinstance(one.after.raw(), dict)])

    @cached_property
    def has_drift(self) -> bool:
        """Whether an object was changed outside of Terraform; echoes of our own resources are no drift."""
        return bool(self._drift())

    def _drift(self) -> list[DriftEntry]:
        return [entry for entry in foreign_entries(self._context.plan.document) if entry.type in self._types]

    def _objects(self) -> Iterator[tuple[Change, tuple[str, ...]]]:
        return (one for one in self._seen if one[0].mode == "managed" and isinstance(one[0].before.raw(), dict))

    def _moment(self, changes: list[Change], placeholders: frozenset[str] = frozenset()) -> Context:
        return self._context.at(Plan(self._context.plan.document, tuple(changes), (), (), placeholders))


def _recorded(before: Any, sensitive: Any) -> Value:
    return Value(before, None, sensitive)


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
