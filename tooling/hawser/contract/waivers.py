"""Reviewed exceptions of an environment: read as strictly as the contract. What they cover is decided elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from hawser.contract.deployment import Place
from hawser.contract.load import Items, Source, Table, read_source
from hawser.contract.names import FOLDER, require_environment
from hawser.contract.problems import ContractError, Problem, shown
from hawser.contract.schema import WaiversModel
from hawser.contract.shape import check_shape


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry of ``waivers.yaml``. ``expires`` is its last day; ``place`` is its line.

    ``stack`` is the one that the address is in, ``""`` when it is not said.
    """

    rule: str
    address: str
    owner: str
    reason: str
    expires: date
    place: Place
    stack: str = ""


@dataclass(frozen=True, slots=True)
class BreakGlass:
    """The entry ``break_glass`` of ``waivers.yaml``: ``by`` lets failures of ``rules`` in ``stack`` be approved."""

    by: str
    reason: str
    stack: str
    rules: tuple[str, ...]
    until: datetime
    place: Place


@dataclass(frozen=True, slots=True)
class Waivers:
    """All that ``waivers.yaml`` says."""

    entries: tuple[Waiver, ...] = ()
    break_glass: BreakGlass | None = None


def load_waivers(root: Path, env: str) -> Waivers:
    """Waivers and broken glass of environment ``env``; none when there is no waivers.yaml.

    Raises ``UsageError`` when there is no such environment, and ``ContractError`` with every problem of the file.
    """
    require_environment(root, env)
    file = f"{FOLDER}/{env}/waivers.yaml"
    path = root / file
    if not path.exists():
        return Waivers()
    return read_waivers(read_source(path, file))


def waivers_bytes(root: Path, env: str) -> bytes:
    """What the exceptions of ``env`` say, in one form: comments and places are left out. For comparing.

    Raises what ``load_waivers`` raises.
    """
    found = load_waivers(root, env)
    said: list[dict[str, object]] = [
        {**asdict(waiver), "expires": waiver.expires.isoformat()} for waiver in found.entries
    ]
    if found.break_glass is not None:
        said.append({**asdict(found.break_glass), "until": found.break_glass.until.isoformat()})
    for entry in said:
        del entry["place"]
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def read_waivers(source: Source) -> Waivers:
    """What a parsed file says. Raises ``ContractError``."""
    problems = list(source.problems)
    waivers: list[Waiver] = []
    glass: BreakGlass | None = None
    if source.root is not None:
        shape = check_shape(WaiversModel, source.root)
        problems += shape.problems
        if not shape.bad:
            model = WaiversModel.model_validate(source.root.plain())
            problems += _collect(model, source.root, waivers)
            try:
                glass = _glass(model, source.root)
            except ValueError:
                where = source.root.entries["break_glass"][0]
                problems.append(Problem(where, "break_glass.until", "no such time", "a time that exists", "correct it"))
    if problems:
        raise ContractError(problems)
    return Waivers(tuple(waivers), glass)


def _glass(model: WaiversModel, root: Table) -> BreakGlass | None:
    it = model.break_glass
    if it is None:
        return None
    until = datetime.strptime(it.until, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return BreakGlass(it.by, it.reason, it.stack, tuple(it.rules), until, root.entries["break_glass"][0])


def _collect(model: WaiversModel, root: Table, waivers: list[Waiver]) -> Iterator[Problem]:
    """Puts the entries of a well-formed file into ``waivers`` and yields what is wrong between their fields."""
    node = root.entries["waivers"][1]
    assert isinstance(node, Items)
    seen: dict[tuple[str, str, str], tuple[int, int]] = {}
    for index, (entry, item) in enumerate(zip(model.waivers, node.nodes, strict=True)):
        path, stack = f"waivers.{index}", entry.stack or ""
        first, line = seen.setdefault((entry.rule, entry.address, stack), (index, item.place.line))
        if first != index:
            found = f"{entry.rule} for the same address again (first in line {line})"
            yield Problem(item.place, path, shown(found), "each rule and address once", "remove one of the two")
        if "*" in entry.address:
            fix = "write one waiver for each address"
            yield Problem(item.place, f"{path}.address", "a wildcard", "one exact address", fix)
        try:
            expires = date.fromisoformat(entry.expires)
        except ValueError:
            fix = "correct the date"
            yield Problem(item.place, f"{path}.expires", entry.expires, "a day that exists", fix)
            continue
        waivers.append(Waiver(entry.rule, entry.address, entry.owner, entry.reason, expires, item.place, stack))
