"""HW-IAM-005: any pod may take a role."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import CANARY, TRUST_TYPES, Condition, Statement, binds, fits, granting, trust_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.unknown import Doubts, State, any_of, both, opposite
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Unknown


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
def service_account_wildcard(change: Change, _: Context) -> Iterator[Hit]:
    """AssumeRoleWithWebIdentity without a condition on ``sub``, or with one that any service account meets."""
    doubts = Doubts()
    for statement in granting(trust_statements(change, doubts), doubts, _any_pod):
        wide = [value for _, _, values in _on_subject(statement) for value in values if isinstance(value, str)]
        yield Hit(
            path=statement.path,
            message=f"Lets every service account that matches {', '.join(wide)} take the role."
            if wide and all(_compares(condition) for condition in _on_subject(statement))
            else "Lets every service account of the OIDC provider take the role: no condition names its sub.",
        )
    doubts.settle()


def _any_pod(statement: Statement) -> State:
    web = statement.grants("sts:AssumeRoleWithWebIdentity")
    conditions = _on_subject(statement)
    if web is False or conditions:
        return both(web, opposite(any_of((_names_one(condition) for condition in conditions), bool)))
    if any(isinstance(key, Unknown) for _, key, _ in statement.conditions):
        return UNKNOWN
    providers = (who for kind, who in statement.principals if kind in ("Federated", "*"))
    return both(web, any_of(providers, lambda who: "oidc.eks." in who))


def _on_subject(statement: Statement) -> tuple[Condition, ...]:
    """Conditions on the token's ``sub``; one whose key is not known yet shows by its values."""
    return tuple(
        (operator, key, values)
        for operator, key, values in statement.conditions
        if (
            key.lower().endswith(":sub")
            if isinstance(key, str)
            else any(str(value).startswith("system:serviceaccount:") for value in values)
        )
    )


def _names_one(condition: Condition) -> State:
    return False if any_of(condition[2], _wide) is True else binds(condition)


def _compares(condition: Condition) -> bool:
    operator = condition[0]
    return isinstance(operator, Unknown) or binds((operator, "sub", ("one",))) is True


def _wide(value: str) -> bool:
    """Whether any namespace, or any account of a namespace, fits."""
    parts = value.split(":")
    if len(parts) == 4 and fits("system", parts[0]) and fits("serviceaccount", parts[1]):
        return fits(CANARY, parts[2]) or fits(CANARY, parts[3])
    return fits(f"system:serviceaccount:{CANARY}:{CANARY}", value)
