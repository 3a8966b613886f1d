"""HW-IAM-005: any pod may take a role."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import TRUST_TYPES, Statement, Text, granting, trust_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.unknown import Doubts, State, any_of, both
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Unknown

_WIDE = re.compile(r"\*|system:\*|system:serviceaccount:\*(:.*)?|system:serviceaccount:[^:]+:\*")


@change_rule(
    RuleMeta(
        id="HW-IAM-005",
        title="A role for service accounts names namespace and service account.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=TRUST_TYPES,
        looks_at="planned state",
        why="With a wildcard, or without a condition on sub, every pod of the cluster (also one that runs a model's"
        " code)"
        " can take the role.",
        fix="Use pod identities, as hawser's roles do, or name system:serviceaccount:<namespace>:<name> in the"
        " condition"
        " on the OIDC provider's sub.",
        references=("https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html",),
    )
)
def service_account_wildcard(change: Change, context: Context) -> Iterator[Hit]:
    """AssumeRoleWithWebIdentity without a condition on ``sub``, or with one that any service account meets."""
    doubts = Doubts()
    for statement in granting(trust_statements(change, context, doubts), doubts, _any_pod):
        wide = [value for value in _subjects(statement) if isinstance(value, str)]
        yield Hit(
            path=statement.path,
            message=f"Lets every service account that matches {', '.join(wide)} take the role."
            if wide
            else "Lets every service account of the OIDC provider take the role: there is no condition on sub.",
        )
    doubts.settle()


def _any_pod(statement: Statement) -> State:
    web = statement.grants("sts:AssumeRoleWithWebIdentity")
    subjects = _subjects(statement)
    if web is False or subjects:
        return both(web, any_of(subjects, lambda value: _WIDE.fullmatch(value) is not None))
    if any(isinstance(key, Unknown) for key in statement.condition_keys()):
        return UNKNOWN
    providers = (who for kind, who in statement.principals if kind in ("Federated", "*"))
    return both(web, any_of(providers, lambda who: "oidc.eks." in who))


def _subjects(statement: Statement) -> tuple[Text, ...]:
    """Values that the token's ``sub`` is compared with; a condition whose key is not known yet shows by its values."""
    return tuple(
        value
        for _, key, values in statement.conditions
        for value in values
        if (key.lower().endswith(":sub") if isinstance(key, str) else str(value).startswith("system:serviceaccount:"))
    )
