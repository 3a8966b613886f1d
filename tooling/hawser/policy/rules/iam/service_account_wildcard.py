"""HW-IAM-005: whoever has a token of an OIDC provider may take a role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import CANARY, TRUST_TYPES, Condition, Statement, binds, fits, granting, trust_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.unknown import Doubts, State, any_of, both, opposite
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Unknown

_PODS: Final = "system:serviceaccount:"

#: How a subject begins that names its owner up to the next colon: GitHub's ``repo:<owner>/<repository>:…``, GitLab's
#: ``project_path:<group>/<project>:…``, HCP Terraform's ``organization:<name>:…`` (as trust policies for them are
#: written in public, 2026-11-30; the vendors' own lists of claims were not compared).
_OWNED: Final = ("repo:", "project_path:", "organization:")

#: Providers that IAM knows without a resource, which sign in whoever asks; and the claims that name one application
#: or pool (IAM user guide, keys for web identity federation, 2026-11-30).
_FOR_APPS: Final[Mapping[str, tuple[str, ...]]] = {
    "accounts.google.com": ("aud", "oaud"),
    "cognito-identity.amazonaws.com": ("aud",),
    "graph.facebook.com": ("app_id",),
    "www.amazon.com": ("app_id",),
}


@change_rule(
    RuleMeta(
        id="HW-IAM-005",
        title="A role for tokens of an OIDC provider names whose: a service account, or a repository.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=TRUST_TYPES,
        looks_at="planned state",
        why="Without a condition on sub, or with a wildcard in it, every pod of the cluster can take the role, also"
        " one that runs a model's code; of a public CI, everybody who has a repository there.",
        fix="Use pod identities, as hawser's roles do, or name system:serviceaccount:<namespace>:<name> in the"
        " condition on the OIDC provider's sub; for CI, repo:<owner>/<repository>:environment:<name>.",
        references=(
            "https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html",
            "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-idp_oidc.html",
        ),
    )
)
def service_account_wildcard(change: Change, _: Context) -> Iterator[Hit]:
    """AssumeRoleWithWebIdentity without a condition on ``sub``, or with one that anybody's token meets."""
    doubts = Doubts()
    for statement in granting(trust_statements(change, doubts), doubts, _any_token):
        wide = [value for _, _, values in _on_subject(statement) for value in values if isinstance(value, str)]
        yield Hit(
            path=statement.path,
            message=f"Lets everybody whose sub is like {', '.join(wide)} take the role."
            if wide and all(_compares(condition) for condition in _on_subject(statement))
            else f"Lets everybody whom {_provider(statement)} gives a token take the role: no condition names its"
            f" {'application' if _provider(statement) in _FOR_APPS else 'sub'}.",
        )
    doubts.settle()


def _provider(statement: Statement) -> str:
    named = (who for _, who in statement.principals if isinstance(who, str) and who in _FOR_APPS)
    return next(named, "the OIDC provider")


def _any_token(statement: Statement) -> State:
    web = statement.grants("sts:AssumeRoleWithWebIdentity")
    conditions = _on_subject(statement)
    if web is False or conditions:
        return both(web, opposite(any_of((_names_one(condition) for condition in conditions), bool)))
    if any(isinstance(key, Unknown) for _, key, _ in statement.conditions):
        return UNKNOWN
    providers = [who for kind, who in statement.principals if kind in ("Federated", "*") or isinstance(kind, Unknown)]
    registered = any_of(providers, lambda who: ":oidc-provider/" in who)
    for_anybody = any_of(providers, lambda who: who in _FOR_APPS)
    for_one_app = any_of((_names_app(condition) for condition in statement.conditions), bool)
    return both(web, any_of((registered, both(for_anybody, opposite(for_one_app))), bool))


def _names_app(condition: Condition) -> State:
    key = str(condition[1]).lower()
    return any(key == f"{provider}:{claim}" for provider, claims in _FOR_APPS.items() for claim in claims) and binds(
        condition
    )


def _on_subject(statement: Statement) -> tuple[Condition, ...]:
    """Conditions on the token's ``sub``; one whose key is not known yet shows by its values."""
    return tuple(
        (operator, key, values)
        for operator, key, values in statement.conditions
        if (
            key.lower().endswith(":sub")
            if isinstance(key, str)
            else any(str(value).startswith((_PODS, *_OWNED)) for value in values)
        )
    )


def _names_one(condition: Condition) -> State:
    return False if any_of(condition[2], _wide) is True else binds(condition)


def _compares(condition: Condition) -> bool:
    operator = condition[0]
    return isinstance(operator, Unknown) or binds((operator, "sub", ("one",))) is True


def _wide(value: str) -> bool:
    """Whether any namespace, any account of a namespace, any owner or any repository of an owner fits."""
    parts = value.split(":")
    if len(parts) == 4 and fits("system", parts[0]) and fits("serviceaccount", parts[1]):
        return fits(CANARY, parts[2]) or fits(CANARY, parts[3])
    return fits(f"{_PODS}{CANARY}:{CANARY}", value) or _owner_is_open(value)


def _owner_is_open(value: str) -> bool:
    """Whether a wildcard stands before the colon that ends the owner: a longer name fits, and others may take it."""
    fixed = re.split(r"[*?]", value, maxsplit=1)[0]
    return fixed != value and any(
        kind.startswith(fixed) or (fixed.startswith(kind) and ":" not in fixed[len(kind) :]) for kind in _OWNED
    )
