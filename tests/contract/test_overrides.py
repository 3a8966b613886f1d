"""Overrides: what they change, what they may not, and where the result points."""

from __future__ import annotations

import pytest
from inputs import edited, env_text, line_of, load, problems

EMPTY = "overrides: {} # fields of the contract that differ here, e.g. serving: {max_model_len: 65536}"


def with_overrides(text: str) -> str:
    return edited(env_text("prod"), (EMPTY, f"overrides:\n{text}"))


def test_an_override_replaces_the_field_and_its_place() -> None:
    env = with_overrides(
        "  serving:\n    max_model_len: 65536\n"
        "    extra_args: [--trust-remote-code, --enable-auto-tool-choice, --enforce-eager]\n"
    )
    deployment = load(env=env)
    assert deployment.contract.serving.max_model_len == 65536
    assert deployment.contract.serving.extra_args[-1] == "--enforce-eager"
    assert deployment.environment.overrides["serving.max_model_len"] == (131072, 65536)
    place = deployment.place("serving.max_model_len")
    assert place is not None
    assert (place.file, place.line) == ("environments/prod/env.yaml", line_of(env, "max_model_len: 65536"))
    other = deployment.place("serving.tensor_parallel")
    assert other is not None
    assert other.file == "environments/contract.yaml"


def test_a_value_deep_in_a_mapping_can_be_overridden() -> None:
    deployment = load(env=with_overrides('  image: {communication: {nccl: "2.29.0"}}\n'))
    assert deployment.contract.image.communication == {"nccl": "2.29.0", "aws_ofi_nccl": "1.17.1"}


@pytest.mark.parametrize(
    ("text", "path", "found", "fix"),
    [
        (
            "  serving: {max_model_length: 1}\n",
            "overrides.serving.max_model_length",
            "a field that the contract does not have",
            "rename it to max_model_len",
        ),
        (
            "  weights.cache: lustre\n",
            "overrides.weights.cache",
            "a field that the contract does not have",
            "nest it: the line `weights:`, and below it `cache: …`",
        ),
        (
            "  replicas: 3\n",
            "overrides.replicas",
            "a field that the contract does not have",
            "remove it; known here: model, image, weights, api, serving",
        ),
        (
            "  serving: {max_model_len: 131072}\n",
            "overrides.serving.max_model_len",
            "the same value as in the contract",
            "remove the override",
        ),
        ("  serving: 5\n", "overrides.serving", "one value", "name the field below it"),
        (
            "  serving: {max_model_len: {a: 1}}\n",
            "overrides.serving.max_model_len",
            "a mapping",
            "write the value itself",
        ),
        (
            "  serving: {max_model_len: '65536'}\n",
            "serving.max_model_len",
            "65536",
            "write digits only, without quotes",
        ),
        ("  serving: {max_model_len: 2000000}\n", "serving.max_model_len", "2000000", "write 1048576 or less"),
        (
            "  image: {communication: {nccl: 2.30}}\n",
            "image.communication.nccl",
            "2.30 without quotes, which YAML reads as a number",
            'write it in quotes: "2.30"',
        ),
        (
            "  serving: {max_model_len: 1, max_model_len: 2}\n",
            "overrides.serving.max_model_len",
            "the key again (first in line {line})",
            "remove one of the two",
        ),
    ],
)
def test_a_wrong_override_is_told_in_env_yaml(text: str, path: str, found: str, fix: str) -> None:
    env = with_overrides(text)
    told = problems(env=env)
    assert [(p.path, p.found) for p in told] == [(path, found.format(line=told[0].place.line))]
    assert fix in told[0].fix
    assert told[0].place.file == "environments/prod/env.yaml"
    assert told[0].place.line > line_of(env, "overrides:")


def test_an_override_does_not_hide_a_mistake_of_the_contract() -> None:
    from inputs import CONTRACT

    contract = edited(CONTRACT, ("max_model_len: 131072", "max_model_len: many"))
    (problem,) = problems(contract, with_overrides("  serving: {max_model_len: 65536}\n"))
    assert (problem.place.file, problem.path) == ("environments/contract.yaml", "serving.max_model_len")
