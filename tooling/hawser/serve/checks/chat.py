"""Answers in words: a known one, whole and streamed, with thoughts apart and figures that add up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hawser.serve.answers import Answer
from hawser.serve.checks.asking import asked, refuse_text, streamed
from hawser.serve.content import has_number, quoted
from hawser.serve.run import FailedError, Run, SkippedError

#: A question whose answer every working model knows, and no damaged one hits.
QUESTION: Final = "What is 17+25? Answer with the number only."
ANSWER: Final = 42
#: Characters of one token at most, on average over an answer; in English it is about four.
_TOKEN_CHARACTERS: Final = 20


def known_answer(run: Run) -> str:
    """One question, one answer, all at once."""
    run.chat = asked(run, [{"role": "user", "content": QUESTION}])
    _refuse_answer(run.chat, run.tokens)
    return f"{QUESTION!r} was answered with {quoted(run.chat.content)}."


def _refuse_answer(answer: Answer, tokens: int) -> None:
    refuse_text(answer, tokens)
    if answer.calls:
        raise FailedError("It calls a tool, and none was offered. The tool call parser takes words for a call.")
    if not has_number(answer.content, ANSWER):
        raise FailedError(
            f"{QUESTION!r} was answered with {quoted(answer.content)}. Weights are damaged or mixed up (a missing or"
            " empty file loads without an error): compare them with their manifest. Or it is another model."
        )
    if answer.finish_reason != "stop":
        raise FailedError(f"finish_reason is {answer.finish_reason!r} where it must be 'stop': clients wait for more.")


def reasoning(run: Run) -> str:
    """What the model thinks stands in a field of its own, beside the content."""
    answer = run.chat
    if answer is None:
        raise SkippedError("There is no chat answer to look at.")
    image, right = run.contract.image, run.reasoning_fields[0]
    if not answer.thoughts:
        raise FailedError(
            f"There is no field {' or '.join(run.reasoning_fields)}: the engine runs without a reasoning parser"
            f" (the contract's is {run.contract.serving.reasoning_parser}), or the model did not think."
        )
    if not answer.content.strip():
        raise FailedError(f"All of the answer is in {right}, and the content is empty: see chat.")
    found = " and ".join(answer.thoughts)
    sentence = f"{len(answer.thought)} characters in {found}, apart from the content."
    if right not in answer.thoughts:
        sentence += f" {image.engine_name} {image.engine_version} should call it {right}: is this the contract's image?"
    return sentence


def streamed_answer(run: Run) -> str:
    """The same question, streamed."""
    stream = streamed(run, [{"role": "user", "content": QUESTION}])
    run.streamed = stream.answer
    _refuse_answer(stream.answer, run.tokens)
    return (
        f"First token after {stream.first_token:.2f} s (in {stream.first_field}), {stream.chunks} chunks, longest"
        f" silence {stream.longest_gap:.2f} s, joined {quoted(stream.answer.content)}."
    )


def usage(run: Run) -> str:
    """The figures that are billed and measured by."""
    answers = {"the answer": run.chat, "the streamed answer": run.streamed}
    looked_at = {what: answer for what, answer in answers.items() if answer is not None}
    if not looked_at:
        raise SkippedError("There is no answer whose usage could be looked at.")
    for what, answer in looked_at.items():
        _refuse_usage(answer, what, run.tokens)
    figures = ", ".join(f"{_number(a.usage, 'completion_tokens')} tokens in {what}" for what, a in looked_at.items())
    return f"{figures[:1].upper()}{figures[1:]}."


def _refuse_usage(answer: Answer, what: str, most: int) -> None:
    if answer.usage is None:
        raise FailedError(f"There is no usage in {what}: whatever bills or measures by it sees nothing.")
    given, made, total = (_number(answer.usage, f"{part}_tokens") for part in ("prompt", "completion", "total"))
    text = len(answer.content) + len(answer.thought)
    wrong = ""
    if given <= 0 or made <= 0:
        wrong = f"prompt_tokens is {given} and completion_tokens {made}"
    elif total != given + made:
        wrong = f"total_tokens is {total}, which is not {given} + {made}"
    elif made * _TOKEN_CHARACTERS < text:
        wrong = f"completion_tokens is {made} for {text} characters"
    elif made > most:
        wrong = f"completion_tokens is {made}, and {most} were asked for at most"
    if wrong:
        raise FailedError(f"In the usage of {what} {wrong}: whatever bills or measures by it is wrong.")


def _number(usage: Mapping[str, Any] | None, name: str) -> int:
    """A whole number of the usage; -1 when it is none."""
    value = usage.get(name) if usage else None
    return value if type(value) is int else -1
