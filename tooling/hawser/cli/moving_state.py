"""``hawser bootstrap move-state``: from the checkout into the bucket, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hawser.cli.bootstrap_state import local_file
from hawser.cli.workspace import StackRun, StateIdentity, Workspace, failed
from hawser.decision.record import NO_STATE
from hawser.errors import CheckFoundError
from hawser.terraform.stacks import BOOTSTRAP


@dataclass(frozen=True, slots=True)
class Moved:
    """A state that was moved: how many resources, its serial, where it is now, where the old file is kept."""

    resources: int
    serial: str
    to: str
    kept: Path


def move_state(workspace: Workspace) -> Moved:
    """Move the state from the checkout into the bucket; the file stays as a backup under another name.

    Terraform gives a state that arrives in an empty place a lineage of its own, so what is compared is the content:
    resources and outputs. A move that was interrupted can be run again. Raises ``CheckFoundError`` when there is
    nothing to move, the bucket holds another state, or what arrived is not what was sent; ``TerraformError`` when
    terraform fails.
    """
    file = local_file(workspace)
    if not file.is_file():
        raise CheckFoundError(
            f"no state of bootstrap lies in this checkout ({file.relative_to(workspace.root)} is not there)",
            fix=f"It may have been moved already: `{workspace.command('plan', BOOTSTRAP)}` says what is there.",
        )
    here, there = workspace.run_here(), workspace.run_there(BOOTSTRAP, workspace.folder / BOOTSTRAP / "bucket")
    mine, found = _identity(here), _identity(there)
    if not mine.resources:
        raise CheckFoundError(
            "the state of bootstrap in this checkout holds no resources", fix="Apply bootstrap first, then move it."
        )
    place = f"s3://{there.backend['bucket']}/{there.backend['key']}"
    if found.lineage != NO_STATE and found.content != mine.content:
        raise CheckFoundError(
            f"{place} holds another state of bootstrap (lineage {found.lineage}, {found.resources} resources; here:"
            f" {mine.lineage}, {mine.resources})",
            fix="Two checkouts made one, or it was moved and changed since. Find out which one is real and put the"
            " other aside; nothing was moved.",
        )
    if found.lineage == NO_STATE:
        pushed = there.terraform.state_push(file)
        if pushed.code != 0:
            raise failed(BOOTSTRAP, "state push", None, pushed)
        found = there.identity()
    if (found.content, found.resources) != (mine.content, mine.resources) or here.identity() != mine:
        raise CheckFoundError(
            f"{place} now holds {found.resources} resources that are not the {mine.resources} of this checkout",
            fix="Somebody else was at work on it. The file in the checkout is untouched: wait, then move it again.",
        )
    kept = file.with_name(f"moved-{mine.serial}.tfstate")
    file.rename(kept)
    return Moved(found.resources, found.serial, place, kept)


def _identity(run: StackRun) -> StateIdentity:
    run.ensure_init()
    return run.identity()
