"""HW-NET-003: a bucket, key, queue, image or function that everybody may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import granting
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.resource_policies import POLICIES, is_open, resource_statements
from hawser.policy.shown import shown_plain
from hawser.policy.templates import STACK
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change

#: Canned ACLs that let in everybody, or everybody who has an account with AWS (S3 user guide, 2026-11-30).
_PUBLIC_ACLS = ("public-read", "public-read-write", "authenticated-read")
_PUBLIC_GROUPS = ("/AllUsers", "/AuthenticatedUsers")

_Look = Callable[[Change, Context], Iterator[Hit]]


@change_rule(
    RuleMeta(
        id="HW-NET-003",
        title="Policies, ACLs and shares of buckets, keys, queues, images and functions name who may use them.",
        area="exposure",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(
            *POLICIES,
            "aws_ami_launch_permission",
            "aws_lambda_function_url",
            "aws_lambda_permission",
            "aws_s3_bucket_acl",
            "aws_snapshot_create_volume_permission",
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
    if look := _OTHERS.get(change.type):
        with doubts:
            yield from look(change, context)
    doubts.settle()


def _lambda_permission(change: Change, _: Context) -> Iterator[Hit]:
    after = change.after
    bound = ("source_account", "principal_org_id", "source_arn")
    if after.get("principal").known() == "*" and not any(after.get(name).present for name in bound):
        yield Hit(path="principal", message="Lets everybody invoke the function.")


def _function_url(change: Change, _: Context) -> Iterator[Hit]:
    if change.after.get("authorization_type").known() == "NONE":
        yield Hit(path="authorization_type", message="Lets everybody call the function over the internet.")


def _shared(name: str) -> _Look:
    def look(change: Change, _: Context) -> Iterator[Hit]:
        value = change.after.get(name)
        if value.present and value.known() == "all":
            yield Hit(path=name, message="Shares it with every AWS account.")

    return look


def _acl(change: Change, context: Context) -> Iterator[Hit]:
    """Each part only when somebody wrote it: the provider computes the other one."""
    written = context.configuration.writes
    grants = change.after.at("access_control_policy", 0, "grant")
    if written(change, "access_control_policy") and not grants.is_null:
        for grant in grants.elements():
            uri = grant.at("grantee", 0, "uri")
            if not uri.is_null and str(uri.known()).endswith(_PUBLIC_GROUPS):
                yield Hit(path=uri.path, message="Grants to everybody.")
    acl = change.after.get("acl")
    if written(change, "acl") and acl.known() in _PUBLIC_ACLS:
        yield Hit(path="acl", message=f"The ACL {acl.raw()} is for everybody.")


_OTHERS: Mapping[str, _Look] = {
    "aws_ami_launch_permission": _shared("group"),
    "aws_lambda_function_url": _function_url,
    "aws_lambda_permission": _lambda_permission,
    "aws_s3_bucket": _acl,
    "aws_s3_bucket_acl": _acl,
    "aws_snapshot_create_volume_permission": _shared("account_id"),
}
