"""HW-NET-006: a network is joined, something gets a public address, or a share or switch opens the account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.accounts import accounts_in
from hawser.policy.exposure import PUBLIC, is_on
from hawser.policy.findings import Level, Severity
from hawser.policy.ingress import TYPES as _GROUPS
from hawser.policy.ingress import ingress_of
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.templates import STACK, new_in_template
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change

#: Types whose every resource is a way in, or a way out for data (hashicorp/aws 5.100.0).
_WAYS: Final[Mapping[str, str]] = {
    "aws_apigatewayv2_api": "is an API that the internet reaches",
    "aws_cloudfront_distribution": "serves the internet",
    "aws_dx_gateway_association": "joins a private line to the network",
    "aws_dx_private_virtual_interface": "joins a private line to the network",
    "aws_ec2_client_vpn_authorization_rule": "lets users of a VPN into the network",
    "aws_ec2_client_vpn_endpoint": "is a VPN into the network",
    "aws_ec2_instance_connect_endpoint": "lets people reach instances from outside the network",
    "aws_ec2_transit_gateway_peering_attachment": "joins a network of another region or account",
    "aws_ec2_transit_gateway_peering_attachment_accepter": "joins a network of another region or account",
    "aws_ec2_transit_gateway_vpc_attachment": "joins the network to a transit gateway",
    "aws_ecrpublic_repository": "is a repository that everybody pulls from",
    "aws_eip_association": "gives a public address to what is there",
    "aws_globalaccelerator_accelerator": "has public addresses",
    "aws_networkmanager_vpc_attachment": "joins the network to a global one",
    "aws_ram_principal_association": "shares resources with another account",
    "aws_ram_resource_association": "puts a resource into a share",
    "aws_s3_bucket_replication_configuration": "copies a bucket's objects into another bucket",
    "aws_s3_bucket_website_configuration": "is a web site of a bucket",
    "aws_vpc_block_public_access_exclusion": "takes networks out of the block of public access",
    "aws_vpc_peering_connection": "joins another network",
    "aws_vpc_peering_connection_accepter": "joins another network",
    "aws_vpclattice_service_network_vpc_association": "joins the network to a service network",
    "aws_vpn_connection": "is a VPN into the network",
}

#: The same in templates, by CloudFormation's types (resource schemas, cfn-lint 1.58.0, 2026-10-20).
_IN_TEMPLATE: Final[Mapping[str, str]] = {
    "AWS::ApiGatewayV2::Api": _WAYS["aws_apigatewayv2_api"],
    "AWS::CloudFront::Distribution": _WAYS["aws_cloudfront_distribution"],
    "AWS::EC2::ClientVpnEndpoint": _WAYS["aws_ec2_client_vpn_endpoint"],
    "AWS::EC2::EIPAssociation": _WAYS["aws_eip_association"],
    "AWS::EC2::InstanceConnectEndpoint": _WAYS["aws_ec2_instance_connect_endpoint"],
    "AWS::EC2::TransitGatewayAttachment": _WAYS["aws_ec2_transit_gateway_vpc_attachment"],
    "AWS::EC2::TransitGatewayVpcAttachment": _WAYS["aws_ec2_transit_gateway_vpc_attachment"],
    "AWS::EC2::VPCPeeringConnection": _WAYS["aws_vpc_peering_connection"],
    "AWS::EC2::VPNConnection": _WAYS["aws_vpn_connection"],
    "AWS::GlobalAccelerator::Accelerator": _WAYS["aws_globalaccelerator_accelerator"],
    "AWS::Lambda::Url": "is a function that the internet reaches",
    "AWS::RAM::ResourceShare": "shares resources with another account",
}

#: Switches of the account: type -> attribute, the value that leaves it closed, and what any other one does.
_SWITCHES: Final[Mapping[str, tuple[tuple[str | int, ...], object, str]]] = {
    "aws_ebs_snapshot_block_public_access": (("state",), "block-all-sharing", "snapshots may be made public"),
    "aws_ec2_image_block_public_access": (("state",), "block-new-sharing", "images may be made public"),
    "aws_emr_block_public_access_configuration": (
        ("block_public_security_group_rules",),
        True,
        "clusters may be opened to the internet",
    ),
    "aws_msk_cluster": (
        ("broker_node_group_info", 0, "connectivity_info", 0, "public_access", 0, "type"),
        "DISABLED",
        "the brokers have public addresses",
    ),
}

#: Types that name other accounts that may use something: type -> where they stand, as an id, an ARN or a list.
_ACCOUNTS: Final[Mapping[str, tuple[str, ...]]] = {
    "aws_ami_launch_permission": ("account_id",),
    "aws_cloudwatch_event_permission": ("principal",),
    "aws_db_cluster_snapshot": ("shared_accounts",),
    "aws_db_snapshot": ("shared_accounts",),
    "aws_db_snapshot_copy": ("shared_accounts",),
    "aws_eks_pod_identity_association": ("target_role_arn",),
    "aws_lambda_layer_version_permission": ("principal",),
    "aws_rds_cluster_snapshot_copy": ("shared_accounts",),
    "aws_snapshot_create_volume_permission": ("account_id",),
    "aws_ssm_document": ("permissions", "account_ids"),
    "aws_vpc_endpoint_service": ("allowed_principals",),
    "aws_vpc_endpoint_service_allowed_principal": ("principal_arn",),
}

#: Types that send something to an ARN, which may be another account's (told only where the plan's own is known).
_SENDS: Final[Mapping[str, tuple[str, ...]]] = {
    "aws_cloudwatch_event_target": ("arn",),
    "aws_cloudwatch_log_subscription_filter": ("destination_arn",),
    "aws_ecr_replication_configuration": ("replication_configuration",),
    "aws_lambda_function": ("layers",),
    "aws_s3_bucket_notification": ("lambda_function", "queue", "topic"),
    "aws_sns_topic_subscription": ("endpoint",),
}
_NODE_GROUP: Final = "aws_eks_node_group"

_TYPES: Final = tuple(dict.fromkeys((*_WAYS, *_SWITCHES, *_ACCOUNTS, *PUBLIC, *_GROUPS, *_SENDS, _NODE_GROUP, STACK)))


@change_rule(
    RuleMeta(
        id="HW-NET-006",
        title="Networks are joined, and public addresses and shares are made, only where somebody approved it.",
        area="exposure",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=tuple(
            dict.fromkeys((*_WAYS, *_SWITCHES, *_ACCOUNTS, *PUBLIC, *_GROUPS, *_SENDS, _NODE_GROUP, STACK))
        ),
        looks_at="change",
        why="Security groups and policies are written for a network and an account that are closed; each of these opens"
        " one of them from another side.",
        fix="Leave it out: hawser's nodes are private and pull through the NAT gateway or endpoints. What is meant is"
        " approved once.",
        references=("https://docs.aws.amazon.com/vpc/latest/userguide/security-best-practices.html",),
    )
)
def ways_in(change: Change, context: Context) -> Iterator[Hit]:
    """What is new or changed; a flag that was on before is no change."""
    if not change.planned:
        return
    doubts = Doubts()
    if change.type in _WAYS:
        yield Hit(path="", message=f"It {_WAYS[change.type]}.")
    yield from _switched(change, context, doubts)
    if change.type in _ACCOUNTS:
        yield from _shared(change, context, doubts)
    if change.type in _SENDS:
        yield from _sent(change, context)
    if change.type in _GROUPS:
        yield from _groups_elsewhere(change, context)
    if change.type == STACK:
        for one in new_in_template(change, _IN_TEMPLATE):
            yield Hit(path=one.path(), message=f"{one.name} {_IN_TEMPLATE[one.type]}.")
    doubts.settle()


def _switched(change: Change, context: Context, doubts: Doubts) -> Iterator[Hit]:
    """Settings that open something, where they were not so before."""
    if change.type in _SWITCHES:
        keys, closed, words = _SWITCHES[change.type]
        value = change.after.at(*keys)
        with doubts:
            if value.present and value.known() != closed and change.before.at(*keys).raw() != value.raw():
                yield Hit(path=value.path, message=f"From now on {words}.")
    if change.type == _NODE_GROUP:
        access = change.after.get("remote_access")
        if access.present and not change.before.get("remote_access").present:
            words = "nodes let in SSH, from everywhere where no group is named"
            yield Hit(path=access.path, message=f"From now on {words}.")
    if change.type in PUBLIC:
        keys, words = PUBLIC[change.type]
        before = change.before.at(*keys)
        if is_on(change.after.at(*keys), change, context, doubts) and before.raw() is not True:
            yield Hit(path=change.after.at(*keys).path, message=f"From now on {words}.")


def _shared(change: Change, context: Context, doubts: Doubts) -> Iterator[Hit]:
    """Accounts that were not named before and are not the plan's own."""
    keys = _ACCOUNTS[change.type]
    value = change.after.at(*keys)
    if value.is_unknown and not context.configuration.writes(change, keys[0]):
        return
    had = set(accounts_in(str(change.before.at(*keys).raw())))
    with doubts:
        new = set(accounts_in(str(value.known()))) if value.present else set()
        for account in sorted(new - had - context.accounts):
            yield Hit(path=value.path, message=f"Shares it with the account {account}.")


def _sent(change: Change, context: Context) -> Iterator[Hit]:
    if not context.accounts:
        return
    for name in _SENDS[change.type]:
        value = change.after.get(name)
        had = set(accounts_in(str(change.before.get(name).raw())))
        for account in sorted(set(accounts_in(str(value.raw()))) - had - context.accounts):
            yield Hit(path=value.path, message=f"Is joined with something of the account {account}.")


def _groups_elsewhere(change: Change, context: Context) -> Iterator[Hit]:
    """Rules for a security group of another account (``111122223333/sg-…``), reached over a joined network."""
    if "/sg-" not in str(change.after.raw()):  # a quick look: nearly no rule names one
        return

    def named(one: Change) -> dict[str, str]:
        return {
            name: ingress.path
            for ingress in ingress_of(one, context, Doubts())
            for name in ingress.names
            if "/sg-" in name and not set(accounts_in(name)) <= context.accounts
        }

    had = set() if change.before.is_null else set(named(change.at_rest(change.before)))
    for name, path in named(change).items():
        if name not in had:
            yield Hit(path=path, message=f"Lets in the {name}, which is another account's.")
