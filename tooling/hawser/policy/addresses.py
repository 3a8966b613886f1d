"""Address ranges: how much of the internet a set of CIDR blocks covers, by arithmetic and not by comparing strings."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

#: IPv4 ranges that are not on the internet (IANA special-purpose registry, multicast and reserved; 2026-11-30).
_NOT_PUBLIC4: Final = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "224.0.0.0/3",
    )
)
#: The IPv6 ranges that are routed on the internet (RFC 4291).
_GLOBAL6: Final = ipaddress.IPv6Network("2000::/3")

#: Public addresses in all of the internet, by version.
_ALL: Final = {4: 2**32 - sum(one.num_addresses for one in _NOT_PUBLIC4), 6: _GLOBAL6.num_addresses}

#: Prefix of the widest opening that can still be one owner's: an IPv4 /8 is the largest block that IANA ever gave to
#: one holder; for IPv6, where a provider has a /32 to /20, a /16. Whoever needs more does not name who may come in.
WIDEST: Final = {4: 8, 6: 16}
_MOST: Final = {4: 2 ** (32 - WIDEST[4]), 6: 2 ** (128 - WIDEST[6])}


@lru_cache(maxsize=16_384)
def network(text: str) -> Network | None:
    """The range that a CIDR string means (host bits are dropped, as AWS does); ``None`` when it is none."""
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        return None


def whom(ranges: Iterable[Network]) -> str:
    """Whom an opening to the union of these ranges lets in, when that is wider than ``WIDEST``; else ``""``.

    ``the internet`` from half of its addresses on, however many pieces they are written in.
    """
    found = list(ranges)
    for version, most in _MOST.items():
        same = [one for one in found if one.version == version]
        if sum(one.num_addresses for one in same) <= most:
            continue
        public = sum(_public(one) for one in _union(same))
        if 2 * public >= _ALL[version]:
            return "the internet"
        if public > most:
            number = (
                f"{public:,} public IPv4 addresses" if version == 4 else f"2^{public.bit_length() - 1} IPv6 addresses"
            )
            return f"{number}, more than a /{WIDEST[version]}"
    return ""


def without(ranges: Iterable[Network], others: Iterable[Network]) -> tuple[Network, ...]:
    """The addresses of the first ranges that are in none of the others, as few ranges in order."""
    left, right = list(ranges), list(others)
    found: list[Network] = []
    for version in (4, 6):
        taken = _spans(one for one in right if one.version == version)
        for first, last in _spans(one for one in left if one.version == version):
            for low, high in _gaps(first, last, taken):
                found += _networks(version, low, high)
    return tuple(found)


def _spans(ranges: Iterable[Network]) -> list[tuple[int, int]]:
    """First and last address of each range of one version, in order and joined where they touch."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted((int(one.network_address), int(one.broadcast_address)) for one in ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], last)
        else:
            joined.append((first, last))
    return joined


def _gaps(first: int, last: int, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for low, high in taken:
        if high < first or low > last:
            continue
        if low > first:
            yield first, low - 1
        first = high + 1
    if first <= last:
        yield first, last


def _networks(version: int, low: int, high: int) -> Iterator[Network]:
    if version == 4:
        yield from ipaddress.summarize_address_range(ipaddress.IPv4Address(low), ipaddress.IPv4Address(high))
    else:
        yield from ipaddress.summarize_address_range(ipaddress.IPv6Address(low), ipaddress.IPv6Address(high))


def _union(ranges: list[Network]) -> Iterator[Network]:
    yield from ipaddress.collapse_addresses([one for one in ranges if isinstance(one, ipaddress.IPv4Network)])
    yield from ipaddress.collapse_addresses([one for one in ranges if isinstance(one, ipaddress.IPv6Network)])


def _public(one: Network) -> int:
    """Addresses in the range that are on the internet."""
    if isinstance(one, ipaddress.IPv6Network):
        return min(one.num_addresses, _GLOBAL6.num_addresses) if one.overlaps(_GLOBAL6) else 0
    # Of two ranges that overlap one holds the other.
    hidden = sum(min(one.num_addresses, other.num_addresses) for other in _NOT_PUBLIC4 if one.overlaps(other))
    return one.num_addresses - hidden
