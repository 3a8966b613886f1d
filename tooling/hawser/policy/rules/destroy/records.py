"""HW-DEL-008: who did what is no longer recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown, shown_plain
from hawser.policy.stateful import folded
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Action, Change

#: Type -> what is no longer recorded once it is gone. Names of hashicorp/aws 5.100.0.
_RECORDS: Final[Mapping[str, str]] = {
    "aws_cloudtrail": "calls of the account's API",
    "aws_config_configuration_recorder": "changes of resources",
    "aws_config_delivery_channel": "changes of resources",
    "aws_flow_log": "connections in the network",
    "aws_guardduty_detector": "signs of an intrusion",
    "aws_route53_query_log": "queries for names",
    "aws_route53_resolver_query_log_config_association": "queries for names",
    "aws_s3_bucket_logging": "requests to the bucket",
    "aws_securityhub_account": "findings of the account",
    "aws_wafv2_web_acl_logging_configuration": "requests that were let in",
}
#: Type -> who is no longer told once it is gone.
_TOLD: Final[Mapping[str, str]] = {
    "aws_budgets_budget": "nobody is told what the account costs",
    "aws_cloudwatch_metric_alarm": "nobody is told when it would have rung",
    "aws_sns_topic_subscription": "whoever it was for is told nothing any more",
}
#: Type -> switches that record when they are on.
_SWITCHES: Final[Mapping[str, tuple[tuple[str | int, ...], ...]]] = {
    "aws_cloudtrail": (
        ("enable_logging",),
        ("is_multi_region_trail",),
        ("include_global_service_events",),
        ("enable_log_file_validation",),
    ),
    "aws_cloudwatch_metric_alarm": (("actions_enabled",),),
    "aws_config_configuration_recorder_status": (("is_enabled",),),
    "aws_guardduty_detector": (("enable",),),
    "aws_lb": (("access_logs", 0, "enabled"), ("connection_logs", 0, "enabled")),
}
_CLUSTER: Final = "aws_eks_cluster"
_LOGS: Final = "enabled_cluster_log_types"


@change_rule(
    RuleMeta(
        id="HW-DEL-008",
        title="What is recorded of calls, connections and clusters stays recorded, and alarms tell somebody.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=tuple(sorted({*_RECORDS, *_TOLD, *_SWITCHES, _CLUSTER})),
        looks_at="change",
        why="Nothing breaks when a record ends; it is missed on the day when somebody must say who did what.",
        fix="Leave the record on, or have whoever answers for the account's security approve that it ends.",
    )
)
def records(change: Change, context: Context) -> Iterator[Hit]:
    """A record that is deleted or forgotten, and one that is switched off."""
    if change.action in (Action.DELETE, Action.FORGET):
        if change.type in (*_RECORDS, *_TOLD) and not folded(context):
            done = "is destroyed" if change.action is Action.DELETE else "is no longer managed"
            lost = _TOLD.get(change.type) or f"{_RECORDS[change.type]} are not recorded any more"
            yield Hit(path="", message=f"{change.type} {done}: {lost}.")
        return
    if change.action not in (Action.UPDATE, Action.REPLACE):
        return
    doubts = Doubts()
    for keys in _SWITCHES.get(change.type, ()):
        with doubts:
            value = change.after.at(*keys)
            if change.before.at(*keys).raw() is True and value.known() is not True:
                yield Hit(path=value.path, message=f"{value.path} is switched off.", before="true", after=shown(value))
    if change.type == _CLUSTER:
        with doubts:
            yield from _cluster_logs(change)
    doubts.settle()


def _cluster_logs(change: Change) -> Iterator[Hit]:
    value = change.after.get(_LOGS)
    had, has = change.before.get(_LOGS).raw() or [], value.known() or []
    if lost := sorted(set(had) - set(has)):
        yield Hit(
            path=value.path,
            message=f"The cluster no longer logs {', '.join(lost)}.",
            before=shown_plain(sorted(had)),
            after=shown_plain(sorted(has)),
        )
