"""What the checks of one run share, and how long they may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from hawser.contract.deployment import Contract
from hawser.facts import reasoning_fields
from hawser.serve.answers import Answer
from hawser.serve.client import Client

Verdict = Literal["pass", "fail", "skip"]

#: Seconds for all checks together: a dozen requests to a slow model that thinks, and no hang that nobody ends.
TOTAL_SECONDS: Final = 1800.0
#: Seconds for what the engine answers without the model: health, list of models, metrics.
QUICK_SECONDS: Final = 30.0
#: Seconds for one answer. A model that thinks may use all ``ANSWER_TOKENS``; 30 of them a second is slow for an
#: engine without other load. The first requests after a start may also wait for kernels that are compiled on first use.
ANSWER_SECONDS: Final = 300.0
#: Seconds to the first token of a stream, with the same compiling before it.
FIRST_TOKEN_SECONDS: Final = 300.0
#: Seconds between two pieces of a stream. A working engine is silent for some seconds at most, while it takes in
#: other prompts; load balancers cut a silent connection after 60.
STALL_SECONDS: Final = 60.0
#: Tokens of one answer, thinking included: our questions need some hundred, and a thinking model likes more.
ANSWER_TOKENS: Final = 8192
#: Tries of a tool call each way. K3 sometimes leaves out the mark that ends its thinking, and then the call is lost.
TOOL_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often, in seconds and tries; see the constants for the reasons."""

    total: float = TOTAL_SECONDS
    quick: float = QUICK_SECONDS
    answer: float = ANSWER_SECONDS
    first_token: float = FIRST_TOKEN_SECONDS
    stall: float = STALL_SECONDS
    tool_tries: int = TOOL_TRIES


@dataclass(frozen=True, slots=True)
class Check:
    """One thing asked of the server: what came of it, after how many seconds, and a sentence about it."""

    name: str
    verdict: Verdict
    seconds: float
    sentence: str


class FailedError(Exception):
    """A check found something wrong; the text is its sentence."""


class HungError(FailedError):
    """Nobody is there, or nothing came in time: asking once more would only take as long again."""


class SkippedError(Exception):
    """A check has nothing to look at; the text is its sentence."""


@dataclass(slots=True)
class Run:
    """What the checks of one run share: whom they ask, what is promised, how long they may take, and what came."""

    client: Client
    contract: Contract
    limits: Limits
    #: Whether ``client`` asks at the entry that users have, where only the paths of the API may be open.
    entry: bool
    #: ``time.monotonic()`` at which everything must be over
    ends: float
    chat: Answer | None = None
    streamed: Answer | None = None
    #: The answer with the tool call that a second turn answers.
    call: Answer | None = None
    #: Tokens that were asked for at most in one answer.
    tokens: int = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = min(ANSWER_TOKENS, self.contract.serving.max_model_len // 2)

    def seconds(self, wanted: float) -> float:
        """``wanted``, or what is left for everything. Raises ``HungError`` when nothing is."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise HungError(self.over)
        return min(wanted, left)

    @property
    def over(self) -> str:
        """The sentence for a run that has no time left."""
        return f"The {self.limits.total:g} s for all checks together were over before its end."

    @property
    def reasoning_fields(self) -> tuple[str, ...]:
        """The fields in which the engine may put what the model thought, the one that is right first."""
        known = reasoning_fields()[self.contract.image.engine_name]
        old = _numbers(self.contract.image.engine_version) < _numbers(known.since)
        return (known.before, known.field) if old else (known.field, known.before)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


#: A check: its sentence when it passes; raises ``FailedError`` or ``SkippedError`` with another.
Judge = Callable[[Run], str]
