"""How large the Lustre cache of the weights is."""

from __future__ import annotations

from typing import Final

from hawser import facts

_GIB: Final = 2**30


def cache_gib(size_bytes: int) -> int:
    """The smallest size in GiB that is sold and holds ``size_bytes`` of weights with the reserve."""
    sold = facts.lustre()
    needed = -(-size_bytes * (100 + sold.reserve_percent) // (100 * _GIB))
    if needed <= sold.smallest_gib:
        return sold.smallest_gib
    return -(-needed // sold.step_gib) * sold.step_gib
