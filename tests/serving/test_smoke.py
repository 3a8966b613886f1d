"""The acceptance check against servers that are good, and against servers that are bad in one way each."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hawser.contract import load_deployment
from hawser.contract.deployment import Contract
from hawser.serve.checks.chat import QUESTION
from hawser.serve.client import Client
from hawser.serve.run import Check, Limits
from hawser.serve.smoke import CHECKS, smoke
from tests.serving.openai_server import CUT, Good, Request, serving

ROOT = Path(__file__).parents[2]
#: Far above what loopback needs on a busy machine.
LIMITS = Limits(total=30, quick=10, answer=10, first_token=10, stall=10, tool_tries=2)
#: For servers that hang: what they do not do within this, they do never.
SHORT = dataclasses.replace(LIMITS, answer=0.4, first_token=0.4, stall=0.4)
WITHOUT_ENTRY = [name for name in CHECKS if name != "unguarded path"]


@pytest.fixture(scope="module")
def contract() -> Contract:
    return load_deployment(ROOT, "prod").contract


def checked(model: Good, contract: Contract, limits: Limits = LIMITS, **more: Any) -> dict[str, Check]:
    with serving(model) as url:
        return {check.name: check for check in smoke(contract, Client(url), limits, **more)}


def with_verdict(checks: dict[str, Check], verdict: str) -> list[str]:
    return [name for name, check in checks.items() if check.verdict == verdict]


def test_a_good_server_passes_every_check(contract: Contract) -> None:
    told: list[str] = []
    checks = checked(model := Good(), contract, tell=told.append)
    assert with_verdict(checks, "pass") == told == WITHOUT_ENTRY
    assert "in reasoning, apart" in checks["reasoning"].sentence
    assert "First token after" in checks["streamed chat"].sentence
    assert "(in reasoning)" in checks["streamed chat"].sentence
    asked = [request for _, path, request, _ in model.asked if path == "/v1/chat/completions"]
    assert {request["model"] for request in asked} == {"kimi-k3"}
    assert sum("tools" in request for request in asked) == 2 * LIMITS.tool_tries + 1


def test_the_second_turn_sends_call_and_answer_back(contract: Contract) -> None:
    checked(model := Good(), contract)
    turn = next(r["messages"] for *_, r, _ in model.asked if r and r.get("messages", [{}])[-1]["role"] == "tool")
    assert [message["role"] for message in turn] == ["user", "assistant", "tool"]
    assert turn[1]["tool_calls"][0]["id"] == turn[2]["tool_call_id"] == "call_0"


# -- one fault each ----------------------------------------------------------------------------------------------------


class NeverReady(Good):
    def health(self) -> tuple[int, str]:
        return 503, ""


class AnotherName(Good):
    served_name = "/models/kimi-k3"


class NoModel(Good):
    def models(self) -> tuple[int, str]:
        return 200, '{"object": "list", "data": []}'


class NotOpenai(Good):
    def models(self) -> tuple[int, str]:
        return 200, "<html>Welcome to nginx</html>"


class Rubbish(Good):
    def content(self, request: Request) -> str:
        return "!" * 200 if "tools" not in request else super().content(request)


class Damaged(Good):
    def content(self, request: Request) -> str:
        return "The number of the cat" if "tools" not in request else super().content(request)


class Marks(Good):
    def content(self, request: Request) -> str:
        return "<|open|>response<|sep|>42" if "tools" not in request else super().content(request)


class ThinksAloud(Good):
    def content(self, request: Request) -> str:
        return "<think>17 and 25</think>42" if "tools" not in request else super().content(request)

    def thoughts(self, request: Request) -> str:
        return "" if "tools" not in request else super().thoughts(request)


class NoContent(Good):
    """What K3 does with the parsers of K2."""

    def content(self, request: Request) -> str:
        return ""


class NoThoughts(Good):
    def thoughts(self, request: Request) -> str:
        return ""


class Endless(Good):
    def finish_reason(self, request: Request) -> str | None:
        return super().finish_reason(request) if "tools" in request else "length"


class LostCall(Good):
    """K3 leaves out the mark that ends its thinking; the parser waits for it."""

    def calls(self, request: Request) -> list[dict[str, Any]]:
        return []

    def finish_reason(self, request: Request) -> str | None:
        return "stop"


class LostCallStreamed(LostCall):
    def calls(self, request: Request) -> list[dict[str, Any]]:
        return Good.calls(self, request) if not request.get("stream") else []

    def finish_reason(self, request: Request) -> str | None:
        return Good.finish_reason(self, request)


class ToldNotCalled(LostCall):
    def content(self, request: Request) -> str:
        return super().content(request) or "I would call get_weather for Lisbon."


class RawCall(LostCall):
    def content(self, request: Request) -> str:
        return super().content(request) or '<|tool_call_begin|>functions.get_weather:0{"city": "Lisbon"}'


class NoJson(Good):
    def arguments(self, request: Request) -> str:
        return '{"city": "Lisbon"}{"city": "Li'


class AnotherCity(Good):
    def arguments(self, request: Request) -> str:
        return '{"city": "Porto"}'


class NoArguments(Good):
    def arguments(self, request: Request) -> str:
        return "{}"


class StopsBesideCall(Good):
    def finish_reason(self, request: Request) -> str | None:
        return "stop"


class ForgetsTheTool(Good):
    def content(self, request: Request) -> str:
        return "I cannot look that up." if request["messages"][-1]["role"] == "tool" else super().content(request)


class AsksAgain(Good):
    def calls(self, request: Request) -> list[dict[str, Any]]:
        again = {**request, "messages": request["messages"][:1]}
        return super().calls(again)


class Stalls(Good):
    def pieces(self, request: Request) -> Iterator[Any]:
        for number, piece in enumerate(super().pieces(request)):
            if number == 3 and "tools" not in request:
                yield b": still there\n\n"  # a comment keeps the connection, and is no sign of work
                self.pause(20)
            yield piece


class Hangs(Good):
    """Health is good, and nothing is generated."""

    def chat(self, request: Request) -> tuple[int, str]:
        self.pause(20)
        return super().chat(request)

    def pieces(self, request: Request) -> Iterator[Any]:
        self.pause(20)
        yield from super().pieces(request)


class Dies(Good):
    def pieces(self, request: Request) -> Iterator[Any]:
        for number, piece in enumerate(super().pieces(request)):
            if number == 3 and "tools" not in request:
                yield CUT
            yield piece


class NeverDone(Good):
    def pieces(self, request: Request) -> Iterator[Any]:
        end = b"" if "tools" in request else b"data: [DONE]\n\n"
        yield from (piece for piece in super().pieces(request) if piece != end)


class DoesNotStream(Good):
    def pieces(self, request: Request) -> Iterator[Any]:
        yield from [self.chat(request)[1].encode()] if "tools" not in request else super().pieces(request)


class FailsInStream(Good):
    def pieces(self, request: Request) -> Iterator[Any]:
        if "tools" in request:
            yield from super().pieces(request)
        else:
            yield self.event({"error": {"message": "EngineDeadError", "code": 500}})


class NoIndex(Good):
    def deltas(self, request: Request) -> Iterator[dict[str, Any]]:
        for delta in super().deltas(request):
            for call in delta.get("tool_calls", []):
                del call["index"]
            yield delta


class NoTokensCounted(Good):
    def usage(self, request: Request) -> dict[str, int] | None:
        return {"prompt_tokens": 20, "completion_tokens": 0, "total_tokens": 20}


class OneTokenCounted(Good):
    def usage(self, request: Request) -> dict[str, int] | None:
        return {"prompt_tokens": 20, "completion_tokens": 1, "total_tokens": 21}


class WrongSum(Good):
    def usage(self, request: Request) -> dict[str, int] | None:
        return {"prompt_tokens": 20, "completion_tokens": 15, "total_tokens": 15}


class NoUsageStreamed(Good):
    def usage(self, request: Request) -> dict[str, int] | None:
        return None if request.get("stream") else super().usage(request)


class OldMetrics(Good):
    def metrics(self) -> tuple[int, str]:
        old = {
            "kv_cache_usage_perc": "gpu_cache_usage_perc",
            "request_time_per_output_token_seconds": "time_per_output_token_seconds",
        }
        text = super().metrics()[1]
        for new, name in old.items():
            text = text.replace(f"vllm:{new}", f"vllm:{name}")
        return 200, text


class OtherMetrics(Good):
    def metrics(self) -> tuple[int, str]:
        return 200, "# HELP go_gc_duration_seconds x\n# TYPE go_gc_duration_seconds summary\n"


class NoRoute(Good):
    def chat(self, request: Request) -> tuple[int, str]:
        return (
            (404, '{"error": {"message": "The model does not exist."}}')
            if "tools" not in request
            else super().chat(request)
        )


class TooSoon(Good):
    def chat(self, request: Request) -> tuple[int, str]:
        return (504, "<html>gateway</html>") if "tools" not in request else super().chat(request)


class NoAutoChoice(Good):
    def chat(self, request: Request) -> tuple[int, str]:
        if "tools" not in request:
            return super().chat(request)
        return 400, '{"error": {"message": "\\"auto\\" tool choice requires --enable-auto-tool-choice"}}'


class Loops(Good):
    def models(self) -> tuple[int, str]:
        return 307, "/v1/models"


CHAT = ["chat", "streamed chat"]
TOOLS = ["tool call", "streamed tool call"]


@pytest.mark.parametrize(
    ("model", "failing", "words"),
    [
        (NeverReady, ["health"], "503 on /health. The engine still loads (up to 75 min on a node that never ran"),
        (AnotherName, ["models"], "lists '/models/kimi-k3', not 'kimi-k3': the engine was started without"),
        (NoModel, ["models"], "lists no model: the front end answers before"),
        (NotOpenai, ["models"], "'<html>Welcome to nginx</html>': no answer of an OpenAI-compatible API"),
        (Loops, ["models"], "307 on /v1/models, '/v1/models'. It sends elsewhere"),
        (Rubbish, CHAT, "kernels of this engine version on this GPU, or damaged weights"),
        (Damaged, CHAT, "'The number of the cat'. Weights are damaged or mixed up"),
        (Marks, CHAT, "'<|open|>' stands in the content. Chat template and parsers do not fit"),
        (ThinksAloud, ["chat", "reasoning", "streamed chat"], "'<think>' stands in the content"),
        (NoContent, [*CHAT, "reasoning", "second turn"], "The content is empty, all 48 characters are thoughts."),
        (NoThoughts, ["reasoning"], "runs without a reasoning parser (the contract's is kimi_k3)"),
        (Endless, CHAT, "It was cut: 8192 tokens were not enough"),
        (LostCall, TOOLS, "2 of 2 tries went wrong. tool_calls is empty, and so is the content, after 48 characters"),
        (LostCallStreamed, TOOLS[1:], "the mark that ends its thinking, and the parser waited for it"),
        (ToldNotCalled, TOOLS, "it needs --enable-auto-tool-choice and --tool-call-parser kimi_k3"),
        (RawCall, TOOLS, "'<|tool_call_begin|>' stands in the content beside the call"),
        (NoJson, TOOLS, "are no JSON: the parser lost a part of them, or joined those of two calls"),
        (AnotherCity, TOOLS, "without the 'Lisbon' that was asked for"),
        (NoArguments, TOOLS, "have no text 'city', which the tool requires"),
        (StopsBesideCall, TOOLS, "finish_reason is 'stop' beside a call"),
        (NoIndex, TOOLS[1:], "A fragment of a tool call has no index"),
        (ForgetsTheTool, ["second turn"], "The tool said 37 degrees, and the answer is 'I cannot look that up.'"),
        (AsksAgain, ["second turn"], "the model calls it again: the chat template loses"),
        (Dies, ["streamed chat"], "After 3 chunks: The connection broke off"),
        (NeverDone, ["streamed chat"], "without [DONE]: the engine died in the middle of it"),
        (DoesNotStream, ["streamed chat"], "No event came: the server, or something before it, does not stream"),
        (FailsInStream, ["streamed chat"], "A chunk is an error: 'EngineDeadError'. The engine failed at it"),
        (NoTokensCounted, ["usage"], "In the usage of the answer prompt_tokens is 20 and completion_tokens 0"),
        (OneTokenCounted, ["usage"], "completion_tokens is 1 for 50 characters"),
        (WrongSum, ["usage"], "total_tokens is 15, which is not 20 + 15"),
        (NoUsageStreamed, ["usage"], "There is no usage in the streamed answer"),
        (
            OldMetrics,
            ["metrics"],
            "are missing: vllm:request_time_per_output_token_seconds, vllm:kv_cache_usage_perc. Panels and alarms",
        ),
        (OtherMetrics, ["metrics"], "None of the 21 names of vllm 0.33.0 is there, only others such as go_gc_"),
        (
            NoRoute,
            ["chat"],
            "404 on /v1/chat/completions, 'The model does not exist.'. Path or model is not known there",
        ),
        (TooSoon, ["chat"], "The entry gives up sooner than the model answers"),
        (
            NoAutoChoice,
            ["tool call", "second turn"],
            "requires --enable-auto-tool-choice'. The engine refuses the request",
        ),
    ],
)
def test_a_bad_server_fails_the_right_check(
    model: type[Good], failing: list[str], words: str, contract: Contract
) -> None:
    checks = checked(model(), contract)
    assert set(with_verdict(checks, "fail")) == set(failing)
    assert words in checks[failing[0]].sentence
    if failing[0] in ("health", "models"):
        later = WITHOUT_ENTRY[WITHOUT_ENTRY.index(failing[0]) + 1 :]
        assert with_verdict(checks, "skip") == later
        assert {checks[name].sentence for name in later} == {f"Not asked, for {failing[0]} failed."}


def test_what_has_nothing_to_look_at_is_skipped_with_a_reason(contract: Contract) -> None:
    checks = checked(LostCall(), contract)
    assert checks["second turn"] == Check(
        "second turn", "skip", checks["second turn"].seconds, "There is no tool call that could be answered."
    )
    assert "no chat answer" in checked(NoRoute(), contract)["reasoning"].sentence


def test_nobody_is_there(contract: Contract) -> None:
    with serving(Good()) as url:
        pass
    health, *others = smoke(contract, Client(url), LIMITS)
    assert (health.verdict, {check.verdict for check in others}) == ("fail", {"skip"})
    assert health.sentence.startswith(f"No connection to {url}: Connection refused. The port-forward has usually ended")


# -- time --------------------------------------------------------------------------------------------------------------


def test_a_stall_in_a_stream_is_told_with_the_chunk(contract: Contract) -> None:
    checks = checked(Stalls(), contract, dataclasses.replace(SHORT, answer=10))
    assert with_verdict(checks, "fail") == ["streamed chat"]
    assert checks["streamed chat"].sentence.startswith("After 3 chunks: Nothing came for 0.4 s.")
    assert checks["streamed chat"].seconds < 5


def test_an_engine_that_hangs_behind_a_good_health(contract: Contract) -> None:
    checks = checked(Hangs(), contract, dataclasses.replace(SHORT, answer=0.15, first_token=0.15))
    assert with_verdict(checks, "fail") == ["chat", "streamed chat", "tool call", "streamed tool call"]
    assert "Nothing came for 0.15 s. Health reads a flag" in checks["chat"].sentence
    assert "tries" not in checks["tool call"].sentence, "a hang is not tried again"


def test_a_slow_server_that_is_right_passes(contract: Contract) -> None:
    class Slow(Good):
        def pieces(self, request: Request) -> Iterator[Any]:
            for piece in super().pieces(request):
                self.pause(0.02)
                yield piece

        def chat(self, request: Request) -> tuple[int, str]:
            self.pause(0.1)
            return super().chat(request)

    checks = checked(Slow(), contract)
    assert with_verdict(checks, "pass") == WITHOUT_ENTRY
    assert checks["streamed chat"].seconds > 0.1


def test_slow_start_of_a_stream_is_no_stall(contract: Contract) -> None:
    class SlowStart(Good):
        def pieces(self, request: Request) -> Iterator[Any]:
            for number, piece in enumerate(super().pieces(request)):
                if number == 1:  # the role came, and no token yet
                    self.pause(0.6)
                yield piece

    limits = dataclasses.replace(LIMITS, stall=0.4, tool_tries=1)
    assert with_verdict(checked(SlowStart(), contract, limits), "pass") == WITHOUT_ENTRY


def test_an_answer_that_drips_has_an_end(contract: Contract) -> None:
    class Drips(Good):
        def pieces(self, request: Request) -> Iterator[Any]:
            while not self.over.is_set() and "tools" not in request:
                self.pause(0.02)
                yield self.event({"choices": [{"index": 0, "delta": {"reasoning": "hm "}}]})
            yield from super().pieces(request)

    checks = checked(Drips(), contract, SHORT)
    assert with_verdict(checks, "fail") == ["streamed chat"]
    assert "The answer was not whole after 0.4 s" in checks["streamed chat"].sentence


def test_when_the_time_for_all_is_over_the_rest_is_not_asked(contract: Contract) -> None:
    checks = checked(Hangs(), contract, dataclasses.replace(LIMITS, total=0.3))
    assert with_verdict(checks, "pass") == ["health", "models"]
    assert with_verdict(checks, "fail")[0] == "chat"
    assert checks["chat"].sentence == "The 0.3 s for all checks together were over before its end."
    assert with_verdict(checks, "fail")[1:] == ["reasoning"]
    assert {checks[name].sentence for name in WITHOUT_ENTRY[4:]} == {"The time was over before it."}


# -- what engines may do differently -----------------------------------------------------------------------------------


def test_the_older_field_of_thoughts_is_named(contract: Contract) -> None:
    class Older(Good):
        reasoning_field = "reasoning_content"

    checks = checked(Older(), contract)
    assert with_verdict(checks, "pass") == WITHOUT_ENTRY
    assert "in reasoning_content, apart" in checks["reasoning"].sentence
    assert "vllm 0.33.0 should call it reasoning" in checks["reasoning"].sentence
    old = dataclasses.replace(contract, image=dataclasses.replace(contract.image, engine_version="0.18.2"))
    assert "should" not in checked(Older(), old)["reasoning"].sentence


def test_metrics_of_a_version_that_nobody_has_read_are_skipped(contract: Contract) -> None:
    newer = dataclasses.replace(contract, image=dataclasses.replace(contract.image, engine_version="0.99.0"))
    check = checked(Good(), newer)["metrics"]
    assert check.verdict == "skip"
    assert "names of vllm 0.99.0 are not known" in check.sentence


def test_fragments_of_two_calls_are_joined_by_their_index(contract: Contract) -> None:
    class Interleaved(Good):
        def calls(self, request: Request) -> list[dict[str, Any]]:
            return [{**call, "id": f"call_{i}"} for i, call in enumerate(super().calls(request) * 2)]

        def arguments(self, request: Request) -> str:
            return json.dumps({"city": 'Lisbon, the one with the \\ and the "quotes" <|in it|>'})

        def deltas(self, request: Request) -> Iterator[dict[str, Any]]:
            fragments = [d for d in super().deltas(request) if "tool_calls" in d]
            yield from fragments[::3]
            yield from (f for pair in zip(fragments[1:3], fragments[4:6], strict=True) for f in pair)
            if not fragments:
                yield from super().deltas(request)

    checks = checked(Interleaved(), contract)
    assert with_verdict(checks, "pass") == WITHOUT_ENTRY


@pytest.mark.parametrize("ending", [b"\r\n", b"\r", b"\n"])
def test_streams_cut_anywhere_and_ended_in_any_way_are_joined(ending: bytes, contract: Contract) -> None:
    class Chopped(Good):
        def pieces(self, request: Request) -> Iterator[Any]:
            text = b"".join(super().pieces(request)).replace(b"\n", ending)
            yield from (text[i : i + 7] for i in range(0, len(text), 7))

    checks = checked(Chopped(), contract)
    assert with_verdict(checks, "pass") == WITHOUT_ENTRY


# -- the entry ---------------------------------------------------------------------------------------------------------


class Entry(Good):
    """Lets the paths of the API through and no others."""

    def health(self) -> tuple[int, str]:
        return 404, ""

    def metrics(self) -> tuple[int, str]:
        return 403, ""


def test_a_good_entry(contract: Contract) -> None:
    checks = checked(model := Entry(), contract, entry=True)
    assert with_verdict(checks, "skip") == ["health", "metrics"]
    assert not with_verdict(checks, "fail")
    assert checks["unguarded path"].sentence == "404 on POST /invocations."
    assert model.asked[-1][:2] == ("POST", "/invocations")


def test_an_entry_with_an_open_path(contract: Contract) -> None:
    class Open(Entry):
        def invocations(self) -> tuple[int, str]:
            return 200, "{}"

    checks = checked(Open(), contract, entry=True)
    assert with_verdict(checks, "fail") == ["unguarded path"]
    assert "sent without a key: whoever reaches the entry gets answers" in checks["unguarded path"].sentence


def test_an_entry_that_fails_proves_nothing(contract: Contract) -> None:
    class Broken(Entry):
        def invocations(self) -> tuple[int, str]:
            return 502, ""

    assert checked(Broken(), contract, entry=True)["unguarded path"].verdict == "skip"


def test_the_key_goes_with_every_request_but_that_for_the_open_path(contract: Contract) -> None:
    model = Entry()
    with serving(model) as url:
        smoke(contract, Client(url, "s3cret"), LIMITS, entry=True)
    keys = {(path, headers.get("Authorization")) for _, path, _, headers in model.asked}
    assert ("/invocations", None) in keys
    assert {key for path, key in keys if path != "/invocations"} == {"Bearer s3cret"}


#: Colours, commands for CI runners, and more than fits into a sentence.
HOSTILE = "\x1b[31m\n::error::x\n##[error]y " + "".join(map(chr, range(ord("a"), ord("z")))) * 3


def test_foreign_text_in_a_sentence_is_harmless(contract: Contract) -> None:
    class Hostile(Good):
        def content(self, request: Request) -> str:
            return super().content(request) if "tools" in request else HOSTILE

    sentence = checked(Hostile(), contract)["chat"].sentence
    assert QUESTION in sentence
    assert sentence.isprintable()
    assert "::" not in sentence
    assert "##[" not in sentence
    assert "…" in sentence
