"""Address ranges and the way out."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import Final

from hawser.contract.checks.rule import rule
from hawser.contract.checks.zones import SUBNETS
from hawser.contract.draft import Draft, UnavailableError
from hawser.contract.problems import Problem, shown

#: Largest prefix length by kind of subnet. A GPU node takes about a hundred addresses; an upgrade of the control plane
#: needs free ones beside those in use; a NAT gateway takes one, and AWS makes no subnet smaller than /28.
_LONGEST_PREFIX: Final = {"node_subnets": 20, "control_plane_subnets": 27, "public_subnets": 28}
_VPC_PREFIX: Final = range(16, 29)
_PRIVATE: Final = tuple(IPv4Network(n) for n in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"))

#: Docker's own bridge, which nodes of EKS and SageMaker may have. EKS user guide (troubleshooting) and VPC user guide
#: (CIDR blocks) ask to keep a VPC out of it, 2026-12-01.
_BRIDGE: Final = IPv4Network("172.17.0.0/16")


def _network(text: str) -> IPv4Network | None:
    try:
        return IPv4Network(text) if "/" in text else None
    except ValueError:
        return None


def _vpc(draft: Draft) -> IPv4Network:
    """The range of the VPC. Raises ``UnavailableError`` when it is not one."""
    found = _network(draft.text("network", "vpc_cidr"))
    if found is None:
        raise UnavailableError
    return found


def _subnets(draft: Draft) -> Iterator[tuple[str, str, IPv4Network]]:
    """Kind, zone and range of each subnet whose range is well-formed."""
    for kind in SUBNETS:
        try:
            pairs = draft.pairs("network", kind)
        except UnavailableError:
            continue
        for zone, text in pairs.items():
            if network := _network(text):
                yield kind, zone, network


def _corrected(text: str) -> str:
    try:
        return f"write {IPv4Network(text, strict=False)}" if "/" in text else "write address/length"
    except ValueError:
        return "write an IPv4 range such as 10.40.0.0/16"


@rule("Ranges are IPv4 networks.", "A range with host bits set is read differently by different tools.")
def well_formed(draft: Draft) -> Iterator[Problem]:
    """Every CIDR of the file."""
    fields: list[tuple[tuple[str, ...], str]] = [(("network", "vpc_cidr"), draft.text("network", "vpc_cidr"))]
    for kind in SUBNETS:
        if draft.has("network", kind):
            fields += [(("network", kind, zone), text) for zone, text in draft.pairs("network", kind).items()]
    for path, text in fields:
        if _network(text) is None:
            yield draft.problem(path, "an IPv4 network such as 10.40.0.0/16", _corrected(text))


@rule("The cluster's public ranges are IPv4 networks.", "EKS refuses anything else.")
def public_access(draft: Draft) -> Iterator[Problem]:
    """``cluster.public_access_cidrs``."""
    for index, text in enumerate(draft.texts("cluster", "public_access_cidrs")):
        if _network(text) is None:
            path = ("cluster", "public_access_cidrs", str(index))
            yield draft.problem(path, "an IPv4 network such as 198.51.100.0/24", _corrected(text))


@rule(
    "The VPC has private addresses and a size that AWS makes.", "Public addresses of others would become unreachable."
)
def vpc(draft: Draft) -> Iterator[Problem]:
    """``network.vpc_cidr``."""
    network = _vpc(draft)
    if network.prefixlen not in _VPC_PREFIX:
        yield draft.problem(("network", "vpc_cidr"), "a length of /16 to /28", "choose another length, for example /16")
    elif not any(network.subnet_of(private) for private in _PRIVATE):
        expected = "a private range (10/8, 172.16/12, 192.168/16 or 100.64/10)"
        yield draft.problem(("network", "vpc_cidr"), expected, "choose a private range")
    elif network.overlaps(_BRIDGE):
        expected = f"no part of {_BRIDGE}, in which nodes answer with no route to host: Docker's bridge has it"
        yield draft.problem(("network", "vpc_cidr"), expected, "choose another range, for example 10.40.0.0/16")


@rule(
    "Subnets are large enough.", "A subnet cannot grow, and a GPU node with its pods takes about a hundred addresses."
)
def large_enough(draft: Draft) -> Iterator[Problem]:
    """Length of each subnet by its kind."""
    for kind, zone, network in _subnets(draft):
        longest = _LONGEST_PREFIX[kind]
        if network.prefixlen > longest:
            yield draft.problem(("network", kind, zone), f"/{longest} or larger", f"write a range of /{longest}")


@rule("Subnets lie inside the VPC.", "AWS refuses the others, after half of the network is built.")
def inside(draft: Draft) -> Iterator[Problem]:
    """Each subnet against ``network.vpc_cidr``."""
    whole, subnets = _vpc(draft), list(_subnets(draft))
    if subnets and not any(network.subnet_of(whole) for _, _, network in subnets):
        around = _around([network for _, _, network in subnets])
        expected = f"a range that holds the subnets ({around} does)"
        yield draft.problem(("network", "vpc_cidr"), expected, f"write {around}, or choose the subnets inside {whole}")
        return
    for kind, zone, network in subnets:
        if not network.subnet_of(whole):
            yield draft.problem(("network", kind, zone), f"a range inside {whole}", f"choose a free part of {whole}")


def _around(networks: list[IPv4Network]) -> IPv4Network:
    """The smallest range that holds all of them."""
    around = networks[0]
    while not all(network.subnet_of(around) for network in networks):
        around = around.supernet()
    return around


@rule("Subnets do not overlap.", "AWS refuses the second of the two, after half of the network is built.")
def apart(draft: Draft) -> Iterator[Problem]:
    """Each subnet against those before it."""
    before: list[tuple[str, str, IPv4Network]] = []
    for kind, zone, network in _subnets(draft):
        for other_kind, other_zone, other in before:
            if network.overlaps(other):
                expected = f"no part of {other} ({other_kind}.{shown(other_zone)})"
                yield draft.problem(("network", kind, zone), expected, "choose a free range")
                break
        before.append((kind, zone, network))


@rule(
    "The way out has what it needs, and no more.", "A NAT gateway stands in a public subnet; a closed network has none."
)
def egress(draft: Draft) -> Iterator[Problem]:
    """``network.public_subnets`` against ``network.egress``."""
    way = draft.text("network", "egress")
    zones = draft.names("network", "public_subnets")
    path = ("network", "public_subnets")
    if way == "nat" and not zones:
        yield draft.problem(
            path, "at least one subnet for a NAT gateway", "add one, or set egress: endpoints", found="none"
        )
    if way == "endpoints" and zones:
        fix = "write {}, or set egress: nat"
        yield draft.problem(path, "none when egress is endpoints", fix, found=f"{len(zones)} of them")
