"""HW-IAM-006: an administrator policy of AWS is attached."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import POLICY_IN_TEMPLATE, holds, is_administrator, texts
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.templates import STACK, made_by
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import Unknown, Value

_ATTRIBUTES = {
    "aws_iam_role_policy_attachment": ("policy_arn",),
    "aws_iam_user_policy_attachment": ("policy_arn",),
    "aws_iam_group_policy_attachment": ("policy_arn",),
    "aws_iam_policy_attachment": ("policy_arn",),
    "aws_iam_role_policy_attachments_exclusive": ("policy_arns",),
    "aws_iam_user_policy_attachments_exclusive": ("policy_arns",),
    "aws_iam_group_policy_attachments_exclusive": ("policy_arns",),
    "aws_iam_role": ("managed_policy_arns",),
    "aws_eks_access_policy_association": ("policy_arn",),
    "aws_ssoadmin_managed_policy_attachment": ("managed_policy_arn",),
}


@change_rule(
    RuleMeta(
        id="HW-IAM-006",
        title="Attached managed policies are narrower than administrator.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(*_ATTRIBUTES, STACK),
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
    yield from _in_template(change, doubts)
    doubts.settle()


def _in_template(change: Change, doubts: Doubts) -> Iterator[Hit]:
    made = made_by(change)
    own = {one.name for one in made if one.type == POLICY_IN_TEMPLATE}
    for one in made:
        if not holds(one, "ManagedPolicyArns"):
            continue
        listed = one.properties.get("ManagedPolicyArns")
        for index, item in enumerate(listed if isinstance(listed, list) else [listed]):
            path = one.path("ManagedPolicyArns", index)
            if isinstance(item, dict) and item.get("Ref") in own:
                continue
            for arn in texts(item):
                if isinstance(arn, Unknown):
                    doubts.add(path)
                elif is_administrator(arn):
                    yield Hit(path=path, message=f"Attaches {arn.rsplit('/', 1)[-1]}.", after=arn)


def _made_here(change: Change, context: Context, name: str) -> bool:
    if not context.configuration.writes(change, name):
        return True
    targets = context.configuration.targets(change, name)
    return bool(targets) and all(target.startswith("aws_iam_policy.") for _, target in targets)


def _named(change: Change, item: Value, admins: tuple[str, ...]) -> Iterator[Hit]:
    arn = item.known()
    cluster = change.type == "aws_eks_access_policy_association"
    if cluster and change.after.get("principal_arn").raw() in admins:
        return
    if isinstance(arn, str) and is_administrator(arn):
        yield Hit(
            path=item.path,
            message=f"Attaches {arn.rsplit('/', 1)[-1]}.",
            after=arn,
        )
