"""Values that are only examples of documentation: good for reading and for the emulator, never for a real account."""

from __future__ import annotations

import re
from functools import cache

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.contract.problems import Problem


def example_in(text: str) -> str | None:
    """What the example in ``text`` stands for (``account id``), or nothing when it holds none."""
    found = _any_example().search(text)
    return facts.examples()[found[0]] if found else None


def example_problems(deployment: Deployment) -> tuple[Problem, ...]:
    """One problem for each example value of the deployment."""
    problems = []
    for path in deployment.examples:
        place = deployment.place(path)
        assert place is not None
        problems.append(Problem(place, path, "an example of documentation", "a value of yours", "replace it"))
    return tuple(problems)


@cache
def _any_example() -> re.Pattern[str]:
    """Matches any example as a whole word."""
    values = "|".join(re.escape(value) for value in facts.examples())
    return re.compile(rf"(?<![0-9A-Za-z])({values})(?![0-9A-Za-z])")
