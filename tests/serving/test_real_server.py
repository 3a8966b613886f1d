"""The acceptance check against a real server with a real model, whose parser and streams are llama.cpp's own.

Its metrics have other names than the contract's engine, so that one check fails, as it must.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hawser.contract import load_deployment
from hawser.serve.client import Client
from hawser.serve.run import Check, Limits
from hawser.serve.smoke import smoke
from tests.serving.conftest import TinyServer

ROOT = Path(__file__).parents[2]
CALL = ["\n\n<tool_call>\n", '{"name": "get_weather", ', '"arguments": {"city": "', "Lisbon", '"}}', "\n</tool_call>"]
CHAT, TOOLS = ["chat", "streamed chat"], ["tool call", "streamed tool call"]
GOOD = {
    "answer": ["<think>", "17 and 25", " make it", "</think>", "\n\n42"],
    "tool": ["<think>\n", "a tool is needed", "\n</think>", *CALL],
    "after": ["<think>\n\n", "it is known", "\n\n</think>", "It is 37 °C", " in Lisbon."],
}


def checked(tiny_server: TinyServer, texts: Mapping[str, list[str]], **more: str) -> dict[str, Check]:
    contract = load_deployment(ROOT, "prod").contract
    with tiny_server(texts, **more) as url:
        return {check.name: check for check in smoke(contract, Client(url), Limits(total=60, tool_tries=2))}


def failing(checks: Mapping[str, Check]) -> list[str]:
    return [name for name, check in checks.items() if check.verdict == "fail"]


def test_a_model_that_works(tiny_server: TinyServer) -> None:
    checks = checked(tiny_server, GOOD)
    assert failing(checks) == ["metrics"]
    assert "None of the 21 names of vllm 0.33.0 is there, only others such as llamacpp:" in checks["metrics"].sentence
    assert "in reasoning_content, apart" in checks["reasoning"].sentence
    assert "(in reasoning_content)" in checks["streamed chat"].sentence
    assert checks["tool call"].sentence.startswith('get_weather was called with \'{"city": "Lisbon"}\'')


def test_a_name_that_is_not_the_contracts(tiny_server: TinyServer) -> None:
    checks = checked(tiny_server, GOOD, served_name="model.gguf")
    assert failing(checks) == ["models"]
    assert "lists 'model.gguf', not 'kimi-k3'" in checks["models"].sentence


@pytest.mark.parametrize(
    ("changed", "wrong", "words"),
    [
        ({"answer": ["!!", "…"]}, ["chat", "reasoning", "streamed chat"], "It repeats '!!!!"),
        ({"answer": ["<think>", "hm, ", "…"]}, ["chat", "reasoning", "streamed chat"], "It repeats 'hm, hm, hm"),
        ({"answer": ["<think>", "it is", "</think>", "<|sep|>", "42"]}, CHAT, "'<|sep|>' stands in the content"),
        ({"answer": ["<think>", "it is", "</think>", "41"]}, CHAT, "was answered with '41'"),
        ({"tool": ["<think>\n", "a tool is needed", *CALL]}, TOOLS, "left out the mark that ends its thinking"),
        ({"tool": ["Lisbon is warm."]}, TOOLS, "tool_calls is empty, and the answer is 'Lisbon is warm.'"),
        ({"after": ["I do not know."]}, ["second turn"], "The tool said 37 degrees, and the answer is 'I do not know"),
    ],
)
def test_a_model_that_does_not(
    changed: dict[str, list[str]], wrong: list[str], words: str, tiny_server: TinyServer
) -> None:
    checks = checked(tiny_server, {**GOOD, **changed})
    assert failing(checks) == [*wrong, "metrics"], [check.sentence for check in checks.values()]
    assert words in checks[wrong[0]].sentence
