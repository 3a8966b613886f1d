"""All environments that a pull request touches in one comment: one verdict, the worst first, never too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hawser.decision.decide import Decision
from hawser.errors import WORST_FIRST, Exit, HawserError, worst
from hawser.report.content import DECISIONS, content
from hawser.report.markdown import COMMENT, MARKS, Place, code, markdown, prose
from hawser.report.redact import Redactor
from hawser.report.review import Review

#: The line by which a workflow finds the comment again, to update it in place.
MARKER: Final = "<!-- hawser:pull-request -->"
#: Bytes that the review of one stack needs at least: its verdict, counts, and the worst findings.
_LEAST: Final = 4_000
#: Bytes of a review that is not shortened: more than any plan needs.
_WHOLE: Final = 1 << 30
#: Rows of a list before the reviews; the rest is told as a number.
_ROWS: Final = 40
#: Characters of one entry of such a list.
_LONGEST: Final = 240


@dataclass(frozen=True, slots=True)
class Planned:
    """One environment: why it was planned, the reviews of its stacks, and what stopped it, if anything did."""

    environment: str
    why: tuple[str, ...]
    reviews: tuple[Review, ...]
    failure: HawserError | None = None

    @property
    def exit_code(self) -> Exit:
        """The worst of its stacks and of what stopped it."""
        codes = [review.decision.exit_code for review in self.reviews]
        return worst([*codes, self.failure.exit_code] if self.failure else codes)

    @property
    def decision(self) -> Decision | None:
        """The worst decision of its stacks; ``None`` when there is none, because it failed."""
        return None if self.failure else _worst_decision(self.reviews)


@dataclass(frozen=True, slots=True)
class PullRequest:
    """What a pull request does. ``base`` and ``head`` are commits (hex); the rest as in ``Impact``."""

    base: str
    head: str
    planned: tuple[Planned, ...]
    unaffected: tuple[str, ...]
    removed: tuple[str, ...]
    guarded: tuple[str, ...]

    @property
    def exit_code(self) -> Exit:
        """The worst of all environments, in the order of the exit codes."""
        return worst([one.exit_code for one in self.planned])

    @property
    def needs_approval(self) -> bool:
        """Whether somebody must approve something: a plan, or a change of what protects the environments."""
        reviews = [review for one in self.planned for review in one.reviews]
        return bool(self.guarded) or any(review.decision is Decision.NEEDS_APPROVAL for review in reviews)

    @property
    def verdict(self) -> str:
        """The combined verdict in words."""
        if any(one.failure for one in self.planned) and self.exit_code not in (Exit.DENIED, Exit.CANNOT_JUDGE):
            return "FAILED"
        if self.exit_code is Exit.CANNOT_JUDGE:
            return DECISIONS[Decision.CANNOT_JUDGE]
        if self.exit_code is Exit.DENIED:
            return DECISIONS[Decision.DENY]
        if self.needs_approval:
            return DECISIONS[Decision.NEEDS_APPROVAL]
        return DECISIONS[Decision.ALLOW] if self.planned else "NOTHING TO PLAN"


def pull_request_comment(pull: PullRequest, place: Place = COMMENT) -> str:
    """The comment as GitHub markdown that fits into its place; its first line is ``MARKER``.

    Raises ``CannotJudgeError`` when a plan cannot be searched for secrets.
    """
    top = _top(pull)
    ranked = sorted((r for one in pull.planned for r in one.reviews), key=_badness)
    redactors = [Redactor.of(review.plan.document) for review in ranked]
    for redactor in redactors:
        top = redactor.last_scan(top)
    room = place.bytes - _size(top) - 1_000  # for the sentence about what was cut
    shown = min(len(ranked), max(room, 0) // _LEAST)
    whole = [_review(r, by, place, _WHOLE) for r, by in zip(ranked[:shown], redactors, strict=False)]
    shares = _shares([_size(text) for text in whole], room)
    texts, cut = [], len(ranked) - shown
    for review, redactor, text, share in zip(ranked, redactors, whole, shares, strict=False):
        fits = _size(text) <= share
        cut += not fits
        texts.append(text if fits else _review(review, redactor, place, share - 2))
    lines = [MARKER]
    if cut:
        lines.append(
            f"> **Cut:** {cut} of {len(ranked)} reviews do not fit in here whole; the report files have them.\n"
        )
    return "\n".join([*lines, top, *texts]).rstrip("\n") + "\n"


def _top(pull: PullRequest) -> str:
    mark = {DECISIONS[decision]: sign for decision, sign in MARKS.items()}.get(pull.verdict, "")
    if pull.verdict == "FAILED":
        mark = "❌"
    lines = [
        f"## {mark} {pull.verdict}: pull request".replace("  ", " "),
        "",
        f"{_counted(pull)} · {code(pull.base[:12])} → {code(pull.head[:12])}",
        "",
    ]
    if pull.guarded:
        lines += [f"### 🟡 Changes what protects the environments: needs approval ({len(pull.guarded)})"]
        lines += _list(f"- {prose(_short(text))}" for text in pull.guarded)
    if pull.removed:
        lines += [f"### Environments removed ({len(pull.removed)})"]
        lines += _list(f"- {code(name)}: what it made stays; destroy it before this is merged" for name in pull.removed)
    failed = [one for one in pull.planned if one.failure]
    if failed:
        lines += [f"### ❌ Could not be planned ({len(failed)})"]
        lines += _list(
            f"- {code(one.environment)}: {prose(_short(one.failure.message))} {prose(_short(one.failure.fix))}".rstrip()
            for one in failed
            if one.failure
        )
    if pull.planned:
        rows = sorted(pull.planned, key=lambda one: (WORST_FIRST.index(one.exit_code), one.environment))
        table = [_row(one) for one in rows]
        lines += ["| environment | verdict | asked | why it was planned |", "|---|---|---|---|", *_list(table)]
    return "\n".join(lines)


def _row(one: Planned) -> str:
    if one.failure:
        verdict = "❌ FAILED"
    else:
        decision = one.decision or Decision.ALLOW
        verdict = f"{MARKS[decision]} {DECISIONS[decision]}"
    stacks = ", ".join(f"{r.stack}{' (to read only)' if r.speculative else ''}" for r in one.reviews) or "nothing"
    return f"| {code(one.environment, cell=True)} | {verdict} | {prose(stacks)} | {prose(_short(', '.join(one.why)))} |"


def _counted(pull: PullRequest) -> str:
    number = len(pull.planned)
    text = f"**{number} environment{'' if number == 1 else 's'} affected**"
    if pull.unaffected:
        text += f", not affected: {prose(_short(', '.join(pull.unaffected)))}"
    return text


def _list(items: Iterable[str]) -> list[str]:
    rows = list(items)
    more = len(rows) - _ROWS
    kept = rows[:_ROWS]
    if more > 0:
        kept.append(f"- and {more} more" if kept[0].startswith("-") else f"| and {more} more | | | |")
    return [*kept, ""]


def _short(text: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def _review(review: Review, redactor: Redactor, place: Place, size: int) -> str:
    return redactor.last_scan(markdown(content(review, redactor), replace(place, bytes=size)))


def _badness(review: Review) -> tuple[int, str, str]:
    order = (Decision.CANNOT_JUDGE, Decision.DENY, Decision.NEEDS_APPROVAL, Decision.ALLOW)
    return order.index(review.decision), review.environment, review.stack


def _worst_decision(reviews: Sequence[Review]) -> Decision | None:
    return min(reviews, key=_badness).decision if reviews else None


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """How many bytes each text gets: all it needs, or an equal part of what the smaller ones leave."""
    shares = [0] * len(sizes)
    waiting = sorted(range(len(sizes)), key=lambda index: sizes[index])
    for done, index in enumerate(waiting):
        equal = room // (len(waiting) - done)
        shares[index] = min(sizes[index] + 1, equal)
        room -= shares[index]
    return shares


def _size(text: str) -> int:
    return len(text.encode()) + 1
