"""HW-NET-004: a bucket, or the account, may be opened to everybody."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change

_BUCKET = "aws_s3_bucket_public_access_block"
_FLAGS = ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")


@change_rule(
    RuleMeta(
        id="HW-NET-004",
        title="Public access to buckets stays blocked: all four settings are on.",
        area="exposure",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(_BUCKET, "aws_s3_account_public_access_block"),
        looks_at="planned state",
        why="The block is what holds when somebody writes a public policy or ACL by mistake.",
        fix="Set all four settings to true, as hawser's buckets do.",
        references=("https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html",),
    )
)
def public_access_block(change: Change, _: Context) -> Iterator[Hit]:
    """A setting that is off; HW-DEL-006 speaks for a block that is taken away from a bucket that stays."""
    doubts = Doubts()
    for flag in _FLAGS:
        with doubts:
            if change.after.get(flag).known() is not True:
                yield Hit(path=flag, message=f"{flag} is off.")
    doubts.settle()
