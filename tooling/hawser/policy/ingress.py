"""Ingress rules of security groups in one shape, from all resource types that can hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hawser.policy.addresses import Network, network
from hawser.policy.documents import referred
from hawser.policy.registry import Context
from hawser.policy.templates import STACK, Made, made_by
from hawser.policy.unknown import Doubts
from hawser.terraform.configuration import module_path
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Unknown, Value

#: Highest port; every port is 0 to 65535.
LAST: Final = 65535
ANY: Final = "-1"

#: IP protocol numbers that AWS prints as names.
_NAMES: Final = {"6": "tcp", "17": "udp", "1": "icmp", "58": "icmpv6", "all": ANY}

TYPES: Final = (
    "aws_security_group",
    "aws_default_security_group",
    "aws_security_group_rule",
    "aws_vpc_security_group_ingress_rule",
    "aws_ec2_managed_prefix_list",
    "aws_ec2_managed_prefix_list_entry",
    STACK,
)


PREFIX_LIST: Final = "names a prefix list, whose ranges are not in the plan"

#: Attributes that stand for addresses which are not in the plan, in words.
_NAMED: Final = {
    "prefix_list_ids": "prefix list",
    "prefix_list_id": "prefix list",
    "security_groups": "security group",
    "source_security_group_id": "security group",
    "referenced_security_group_id": "security group",
}
_NAMES_IN_TEMPLATE: Final = {
    "SourcePrefixListId": "prefix list",
    "SourceSecurityGroupId": "security group",
    "SourceSecurityGroupName": "security group",
}


@dataclass(frozen=True, slots=True)
class Ingress:
    """One ingress rule: who may come in, on which ports (inclusive) of which protocol (``-1``: all).

    ``ranges`` are addresses; ``names`` are what stands for addresses that are not in the plan: security groups, the
    group itself, prefix lists.
    """

    change: Change
    path: str
    group: str
    protocol: str
    first: int
    last: int
    ranges: tuple[Network, ...]
    names: tuple[str, ...] = ()

    @property
    def ports(self) -> str:
        """``tcp 443``, ``udp 0–65535``, ``every protocol and port``."""
        if self.protocol == ANY:
            return "every protocol and port"
        return (
            f"{self.protocol} {self.first}" if self.first == self.last else f"{self.protocol} {self.first}–{self.last}"
        )


def ingress_of(change: Change, context: Context, doubts: Doubts) -> Iterator[Ingress]:
    """The ingress rules of a change; what cannot be judged goes to ``doubts``."""
    after = change.after
    if change.type == STACK:
        for made in made_by(change):
            yield from _in_template(change, made, doubts)
        return
    if change.type in ("aws_security_group", "aws_default_security_group"):
        with doubts:
            if not _left_to_others(change, context):
                for block in after.get("ingress").elements():
                    yield from _rule(
                        change,
                        context,
                        _own_group(change, after),
                        block,
                        "protocol",
                        ("cidr_blocks", "ipv6_cidr_blocks"),
                        "prefix_list_ids",
                        doubts,
                    )
        return
    if change.type.startswith("aws_ec2_managed_prefix_list"):
        yield from _prefix_list(change, context, doubts)
        return
    if change.type == "aws_security_group_rule":
        if after.get("type").raw() == "egress":
            return
        group = _group(change, context)
        yield from _rule(
            change, context, group, after, "protocol", ("cidr_blocks", "ipv6_cidr_blocks"), "prefix_list_ids", doubts
        )
        return
    yield from _rule(
        change,
        context,
        _group(change, context),
        after,
        "ip_protocol",
        ("cidr_ipv4", "cidr_ipv6"),
        "prefix_list_id",
        doubts,
    )


def _prefix_list(change: Change, context: Context, doubts: Doubts) -> Iterator[Ingress]:
    """The ranges of a list: rules that name it, in this plan or not, let all of them in."""
    if change.type == "aws_ec2_managed_prefix_list_entry":
        targets = sorted(context.configuration.targets(change, "prefix_list_id"))
        text = change.after.get("prefix_list_id").raw()
        name = text if isinstance(text, str) else str(targets[:1] or change.address)
        rows: tuple[Value, ...] = (change.after,)
    else:
        name, entries = _own_group(change, change.after), change.after.get("entry")
        if entries.is_unknown and not context.configuration.writes(change, "entry"):
            return
        rows = tuple(entries.elements())
    for row in rows:
        value = row.get("cidr")
        with doubts:
            if ranges := _ranges(value, doubts):
                yield Ingress(change, value.path, name, ANY, 0, LAST, tuple(ranges))


def _in_template(change: Change, made: Made, doubts: Doubts) -> Iterator[Ingress]:
    """Rules of a group in a template, and rules that stand by themselves there."""
    if made.type == "AWS::EC2::SecurityGroup":
        listed = made.properties.get("SecurityGroupIngress")
        for index, rule in enumerate(listed if isinstance(listed, list) else [listed]):
            yield from _template_rule(change, made.name, rule, made.path("SecurityGroupIngress", index), doubts)
    elif made.type == "AWS::EC2::SecurityGroupIngress":
        group = next(referred(made.properties.get("GroupId")), made.name)
        yield from _template_rule(change, group, made.properties, made.path(), doubts)


def _template_rule(change: Change, group: str, rule: Any, path: str, doubts: Doubts) -> Iterator[Ingress]:
    if isinstance(rule, Unknown):
        doubts.add(path)
    if not isinstance(rule, dict):
        return
    ranges: list[Network] = []
    for key in ("CidrIp", "CidrIpv6"):
        text = rule.get(key)
        one = network(text) if isinstance(text, str) else None
        if one is not None:
            ranges.append(one)
        elif text is not None:
            doubts.add(f"{path}.{key}", "" if isinstance(text, Unknown) else "is not an address range")
    if "SourcePrefixListId" in rule:
        doubts.add(f"{path}.SourcePrefixListId", PREFIX_LIST)
    names = tuple(
        f"{kind} {rule[key] if isinstance(rule[key], str) else next(referred(rule[key]), UNKNOWN)}"
        for key, kind in _NAMES_IN_TEMPLATE.items()
        if rule.get(key) is not None
    )
    if ranges or names:
        protocol, first, last = _ports_of(rule.get("IpProtocol"), rule.get("FromPort"), rule.get("ToPort"))
        key = "CidrIp" if "CidrIp" in rule else "CidrIpv6"
        yield Ingress(change, f"{path}.{key}", f"{change.address}|{group}", protocol, first, last, tuple(ranges), names)


def _left_to_others(change: Change, context: Context) -> bool:
    """Rules not written here are Optional+Computed: unknown at creation and then empty, or those of rule resources."""
    return change.after.get("ingress").is_unknown and not context.configuration.writes(change, "ingress")


def _rule(
    change: Change,
    context: Context,
    group: str,
    value: Value,
    protocol_key: str,
    cidr_keys: tuple[str, ...],
    list_key: str,
    doubts: Doubts,
) -> Iterator[Ingress]:
    ranges: list[Network] = []
    for key in cidr_keys:
        with doubts:
            ranges += _ranges(value.get(key), doubts)
    if value.get(list_key).present:
        doubts.add(value.get(list_key).path, PREFIX_LIST)
    names = tuple(_named(value, change, context))
    if not ranges and not names:
        return
    protocol, first, last = _ports(value, protocol_key)
    path = value.get(_first_path(value, cidr_keys)).path if ranges else value.path
    yield Ingress(change, path, group, protocol, first, last, tuple(ranges), names)


def _named(value: Value, change: Change, context: Context) -> Iterator[str]:
    """``prefix list pl-1``, ``security group sg-1``, ``the group itself``; what is not known is said to be so."""
    for key, kind in _NAMED.items():
        child = value.get(key)
        computed = child.is_unknown and child.path == key and not context.configuration.writes(change, key)
        if not child.present or computed:
            continue
        raw = child.raw()
        known = [str(one) for one in (raw if isinstance(raw, list) else [raw]) if one]
        for one in known if not child.is_unknown else ():
            yield f"{kind} {one}"
        if child.has_unknown:
            yield f"{kind} {UNKNOWN}"
    if value.get("self").raw() is True:
        yield "the group itself"


def _ranges(value: Value, doubts: Doubts) -> list[Network]:
    if value.is_unknown:
        value.known()
    raw = value.raw()
    found: list[Network] = []
    for item in value.elements() if isinstance(raw, list) else (value,):
        text = item.raw()
        if item.is_unknown:
            doubts.add(item.path)
        elif isinstance(text, str):
            one = network(text)
            if one is None:
                doubts.add(item.path, "is not an address range")
            else:
                found.append(one)
    return found


def _first_path(value: Value, cidr_keys: tuple[str, ...]) -> str:
    return next((key for key in cidr_keys if value.get(key).present and not value.get(key).is_unknown), cidr_keys[0])


def _ports(value: Value, protocol_key: str) -> tuple[str, int, int]:
    """Protocol and ports; what is unknown counts as all of them: the range is open either way."""
    return _ports_of(*(_plain(value.get(key)) for key in (protocol_key, "from_port", "to_port")))


def _plain(value: Value) -> Any:
    return None if value.is_unknown else value.raw()


def _ports_of(protocol: Any, first: Any, last: Any) -> tuple[str, int, int]:
    name = str(protocol).lower() if isinstance(protocol, (str, int)) else ANY
    name = _NAMES.get(name, name)
    first, last = _port(first, 0), _port(last, LAST)
    if name not in ("tcp", "udp") or first < 0 or last < first:
        return name, 0, LAST
    return name, first, last


def _port(raw: Any, default: int) -> int:
    """A port as a number; templates may give it as text."""
    if isinstance(raw, str) and raw.isascii() and raw.isdigit():
        return int(raw)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else default


def _own_group(change: Change, after: Value) -> str:
    for side in (change.before, after):
        raw = side.get("id").raw()
        if isinstance(raw, str) and raw and not side.get("id").is_unknown:
            return raw
    return _new_group(change, module_path(change.module_address), f"{change.type}.{change.name}")


def _new_group(change: Change, path: str, name: str) -> str:
    """A group without an id yet: instances of ``for_each`` count as one, since references carry no key."""
    same = path == module_path(change.module_address)
    return f"{path}|{name}|{change.module_address if same else path}"


def _group(change: Change, context: Context) -> str:
    """The group that a rule belongs to: its id, or the resource that the configuration refers to."""
    value = change.after.get("security_group_id")
    raw = value.raw()
    if isinstance(raw, str) and raw and not value.is_unknown:
        return raw
    targets = sorted(context.configuration.targets(change, "security_group_id"))
    return _new_group(change, *targets[0]) if targets else change.address
