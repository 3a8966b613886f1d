"""waivers.yaml: read strictly, compared without comments."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import get_args

import pytest

from hawser.contract import ContractError
from hawser.contract.schema import Stack
from hawser.contract.waivers import Waivers, load_waivers, waivers_bytes
from hawser.terraform.stacks import NAMED

GOOD = """\
waivers:
  - rule: HW-NET-001
    address: module.network.aws_subnet.node["usw2-az1"]
    owner: network-team@example.com
    reason: moved in January
    expires: "2027-01-31"
"""


def write(checkout: Path, text: str) -> None:
    (checkout / "environments/prod/waivers.yaml").write_text(text, encoding="utf-8")


def test_an_entry_keeps_its_line(checkout: Path) -> None:
    write(checkout, GOOD)
    (waiver,) = load_waivers(checkout, "prod").entries
    assert (waiver.rule, waiver.owner, waiver.expires) == ("HW-NET-001", "network-team@example.com", date(2027, 1, 31))
    assert str(waiver.place) == "environments/prod/waivers.yaml:2"


def test_none_is_fine(checkout: Path) -> None:
    write(checkout, "waivers: []\n")
    assert load_waivers(checkout, "prod") == Waivers()
    (checkout / "environments/prod/waivers.yaml").unlink()
    assert load_waivers(checkout, "prod") == Waivers()
    assert waivers_bytes(checkout, "prod") == b"[]"


def test_bytes_leave_out_comments(checkout: Path) -> None:
    write(checkout, GOOD)
    before = waivers_bytes(checkout, "prod")
    write(checkout, "# a comment\n" + GOOD)
    assert waivers_bytes(checkout, "prod") == before
    write(checkout, GOOD.replace("2027-01-31", "2027-02-01"))
    assert waivers_bytes(checkout, "prod") != before


@pytest.mark.parametrize(
    ("old", "new", "path", "expected"),
    [
        ("HW-NET-001", "network", "waivers.0.rule", "a rule id such as HW-CAP-001 or CKV_AWS_58"),
        ('["usw2-az1"]', "[*]", "waivers.0.address", "one exact address"),
        ("    owner: network-team@example.com\n", "", "waivers.0.owner", "this field"),
        ("network-team@example.com", "somebody", "waivers.0.owner", "an e-mail address"),
        ('"2027-01-31"', "2027-01-31", "waivers.0.expires", 'a day such as "2027-01-31"'),
        ("2027-01-31", "2027-02-31", "waivers.0.expires", "a day that exists"),
        ("    reason", "    why: x\n    reason", "waivers.0.why", "a name of the schema"),
        (
            "    reason",
            "    stack: network\n    reason",
            "waivers.0.stack",
            "one of bootstrap, platform, eks, hyperpod",
        ),
    ],
)
def test_mistakes_are_told_with_their_place(checkout: Path, old: str, new: str, path: str, expected: str) -> None:
    write(checkout, GOOD.replace(old, new))
    with pytest.raises(ContractError) as raised:
        load_waivers(checkout, "prod")
    assert [(p.path, p.expected) for p in raised.value.problems] == [(path, expected)]


def test_the_same_waiver_twice(checkout: Path) -> None:
    write(checkout, GOOD + GOOD.removeprefix("waivers:\n"))
    with pytest.raises(ContractError) as raised:
        load_waivers(checkout, "prod")
    assert [(p.path, p.place.line) for p in raised.value.problems] == [("waivers.1", 7)]


GLASS = (
    GOOD
    + """break_glass:
  by: carol@example.com
  reason: INC-7, the old subnets are on fire
  stack: platform
  rules: [HW-DEL-001]
  until: "2026-12-01T18:00:00Z"
"""
)


def test_broken_glass_is_read_with_its_line_and_compared(checkout: Path) -> None:
    write(checkout, GOOD)
    before = waivers_bytes(checkout, "prod")
    write(checkout, GLASS)
    glass = load_waivers(checkout, "prod").break_glass
    assert glass is not None
    assert (glass.by, glass.stack, glass.rules) == ("carol@example.com", "platform", ("HW-DEL-001",))
    assert str(glass.place) == "environments/prod/waivers.yaml:7"
    with_glass = waivers_bytes(checkout, "prod")
    write(checkout, GLASS.replace("T18", "T19"))
    assert len({before, with_glass, waivers_bytes(checkout, "prod")}) == 3


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("  by: carol@example.com\n", "", "break_glass.by"),
        ("carol@example.com", "carol", "break_glass.by"),
        ("T18", "T25", "break_glass.until"),
        ('"2026-12-01T18:00:00Z"', '"2026-12-01"', "break_glass.until"),
        ("[HW-DEL-001]", "[]", "break_glass.rules"),
        ("stack: platform", "stack: all", "break_glass.stack"),
    ],
)
def test_broken_glass_with_a_mistake_is_refused(checkout: Path, old: str, new: str, path: str) -> None:
    write(checkout, GLASS.replace(old, new))
    with pytest.raises(ContractError) as raised:
        load_waivers(checkout, "prod")
    assert [p.path for p in raised.value.problems] == [path]


def test_stacks_are_those_of_terraform() -> None:
    assert set(get_args(Stack)) == set(NAMED)


def test_two_on_one_line_are_two(checkout: Path) -> None:
    one = '{rule: HW-NET-001, address: a.b, owner: a@example.com, reason: r, expires: "2026-12-31"}'
    write(checkout, f"waivers: [{one}, {one}]\n")
    with pytest.raises(ContractError, match="for the same address again"):
        load_waivers(checkout, "prod")
