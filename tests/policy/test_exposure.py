"""What becomes reachable from where: ranges and ports are counted, not compared as texts."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.handmade_plans import entry, plan

from hawser.policy.addresses import Network, whom, without
from hawser.policy.exposure import Exposure, exposures
from hawser.policy.privileges import Direction
from hawser.policy.registry import Context

MORE, LESS, UNSURE = Direction.MORE, Direction.LESS, Direction.UNKNOWN
HALVES = ("0.0.0.0/1", "128.0.0.0/1")


def block(*cidrs: str, first: int = 443, last: int | None = None, protocol: str = "tcp", **more: Any) -> dict[str, Any]:
    four, six = ([one for one in cidrs if (":" in one) == wanted] for wanted in (False, True))
    last = first if last is None else last
    ports = {"protocol": protocol, "from_port": first, "to_port": last}
    return {**ports, "cidr_blocks": four, "ipv6_cidr_blocks": six, **more}


def group(*rules: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "sg-1", "ingress": list(rules), **more}


def rule(cidr: str = "", **more: Any) -> dict[str, Any]:
    said = {"cidr_ipv4": cidr} if cidr else {}
    ports = {"ip_protocol": "tcp", "from_port": 443, "to_port": 443}
    return {"security_group_id": "sg-1", **ports, **said, **more}


def found(*changes: dict[str, Any], **more: Any) -> tuple[Exposure, ...]:
    return exposures(Context(plan(*changes, **more)))


def of_group(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[tuple[Direction, str, bool]]:
    change = entry("aws_security_group.x", ["update"], group(*before), group(*after))
    return [(one.direction, one.what, one.internet) for one in found(change)]


OFFICE = "203.0.113.0/24"
CASES = {
    "one range": ([], [block(OFFICE)], [(MORE, f"tcp 443 from {OFFICE}", False)]),
    "two halves": ([], [block(*HALVES)], [(MORE, "tcp 443 from 0.0.0.0/0: the internet", True)]),
    "two halves of IPv6": ([], [block("::/1", "8000::/1")], [(MORE, "tcp 443 from ::/0: the internet", True)]),
    "the second half": (
        [block(HALVES[0])],
        [block(HALVES[0]), block(HALVES[1])],
        [(MORE, "tcp 443 from 128.0.0.0/1: 1,609,302,016 public IPv4 addresses, more than a /8", True)],
    ),
    "a quarter that makes it half": (
        [block("64.0.0.0/2")],
        [block("64.0.0.0/2"), block("128.0.0.0/2")],
        [(MORE, "tcp 443 from 128.0.0.0/2: with what is open already, the internet", True)],
    ),
    "every protocol": (
        [block(OFFICE)],
        [block(OFFICE, first=0, last=0, protocol="-1")],
        [(MORE, f"every protocol and port from {OFFICE}", False)],
    ),
    "more ports": (
        [block(OFFICE, first=443, last=445)],
        [block(OFFICE, first=440, last=450)],
        [(MORE, f"tcp 440–442 from {OFFICE}", False), (MORE, f"tcp 446–450 from {OFFICE}", False)],
    ),
    "ports in two rules": (
        [block(OFFICE, first=1, last=10)],
        [block(OFFICE, first=1, last=5), block(OFFICE, first=6, last=10)],
        [],
    ),
    "a range in two halves": ([block("10.0.0.0/8")], [block("10.128.0.0/9", "10.0.0.0/9")], []),
    "a range within another": ([block("10.0.0.0/8")], [block("10.0.0.0/8"), block("10.1.0.0/16")], []),
    "host bits": ([block("10.0.0.0/8")], [block("10.1.2.3/8")], []),
    "narrower": (
        [block("10.0.0.0/8")],
        [block("10.0.0.0/9")],
        [(LESS, "no longer tcp 443 from 10.128.0.0/9", False)],
    ),
    "another description": ([block(OFFICE, description="a")], [block(OFFICE, description="from 0.0.0.0/0")], []),
    "covered by every protocol": (
        [block(OFFICE, protocol="-1", first=0)],
        [block(OFFICE, protocol="-1", first=0), block(OFFICE)],
        [],
    ),
    "protocol by number": ([block(OFFICE, protocol="6")], [block(OFFICE)], []),
    "a group": ([], [block(security_groups=["sg-2"])], [(MORE, "tcp 443 from security group sg-2", False)]),
    "itself": ([], [block(self=True)], [(MORE, "tcp 443 from the group itself", False)]),
    "a prefix list": ([], [block(prefix_list_ids=["pl-1"])], [(MORE, "tcp 443 from prefix list pl-1", False)]),
}


@pytest.mark.parametrize("name", CASES)
def test_difference_of_one_group(name: str) -> None:
    before, after, expected = CASES[name]
    assert of_group(before, after) == expected


NETWORKS = st.builds(
    lambda address, prefix: ipaddress.ip_network((address, prefix), strict=False),
    st.integers(0, 2**32 - 1),
    st.integers(0, 12),
) | st.builds(
    lambda address, prefix: ipaddress.ip_network((address << 96, prefix), strict=False),
    st.integers(1, 2**32 - 1),
    st.integers(0, 12),
).filter(lambda one: one.version == 6)


@settings(deadline=None)
@given(NETWORKS, st.integers(0, 6))
def test_a_range_in_any_pieces_is_the_same(whole: Network, steps: int) -> None:
    pieces = [str(one) for one in whole.subnets(prefixlen_diff=steps)]
    assert of_group([block(str(whole))], [block(piece) for piece in reversed(pieces)]) == []
    assert whom(map(ipaddress.ip_network, pieces)) == whom([whole])
    (opened,) = of_group([], [block(*pieces)])
    assert opened[2] == bool(whom([whole]))


@given(st.lists(NETWORKS, max_size=5), st.lists(NETWORKS, max_size=5), st.integers(0, 2**32 - 1))
def test_what_is_left_is_in_the_first_and_not_in_the_second(
    ranges: list[Network], others: list[Network], number: int
) -> None:
    address = ipaddress.IPv4Address(number)
    left = without(ranges, others)
    expected = any(address in one for one in ranges) and not any(address in one for one in others)
    assert any(address in one for one in left) == expected
    assert without(left, ranges) == ()


def test_rules_of_their_own_count_for_their_group() -> None:
    low = entry("aws_vpc_security_group_ingress_rule.low", ["no-op"], rule(HALVES[0]), rule(HALVES[0]))
    high = entry("aws_vpc_security_group_ingress_rule.high", ["create"], None, rule("128.0.0.0/2"))
    (one,) = found(low, high)
    assert (one.direction, one.internet, one.new) == (MORE, True, False)
    assert one.address == "aws_vpc_security_group_ingress_rule.high"


def test_a_rule_that_moves_into_another_resource_opens_and_closes_nothing() -> None:
    old = {"type": "ingress", "security_group_id": "sg-1", **block(OFFICE)}
    away = entry("aws_security_group_rule.x", ["delete"], old, None)
    here = entry("aws_vpc_security_group_ingress_rule.x", ["create"], None, rule(OFFICE))
    echo = group(block(OFFICE))
    assert found(entry("aws_security_group.x", ["no-op"], echo, echo), away, here) == ()


def test_the_echo_in_a_group_hides_no_rule_that_goes() -> None:
    echo = group(block(OFFICE))
    gone = entry("aws_vpc_security_group_ingress_rule.x", ["delete"], rule(OFFICE), None)
    (one,) = found(entry("aws_security_group.x", ["no-op"], echo, echo), gone)
    assert (one.direction, one.what) == (LESS, f"no longer tcp 443 from {OFFICE}")


def test_egress_opens_nothing() -> None:
    before, after = group(egress=[]), group(egress=[block("0.0.0.0/0", protocol="-1")], description="0.0.0.0/0")
    out = {"type": "egress", "security_group_id": "sg-1", **block("0.0.0.0/0")}
    assert (
        found(
            entry("aws_security_group.x", ["update"], before, after),
            entry("aws_security_group_rule.x", ["create"], None, out),
            entry("aws_vpc_security_group_egress_rule.x", ["create"], None, rule("0.0.0.0/0")),
        )
        == ()
    )


def test_a_range_that_is_not_known_yet_closes_nothing_for_sure() -> None:
    after = rule()
    change = entry("aws_vpc_security_group_ingress_rule.x", ["update"], rule(OFFICE), after, {"cidr_ipv4": True})
    assert {one.direction for one in found(change)} == {UNSURE}


def test_a_group_that_is_not_known_yet_is_no_certain_opening_in_place_of_another() -> None:
    before, after = rule(referenced_security_group_id="sg-2"), rule()
    change = entry(
        "aws_vpc_security_group_ingress_rule.x", ["update"], before, after, {"referenced_security_group_id": True}
    )
    assert {one.direction for one in found(change)} == {UNSURE}


def cluster(public: bool, *cidrs: str) -> dict[str, Any]:
    return {"vpc_config": [{"endpoint_public_access": public, "public_access_cidrs": list(cidrs)}]}


def test_cluster_endpoint() -> None:
    def of(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[Direction, str]]:
        return [(one.direction, one.what) for one in found(entry("aws_eks_cluster.x", ["update"], before, after))]

    assert of(cluster(False), cluster(True, *HALVES)) == [(MORE, "tcp 443 from 0.0.0.0/0: the internet")]
    assert of(cluster(False), cluster(True)) == [(MORE, "tcp 443 from 0.0.0.0/0: the internet")]
    assert of(cluster(True, OFFICE), cluster(False, OFFICE)) == [(LESS, f"no longer tcp 443 from {OFFICE}")]
    assert of(cluster(False, "0.0.0.0/0"), cluster(False, OFFICE)) == []


FLAGS = dict.fromkeys(
    ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"), True
)
PUBLIC = {
    "load balancer": ("aws_lb.x", {"internal": True}, {"internal": False}),
    "load balancer by default": ("aws_lb.x", {"internal": True}, {"internal": None}),
    "database": ("aws_db_instance.x", {"publicly_accessible": False}, {"publicly_accessible": True}),
    "bucket": ("aws_s3_bucket_acl.x", {"acl": "private"}, {"acl": "public-read"}),
    "image": ("aws_ami_launch_permission.x", {"account_id": "1", "group": ""}, {"account_id": "", "group": "all"}),
    "snapshot": ("aws_snapshot_create_volume_permission.x", {"account_id": "111122223333"}, {"account_id": "all"}),
    "function": ("aws_lambda_function_url.x", {"authorization_type": "AWS_IAM"}, {"authorization_type": "NONE"}),
    "subnet": ("aws_subnet.x", {"map_public_ip_on_launch": False}, {"map_public_ip_on_launch": True}),
    "route": ("aws_route.x", None, {"gateway_id": "igw-1", "destination_cidr_block": "0.0.0.0/0"}),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_opened_to_the_internet_or_everybody(name: str) -> None:
    address, before, after = PUBLIC[name]
    (opened,) = found(entry(address, ["update"] if before else ["create"], before, after))
    (closed,) = found(entry(address, ["update"] if before else ["delete"], after, before))
    assert (opened.direction, opened.internet, closed.direction) == (MORE, True, LESS)


def test_what_keeps_a_bucket_closed() -> None:
    address, bucket = "aws_s3_bucket_public_access_block.x", {"bucket": "weights"}
    off = {**bucket, **FLAGS, "block_public_policy": False}
    (one,) = found(entry(address, ["update"], {**bucket, **FLAGS}, off))
    assert (one.direction, one.path, one.internet) == (MORE, "block_public_policy", True)
    gone = entry(address, ["delete"], {**bucket, **FLAGS}, None)
    assert {(one.direction, one.path) for one in found(gone)} == {(MORE, flag) for flag in FLAGS}
    assert found(gone, entry("aws_s3_bucket.x", ["delete"], bucket, None)) == ()


def test_an_opening_outside_of_terraform_is_said_under_no_changes() -> None:
    now = group(block(OFFICE), block("0.0.0.0/0", first=22))
    drift = entry("aws_security_group.x", ["update"], group(block(OFFICE)), now)
    (one,) = found(entry("aws_security_group.x", ["no-op"], now, now), resource_drift=[drift], applyable=False)
    assert (one.direction, one.what, one.drift) == (MORE, "tcp 22 from 0.0.0.0/0: the internet", True)


def test_drift_that_shows_our_own_rule_opens_nothing() -> None:
    now = group(block(OFFICE))
    own = entry("aws_vpc_security_group_ingress_rule.x", ["no-op"], rule(OFFICE), rule(OFFICE))
    drift = entry("aws_security_group.x", ["update"], group(), now)
    assert found(entry("aws_security_group.x", ["no-op"], now, now), own, resource_drift=[drift]) == ()


def test_drift_that_shows_our_own_rule_between_members_of_the_group_opens_nothing() -> None:
    own_id = {"id": "sg-0123"}
    itself = {"security_group_id": "sg-0123", "referenced_security_group_id": "sg-0123", "ip_protocol": "-1"}
    inside = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True, "cidr_blocks": [], "security_groups": []}
    now = {**own_id, "ingress": [inside], "egress": [inside]}
    rules = [
        entry(f"aws_vpc_security_group_{way}_rule.itself", ["no-op"], itself, itself) for way in ("ingress", "egress")
    ]
    drift = entry("aws_security_group.x", ["update"], {**own_id, "ingress": [], "egress": []}, now)
    same = entry("aws_security_group.x", ["no-op"], now, now)
    assert found(same, *rules, resource_drift=[drift]) == ()
    (one,) = found(same, resource_drift=[drift])  # without the rules it is somebody else's work
    assert (one.direction, one.drift) == (MORE, True)
