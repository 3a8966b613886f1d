"""What lets everybody in without a policy: ACLs, shares of images, snapshots and documents, URLs, permissions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from hawser.policy.registry import Context
from hawser.terraform.plan import Change

#: Canned ACLs that let in everybody, or everybody who has an account with AWS (S3 user guide, 2026-11-30).
_PUBLIC_ACLS = ("public-read", "public-read-write", "authenticated-read")
_PUBLIC_GROUPS = ("/AllUsers", "/AuthenticatedUsers")

_EVERY_ACCOUNT = "Shares it with every AWS account."

#: Path, and a sentence.
Share = tuple[str, str]
_Look = Callable[[Change, Context], Iterator[Share]]

#: Types beside those with a policy.
SHARES: Final = (
    "aws_ami_launch_permission",
    "aws_cloudwatch_event_permission",
    "aws_db_cluster_snapshot",
    "aws_db_snapshot",
    "aws_db_snapshot_copy",
    "aws_lambda_function_url",
    "aws_lambda_layer_version_permission",
    "aws_lambda_permission",
    "aws_rds_cluster_snapshot_copy",
    "aws_s3_bucket_acl",
    "aws_snapshot_create_volume_permission",
    "aws_ssm_document",
    "aws_vpc_endpoint_service",
    "aws_vpc_endpoint_service_allowed_principal",
)


def shared_with_everybody(change: Change, context: Context) -> Iterator[Share]:
    """Where a resource is opened to everybody, with a sentence. Raises ``UndecidableError`` when that is not known."""
    if look := _OTHERS.get(change.type):
        yield from look(change, context)


def _principal(words: str, *bound: str, name: str = "principal") -> _Look:
    """``*`` as principal, unless one of the attributes that bind it is there."""

    def look(change: Change, _: Context) -> Iterator[Share]:
        after = change.after
        if after.get(name).known() == "*" and not any(after.get(one).present for one in bound):
            yield name, words

    return look


def _listed(words: str, everybody: str, *keys: str) -> _Look:
    """A list of accounts or principals, or a text with commas, that holds the word for everybody."""

    def look(change: Change, _: Context) -> Iterator[Share]:
        value = change.after.at(*keys)
        if not value.present:
            return
        items = value.elements() if isinstance(value.raw(), list) or value.is_unknown else (value,)
        for item in items:
            if everybody in str(item.known()).lower().replace(" ", "").split(","):
                yield item.path, words

    return look


def _function_url(change: Change, _: Context) -> Iterator[Share]:
    if change.after.get("authorization_type").known() == "NONE":
        yield "authorization_type", "Lets everybody call the function over the internet."


def _shared(name: str) -> _Look:
    def look(change: Change, _: Context) -> Iterator[Share]:
        value = change.after.get(name)
        if value.present and value.known() == "all":
            yield name, _EVERY_ACCOUNT

    return look


def _acl(change: Change, context: Context) -> Iterator[Share]:
    """Each part only when somebody wrote it: the provider computes the other one."""
    written = context.configuration.writes
    grants = change.after.at("access_control_policy", 0, "grant")
    if written(change, "access_control_policy") and not grants.is_null:
        for grant in grants.elements():
            uri = grant.at("grantee", 0, "uri")
            if not uri.is_null and str(uri.known()).endswith(_PUBLIC_GROUPS):
                yield uri.path, "Grants to everybody."
    acl = change.after.get("acl")
    if written(change, "acl") and acl.known() in _PUBLIC_ACLS:
        yield "acl", f"The ACL {acl.raw()} is for everybody."


_OTHERS: Mapping[str, _Look] = {
    "aws_ami_launch_permission": _shared("group"),
    "aws_cloudwatch_event_permission": _principal("Lets everybody put events on the bus.", "condition"),
    "aws_db_cluster_snapshot": _listed(_EVERY_ACCOUNT, "all", "shared_accounts"),
    "aws_db_snapshot": _listed(_EVERY_ACCOUNT, "all", "shared_accounts"),
    "aws_db_snapshot_copy": _listed(_EVERY_ACCOUNT, "all", "shared_accounts"),
    "aws_lambda_function_url": _function_url,
    "aws_lambda_layer_version_permission": _principal("Lets everybody use the layer.", "organization_id"),
    "aws_lambda_permission": _principal(
        "Lets everybody invoke the function.", "source_account", "principal_org_id", "source_arn"
    ),
    "aws_rds_cluster_snapshot_copy": _listed(_EVERY_ACCOUNT, "all", "shared_accounts"),
    "aws_s3_bucket": _acl,
    "aws_s3_bucket_acl": _acl,
    "aws_snapshot_create_volume_permission": _shared("account_id"),
    "aws_ssm_document": _listed(_EVERY_ACCOUNT, "all", "permissions", "account_ids"),
    "aws_vpc_endpoint_service": _listed("Lets everybody connect to the service.", "*", "allowed_principals"),
    "aws_vpc_endpoint_service_allowed_principal": _principal(
        "Lets everybody connect to the service.", name="principal_arn"
    ),
}
