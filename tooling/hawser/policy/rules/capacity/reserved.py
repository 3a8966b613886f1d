"""HW-CAP-005: an apply would reserve capacity that is paid for until it is released."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.terraform.plan import Action, Change

_SIZE = "instance_count"


@change_rule(
    RuleMeta(
        id="HW-CAP-005",
        title="Reserved capacity that is paid by the hour stays as it is.",
        area="capacity",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=("aws_ec2_capacity_reservation", "aws_ec2_host", "awscc_ec2_capacity_reservation"),
        looks_at="change",
        why="A reservation costs as much as the running instances from the moment it is made, used or not; what is"
        " given back may not be had again.",
        fix="Have whoever pays approve it, or give the id of an existing reservation: capacity.<pool>.reservation_id.",
    )
)
def reserved(change: Change, _: Context) -> Iterator[Hit]:
    """A new reservation, one of another size, and one that is given back."""
    size, old = change.after.get(_SIZE), change.before.get(_SIZE).raw()
    what = shown(change.after.get("instance_type"))
    if change.action in (Action.CREATE, Action.REPLACE):
        path = size.path if size.present else ""
        yield Hit(path=path, message=f"The plan reserves {shown(size)} × {what}, paid for from the apply on.")
    elif change.action is Action.DELETE:
        what = shown(change.before.get("instance_type"))
        yield Hit(path="", message=f"The reservation of {old} × {what} is given back, and may not be had again.")
    elif change.action is Action.UPDATE and size.known() != old:
        yield Hit(
            path=size.path,
            message=f"The reservation of {what} changes from {old} to {shown(size)} instances.",
            before=str(old),
            after=shown(size),
        )
