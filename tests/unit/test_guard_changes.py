"""What a pull request does to the guards of an environment is told in sentences, what lets more through first."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from hawser.contract import load_deployment
from hawser.contract.deployment import Guardrails, Place
from hawser.contract.waivers import BreakGlass, Waiver, Waivers
from hawser.decision.guard_changes import Guards, guard_changes

ROOT = Path(__file__).parents[2]
RAILS = load_deployment(ROOT, "prod").environment.guardrails
WAIVER = Waiver("HW-IAM-001", "aws_x.a", "a@example.com", "why", date(2027, 1, 1), Place("w", 1), "eks")
NONE = Waivers()
UNTIL = datetime(2026, 12, 1, 18, tzinfo=UTC)
GLASS = BreakGlass("carol@example.com", "INC-7", "eks", ("HW-CAP-001",), UNTIL, Place("w", 2))


def said(
    then: Waivers = NONE, now: Waivers = NONE, before: Guardrails = RAILS, after: Guardrails = RAILS
) -> list[tuple[str, bool]]:
    return [(change.text, change.looser) for change in guard_changes(Guards(before, then), Guards(after, now))]


def test_nothing_changed_is_nothing_said() -> None:
    moved = replace(WAIVER, place=Place("w", 9))
    assert said(Waivers((WAIVER,), GLASS), Waivers((moved,), replace(GLASS, place=Place("w", 1)))) == []


def test_waivers() -> None:
    other = replace(WAIVER, address="aws_x.b")
    assert said(now=Waivers((WAIVER,))) == [
        ("a waiver is added: HW-IAM-001 at aws_x.a in eks until 2027-01-01, a@example.com: why", True)
    ]
    assert said(Waivers((WAIVER,)), Waivers((other,))) == [
        ("a waiver is added: HW-IAM-001 at aws_x.b in eks until 2027-01-01, a@example.com: why", True),
        ("a waiver is taken out: HW-IAM-001 at aws_x.a in eks", False),
    ]
    for day, looser in ((date(2027, 2, 1), True), (date(2026, 12, 24), False)):
        text = f"the waiver of HW-IAM-001 at aws_x.a in eks changes: its last day, 2027-01-01 → {day}, reason"
        assert said(Waivers((WAIVER,)), Waivers((replace(WAIVER, expires=day, reason="other"),))) == [(text, looser)]


def test_broken_glass_comes_first() -> None:
    found = said(now=Waivers((WAIVER,), GLASS))
    assert found[0] == (
        "glass is broken: carol@example.com for HW-CAP-001 in eks until 2026-12-01T18:00Z: INC-7",
        True,
    )
    assert len(said(Waivers((), GLASS), Waivers((), replace(GLASS, rules=("HW-DEL-001",))))) == 1
    assert [looser for _, looser in said(Waivers((), GLASS), Waivers())] == [False]


@pytest.mark.parametrize(
    ("field", "value", "looser"),
    [
        ("approvals", RAILS.approvals - 1, True),
        ("approvals", RAILS.approvals + 1, False),
        ("approval_age_hours", RAILS.approval_age_hours + 1, True),
        ("approval_age_hours", 1, False),
        ("monthly_budget_usd", RAILS.monthly_budget_usd + 1, True),
        ("monthly_budget_usd", 1, False),
        ("destroy", "advisory", True),
    ],
)
def test_guardrails(field: str, value: object, looser: bool) -> None:
    ((text, found),) = said(after=replace(RAILS, **{field: value}))
    assert text == f"guardrails.{field} changes: {getattr(RAILS, field)} → {value}"
    assert found is looser


def test_no_field_of_the_guardrails_is_forgotten() -> None:
    others = {f.name for f in fields(Guardrails)} - {"levels", "destroy"}  # which have tests of their own
    silent = {name for name in others if said(after=replace(RAILS, **{name: object()})) == []}
    assert silent == set()


def test_values_are_shown_as_a_person_writes_them() -> None:
    bare = replace(RAILS, approval_key=None, alarm_emails=())
    more = replace(RAILS, approval_key="ab", alarm_emails=("a@example.com", "b@example.com"))
    assert said(before=bare, after=more) == [
        ("guardrails.approval_key changes: (none) → ab", True),
        ("guardrails.alarm_emails changes: (none) → a@example.com, b@example.com", True),
    ]


def test_levels() -> None:
    before = replace(RAILS, levels={"HW-DEL-002": "block", "CKV_AWS_58": "approval"})
    after = replace(RAILS, levels={"HW-DEL-002": "advisory", "CKV_AWS_58": "block", "HW-NET-001": "block"})
    assert said(before=before, after=after) == [
        ("guardrails.levels.HW-DEL-002 changes: block → advisory", True),
        ("guardrails.levels.HW-NET-001 changes: its own → block", True),
        ("guardrails.levels.CKV_AWS_58 changes: approval → block", False),
    ]


def test_a_new_environment_has_only_waivers_to_tell() -> None:
    found = guard_changes(Guards(None, Waivers()), Guards(RAILS, Waivers((WAIVER,))))
    assert [change.looser for change in found] == [True]
