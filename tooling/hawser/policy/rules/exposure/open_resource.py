"""HW-NET-003: a bucket, key, queue, image or function that everybody may use."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import granting
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.resource_policies import POLICIES, is_open, resource_statements
from hawser.policy.shares import SHARES, shared_with_everybody
from hawser.policy.shown import shown_plain
from hawser.policy.templates import STACK
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-NET-003",
        title="Policies, ACLs and shares of buckets, keys, queues, images and functions name who may use them.",
        area="exposure",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(
            *POLICIES,
            *SHARES,
            STACK,
        ),
        looks_at="planned state",
        why="A resource policy for * needs no role: every AWS account of the world, or everybody, reads the weights or"
        " uses the key.",
        fix="Name accounts, roles or services as principals, or bind * by aws:PrincipalOrgID, aws:SourceAccount or"
        " aws:SourceArn.",
        references=("https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html",),
    )
)
def open_resource(change: Change, context: Context) -> Iterator[Hit]:
    """Allow for ``*`` without a condition that binds; Deny for ``*`` is how a policy is made narrower."""
    doubts = Doubts()
    for statement in granting(resource_statements(change, context, doubts), doubts, is_open):
        actions = shown_plain(list(statement.actions or statement.not_actions))
        but = "everything but " if statement.not_actions else ""
        yield Hit(path=statement.path, message=f"Lets everybody call {but}{actions}.")
    with doubts:
        for path, words in shared_with_everybody(change, context):
            yield Hit(path=path, message=words)
    doubts.settle()
