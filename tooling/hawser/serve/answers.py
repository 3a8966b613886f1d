"""Answers of a chat, whole or streamed, read into one shape. What they say is not judged here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hawser.serve.content import quoted


class ShapeError(Exception):
    """The answer is no answer of a chat; the text says why, without a full stop."""


class ErrorAnswerError(Exception):
    """In place of an answer, or in the middle of one, comes an error; the text says which, without a full stop."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for: id, name of the function, and its arguments as the text that came."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. ``thoughts`` holds what the model thought by the name of the field it came in."""

    content: str
    thoughts: Mapping[str, str]
    calls: tuple[ToolCall, ...]
    finish_reason: str | None
    usage: Mapping[str, Any] | None

    @property
    def thought(self) -> str:
        """What the model thought, from whichever field has it."""
        return next(iter(self.thoughts.values()), "")


def read_answer(body: str, reasoning_fields: Sequence[str]) -> Answer:
    """The answer in the JSON ``body``. Raises ``ShapeError`` and ``ErrorAnswerError``."""
    document = _object(body, "the answer")
    choice = _first_choice(document)
    if choice is None:
        raise ShapeError("the answer has no choices")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ShapeError("the answer has no message")
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise ShapeError("tool_calls is no list of calls")
    return Answer(
        _text(message, "content"),
        {name: _text(message, name) for name in reasoning_fields if message.get(name)},
        tuple(ToolCall(_text(call, "id"), *_function(call)) for call in calls),
        _text(choice, "finish_reason") or None,
        _usage(document),
    )


@dataclass(slots=True)
class _PartialCall:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class StreamedAnswer:
    """Joins the chunks of a stream. Fragments of tool calls belong together by their index, not by their order."""

    def __init__(self, reasoning_fields: Sequence[str]) -> None:
        self._fields = reasoning_fields
        self._content: list[str] = []
        self._thoughts: dict[str, list[str]] = {}
        self._calls: dict[int, _PartialCall] = {}
        self._finish_reason: str | None = None
        self._usage: Mapping[str, Any] | None = None

    def add(self, data: str) -> str:
        """Take one chunk. Returns what it brings of the model: ``content``, a field of thoughts, ``tool_calls``, or
        nothing.

        Raises ``ShapeError`` and ``ErrorAnswerError``.
        """  # noqa: D205 - the summary needs its second line
        document = _object(data, "a chunk")
        self._usage = _usage(document) or self._usage
        choice = _first_choice(document)
        if choice is None:
            return ""  # the chunk with the usage has none
        self._finish_reason = _text(choice, "finish_reason") or self._finish_reason
        delta = choice.get("delta") or {}
        if not isinstance(delta, dict):
            raise ShapeError("a chunk's delta is no object")
        brought = ""
        if content := _text(delta, "content"):
            self._content.append(content)
            brought = "content"
        for name in self._fields:
            if thought := _text(delta, name):
                self._thoughts.setdefault(name, []).append(thought)
                brought = name
        calls = delta.get("tool_calls") or []
        if not isinstance(calls, list):
            raise ShapeError("a chunk's tool_calls is no list")
        for call in calls:
            self._add_call(call)
            brought = "tool_calls"
        return brought

    def _add_call(self, call: object) -> None:
        index = call.get("index") if isinstance(call, dict) else None
        if not isinstance(call, dict) or type(index) is not int:
            raise ShapeError("a fragment of a tool call has no index, so nobody can join it")
        known = self._calls.setdefault(index, _PartialCall())
        name, arguments = _function(call)
        known.id = known.id or _text(call, "id")
        known.name = known.name or name
        known.arguments.append(arguments)

    def answer(self) -> Answer:
        """What has come until now."""
        return Answer(
            "".join(self._content),
            {name: "".join(parts) for name, parts in self._thoughts.items()},
            tuple(ToolCall(c.id, c.name, "".join(c.arguments)) for _, c in sorted(self._calls.items())),
            self._finish_reason,
            self._usage,
        )


def error_text(body: str) -> str:
    """What an answer with an error says in its ``message``, else the body itself."""
    try:
        document = json.loads(body)
    except ValueError:
        return body
    return _message(document) or body


def _message(document: object) -> str:
    if not isinstance(document, dict):
        return ""
    error = document.get("error", document)
    found = error.get("message") if isinstance(error, dict) else error if isinstance(error, str) else None
    return found if isinstance(found, str) else ""


def _object(text: str, what: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ShapeError(f"{what} is no JSON") from None
    if not isinstance(document, dict):
        raise ShapeError(f"{what} is no JSON object")
    if document.get("error"):
        raise ErrorAnswerError(f"{what} is an error: {quoted(_message(document))}")
    return document


def _first_choice(document: Mapping[str, Any]) -> dict[str, Any] | None:
    choices = document.get("choices")
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None


def _function(call: Mapping[str, Any]) -> tuple[str, str]:
    function = call.get("function") or {}
    if not isinstance(function, dict):
        raise ShapeError("a tool call has no function")
    return _text(function, "name"), _text(function, "arguments")


def _usage(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    usage = document.get("usage")
    return usage if isinstance(usage, dict) else None


def _text(fields: Mapping[str, Any], name: str) -> str:
    """A text; empty when it is null or absent."""
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise ShapeError(f"{name} is {type(value).__name__}, not text")
    return value or ""
