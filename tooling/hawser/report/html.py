"""The review as one page: it can be searched and filtered, works without a network, and says the same without script.

The page holds its style and its script, and a policy that lets nothing else run or load. Every text in it has passed
the redactor and is escaped by the template; what is left is searched for secrets once more, but for style, script and
policy: they are files of the package, and a secret that is a word of theirs would break the page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import jinja2
from markupsafe import Markup

from hawser.decision.decide import Decision
from hawser.policy.findings import Finding, PoolCapacity
from hawser.policy.registry import all_rules
from hawser.report.changes import ACTIONS, every_change
from hawser.report.content import Content, Group
from hawser.report.phrases import code_spans, gpus, total, waiver_line, widest
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.report.since import differences, title, whose

_PAGE: Final = files("hawser.report") / "page"
_TONES: Final = {
    Decision.ALLOW: "good",
    Decision.NEEDS_APPROVAL: "ask",
    Decision.DENY: "bad",
    Decision.CANNOT_JUDGE: "odd",
}
#: Objects of one list that are open to be read without a click; longer lists are folded.
_OPEN: Final = 30


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the picture of capacity: ``width`` in percent of the widest, ``number`` as it is said."""

    when: str
    width: float
    number: str
    lost: bool


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool (or all of them together) in the picture of capacity."""

    name: str
    type: str
    note: str
    bars: tuple[Bar, ...]


def html(review: Review, content: Content, redactor: Redactor) -> str:
    """The review as one HTML document in UTF-8."""
    style, script = (_read(name) for name in ("review.css", "review.js"))
    policy = _policy(style, script)
    changes = every_change(review, redactor)
    page = _template().render(
        content=content,
        tone=_TONES[content.decision],
        style=style,
        script=script,
        policy=policy,
        findings=_findings(content),
        changes=changes,
        actions=[(action, n) for action in ACTIONS if (n := sum(1 for c in changes if c.action == action))],
        fold=len(changes) > _OPEN,
        pools=_pools(content.pools, review.gpus_needed),
        needed=review.gpus_needed,
        mark=_mark(content.pools, review.gpus_needed),
        area=_area(),
        waiver_line=waiver_line,
        code_spans=code_spans,
        widest=widest,
        since_title=title(content.since) if content.since else "",
        since=[whose(content.since), *differences(content.since)] if content.since else [],
    )
    return _searched(page, (policy, style, script), redactor)


def _searched(page: str, fixed: tuple[str, ...], redactor: Redactor) -> str:
    """The page without secrets that still stand in it outside of its fixed parts."""
    if not fixed:
        return redactor.last_scan(page)
    return fixed[0].join(_searched(part, fixed[1:], redactor) for part in page.split(fixed[0]))


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_harmless,
    )
    return environment.from_string(_read("review.html.j2"))


def _harmless(value: object) -> object:
    """A value in which the runner that shows a log finds no command: ``##[…]`` anywhere, ``::…::`` in front."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    start, rest = (Markup("&#58;"), value[1:]) if value.startswith("::") else (Markup(), value)
    return start + Markup("#&#35;").join(rest.split("##"))


def _read(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    """The hash by which the page's own policy knows its style and its script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _area() -> Callable[[Finding | Group], str]:
    """The area of a finding: that of its rule, or the library that it is from."""
    areas = {rule.meta.id: rule.meta.area for rule in all_rules()}
    return lambda found: areas.get(found.rule_id, found.source)


def _findings(content: Content) -> list[tuple[str, str, str, tuple[Finding, ...]]]:
    """(title, tone, level for the filter, findings) of each kind that decides, the worst first."""
    return [
        found
        for found in (
            ("Cannot be judged", "odd", "cannot-judge", content.errors),
            ("Blocking", "bad", "block", content.blocking),
            ("To approve", "ask", "approval", content.approving),
            ("Unknown before apply: look here afterwards", "ask", "unknown", content.undecidable),
        )
        if found[3]
    ]


def _pools(pools: Iterable[PoolCapacity], needed: int) -> list[Pool]:
    """The picture of capacity: each pool before, during and after the apply, and all of them together."""
    known = sorted(pools, key=lambda pool: (pool.pool, pool.address))
    widest_pool = _widest(known, needed)
    found = [_pool(p.pool, p.instance_type, p.note, (p.before, p.during, p.after), widest_pool) for p in known]
    if len(known) > 1:
        found.append(_all(known, widest_pool))
    return found


def _widest(pools: list[PoolCapacity], needed: int) -> int:
    sums = [_sum(pools, when) for when in ("before", "during", "after")] if len(pools) > 1 else []
    return max([1, needed, *sums, *(number or 0 for p in pools for number in (p.before, p.during, p.after))])


def _sum(pools: Iterable[PoolCapacity], when: str) -> int:
    return sum(getattr(pool, when) or 0 for pool in pools)


def _pool(name: str, type_: str, note: str, numbers: tuple[int | None, int | None, int | None], most: int) -> Pool:
    before = numbers[0] or 0
    bars = tuple(
        Bar(when, round(100 * (number or 0) / most, 2), gpus(number), (number or 0) < before)
        for when, number in zip(("before", "during", "after"), numbers, strict=True)
    )
    return Pool(name, type_, note, bars)


def _all(pools: list[PoolCapacity], most: int) -> Pool:
    before = _sum(pools, "before")
    bars = []
    for when in ("before", "during", "after"):
        number = _sum(pools, when)
        said = total(getattr(pool, when) for pool in pools)
        bars.append(Bar(when, round(100 * number / most, 2), said, number < before))
    return Pool("all pools", "", "", tuple(bars))


def _mark(pools: Iterable[PoolCapacity], needed: int) -> float | None:
    """Where in the picture (percent) the accelerators stand that the contract's replicas need."""
    known = list(pools)
    return round(100 * needed / _widest(known, needed), 2) if known and needed else None
