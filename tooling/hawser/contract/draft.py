"""Contract and environment while they are checked: what is known to be well-formed, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from hawser.contract.deployment import Place
from hawser.contract.load import Items, Node, Scalar, Table, walk
from hawser.contract.problems import Problem, shown

Path = tuple[str, ...]


class UnavailableError(Exception):
    """A rule asks for a field that is missing or malformed. That is told already, so the rule has nothing to say."""


class Draft:
    """The merged contract and the environment as parsed. Reading a field that is not well-formed ends the rule.

    ``folder`` is the name of the environment's folder. Paths are given part by part.
    """

    def __init__(self, folder: str, contract: Table | None, environment: Table | None, bad: Iterable[Path]) -> None:
        """``bad`` are the paths that the schema refused."""
        self.folder = folder
        self.environment_file = environment.place.file if environment else ""
        self._bad = frozenset(bad)
        self._nodes: dict[Path, tuple[Place, Node]] = {}
        for table in (contract, environment):
            if table is not None:
                self._nodes |= {path: (place, node) for path, place, node in walk(table)}

    def text(self, *path: str) -> str:
        """Text."""
        value = self._value(path)
        if not isinstance(value, str):
            raise UnavailableError
        return value

    def whole(self, *path: str) -> int:
        """A whole number."""
        value = self._value(path)
        if not isinstance(value, int) or isinstance(value, bool):
            raise UnavailableError
        return value

    def number(self, *path: str) -> float:
        """A number."""
        value = self._value(path)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise UnavailableError
        return float(value)

    def flag(self, *path: str) -> bool:
        """True or false."""
        value = self._value(path)
        if not isinstance(value, bool):
            raise UnavailableError
        return value

    def texts(self, *path: str) -> tuple[str, ...]:
        """A list of texts. Malformed ones are left out."""
        if not isinstance(node := self._node(path), Items):
            raise UnavailableError
        return tuple(value for item in node.nodes if isinstance(value := item.plain(), str))

    def plain(self, *path: str) -> object:
        """Whatever stands there, as plain Python values."""
        return self._value(path)

    def names(self, *path: str) -> tuple[str, ...]:
        """The names in a mapping. Malformed ones are left out."""
        if not isinstance(node := self._node(path), Table):
            raise UnavailableError
        return tuple(name for name in node.entries if (*path, name) not in self._bad)

    def pairs(self, *path: str) -> dict[str, str]:
        """A mapping of text to text. Malformed ones are left out."""
        if not isinstance(node := self._node(path), Table):
            raise UnavailableError
        entries = {name: entry.plain() for name, (_, entry) in node.entries.items() if (*path, name) not in self._bad}
        return {name: value for name, value in entries.items() if isinstance(value, str)}

    def has(self, *path: str) -> bool:
        """Whether the field is written, well-formed or not."""
        return path in self._nodes

    @property
    def existing(self) -> bool:
        """Whether the environment stands on a platform that hawser does not make."""
        return self.has("platform")

    @property
    def cluster_name(self) -> Path:
        """Where the name of the EKS cluster stands."""
        return ("platform", "existing", "cluster_name") if self.existing else ("cluster", "name")

    @property
    def node_subnets(self) -> Path:
        """Where the subnets of nodes and pods stand, by zone id."""
        return ("platform", "existing", "subnets_by_zone_id") if self.existing else ("network", "node_subnets")

    def time(self, *path: str) -> datetime:
        """A time in UTC."""
        try:
            return parse_time(self.text(*path))
        except ValueError as error:
            raise UnavailableError from error

    def pools(self) -> Iterator[PoolDraft]:
        """The capacity pools."""
        for name in self.names("capacity"):
            yield PoolDraft(self, name)

    def problem(self, path: Path, expected: str, fix: str, *, found: str | None = None) -> Problem:
        """A problem at ``path`` (or at what should hold it). ``found`` is the value there when it is not given."""
        place, node = self._nearest(path)
        if found is None:
            found = shown(node.text, name=path[-1]) if isinstance(node, Scalar) else "nothing"
        if isinstance(node, Scalar):
            place = node.place
        return Problem(place, ".".join(shown(part) for part in path), found, expected, fix)

    def _value(self, path: Path) -> object:
        return self._node(path).plain()

    def _node(self, path: Path) -> Node:
        if path not in self._nodes or any(path[:end] in self._bad for end in range(1, len(path) + 1)):
            raise UnavailableError
        return self._nodes[path][1]

    def _nearest(self, path: Path) -> tuple[Place, Node | None]:
        if path in self._nodes:
            return self._nodes[path]
        for end in range(len(path) - 1, 0, -1):
            if path[:end] in self._nodes:
                return self._nodes[path[:end]][0], None
        return Place(self.environment_file, 1), None


@dataclass(frozen=True, slots=True)
class PoolDraft:
    """One capacity pool while it is checked."""

    draft: Draft
    name: str

    def text(self, field: str) -> str:
        """Text of a field."""
        return self.draft.text("capacity", self.name, field)

    def whole(self, field: str) -> int:
        """Whole number of a field."""
        return self.draft.whole("capacity", self.name, field)

    def time(self, field: str) -> datetime:
        """Time of a field, in UTC."""
        return self.draft.time("capacity", self.name, field)

    def has(self, field: str) -> bool:
        """Whether the field is written."""
        return self.draft.has("capacity", self.name, field)

    def problem(self, field: str, expected: str, fix: str, *, found: str | None = None) -> Problem:
        """A problem at a field of the pool."""
        return self.draft.problem(("capacity", self.name, field), expected, fix, found=found)


def parse_time(text: str) -> datetime:
    """``2027-01-11T11:30:00Z`` as a time. Raises ``ValueError`` for a day or hour that does not exist."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
