"""Whatever stands in the files: a deployment or a ContractError, never another exception."""

from __future__ import annotations

import string
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inputs import CONTRACT, env_text, load

from hawser.contract.load import Scalar, parse
from hawser.contract.problems import ContractError

calm = settings(deadline=None, database=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
PROD = env_text("prod")
DEV = env_text("dev")

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-2, max_value=20),
    st.floats(),
    st.text(max_size=40),
    st.text(alphabet=string.printable, max_size=20),
    st.sampled_from(
        [
            "usw2-az1",
            "10.40.0.0/16",
            "0.0.0.0/0",
            "::/0",
            "1.35",
            "1.99",
            "p5.48xlarge",
            "arn:aws:iam::1:root",
            "cr-",
            "s3://",
            "9999-12-31T23:59:60Z",
            "2027-01-11T11:30:00Z",
            "0" * 400,
            "*",
            "${x}",
            "../..",
            "eks",
            "hyperpod",
            "training-plan",
            "moonshotai/Kimi-K3",
        ]
    ),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)


def checked(contract: str | bytes, env: str | bytes, name: str = "prod") -> None:
    """Loads the files; what is wrong with them must be told in good order."""
    try:
        load(contract, env, name)
        return
    except ContractError as error:
        told = error
    assert told.problems
    assert str(told)
    for problem in told.problems:
        assert problem.place.line >= 1
        assert problem.place.column >= 1
        assert "\n" not in str(problem)


@calm
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    checked(data, PROD)
    checked(CONTRACT, data)


@calm
@given(st.text(alphabet=st.sampled_from("ab:-?*&!|>'\"{}[],#% \n~<=0123.\\"), max_size=200))
def test_yaml_like_text(text: str) -> None:
    checked(text, PROD)
    checked(CONTRACT, f"name: prod\nweights_uri: {text}\n")


def dumped(document: object) -> str:
    text: str = yaml.dump(document, Dumper=yaml.CSafeDumper, allow_unicode=True)
    return text


@st.composite
def mutations(draw: st.DrawFn, text: str) -> str:
    """The file with a few values replaced, removed or added anywhere."""
    document = yaml.load(text, Loader=yaml.CSafeLoader)
    for _ in range(draw(st.integers(1, 4))):
        node: Any = document
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(node[key], dict | list) and node[key] and draw(st.booleans()):
                node = node[key]
                continue
            change = draw(st.sampled_from(["replace", "remove", "add"]))
            if change == "replace":
                node[key] = draw(VALUES)
            elif change == "remove":
                del node[key]
            elif isinstance(node, dict):
                node[draw(st.text(max_size=10))] = draw(VALUES)
            break
    return dumped(document)


@settings(calm, max_examples=40)
@given(mutations(CONTRACT), mutations(PROD))
def test_mutated_files(contract: str, env: str) -> None:
    checked(contract, PROD)
    checked(CONTRACT, env)


@settings(calm, max_examples=20)
@given(mutations(DEV), VALUES)
def test_mutated_hyperpod_and_overrides(env: str, value: object) -> None:
    checked(CONTRACT, env, "dev")
    document = yaml.safe_load(DEV)
    document["overrides"] = {"serving": value, "image": {"engine": value}}
    checked(CONTRACT, dumped(document), "dev")


@calm
@given(st.text(alphabet=st.characters(exclude_categories=["C"]), max_size=60))
def test_quoted_text_comes_through_unchanged(text: str) -> None:
    source = parse(yaml.safe_dump({"a": text}, default_style='"', allow_unicode=True, width=10_000).encode(), "x")
    assert source.root is not None
    node = source.root.entries["a"][1]
    assert isinstance(node, Scalar)
    assert node.plain() == text


@calm
@given(st.integers(min_value=-(10**17), max_value=10**17))
def test_decimal_numbers_come_through_unchanged(number: int) -> None:
    source = parse(f"a: {number}\n".encode(), "x")
    assert source.root is not None
    assert source.root.plain() == {"a": number}


@settings(calm, max_examples=10)
@given(st.permutations(PROD.partition("\n\n")[2].split("\n\n")))
def test_the_order_of_blocks_does_not_matter(blocks: list[str]) -> None:
    assert load(env="\n\n".join(blocks)).digest == load().digest
