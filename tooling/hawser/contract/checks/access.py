"""Whose account, which region, and which place in the folder."""

from __future__ import annotations

from collections.abc import Iterator

from hawser import facts
from hawser.contract.checks.rule import rule
from hawser.contract.draft import Draft, UnavailableError
from hawser.contract.problems import Problem, nearest


def region_facts(draft: Draft) -> facts.Region:
    """Facts of the environment's region. Raises ``UnavailableError`` when it is not a known region."""
    found = facts.regions().get(draft.text("region"))
    if found is None:
        raise UnavailableError
    return found


@rule(
    "The name is that of the folder.",
    "State, bundles and records are filed under it; a copied file would touch the original.",
)
def folder_name(draft: Draft) -> Iterator[Problem]:
    """``name``."""
    if draft.text("name") != draft.folder:
        yield draft.problem(("name",), f"{draft.folder}, the name of the folder", f"write {draft.folder}")


@rule("The region is one that sells such instances.", "hawser knows zone ids and offers of these regions only.")
def known_region(draft: Draft) -> Iterator[Problem]:
    """``region``."""
    name = draft.text("region")
    known = facts.regions()
    if name in known:
        return
    if name[:-1] in known:
        fix = f"write {name[:-1]}: {name} is a zone of it"
    else:
        near = nearest(name, known)
        fix = f"write {near}" if near else "choose one of them"
    yield draft.problem(("region",), f"one of {', '.join(known)}", fix)
