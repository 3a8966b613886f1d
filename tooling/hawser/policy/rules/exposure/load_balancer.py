"""HW-NET-005: a load balancer that the internet can reach."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-NET-005",
        title="Load balancers are internal.",
        area="exposure",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=("aws_alb", "aws_elb", "aws_lb"),
        looks_at="planned state",
        why="An internet-facing load balancer gives private nodes a public address; a model's API without a login in"
        " front is used by whoever finds it.",
        fix="Set internal, and reach the API from the network; what is meant for the internet needs approval.",
    )
)
def load_balancer(change: Change, _: Context) -> Iterator[Hit]:
    """``internal`` is false unless it is written."""
    internal = change.after.get("internal")
    if internal.known() is not True:
        before = change.before.get("internal").raw()
        yield Hit(
            path="internal",
            message="The load balancer has an address on the internet.",
            before=None if before is None else str(before).lower(),
            after="false",
        )
