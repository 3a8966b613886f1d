"""HW-DEL-006: what guards a bucket or an account goes away while the thing itself stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.stateful import folded
from hawser.terraform.plan import Action, Change

#: Type -> what is no longer so, completing "… is destroyed: …".
_GUARDS: Final[Mapping[str, str]] = {
    "aws_s3_bucket_public_access_block": "the bucket may be opened to everybody again",
    "aws_s3_bucket_versioning": "an object that is overwritten or deleted is gone",
    "aws_s3_bucket_server_side_encryption_configuration": "new objects no longer use the bucket's key",
    "aws_s3_bucket_policy": "what it denied (requests without TLS) is allowed again",
    "aws_s3_bucket_object_lock_configuration": "locked objects may be deleted again",
    "aws_s3_account_public_access_block": "buckets of the account may be opened to everybody again",
    "aws_ebs_encryption_by_default": "new volumes of the account are not encrypted by themselves",
    "aws_backup_vault_lock_configuration": "backups may be deleted again",
}


@change_rule(
    RuleMeta(
        id="HW-DEL-006",
        title="What guards a bucket or an account stays as long as the bucket or the account.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=tuple(sorted(_GUARDS)),
        looks_at="change",
        why="Nothing breaks when a guard goes, so nobody notices until the data is public, overwritten or readable.",
        fix="Put the guard back, or remove it in one plan with what it guards.",
    )
)
def guards(change: Change, context: Context) -> Iterator[Hit]:
    """A guard that is deleted or forgotten, unless its bucket is deleted in the same plan."""
    if change.action not in (Action.DELETE, Action.FORGET) or folded(context):
        return
    bucket = change.before.get("bucket").raw()
    for other in context.plan.of_type("aws_s3_bucket"):
        if other.action is Action.DELETE and bucket is not None and bucket == other.before.get("bucket").raw():
            return
    done = "is destroyed" if change.action is Action.DELETE else "is no longer managed"
    yield Hit(path="", message=f"{change.type} {done}: {_GUARDS[change.type]}.")
