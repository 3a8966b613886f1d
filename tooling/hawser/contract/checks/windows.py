"""Start and end of reserved capacity."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from hawser.contract.checks.rule import pool_rule
from hawser.contract.draft import PoolDraft, parse_time
from hawser.contract.problems import Problem

#: Longest reservation in days, of either kind. AWS documentation on Capacity Blocks and training plans, 2026-10-04.
LONGEST_DAYS: Final = 182
#: Up to this many days a Capacity Block is sold by the day, above by the week. Same source.
_BY_THE_DAY: Final = 14
_FIELDS: Final = ("start", "end")


@pool_rule("Start and end are days that exist.", "They become the times at which nodes come and go.")
def times(pool: PoolDraft) -> Iterator[Problem]:
    """``start`` and ``end``."""
    for field in _FIELDS:
        if not pool.has(field):
            continue
        text = pool.text(field)
        try:
            parse_time(text)
        except ValueError:
            yield pool.problem(field, "a day and time that exist", "correct the date")


@pool_rule("A reservation starts before it ends.", "Its nodes would be ordered after they are gone.")
def order(pool: PoolDraft) -> Iterator[Problem]:
    """``start`` before ``end``."""
    if pool.time("start") >= pool.time("end"):
        yield pool.problem("end", f"a time after the start ({pool.text('start')})", "correct one of the two times")


@pool_rule(
    "A reservation has a length that AWS sells.", "With wrong times nodes are scaled down too early, or killed at work."
)
def length(pool: PoolDraft) -> Iterator[Problem]:
    """Started days between ``start`` and ``end``: a block that starts at once still ends at 11:30 UTC."""
    kind = pool.text("kind")
    seconds = (pool.time("end") - pool.time("start")).total_seconds()
    days = math.ceil(seconds / 86_400)
    if days < 1 or kind not in {"capacity-block", "training-plan"}:
        return
    by_the_week = kind == "capacity-block" and days > _BY_THE_DAY
    if days > LONGEST_DAYS or (by_the_week and days % 7):
        expected = f"1 to {LONGEST_DAYS} days"
        if kind == "capacity-block":
            expected = f"1 to {_BY_THE_DAY} days, or whole weeks up to {LONGEST_DAYS} days"
        yield pool.problem(
            "end", expected, "take start and end from the reservation", found=f"{days} days after the start"
        )
