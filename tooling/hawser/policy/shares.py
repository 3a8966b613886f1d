"""What lets everybody in without a policy: ACLs, shares of images and snapshots, URLs of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from hawser.policy.registry import Context
from hawser.terraform.plan import Change

#: Canned ACLs that let in everybody, or everybody who has an account with AWS (S3 user guide, 2026-11-30).
_PUBLIC_ACLS = ("public-read", "public-read-write", "authenticated-read")
_PUBLIC_GROUPS = ("/AllUsers", "/AuthenticatedUsers")

#: Path, and a sentence.
Share = tuple[str, str]
_Look = Callable[[Change, Context], Iterator[Share]]

#: Types beside those with a policy.
SHARES: Final = (
    "aws_ami_launch_permission",
    "aws_lambda_function_url",
    "aws_lambda_permission",
    "aws_s3_bucket_acl",
    "aws_snapshot_create_volume_permission",
)


def shared_with_everybody(change: Change, context: Context) -> Iterator[Share]:
    """Where a resource is opened to everybody, with a sentence. Raises ``UndecidableError`` when that is not known."""
    if look := _OTHERS.get(change.type):
        yield from look(change, context)


def _lambda_permission(change: Change, _: Context) -> Iterator[Share]:
    after = change.after
    bound = ("source_account", "principal_org_id", "source_arn")
    if after.get("principal").known() == "*" and not any(after.get(name).present for name in bound):
        yield "principal", "Lets everybody invoke the function."


def _function_url(change: Change, _: Context) -> Iterator[Share]:
    if change.after.get("authorization_type").known() == "NONE":
        yield "authorization_type", "Lets everybody call the function over the internet."


def _shared(name: str) -> _Look:
    def look(change: Change, _: Context) -> Iterator[Share]:
        value = change.after.get(name)
        if value.present and value.known() == "all":
            yield name, "Shares it with every AWS account."

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
    "aws_lambda_function_url": _function_url,
    "aws_lambda_permission": _lambda_permission,
    "aws_s3_bucket": _acl,
    "aws_s3_bucket_acl": _acl,
    "aws_snapshot_create_volume_permission": _shared("account_id"),
}
