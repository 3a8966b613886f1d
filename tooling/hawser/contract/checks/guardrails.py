"""Guardrails and tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.contract.checks.rule import rule
from hawser.contract.draft import Draft
from hawser.contract.problems import Problem, shown

#: Limits of AWS on tags of one resource: 50, of which some are left to the modules.
_MOST_TAGS: Final = 40
_LONGEST_TAG_NAME: Final = 128
_LONGEST_TAG_VALUE: Final = 256
_TAG: Final = re.compile(r"[\w\s.:/=+@-]*")
#: Tags that every stack sets itself (terraform/<stack>/main.tf).
_OWN_TAGS: Final = ("environment", "stack")


@rule(
    "A real environment is not destroyed without asking.",
    "With advisory a single command ends the service and gives up the capacity.",
)
def destroy(draft: Draft) -> Iterator[Problem]:
    """``guardrails.destroy`` outside the emulator."""
    if not draft.flag("emulator") and draft.text("guardrails", "destroy") == "advisory":
        yield draft.problem(
            ("guardrails", "destroy"), "approval or block", "write block; approval where others may destroy"
        )


@rule(
    "Who planned is known where planners must not approve.",
    "Without signatures planner and approver are names that git was given, and anybody can give it two.",
)
def planner(draft: Draft) -> Iterator[Problem]:
    """``guardrails.planner_may_approve``."""
    path = ("guardrails", "planner_may_approve")
    if draft.has(*path) and not draft.flag(*path) and not draft.has("guardrails", "approval_key"):
        yield draft.problem(path, "approval_key beside it", "add the line `approval_key: …`, or leave this one out")


@rule("Nobody is told of an alarm twice.", "A topic takes each address once, whatever its capitals.")
def alarm_emails(draft: Draft) -> Iterator[Problem]:
    """``guardrails.alarm_emails``."""
    path = ("guardrails", "alarm_emails")
    if not draft.has(*path):
        return
    seen: set[str] = set()
    for address in draft.texts(*path):
        if address.lower() in seen:
            yield draft.problem(path, "each address once", "remove one of the two", found=shown(address))
        seen.add(address.lower())


@rule("Tags are names that AWS lets you set.", "One refused tag stops every resource of the stack.")
def tags(draft: Draft) -> Iterator[Problem]:
    """``tags``."""
    pairs = draft.pairs("tags")
    if len(pairs) > _MOST_TAGS:
        yield draft.problem(("tags",), f"at most {_MOST_TAGS} tags", "remove some", found=f"{len(pairs)} tags")
    for name, value in pairs.items():
        path = ("tags", name)
        if name.lower().startswith("aws:"):
            yield draft.problem(
                path, "a name that does not begin with aws:", "rename it", found=f"the name {shown(name)}"
            )
        elif not 1 <= len(name) <= _LONGEST_TAG_NAME or not _TAG.fullmatch(name):
            expected = f"1 to {_LONGEST_TAG_NAME} letters, digits, spaces and . : / = + @ _ -"
            yield draft.problem(path, expected, "rename it", found=f"the name {shown(name)}")
        if len(value) > _LONGEST_TAG_VALUE or not _TAG.fullmatch(value):
            expected = f"up to {_LONGEST_TAG_VALUE} letters, digits, spaces and . : / = + @ _ -"
            yield draft.problem(path, expected, "change the value")


@rule(
    "Tags differ by more than capitals, also from those that hawser sets.",
    "IAM takes Team and team for one tag and refuses the role; a tag of hawser's own name would be overwritten.",
)
def tags_apart(draft: Draft) -> Iterator[Problem]:
    """Names in ``tags``. IAM user guide, rules for tagging, 2026-12-01."""
    seen = {name: f"the tag {name}, which hawser sets" for name in _OWN_TAGS}
    for name in draft.pairs("tags"):
        if name.lower() in seen:
            expected = f"another name than {seen[name.lower()]}"
            yield draft.problem(("tags", name), expected, "rename or remove it", found=f"the name {shown(name)}")
        seen.setdefault(name.lower(), f"the tag {shown(name)}")
