"""The review as one comment of a pull request: verdict on top, the worst first, details folded, never too long.

GitHub refuses a comment of more than 65,536 characters (then nothing is posted at all), so there is a budget, and what
does not fit is told as a number on top.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from hawser.decision.decide import Decision
from hawser.policy.findings import Finding, PoolCapacity
from hawser.policy.roles import Role
from hawser.report.access import Access
from hawser.report.change_reader import Shift
from hawser.report.content import Content, Group
from hawser.report.phrases import code_spans, gpus, total, used_by, waiver_line
from hawser.report.since import differences, title, whose


@dataclass(frozen=True, slots=True)
class Place:
    """Where the markdown is shown: bytes that fit there, and how many places and attributes of one entry are listed."""

    name: str
    bytes: int
    places: int
    attributes: int


#: A comment: GitHub takes 65,536 characters (2026-11-30), with room for what a workflow adds to it.
COMMENT: Final = Place("this comment", 60_000, places=10, attributes=20)
#: The summary of a job: GitHub takes 1 MiB of each step (2026-12-01), with room for what a workflow adds to it.
SUMMARY: Final = Place("this summary", 1_000_000, places=200, attributes=200)
#: Bytes that stay free for the end of the comment: the next commands.
_TAIL: Final = 2_000

#: One sign for each decision.
MARKS: Final = {
    Decision.ALLOW: "✅",
    Decision.NEEDS_APPROVAL: "🟡",
    Decision.DENY: "⛔",
    Decision.CANNOT_JUDGE: "❓",
}
_MARKUP: Final = re.compile(
    r"([\\`*\[\]<>&|~$])"  # emphasis, links, HTML, tables, mathematics
    r"|(?<![A-Za-z0-9])(_)|(_)(?![A-Za-z0-9])"  # emphasis; inside a word it is a letter
    r"|(:)(?=[a-z0-9_+-]+:)"  # the short names of pictures: a message must not show a green tick
    r"|^([-+#>=:]|\d+(?=[.)]))"  # what makes a list, a heading or a quotation of a line
)
# What GitHub makes a link of, or notifies somebody about, although it is plain text. A space of no width stops that.
_LINKED: Final = re.compile(
    r"@(?=[A-Za-z0-9])|#(?=\d)|\bgh-(?=\d)|(?:https?|ftp)(?=:)|www(?=\.)"
    r"|(?<![A-Za-z0-9])(?P<commit>(?!\d+(?![A-Za-z0-9]))[0-9a-f]{7,40})(?![A-Za-z0-9])",  # not a mere number
    re.IGNORECASE,
)
_NO_WIDTH: Final = "&#8203;"
# `##[command]` is executed anywhere in a line by the runner that shows a log.
_COMMAND: Final = re.compile(r"##(?=\[|vso\[)")


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    items: Sequence[str]
    folded: bool = False
    head: Sequence[str] = field(default=())


def markdown(content: Content, place: Place) -> str:
    """The review as GitHub markdown that fits into its place; the first line is the marker that finds the comment."""
    top, tail = _top(content), _next(content.next_commands)
    note = (
        f"> **Cut:** {{}} entries did not fit into {place.name}; `report.json` has them all. The figures above count"
        " the whole plan."
    )
    room = place.bytes - _size(top) - min(_size(tail), _TAIL) - len(note) - 20
    sections = [section for section in _sections(content, place) if section.items]
    body, left_out = _fitted(sections, room, share=1)
    if left_out:  # then no section may take the room of all that follow it
        body, left_out = _fitted(sections, room, share=2)
    cut = [note.format(left_out), ""] if left_out else []
    lines = [*top, *cut, *body, *(tail if _size(tail) <= _TAIL else ())]
    text = "\n".join(lines).rstrip("\n") + "\n"
    return _COMMAND.sub("# #", text)


def _sections(content: Content, place: Place) -> Iterator[_Section]:
    if content.since:
        lines = [f"- {code(line)}" for line in differences(content.since)]
        yield _Section(title(content.since), [f"- {prose(whose(content.since))}", *lines])
    yield _Section("❓ Cannot be judged", [_finding(f) for f in content.errors])
    yield _Section("⛔ Blocking", [_finding(f) for f in content.blocking])
    yield _Section("🟡 To approve", [_finding(f) for f in content.approving])
    yield _Section("Unknown before apply: look here afterwards", [_finding(f) for f in content.undecidable])
    yield _Section("Goes away", [_gone(content, index) for index in range(len(content.gone))])
    yield _Section("GPUs", _pool_rows(content.pools), head=_POOL_HEAD)
    yield from _access("Who can do more, who less", content.privileges)
    yield from _access("What opens, what closes", content.exposure)
    yield _Section("Overrides of the contract", [f"- {_shift(shift)}" for shift in content.overrides])
    yield _Section("Drift: changed outside of Terraform", [f"- {code(address)}" for address in content.drift])
    yield _Section("Failing check blocks", [f"- {prose(check)}" for check in content.failed_checks])
    yield _Section("Changes", list(_changes(content, place)), folded=True)
    yield _Section("Roles: who takes them, what they may do", [_role(role) for role in content.roles], folded=True)
    yield _Section("Moved", [f"- {code(old)} → {code(new)}" for old, new in content.moved], folded=True)
    yield _Section("Imported", [f"- {code(address)}" for address in content.imported], folded=True)
    yield _Section("Waivers in use", [_waived(finding) for finding in content.waived])
    yield _Section("Advisory", [_group(group, place) for group in content.advisory], folded=True)
    yield _Section("Not touched by this plan", [_group(group, place) for group in content.unchanged], folded=True)
    yield _Section("Emulator noise", [_noise(finding) for finding in content.noise], folded=True)
    yield _Section("Checked", [f"- {prose(line)}" for line in (*content.notes, *content.checked)], folded=True)


# -- writing ---------------------------------------------------------------------------------------------------------


def code(text: str, *, cell: bool = False) -> str:
    """The text as a code span: nothing in it is markup, a mention, a reference or a link."""
    if not text:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    if cell:
        text = text.replace("|", "\\|")
    return f"{fence}{pad}{text}{pad}{fence}"


def prose(text: str) -> str:
    """The text as itself: no markup, no HTML, and nothing that GitHub would link or notify somebody about."""
    text = _MARKUP.sub(_escaped, text.strip())
    return _LINKED.sub(_unlinked, text)


def _unlinked(match: re.Match[str]) -> str:
    if match["commit"] is None:
        return match[0] + _NO_WIDTH
    return _NO_WIDTH.join(re.findall(".{1,6}", match[0]))  # a commit is linked from seven figures on


def _escaped(match: re.Match[str]) -> str:
    found = match[0]
    return f"{found}\\" if found.isdigit() else f"\\{found}"  # `1.` becomes `1\.`


def _top(content: Content) -> list[str]:
    place = re.sub(r"[^A-Za-z0-9._/-]|--+", "-", "/".join(content.name))
    facts = [*(code(part) for part in content.place), *(code(part) for part in content.identity)]
    return [
        f"<!-- hawser:review:{place} -->",  # by this line the comment is found again and updated in place
        f"## {MARKS[content.decision]} {content.verdict}: {prose(' / '.join(content.name))}",
        "",
        f"**{_with_code(content.asks.strip())}**" if content.asks.strip() else "",
        "",
        *(f"> **{prose(banner)}**  " for banner in content.banners),
        *([""] if content.banners else []),
        f"**{prose(content.counts)}**  ",
        *([f"**{prose(content.gpus)}**  "] if content.gpus else []),
        f"{prose(content.tally)}  ",
        " · ".join(facts),
        "",
    ]


def _with_code(text: str) -> str:
    """Prose in which what stands between backticks stays code."""
    parts = code_spans(text)
    if len(parts) == 1:
        return prose(text)
    return "".join(code(part) if index % 2 else _kept_spaces(part) for index, part in enumerate(parts))


def _kept_spaces(text: str) -> str:
    """Prose with the spaces around it, which separate it from what stands beside."""
    words = text.strip()
    return text.replace(words, prose(words), 1) if words else text


def _next(commands: Sequence[str]) -> list[str]:
    if not commands:
        return []
    longest = max((len(run) for command in commands for run in re.findall(r"`+", command)), default=0)
    fence = "`" * max(3, longest + 1)
    shown = (f"· {command}" if command.startswith("::") else command for command in commands)
    return ["### Next", f"{fence}sh", *shown, fence]


def _finding(finding: Finding) -> str:
    where = code(finding.address) if finding.address else "the plan as a whole"
    lines = [f"- **{code(finding.rule_id)}** {where} {code(finding.path)}".rstrip() + f" ({finding.severity.value})  "]
    lines.append(f"  {prose(finding.message)}  ")
    if finding.before is not None or finding.after is not None:
        lines.append(f"  {code(finding.before or '(none)')} → {code(finding.after or '(none)')}  ")
    if finding.fix:
        lines.append(f"  Fix: {prose(finding.fix)}  ")
    if finding.origin:
        lines.append(f"  From: {code(finding.origin)}")
    return "\n".join(lines).rstrip()


def _gone(content: Content, index: int) -> str:
    one = content.gone[index]
    lines = [f"- **{one.verb}** {code(one.address)}  "]
    lines += [f"  forces replacement: {_shift(shift)}  " for shift in one.because_of]
    if one.why:
        lines.append(f"  {prose(one.why)}  ")
    if one.used_by:
        lines.append(f"  {prose(used_by(one))}")
    return "\n".join(lines).rstrip()


_POOL_HEAD: Final = ("| pool | type | before | during | after | |", "|---|---|---:|---:|---:|---|")


def _pool_rows(pools: Sequence[PoolCapacity]) -> list[str]:
    rows = [
        (
            code(p.pool, cell=True),
            code(p.instance_type, cell=True),
            gpus(p.before),
            gpus(p.during),
            gpus(p.after),
            p.note,
        )
        for p in sorted(pools, key=lambda p: (p.pool, p.address))
    ]
    if len(pools) > 1:
        before, during, after = ([getattr(pool, when) for pool in pools] for when in ("before", "during", "after"))
        rows.append(("**all pools**", "", total(before), total(during), total(after), ""))
    return [f"| {' | '.join(row[:5])} | {prose(row[5])} |" for row in rows]


def _access(title: str, access: Access) -> Iterator[_Section]:
    """What grows stands open; if nothing does, all of it is folded."""
    items = []
    for line in access.lines:
        alarms = f" **[{', '.join(map(prose, line.alarms))}]**" if line.alarms else ""
        where = f"  \n  {code(line.where)}" if line.where else ""
        items.append(f"- **{line.verb}** {code(line.what)}{alarms}{where}")
    items += [f"- {prose(sentence)}" for sentence in access.folded]
    yield _Section(title, items, folded=not any(line.loud for line in access.lines))


def _changes(content: Content, place: Place) -> Iterator[str]:
    for updated in content.updated:
        shown = ", ".join(code(address) for address in updated.addresses[: place.places])
        more = f" and {len(updated.addresses) - place.places} more" if len(updated.addresses) > place.places else ""
        lines = [f"- update {shown}{more}  "]
        shifts = [f"  {_shift(shift)}  " for shift in updated.shifts[: place.attributes]]
        lines += shifts or ["  no value changes, only marks"]
        if len(updated.shifts) > place.attributes:
            lines.append(f"  and {len(updated.shifts) - place.attributes} more attributes")
        yield "\n".join(lines).rstrip()
    for created in content.created:
        types = ", ".join(f"{code(type_)} × {number}" for type_, number in created.types)
        yield f"- create in {code(created.module) if created.module else 'the root module'}: {types}"
    for shift in content.outputs:
        yield f"- output {_shift(shift)}"


def _role(role: Role) -> str:
    lines = [f"- **{prose(role.action)}** {code(role.address)} {code(role.name)}".replace("  ", " ")]
    lines += [f"  - taken by {code(text)}" for text in role.trusted]
    lines += [f"  - may {code(text)}" for text in role.allowed]
    lines += [f"  - denied {code(text)}" for text in role.denied]
    if role.managed:
        lines.append(f"  - policies {', '.join(code(name) for name in role.managed)}")
    if role.boundary:
        lines.append(f"  - boundary {code(role.boundary)}")
    lines += [f"  - not seen: {code(text)}" for text in role.unseen]
    return "\n".join(lines)


def _group(group: Group, place: Place) -> str:
    shown = ", ".join(code(place) for place in group.places[: place.places // 2])
    more = f" and {len(group.places) - place.places // 2} more" if len(group.places) > place.places // 2 else ""
    return f"- **{code(group.rule_id)}** × {len(group.places)} {prose(group.title)}  \n  {shown}{more}"


def _waived(finding: Finding) -> str:
    reason = finding.waiver.reason if finding.waiver else ""
    return f"- **{code(finding.rule_id)}** {code(finding.address)} {prose(waiver_line(finding))}  \n  {prose(reason)}"


def _noise(finding: Finding) -> str:
    said = f"{prose(finding.message)} ({prose(str(finding.noise))})"
    return f"- **{code(finding.rule_id)}** {code(finding.address)}  \n  {said}"


def _shift(shift: Shift) -> str:
    cause = f" ({code(shift.cause)})" if shift.cause else ""
    return f"{code(shift.path)} {code(shift.before)} → {code(shift.after)}{cause}".strip()


# -- fitting ---------------------------------------------------------------------------------------------------------


def _fitted(sections: Sequence[_Section], room: int, *, share: int) -> tuple[list[str], int]:
    """The sections, each as far as it fits into its share of what is left; and how many items were left out."""
    lines: list[str] = []
    left_out = 0
    for section in sections:
        opening, closing = _frame(section)
        frame = _size(opening) + _size(closing)
        allowed = room // share - frame
        taken: list[str] = []
        for item in section.items:
            if _size([*taken, item]) > allowed:
                break
            taken.append(item)
        left_out += len(section.items) - len(taken)
        if taken:
            lines += [*opening, *taken, *closing]
            room -= frame + _size(taken)
    return lines, left_out


def _frame(section: _Section) -> tuple[list[str], list[str]]:
    title = f"{section.title} ({len(section.items)})" if section.title != "GPUs" else section.title
    if section.folded:
        return ["<details>", f"<summary>{html.escape(title)}</summary>", "", *section.head], ["", "</details>", ""]
    return [f"### {title}", *section.head], [""]


def _size(lines: Sequence[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)
