"""Which accounts a plan is for, and which other ones its principals and shares name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.contract.deployment import Deployment
from hawser.policy.iam import WHO, Statement
from hawser.terraform.plan import Plan

_ID: Final = re.compile(r"(?<!\d)\d{12}(?!\d)")
#: The account of an ARN. Policies that AWS makes for everybody have the name ``aws`` there, and buckets have none.
_OF_ARN: Final = re.compile(r"arn:[^:]*:[^:]*:[^:]*:(\d{12}):")
_PRINCIPAL: Final = re.compile(r"(?:arn:[^:]*:(?:iam|sts)::)?(\d{12})(?::.*)?", re.DOTALL)


def own_accounts(plan: Plan, deployment: Deployment | None) -> frozenset[str]:
    """The account of the environment; without one, those in the ARNs of the resources that exist already."""
    if deployment is not None:
        return frozenset({deployment.environment.account_id})
    found = set()
    for change in plan.changes:
        if change.mode == "managed" and isinstance(arn := change.before.get("arn").raw(), str):
            found.update(_OF_ARN.findall(arn))
    return frozenset(found)


def accounts_in(text: str) -> Iterator[str]:
    """Every account id in a text: an id, an ARN, ids with commas between."""
    yield from _ID.findall(text)


def principal_account(text: str) -> str:
    """The account of a principal, ``""`` for a service, a provider, ``*`` or a unique id."""
    found = _PRINCIPAL.fullmatch(text)
    return found[1] if found else ""


def named_accounts(statement: Statement) -> Iterator[str]:
    """The accounts whose principals a statement is about; of one for ``*``, those that its conditions name."""
    everybody = False
    for kind, one in statement.principals:
        if isinstance(one, str) and kind in ("AWS", "*"):
            everybody = everybody or one == "*"
            if account := principal_account(one):
                yield account
    if not everybody:
        return
    for _, key, values in statement.conditions:
        if isinstance(key, str) and key.lower() in WHO:
            for value in values:
                yield from accounts_in(str(value))
