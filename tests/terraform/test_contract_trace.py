"""Contract lines of the real first plans: how many values get one, and that none of them is wrong."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.terraform.offline_plan import UPSTREAM, first_plan
from tests.terraform.running import ROOT

from hawser.contract import load_deployment
from hawser.policy.trace import Stacks, Trace
from hawser.render.tfvars import tfvars
from hawser.terraform.plan import read_plan
from hawser.terraform.stacks import declared
from hawser.terraform.stacks import stack as stack_of
from hawser.terraform.values import Value

#: Stack => environment, and the smallest share, in percent, of the written values that are not constant which get one
#: exact line. The others are made of several fields (names of pools within clusters, policies) or of ids of AWS.
PLANNED = {"bootstrap": ("prod", 30), "platform": ("prod", 60), "eks": ("prod", 50), "hyperpod": ("local-hyperpod", 40)}

#: Attributes whose value is worked out from the field by hawser's own facts, so that it looks like nothing in the line.
#: Interfaces come from the instance type, what to watch from the engine, a booking ends an hour after the drain.
FACTS = ("network_interfaces", "threshold", "namespace", "metric_name", "schedule_expression")


def values(node: Value) -> Iterator[Value]:
    """Every known value inside a resource that is no table or list."""
    raw = node.raw()
    if isinstance(raw, dict):
        for child in (child for _, child in node.items()):
            yield from values(child)
    elif isinstance(raw, list):
        for index in range(len(raw)):
            yield from values(node.get(index))
    elif raw is not None and not node.is_unknown:
        yield node


def explains(line: str, value: object) -> bool:
    """Whether the key or the value in a line of YAML is in a value of the plan, or the other way round."""
    found = re.match(r'\s*(?:- )?(?:"?([\w./-]+)"?:(?: |$))?\s*(.*?)\s*(?:#.*)?$', line)
    assert found
    key, text, told = found[1] or "", found[2].strip('"'), str(value).lower()
    return bool(text and (text.lower() in told or told in text.lower())) or bool(key and key in told) or text == "[]"


@pytest.mark.terraform
@pytest.mark.parametrize("stack", PLANNED)
def test_the_lines_of_a_stack(stack: str, tmp_path: Path, provider: dict[str, str]) -> None:
    env, least = PLANNED[stack]
    deployment = load_deployment(ROOT, env)
    names = declared(stack_of(ROOT, stack), tmp_path / "declared.json")
    upstream = json.dumps({name: UPSTREAM[name] for name in names.upstream})
    upstream = upstream.replace(UPSTREAM["cluster_name"], deployment.environment.cluster_name)
    variables = json.dumps(json.loads(tfvars(deployment, stack)) | json.loads(upstream))
    document = first_plan(stack, tmp_path, provider, variables)
    plan = read_plan(json.dumps(document).encode(), "the plan")

    trace = Trace(plan, deployment, stack, Stacks(ROOT, tmp_path / "sources.json"))
    kinds: Counter[str] = Counter()
    for change in plan.changes:
        if change.mode != "managed":
            continue
        assert trace.origin(change, "").code, change.address
        for value in values(change.after):
            origin = trace.origin(change, value.path)
            where = f"{change.address} {value.path} {value.raw()!r}: {origin.text}"
            assert "cannot be followed" not in origin.text, where
            if origin.exact:
                file, _, number = origin.lines[0].partition(":")
                line = (ROOT / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
                assert explains(line, value.raw()) or any(name in value.path for name in FACTS), f"{where}: {line}"
            if "constant in" not in origin.text and "the provider sets it" not in origin.text:
                kinds["exact" if origin.exact else "not exact"] += 1
    assert 100 * kinds["exact"] >= least * kinds.total(), kinds
