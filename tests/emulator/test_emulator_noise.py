"""The list of what the emulator gets wrong: well formed, and never wider than it says."""

from __future__ import annotations

import pytest

from hawser.emulator.noise import NoiseEntry, load_noise, parse_noise
from hawser.errors import HawserError

ENTRY = NoiseEntry("aws_x", ("update", "replace"), ("version", "template[*].version", "tags"), "It forgets.")


def test_the_list_is_well_formed() -> None:
    for entry in load_noise():
        assert entry.resource_type.startswith("aws_")
        assert entry.why.endswith(".")
        assert "*" not in entry.attributes  # nothing is explained wholesale


@pytest.mark.parametrize(
    ("actions", "paths", "expected"),
    [
        (("update",), ["version"], True),
        (("update",), ["version", "template[0].version"], True),
        (("update",), ['tags["a.b"]', "tags.c"], True),
        (("delete", "create"), ["version"], True),
        (("create", "delete"), ["version"], True),
        (("update",), ["version", "policy"], False),
        (("update",), ["template[0].name"], False),
        (("update",), ["template"], False),
        (("update",), ["version_description"], False),
        (("update",), [], False),
        (("delete",), ["version"], False),
        (("no-op",), ["version"], False),
        (("delete", "create"), [], False),
    ],
)
def test_it_explains_a_change_only_as_a_whole(actions: tuple[str, ...], paths: list[str], expected: bool) -> None:
    assert ENTRY.matches("aws_x", actions, iter(paths)) is expected
    assert not ENTRY.matches("aws_y", actions, paths)


def test_a_creation_has_no_changed_paths() -> None:
    entry = NoiseEntry("aws_x", ("create",), ("arn",), "It forgets.")
    assert entry.matches("aws_x", ("create",), [])
    assert not entry.matches("aws_x", ("create",), ["name"])


GOOD = "- {resource_type: aws_x, actions: [update], attributes: [a], why: It forgets.}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1", "must be a list"),
        ("- [", "is not YAML"),
        ("- 1", "entry 1 must be a mapping"),
        (GOOD + "- {resource_type: aws_x, actions: [update], attributes: [a]}", "entry 2 .*missing keys: why"),
        (GOOD.replace("why:", "wy: x, why:"), "unknown or missing keys: wy"),
        (GOOD.replace("[update]", "[]"), "actions must be a list"),
        (GOOD.replace("[update]", "update"), "actions must be a list"),
        (GOOD.replace("[update]", "[touch]"), "'touch' is not one of"),
        (GOOD.replace("[a]", "[1]"), "attributes must be a list of texts"),
        (GOOD.replace("It forgets.", '""'), "why must be a text"),
        (GOOD + GOOD, "entry 2 is there twice"),
    ],
)
def test_a_list_that_is_not_well_formed_is_refused(text: str, message: str) -> None:
    with pytest.raises(HawserError, match=message):
        parse_noise(text)


def test_an_empty_list_is_a_list() -> None:
    assert parse_noise("# nothing\n") == ()
    assert parse_noise("[]") == ()
