"""From an attribute of a plan to the lines of contract.yaml and env.yaml that give its value, or why there are none.

Three steps, each of which says so when it does not know: attribute to root variables (``terraform/provenance.py``),
variable to contract fields (``render/tfvars.py``), field to line (``Deployment.place``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from hawser.contract.deployment import Deployment
from hawser.policy.findings import Finding
from hawser.render.given import Path as TfvarsPath
from hawser.render.tfvars import tfvars, tfvars_fields
from hawser.terraform.handoff import existing_field
from hawser.terraform.plan import Action, Change, Plan
from hawser.terraform.provenance import Source, Steps, Written, read_provenance
from hawser.terraform.stacks import BOOTSTRAP, PLATFORM
from hawser.terraform.values import Value, steps

NOT_OURS: Final = "plan not made by hawser"
_NOT: Final = "not from the contract: "
#: Candidates that are named in words; of more than these nobody reads the rest.
_MOST_NAMED: Final = 4

#: The fields behind a value, the main one first; of hawser's own facts none.
_Fields = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from.

    ``text`` is for a person. ``lines`` are ``file:line`` of contract and environment, the main one first; when not
    ``exact`` they are candidates. ``code`` is ``file:line`` of the Terraform code that writes it, ``""`` if there is
    none.
    """

    text: str
    lines: tuple[str, ...] = ()
    exact: bool = False
    code: str = ""


class Stacks:
    """The sources of the stacks of one checkout, read when they are needed."""

    def __init__(self, root: Path, kept: Path) -> None:
        """``kept`` is the file in which what was read is kept."""
        self.of = cache(lambda name: read_provenance(root, name, kept))


