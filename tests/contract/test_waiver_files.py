"""waivers.yaml: read strictly, compared without comments."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from hawser.contract import ContractError
from hawser.contract.waivers import load_waivers, waivers_bytes

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
    (waiver,) = load_waivers(checkout, "prod")
    assert (waiver.rule, waiver.owner, waiver.expires) == ("HW-NET-001", "network-team@example.com", date(2027, 1, 31))
    assert str(waiver.place) == "environments/prod/waivers.yaml:2"


def test_none_is_fine(checkout: Path) -> None:
    assert load_waivers(checkout, "prod") == ()
    (checkout / "environments/prod/waivers.yaml").unlink()
    assert load_waivers(checkout, "prod") == ()
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
