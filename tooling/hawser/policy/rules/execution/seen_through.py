"""HW-RUN-005: something is made that the plan does not show."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hawser.policy.capacity import AWSCC_CLUSTER
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, all_rules, change_rule
from hawser.policy.shown import shown
from hawser.policy.templates import STACK, hidden_in
from hawser.terraform.plan import Change

_CLOUD_CONTROL = "aws_cloudcontrolapi_resource"
_AWSCC = "awscc_"
_STACK_SET = ("aws_cloudformation_stack_set", "aws_cloudformation_stack_set_instance", "aws_cloudformation_type")


@change_rule(
    RuleMeta(
        id="HW-RUN-005",
        title="Resources come by their own type, not by Cloud Control, stack sets, custom resources or nested stacks.",
        area="execution",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(_CLOUD_CONTROL, f"{_AWSCC}*", *_STACK_SET, STACK),
        looks_at="change",
        why="Rules know a role, an open port or a cluster by its type. What is made through a text or by a function is"
        " judged by none of them.",
        fix="Use the resource of the provider, or name the resource in the template itself.",
    )
)
def seen_through(change: Change, _: Context) -> Iterator[Hit]:
    """Also when ``desired_state`` can be read: no rule looks into it."""
    if not change.planned:
        return
    if change.type == _CLOUD_CONTROL:
        value = change.after.get("type_name")
        yield Hit(path="desired_state", message=f"Makes {shown(value)} from a text that no rule reads.")
    elif change.type in _STACK_SET:
        yield Hit(path="", message=f"{change.type} makes what no rule of this plan sees.")
    elif change.type.startswith(_AWSCC) and change.type not in _judged():
        yield Hit(path="", message=f"No rule knows what a {change.type} makes.")
    for path, what in hidden_in(change):
        yield Hit(path=path, message=f"The resource {what}.")


@cache
def _judged() -> frozenset[str]:
    """The types that a rule reads. Rules of the area destroy do not: they only know what is lost with one.

    Of a cluster only the accelerators are counted.
    """
    read = {type_ for rule in all_rules() if rule.meta.area != "destroy" for type_ in rule.meta.resource_types}
    return frozenset(read - {AWSCC_CLUSTER})
