"""No secret of a plan reaches a report or a scanner, however it is nested, marked and written."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_samples import finding, sample_review

from hawser.errors import CannotJudgeError
from hawser.policy.checkov import what_it_reads
from hawser.policy.findings import Level
from hawser.report import Form, render
from hawser.report.redact import Redactor
from hawser.terraform.plan import read_plan

_LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"
_PART = st.text(_LETTERS, min_size=10, max_size=16)
#: Two unmistakable halves around what is written differently in JSON, HTML, markdown and shell.
CANARIES = st.tuples(_PART, st.sampled_from(['"', "\\", "<&>", "|", "`", " ", "\n", "é", "@", "/", "\u2028"]), _PART)
_PLAIN = st.one_of(st.none(), st.booleans(), st.integers(0, 9), st.sampled_from(["", "aws", "us-west-2", "hawser"]))


@st.composite
def marked(draw: st.DrawFn, secrets: st.SearchStrategy[str], depth: int = 3) -> tuple[Any, Any, list[str]]:
    """A value, the marks that Terraform would set on it, and the secrets in it."""
    kind = draw(st.sampled_from(["secret", "plain", "json"] + (["map", "list"] * 2 if depth else [])))
    if kind == "secret":
        secret = draw(secrets)
        return secret, True, [secret]
    if kind == "json":
        secret = draw(secrets)
        return json.dumps({"a": [{"b": secret}]}), True, [secret]
    if kind == "plain":
        return draw(_PLAIN), draw(st.sampled_from([False, {}])), []
    children = draw(st.lists(marked(secrets, depth=depth - 1), max_size=3))
    found = [secret for _, _, inside in children for secret in inside]
    if kind == "list":
        value: Any = [child for child, _, _ in children]
        mark: Any = [mark for _, mark, _ in children]
    else:
        value = {f"k{index}": child for index, (child, _, _) in enumerate(children)}
        mark = {f"k{index}": mark for index, (_, mark, _) in enumerate(children)}
    return value, True if found and draw(st.booleans()) else mark, found


#: Where Terraform may mark a secret. Each plan marks it in one of these places and holds it in all of them.
PLACES = ("before", "after", "planned", "prior", "drift", "output", "output change", "variable", "argument", "name")


def document(tree: Any, marks: Any, secrets: list[str], place: str) -> dict[str, Any]:
    """A plan that holds the secrets in all places, of which one says so."""

    def marked_in(*places: str) -> Any:
        return {"settings": marks, "lone": [True] * len(secrets)} if place in places else {}

    def resource(of: str) -> dict[str, Any]:
        values = {"settings": tree, "lone": secrets, "plain": "hawser"}
        known = {"address": "aws_thing.it", "mode": "managed", "type": "aws_thing", "name": "it"}
        change = {"actions": ["update"], "before": values, "after": values | {"plain": "x"}, "after_unknown": {}}
        if of == "drift":
            change |= {"before_sensitive": {}, "after_sensitive": marked_in("drift")}
        elif of == "changes":
            change |= {"before_sensitive": marked_in("before"), "after_sensitive": marked_in("after")}
        else:
            return {**known, "values": values, "sensitive_values": marked_in(of)}
        return {**known, "change": change}

    both = [tree, secrets]
    output = {"actions": ["update"], "before": None, "after": both, "after_unknown": False}
    module = {
        "outputs": {"o": {"sensitive": place == "output"}},
        "variables": {"given": {"sensitive": place == "variable"}},
        "resources": [{"address": "aws_thing.it", "expressions": {"plain": {"constant_value": secrets}}}],
        "module_calls": {
            "m": {
                "expressions": {"a": {"constant_value": both}},
                "module": {"variables": {"a": {"sensitive": place == "argument"}}},
            }
        },
    }
    named = {"api_token" if place == "name" else "plain": secrets[0], "list": secrets}
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "complete": True,
        "errored": False,
        "applyable": True,
        "variables": {"given": {"value": both}},
        "planned_values": {"outputs": {"o": {"value": both}}, "root_module": {"resources": [resource("planned")]}},
        "prior_state": {"values": {"root_module": {"child_modules": [{"resources": [resource("prior")]}]}}},
        "resource_changes": [resource("changes")],
        "resource_drift": [resource("drift")],
        "output_changes": {"o": output | {"after_sensitive": place == "output change"}},
        "configuration": {
            "provider_config": {"aws": {"expressions": {k: {"constant_value": v} for k, v in named.items()}}},
            "root_module": module,
        },
        "checks": [
            {
                "address": {"to_display": "check.it"},
                "status": "fail",
                "instances": [{"problems": [{"message": f"it is {secrets[0]}"}]}],
            }
        ],
    }


def shape(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: shape(value) for key, value in node.items()}
    if isinstance(node, list):
        return [shape(value) for value in node]
    return type(node)


#: Random nestings in one plan; with 200 plans two thousand of them.
NESTINGS = 10


@given(st.data())
@settings(max_examples=200, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_secret_is_seen_anywhere(data: st.DataObject) -> None:
    halves: list[str] = []

    def canary(parts: tuple[str, str, str]) -> str:
        halves.extend((parts[0], parts[2]))
        return "".join(parts)

    secrets = CANARIES.map(canary)
    drawn = [data.draw(marked(secrets)) for _ in range(NESTINGS)]
    tree, marks = [value for value, _, _ in drawn], [mark for _, mark, _ in drawn]
    found = [secret for _, _, inside in drawn for secret in inside] or [data.draw(secrets)]
    place = data.draw(st.sampled_from(PLACES))
    if place == "name":  # a name speaks for the one value of its field
        tree, marks, found = None, False, found[:1]
    plan_json = document(tree, marks, found, place)
    halves = [half for half in halves if any(half in secret for secret in found)]
    redactor = Redactor.of(plan_json)
    plan = read_plan(json.dumps(plan_json).encode(), "plan.json")
    told = [f"see {secret}, or x{secret}y" for secret in found]
    findings = tuple(
        finding("HW-SEC-001", Level.BLOCK, f'aws_thing.it["{i}"]', text, before=text, after=found[0], origin=text)
        for i, text in enumerate(told)
    )
    review = sample_review(plan, findings, asks=told[0], overrides={"api.token": (found[0], told[0])})
    seen = {
        "text": "\n".join(redactor.text(text) for text in told),
        "document": json.dumps(redactor.document(plan_json), ensure_ascii=False),
        "checkov": json.dumps(redactor.document(what_it_reads(plan_json))),
    }
    form = data.draw(st.sampled_from(get_args(Form)))  # a new form is covered by itself
    seen[form] = render(review, form, width=data.draw(st.sampled_from([80, 160])), colour=True, redactor=redactor)
    for form, text in seen.items():
        for half in halves:
            assert half not in text, f"{form}, marked as {place}"


@given(marked(st.just("canary-of-the-shape")))
@settings(database=None)
def test_a_copy_keeps_keys_types_and_shapes(drawn: tuple[Any, Any, list[str]]) -> None:
    tree, marks, _ = drawn
    plan_json = document(tree, marks, ["canary-of-the-shape"], "after")
    assert shape(Redactor.of(plan_json).document(plan_json)) == shape(plan_json)


@given(st.data())
@settings(max_examples=60, deadline=None, database=None)
def test_what_is_said_of_a_broken_plan_holds_no_secret(data: st.DataObject) -> None:
    secret = "canary-7f3a-secret"
    text = json.dumps(document({"k": secret}, {"k": True}, [secret], "after"))
    how = data.draw(st.sampled_from(["cut", "twice", "replaced", "around"]))
    if how == "cut":
        broken = text[: data.draw(st.integers(0, len(text) - 1))]
    elif how == "twice":
        broken = text.replace('"k": ', f'"k": "{secret}", "k": ')
    elif how == "replaced":
        key = data.draw(st.sampled_from(["format_version", "resource_changes", "complete", "errored", "actions"]))
        broken = re.sub(rf'"{key}": (\[[^\]]*\]|"[^"]*"|true|false)', f'"{key}": "{secret}"', text)
    else:
        broken = f"{secret} {text}"
    with contextlib.suppress(CannotJudgeError):  # some values of some fields say nothing
        read_plan(broken.encode(), "plan.json")
        assert how == "replaced"
        return
    with pytest.raises(CannotJudgeError) as caught:
        read_plan(broken.encode(), "plan.json")
    said = f"{caught.value} {caught.value.message} {caught.value.fix}"
    assert secret not in said, how
