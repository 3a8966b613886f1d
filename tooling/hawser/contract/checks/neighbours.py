"""Environments of one account and region share what bootstrap made, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from hawser.contract.checks.storage import weights_bucket
from hawser.contract.draft import Draft, Path, UnavailableError
from hawser.contract.problems import Problem

_SHARED: Final = "One bootstrap stack serves the account and region; each environment would change it for the other."
_OWN: Final = "Two environments with one name or one reservation take each other's nodes, roles and keys."


@dataclass(frozen=True, slots=True)
class _Shared:
    """What must be equal: where it stands, what it is, and how it is read."""

    path: Path
    what: str
    read: Callable[[Draft], object]


def _image(draft: Draft) -> str:
    override = ("overrides", "image", "name")
    return draft.text(*override) if draft.has(*override) else draft.text("image", "name")


def _ci(draft: Draft) -> object:
    return draft.plain("state", "ci") if draft.has("state", "ci") else None


_SHARES: Final = (
    _Shared(("state", "bucket"), "the state bucket", lambda draft: draft.text("state", "bucket")),
    _Shared(("state", "ci"), "the CI", _ci),
    _Shared(("weights_uri",), "the weights bucket", lambda draft: weights_bucket(draft.text("weights_uri"))),
    _Shared(("registry",), "the registry", lambda draft: draft.text("registry")),
    _Shared(("overrides", "image", "name"), "the image's name, which is that of its repository", _image),
)


def neighbour_problems(draft: Draft, others: Iterable[Draft]) -> Iterator[Problem]:
    """What collides with another environment. One whose own fields are malformed is left out: its own check tells.

    An emulator's world is none of AWS's, whatever account it plays.
    """
    with suppress(UnavailableError):
        place = _place(draft)
        for other in others:
            with suppress(UnavailableError):
                if _place(other) == place:
                    yield from _shared(draft, other)
                    yield from _own_name(draft, other)
                    if not draft.flag("emulator"):  # which knows no reservations
                        yield from _own_capacity(draft, other)


def _place(draft: Draft) -> tuple[str, str, bool]:
    return draft.text("account_id"), draft.text("region"), draft.flag("emulator")


def _shared(draft: Draft, other: Draft) -> Iterator[Problem]:
    for share in _SHARES:
        with suppress(UnavailableError):
            here, there = share.read(draft), share.read(other)
            if here != there:
                expected = f"{share.what} of {other.folder}, which is in the same account and region"
                fix = f"write the same as {other.environment_file}"
                yield replace(draft.problem(share.path, expected, fix), why=_SHARED)


def _own_name(draft: Draft, other: Draft) -> Iterator[Problem]:
    with suppress(UnavailableError):
        if draft.text(*draft.cluster_name) == other.text(*other.cluster_name):
            expected = f"another name than the cluster of {other.folder}, which is in the same account and region"
            yield replace(draft.problem(draft.cluster_name, expected, "choose another name"), why=_OWN)


def _own_capacity(draft: Draft, other: Draft) -> Iterator[Problem]:
    for field in ("reservation_id", "training_plan_arn"):
        taken = {value for pool in other.pools() if (value := _text(other, pool.name, field))}
        for pool in draft.pools():
            if _text(draft, pool.name, field) in taken:
                expected = f"a reservation that {other.folder} does not use"
                yield replace(pool.problem(field, expected, "give each environment its own"), why=_OWN)


def _text(draft: Draft, pool: str, field: str) -> str:
    with suppress(UnavailableError):
        return draft.text("capacity", pool, field)
    return ""
