"""HW-IAM-011: somebody gets a key, a password, a provider of identities or a grant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import is_administrator
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown, shown_plain
from hawser.policy.templates import STACK, new_in_template
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import Value

_ENTRY: Final = "aws_eks_access_entry"
_RIGHTS: Final = "aws_eks_access_policy_association"
_OIDC: Final = "aws_iam_openid_connect_provider"

#: Type -> the role that it runs with, and what runs with it.
_ROLES: Final[Mapping[str, tuple[str, str]]] = {
    "aws_codebuild_project": ("service_role", "builds of the project"),
    "aws_iam_instance_profile": ("role", "instances of the profile"),
    "aws_lambda_function": ("role", "function"),
    "aws_sagemaker_model": ("execution_role_arn", "containers of the model"),
}

#: Type -> the attribute that says for whom or from where, and the sentence with its value (hashicorp/aws 5.100.0).
_WAYS: Final[Mapping[str, tuple[str, str]]] = {
    _ENTRY: ("principal_arn", "Lets {} into the cluster."),
    _RIGHTS: ("principal_arn", "Gives {} rights in the cluster."),
    "aws_eks_identity_provider_config": ("cluster_name", "Lets whom another provider vouches for into the cluster {}."),
    "aws_iam_access_key": ("user", "Gives the user {} a lasting access key."),
    "aws_iam_group_membership": ("group", "Puts users into the group {}."),
    _OIDC: ("url", "Makes {} a provider of identities for roles."),
    "aws_iam_saml_provider": ("name", "Makes {} a provider of identities for roles."),
    "aws_iam_service_specific_credential": ("user_name", "Gives the user {} a password for a service."),
    "aws_iam_signing_certificate": ("user_name", "Gives the user {} a certificate to sign in with."),
    "aws_iam_user_group_membership": ("user", "Puts the user {} into groups."),
    "aws_iam_user_login_profile": ("user", "Gives the user {} a password for the console."),
    "aws_kms_grant": ("grantee_principal", "Lets {} use a key, beside the key's policy."),
    "aws_rolesanywhere_profile": ("name", "Lets holders of certificates take the roles of the profile {}."),
    "aws_rolesanywhere_trust_anchor": ("name", "Trusts certificates of {} to take roles."),
    "aws_ssoadmin_account_assignment": ("principal_id", "Lets {} sign in to an account."),
    "aws_ssoadmin_customer_managed_policy_attachment": ("permission_set_arn", "Adds a policy to {}."),
    "aws_ssoadmin_trusted_token_issuer": ("name", "Trusts tokens of {}."),
}

#: The same in templates: CloudFormation's type -> the property that says for whom, and the sentence (resource schemas,
#: cfn-lint 1.58.0, 2026-10-20).
_IN_TEMPLATE: Final[Mapping[str, tuple[str, str]]] = {
    "AWS::EKS::AccessEntry": ("PrincipalArn", "Lets {} into the cluster."),
    "AWS::EKS::IdentityProviderConfig": ("ClusterName", _WAYS["aws_eks_identity_provider_config"][1]),
    "AWS::IAM::AccessKey": ("UserName", _WAYS["aws_iam_access_key"][1]),
    "AWS::IAM::OIDCProvider": ("Url", _WAYS[_OIDC][1]),
    "AWS::IAM::SAMLProvider": ("Name", _WAYS["aws_iam_saml_provider"][1]),
    "AWS::IAM::UserToGroupAddition": ("GroupName", _WAYS["aws_iam_group_membership"][1]),
    "AWS::RolesAnywhere::Profile": ("Name", _WAYS["aws_rolesanywhere_profile"][1]),
    "AWS::RolesAnywhere::TrustAnchor": ("Name", _WAYS["aws_rolesanywhere_trust_anchor"][1]),
    "AWS::SSO::Assignment": ("PrincipalId", _WAYS["aws_ssoadmin_account_assignment"][1]),
}
_USER: Final = "AWS::IAM::User"


@change_rule(
    RuleMeta(
        id="HW-IAM-011",
        title="Nobody gets a key, a password, a provider of identities, a grant or the cluster without approval.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(*_WAYS, *_ROLES, STACK),
        looks_at="change",
        why="Each lets somebody act who could not, and no policy of the plan shows it: what they may do was given to"
        " the user, role, key or cluster before.",
        fix="People of the cluster stand in cluster.admin_principals of env.yaml and the CI in state.ci; anything else"
        " is approved once.",
        references=("https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html",),
    )
)
def sign_in(change: Change, context: Context) -> Iterator[Hit]:
    """What is new or changed. Whom the environment names was reviewed there; nodes come in by entries of their own."""
    if not change.planned:
        return
    if change.type == STACK:
        yield from _in_template(change)
    elif change.type in _ROLES:
        yield from _other_role(change)
    elif not _in_order(change, context):
        name, sentence = _WAYS[change.type]
        value = change.after.get(name)
        yield Hit(path=name, message=sentence.format(shown(value)), after=None if value.is_unknown else shown(value))


def _other_role(change: Change) -> Iterator[Hit]:
    name, what = _ROLES[change.type]
    before, after = change.before.get(name), change.after.get(name)
    doubts = Doubts()
    with doubts:
        if before.present and after.present and after.known() != before.raw():
            message = f"Gives the {what} the role {shown(after)} instead of {shown(before)}."
            yield Hit(path=name, message=message, before=shown(before), after=shown(after))
    doubts.settle()


def _in_template(change: Change) -> Iterator[Hit]:
    for one in new_in_template(change, (*_IN_TEMPLATE, _USER)):
        if one.type == _USER:
            if "LoginProfile" in one.properties:
                yield Hit(path=one.path("LoginProfile"), message=f"Gives the user {one.name} a password.")
            continue
        name, sentence = _IN_TEMPLATE[one.type]
        who = one.properties.get(name, one.name)
        yield Hit(path=one.path(name), message=sentence.format(shown_plain(who)))


def _in_order(change: Change, context: Context) -> bool:
    if change.type == _ENTRY and _text(change.after.get("type")) in ("EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX"):
        return True
    if change.type == _RIGHTS and is_administrator(_text(change.after.get("policy_arn"))):
        return True  # HW-IAM-006 asks
    if change.type == _OIDC and _issuer_of_own_cluster(change, context):
        return True
    if context.deployment is None:
        return False
    environment = context.deployment.environment
    if change.type in (_ENTRY, _RIGHTS):
        admins = environment.cluster.admin_principals if environment.cluster else ()
        return _text(change.after.get("principal_arn")) in admins
    ci = environment.state.ci
    url = _text(change.after.get("url")).removeprefix("https://")
    return change.type == _OIDC and ci is not None and url == ci.issuer.removeprefix("https://")


def _issuer_of_own_cluster(change: Change, context: Context) -> bool:
    """Whether it vouches for pods of a cluster of the same configuration; HW-IAM-005 judges who trusts it."""
    targets = context.configuration.targets(change, "url")
    return bool(targets) and all(address.startswith("aws_eks_cluster.") for _, address in targets)


def _text(value: Value) -> str:
    raw = value.raw()
    return raw if isinstance(raw, str) and not value.is_unknown else ""
