"""HW-RUN-006: an apply invokes actions of providers, which change no resource of the plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule

_LISTS = ("action_invocations", "deferred_action_invocations")


@plan_rule(
    RuleMeta(
        id="HW-RUN-006",
        title="What an apply does is in the plan: it invokes no actions.",
        area="execution",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="change",
        why="An action block (Terraform 1.14) stops instances, calls functions or runs commands. It is no resource, so"
        " no count and no rule of resources sees it.",
        fix="Do it by a resource, or as a step of its own after the apply, which is reviewed by itself.",
        references=("https://developer.hashicorp.com/terraform/language/block/action",),
    )
)
def invoked_actions(context: Context) -> Iterator[Hit]:
    """Every invocation, whatever triggers it; plan JSON lists them beside the changes of resources."""
    for key in _LISTS:
        listed = context.plan.document.get(key)
        for entry in listed if isinstance(listed, list) else ():
            invoked = _invocation(entry)
            yield Hit(
                path=key,
                message=f"The apply invokes the action {invoked.get('type') or 'of an unknown type'}"
                f"{_trigger(invoked)}.",
                address=str(invoked.get("address") or "an action"),
                changed=True,
            )


def _invocation(entry: Any) -> dict[str, Any]:
    """The invocation of an entry; a deferred one stands inside with its reason."""
    if not isinstance(entry, dict):
        return {}
    inner = entry.get("action_invocation")
    return inner if isinstance(inner, dict) else entry


def _trigger(invoked: dict[str, Any]) -> str:
    trigger = invoked.get("lifecycle_action_trigger")
    if not isinstance(trigger, dict):
        return ""
    resource, event = trigger.get("triggering_resource_address"), trigger.get("action_trigger_event")
    return f" ({event} of {resource})" if resource and event else ""
