"""Who plans and who approves, and what approvals must be here."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from hawser.contract.deployment import Deployment
from hawser.decision.approvals import Count, Demand, count
from hawser.errors import NoApprovalError

if TYPE_CHECKING:
    from hawser.aws.people import Caller
    from hawser.cli.bundles import Bundle
    from hawser.cli.workspace import Workspace

#: Holds the SHA-256 of the public key, in the settings of the CI: what a pull request cannot change.
KEY_SETTING: Final = "HAWSER_APPROVAL_KEY"


def demanded(deployment: Deployment) -> Demand:
    """What approvals of this environment must be: ``guardrails.approval_key``, and the setting, which must agree.

    The setting alone demands signatures too, so that a pull request that takes the key out of env.yaml changes nothing.
    Raises ``NoApprovalError`` when the two disagree.
    """
    rails, place = deployment.environment.guardrails, deployment.place("guardrails.approval_key")
    setting = os.environ.get(KEY_SETTING)
    if setting and not re.fullmatch("[0-9a-f]{64}", setting):
        raise NoApprovalError(
            f"{KEY_SETTING} is not a SHA-256 in hex", fix="docs/approvals.md says how to take it from the key."
        )
    if setting is not None and rails.approval_key and setting != rails.approval_key:
        says = f"names the key {setting[:12]}" if setting else "is empty"
        raise NoApprovalError(
            f"{KEY_SETTING} {says}, and approval_key in {place} names {rails.approval_key[:12]}",
            fix="One of them is wrong: take the SHA-256 from the key of bootstrap again, and correct that one.",
        )
    return Demand(setting or rails.approval_key or "", rails.planner_may_approve)


def approved(deployment: Deployment, bundle: Bundle) -> Count:
    """Whose approval of ``bundle`` counts now. Asks nothing of AWS."""
    return count(bundle.record, bundle.approvals(), demanded(deployment), datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Signer:
    """Somebody whom STS knows, with the AWS variables of an emulator to act with (``None``: as the SDK finds them)."""

    caller: Caller
    aws: Mapping[str, str] | None


def signer(workspace: Workspace) -> Signer:
    """Whose credentials are at hand. Raises ``NoApprovalError`` when they are none of the environment's account."""
    from hawser.aws.people import caller, emulated

    environment = workspace.deployment.environment
    aws = workspace.aws()
    if aws is not None:
        aws = emulated(environment.account_id, environment.region, git_name(), aws)
    found = caller(environment.region, aws)
    if found.account_id != environment.account_id:
        raise NoApprovalError(
            f"you are logged in to account {found.account_id}, and {environment.name} is in {environment.account_id}",
            fix="Log in to the environment's account.",
        )
    return Signer(found, aws)


def planner(workspace: Workspace) -> str:
    """Who plans: by STS where approvals are signed, so that the two can be compared, else by git."""
    return signer(workspace).caller.arn if demanded(workspace.deployment).key else git_name()


def git_name() -> str:
    """Who is at the keyboard: git's user.email, else user@host."""
    git = shutil.which("git")
    if git:
        answer = subprocess.run([git, "config", "user.email"], capture_output=True, text=True, check=False)
        if answer.returncode == 0 and answer.stdout.strip():
            return answer.stdout.strip()
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (KeyError, OSError):
        raise NoApprovalError("nobody knows who you are", fix="Set `git config user.email`.") from None
