"""HW-DEL-006: what guards a bucket or an account goes away, or guards less, while the thing itself stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.documents import json_of
from hawser.policy.findings import Level, Severity
from hawser.policy.iam import Statement, statements_of
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.stateful import folded
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Action, Change
from hawser.terraform.values import UNKNOWN, Unknown, Value

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

#: A part of a statement: texts, or (kind, id) of principals.
Items = tuple[object, ...]

#: Type -> where its policy stands. A statement that denies, and a condition of one that allows, are guards.
_POLICIES: Final[Mapping[str, str]] = {
    "aws_ecr_repository_policy": "policy",
    "aws_iam_group_policy": "policy",
    "aws_iam_policy": "policy",
    "aws_iam_role": "assume_role_policy",
    "aws_iam_role_policy": "policy",
    "aws_iam_user_policy": "policy",
    "aws_kms_key": "policy",
    "aws_kms_key_policy": "policy",
    "aws_organizations_policy": "content",
    "aws_s3_bucket_policy": "policy",
    "aws_secretsmanager_secret_policy": "policy",
    "aws_sns_topic_policy": "policy",
    "aws_sqs_queue_policy": "policy",
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
}


@change_rule(
    RuleMeta(
        id="HW-DEL-006",
        title="What guards a bucket, a role or an account stays, as strong as it is, as long as what it guards.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=tuple(sorted({*_GUARDS, *_POLICIES})),
        looks_at="change",
        why="Nothing breaks when a guard goes, so nobody notices until the data is public, overwritten or readable.",
        fix="Put the guard back, or remove it in one plan with what it guards.",
    )
)
def guards(change: Change, context: Context) -> Iterator[Hit]:
    """A guard that is deleted, forgotten or weakened, unless its bucket is deleted in the same plan."""
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
                message = f"{after.path} goes from {old} to {new}: {_GUARDS[change.type]}."
                yield Hit(path=after.path, message=message, before=old, after=new)
    if name := _POLICIES.get(change.type):
        with doubts:
            yield from _guards_less(change.before.get(name), change.after.get(name))
    doubts.settle()


def _guards_less(before: Value, after: Value) -> Iterator[Hit]:
    """Statements that deny before the change and no longer so much after it, and conditions that are gone."""
    old = _statements(before)
    denied = [one for one in old if one.effect == "Deny"]
    bound = [one for one in old if one.effect == "Allow" and one.conditions]
    if not denied and not bound:
        return
    new = _statements(after)
    doubts = Doubts()
    for one in denied:
        if any(_covers(other, one) for other in new):
            continue
        if any(_is_in_doubt(other) for other in new if other.effect in ("Deny", UNKNOWN)):
            doubts.add(after.path, "denies what is known only after apply")
        else:
            what = shown_plain([*one.actions, *(f"all but {action}" for action in one.not_actions)])
            yield Hit(path=one.path, message=f"The policy no longer denies {what} as it did.")
    for one in bound:
        for other in new:
            if other.effect == "Allow" and _allows_the_same(one, other) and _conditions(other) < _conditions(one):
                keys = shown_plain(sorted({str(key) for _, key, _ in _conditions(one) - _conditions(other)}))
                yield Hit(path=other.path, message=f"What the policy allows is no longer bound by {keys}.")
    doubts.settle()


def _statements(value: Value) -> list[Statement]:
    return list(statements_of(json_of(value), value.path)) if value.present else []


def _allows_the_same(one: Statement, other: Statement) -> bool:
    return all(
        set(getattr(one, part)) == set(getattr(other, part))
        for part in ("actions", "not_actions", "resources", "not_resources", "principals", "not_principals")
    )


def _conditions(statement: Statement) -> set[tuple[object, object, frozenset[object]]]:
    return {(operator, key, frozenset(values)) for operator, key, values in statement.conditions}


def _covers(new: Statement, old: Statement) -> bool:
    """Whether a statement denies all that another one does: as much or more is named, as much or less is left out."""
    return (
        new.effect == "Deny"
        and _lists_more(new.actions, new.not_actions, old.actions, old.not_actions)
        and _lists_more(new.resources, new.not_resources, old.resources, old.not_resources)
        and _lists_more(new.principals, new.not_principals, old.principals, old.not_principals)
        and _conditions(new) <= _conditions(old)
    )


def _lists_more(new: Items, new_but: Items, old: Items, old_but: Items) -> bool:
    return bool(new) == bool(old) and set(old) <= set(new) and set(new_but) <= set(old_but)


def _is_in_doubt(statement: Statement) -> bool:
    parts = (
        statement.effect,
        *statement.actions,
        *statement.not_actions,
        *statement.resources,
        *statement.not_resources,
        *(part for pair in (*statement.principals, *statement.not_principals) for part in pair),
        *(part for operator, key, values in statement.conditions for part in (operator, key, *values)),
    )
    return any(isinstance(part, Unknown) for part in parts)
