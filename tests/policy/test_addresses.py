"""Whom a set of ranges lets in."""

import pytest

from hawser.policy.addresses import network, whom


@pytest.mark.parametrize(
    ("ranges", "too_many"),
    [
        (["0.0.0.0/0"], "the internet"),
        (["::/0"], "the internet"),
        (["10.1.2.3/0"], "the internet"),
        (["0.0.0.0/1"], "the internet"),
        (["0.0.0.0/2", "64.0.0.0/2"], "the internet"),
        ([f"{n}.0.0.0/8" for n in range(1, 224) if n not in (10, 127)], "the internet"),
        (["2000::/3"], "the internet"),
        (["2000::/4"], "the internet"),
        (["2000::/5", "2800::/5"], "the internet"),
        (["64.0.0.0/2"], "1,052,770,304 public IPv4 addresses, more than a /8"),
        (["17.0.0.0/8", "18.0.0.0/32"], "16,777,217 public IPv4 addresses, more than a /8"),
        (["17.0.0.0/8", "17.0.0.0/9", "17.1.0.0/16"], ""),
        (["17.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"], ""),
        (["240.0.0.0/4"], ""),
        (["2400::/12"], "2^116 IPv6 addresses, more than a /16"),
        (["2600::/16"], ""),
        (["fc00::/7"], ""),
        (["8000::/1"], ""),
        ([], ""),
    ],
)
def test_union_of_ranges(ranges: list[str], too_many: str) -> None:
    networks = [network(text) for text in ranges]
    assert whom(one for one in networks if one) == too_many


def test_what_is_no_range() -> None:
    assert network("everywhere") is None
    assert network("") is None
