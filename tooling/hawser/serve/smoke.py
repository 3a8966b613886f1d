"""The acceptance check of a served model: what its contract promises, asked for through its API, one thing at a time.

It sends about a dozen requests, none of which changes anything, and expects a server without other load.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from hawser.contract.deployment import Contract
from hawser.serve.checks import api, chat, tools
from hawser.serve.client import Client
from hawser.serve.run import Check, FailedError, Judge, Limits, Run, SkippedError, Verdict

#: Every check by its name, in the order in which they run: later ones lean on what earlier ones found.
CHECKS: Final[dict[str, Judge]] = {
    "health": api.health,
    "models": api.models,
    "chat": chat.known_answer,
    "reasoning": chat.reasoning,
    "streamed chat": chat.streamed_answer,
    "tool call": tools.tool_call,
    "streamed tool call": tools.streamed_tool_call,
    "second turn": tools.second_turn,
    "usage": chat.usage,
    "metrics": api.metrics,
    "unguarded path": api.unguarded_path,
}
#: Without these nothing else can be asked.
BASIC: Final = ("health", "models")
#: Asked only at the entry that users have: on the engine itself the path is open.
ENTRY_ONLY: Final = ("unguarded path",)


def smoke(
    contract: Contract,
    client: Client,
    limits: Limits | None = None,
    *,
    entry: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Check]:
    """Every check in its order, each told by name before it begins; ``entry`` adds those of the entry for users.

    When the health or the list of models is wrong, or the time is over, the rest is skipped and says so.
    """
    limits = limits or Limits()
    run = Run(client, contract, limits, entry, time.monotonic() + limits.total)
    done: list[Check] = []
    hopeless = ""
    for name, function in CHECKS.items():
        if name in ENTRY_ONLY and not entry:
            continue
        if hopeless:
            done.append(Check(name, "skip", 0.0, hopeless))
            continue
        tell(name)
        if time.monotonic() >= run.ends:
            check = Check(name, "fail", 0.0, run.over)
            hopeless = "The time was over before it."
        else:
            check = _judged(name, function, run)
        if check.verdict == "fail" and name in BASIC:
            hopeless = f"Not asked, for {name} failed."
        done.append(check)
    return done


def _judged(name: str, function: Judge, run: Run) -> Check:
    began = time.monotonic()
    verdict: Verdict = "pass"
    try:
        sentence = function(run)
    except FailedError as error:
        verdict, sentence = "fail", str(error)
    except SkippedError as error:
        verdict, sentence = "skip", str(error)
    return Check(name, verdict, time.monotonic() - began, sentence)
