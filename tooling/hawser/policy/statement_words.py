"""IAM statements in words: who may take a role, and what a policy allows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hawser.policy.iam import Condition, Statement, Text, covers_everything
from hawser.terraform.values import Unknown

_ACCOUNT: Final = re.compile(r"(?:arn:[^:]*:iam::)?(\d{12})(?::root)?")
_PODS: Final = "pods.eks.amazonaws.com"

#: Operators that read better as words; the others stand as they are.
_OPERATORS: Final = {
    "stringequals": "is",
    "stringlike": "is like",
    "stringnotequals": "is not",
    "stringnotlike": "is not like",
    "arnequals": "is",
    "arnlike": "is like",
    "arnnotequals": "is not",
    "arnnotlike": "is not like",
    "bool": "is",
    "ipaddress": "is in",
    "notipaddress": "is not in",
}


def who(statement: Statement, *, conditions: bool = True) -> str:
    """Who a statement of a trust policy is about: ``the service ec2.amazonaws.com; only if …``."""
    named = [_principal(kind, one) for kind, one in statement.principals]
    if statement.not_principals:
        named.append(f"everybody but {', '.join(_principal(kind, one) for kind, one in statement.not_principals)}")
    return (", ".join(named) or "nobody") + _only_if(statement.conditions if conditions else ())


def _principal(kind: Text, one: Text) -> str:
    if isinstance(one, Unknown):
        return str(one)
    if one == "*":
        return "everybody"
    if kind == "Service":
        return "EKS Pod Identity" if one == _PODS else f"the service {one}"
    if kind == "Federated":
        return f"whoever {one.split(':oidc-provider/', 1)[-1]} vouches for"
    account = _ACCOUNT.fullmatch(one)
    return f"the account {account[1]}" if account else one


def what(statement: Statement) -> str:
    """What a statement is about: ``s3: GetObject, ListBucket on arn:aws:s3:::weights; only if …``."""
    done = _actions(statement.actions) if statement.actions else f"everything but {_actions(statement.not_actions)}"
    if statement.not_resources:
        where = f"everything but {', '.join(map(str, statement.not_resources))}"
    else:
        where = _resources(statement.resources)
    return f"{done} on {where}{_only_if(statement.conditions)}"


def _actions(actions: Iterable[Text]) -> str:
    services: dict[str, list[str]] = {}
    for action in actions:
        service, _, name = str(action).partition(":") if isinstance(action, str) else ("", "", str(action))
        services.setdefault(service if name else "", []).append(name or service)
    parts = []
    for service in sorted(services):
        names = sorted(dict.fromkeys(services[service]))
        if service == "":
            parts.append("every action of every service" if "*" in names else ", ".join(names))
        else:
            parts.append(f"{service}: {'every action' if '*' in names else ', '.join(names)}")
    return "; ".join(parts)


def _resources(resources: tuple[Text, ...]) -> str:
    if "*" in resources:
        return "every resource"
    return ", ".join(sorted(map(str, resources))) or "no resource"


def _only_if(conditions: Iterable[Condition]) -> str:
    said = conditions_in_words(conditions)
    return f"; only if {said}" if said else ""


def conditions_in_words(conditions: Iterable[Condition]) -> str:
    """``sts:ExternalId is hawser and aws:SourceIp is in 10.0.0.0/8``; nothing for none."""
    said = []
    for operator, key, values in conditions:
        plain = str(operator).lower()
        some = "some of " if plain.startswith("foranyvalue:") else ""
        name = _OPERATORS.get(plain.removeprefix("foranyvalue:"), str(operator))
        said.append(f"{some}{key} {name} {' or '.join(map(str, values))}")
    return " and ".join(said)


#: Actions that change nothing and give no data away, for ordering only (`Get` gives secrets and objects).
_LOOKS: Final = re.compile(r"[a-z0-9-]+:(?:Describe|List|Lookup|Search|View)", re.IGNORECASE)


def width(statement: Statement) -> tuple[int, ...]:
    """How wide a statement is, for ordering: every action, then what is not only for looking, then where.

    To describe everything is less than to pass one role.
    """
    everything = "*" in statement.actions or bool(statement.not_actions)
    wild = any(isinstance(action, str) and action.endswith(":*") for action in statement.actions)
    everywhere = any(isinstance(arn, str) and covers_everything(arn) for arn in statement.resources)
    patterns = sum(1 for action in statement.actions if isinstance(action, str) and "*" in action)
    acts = not all(isinstance(action, str) and _LOOKS.match(action) for action in statement.actions)
    anywhere = everywhere or bool(statement.not_resources)
    return (
        int(everything),
        int(acts and anywhere),
        int(acts and wild),
        int(acts and statement.grants("iam:PassRole") is True),
        int(acts),
        int(anywhere),
        int(not statement.conditions),
        patterns,
        len(statement.actions),
    )
