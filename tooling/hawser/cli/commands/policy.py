"""``hawser policy``: list, explain and test the rules, and list the exceptions from them."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any

import click

from hawser.cli.options import EnvironmentName, checkout, json_output
from hawser.errors import CheckFoundError, UsageError

if TYPE_CHECKING:
    from hawser.policy.registry import Rule, RuleMeta


@click.group()
def command() -> None:
    """List, explain and test the rules that judge a plan; list the waivers."""


@command.command("list")
@json_output
def list_rules(as_json: bool) -> None:
    """All rules, for plans and then for manifests: id, level, severity, and the condition under which they pass."""
    from hawser.policy.manifests.registry import manifest_rules
    from hawser.policy.registry import all_rules

    rules = [*((rule.meta, rule.place) for rule in all_rules()), *((rule.meta, "") for rule in manifest_rules())]
    if as_json:
        click.echo(json.dumps([_as_data(meta, place) for meta, place in rules], indent=2))
        return
    for meta, _ in rules:
        click.echo(f"{meta.id:11} {meta.level:8} {meta.severity:8} {meta.title}")


@command.command()
@click.argument("rule_id", metavar="RULE")
@json_output
def explain(rule_id: str, as_json: bool) -> None:
    """One rule: what passes, why it matters, and how to mend it in contract or environment.

    RULE may be a check of checkov (CKV_AWS_58): then what passes in checkov's words, and what is decided here about it.
    """
    if rule_id.upper().startswith("CKV"):
        _explain_check(rule_id.upper(), as_json)
        return
    from hawser.policy.known import OTHERS
    from hawser.policy.manifests.registry import manifest_rules

    apart = (*OTHERS, *(rule.meta for rule in manifest_rules()))
    other = next((meta for meta in apart if meta.id == rule_id.upper()), None)
    rule = None if other else _rule(rule_id)
    meta, place = (rule.meta, rule.place) if rule else (other, "")
    assert meta is not None
    if as_json:
        click.echo(json.dumps(_as_data(meta, place), indent=2))
        return
    types = "every resource" if "*" in meta.resource_types else ", ".join(meta.resource_types) or "the plan as a whole"
    click.echo(f"{meta.id}  {meta.title}\n")
    for name, text in (
        ("level", f"{meta.level} (severity {meta.severity}, since {meta.since})"),
        ("looks at", f"{meta.looks_at} of {types}"),
        ("why", meta.why),
        ("fix", meta.fix),
        ("from", place),
    ):
        if not text:
            continue
        click.echo(click.wrap_text(text, 100, f"  {name:9} ", " " * 12))
    for reference in meta.references:
        click.echo(f"  see       {reference}")


def _explain_check(check: str, as_json: bool) -> None:
    from hawser.facts.checkov import checkov_checks
    from hawser.policy.checkov import load_policy

    facts, policy = checkov_checks(), load_policy()
    if check not in facts.titles:
        near = difflib.get_close_matches(check, facts.titles, n=1)
        raise UsageError(
            f"checkov {facts.version} has no check {check}{f'; is {near[0]} meant?' if near else ''}",
            fix="The ids of its checks are in tooling/hawser/facts/checkov.yaml.",
        )
    ours = policy.listed.get(check)
    level = "off" if check in policy.off else ours.level.value if ours else "advisory"
    said = {
        "id": check,
        "title": facts.titles[check],
        "level": level,
        "severity": ours.severity.value if ours else "",
        "why": policy.off.get(check, ""),
        "fix": ours.fix if ours else "",
        "source": f"checkov {facts.version}",
    }
    if as_json:
        click.echo(json.dumps(said, indent=2))
        return
    click.echo(f"{check}  {said['title']}\n")
    severity = f" (severity {said['severity']})" if ours else ""
    unlisted = (
        ""
        if ours or check in policy.off
        else ", as is every check that tooling/hawser/policy/checkov.yaml does not list"
    )
    for name, text in (
        ("level", f"{level}{severity}{unlisted}"),
        ("why off", said["why"]),
        ("fix", said["fix"]),
        ("from", f"{said['source']}, which gives no severity and no guide without a network"),
    ):
        if text:
            click.echo(click.wrap_text(text, 100, f"  {name:9} ", " " * 12))


@command.command()
@click.argument("env", required=False, type=EnvironmentName())
@json_output
def waivers(env: str | None, as_json: bool) -> None:
    """All waivers of ENV, or of every environment, with the days they have left (exit 8 when one is not in force).

    Each is compared with the newest plan of its stack in this checkout, where there is one.
    """
    from dataclasses import asdict

    from hawser.cli.waiver_list import listed

    found = listed(checkout(), env)
    wrong = [one for one in found if one.wrong]
    if as_json:
        document = {"schema": "hawser.waivers/1", "waivers": [asdict(one) for one in found]}
        click.echo(json.dumps(document, indent=2))
    else:
        for one in found:
            stack = f" in {one.stack}" if one.stack else ""
            click.echo(f"{one.environment}  {one.rule}  {one.address or one.matches}{stack}")
            click.echo(f"    {one.left}, {one.owner}  ({one.place})")
            click.echo(click.wrap_text(one.reason, 100, "    ", "    "))
            if one.wrong:
                click.echo(f"    NOT IN FORCE: it {one.wrong}")
            if one.address:
                click.echo(f"    {one.matches}")
        click.echo(f"{len(found)} waiver{'s' if len(found) != 1 else ''}, {len(wrong)} not in force")
    if wrong:
        raise CheckFoundError(
            f"{len(wrong)} of {len(found)} waivers are not in force", fix="Mend what they cover, or review them anew."
        )


@command.command()
@click.argument("rule_ids", metavar="[RULE]...", nargs=-1)
@json_output
def test(rule_ids: tuple[str, ...], as_json: bool) -> None:
    """Judge the fixtures of the rules in this checkout and compare with what must be found (exit 8 when it differs)."""
    from hawser.policy.custom import FOLDER
    from hawser.policy.fixtures import differences
    from hawser.policy.registry import all_rules

    folder = checkout() / "tests" / "policy"
    if not folder.is_dir():
        raise UsageError(f"there are no fixtures in {folder}", fix="Run it in a whole checkout, with its tests.")
    rules = [_rule(rule_id) for rule_id in rule_ids] or list(all_rules())
    wrong = {rule.meta.id: differences(FOLDER if rule.place else folder, rule.meta.id) for rule in rules}
    failed = {rule_id: found for rule_id, found in wrong.items() if found}
    if as_json:
        click.echo(json.dumps({"rules": len(rules), "failed": failed}, indent=2))
    else:
        for rule_id, found in failed.items():
            click.echo(f"{rule_id}:\n" + "\n".join(f"  {one}" for one in found))
        click.echo(f"{len(rules)} rules tested, {len(failed)} with a difference")
    if failed:
        raise CheckFoundError(f"{len(failed)} of {len(rules)} rules do not judge their fixtures as they must")


def _rule(rule_id: str) -> Rule:
    from hawser.policy.registry import all_rules

    rules = {rule.meta.id: rule for rule in all_rules()}
    if rule_id.upper() in rules:
        return rules[rule_id.upper()]
    near = difflib.get_close_matches(rule_id.upper(), rules, n=1)
    raise UsageError(
        f"there is no rule {rule_id}{f'; is {near[0]} meant?' if near else ''}", fix="See `hawser policy list`."
    )


def _as_data(meta: RuleMeta, place: str) -> dict[str, Any]:
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
        "place": place,
    }
