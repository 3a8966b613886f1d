"""Tool calls: one that the model must make, whole and streamed, and what it says to the tool's answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from hawser.serve.answers import Answer, ToolCall
from hawser.serve.checks.asking import FOREIGN_MARKS, RUBBISH, asked, refuse_text, streamed, tried
from hawser.serve.content import has_number, mark, quoted, repeated
from hawser.serve.run import FailedError, Run, SkippedError

NAME: Final = "get_weather"
ARGUMENT: Final = "city"
VALUE: Final = "Lisbon"
QUESTION: Final = f"What is the temperature in {VALUE} right now? Use the tool."
#: What the tool answers: nothing that a model would guess for the place.
CELSIUS: Final = 37
TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": NAME,
        "description": "The weather in a city right now.",
        "parameters": {
            "type": "object",
            "properties": {ARGUMENT: {"type": "string", "description": "Name of the city."}},
            "required": [ARGUMENT],
        },
    },
}
_ASKED: Final[dict[str, Any]] = {"role": "user", "content": QUESTION}
_OFFERED: Final[dict[str, Any]] = {"tools": [TOOL], "tool_choice": "auto"}


def tool_call(run: Run) -> str:
    """A call, all at once."""
    return _calls(run, lambda: asked(run, [_ASKED], **_OFFERED))


def streamed_tool_call(run: Run) -> str:
    """A call in fragments."""
    return _calls(run, lambda: streamed(run, [_ASKED], **_OFFERED).answer)


def _calls(run: Run, ask: Callable[[], Answer]) -> str:
    def attempt() -> Answer:
        answer = ask()
        _refuse_call(answer, run)
        run.call = run.call or answer
        return answer

    answers = tried(run.limits.tool_tries, attempt)
    return f"{NAME} was called with {quoted(answers[0].calls[0].arguments)}, {len(answers)} times of {len(answers)}."


def _refuse_call(answer: Answer, run: Run) -> None:
    """Raise ``FailedError`` when the answer is not the call that was asked for."""
    if found := mark(answer.content):
        raise FailedError(f"{quoted(found)} stands in the content beside the call. {FOREIGN_MARKS}")
    if rubbish := repeated(answer.content):
        raise FailedError(f"It repeats {quoted(rubbish)}. {RUBBISH}")
    if not answer.calls:
        raise FailedError(_why_no_call(answer, run))
    for call in answer.calls:
        _refuse_arguments(call)
    if not any(VALUE.lower() in _arguments(call)[ARGUMENT].lower() for call in answer.calls):
        said = quoted(answer.calls[0].arguments)
        raise FailedError(f"The arguments are {said}, without the {VALUE!r} that was asked for. {FOREIGN_MARKS}")
    if answer.finish_reason != "tool_calls":
        raise FailedError(
            f"finish_reason is {answer.finish_reason!r} beside a call, where it must be 'tool_calls': agents that go by"
            " it never run the tool."
        )


def _why_no_call(answer: Answer, run: Run) -> str:
    serving = run.contract.serving
    if answer.finish_reason == "length":
        return f"tool_calls is empty: {run.tokens} tokens were not enough, and the answer was cut before a call."
    if answer.content.strip():
        return (
            f"tool_calls is empty, and the answer is {quoted(answer.content)}. The engine does not show the tool to the"
            f" model, or takes its call for words: it needs --enable-auto-tool-choice and --tool-call-parser"
            f" {serving.tool_call_parser}."
        )
    return (
        f"tool_calls is empty, and so is the content, after {len(answer.thought)} characters of thoughts. The model"
        " left out the mark that ends its thinking, and the parser waited for it: known of K3. Callers must ask again;"
        " a newer engine may read it."
    )


def _refuse_arguments(call: ToolCall) -> None:
    if call.name != NAME:
        raise FailedError(f"It calls {quoted(call.name)}, which is not the offered {NAME}. {FOREIGN_MARKS}")
    if not call.id:
        raise FailedError("The call has no id: nobody can answer it.")
    said = quoted(call.arguments)
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        raise FailedError(
            f"The arguments {said} are no JSON: the parser lost a part of them, or joined those of two calls."
        ) from None
    if not isinstance(arguments, dict) or not isinstance(arguments.get(ARGUMENT), str):
        raise FailedError(f"The arguments {said} have no text {ARGUMENT!r}, which the tool requires. {FOREIGN_MARKS}")


def _arguments(call: ToolCall) -> dict[str, str]:
    arguments: dict[str, str] = json.loads(call.arguments)
    return arguments


def second_turn(run: Run) -> str:
    """The tool's answer goes back, and the model uses it."""
    if run.call is None:
        raise SkippedError("There is no tool call that could be answered.")
    calls = run.call.calls
    turn: list[dict[str, Any]] = [
        _ASKED,
        {
            "role": "assistant",
            "content": run.call.content or None,
            "tool_calls": [
                {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in calls
            ],
        },
    ]
    for call in calls:
        result = json.dumps({**_arguments(call), "celsius": CELSIUS})
        turn.append({"role": "tool", "tool_call_id": call.id, "content": result})
    answer = asked(run, turn, **_OFFERED)
    if answer.calls:
        raise FailedError(
            "The tool's answer was sent, and the model calls it again: the chat template loses the answer, or the name"
            " of the function with the id of the call."
        )
    refuse_text(answer, run.tokens)
    if not has_number(answer.content, CELSIUS):
        raise FailedError(
            f"The tool said {CELSIUS} degrees, and the answer is {quoted(answer.content)}: the chat template loses the"
            " tool's answer, or the name of the function with the id of the call."
        )
    return f"The tool's answer came back as {quoted(answer.content)}."
