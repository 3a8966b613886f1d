"""The reference of the rules, generated from the registry."""

from __future__ import annotations

from itertools import groupby

from hawser.policy.known import ADJUSTABLE, OTHERS
from hawser.policy.manifests.registry import manifest_rules
from hawser.policy.registry import Rule, RuleMeta, all_rules

_HEAD = """<!-- Generated from the rules themselves; do not edit. Run `make docs` to write it anew. -->
# Policies

Every plan is judged by these rules. A rule looks at each resource of its types and passes, fails, or says that it
cannot be judged before apply. Its level says what a failure asks for: *advisory* is only shown, *approval* needs a
person, *block* denies the plan. An environment may set other levels in `guardrails.levels`; a reviewed exception for
one address is a waiver. `hawser policy explain RULE` shows one rule in the terminal.
"""

_MANIFESTS = """## Manifests of a model server

Judged by `hawser serve lint`, not in plans: objects of Kubernetes that people have or that hawser rendered.
"""

_OTHERS = """## What no rule finds

What the gate says of itself, of the environment's exceptions and of its stacks. It has no fixtures of its own.
"""


def render_policies() -> str:
    """``docs/policies.md``: a table of all rules, then each rule with its reason and its fix, by area."""
    rules = sorted(all_rules(), key=lambda rule: (rule.meta.area, rule.meta.id))
    parts = [_HEAD, _table(rules)]
    for area, members in groupby(rules, key=lambda rule: rule.meta.area):
        parts.append(f"## {area.capitalize()}\n")
        parts.extend(_section(rule) for rule in members)
    parts.append(_MANIFESTS)
    parts.extend(_manifest(rule.meta) for rule in manifest_rules())
    parts.append(_OTHERS)
    parts.extend(_other(meta) for meta in OTHERS)
    return "\n".join(parts)


def _table(rules: list[Rule]) -> str:
    rows = ["| rule | passes when | level | severity |", "|---|---|---|---|"]
    for rule in rules:
        meta = rule.meta
        rows.append(f"| [{meta.id}](#{meta.id.lower()}) | {_cell(meta.title)} | {meta.level} | {meta.severity} |")
    return "\n".join(rows) + "\n"


def _manifest(meta: RuleMeta) -> str:
    kinds = ", ".join(f"`{kind}`" for kind in meta.resource_types)
    looked = f"Judges {kinds}." if kinds else "Judges every pod and object of a model server."
    lines = [f"### {meta.id}", "", f"**{meta.title}**", "", f"Level {meta.level}, severity {meta.severity}. {looked}"]
    return "\n".join([*lines, "", f"Why: {meta.why}", "", f"Fix: {meta.fix}", ""])


def _other(meta: RuleMeta) -> str:
    lines = [f"### {meta.id}", "", f"**{meta.title}**", "", f"Level {meta.level}, severity {meta.severity}."]
    if meta in ADJUSTABLE:
        lines[-1] += " An environment may set another level, and waive it."
    return "\n".join([*lines, "", f"Why: {meta.why}", "", f"Fix: {meta.fix}", ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _section(rule: Rule) -> str:
    meta = rule.meta
    types = ", ".join(f"`{type_}`" for type_ in meta.resource_types if type_ != "*")
    looks_at = "every resource" if "*" in meta.resource_types else types or "the plan as a whole"
    lines = [
        f"### {meta.id}",
        "",
        f"**{meta.title}**",
        "",
        f"Level {meta.level}, severity {meta.severity}, since {meta.since}.",
        f"Judges {_JUDGES[meta.looks_at]}: {looks_at}.",
        "",
        f"Why: {meta.why}",
        "",
        f"Fix: {meta.fix}",
        "",
    ]
    if rule.place:
        lines += [f"A rule of this checkout's own: `{rule.place.rsplit(':', 1)[0]}`.", ""]
    if meta.references:
        lines += ["See: " + ", ".join(f"<{reference}>" for reference in meta.references), ""]
    return "\n".join(lines)


_JUDGES = {
    "change": "what the plan changes",
    "planned state": "what will be there, changed or not",
    "both": "what the plan changes and what will be there",
}
