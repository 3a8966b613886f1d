"""Asking the model, with each way in which a request can go wrong as a sentence that says what it usually means."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from hawser.serve.answers import Answer, ErrorAnswerError, ShapeError, StreamedAnswer, error_text, read_answer
from hawser.serve.client import BrokenOffError, Reply, TalkError, TooLateError, UnreachableError
from hawser.serve.content import mark, quoted, repeated
from hawser.serve.run import FailedError, HungError, Run

#: What an HTTP status in place of an answer usually means.
_STATUS: Final = {
    400: "The engine refuses the request: an argument that this feature needs is usually missing at its start.",
    401: "It wants a key: put it into HAWSER_API_KEY.",
    403: "Whoever stands before the engine refuses the path or the key (HAWSER_API_KEY).",
    404: "Path or model is not known there: a front end that never registered the model answers so, while its health"
    " is good.",
    422: "The engine does not understand the request: it is usually another version than the contract's.",
    429: "The queue is full: this check expects a server without other load.",
    500: "The engine failed at it: its log has the reason.",
    502: "Nothing answers behind the entry.",
    503: "The engine still loads, or has died.",
    504: "The entry gives up sooner than the model answers: its idle limit must be longer than the longest answer.",
}
_HUNG: Final = "Health reads a flag and may be good all the same; an engine that hangs must be restarted."
_UNREACHABLE: Final = "The port-forward has usually ended, or the pod is not there."

#: What a mark of the template in a text means.
FOREIGN_MARKS: Final = (
    "Chat template and parsers do not fit the model: compare serving.tool_call_parser and serving.reasoning_parser of"
    " the contract with what the engine was started with."
)
#: What repetition means.
RUBBISH: Final = (
    "The numbers went wrong inside: kernels of this engine version on this GPU, or damaged weights; compare the"
    " weights with their manifest, then try another engine version."
)

T = TypeVar("T")


@contextmanager
def talking(run: Run) -> Iterator[None]:
    """Failures of the connection as failed checks."""
    try:
        yield
    except UnreachableError as error:
        raise HungError(f"No connection to {run.client.base}: {error}. {_UNREACHABLE}") from None
    except TooLateError as error:
        raise HungError(run.over if time.monotonic() >= run.ends else f"{_sentence(error)} {_HUNG}") from None
    except BrokenOffError as error:
        raise FailedError(
            f"{_sentence(error)} The engine crashed, or something between cut a connection that was silent too long."
        ) from None
    except ErrorAnswerError as error:
        raise FailedError(f"{_sentence(error)} {_STATUS[500]}") from None
    except (TalkError, ShapeError) as error:
        raise FailedError(f"{_sentence(error)} It is no answer of an OpenAI-compatible API.") from None


def _sentence(error: Exception) -> str:
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(error))
    return f"{text[:1].upper()}{text[1:]}."


def refuse_status(status: int, body: str, where: str) -> None:
    """Raise ``FailedError`` with the meaning of a status other than 200."""
    if status == 200:
        return
    said = error_text(body).strip()
    words = f", {quoted(said)}" if said else ""
    meaning = _STATUS.get(status) or ("It sends elsewhere; give the URL it leads to." if 300 <= status < 400 else "")
    raise FailedError(f"{status} on {where}{words}. {meaning}".rstrip())


def got(run: Run, path: str) -> Reply:
    """The answer to GET ``path``, whatever its status."""
    with talking(run):
        return run.client.get(path, run.seconds(run.limits.quick))


def _request(run: Run, messages: Sequence[Mapping[str, Any]], more: Mapping[str, Any]) -> dict[str, Any]:
    """A request as most clients send it: the sampling is left to the model's own defaults."""
    model = run.contract.api.served_model_name
    return {"model": model, "messages": list(messages), "max_tokens": run.tokens, **more}


