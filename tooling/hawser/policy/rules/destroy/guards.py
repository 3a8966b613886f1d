"""HW-DEL-006: what guards a bucket or an account goes away, or guards less, while the thing itself stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.stateful import folded
from hawser.policy.unknown import Doubts
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

#: The same for what is weaker with another setting, and is data itself or recorded elsewhere when it is deleted.
_WHEN_WEAKER: Final[Mapping[str, str]] = {
    "aws_ecr_repository": "a tag that was reviewed may get another image",
    "aws_lb_listener": "requests and answers can be read on their way",
    "aws_s3_bucket_ownership_controls": "access lists of objects count again",
}

#: Type -> settings with their values, the weakest first; what is not among them is weaker than all. The flags of the
#: public access blocks are not here: HW-NET-004 says when one is off.
_SETTINGS: Final[Mapping[str, tuple[tuple[tuple[str | int, ...], tuple[object, ...]], ...]]] = {
    "aws_s3_bucket_versioning": (
        (("versioning_configuration", 0, "status"), ("Enabled",)),
        (("versioning_configuration", 0, "mfa_delete"), ("Enabled",)),
    ),
    "aws_s3_bucket_server_side_encryption_configuration": (
        (
            ("rule", 0, "apply_server_side_encryption_by_default", 0, "sse_algorithm"),
            ("AES256", "aws:kms", "aws:kms:dsse"),
        ),
    ),
    "aws_s3_bucket_object_lock_configuration": (
        (("rule", 0, "default_retention", 0, "mode"), ("GOVERNANCE", "COMPLIANCE")),
    ),
    "aws_ebs_encryption_by_default": ((("enabled",), (True,)),),
    "aws_ecr_repository": ((("image_tag_mutability",), ("IMMUTABLE",)),),
    "aws_lb_listener": ((("protocol",), ("HTTPS", "TLS")),),
    "aws_s3_bucket_ownership_controls": (
        (("rule", 0, "object_ownership"), ("BucketOwnerPreferred", "BucketOwnerEnforced")),
    ),
}


@change_rule(
    RuleMeta(
        id="HW-DEL-006",
        title="What guards a bucket, a repository or an account stays, as strong as it is, as long as they stay.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=tuple(sorted({*_GUARDS, *_WHEN_WEAKER})),
        looks_at="change",
        why="Nothing breaks when a guard goes, so nobody notices until the data is public, overwritten or readable.",
        fix="Put the guard back, or remove it in one plan with what it guards.",
    )
)
def guards(change: Change, context: Context) -> Iterator[Hit]:
    """A guard that is deleted, forgotten or weakened, unless its bucket is deleted in the same plan.

    HW-IAM-008 speaks for policies that stay and deny less.
    """
    if change.action in (Action.UPDATE, Action.REPLACE):
        yield from _weakened(change)
    if change.action not in (Action.DELETE, Action.FORGET) or change.type not in _GUARDS or folded(context):
        return
    bucket = change.before.get("bucket").raw()
    for other in context.plan.of_type("aws_s3_bucket"):
        if other.action is Action.DELETE and bucket is not None and bucket == other.before.get("bucket").raw():
            return
    done = "is destroyed" if change.action is Action.DELETE else "is no longer managed"
    yield Hit(path="", message=f"{change.type} {done}: {_GUARDS[change.type]}.")


def _weakened(change: Change) -> Iterator[Hit]:
    doubts = Doubts()
    for keys, order in _SETTINGS.get(change.type, ()):
        before, after = change.before.at(*keys), change.after.at(*keys)
        had = before.raw()
        if had not in order:
            continue
        with doubts:
            has = after.known()
            if has not in order or order.index(has) < order.index(had):
                old, new = shown_plain(had), shown_plain(has)
                message = f"{after.path} goes from {old} to {new}: {_so(change.type)}."
                yield Hit(path=after.path, message=message, before=old, after=new)
    doubts.settle()


def _so(type_: str) -> str:
    return _GUARDS.get(type_) or _WHEN_WEAKER[type_]
