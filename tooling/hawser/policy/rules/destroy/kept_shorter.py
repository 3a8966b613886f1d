"""HW-DEL-007: data, logs or backups are kept for a shorter time than before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hawser.policy.documents import json_of
from hawser.policy.findings import Level, Severity
from hawser.policy.pool import text_of
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown, shown_plain
from hawser.policy.unknown import Doubts
from hawser.terraform.configuration import module_path
from hawser.terraform.plan import Action, Change
from hawser.terraform.values import Value

_LIFECYCLE: Final = "aws_s3_bucket_lifecycle_configuration"
_IMAGES: Final = "aws_ecr_lifecycle_policy"
_BACKUPS: Final = (("automatic_backup_retention_days",), "backups")
_DATABASE: Final = (("backup_retention_period",), "backups")

#: Type -> (where the time stands, what is kept). Names of hashicorp/aws 5.100.0.
_KEPT: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "aws_cloudtrail_event_data_store": (("retention_period",), "events"),
    "aws_cloudwatch_log_group": (("retention_in_days",), "log lines"),
    "aws_db_instance": _DATABASE,
    "aws_docdb_cluster": _DATABASE,
    "aws_elasticache_replication_group": (("snapshot_retention_limit",), "snapshots"),
    "aws_fsx_lustre_file_system": _BACKUPS,
    "aws_fsx_ontap_file_system": _BACKUPS,
    "aws_fsx_openzfs_file_system": _BACKUPS,
    "aws_fsx_windows_file_system": _BACKUPS,
    "aws_kinesis_stream": (("retention_period",), "records"),
    "aws_kms_key": (("deletion_window_in_days",), "a key that somebody deletes"),
    "aws_neptune_cluster": _DATABASE,
    "aws_rds_cluster": _DATABASE,
    "aws_secretsmanager_secret": (("recovery_window_in_days",), "a secret that somebody deletes"),
    "aws_sqs_queue": (("message_retention_seconds",), "messages"),
}
#: Types where 0 is for ever.
_FOR_EVER: Final = frozenset({"aws_cloudwatch_log_group"})


@change_rule(
    RuleMeta(
        id="HW-DEL-007",
        title="Data, logs, images and backups are kept as long as before, and no lifecycle rule ends all of a bucket.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(*sorted(_KEPT), _LIFECYCLE, _IMAGES),
        looks_at="change",
        why="The plan destroys nothing; AWS does, some days after the apply, and nobody can bring it back.",
        fix="Keep the time as it is, or have whoever owns the data approve it; let a lifecycle rule name a prefix.",
    )
)
def kept_shorter(change: Change, context: Context) -> Iterator[Hit]:
    """A time that goes down, and an expiration of a whole bucket that is new or comes sooner."""
    if change.type == _LIFECYCLE:
        yield from _expires(change, context)
        return
    if change.type == _IMAGES:
        yield from _images_expire(change, context)
        return
    if change.action is not Action.UPDATE:
        return
    keys, what = _KEPT[change.type]
    had, has = change.before.at(*keys).raw(), change.after.at(*keys)
    if not isinstance(had, int) or (had == 0 and change.type not in _FOR_EVER):
        return
    if has.is_unknown and not context.configuration.writes(change, keys[0]):
        return
    new = has.known()
    if isinstance(new, int) and _longer(had, change) > _longer(new, change):
        old = "for ever" if _longer(had, change) == float("inf") else str(had)
        yield Hit(
            path=has.path, message=f"{what.capitalize()} were kept {old} and will be {new}.", before=old, after=str(new)
        )


def _longer(time: int, change: Change) -> float:
    return float("inf") if time == 0 and change.type in _FOR_EVER else time


def _expires(change: Change, context: Context) -> Iterator[Hit]:
    """Rules for all of the bucket, unless the bucket is made in the same plan and so holds nothing yet."""
    if not change.planned or _is_new(change, context, "bucket", "aws_s3_bucket", "bucket"):
        return
    before = {} if change.before.is_null else {one[0]: one for one in _whole_bucket(change.before, Doubts())}
    doubts = Doubts()
    for id_, days, value in _whole_bucket(change.after, doubts):
        _, old_days, old = before.get(id_, ("", None, None))
        if old is not None and (old.raw() == value.raw() or (days and old_days and days >= old_days)):
            continue
        yield Hit(
            path=value.path,
            message=f"The lifecycle rule {id_} ends every object of the bucket{f' after {days} days' if days else ''}.",
            before=shown(old) if old is not None else None,
            after=shown(value),
        )
    doubts.settle()


def _images_expire(change: Change, context: Context) -> Iterator[Hit]:
    """Rules of a repository's policy that are new or other than before; one that only moves in the order is not."""
    if not change.planned or _is_new(change, context, "repository", "aws_ecr_repository", "name"):
        return
    value = change.after.get("policy")
    had = _selections(change.before.get("policy")) if change.before.get("policy").present else []
    for selection in _selections(value):
        if selection not in had:
            yield Hit(path=value.path, message=f"The registry deletes images: {shown_plain(selection)}.")


def _selections(policy: Value) -> list[Any]:
    document = json_of(policy)
    rules = document.get("rules") if isinstance(document, dict) else None
    return [rule.get("selection") for rule in rules or () if isinstance(rule, dict)]


def _whole_bucket(configuration: Value, doubts: Doubts) -> Iterator[tuple[str, int | None, Value]]:
    """(id, days or nothing for a date, expiration) of the rules that are on and name no part of the bucket."""
    with doubts:
        for rule in configuration.get("rule").elements():
            with doubts:
                expiration = rule.get("expiration").get(0)
                days, date = expiration.get("days"), expiration.get("date")
                if rule.get("status").known() != "Enabled" or _names_a_part(rule):
                    continue
                if date.present or (days.present and days.known()):
                    found = days.known()
                    yield text_of(rule.get("id")), found if isinstance(found, int) and found else None, expiration


def _names_a_part(rule: Value) -> bool:
    if rule.get("prefix").present:
        return True
    narrowing = rule.get("filter").get(0)
    return any(
        narrowing.get(key).present
        for key in ("prefix", "tag", "object_size_greater_than", "object_size_less_than", "and")
    )


def _is_new(change: Change, context: Context, argument: str, type_: str, attribute: str) -> bool:
    """Whether the thing that ``argument`` names is made in the same plan."""
    made = [one for one in context.plan.of_type(type_) if one.action is Action.CREATE]
    name = text_of(change.after.get(argument))
    if name:
        return any(text_of(one.after.get(attribute)) == name for one in made)
    targets = context.configuration.targets(change, argument)
    return any((module_path(one.module_address), f"{one.type}.{one.name}") in targets for one in made)
