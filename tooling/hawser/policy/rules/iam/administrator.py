"""HW-IAM-006: an administrator policy of AWS is attached."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import Value

#: AWS managed policies that let their holder do nearly anything, or give itself the right to (IAM reference,
#: 2026-11-30), and the EKS access policy that is cluster-admin.
_ADMINISTRATOR = ("AdministratorAccess", "PowerUserAccess", "IAMFullAccess", "AmazonEKSClusterAdminPolicy")

_ATTRIBUTES = {
    "aws_iam_role_policy_attachment": ("policy_arn",),
    "aws_iam_user_policy_attachment": ("policy_arn",),
    "aws_iam_group_policy_attachment": ("policy_arn",),
    "aws_iam_policy_attachment": ("policy_arn",),
    "aws_iam_role": ("managed_policy_arns",),
    "aws_eks_access_policy_association": ("policy_arn",),
}


@change_rule(
    RuleMeta(
        id="HW-IAM-006",
        title="Attached managed policies are narrower than administrator.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=tuple(_ATTRIBUTES),
        looks_at="change",
        why="Its holder can do anything in the account or cluster, also take away every guard.",
        fix="Attach a policy that names what is needed; administrators of the cluster come from"
        " cluster.admin_principals in env.yaml and are approved once.",
    )
)
def administrator(change: Change, context: Context) -> Iterator[Hit]:
    """Looks at new and changed attachments only; a policy that the same plan makes is none of AWS's.

    Administrators of the cluster that the environment names are in order: they were reviewed there.
    """
    doubts = Doubts()
    cluster = context.deployment.environment.cluster if context.deployment else None
    admins = cluster.admin_principals if cluster else ()
    for name in _ATTRIBUTES.get(change.type, ()):
        value = change.after.get(name)
        if value.has_unknown and _made_here(change, context, name):
            continue
        with doubts:
            for item in value.elements() if isinstance(value.raw(), list) else (value,):
                with doubts:
                    yield from _named(change, item, admins)
    doubts.settle()


def _made_here(change: Change, context: Context, name: str) -> bool:
    if not context.configuration.writes(change, name):
        return True
    targets = context.configuration.targets(change, name)
    return bool(targets) and all(target.startswith("aws_iam_policy.") for _, target in targets)


def _named(change: Change, item: Value, admins: tuple[str, ...]) -> Iterator[Hit]:
    arn = item.known()
    name = arn.rsplit("/", 1)[-1] if isinstance(arn, str) else ""
    cluster = change.type == "aws_eks_access_policy_association"
    if cluster and change.after.get("principal_arn").raw() in admins:
        return
    if name in _ADMINISTRATOR:
        yield Hit(
            path=item.path,
            message=f"Attaches {name}.",
            after=arn,
            contract_path="cluster.admin_principals" if cluster else None,
        )
