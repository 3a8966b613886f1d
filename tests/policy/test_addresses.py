"""How much of the internet a set of ranges covers."""

import pytest

from hawser.policy.addresses import is_internet, network


@pytest.mark.parametrize(
    ("ranges", "internet"),
    [
        (["0.0.0.0/0"], True),
        (["::/0"], True),
        (["0.0.0.0/1"], True),
        (["0.0.0.0/2", "64.0.0.0/2"], True),
        (["0.0.0.0/2", "0.0.0.0/3", "0.0.0.0/4"], False),
        ([f"{n}.0.0.0/8" for n in range(1, 224) if n not in (10, 127)], True),
        (["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"], False),
        (["2000::/3"], True),
        (["2000::/4"], True),
        (["2000::/5", "2800::/5"], True),
        (["2000::/5"], False),
        (["fc00::/7"], False),
        (["8000::/1"], False),
        (["10.1.2.3/0"], True),
        ([], False),
    ],
)
def test_union_of_ranges(ranges: list[str], internet: bool) -> None:
    networks = [network(text) for text in ranges]
    assert is_internet(one for one in networks if one) is internet


def test_what_is_no_range() -> None:
    assert network("everywhere") is None
    assert network("") is None
