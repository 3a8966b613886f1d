"""What the refresh of a plan found changed: by somebody else, or by our own resources beside the one that shows it.

The provider repeats in a bucket, a role or a security group what resources of their own say (``aws_s3_bucket_policy``,
``aws_iam_role_policy``, rules of a group). After an apply that made both, the state holds the bucket as it was before
the rest came, and the next refresh "finds" the rest. Such an echo is told apart from drift only by proof: the resource
that says it must be in the plan for that very object, and with the value that was found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

#: Values that say nothing; one for the other is no change.
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class DriftEntry:
    """One entry of ``resource_drift``. ``before`` is what the state held, ``after`` what the refresh found."""

    address: str
    type: str
    actions: tuple[str, ...]
    before: Any
    after: Any
    before_sensitive: Any

    def shifted(self) -> tuple[str, ...]:
        """Top-level attributes that differ, sorted; nothing for an object that is gone."""
        if not isinstance(self.before, dict) or not isinstance(self.after, dict):
            return ()
        return tuple(
            sorted(
                key
                for key in self.before.keys() | self.after.keys()
                if not _same(self.before.get(key), self.after.get(key))
            )
        )


def drift_entries(document: Mapping[str, Any]) -> list[DriftEntry]:
    """The entries of ``resource_drift``, as far as they can be read."""
    found = []
    for entry in _entries(document.get("resource_drift")):
        change = entry.get("change")
        change = change if isinstance(change, dict) else {}
        actions = change.get("actions")
        found.append(
            DriftEntry(
                address=str(entry.get("address")),
                type=str(entry.get("type") or ""),
                actions=tuple(map(str, actions)) if isinstance(actions, list) else (),
                before=change.get("before"),
                after=change.get("after"),
                before_sensitive=change.get("before_sensitive"),
            )
        )
    return found


def foreign_entries(document: Mapping[str, Any]) -> list[DriftEntry]:
    """Entries of objects in which something that the state held was changed outside of Terraform."""
    return [entry for entry, own in _judged(document) if not own]


def drifted(document: Mapping[str, Any]) -> list[str]:
    """Addresses of objects in which something that the state held was changed outside of Terraform, sorted."""
    return sorted({entry.address for entry in foreign_entries(document)})


def completed(document: Mapping[str, Any]) -> int:
    """How many objects the refresh only completed: echoes of our own resources, and what no right hangs on."""
    return sum(own for _, own in _judged(document))


def _judged(document: Mapping[str, Any]) -> Iterator[tuple[DriftEntry, bool]]:
    entries = drift_entries(document)
    if not entries:
        return
    others = _Others(document)
    for entry in entries:
        yield entry, _is_completed(entry, others)


def _is_completed(entry: DriftEntry, others: _Others) -> bool:
    if entry.actions != ("update",) or not isinstance(entry.before, dict) or not isinstance(entry.after, dict):
        return False
    echoes = _ECHOES.get(entry.type, {})
    for name in entry.shifted():
        before, after = entry.before.get(name), entry.after.get(name)
        if name in echoes:
            if not echoes[name](entry, others):
                return False
        elif name in _GRANTING or not _fills(before, after):
            return False
    return True


#: Attributes on which access hangs in whatever type: that one was empty before is no excuse.
_GRANTING: Final = frozenset(
    {
        "acl",
        "assume_role_policy",
        "egress",
        "grant",
        "groups",
        "ingress",
        "inline_policy",
        "kubernetes_groups",
        "managed_policy_arns",
        "permissions_boundary",
        "policy",
        "public_access_cidrs",
        "publicly_accessible",
        "roles",
        "users",
        "vpc_config",
        "website",
    }
)


def _fills(before: Any, after: Any) -> bool:
    """Whether ``after`` is ``before`` with nothing changed but what was empty."""
    if before == after or before in _EMPTY:
        return True
    if isinstance(before, dict) and isinstance(after, dict):
        return all(_fills(before.get(key), after.get(key)) for key in before.keys() | after.keys())
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return all(_fills(left, right) for left, right in zip(before, after, strict=True))
    return False


def _same(left: Any, right: Any) -> bool:
    """Whether the two are equal, one empty value for another, also inside."""
    if left == right or (left in _EMPTY and right in _EMPTY):
        return True
    if isinstance(left, dict) and isinstance(right, dict):
        return all(_same(left.get(key), right.get(key)) for key in left.keys() | right.keys())
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        return all(map(_same, left, right))
    return False


# -- echoes ------------------------------------------------------------------------------------------------------------


class _Others:
    """The objects that stand in the plan now, by type; those that the plan deletes count, since they exist."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._by_type: dict[str, list[dict[str, Any]]] = {}
        for entry in _entries(document.get("resource_changes")):
            change = entry.get("change")
            before = change.get("before") if isinstance(change, dict) else None
            if entry.get("mode") == "managed" and isinstance(before, dict) and "deposed" not in entry:
                self._by_type.setdefault(str(entry.get("type")), []).append(before)

    def of(self, type_: str, key: str, *ids: Any) -> Iterator[dict[str, Any]]:
        """Objects of a type whose attribute is one of these ids."""
        wanted = [one for one in ids if isinstance(one, str) and one]
        return (one for one in self._by_type.get(type_, ()) if one.get(key) in wanted)


