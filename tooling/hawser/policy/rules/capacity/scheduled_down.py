"""HW-CAP-006: a schedule takes accelerators away later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.capacity import SCALING_GROUP, pool_of, size_of
from hawser.policy.findings import Level, Severity
from hawser.policy.pool import text_of, whole
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.terraform.configuration import module_path
from hawser.terraform.plan import Action, Change
from hawser.terraform.values import UndecidableError, Value

#: What a scheduled action says when it leaves a size alone (provider documentation, hashicorp/aws 5.100.0).
_AS_IT_IS: Final = -1
_SIZES: Final = ("desired_capacity", "max_size")


@change_rule(
    RuleMeta(
        id="HW-CAP-006",
        title="A schedule leaves a pool of accelerators at least as large as it is.",
        area="capacity",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=("aws_autoscaling_schedule",),
        looks_at="change",
        why="The plan shows no smaller pool: the replicas end at the hour of the schedule, when nobody is looking.",
        fix="Give the schedule the size that the service needs, or have whoever runs the service approve it.",
    )
)
def scheduled_down(change: Change, context: Context) -> Iterator[Hit]:
    """New and changed schedules of groups with accelerators; of a group outside the plan only a size of 0 is bad."""
    if not change.planned or change.action is Action.NO_OP:
        return
    group = _group_of(change, context)
    if group is not None and pool_of(group, context) is None:
        return
    now = None if group is None else whole(size_of(group, "after"))
    for key in _SIZES:
        size = _size(change, key, context)
        wanted = size.known()
        if wanted is None and context.configuration.writes(change, key):
            continue
        wanted = wanted or 0  # what is not written is 0, says the provider's documentation
        if wanted == _AS_IT_IS or (wanted > 0 if now is None else wanted >= now):
            continue
        name = text_of(change.after.get("autoscaling_group_name")) or "a group"
        when = shown(change.after.get("recurrence")) if change.after.get("recurrence").present else "its time"
        yield Hit(
            path=key,
            message=f"At {when} the schedule takes {name} from {'its' if now is None else now} to {wanted} instances.",
            before=None if now is None else str(now),
            after=str(wanted),
        )
        return


def _size(change: Change, key: str, context: Context) -> Value:
    """One size; what is not written is no unknown of anybody's."""
    value = change.after.get(key)
    if value.is_unknown and not context.configuration.writes(change, key):
        return Value(None, path=key)
    return value


def _group_of(change: Change, context: Context) -> Change | None:
    """The group in the plan that the schedule is for. Raises ``UndecidableError`` when it cannot be told which."""
    groups = [one for one in context.plan.of_type(SCALING_GROUP) if one.mode == "managed" and one.planned]
    named = change.after.get("autoscaling_group_name")
    if name := text_of(named):
        return next((one for one in groups if text_of(one.after.get("name")) == name), None)
    targets = context.configuration.targets(change, "autoscaling_group_name")
    found = [one for one in groups if (module_path(one.module_address), f"{one.type}.{one.name}") in targets]
    found = [one for one in found if (one.module_address, one.index) == (change.module_address, change.index)] or found
    if len(found) != 1:
        raise UndecidableError(named.path)
    return found[0]
