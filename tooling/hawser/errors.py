"""The failures that hawser knows, and the exit code of each.

Only ``cli/errors.py`` turns them into text and an exit code; everything below raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes, one meaning each."""

    OK = 0
    TOOL_FAILED = 1
    USAGE = 2
    CONTRACT_INVALID = 3
    DENIED = 4
    CANNOT_JUDGE = 5
    NO_APPROVAL = 6
    TERRAFORM_FAILED = 7
    CHECK_FOUND = 8
    INTERRUPTED = 130


#: The worst first: of several stacks the first in this order is the exit code of the run.
WORST_FIRST = (
    Exit.INTERRUPTED,
    Exit.TOOL_FAILED,
    Exit.TERRAFORM_FAILED,
    Exit.CONTRACT_INVALID,
    Exit.CANNOT_JUDGE,
    Exit.DENIED,
    Exit.NO_APPROVAL,
    Exit.CHECK_FOUND,
    Exit.OK,
)


def worst(codes: Sequence[Exit]) -> Exit:
    """The exit code of a run over several stacks; ``Exit.OK`` for none."""
    return min(codes, key=WORST_FIRST.index, default=Exit.OK)


class HawserError(Exception):
    """A failure with one sentence for the person: what is wrong, where, and what to do."""

    exit_code: Exit = Exit.TOOL_FAILED

    def __init__(self, message: str, *, fix: str = "") -> None:
        """``message`` says what is wrong and where; ``fix`` what to do about it."""
        super().__init__(message)
        self.message = message
        self.fix = fix


class UsageError(HawserError):
    """The command line asks for something that does not exist."""

    exit_code = Exit.USAGE


class CannotJudgeError(HawserError):
    """The gate has no basis for a verdict: unfit plan, scanner that did not run."""

    exit_code = Exit.CANNOT_JUDGE


class DeniedError(HawserError):
    """The gate denies the plan."""

    exit_code = Exit.DENIED


class NoApprovalError(HawserError):
    """There is no valid approval for exactly this plan."""

    exit_code = Exit.NO_APPROVAL


class TerraformError(HawserError):
    """terraform ended with an error; its own words were shown."""

    exit_code = Exit.TERRAFORM_FAILED


class CheckFoundError(HawserError):
    """A check ran and found something wrong."""

    exit_code = Exit.CHECK_FOUND


class InterruptedRunError(HawserError):
    """The person interrupted the run; the child was waited for."""

    exit_code = Exit.INTERRUPTED
