"""Waivers of an environment: read as strictly as the contract. What they cover is decided elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from hawser.contract.deployment import Place
from hawser.contract.load import Items, Source, Table, read_source
from hawser.contract.names import FOLDER, require_environment
from hawser.contract.problems import ContractError, Problem, shown
from hawser.contract.schema import WaiversModel
from hawser.contract.shape import check_shape


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry of ``waivers.yaml``. ``expires`` is its last day; ``place`` is its line."""

    rule: str
    address: str
    owner: str
    reason: str
    expires: date
    place: Place


def load_waivers(root: Path, env: str) -> tuple[Waiver, ...]:
    """Waivers of environment ``env``; none when there is no waivers.yaml.

    Raises ``UsageError`` when there is no such environment, and ``ContractError`` with every problem of the file.
    """
    require_environment(root, env)
    file = f"{FOLDER}/{env}/waivers.yaml"
    path = root / file
    if not path.exists():
        return ()
    return read_waivers(read_source(path, file))


def waivers_bytes(root: Path, env: str) -> bytes:
    """What the waivers of ``env`` say, in one form: comments and places are left out. For comparing.

    Raises what ``load_waivers`` raises.
    """
    said = [{**asdict(waiver), "expires": waiver.expires.isoformat()} for waiver in load_waivers(root, env)]
    for entry in said:
        del entry["place"]
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def read_waivers(source: Source) -> tuple[Waiver, ...]:
    """The waivers of a parsed file. Raises ``ContractError``."""
    problems = list(source.problems)
    waivers: list[Waiver] = []
    if source.root is not None:
        shape = check_shape(WaiversModel, source.root)
        problems += shape.problems
        if not shape.bad:
            problems += _collect(source.root, waivers)
    if problems:
        raise ContractError(problems)
    return tuple(waivers)


def _collect(root: Table, waivers: list[Waiver]) -> Iterator[Problem]:
    """Puts the entries of a well-formed file into ``waivers`` and yields what is wrong between their fields."""
    node = root.entries["waivers"][1]
    assert isinstance(node, Items)
    seen: dict[tuple[str, str], int] = {}
    for index, (entry, item) in enumerate(
        zip(WaiversModel.model_validate(root.plain()).waivers, node.nodes, strict=True)
    ):
        path = f"waivers.{index}"
        first = seen.setdefault((entry.rule, entry.address), item.place.line)
        if first != item.place.line:
            found = f"{entry.rule} for the same address again (first in line {first})"
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
        waivers.append(Waiver(entry.rule, entry.address, entry.owner, entry.reason, expires, item.place))
