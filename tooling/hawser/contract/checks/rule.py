"""A cross-field rule: one function, and why it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from hawser.contract.draft import Draft, PoolDraft, UnavailableError
from hawser.contract.problems import Problem

RuleFunction = Callable[[Draft], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class CrossRule:
    """``title`` is what must hold; ``why`` says what happens otherwise."""

    title: str
    why: str
    run: RuleFunction

    def problems(self, draft: Draft) -> Iterator[Problem]:
        """What the rule finds; nothing more once it needs a field that is not well-formed."""
        try:
            for problem in self.run(draft):
                yield replace(problem, why=self.why)
        except UnavailableError:
            return


def rule(title: str, why: str) -> Callable[[RuleFunction], CrossRule]:
    """Makes a rule of ``function(draft) -> problems``."""
    return lambda function: CrossRule(title, why, function)


def pool_rule(title: str, why: str) -> Callable[[Callable[[PoolDraft], Iterator[Problem]]], CrossRule]:
    """Makes a rule of ``function(pool) -> problems``, called for each pool; one pool does not end it for the others."""

    def wrap(function: Callable[[PoolDraft], Iterator[Problem]]) -> CrossRule:
        def run(draft: Draft) -> Iterator[Problem]:
            for pool in draft.pools():
                with suppress(UnavailableError):
                    yield from function(pool)

        return CrossRule(title, why, run)

    return wrap
