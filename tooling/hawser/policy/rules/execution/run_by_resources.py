"""HW-RUN-007: a resource runs something when it is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.terraform.plan import Change

#: Type -> the attribute that names what runs, and the sentence before it (hashicorp/aws 5.100.0).
_RUNNING: Final[Mapping[str, tuple[str, str]]] = {
    "aws_lambda_invocation": ("function_name", "The apply calls the function"),
    "aws_ssm_association": ("name", "From the apply on, instances run the document"),
}
_SCHEDULE: Final = "aws_scheduler_schedule"
_SIZES: Final = "eks:updatenodegroupconfig"


@change_rule(
    RuleMeta(
        id="HW-RUN-007",
        title="Resources run no documents on instances, call no functions, and no API of AWS by a schedule.",
        area="execution",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(*_RUNNING, _SCHEDULE),
        looks_at="change",
        why="What the document or function does is not in the plan: AWS-RunShellScript runs any command, as root, on"
        " every node that its targets match.",
        fix="Do it as a step of its own after the apply, which is reviewed by itself; nodes start with what their image"
        " holds.",
        references=("https://docs.aws.amazon.com/systems-manager/latest/userguide/systems-manager-state.html",),
    )
)
def run_by_resources(change: Change, _: Context) -> Iterator[Hit]:
    """New ones, and those that are changed: both run again."""
    if not change.planned:
        return
    if change.type == _SCHEDULE:
        yield from _calls(change)
        return
    name, words = _RUNNING[change.type]
    yield Hit(path=name, message=f"{words} {shown(change.after.get(name))}.")


def _calls(change: Change) -> Iterator[Hit]:
    """Schedules that call an API of AWS by themselves; those that size a node group are HW-CAP-006's."""
    value = change.after.at("target", 0, "arn")
    called = str(value.raw()).partition(":aws-sdk:")[2]
    if called and called.lower() != _SIZES:
        yield Hit(path=value.path, message=f"When its time comes it calls {called}.", after=shown(value))
