"""Where the state of bootstrap lies: in a file of the checkout before its first apply, then in the bucket it made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hawser.errors import CheckFoundError
from hawser.terraform.stacks import BOOTSTRAP

if TYPE_CHECKING:
    from hawser.cli.workspace import Workspace


def local_file(workspace: Workspace) -> Path:
    """The state file in the checkout: one per account and region; what the emulator plays lies apart."""
    environment = workspace.deployment.environment
    world = "emulator-" if environment.emulator else ""
    folder = workspace.home / BOOTSTRAP / f"{world}{environment.account_id}-{environment.region}"
    return folder / "terraform.tfstate"


def begins_here(workspace: Workspace) -> bool:
    """Whether the state lies in the checkout, or will: the bucket is not there yet.

    Raises ``CheckFoundError`` when both places hold a state, or the bucket is there without one.
    """
    if workspace.emulate:
        return False
    here = local_file(workspace).is_file()
    if workspace.emulator is not None:
        return here  # the emulator's bucket is there from the start; only a file that somebody put here counts
    from hawser.aws.objects import Found, look

    environment = workspace.deployment.environment
    bucket = environment.state.bucket
    found = look(bucket, workspace.state_key(BOOTSTRAP), environment.region)
    if here and found is Found.OBJECT:
        raise CheckFoundError(
            f"the state of bootstrap lies in the bucket {bucket} and in {local_file(workspace)}",
            fix=f"A move was not finished: run `hawser bootstrap move-state {workspace.env}`.",
        )
    if not here and found is Found.NO_OBJECT:
        raise CheckFoundError(
            f"the bucket {bucket} is there, but holds no state of bootstrap",
            fix=f"If another checkout made it, run `hawser bootstrap move-state {workspace.env}` there. If"
            " bootstrap did not make it, choose another name for state.bucket in env.yaml.",
        )
    return here or found is Found.NO_BUCKET
