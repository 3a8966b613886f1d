"""Accelerators behind SageMaker endpoints: the variants of the configuration that an endpoint names.

A configuration by itself runs nothing, and an endpoint keeps running when its configuration is deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import PoolCapacity
from hawser.policy.launch_templates import Side
from hawser.policy.pool import Nodes, pool, text_of, whole
from hawser.terraform.configuration import Configuration, module_path
from hawser.terraform.plan import Action, Change, Plan
from hawser.terraform.values import Value

ENDPOINT: Final = "aws_sagemaker_endpoint"
_CONFIGURATION: Final = "aws_sagemaker_endpoint_configuration"
_NAMED: Final = "endpoint_config_name"
_VARIANTS: Final = ("production_variants", "shadow_production_variants")


def endpoint_pools(endpoint: Change, plan: Plan, configuration: Configuration) -> Iterator[PoolCapacity]:
    """A pool for each variant of an endpoint that has accelerators, or may have some."""
    before = {} if endpoint.before.is_null else _variants(endpoint, "before", plan, configuration)
    after = {} if endpoint.after.is_null else _variants(endpoint, "after", plan, configuration)
    note = ""
    if endpoint.action is Action.FORGET:
        after, note = before, "no longer managed; it keeps running"
    elif endpoint.action is Action.REPLACE:
        note = "replaced: none while the new endpoint is made"
    if before is None and after is None and endpoint.action is Action.NO_OP:
        return
    gone = endpoint.action in (Action.REPLACE, Action.DELETE)
    for name in sorted({*(before or {}), *(after or {})}) or [""] * (before is None or after is None):
        old, new = _side(name, before, after), _side(name, after, before)
        label = f"{_name(endpoint)}/{name}" if name else _name(endpoint)
        if found := pool(label, endpoint, old, new, note, gone):
            yield found


def _side(name: str, variants: Mapping[str, Nodes] | None, others: Mapping[str, Nodes] | None) -> Nodes | None:
    """One variant on one side; when that side's configuration is not known, so many of them as nobody can say."""
    if variants is not None:
        return variants.get(name)
    return Nodes(others[name].instance_type if others and name in others else "", None)


def _variants(endpoint: Change, side: Side, plan: Plan, configuration: Configuration) -> Mapping[str, Nodes] | None:
    """Variants by name; ``None`` when the configuration is not in the plan or its variants are not known."""
    value = endpoint.before if side == "before" else endpoint.after
    named = value.get(_NAMED)
    candidates = [change for change in plan.of_type(_CONFIGURATION) if change.mode == "managed"]
    if name := text_of(named):
        found = [one for one in candidates if text_of(_of(one, side).get("name")) == name]
    else:
        targets = configuration.targets(endpoint, _NAMED)
        found = [
            one
            for one in candidates
            if one.planned and (module_path(one.module_address), f"{one.type}.{one.name}") in targets
        ]
        found = [one for one in found if one.module_address == endpoint.module_address] or found
    if len(found) != 1:
        return None
    return _of_configuration(_of(found[0], side))


def _of(change: Change, side: Side) -> Value:
    return change.before if side == "before" else change.after


def _of_configuration(value: Value) -> Mapping[str, Nodes] | None:
    variants: dict[str, Nodes] = {}
    for block in _VARIANTS:
        listed = value.get(block)
        if listed.is_unknown:
            return None
        if not listed.present:
            continue
        for position, variant in enumerate(listed.elements()):
            if not variant.get("serverless_config").present:
                name = text_of(variant.get("variant_name")) or str(position)
                variants[name] = Nodes(
                    text_of(variant.get("instance_type")), whole(variant.get("initial_instance_count"))
                )
    return variants


def _name(endpoint: Change) -> str:
    return text_of(endpoint.after.get("name")) or text_of(endpoint.before.get("name")) or endpoint.address
