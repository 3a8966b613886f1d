"""Planning every environment that a pull request touches, each as ``hawser plan`` would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from hawser.cli.affected import Affected
from hawser.cli.judging import Gate
from hawser.cli.planning import plan_stacks
from hawser.cli.talk import Talk
from hawser.cli.workspace import open_workspace
from hawser.contract import load_deployment
from hawser.errors import HawserError, InterruptedRunError
from hawser.report.pull_request import Planned
from hawser.report.review import Review
from hawser.terraform.runner import INTERRUPTS


def plan_affected(root: Path, talk: Talk, affected: Iterable[Affected], *, emulate: bool) -> Iterator[Planned]:
    """Plan and judge each environment; one that fails does not keep the others from being planned.

    Raises ``InterruptedRunError`` when a person interrupts.
    """
    for one in affected:
        reviews: list[Review] = []
        failure: HawserError | None = None
        try:
            workspace = open_workspace(root, load_deployment(root, one.name), talk, emulate=emulate)
            with workspace.alone(), Gate(root, talk) as gate, INTERRUPTS.handled():
                reviews.extend(planned.review for planned in plan_stacks(workspace, gate))
        except InterruptedRunError:
            raise
        except HawserError as error:
            failure = error  # what was judged before it is still shown
        yield Planned(one.name, one.why, tuple(reviews), failure)