def asked(run: Run, messages: Sequence[Mapping[str, Any]], **more: Any) -> Answer:
    """The whole answer to ``messages``; ``more`` goes into the request."""
    path = run.contract.api.paths["chat"]
    with talking(run):
        reply = run.client.post(path, _request(run, messages, more), run.seconds(run.limits.answer))
        refuse_status(reply.status, reply.body, path)
        return read_answer(reply.body, run.reasoning_fields)


@dataclass(frozen=True, slots=True)
class Streamed:
    """A streamed answer: seconds to its first token, what that token was part of, chunks, longest silence after it."""

    answer: Answer
    first_token: float
    first_field: str
    chunks: int
    longest_gap: float


def streamed(run: Run, messages: Sequence[Mapping[str, Any]], **more: Any) -> Streamed:
    """The streamed answer to ``messages``, when the stream ends as it must, with ``[DONE]``."""
    path = run.contract.api.paths["chat"]
    request = _request(run, messages, {**more, "stream": True, "stream_options": {"include_usage": True}})
    limits = run.limits
    joined = StreamedAnswer(run.reasoning_fields)
    began = last = time.monotonic()
    first, first_field, chunks, longest, done = 0.0, "", 0, 0.0, False
    try:
        with (
            talking(run),
            run.client.stream(path, request, run.seconds(limits.answer), run.seconds(limits.first_token)) as stream,
        ):
            if stream.status != 200:
                refuse_status(stream.status, stream.body(), path)
            for data in stream.events():
                now = time.monotonic()
                if data.strip() == "[DONE]":
                    done = True
                    break
                chunks += 1
                field = joined.add(data)
                if first_field:
                    longest = max(longest, now - last)
                elif field:
                    first, first_field = now - began, field
                    stream.gap = limits.stall
                last = now
    except FailedError as error:
        raise type(error)(f"After {chunks} chunks: {error}" if chunks else str(error)) from None
    if not chunks:
        raise FailedError("No event came: the server, or something before it, does not stream.")
    if not done:
        raise FailedError(
            f"The stream ended after {chunks} chunks without [DONE]: the engine died in the middle of it, or something"
            " between cut the connection. Clients take such an answer for whole."
        )
    return Streamed(joined.answer(), first, first_field, chunks, longest)


def refuse_text(answer: Answer, tokens: int) -> None:
    """Raise ``FailedError`` when the content is none that a user may see: cut, empty, with marks, or rubbish."""
    content, thought = answer.content, answer.thought
    if rubbish := repeated(content) or (repeated(thought) if not content.strip() else None):
        raise FailedError(f"It repeats {quoted(rubbish)}. {RUBBISH}")
    if found := mark(content):
        raise FailedError(f"{quoted(found)} stands in the content. {FOREIGN_MARKS}")
    if "\N{REPLACEMENT CHARACTER}" in content:
        raise FailedError(f"There are broken characters in {quoted(content)}. {RUBBISH}")
    if answer.finish_reason == "length":
        raise FailedError(
            f"It was cut: {tokens} tokens were not enough, of which {len(thought)} characters are thoughts and"
            f" {len(content)} content. The model does not find its end; template or weights are another model's."
        )
    if not content.strip():
        where = f"all {len(thought)} characters are thoughts" if thought.strip() else "there are no thoughts either"
        raise FailedError(
            f"The content is empty, {where}. The reasoning parser waits for a mark that this model does not write: it"
            " is the parser of another model, or the model left the mark out."
        )


def tried(tries: int, attempt: Callable[[], T]) -> list[T]:
    """What each attempt brought.

    Raises ``FailedError`` that says how many went wrong, with the first one's sentence; a hang ends it at once.
    """
    brought: list[T] = []
    wrong: list[str] = []
    for _ in range(tries):
        try:
            brought.append(attempt())
        except HungError:
            raise
        except FailedError as error:
            wrong.append(str(error))
    if wrong:
        raise FailedError(f"{len(wrong)} of {tries} tries went wrong. {wrong[0]}" if tries > 1 else wrong[0])
    return brought
