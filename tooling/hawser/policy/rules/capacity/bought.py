"""HW-CAP-004: an apply would buy capacity."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.terraform.plan import Action, Change


@change_rule(
    RuleMeta(
        id="HW-CAP-004",
        title="An apply buys nothing that cannot be given back.",
        area="capacity",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(
            "aws_ec2_capacity_block_reservation",
            "aws_rds_reserved_instance",
            "awscc_ec2_capacity_block",
        ),
        looks_at="change",
        why="A Capacity Block is paid in full when it is bought and cannot be changed or cancelled; Terraform's destroy"
        " only forgets it, and a failed apply may buy it twice.",
        fix="Buy it once by hand, and give its id in env.yaml: capacity.<pool>.reservation_id.",
        references=("https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-purchase.html",),
    )
)
def bought(change: Change, _: Context) -> Iterator[Hit]:
    """Every creation, also the one inside a replacement."""
    if change.action in (Action.CREATE, Action.REPLACE):
        offering = change.after.get("capacity_block_offering_id")
        path = offering.path if offering.present else ""
        yield Hit(path=path, message=f"Applying this plan buys {change.type}: it is paid for at once.")
