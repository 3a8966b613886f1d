"""Zone ids: of the right form and region, and with a subnet where a pool needs one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser import facts
from hawser.contract.checks.access import region_facts
from hawser.contract.checks.rule import pool_rule, rule
from hawser.contract.draft import Draft, PoolDraft
from hawser.contract.problems import Problem, shown

#: Subnets of the network, by kind; each maps zone ids to ranges.
SUBNETS: Final = ("node_subnets", "control_plane_subnets", "public_subnets")
_ZONE_ID: Final = re.compile(r"([a-z0-9]+)-az[1-9][0-9]?")
_LOCAL_ZONE_ID: Final = re.compile(r"[a-z0-9]+-[a-z]{3}[0-9]+-az[0-9]+")


def _wrong(zone: str, region: facts.Region) -> tuple[str, str] | None:
    """What is expected instead of ``zone`` and how to get there; nothing when it is a zone id of the region."""
    expected = f"a zone id of {region.name} such as {region.zone_prefix}-az1"
    listing = f"aws ec2 describe-availability-zones --region {region.name}"
    if re.fullmatch(r"[a-z]{2}(-[a-z]+)+-[0-9]+[a-z]", zone):
        return (
            f"{expected}, not a zone name",
            f"look up its id: {listing} (a zone name is another place in each account)",
        )
    if _LOCAL_ZONE_ID.fullmatch(zone):
        return f"{expected}, not a Local Zone", "choose a zone of the region: node groups are not made in Local Zones"
    found = _ZONE_ID.fullmatch(zone)
    if found is None:
        return expected, f"take it from {listing}"
    if found[1] != region.zone_prefix:
        of = next((r.name for r in facts.regions().values() if r.zone_prefix == found[1]), None)
        return expected, f"{shown(zone)} belongs to {of}: correct zone or region" if of else f"take it from {listing}"
    return None


@pool_rule(
    "A pool's zone is a zone id of the region.",
    "Reservations are bound to zone ids; names differ from account to account.",
)
def pool_zone(pool: PoolDraft) -> Iterator[Problem]:
    """``zone_id`` of a pool."""
    if wrong := _wrong(pool.text("zone_id"), region_facts(pool.draft)):
        yield pool.problem("zone_id", *wrong)


@rule("Subnets are named by zone ids of the region.", "A zone name is another place in each account.")
def subnet_zones(draft: Draft) -> Iterator[Problem]:
    """Names in the maps of subnets."""
    region = region_facts(draft)
    for path in (draft.node_subnets,) if draft.existing else tuple(("network", kind) for kind in SUBNETS):
        for zone in draft.names(*path):
            if wrong := _wrong(zone, region):
                yield draft.problem((*path, zone), *wrong, found=f"the name {shown(zone)}")


@pool_rule("A pool's zone has a node subnet.", "The nodes of a reservation can only start in its own zone.")
def pool_subnet(pool: PoolDraft) -> Iterator[Problem]:
    """``zone_id`` against the subnets of nodes."""
    zone, path = pool.text("zone_id"), pool.draft.node_subnets
    have, subnets = pool.draft.names(*path), ".".join(path)
    if _wrong(zone, region_facts(pool.draft)) is None and zone not in have:
        expected = f"a zone of {subnets} ({', '.join(shown(name) for name in have) or 'none'})"
        yield pool.problem("zone_id", expected, f"add {zone} to {subnets}")


@rule("The control plane has subnets in two zones that EKS accepts.", "EKS refuses to create the cluster otherwise.")
def control_plane_zones(draft: Draft) -> Iterator[Problem]:
    """``network.control_plane_subnets``."""
    region = region_facts(draft)
    zones = draft.names("network", "control_plane_subnets")
    for zone in zones:
        if zone in region.no_control_plane:
            fix = "choose another zone of the region"
            path = ("network", "control_plane_subnets", zone)
            yield draft.problem(path, "a zone in which EKS makes control planes", fix, found=zone)
    if len(zones) == 1:
        yield draft.problem(
            ("network", "control_plane_subnets"),
            "at least two zones",
            "add a subnet in a second zone",
            found=f"one zone ({shown(zones[0])})",
        )
