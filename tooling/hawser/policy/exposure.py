"""What becomes reachable from where, and what no longer is: by arithmetic over ranges and ports.

Only attributes that let somebody in are read: ingress of security groups, endpoints, load balancers, databases, and
what shares a bucket, an image or a snapshot. Ports that were open already, in whatever pieces, are not said again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hawser.policy.addresses import Network, network, whom, without
from hawser.policy.iam import granting
from hawser.policy.ingress import ANY, LAST, PREFIX_LIST, Ingress, ingress_of
from hawser.policy.ingress import TYPES as RULES
from hawser.policy.privileges import Direction
from hawser.policy.registry import Context
from hawser.policy.resource_policies import POLICIES, is_open, resource_statements
from hawser.policy.shares import SHARES, shared_with_everybody
from hawser.policy.templates import STACK, resources
from hawser.policy.unknown import Doubts, places_of
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, UndecidableError, Value


@dataclass(frozen=True, slots=True)
class Exposure:
    """One difference. ``direction`` more: opens; less: closes; unknown: nobody can say before the apply.

    ``address`` and ``path`` lead to what opens or closes it. ``what`` is a sentence: ports, and from where.
    ``internet`` says that the internet, or every AWS account, gets in (or did). ``new`` says that the thing itself is
    made (or ends) with this plan, ``drift`` that it happened outside of Terraform already.
    """

    direction: Direction
    address: str
    path: str
    what: str
    internet: bool = False
    new: bool = False
    drift: bool = False

    def sort_key(self) -> tuple[object, ...]:
        """Worst first: what opens before what is unknown before what closes; the internet before named ranges."""
        order = list(Direction).index(self.direction)
        return (order, not self.internet, self.new, self.address, self.path, self.what)


_BLOCKS: Final = {"aws_s3_bucket_public_access_block": "bucket", "aws_s3_account_public_access_block": "account_id"}
_FLAGS: Final = ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")

#: Type -> path of a flag that puts the thing on the internet, and the words for it (hashicorp/aws 5.100.0).
PUBLIC: Final[Mapping[str, tuple[tuple[str | int, ...], str]]] = {
    "aws_db_instance": (("publicly_accessible",), "the database has a public address"),
    "aws_dms_replication_instance": (("publicly_accessible",), "the replication instance has a public address"),
    "aws_instance": (("associate_public_ip_address",), "the instance has a public address"),
    "aws_launch_template": (
        ("network_interfaces", 0, "associate_public_ip_address"),
        "instances of the template get public addresses",
    ),
    "aws_mq_broker": (("publicly_accessible",), "the broker has a public address"),
    "aws_rds_cluster_instance": (("publicly_accessible",), "the database has a public address"),
    "aws_redshift_cluster": (("publicly_accessible",), "the database has a public address"),
    "aws_subnet": (("map_public_ip_on_launch",), "what starts in the subnet gets a public address"),
}
_BALANCERS: Final = ("aws_lb", "aws_alb", "aws_elb")
_CLUSTER: Final = "aws_eks_cluster"

TYPES: Final = tuple(
    dict.fromkeys((*RULES, *POLICIES, *SHARES, *_BLOCKS, *PUBLIC, *_BALANCERS, _CLUSTER, "aws_s3_bucket", "aws_route"))
)


def exposures(context: Context) -> tuple[Exposure, ...]:
    """Every difference in what is reachable that the plan makes, and that drift made, worst first."""
    found: list[Exposure] = []
    sides = context.sides
    if any(change.changes for change in context.plan.of_type(*TYPES)):
        found += _differences(sides.standing, sides.planned, context, drift=False)
    for address, name in sides.hidden(TYPES):
        found.append(Exposure(Direction.UNKNOWN, address, name, f"{name} is sensitive"))
    if sides.has_drift:
        found += _differences(sides.recorded, sides.refreshed, context, drift=True)
    return tuple(sorted(dict.fromkeys(found), key=Exposure.sort_key))


# -- what is open ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """What is open at one moment: ingress by group, and other openings as (address, path) and words by key.

    ``guards`` are what keeps buckets closed. ``unseen`` maps addresses to places that cannot be read.
    """

    groups: dict[str, list[Ingress]] = field(default_factory=dict)
    openings: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    guards: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    unseen: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    buckets: set[str] = field(default_factory=set)


def _open(context: Context) -> _Open:
    found = _Open()
    for change in context.plan.changes:
        if change.mode != "managed":
            continue
        doubts = Doubts().about(change.address)
        if change.type in RULES:
            for one in ingress_of(change, context, doubts):
                found.groups.setdefault(one.group, []).append(one)
        if change.type == _CLUSTER:
            with doubts:
                found.groups.setdefault(f"endpoint {change.address}", []).extend(_endpoint(change, context))
        for path, words in _openings(change, context, doubts):
            found.openings[change.address, words] = (change.address, path)
        if change.type in _BLOCKS:
            _guard(found, change, doubts)
        if change.type == "aws_s3_bucket":
            found.buckets.add(str(change.after.get("bucket").raw()))
        _remember(found, change, doubts)
    return found


def _remember(found: _Open, change: Change, doubts: Doubts) -> None:
    try:
        doubts.settle()
        if change.type == STACK:
            for _ in resources(change, "after"):
                pass
    except UndecidableError as error:
        places = [(path, reason) for _, path, reason in places_of(error) if reason != PREFIX_LIST]
        if places:
            found.unseen[change.address] = places


def _endpoint(change: Change, context: Context) -> Iterator[Ingress]:
    """The public endpoint of a cluster as an ingress rule. EKS opens it to everybody when nothing is said."""
    settings = change.after.at("vpc_config", 0)
    public, cidrs = settings.get("endpoint_public_access"), settings.get("public_access_cidrs")
    if public.raw() is False and not public.is_unknown:
        return
    said = bool(context.configuration.expression(change, "vpc_config", 0, "public_access_cidrs"))
    texts = ["0.0.0.0/0"]
    if cidrs.raw() or said or (cidrs.is_unknown and change.before.raw()):
        texts = [str(text) for text in cidrs.known() or texts]
    if public.is_unknown:
        public.known()
    ranges = tuple(one for one in map(network, texts) if one is not None)
    path = cidrs.path or "vpc_config[0].public_access_cidrs"
    yield Ingress(change, path, f"endpoint {change.address}", "tcp", 443, 443, ranges)


def _openings(change: Change, context: Context, doubts: Doubts) -> Iterator[tuple[str, str]]:
    if change.type in POLICIES or change.type == STACK:
        for one in granting(resource_statements(change, context, doubts), doubts, is_open):
            done = ", ".join(map(str, one.actions)) or f"everything but {', '.join(map(str, one.not_actions))}"
            yield one.path, f"everybody may call {done}"
    with doubts:
        for path, words in shared_with_everybody(change, context):
            yield path, words[:1].lower() + words[1:].rstrip(".")
    if change.type in PUBLIC:
        keys, words = PUBLIC[change.type]
        if is_on(change.after.at(*keys), change, context, doubts):
            yield change.after.at(*keys).path, words
    if change.type in _BALANCERS:
        internal = change.after.get("internal")
        unsaid = internal.is_null or (internal.is_unknown and not context.configuration.writes(change, "internal"))
        with doubts:
            if unsaid or internal.known() is not True:
                yield "internal", "the load balancer faces the internet"
    if change.type == "aws_route":
        gateway, to = change.after.get("gateway_id"), change.after.get("destination_cidr_block").raw()
        to = to or change.after.get("destination_ipv6_cidr_block").raw()
        new = gateway.is_unknown and any(
            name.startswith("aws_internet_gateway.") for _, name in context.configuration.targets(change, "gateway_id")
        )
        if to and (new or str(gateway.raw()).startswith("igw-")):
            yield "gateway_id", f"the route table reaches {to} through an internet gateway"


def is_on(value: Value, change: Change, context: Context, doubts: Doubts) -> bool:
    """Whether a flag is on; one that nobody wrote and the provider computes is off."""
    if value.is_unknown and not context.configuration.writes(change, value.path.split("[")[0]):
        return False
    with doubts:
        return bool(value.known() in (True, "true"))
    return False


def _guard(found: _Open, change: Change, doubts: Doubts) -> None:
    value = change.after.get(_BLOCKS[change.type])
    of = str(value.raw()) if value.raw() and not value.is_unknown else change.address
    for flag in _FLAGS:
        with doubts:
            if change.after.get(flag).known() is True:
                found.guards[of, flag] = (change.address, flag)


# -- differences -------------------------------------------------------------------------------------------------------


def _differences(before: Context, after: Context, context: Context, *, drift: bool) -> Iterator[Exposure]:
    difference = _Difference(before, after, drift)
    yield from difference.of_groups()
    yield from difference.of_openings()
    yield from difference.of_guards()
    touched = {change.address for change in context.plan.changes if change.changes or drift}
    yield from difference.of_unseen(touched)


class _Difference:
    def __init__(self, before: Context, after: Context, drift: bool) -> None:
        self.old, self.new, self.drift = _open(before), _open(after), drift
        self.stood = {change.address for change in before.plan.changes}
        self.stays = {change.address for change in after.plan.changes}
        self.ended = {
            str(change.after.get("id").raw())
            for change in before.plan.of_type("aws_security_group")
            if change.address not in self.stays
        }

    def entry(
        self,
        direction: Direction,
        address: str,
        path: str,
        what: str,
        *,
        internet: bool = False,
        new: bool | None = None,
    ) -> Exposure:
        if new is None:
            new = address not in (self.stays if direction is Direction.LESS else self.stood)
        return Exposure(direction, address, path, what, internet, new, self.drift)

    def of_openings(self) -> Iterator[Exposure]:
        old, new = self.old.openings, self.new.openings
        for key in sorted(old.keys() | new.keys()):
            address, words = key
            if key not in old:
                yield self.entry(Direction.MORE, address, new[key][1], words, internet=True)
            elif key not in new:
                direction = Direction.UNKNOWN if address in self.new.unseen else Direction.LESS
                yield self.entry(direction, address, old[key][1], f"no longer: {words}", internet=True)

    def of_guards(self) -> Iterator[Exposure]:
        """What keeps a bucket closed, unless the bucket goes as well, or is new and closed from the start."""
        old, new = self.old, self.new
        for of, flag in sorted(old.guards.keys() - new.guards.keys()):
            address, _ = old.guards[of, flag]
            if of not in old.buckets or of in new.buckets:
                direction = Direction.UNKNOWN if address in new.unseen else Direction.MORE
                words = f"{flag} no longer holds: it may be opened to everybody"
                yield self.entry(direction, address, flag, words, internet=True, new=False)
        for of, flag in sorted(new.guards.keys() - old.guards.keys()):
            address, _ = new.guards[of, flag]
            if of in old.buckets or address in self.stood:
                yield self.entry(Direction.LESS, address, flag, f"{flag} keeps it closed to everybody", new=False)

    def of_unseen(self, touched: set[str]) -> Iterator[Exposure]:
        for address in sorted(self.new.unseen.keys() & touched):
            for path, reason in self.new.unseen[address]:
                if (path, reason) not in self.old.unseen.get(address, ()):
                    yield self.entry(Direction.UNKNOWN, address, path, reason or "known only after apply")

    def of_groups(self) -> Iterator[Exposure]:
        for group in sorted(self.old.groups.keys() | self.new.groups.keys()):
            had, has = self.old.groups.get(group, []), self.new.groups.get(group, [])
            if list(map(_rule, had)) == list(map(_rule, has)):
                continue  # nearly every group
            yield from self._opened(had, has, new=not had and self._is_new(group))
            yield from self._closed(had, has, ends=group in self.ended)

    def _is_new(self, group: str) -> bool:
        """A group without an id yet is new; one in a template, or an endpoint, when what makes it is."""
        made_by = group.removeprefix("endpoint ").split("|")[0]
        return (
            made_by not in self.stood if group.startswith("endpoint ") else "|" in group and made_by not in self.stood
        )

    def _is_vague(self, had: list[Ingress], has: list[Ingress]) -> bool:
        """Whether something of the group is not known yet: what seems to close may stay open."""
        unread = any(one.change.address in self.new.unseen for one in (*had, *has))
        return unread or any(str(UNKNOWN) in name for one in has for name in one.names)

    def _opened(self, had: list[Ingress], has: list[Ingress], *, new: bool) -> Iterator[Exposure]:
        lost = self._is_vague(had, has) and bool(set(_names(had)) - set(_names(has)))
        for protocol, first, last, part in _gained(had, has):
            sources = _of(has, protocol, first, part)
            now, was = (
                [one for rule in side if _at(rule, protocol, first) for one in rule.ranges] for side in (has, had)
            )
            alone, together = whom(part.ranges), whom(now)
            grown = bool(part.ranges) and together not in (alone, whom(was))
            reach = f"with what is open already, {together}" if grown else alone
            unsure = lost and not part.ranges and all(str(UNKNOWN) in name for name in part.names)
            words = f"{_ports(protocol, first, last)} from {_sources(part, sources)}"
            words += f": {reach}" if reach else ""
            yield self.entry(
                Direction.UNKNOWN if unsure else Direction.MORE,
                sources[0].change.address,
                sources[0].path,
                words,
                internet=bool(reach),
                new=new,
            )

    def _closed(self, had: list[Ingress], has: list[Ingress], *, ends: bool) -> Iterator[Exposure]:
        vague = self._is_vague(had, has)
        for protocol, first, last, part in _gained(has, had):
            sources = _of(had, protocol, first, part)
            words = f"no longer {_ports(protocol, first, last)} from {_sources(part, sources)}"
            yield self.entry(
                Direction.UNKNOWN if vague else Direction.LESS,
                sources[0].change.address,
                sources[0].path,
                f"perhaps {words}" if vague else words,
                internet=bool(whom(part.ranges)),
                new=ends,
            )


@dataclass(frozen=True, slots=True)
class _Slice:
    """What a group lets in, or no longer, on some ports of one protocol."""

    ranges: tuple[Network, ...]
    names: tuple[str, ...]


def _rule(one: Ingress) -> tuple[object, ...]:
    return (one.protocol, one.first, one.last, one.ranges, one.names)


def _gained(had: list[Ingress], has: list[Ingress]) -> Iterator[tuple[str, int, int, _Slice]]:
    """(protocol, first port, last port, what) that ``has`` lets in and ``had`` does not; equal neighbours are one."""
    everywhere: dict[tuple[int, int], _Slice] = {}
    protocols = sorted({one.protocol for one in has}, key=lambda name: (name != ANY, name))
    for protocol in protocols:
        found: list[tuple[int, int, _Slice]] = []
        for first, last in _slices([*had, *has], protocol):
            mine, theirs = ([one for one in side if _at(one, protocol, first)] for side in (has, had))
            ranges = without(_ranges(mine), _ranges(theirs))
            names = set(_names(mine)) - set(_names(theirs))
            if protocol != ANY and everywhere:
                (said,) = everywhere.values()
                ranges, names = without(ranges, said.ranges), names - set(said.names)
            if not ranges and not names:
                continue
            part = _Slice(ranges, tuple(sorted(names)))
            if found and found[-1][1] + 1 == first and found[-1][2] == part:
                found[-1] = (found[-1][0], last, part)
            else:
                found.append((first, last, part))
        for first, last, part in found:
            if protocol == ANY:
                everywhere[first, last] = part
            yield protocol, first, last, part


def _slices(rules: Iterable[Ingress], protocol: str) -> Iterator[tuple[int, int]]:
    """The ports of a protocol in pieces within which every rule holds for all or for none."""
    if protocol == ANY:
        yield 0, LAST
        return
    starts = {0, LAST + 1}
    for rule in rules:
        if rule.protocol == protocol:
            starts |= {rule.first, rule.last + 1}
    ordered = sorted(starts)
    yield from ((first, after - 1) for first, after in pairwise(ordered))


def _at(rule: Ingress, protocol: str, port: int) -> bool:
    """Whether a rule speaks of a port of a protocol; what holds for every protocol holds for each."""
    return rule.protocol == ANY or (rule.protocol == protocol and rule.first <= port <= rule.last)


def _of(rules: list[Ingress], protocol: str, port: int, part: _Slice) -> list[Ingress]:
    """The rules that open (or opened) it; those that the plan touches come first."""
    fitting = [one for one in rules if _at(one, protocol, port) and _has_part(one, part)]
    return sorted(fitting, key=lambda one: (not one.change.changes, one.change.address, one.path))


def _has_part(rule: Ingress, part: _Slice) -> bool:
    return bool(set(rule.names) & set(part.names)) or without(part.ranges, rule.ranges) != part.ranges


def _ranges(rules: Iterable[Ingress]) -> list[Network]:
    return [one for rule in rules for one in rule.ranges]


def _names(rules: Iterable[Ingress]) -> Iterator[str]:
    return (name for rule in rules for name in rule.names)


def _ports(protocol: str, first: int, last: int) -> str:
    if protocol == ANY:
        return "every protocol and port"
    if protocol not in ("tcp", "udp"):
        return protocol
    if (first, last) == (0, LAST):
        return f"every {protocol} port"
    return f"{protocol} {first}" if first == last else f"{protocol} {first}–{last}"


def _sources(part: _Slice, rules: Iterable[Ingress]) -> str:
    """Ranges and names. Pieces that are many are told as they are written, and more than four by their number."""
    ranges: Iterable[Network] = part.ranges
    if len(part.ranges) > 4:
        ranges = dict.fromkeys(one for rule in rules for one in rule.ranges)
    shown = [str(one) for one in ranges]
    if len(shown) > 4:
        shown = [*shown[:4], f"{len(shown) - 4} more ranges"]
    return ", ".join([*shown, *part.names])
