"""Address ranges: how much of the internet a set of CIDR blocks covers, by arithmetic and not by comparing strings."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

#: Half of the IPv4 addresses, and half of the IPv6 global unicast range 2000::/3 (RFC 4291): whoever lets in so much
#: lets in the internet, in however many pieces it is written.
_HALF: Final = {4: 2**31, 6: 2**124}
_GLOBAL6: Final = ipaddress.IPv6Network("2000::/3")


def network(text: str) -> Network | None:
    """The range that a CIDR string means (host bits are dropped, as AWS does); ``None`` when it is none."""
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        return None


def is_internet(ranges: Iterable[Network]) -> bool:
    """Whether the union of these ranges (of both versions) covers half of the IPv4 or of the IPv6 internet."""
    found = list(ranges)
    if any(one.prefixlen <= (1 if one.version == 4 else 4) and _size(one) >= _HALF[one.version] for one in found):
        return True
    if len(found) < 2:
        return False
    four = [one for one in found if isinstance(one, ipaddress.IPv4Network)]
    six = [one for one in found if isinstance(one, ipaddress.IPv6Network)]
    return (
        sum(one.num_addresses for one in ipaddress.collapse_addresses(four)) >= _HALF[4]
        or sum(_size(one) for one in ipaddress.collapse_addresses(six)) >= _HALF[6]
    )


def _size(one: Network) -> int:
    """Addresses in the range; of IPv6 only those that are routed on the internet."""
    if isinstance(one, ipaddress.IPv4Network):
        return one.num_addresses
    if one.supernet_of(_GLOBAL6):
        return _GLOBAL6.num_addresses
    return one.num_addresses if one.subnet_of(_GLOBAL6) else 0
