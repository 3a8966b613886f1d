"""The HyperPod cluster: the size of its CloudFormation template, its region, and its system nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from hawser import facts
from hawser.contract.checks.access import region_facts
from hawser.contract.checks.rule import rule
from hawser.contract.draft import Draft, PoolDraft
from hawser.contract.problems import Problem

#: Largest template body in bytes. AWS CloudFormation quotas, 2026-11-30.
_LARGEST: Final = 51_200

# Bytes of the template's parts when every name and number in them is empty and ids are as long as AWS makes them.
# Measured on 2026-11-30 on the template that Terraform 1.11.4 renders from modules/hyperpod-cluster; the tests of
# terraform/hyperpod hold it to the sum.
_FRAME: Final = 528
_GROUP: Final = 814
_SYSTEM_GROUP: Final = 576
_TRAINING_PLAN: Final = 21
_SUBNET: Final = 27
_TAG: Final = 22


def template_bytes(draft: Draft) -> int:
    """Size of the template in bytes, once real ids are in it. Raises ``UnavailableError``."""
    region, cluster = region_facts(draft), len(draft.text(*draft.cluster_name))
    tags = draft.pairs("tags") | {"environment": draft.folder, "stack": "hyperpod", "SageMaker": "true"}
    return (
        _FRAME
        + 3 * cluster
        + len(region.partition)
        + len(region.name)
        + _SUBNET * len(draft.pairs(*draft.node_subnets))
        + sum(_TAG + _inside(name) + _inside(value) for name, value in tags.items())
        + sum(_group(pool, region, cluster) for pool in draft.pools())
        + (_system_group(region, cluster) if _has_system_group(draft) else 0)
    )


def _has_system_group(draft: Draft) -> bool:
    return draft.has("cluster", "system_nodes") and draft.text("cluster", "system_nodes") == "hyperpod-group"


def _system_group(region: facts.Region, cluster: int) -> int:
    """Bytes of the instance group of the system nodes."""
    nodes = facts.system_nodes()
    numbers = f"{nodes.count}{facts.hyperpod_volume().size_gb}"
    places = 3 * len(region.partition) + 3 * len(region.name)
    return _SYSTEM_GROUP + len(numbers) + len(f"ml.{nodes.instance_type}") + 2 * cluster + places


def _group(pool: PoolDraft, region: facts.Region, cluster: int) -> int:
    """Bytes of one instance group: what it is called by, and where its role, script and keys are."""
    numbers = f"{pool.whole('count')}{facts.hyperpod_volume().size_gb}"
    names = 2 * len(pool.name) + len(f"ml.{pool.text('instance_type')}") + 2 * cluster
    places = 3 * len(region.partition) + 3 * len(region.name)
    plan = _TRAINING_PLAN + len(pool.text("training_plan_arn")) if pool.has("training_plan_arn") else 0
    return _GROUP + len(numbers) + names + places + plan


def _inside(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode()) - len('""')


@rule(
    "The template of the HyperPod cluster is one that CloudFormation takes.",
    "The plan of its stack fails, and so does everything after it.",
)
def template_size(draft: Draft) -> Iterator[Problem]:
    """``capacity`` on hyperpod, with the tags."""
    if draft.text("target") != "hyperpod" or (size := template_bytes(draft)) <= _LARGEST:
        return
    pools = len(draft.names("capacity"))
    expected = f"at most {_LARGEST:,} bytes of CloudFormation template, which has each pool and each tag in it"
    fix = f"take {size - _LARGEST:,} bytes out: fewer pools (about {size // pools:,} bytes each), shorter names or tags"
    yield draft.problem(("capacity",), expected, fix, found=f"{pools} pools in {size:,} bytes")


@rule(
    "HyperPod's own software has images in the region.",
    "The health agent falls back to another region's image, and the inference operator does not start.",
)
def agent_region(draft: Draft) -> Iterator[Problem]:
    """``region`` on hyperpod."""
    missing, region = facts.hyperpod_without_agent().regions, region_facts(draft).name
    if draft.text("target") == "hyperpod" and region in missing:
        expected = "a region for which the chart of HyperPod dependencies has images"
        fix = "move to another region, or take it out of hyperpod_without_agent in facts/regions.yaml once it has them"
        yield draft.problem(("region",), expected, fix)


@rule(
    "System nodes that are an instance group have a HyperPod cluster.",
    "On eks nobody would make them, and the cluster would have no DNS.",
)
def system_nodes(draft: Draft) -> Iterator[Problem]:
    """``cluster.system_nodes`` against the target."""
    if draft.text("target") != "hyperpod" and _has_system_group(draft):
        yield draft.problem(("cluster", "system_nodes"), "managed on eks", "write managed, or remove the line")
