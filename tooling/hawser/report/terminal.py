"""The review for a person at a terminal: the verdict in the first line, the worst first, figures before prose.

Also the text of CI logs: there it has no colour, and no line in it can be taken for a command of the runner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hawser.decision.decide import Decision
from hawser.decision.since import Since
from hawser.policy.findings import Finding, PoolCapacity
from hawser.policy.roles import ELSEWHERE, Role
from hawser.report.access import Access
from hawser.report.change_reader import Created, Gone, Shift, Updated
from hawser.report.content import Content, Group
from hawser.report.phrases import gpus, total, used_by, waiver_line, widest
from hawser.report.since import differences, title, whose

#: Narrower than this nothing fits beside an address; wider than this no eye finds the next line.
NARROWEST: Final = 60
WIDEST: Final = 200
#: How many of a kind are listed before the rest is told as a number. What blocks, needs approval or goes away is
#: always listed.
MOST_CHANGES: Final = 40
MOST_GROUPS: Final = 15
MOST_PLACES: Final = 3
MOST_SHIFTS: Final = 5

_STYLES: Final = {
    Decision.ALLOW: "bold green",
    Decision.NEEDS_APPROVAL: "bold yellow",
    Decision.DENY: "bold red",
    Decision.CANNOT_JUDGE: "bold magenta",
}
_VERB_STYLES: Final = {"more": "bold red", "opens": "bold red", "unknown": "bold yellow"}
# `::command::` and `##[command]` at these places are executed by the runners that show a log.
_COMMAND: Final = re.compile(r"^(\s*)::|##(?=\[|vso\[)")


def terminal(content: Content, *, width: int, colour: bool) -> str:
    """The review as text of at most ``width`` columns (addresses are never broken), with ANSI colour or without."""
    width = min(max(width, NARROWEST), WIDEST)
    lines = [line for part in _parts(content, width) for line in part]
    console = Console(
        width=width,
        color_system="standard" if colour else None,
        force_terminal=colour,
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    with console.capture() as capture:
        for line in lines:
            line.rstrip()
            if _COMMAND.search(line.plain):
                line.plain = _COMMAND.sub(_harmless, line.plain)
            console.print(line, soft_wrap=True)
    return capture.get()


def _harmless(match: re.Match[str]) -> str:
    return f"{match[1]}· ::" if match[1] is not None else "# #"


def _parts(content: Content, width: int) -> Iterator[list[Text]]:
    yield _top(content, width)
    yield from _since(content.since, width)
    yield from _findings("CANNOT BE JUDGED", content.errors, "bold magenta", width)
    yield from _findings("BLOCKING", content.blocking, "bold red", width)
    yield from _findings("TO APPROVE", content.approving, "bold yellow", width)
    yield from _findings("UNKNOWN BEFORE APPLY: look here afterwards", content.undecidable, "bold yellow", width)
    yield from _gone(content.gone, width)
    yield from _pools(content.pools, width)
    yield from _access("PRIVILEGES: who can do more, who less", content.privileges, width)
    yield from _access("EXPOSURE: what opens, what closes", content.exposure, width)
    yield from _section(
        "OVERRIDES OF THE CONTRACT", [_shift(shift, "here: ", width) for shift in content.overrides], "bold"
    )
    yield from _changes(content, width)
    yield from _roles([role for role in content.roles if role.changed], width)
    yield from _section("MOVED", [[Text(f"  {old} -> {new}")] for old, new in content.moved], "bold")
    yield from _section("IMPORTED", [[Text(f"  {address}")] for address in content.imported], "bold")
    yield from _groups("ADVISORY", content.advisory, width)
    yield from _groups("NOT TOUCHED BY THIS PLAN (does not decide)", content.unchanged, width)
    yield from _noise(content.noise, width)
    yield from _waived(content.waived, width)
    yield from _section("DRIFT: changed outside of Terraform", [[Text(f"  {a}")] for a in content.drift], "bold yellow")
    yield from _section(
        "FAILING CHECK BLOCKS", [_wrapped(check, width, "  ") for check in content.failed_checks], "bold yellow"
    )
    checked = [_wrapped(line, width, "  ") for line in (*content.notes, *content.checked)]
    yield from _section("CHECKED", checked, "bold")
    yield from _section("NEXT", [[Text(f"  {command}")] for command in content.next_commands], "bold")


# -- parts -----------------------------------------------------------------------------------------------------------


def _top(content: Content, width: int) -> list[Text]:
    first = Text()
    first.append(content.verdict, style=_STYLES[content.decision])
    first.append(f"  {' · '.join((*content.name, *content.place))}", style="bold")
    lines = [first]
    lines += _wrapped(" · ".join(content.identity), width, "")
    lines += _wrapped(content.asks, width, "", style="bold")
    for banner in content.banners:
        lines += _wrapped(banner, width, "", style="bold yellow")
    lines += [
        Text(),
        *_wrapped(content.counts, width, ""),
        *_wrapped(content.tally, width, ""),
        *_wrapped(content.gpus, width, ""),
    ]
    return lines


def _since(since: Since | None, width: int) -> Iterator[list[Text]]:
    if since is None:
        return
    lines = differences(since)
    items = [_wrapped(line, width, "  ", hang="      ") for line in (whose(since), *lines[:MOST_CHANGES])]
    if len(lines) > MOST_CHANGES:
        items.append([Text(f"  and {len(lines) - MOST_CHANGES} more")])
    yield from _section(title(since).upper(), items, "bold")


def _findings(title: str, findings: Sequence[Finding], style: str, width: int) -> Iterator[list[Text]]:
    items = []
    for finding in findings:
        head = Text("  ")
        head.append(finding.rule_id, style=style)
        head.append(f"  {finding.address or 'the plan as a whole'}", style="bold")
        item = [head]
        if finding.path:
            if cell_len(head.plain) + cell_len(finding.path) + 2 <= width:
                head.append(f"  {finding.path}")
            else:
                item.append(Text(f"      {finding.path}"))
        item += _wrapped(finding.message, width, "      ")
        if finding.before is not None or finding.after is not None:
            shift = Shift("", finding.before or "(none)", finding.after or "(none)")
            item += _shift(shift, "", width, indent="      ")
        if finding.fix:
            item += _wrapped(f"fix: {finding.fix}", width, "      ", hang="           ")
        if finding.origin:
            item += _wrapped(f"from: {finding.origin}", width, "      ", hang="            ", style="dim")
        items.append(item)
    yield from _section(_count(title, len(findings)), items, style)


def _gone(gone: Sequence[Gone], width: int) -> Iterator[list[Text]]:
    items = []
    for one in gone:
        head = Text("  ")
        head.append(f"{one.verb:<8}", style="bold red" if one.verb != "forget" else "bold yellow")
        head.append(one.address, style="bold")
        item = [head]
        for shift in one.because_of:
            item += _shift(shift, "forces replacement: ", width, indent="          ")
        item += _wrapped(one.why, width, "          ")
        item += _wrapped(used_by(one), width, "          ", hang="                   ")
        items.append(item)
    yield from _section(_count("GOES AWAY", len(gone)), items, "bold red")


def _pools(pools: Sequence[PoolCapacity], width: int) -> Iterator[list[Text]]:
    if not pools:
        return
    rows = [("pool", "type", "before", "during", "after", "")]
    rows += [
        (p.pool, p.instance_type, gpus(p.before), gpus(p.during), gpus(p.after), p.note)
        for p in sorted(pools, key=lambda p: (p.pool, p.address))
    ]
    if len(pools) > 1:
        before, during, after = ([getattr(pool, when) for pool in pools] for when in ("before", "during", "after"))
        rows.append(("all pools", "", total(before), total(during), total(after), ""))
    widths = [max(cell_len(row[column]) for row in rows) for column in range(5)]
    items = []
    for number, row in enumerate(rows):
        line = Text("  ")
        for column, cell in enumerate(row[:5]):
            space = " " * (widths[column] - cell_len(cell))
            line.append(f"{space}{cell}  " if column >= 2 else f"{cell}{space}  ")
        if number == 0:
            line.stylize("dim")
        elif _shrinks(row[2], row[3], row[4]):
            line.stylize("bold red")
        item = [line]
        if row[5] and cell_len(line.plain) + cell_len(row[5]) <= width:
            line.append(row[5], style="dim")
        elif row[5]:
            item += _wrapped(row[5], width, "      ", style="dim")
        items.append(item)
    yield from _section("GPUS before, during and after the apply", items, "bold")


def _access(title: str, access: Access, width: int) -> Iterator[list[Text]]:
    items = []
    for number, line in enumerate(access.lines):
        if number >= MOST_CHANGES and not line.loud:
            break
        alarms = f" [{', '.join(line.alarms)}]" if line.alarms else ""
        item = _wrapped(f"{line.verb:<8}{line.what}{alarms}", width, "  ", hang="          ")
        item[0].stylize(_VERB_STYLES.get(line.verb, ""), 2, 2 + len(line.verb))
        items.append([*item, *_wrapped(line.where, width, "          ", style="dim")])
    if len(items) < len(access.lines):
        items.append([Text(f"  and {len(access.lines) - len(items)} more")])
    items += [_wrapped(sentence, width, "  ", hang="      ", style="dim") for sentence in access.folded]
    title = f"{title} ({access.title})" if access.lines else title
    yield from _section(title, items, "bold red" if any(line.loud for line in access.lines) else "bold")


def _changes(content: Content, width: int) -> Iterator[list[Text]]:
    items = [_updated(updated, width) for updated in content.updated[:MOST_CHANGES]]
    if len(content.updated) > MOST_CHANGES:
        rest = content.updated[MOST_CHANGES:]
        more = sum(len(updated.addresses) for updated in rest)
        items.append([Text(f"  and {more} more updates of {len(rest)} kinds")])
    items += [_created(created, width) for created in content.created[:MOST_CHANGES]]
    if len(content.created) > MOST_CHANGES:
        rest_created = content.created[MOST_CHANGES:]
        more = sum(number for created in rest_created for _, number in created.types)
        items.append([Text(f"  and {more} more creations in {len(rest_created)} modules")])
    items += [_shift(shift, "output  ", width) for shift in content.outputs]
    yield from _section("CHANGES", items, "bold")


def _updated(updated: Updated, width: int) -> list[Text]:
    head = Text("  ")
    head.append("update  ", style="yellow")
    lines = [head, *_places(updated.addresses, width, "          ")]
    if len(lines) > 1:
        head.append(lines.pop(1).plain.strip())
    if not updated.shifts:
        lines.append(Text("          no value changes, only marks"))
    for shift in updated.shifts[:MOST_SHIFTS]:
        lines += _shift(shift, "", width, indent="          ")
    if len(updated.shifts) > MOST_SHIFTS:
        lines.append(Text(f"          and {len(updated.shifts) - MOST_SHIFTS} more attributes"))
    return lines


def _created(created: Created, width: int) -> list[Text]:
    total = sum(number for _, number in created.types)
    types = ", ".join(f"{type_} {number}" if number > 1 else type_ for type_, number in created.types)
    head = Text("  ")
    head.append("create  ", style="green")
    head.append(f"{total} in {created.module}" if created.module else f"{total} in the root module")
    return [head, *_wrapped(types, width, "          ", style="dim")]


def _roles(roles: Sequence[Role], width: int) -> Iterator[list[Text]]:
    """One line per role that is created or changed; the other formats have every statement."""
    items = [_wrapped(_role(role), width, "  ", hang="      ") for role in roles[:MOST_CHANGES]]
    if len(roles) > MOST_CHANGES:
        items.append([Text(f"  and {len(roles) - MOST_CHANGES} more")])
    yield from _section(_count("ROLES created or changed: by whom, widest right", len(roles)), items, "bold")


def _role(role: Role) -> str:
    takers = "; ".join(taker.split("; only if ")[0] for taker in role.trusted) or "nobody that this plan shows"
    number = len(role.allowed) + len(role.denied)
    parts = [
        "not in this plan" if role.action == ELSEWHERE else f"by {takers}",
        f"{number} statement{'s' if number > 1 else ''}" if number else "",
        f"widest: {widest(role)}",
        f"{len(role.unseen)} not seen" if role.unseen else "",
    ]
    return f"{role.name or role.address}  {'; '.join(part for part in parts if part)}"


def _groups(title: str, groups: Sequence[Group], width: int) -> Iterator[list[Text]]:
    items = []
    for group in groups[:MOST_GROUPS]:
        times = f" × {len(group.places)}" if len(group.places) > 1 else ""
        item = _wrapped(f"{group.rule_id}{times}  {group.title}", width, "  ", hang="      ")
        item[0].stylize("bold", 2, 2 + len(group.rule_id))
        items.append(item + _places(group.places, width, "      ", style="dim"))
    if len(groups) > MOST_GROUPS:
        rest = groups[MOST_GROUPS:]
        named = ", ".join(f"{g.rule_id} × {len(g.places)}" for g in rest)
        items.append(_wrapped(f"and {len(rest)} more rules: {named}", width, "  ", hang="      "))
    total = sum(len(group.places) for group in groups)
    yield from _section(_count(title, total), items, "bold")


def _noise(noise: Sequence[Finding], width: int) -> Iterator[list[Text]]:
    items = []
    for finding in noise:
        line = f"{finding.rule_id}  {finding.address}: {finding.message}"
        items.append(
            [*_wrapped(line, width, "  ", hang="      "), *_wrapped(str(finding.noise), width, "      ", style="dim")]
        )
    yield from _section(_count("EMULATOR NOISE (does not decide)", len(noise)), items, "bold")


def _waived(waived: Sequence[Finding], width: int) -> Iterator[list[Text]]:
    items = []
    for finding in waived:
        head = f"{finding.rule_id}  {finding.address}  {waiver_line(finding)}"
        reason = finding.waiver.reason if finding.waiver else ""
        items.append([*_wrapped(head, width, "  ", hang="      "), *_wrapped(reason, width, "      ", style="dim")])
    yield from _section(_count("WAIVERS IN USE", len(waived)), items, "bold")


# -- lines -----------------------------------------------------------------------------------------------------------


def _section(title: str, items: Sequence[list[Text]], style: str) -> Iterator[list[Text]]:
    if items:
        yield [Text(), Text(title, style=style), *(line for item in items for line in item)]


def _count(title: str, number: int) -> str:
    return f"{title} ({number})"


def _wrapped(text: str, width: int, indent: str, *, hang: str | None = None, style: str = "") -> list[Text]:
    """The text in lines of at most ``width`` columns; a single word may be longer: addresses are to be copied."""
    lines, line, empty = [], indent, True
    for word in text.split(" "):
        if not empty and cell_len(line) + 1 + cell_len(word) > width:
            lines.append(line)
            line, empty = indent if hang is None else hang, True
        line += word if empty else f" {word}"
        empty = False
    if text:
        lines.append(line)
    return [Text(line, style=style) for line in lines]


def _shift(shift: Shift, label: str, width: int, *, indent: str = "  ") -> list[Text]:
    """``path before -> after`` on one line where it fits, else one below the other."""
    head = f"{indent}{label}{shift.path}"
    gap = " " if head.strip() else ""
    one = f"{head}{gap}{shift.before} -> {shift.after}"
    if cell_len(one) <= width:
        line = Text(one)
        if shift.cause and cell_len(one) + cell_len(shift.cause) + 4 <= width:
            line.append(f"  ({shift.cause})", style="dim")
        return [line]
    below = f"{indent}    " if head.strip() else indent
    lines = [Text(head)] if head.strip() else []
    return [
        *lines,
        *_wrapped(shift.before, width, below, hang=f"{below}   "),
        *_wrapped(f"-> {shift.after}", width, below, hang=f"{below}   "),
    ]


def _places(places: Sequence[str], width: int, indent: str, *, style: str = "") -> list[Text]:
    shown = ", ".join(places[:MOST_PLACES])
    if len(places) > MOST_PLACES:
        shown += f" and {len(places) - MOST_PLACES} more"
    return _wrapped(shown, width, indent, style=style)


def _shrinks(before: str, during: str, after: str) -> bool:
    return before.isdigit() and any(later.isdigit() and int(later) < int(before) for later in (during, after))
