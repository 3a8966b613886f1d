"""``hawser policy``: list, explain and test the rules."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hawser.cli.options import checkout, json_output
from hawser.errors import CheckFoundError, UsageError

if TYPE_CHECKING:
    from hawser.policy.registry import Rule


@click.group()
def command() -> None:
    """List, explain and test the rules that judge a plan."""


@command.command("list")
@json_output
def list_rules(as_json: bool) -> None:
    """All rules: id, level, severity, and the condition under which they pass."""
    from hawser.policy.registry import all_rules

    rules = all_rules()
    if as_json:
        click.echo(json.dumps([_as_data(rule) for rule in rules], indent=2))
        return
    for rule in rules:
        click.echo(f"{rule.meta.id:11} {rule.meta.level:8} {rule.meta.severity:8} {rule.meta.title}")


@command.command()
@click.argument("rule_id", metavar="RULE")
@json_output
def explain(rule_id: str, as_json: bool) -> None:
    """One rule: what passes, why it matters, and how to mend it in contract or environment."""
    rule = _rule(rule_id)
    if as_json:
        click.echo(json.dumps(_as_data(rule), indent=2))
        return
    meta = rule.meta
    types = "every resource" if "*" in meta.resource_types else ", ".join(meta.resource_types) or "the plan as a whole"
    click.echo(f"{meta.id}  {meta.title}\n")
    for name, text in (
        ("level", f"{meta.level} (severity {meta.severity}, since {meta.since})"),
        ("looks at", f"{meta.looks_at} of {types}"),
        ("why", meta.why),
        ("fix", meta.fix),
    ):
        click.echo(click.wrap_text(text, 100, f"  {name:9} ", " " * 12))
    for reference in meta.references:
        click.echo(f"  see       {reference}")


@command.command()
@click.argument("rule_ids", metavar="[RULE]...", nargs=-1)
@json_output
def test(rule_ids: tuple[str, ...], as_json: bool) -> None:
    """Judge the fixtures of the rules in this checkout and compare with what must be found (exit 8 when it differs)."""
    from hawser.policy.registry import all_rules

    folder = checkout() / "tests" / "policy"
    if not folder.is_dir():
        raise UsageError(f"there are no fixtures in {folder}", fix="Run it in a whole checkout, with its tests.")
    rules = [_rule(rule_id) for rule_id in rule_ids] or list(all_rules())
    wrong = {rule.meta.id: _differences(folder, rule.meta.id) for rule in rules}
    failed = {rule_id: found for rule_id, found in wrong.items() if found}
    if as_json:
        click.echo(json.dumps({"rules": len(rules), "failed": failed}, indent=2))
    else:
        for rule_id, found in failed.items():
            click.echo(f"{rule_id}:\n" + "\n".join(f"  {one}" for one in found))
        click.echo(f"{len(rules)} rules tested, {len(failed)} with a difference")
    if failed:
        raise CheckFoundError(f"{len(failed)} of {len(rules)} rules do not judge their fixtures as they must")


def _differences(folder: Path, rule_id: str) -> list[str]:
    from hawser.contract import load_deployment
    from hawser.policy.fixtures import fixtures, gaps

    found = list(gaps(folder, rule_id))
    for fixture in fixtures(folder, rule_id):
        ours = load_deployment(folder, "prod") if fixture.is_ours else None
        found += [f"{fixture.file.name}: {one}" for one in fixture.differences(ours)]
    return found


def _rule(rule_id: str) -> Rule:
    from hawser.policy.registry import all_rules

    rules = {rule.meta.id: rule for rule in all_rules()}
    if rule_id.upper() in rules:
        return rules[rule_id.upper()]
    near = difflib.get_close_matches(rule_id.upper(), rules, n=1)
    raise UsageError(
        f"there is no rule {rule_id}{f'; is {near[0]} meant?' if near else ''}", fix="See `hawser policy list`."
    )


def _as_data(rule: Rule) -> dict[str, Any]:
    meta = rule.meta
    return {
        "id": meta.id,
        "title": meta.title,
        "area": meta.area,
        "severity": meta.severity.value,
        "level": meta.level.value,
        "resource_types": list(meta.resource_types),
        "looks_at": meta.looks_at,
        "why": meta.why,
        "fix": meta.fix,
        "since": meta.since,
        "references": list(meta.references),
    }
