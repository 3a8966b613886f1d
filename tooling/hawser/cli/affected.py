"""Which environments a change touches: by what they are made of before and after, not by the names of changed files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

from hawser.contract import environment_names, load_deployment
from hawser.contract.deployment import Deployment, Place
from hawser.contract.waivers import BreakGlass, Waiver, Waivers, load_waivers
from hawser.decision.guard_changes import Guards, guard_changes
from hawser.errors import HawserError
from hawser.render.tfvars import stack_names
from hawser.terraform.stacks import BOOTSTRAP, sources_digest, stack

#: Parts of the checkout that decide what the gate says of every environment, and who may apply; what each is called.
_GUARDS: Final = (
    ("tooling/hawser/policy", "the gate's rules"),
    ("tooling/rules", "the rules of this checkout's own"),
    ("tooling/hawser/decision", "the gate's decision"),
    (f"terraform/{BOOTSTRAP}", "bootstrap: state, keys that sign approvals, CI's roles"),
    (".github", "the workflows that plan and apply"),
)
#: What every environment is rendered, planned and judged with.
_TOOLING: Final = "tooling"
_NOT_TOOLING: Final = ("__pycache__", ".egg-info")


@dataclass(frozen=True, slots=True)
class Affected:
    """An environment whose plan can differ, and why."""

    name: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change touches.

    ``guarded`` are sentences about what protects the environments (waivers, guardrails, the gate itself): these need
    approval whatever the plans say. ``removed`` are environments that are no longer there.
    """

    affected: tuple[Affected, ...]
    unaffected: tuple[str, ...]
    removed: tuple[str, ...]
    guarded: tuple[str, ...]


def impact(base: Path, head: Path) -> Impact:
    """Compare the checkout at ``head`` with the one at ``base``. Mistakes in either are told when it is planned."""
    before, now = environment_names(base), environment_names(head)
    tooling = _changed_files(base, head, _TOOLING)
    affected, guarded = [], []
    for name in now:
        if name not in before:
            affected.append(Affected(name, ("new environment",)))
            guarded += [f"{name}: new environment with {text}" for text in _waived(head, name)]
            continue
        why, guards = _compared(base, head, name)
        guarded += [f"{name}: {text}" for text in guards]
        why = (*why, *(["guardrails"] if guards else []), *(["tooling"] if tooling else []))
        if why:
            affected.append(Affected(name, why))
    removed = tuple(name for name in before if name not in now)
    guarded += [f"{name}: removed, with its waivers and guardrails; what it made stays" for name in removed]
    for part, called in _GUARDS:
        guarded += [f"{called}: {file}" for file in _changed_files(base, head, part)]
    names = {one.name for one in affected}
    return Impact(tuple(affected), tuple(n for n in now if n not in names), removed, tuple(guarded))


def _compared(base: Path, head: Path, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Why the plan of ``name`` can differ, and what changed of what protects it."""
    then, now = _deployment(base, name), _deployment(head, name)
    guards = list(_waiver_changes(base, head, name))
    if then is None or now is None:
        inputs = (f"environments/{name}", "environments/contract.yaml")
        same = all(_files(base, part) == _files(head, part) for part in inputs)
        return (() if same else ("contract or environment, not valid on one side",)), tuple(guards)
    guards += _guardrail_changes(then, now)
    why = []
    if _what_runs(then) != _what_runs(now):
        why.append("contract or environment")
    why += [f"terraform/{n}" for n in stack_names(now) if _sources(base, n) != _sources(head, n)]
    return tuple(why), tuple(guards)


def _deployment(root: Path, name: str) -> Deployment | None:
    try:
        return load_deployment(root, name)
    except HawserError:
        return None


def _what_runs(of: Deployment) -> tuple[object, ...]:
    """All that is rendered or judged by. A contract field that the environment overrides counts as it is overridden."""
    here = {path: value for path, (_, value) in of.environment.overrides.items()}
    return of.contract, replace(of.environment, overrides={}), here


def _sources(root: Path, name: str) -> tuple[object, ...] | None:
    try:
        found = stack(root, name)
        return sources_digest(found), found.lock_file.read_bytes() if found.lock_file.is_file() else None
    except (HawserError, OSError, UnicodeDecodeError):
        return None


def _guardrail_changes(then: Deployment, now: Deployment) -> Iterator[str]:
    old, new = then.environment, now.environment
    for field in fields(new.guardrails):
        before, after = getattr(old.guardrails, field.name), getattr(new.guardrails, field.name)
        if before != after:
            yield f"guardrails.{field.name}: {_shown(before)} → {_shown(after)}"
    if old.state.ci != new.state.ci:
        yield "state.ci: who may plan and apply from the CI"
    if old.state.kms_key_arn != new.state.kms_key_arn:
        yield f"state.kms_key_arn: {_shown(old.state.kms_key_arn)} → {_shown(new.state.kms_key_arn)}"


def _shown(value: object) -> str:
    if value is None:
        return "(none)"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={value[key]}" for key in sorted(value)) or "(none)"
    if isinstance(value, tuple):
        return ", ".join(str(one) for one in value) or "(none)"
    return str(value)


def _waived(root: Path, name: str) -> tuple[str, ...]:
    return tuple(f"a waiver of {one.rule} at {one.address}" for one in _waivers(root, name) or ())


def _waiver_changes(base: Path, head: Path, name: str) -> Iterator[str]:
    before, after = _waivers(base, name), _waivers(head, name)
    if before is None or after is None:
        file = f"environments/{name}/waivers.yaml"
        if _files(base, file) != _files(head, file):
            yield "waivers.yaml changed, and is not valid on one side"
        return
    glass = Guards(None, Waivers((), _glass(base, name))), Guards(None, Waivers((), _glass(head, name)))
    yield from (change.text for change in guard_changes(*glass))
    for one in after:
        if one not in before:
            yield f"waiver of {one.rule} at {one.address}, new or changed"
    kept = {(one.rule, one.address) for one in after}
    for one in before:
        if (one.rule, one.address) not in kept:
            yield f"waiver of {one.rule} at {one.address} removed"


def _waivers(root: Path, name: str) -> tuple[Waiver, ...] | None:
    """The waivers, all as if they stood in one place: a line that moved is no change. ``None``: not valid."""
    try:
        return tuple(replace(one, place=Place("waivers.yaml", 1)) for one in load_waivers(root, name).entries)
    except HawserError:
        return None


def _glass(root: Path, name: str) -> BreakGlass | None:
    return load_waivers(root, name).break_glass


def _changed_files(base: Path, head: Path, part: str) -> tuple[str, ...]:
    """Files below ``part`` that were added, removed or have another content; documents and caches do not count."""
    before, after = _files(base, part), _files(head, part)
    return tuple(name for name in sorted({*before, *after}) if before.get(name) != after.get(name))


def _files(root: Path, part: str) -> dict[str, str]:
    """Name below ``root`` of each file of ``part`` (a file, or a folder with all below it) -> digest.

    A link counts by where it leads, also one on the way to ``part``: what lies there is none of the checkout's.
    """
    place = root / part
    link = next(
        (path for path in (*reversed(place.parents), place) if root in path.parents and path.is_symlink()), None
    )
    if link is not None:
        found = [link]
    else:
        found = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file() or one.is_symlink()]
    kept = {}
    for path in found:
        name = path.relative_to(root)
        # Python imports compiled code without a source beside it, but only outside of __pycache__.
        if path.suffix == ".md" or any(p.endswith(_NOT_TOOLING) or p == ".terraform" for p in name.parts):
            continue
        content = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        kept[str(name)] = hashlib.sha256(content).hexdigest()
    return kept
