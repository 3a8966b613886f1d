"""Which environments a change touches: by what they are made of before and after, not by the names of changed files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hawser.contract import environment_names, load_deployment
from hawser.contract.deployment import Deployment
from hawser.contract.waivers import Waivers, load_waivers
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
            none = Guards(None, Waivers())
            guarded += [f"{name}: new environment; {text}" for text in _guards(none, _guards_of(head, name, None))]
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
    waivers = f"environments/{name}/waivers.yaml"
    old, new = _guards_of(base, name, then), _guards_of(head, name, now)
    unread = old is None or new is None
    guards = [] if unread and _files(base, waivers) == _files(head, waivers) else _guards(old, new)
    if then is None or now is None:
        inputs = (f"environments/{name}", "environments/contract.yaml")
        same = all(_files(base, part) == _files(head, part) for part in inputs)
        return (() if same else ("contract or environment, not valid on one side",)), tuple(guards)
    guards += _state_changes(then, now)
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


def _state_changes(then: Deployment, now: Deployment) -> Iterator[str]:
    old, new = then.environment.state, now.environment.state
    if old.ci != new.ci:
        yield "state.ci: who may plan and apply from the CI"
    if old.kms_key_arn != new.kms_key_arn:
        yield f"state.kms_key_arn changes: {old.kms_key_arn or '(none)'} → {new.kms_key_arn or '(none)'}"


def _guards(then: Guards | None, now: Guards | None) -> list[str]:
    if then is None or now is None:
        return ["waivers.yaml changed, and is not valid on one side"]
    return [change.text for change in guard_changes(then, now)]


def _guards_of(root: Path, name: str, deployment: Deployment | None) -> Guards | None:
    """``None``: its waivers are not valid."""
    try:
        return Guards(deployment.environment.guardrails if deployment else None, load_waivers(root, name))
    except HawserError:
        return None


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