_Proof = Callable[[DriftEntry, _Others], bool]


def _one_of(
    type_: str, key: str, echo: Callable[[Any], Any], said: Callable[[dict[str, Any]], Any], name: str
) -> _Proof:
    """Proof by one resource of the same bucket (or queue, …): what it says equals what was found."""

    def proves(entry: DriftEntry, others: _Others) -> bool:
        found = echo(entry.after.get(name))
        ids = [entry.after.get(one) for one in ("id", "bucket", "arn", "url", "key_id")]
        return any(said(other) == found for other in others.of(type_, key, *ids))

    return proves


def _policy(type_: str, key: str) -> _Proof:
    return _one_of(type_, key, _json, lambda other: _json(other.get("policy")), "policy")


def _json(text: Any) -> Any:
    """A policy as a structure in which the order of statements and lists does not count."""
    if not isinstance(text, str):
        return text
    try:
        return _sorted(json.loads(text))
    except ValueError:
        return text


def _sorted(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _sorted(child) for key, child in node.items()}
    if isinstance(node, list):
        items = sorted((_sorted(child) for child in node), key=lambda one: json.dumps(one, sort_keys=True))
        return items[0] if len(items) == 1 else items
    return node


def _first(node: Any) -> dict[str, Any]:
    if isinstance(node, list):
        node = node[0] if node else {}
    return node if isinstance(node, dict) else {}


def _items(node: Any) -> list[dict[str, Any]]:
    return _entries(node)


def _versioning(echo: Any) -> Any:
    return bool(_first(echo).get("enabled")), bool(_first(echo).get("mfa_delete"))


def _versioning_said(other: dict[str, Any]) -> Any:
    settings = _first(other.get("versioning_configuration"))
    return settings.get("status") == "Enabled", settings.get("mfa_delete") == "Enabled"


def _encryption(rules: Any) -> Any:
    found = []
    for rule in _items(rules):
        default = _first(rule.get("apply_server_side_encryption_by_default"))
        key = default.get("kms_master_key_id") or ""
        found.append((default.get("sse_algorithm"), key, bool(rule.get("bucket_key_enabled"))))
    return found


def _encryption_echo(echo: Any) -> Any:
    return _encryption(_first(echo).get("rule"))


def _lifecycle(echo: Any) -> Any:
    return sorted((str(rule.get("id")), bool(rule.get("enabled"))) for rule in _items(echo))


def _lifecycle_said(other: dict[str, Any]) -> Any:
    return sorted((str(rule.get("id")), rule.get("status") == "Enabled") for rule in _items(other.get("rule")))


def _logging(echo: Any) -> Any:
    return _first(echo).get("target_bucket"), _first(echo).get("target_prefix") or ""


def _logging_said(other: dict[str, Any]) -> Any:
    return other.get("target_bucket"), other.get("target_prefix") or ""


def _inline(entry: DriftEntry, others: _Others) -> bool:
    """Every inline policy that was found was there before, or is one of the role's own resources."""
    own = [
        (one.get("name"), _json(one.get("policy")))
        for one in others.of("aws_iam_role_policy", "role", entry.after.get("name"), entry.after.get("id"))
    ]
    had = [(one.get("name"), _json(one.get("policy"))) for one in _items(entry.before.get("inline_policy"))]
    found = [(one.get("name"), _json(one.get("policy"))) for one in _items(entry.after.get("inline_policy"))]
    return all(one in own or one in had for one in found) and all(one in found for one in had)


def _attached(entry: DriftEntry, others: _Others) -> bool:
    ids = (entry.after.get("name"), entry.after.get("id"))
    own = {one.get("policy_arn") for one in others.of("aws_iam_role_policy_attachment", "role", *ids)}
    for one in others.of("aws_iam_role_policy_attachments_exclusive", "role_name", *ids):
        own |= {str(arn) for arn in one.get("policy_arns") or ()}
    had, found = (set(map(str, side.get("managed_policy_arns") or ())) for side in (entry.before, entry.after))
    return had <= found <= had | own


