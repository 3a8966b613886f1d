"""Capacity pools: kinds, reservations, offers, and whether the replicas have a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser import facts
from hawser.contract.checks.access import region_facts
from hawser.contract.checks.rule import pool_rule, rule
from hawser.contract.checks.topology import pool_instance, replica_gpus
from hawser.contract.draft import Draft, PoolDraft
from hawser.contract.problems import Problem, nearest

_RESERVATION: Final = re.compile(r"cr-[0-9a-f]{8,17}")
_PLAN: Final = re.compile(
    r"arn:([a-z-]+):sagemaker:([a-z0-9-]+):([0-9]{12}):training-plan/([0-9A-Za-z][0-9A-Za-z-]{0,63})"
)

#: Fields that a pool of a kind must have. It must have none of the others.
_FIELDS_OF_KIND: Final = {
    "on-demand": (),
    "odcr": ("reservation_id",),
    "capacity-block": ("reservation_id", "start", "end"),
    "training-plan": ("training_plan_arn", "start", "end"),
}
_OPTIONAL_FIELDS: Final = ("reservation_id", "training_plan_arn", "start", "end")

#: Kinds that a target can use, and what to say about the others.
_KINDS_OF_TARGET: Final = {
    "eks": (
        ("on-demand", "odcr", "capacity-block"),
        "a training plan serves HyperPod clusters only: buy a Capacity Block, or set target: hyperpod",
    ),
    "hyperpod": (
        ("on-demand", "training-plan"),
        "HyperPod has no field for a reservation: buy a training plan, or set target: eks",
    ),
}

#: Largest Capacity Block in instances. AWS documentation on Capacity Blocks for ML, 2026-11-30.
_LARGEST_BLOCK: Final = 64


@pool_rule("The instance type is one that hawser knows.", "Its GPUs, memory and network cards decide what is built.")
def known_type(pool: PoolDraft) -> Iterator[Problem]:
    """``instance_type``: an EC2 name, also for HyperPod."""
    name = pool.text("instance_type")
    known = facts.instances()
    if name in known:
        return
    bare = name.removeprefix("ml.")
    near = bare if bare in known else nearest(bare, known)
    fix = f"write {near}" if near else "choose one of them"
    if near == bare:
        fix += " (the EC2 name; hawser adds `ml.` for hyperpod)"
    yield pool.problem("instance_type", f"one of {', '.join(known)}", fix)


@pool_rule(
    "The region offers the instance type to the target.", "A reservation that cannot exist is found when it is due."
)
def offered(pool: PoolDraft) -> Iterator[Problem]:
    """``instance_type`` against the region and target."""
    draft, instance, region = pool.draft, pool_instance(pool), region_facts(pool.draft)
    target = draft.text("target")
    regions = facts.offered(target).get(instance.name, ())
    if region.name not in regions:
        expected = f"a type that {target} offers in {region.name}"
        fix = f"move to {', '.join(regions)}" if regions else f"choose another type: {target} offers it nowhere"
        yield pool.problem("instance_type", expected, fix)


@pool_rule(
    "The target can use the kind of capacity.", "Capacity bought for the other product cannot be moved or given back."
)
def kind_of_target(pool: PoolDraft) -> Iterator[Problem]:
    """``kind`` against ``target``."""
    target, kind = pool.draft.text("target"), pool.text("kind")
    kinds, fix = _KINDS_OF_TARGET[target]
    if kind not in kinds:
        yield pool.problem("kind", f"{', '.join(kinds)} on {target}", fix)


@pool_rule(
    "A pool has the fields of its kind and no others.", "A field that nothing reads makes a reader believe it counts."
)
def fields_of_kind(pool: PoolDraft) -> Iterator[Problem]:
    """Required and forbidden fields by ``kind``."""
    kind = pool.text("kind")
    for field in _OPTIONAL_FIELDS:
        if field in _FIELDS_OF_KIND[kind] and not pool.has(field):
            yield pool.problem(field, f"{field} for the kind {kind}", f"add the line `{field}: …`")
        elif field not in _FIELDS_OF_KIND[kind] and pool.has(field):
            yield pool.problem(field, f"no {field} for the kind {kind}", "remove the line, or change the kind")


@pool_rule(
    "A reservation is named by its cr- id.",
    "A launch template takes the reservation, not the block that it was sold as.",
)
def reservation_id(pool: PoolDraft) -> Iterator[Problem]:
    """``reservation_id``."""
    name = pool.text("reservation_id")
    if _RESERVATION.fullmatch(name):
        return
    if name.startswith("cb-"):
        fix = "take the reservation of that block: aws ec2 describe-capacity-reservations"
        yield pool.problem("reservation_id", "the id of a capacity reservation, cr-…; cb-… is the block", fix)
    else:
        yield pool.problem(
            "reservation_id", "cr- and 8 to 17 hex digits", "take it from describe-capacity-reservations"
        )


@pool_rule("The training plan is of this account and region.", "A plan can be used only where it was bought.")
def training_plan(pool: PoolDraft) -> Iterator[Problem]:
    """``training_plan_arn``."""
    region, account = region_facts(pool.draft), pool.draft.text("account_id")
    found = _PLAN.fullmatch(pool.text("training_plan_arn"))
    if found is None or found.groups()[:3] != (region.partition, region.name, account):
        expected = f"arn:{region.partition}:sagemaker:{region.name}:{account}:training-plan/<name>"
        yield pool.problem("training_plan_arn", expected, "take the ARN from aws sagemaker list-training-plans")


@pool_rule("A Capacity Block has at most 64 instances.", "AWS sells none larger, so this reservation cannot exist.")
def block_size(pool: PoolDraft) -> Iterator[Problem]:
    """``count`` of a Capacity Block."""
    if pool.text("kind") == "capacity-block" and pool.whole("count") > _LARGEST_BLOCK:
        yield pool.problem("count", f"at most {_LARGEST_BLOCK}", "split it into two blocks, each its own pool")


@rule("One reservation belongs to one pool.", "Two pools on it would each count all of its instances.")
def reservation_once(draft: Draft) -> Iterator[Problem]:
    """``reservation_id`` and ``training_plan_arn`` across pools."""
    for field in ("reservation_id", "training_plan_arn"):
        first: dict[str, str] = {}
        for pool in draft.pools():
            if not pool.has(field):
                continue
            value = pool.text(field)
            if value in first:
                fix = "write the pool's own, or make one pool of the two"
                yield pool.problem(field, f"another one than that of pool {first[value]}", fix)
            first.setdefault(value, pool.name)


@rule("The pools have room for all replicas.", "The replicas that have no node stay pending, and nothing says so.")
def room(draft: Draft) -> Iterator[Problem]:
    """``replicas`` against the counts of the pools. A replica lives within one pool; that it fits is another rule."""
    needed = replica_gpus(draft)
    total, parts = 0, []
    for pool in draft.pools():
        instance, count = pool_instance(pool), pool.whole("count")
        per_node, nodes = instance.gpus // needed, -(-needed // instance.gpus)
        here = count * per_node if per_node else count // nodes
        total += here
        parts.append(f"{pool.name}: {here}")
    if draft.whole("replicas") > total:
        expected = f"at most {total} ({', '.join(parts)}) with {needed} GPUs per replica"
        yield draft.problem(("replicas",), expected, f"write {max(total, 1)} or less, or add capacity")
