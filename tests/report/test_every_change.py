"""Each object of a plan, for a page that lists them all: actions in their order, what changes, why."""

from __future__ import annotations

from report_samples import CANARY, sample_plan, sample_review

from hawser.report.changes import ACTIONS, Changed, every_change
from hawser.report.redact import Redactor


def changes_of(name: str) -> tuple[Changed, ...]:
    plan = sample_plan(name)
    return every_change(sample_review(plan), Redactor.of(plan.document))


def test_the_worst_comes_first_and_nothing_is_left_out() -> None:
    changes = changes_of("mixed")
    order = [ACTIONS.index(change.action) for change in changes]
    assert order == sorted(order)
    counts = sample_plan("mixed").counts()
    by_action = {action: sum(1 for c in changes if c.action == action) for action in ACTIONS}
    assert (by_action["destroy"], by_action["replace"], by_action["update"], by_action["create"]) == (
        counts["delete"], counts["replace"], counts["update"], counts["create"],
    )  # fmt: skip


def test_a_replacement_says_what_forces_it_and_shows_that_first() -> None:
    (replaced,) = [change for change in changes_of("mixed") if change.action == "replace"]
    assert replaced.why == "old one first; forced by instance_types"
    assert replaced.shifts[0].path == "instance_types[0]"
    assert (replaced.shifts[0].before, replaced.shifts[0].after) == ('"p5en.48xlarge"', '"p6-b300.48xlarge"')


def test_a_new_object_shows_what_it_is_given_and_hides_what_is_secret() -> None:
    created = [change for change in changes_of("mixed") if change.action == "create"]
    shown = [shift for change in created for shift in change.shifts]
    assert shown
    assert all(shift.before == "" and shift.after not in ("null", '""', "[]", "{}", "") for shift in shown)
    assert CANARY not in repr(created)