def _attachments(entry: DriftEntry, others: _Others) -> bool:
    """As many attachments as the plan's own resources make; one more is somebody else's."""
    arn = entry.after.get("arn")
    own = sum(1 for type_ in _ATTACHMENTS for _ in others.of(type_, "policy_arn", arn))
    return bool(entry.after.get("attachment_count") == own)


_ATTACHMENTS: Final = (
    "aws_iam_role_policy_attachment",
    "aws_iam_user_policy_attachment",
    "aws_iam_group_policy_attachment",
)


def _rules(direction: str) -> _Proof:
    """Every rule that was found was there before, or is one of the group's own rule resources."""

    def proves(entry: DriftEntry, others: _Others) -> bool:
        group = entry.after.get("id")
        own: set[_Rule] = set()
        for rule in others.of("aws_security_group_rule", "security_group_id", group):
            if rule.get("type") == direction:
                own |= set(_in_block(rule))
        for rule in others.of(f"aws_vpc_security_group_{direction}_rule", "security_group_id", group):
            own |= set(_in_rule(rule))
        had, found = (
            {one for rule in _items(side.get(direction)) for one in _in_block(rule)}
            for side in (entry.before, entry.after)
        )
        return had <= found <= had | own

    return proves


#: Protocol, first port, last port, source.
_Rule = tuple[str, int, int, str]


def _in_block(rule: Mapping[str, Any]) -> Iterator[_Rule]:
    sources: list[Any] = []
    for key in ("cidr_blocks", "ipv6_cidr_blocks", "prefix_list_ids", "security_groups"):
        sources += rule.get(key) or ()
    if rule.get("source_security_group_id"):
        sources.append(rule["source_security_group_id"])
    if rule.get("self"):
        sources.append("self")
    return _each(rule.get("protocol"), rule, sources)


def _in_rule(rule: Mapping[str, Any]) -> Iterator[_Rule]:
    keys = ("cidr_ipv4", "cidr_ipv6", "prefix_list_id", "referenced_security_group_id")
    sources = [rule[key] for key in keys if rule.get(key)]
    own = rule.get("security_group_id")
    return _each(rule.get("ip_protocol"), rule, ["self" if one == own else one for one in sources])


def _each(protocol: Any, rule: Mapping[str, Any], sources: Iterable[Any]) -> Iterator[_Rule]:
    name = str(protocol)
    ports = (0, 0) if name == "-1" else (rule.get("from_port") or 0, rule.get("to_port") or 0)
    for source in sources:
        yield name, ports[0], ports[1], str(source)


#: Type -> attribute -> proof that a resource of its own says what the refresh found (hashicorp/aws 5.100.0).
_ECHOES: Final[Mapping[str, Mapping[str, _Proof]]] = {
    "aws_iam_policy": {"attachment_count": _attachments},
    "aws_iam_role": {"inline_policy": _inline, "managed_policy_arns": _attached},
    "aws_kms_key": {"policy": _policy("aws_kms_key_policy", "key_id")},
    "aws_s3_bucket": {
        "lifecycle_rule": _one_of(
            "aws_s3_bucket_lifecycle_configuration", "bucket", _lifecycle, _lifecycle_said, "lifecycle_rule"
        ),
        "logging": _one_of("aws_s3_bucket_logging", "bucket", _logging, _logging_said, "logging"),
        "policy": _policy("aws_s3_bucket_policy", "bucket"),
        "server_side_encryption_configuration": _one_of(
            "aws_s3_bucket_server_side_encryption_configuration",
            "bucket",
            _encryption_echo,
            lambda other: _encryption(other.get("rule")),
            "server_side_encryption_configuration",
        ),
        "versioning": _one_of("aws_s3_bucket_versioning", "bucket", _versioning, _versioning_said, "versioning"),
    },
    "aws_secretsmanager_secret": {"policy": _policy("aws_secretsmanager_secret_policy", "secret_arn")},
    "aws_security_group": {"egress": _rules("egress"), "ingress": _rules("ingress")},
    "aws_sns_topic": {"policy": _policy("aws_sns_topic_policy", "arn")},
    "aws_sqs_queue": {"policy": _policy("aws_sqs_queue_policy", "queue_url")},
}


def _entries(node: Any) -> list[dict[str, Any]]:
    return [entry for entry in node if isinstance(entry, dict)] if isinstance(node, list) else []
