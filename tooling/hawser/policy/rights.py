"""What gives rights and is no statement of a policy: attachments, members of groups, access entries, keys, grants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Value


class Cause(StrEnum):
    """What makes the difference."""

    ALLOW = "allow"
    CONDITION = "condition"
    DENY = "deny"
    TRUST = "trust"
    BOUNDARY = "boundary"
    ATTACHMENT = "attachment"
    ACCESS = "access"
    UNSEEN = "unseen"


#: Who gets it (``user ann``), what makes the difference, and what completes "who: …".
Right = tuple[str, Cause, str]


def rights_of(change: Change) -> Iterator[Right]:
    """The rights that a resource gives by itself, as its values after the apply say."""
    return _RIGHTS.get(change.type, _nothing)(change)


def word(value: Value) -> str:
    """The text of a value; what is sensitive or not known is said to be so."""
    if value.is_sensitive:
        return "(sensitive)"
    if value.is_unknown:
        return str(UNKNOWN)
    raw = value.raw()
    return "" if raw is None else str(raw)


def _words(value: Value) -> list[str]:
    """The texts of a list, or of one text; what is not known counts as one."""
    if value.is_unknown or value.is_sensitive:
        return [word(value)]
    raw = value.raw()
    if isinstance(raw, list):
        return [str(one) for one in raw] + ([str(UNKNOWN)] if value.has_unknown else [])
    return [] if raw is None else [str(raw)]


def _nothing(_: Change) -> Iterator[Right]:
    return iter(())


def _attached(*holders: tuple[str, str], policies: str = "policy_arn") -> Callable[[Change], Iterator[Right]]:
    def rights(change: Change) -> Iterator[Right]:
        for kind, attribute in holders:
            for name in _words(change.after.get(attribute)):
                for arn in _words(change.after.get(policies)):
                    yield f"{kind} {name}", Cause.ATTACHMENT, f"has the policy {arn}"

    return rights


def _members(user: str, group: str) -> Callable[[Change], Iterator[Right]]:
    def rights(change: Change) -> Iterator[Right]:
        for name in _words(change.after.get(user)):
            for of in _words(change.after.get(group)):
                yield f"user {name}", Cause.ATTACHMENT, f"is in the group {of}"

    return rights


def _access_key(change: Change) -> Iterator[Right]:
    yield f"user {word(change.after.get('user'))}", Cause.ACCESS, f"has the access key of {change.address}"


def _access_entry(change: Change) -> Iterator[Right]:
    after = change.after
    cluster, kind = word(after.get("cluster_name")), word(after.get("type")) or "STANDARD"
    holder = f"principal {word(after.get('principal_arn'))}"
    yield holder, Cause.ACCESS, f"may enter the cluster {cluster} as {kind}"
    groups = after.get("kubernetes_groups")
    if not groups.is_unknown:
        for group in _words(groups):
            yield holder, Cause.ACCESS, f"is of the Kubernetes group {group} in the cluster {cluster}"


def _access_policy(change: Change) -> Iterator[Right]:
    after = change.after
    scope = after.at("access_scope", 0)
    spaces = ", ".join(sorted(_words(scope.get("namespaces"))))
    where = f"the namespaces {spaces}" if word(scope.get("type")) == "namespace" else "every namespace"
    policy, cluster = word(after.get("policy_arn")), word(after.get("cluster_name"))
    yield (
        f"principal {word(after.get('principal_arn'))}",
        Cause.ACCESS,
        f"has {policy} in the cluster {cluster}, {where}",
    )


def _invokes(change: Change) -> Iterator[Right]:
    after = change.after
    bound = [
        f"{name} {word(after.get(name))}"
        for name in ("source_account", "source_arn", "principal_org_id")
        if after.get(name).present
    ]
    only = f"; only if {' and '.join(bound)}" if bound else ""
    said = f"may do {word(after.get('action'))} on {word(after.get('function_name'))}{only}"
    yield f"principal {word(after.get('principal'))}", Cause.ACCESS, said


def _grant(change: Change) -> Iterator[Right]:
    done = ", ".join(sorted(_words(change.after.get("operations"))))
    said = f"may {done} with the key {word(change.after.get('key_id'))}"
    yield f"principal {word(change.after.get('grantee_principal'))}", Cause.ACCESS, said


_RIGHTS: Final[Mapping[str, Callable[[Change], Iterator[Right]]]] = {
    "aws_eks_access_entry": _access_entry,
    "aws_eks_access_policy_association": _access_policy,
    "aws_iam_access_key": _access_key,
    "aws_iam_group_membership": _members("users", "group"),
    "aws_iam_group_policy_attachment": _attached(("group", "group")),
    "aws_iam_group_policy_attachments_exclusive": _attached(("group", "group_name"), policies="policy_arns"),
    "aws_iam_policy_attachment": _attached(("user", "users"), ("group", "groups")),
    "aws_iam_user_group_membership": _members("user", "groups"),
    "aws_iam_user_policy_attachment": _attached(("user", "user")),
    "aws_iam_user_policy_attachments_exclusive": _attached(("user", "user_name"), policies="policy_arns"),
    "aws_kms_grant": _grant,
    "aws_lambda_permission": _invokes,
}
