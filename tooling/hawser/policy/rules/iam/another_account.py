"""HW-IAM-012: somebody of another account gets in."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.privileges import TYPES, Direction, Privilege
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.unknown import Doubts


@plan_rule(
    RuleMeta(
        id="HW-IAM-012",
        title="Roles, keys, buckets, queues and functions are for principals of their own account.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=TYPES,
        looks_at="change",
        why="Who may act as a principal of another account is decided there; no plan and no reviewer here sees it, now"
        " or later.",
        fix="Name principals of the environment's account; what another account must have is approved once, best"
        " bound by sts:ExternalId or aws:PrincipalArn.",
        references=(
            "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic-cross-account.html",
        ),
    )
)
def another_account(context: Context) -> Iterator[Hit]:
    """Rights that principals of other accounts gain, of what is new too.

    Without an environment, and where nothing exists yet, nobody says which account is the plan's own: a single one
    that all principals are of is taken for it, and of several each is a doubt.
    """
    named = [one for one in context.privileges if one.accounts and not one.drift]
    gained = [one for one in named if one.direction is not Direction.LESS]
    own, doubts = context.accounts, Doubts()
    if not own and len({account for one in gained for account in one.accounts}) > 1:
        for one in gained:
            doubts.about(one.address).add(one.path, "names one of several accounts; say with --env which is the plan's")
        gained = []
    for one in gained:
        if own and (others := sorted(set(one.accounts) - own)):
            yield from _hits(one, others)
    doubts.settle()


def _hits(one: Privilege, others: list[str]) -> Iterator[Hit]:
    whose = f"The account{'s' if len(others) > 1 else ''} {' and '.join(others)}"
    yield Hit(
        path=one.path,
        message=f"{whose} get{'' if len(others) > 1 else 's'} in: {one.holder} {one.what}.",
        address=one.address,
        changed=True,
    )