class Trace:
    """Traces values of one plan. Without ``deployment`` it is a foreign plan, which has no contract."""

    def __init__(
        self, plan: Plan, deployment: Deployment | None, stack: str = "", stacks: Stacks | None = None
    ) -> None:
        """``stack`` names the stack that the plan was made of, where that is known; then ``stacks`` are its sources."""
        self._plan = plan
        self._deployment = deployment
        self._stack = stack
        self._stacks = stacks if stack else None
        self._origins: dict[tuple[str, tuple[str | int, ...]], Origin] = {}

    def traced(self, finding: Finding) -> Finding:
        """The finding with where it comes from; one that says so itself is left as it is."""
        if finding.origin:
            return finding
        origin = self._of_finding(finding)
        return replace(finding, origin=origin.text, lines=origin.lines if origin.exact else (), code=origin.code)

    def updates(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """For each attribute that an update or replacement changes: the lines that give its value, where that is sure.

        By (address, attribute path); what is not in it is not sure, or not from the contract. Of a JSON text only what
        differs inside it counts.
        """
        if self._stacks is None:
            return {}
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for change in self._plan.changes:
            if change.mode == "managed" and change.action in (Action.UPDATE, Action.REPLACE):
                for path in change.changed_paths():
                    at = steps(path)
                    inside = differing(change.before.at(*at), change.after.at(*at))
                    origins = [self._of(change, (*at, *inner)) for inner in inside or [()]]
                    if len({origin.lines for origin in origins}) == 1 and all(origin.exact for origin in origins):
                        found[change.address, path] = origins[0].lines
        return found

    def origin(self, change: Change, path: str) -> Origin:
        """Where the value of one attribute comes from; with an empty ``path`` why the resource is there."""
        return self._of(change, steps(path))

    def _of(self, change: Change, at: tuple[str | int, ...]) -> Origin:
        key = (change.address, at)
        if key not in self._origins:
            self._origins[key] = self._traced(change, at)
        return self._origins[key]

    def of_field(self, field: str) -> Origin:
        """Where a contract field stands."""
        if self._deployment is None:
            return Origin(NOT_OURS)
        place = self._deployment.place(field)
        if place is None:
            return Origin(f"{_NOT}{field} is not given in it")
        return Origin(str(place), (str(place),), exact=True)

    # -- findings -------------------------------------------------------------------------------------------------

    def _of_finding(self, finding: Finding) -> Origin:
        if self._deployment is None:
            return Origin(NOT_OURS)
        change = self._by_address.get(finding.address)
        code = self.origin(change, finding.path).code if change else ""
        if finding.field is not None:
            return replace(self.of_field(finding.field), code=code)
        if change is None:
            return Origin(f"{_NOT}no field of it leads here")
        return self.origin(change, finding.path)

    @cached_property
    def _by_address(self) -> Mapping[str, Change]:
        return {change.address: change for change in self._plan.changes if change.deposed is None}

    # -- attributes -----------------------------------------------------------------------------------------------

    def _traced(self, change: Change, at: tuple[str | int, ...]) -> Origin:
        if self._deployment is None:
            return Origin(NOT_OURS)
        if self._stacks is None:
            return Origin(f"{_NOT}nobody knows the stack of a plan file")
        name = f"{'data.' if change.mode == 'data' else ''}{change.type}.{change.name}"
        provenance = self._stacks.of(self._stack)
        if at[:1] == ("tags_all",):
            at = ("tags", *at[1:])
            if len(at) > 1 and change.after.at(*at).is_missing:
                return self._worded(provenance.default_tags(at[1:]))
        return self._worded(provenance.of(change.module_address, name, change.index, at))

    def _worded(self, written: Written | None) -> Origin:
        if written is None:
            return Origin(f"{_NOT}no file of terraform/{self._stack} declares it any more")
        code = f"{written.file}:{written.line}"
        groups, computed, unread = self._fields(self._stack, written.sources)
        lines = self._lines(groups)
        if unread:
            return Origin(f"{_NOT}{code} cannot be followed", code=code)
        if computed and not written.attribute:
            return Origin(f"{_NOT}the provider sets it, {code} does not", code=code)
        named = _named([*(self._field_text(group) for group in sorted(groups)), *sorted(computed)])
        if not named:
            what = "constant in" if written.attribute else "it is there whatever the contract says, by"
            return Origin(f"{_NOT}{what} {code}", code=code)
        if not written.attribute:
            return Origin(f"{code}, for {named}", lines, exact=len(groups) == 1 and bool(lines), code=code)
        if len(groups) == 1 and not computed:
            if not lines:
                return Origin(f"{_NOT}{code} takes it from hawser's own facts", code=code)
            return Origin(", with ".join(lines), lines, exact=True, code=code)
        if not groups:
            return Origin(f"{_NOT}{code} takes it from {named}", code=code)
        return Origin(f"{code}, made of {named}", lines, code=code)

    def _fields(self, stack: str, sources: Iterable[Source]) -> tuple[frozenset[_Fields], frozenset[str], bool]:
        """The groups of fields behind sources, what else they are made of, and whether some could not be followed."""
        groups: set[_Fields] = set()
        computed: set[str] = set()
        unread = False
        for source in sources:
            if source.kind == "unreadable":
                unread = True
            elif source.kind == "computed":
                computed.add(str(source.path[0]))
            elif source.path[0] in _names(self._tables[stack].fields):
                groups |= self._tables[stack].match(source.path)
            else:
                more = self._upstream(stack, source.path)
                groups |= more[0]
                computed |= more[1]
                unread |= more[2]
        return frozenset(groups), frozenset(computed), unread

    def _upstream(self, stack: str, path: Steps) -> tuple[frozenset[_Fields], frozenset[str], bool]:
        """What stands behind a variable that the variable file does not give: platform, or a default."""
        assert self._deployment is not None
        assert self._stacks is not None
        name = str(path[0])
        if stack in (PLATFORM, BOOTSTRAP) or not self._stacks.of(stack).declares(name, "upstream.tf"):
            return frozenset(), frozenset(), False
        if self._deployment.environment.existing is not None:
            inner = ".".join(str(step) for step in path[1:] if isinstance(step, str))
            field = existing_field(name)
            return frozenset({(f"{field}.{inner}" if inner else field,)}), frozenset(), False
        groups, computed, unread = self._fields(PLATFORM, self._stacks.of(PLATFORM).output(name, path[1:]))
        return groups, frozenset(f"{one} of the stack {PLATFORM}" for one in computed), unread

    @cached_property
    def _tables(self) -> Mapping[str, _Table]:
        assert self._deployment is not None
        existing = self._deployment.environment.existing is not None
        names = {self._stack} if existing or self._stack == BOOTSTRAP else {self._stack, PLATFORM}
        return {name: _Table.of(self._deployment, name) for name in names}

    def _lines(self, groups: Iterable[_Fields]) -> tuple[str, ...]:
        assert self._deployment is not None
        places = (self._deployment.place(field) for group in sorted(groups) for field in group)
        return tuple(dict.fromkeys(str(place) for place in places if place))

    def _field_text(self, group: _Fields) -> str:
        assert self._deployment is not None
        if not group:
            return "hawser's own facts"
        place = self._deployment.place(group[0])
        return f"{group[0]} ({place})" if place else f"{group[0]}, which is not given"


@dataclass(frozen=True)
class _Table:
    """The values of one variable file and the fields that give them."""

    fields: Mapping[TfvarsPath, _Fields]
    values: object

    @classmethod
    def of(cls, deployment: Deployment, stack: str) -> _Table:
        return cls(tfvars_fields(deployment, stack), json.loads(tfvars(deployment, stack)))

    def match(self, path: Steps) -> set[_Fields]:
        """The fields behind a path, or behind the nearest table around it that the file has."""
        wanted = path
        while wanted:
            if found := {self.fields[one] for one in self._matching(wanted)}:
                return found
            wanted = wanted[:-1]
        return set()

    def _matching(self, path: Steps) -> Iterator[TfvarsPath]:
        if path in self.fields:
            yield tuple(step for step in path if step is not None)
            return
        for one in self.fields:
            if len(one) == len(path) and all(self._same(one, at, step) for at, step in enumerate(path)):
                yield one

    def _same(self, one: TfvarsPath, at: int, step: str | int | None) -> bool:
        """Whether a step leads along ``one``; a member of a set is named by its value, where the file has a list."""
        if step is None or one[at] == step:
            return True
        if not isinstance(one[at], int) or not isinstance(step, str):
            return False
        value = self.values
        for part in one[: at + 1]:
            value = value[part]  # type: ignore[index]
        return value == step


def differing(before: Value, after: Value) -> list[tuple[str | int, ...]]:
    """Steps to each place that differs inside two JSON texts; none when they are not both such texts, or known."""
    sides = []
    for side in (before, after):
        text = None if side.is_unknown else side.raw()
        if not isinstance(text, str) or text[:1] not in ("{", "["):
            return []
        try:
            sides.append(json.loads(text))
        except (ValueError, RecursionError):
            return []
    return list(_differing(*sides))


def _differing(before: object, after: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            if before.get(key) != after.get(key):
                yield from _differing(before.get(key), after.get(key), (*at, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                yield from _differing(old, new, (*at, index))
    elif before != after:
        yield at


def _names(fields: Iterable[TfvarsPath]) -> set[str | int]:
    return {path[0] for path in fields}


def _named(parts: list[str]) -> str:
    more = f" and {len(parts) - _MOST_NAMED} more" if len(parts) > _MOST_NAMED else ""
    return ", ".join(parts[:_MOST_NAMED]) + more
