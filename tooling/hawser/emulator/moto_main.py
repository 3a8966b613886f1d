"""Start moto's server with the gaps closed that the stacks meet.

Runs inside the emulator's own environment (``python -I moto_main.py PORT WORLD``) and imports nothing of hawser.
``WORLD`` only marks the process: whoever looks for this emulator finds the id in its command line.
Verified against moto 5.2.5 (``tooling/locks/emulator.txt``); another version is refused, for this leans on internals.
"""
# mypy: disable-error-code="import-not-found,import-untyped,misc,no-any-return"

from __future__ import annotations

import functools
import importlib.metadata
import json
import logging
import re
import sys
import time
import traceback
import uuid
from collections.abc import Callable
from typing import Any

VERIFIED = "5.2.5"
if importlib.metadata.version("moto") != VERIFIED:
    sys.exit(f"moto_main: verified for moto {VERIFIED} only, found {importlib.metadata.version('moto')}")

from botocore.session import Session  # noqa: E402
from moto.amp import models as amp  # noqa: E402
from moto.amp import responses as amp_responses  # noqa: E402
from moto.autoscaling import models as autoscaling  # noqa: E402
from moto.cloudformation import models as cloudformation  # noqa: E402
from moto.core.common_models import CloudFormationModel  # noqa: E402
from moto.core.exceptions import ServiceException  # noqa: E402
from moto.core.responses import ActionResult, BaseResponse  # noqa: E402
from moto.ec2.models import launch_templates as template_models  # noqa: E402
from moto.ec2.models import security_groups, vpcs  # noqa: E402
from moto.ec2.responses import launch_templates  # noqa: E402
from moto.fsx import models as fsx  # noqa: E402
from moto.fsx import responses as fsx_responses  # noqa: E402
from moto.sagemaker import models as sagemaker  # noqa: E402
from werkzeug.exceptions import HTTPException  # noqa: E402
from werkzeug.serving import WSGIRequestHandler  # noqa: E402

Json = dict[str, Any]


def around(owner: Any, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put the decorated function in the place of ``owner.name``; its first argument is what was there."""

    def put(function: Callable[..., Any]) -> Callable[..., Any]:
        original = getattr(owner, name)

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            return function(original, *args, **kwargs)

        setattr(owner, name, replacement)
        return function

    return put


def failure(code: str, message: str) -> tuple[int, Json, str]:
    """A final error of a JSON service: the provider does not try a 400 again."""
    return 400, {"status": 400, "x-amzn-errortype": code}, json.dumps({"__type": code, "message": message})


# --- HTTP: the head of a response leaves together with its body; why: ministack_main.py -------------------------------
WSGIRequestHandler.wbufsize = 1 << 16  # werkzeug flushes when the body is written

# --- Accounts: an access key id of 12 digits is the account, as in ministack ------------------------------------------
ACCOUNT_KEY = re.compile(r"Credential=(\d{12})/")


def account_in(response: Any) -> str | None:
    """The account id in the signature of the request, or ``None`` for another kind of key."""
    found = ACCOUNT_KEY.search(response.headers.get("Authorization", ""))
    return found[1] if found else None


@around(BaseResponse, "get_access_key")
def access_key(original: Callable[..., str], self: Any) -> str:
    """The original looks for 20 capitals and digits only."""
    return account_in(self) or original(self)


@around(BaseResponse, "get_current_account")
def current_account(original: Callable[..., str], self: Any) -> str:
    """Every backend, role lookup and ARN of a request follows from this."""
    return account_in(self) or original(self)


# --- What moto lacks, or trips over: a final 400 instead of a 500, which the provider repeats for half an hour --------
class EmulatorError(ServiceException):
    """Sent in the protocol of the request; a code that is not in the model of the service goes out as a 400."""


@around(BaseResponse, "call_action")
def answered(original: Callable[..., Any], self: Any) -> Any:
    """Every request to a service comes through here."""
    try:
        return original(self)
    except HTTPException:  # an answer of moto's own
        raise
    except NotImplementedError as error:
        return self.serialized(ActionResult(EmulatorError("NotImplementedInEmulator", str(error))))
    except Exception as error:
        traceback.print_exc()
        return self.serialized(ActionResult(EmulatorError("EmulatorFault", f"{type(error).__name__}: {error}")))


# --- EC2: tags of a launch template are not part of its data ----------------------------------------------------------
@around(launch_templates.LaunchTemplates, "describe_launch_template_versions")
def template_versions(original: Callable[..., Any], self: Any) -> Any:
    """The original keeps the tags of the template itself among the tags for what is launched."""
    result = original(self)
    for version in result.result["LaunchTemplateVersions"]:
        data = dict(version["LaunchTemplateData"])
        launched = [s for s in data.pop("TagSpecifications", []) if s.get("ResourceType") != "launch-template"]
        version["LaunchTemplateData"] = {**data, "TagSpecifications": launched} if launched else data
    return result


# moto froze the tags at creation; the setter takes and drops that first assignment.
template_models.LaunchTemplate.tags = property(lambda self: self.get_tags(), lambda *_: None)


# --- EC2: rules of a security group -----------------------------------------------------------------------------------
def peer(rule: Any) -> Json:
    """What a rule lets through to or from, with its description: a group, a prefix list or an address range."""
    found: Json = rule.source_group or rule.prefix_list or rule.ip_range
    return found


@around(security_groups.SecurityGroupRule, "__init__")
def rule_with_prefix_list(original: Callable[..., None], self: Any, *args: Any, **kwargs: Any) -> None:
    """The original keeps only the id of a prefix list, not the description."""
    original(self, *args, **kwargs)
    self.prefix_list = dict((args[7] if len(args) > 7 else kwargs.get("prefix_list_id")) or {})


security_groups.SecurityGroupRule.description = property(lambda rule: peer(rule).get("Description"))
RULE_KEYS = {
    "CidrIpv4": "CidrIp",
    "CidrIpv6": "CidrIpv6",
    "ReferencedGroupId": "GroupId",
    "PrefixListId": "PrefixListId",
    "Description": "Description",
}


@around(security_groups.SecurityGroupBackend, "modify_security_group_rules")
def changed_rules(original: Callable[..., Any], self: Any, group_id: str, rules: dict[str, Json]) -> None:
    """The original changes only rules of an IPv4 range with ports."""
    for rule_id, new in rules.items():
        rule = self.get_security_group_by_name_or_id(group_id).get_rule(rule_id)
        if rule is None:
            original(self, group_id, {rule_id: new})  # words the refusal
            continue
        rule.ip_protocol = new["IpProtocol"]
        every = rule.ip_protocol == "-1"
        rule.from_port, rule.to_port = (None, None) if every else (new.get("FromPort"), new.get("ToPort"))
        held = peer(rule)
        held.pop("Description", None)
        held.update({mine: new[theirs] for theirs, mine in RULE_KEYS.items() if new.get(theirs)})
        rule.prefix_list_id = rule.prefix_list.get("PrefixListId")


# --- EC2: a gateway endpoint has a route in each of its route tables --------------------------------------------------
@around(vpcs.VPCBackend, "modify_vpc_endpoint")
def changed_endpoint(original: Callable[..., None], self: Any, vpc_id: str, *args: Any, **kwargs: Any) -> None:
    """The original changes the list of route tables but not their routes, and then cannot delete the endpoint."""
    endpoint = self.describe_vpc_endpoints(vpc_end_point_ids=[vpc_id])[0]
    before = list(endpoint.route_table_ids or [])
    original(self, vpc_id, *args, **kwargs)
    prefix_list = endpoint.destination_prefix_list_id
    if not prefix_list:
        return
    after = list(endpoint.route_table_ids or [])
    for table in after:
        if table not in before:
            self.create_route(table, None, gateway_id=endpoint.id, destination_prefix_list_id=prefix_list)
    for table in before:
        if table not in after:
            self.delete_route(table, prefix_list)


# --- Auto Scaling: a hook without a target has no target --------------------------------------------------------------
@around(autoscaling.LifecycleHook, "__init__")
def hook_without_target(original: Callable[..., None], self: Any, *args: Any, **kwargs: Any) -> None:
    """The original invents a role and a queue."""
    original(self, *args, **kwargs)
    self.role_arn = self.notification_target_arn = None


# --- FSx: file systems become available and go away -------------------------------------------------------------------
@around(fsx.FSxBackend, "create_file_system")
def create_file_system(original: Callable[..., Any], self: Any, **kwargs: Any) -> Any:
    """Keep the version and the moment."""
    made = original(self, **kwargs)
    made.version, made.created = kwargs.get("file_system_type_version"), time.time()
    return made


@around(fsx.FileSystem, "to_dict")
def described_file_system(original: Callable[..., Json], self: Any) -> Json:
    """Add what the service fills in and moto does not."""
    shown = original(self)
    _, _, _, region, account, _ = self.resource_arn.split(":", 5)
    lustre = {"MountName": "emulated", "DataCompressionType": "NONE", **(self.lustre_configuration or {})}
    if isinstance(lustre.get("MetadataConfiguration"), dict):
        iops = 1500 * max(1, self.storage_capacity // 1200)
        lustre["MetadataConfiguration"] = {"Iops": iops, **lustre["MetadataConfiguration"]}
    shown.update(
        Lifecycle="AVAILABLE",
        OwnerId=account,
        VpcId="vpc-0" + "e" * 16,
        CreationTime=getattr(self, "created", 0),
        LustreConfiguration=lustre,
        FileSystemTypeVersion=getattr(self, "version", None) or "2.15",
        StorageType=self.storage_type or "SSD",
        KmsKeyId=self.kms_key_id or f"arn:aws:kms:{region}:{account}:key/{uuid.UUID(int=0)}",
        NetworkInterfaceIds=[f"eni-0{self.file_system_id[3:]:0<16}"],
    )
    return shown


@around(fsx_responses.FSxResponse, "describe_file_systems")
def describe_file_systems(original: Callable[..., Any], self: Any) -> Any:
    """A file system that is gone is an error: the provider waits for it after a delete."""
    wanted = json.loads(self.body).get("FileSystemIds") or []
    missing = [name for name in wanted if name not in self.fsx_backend.file_systems]
    if missing:
        return failure("FileSystemNotFound", f"File system '{missing[0]}' does not exist.")
    return original(self)


def update_file_system(self: Any) -> str:
    """UpdateFileSystem: size and Lustre settings."""
    body = json.loads(self.body)
    found = self.fsx_backend.file_systems[body["FileSystemId"]]
    found.lustre_configuration = {**(found.lustre_configuration or {}), **body.get("LustreConfiguration", {})}
    found.storage_capacity = body.get("StorageCapacity") or found.storage_capacity
    return json.dumps({"FileSystem": found.to_dict()})


# --- FSx: data repository associations, which moto lacks --------------------------------------------------------------
def associations(backend: Any) -> dict[str, Json]:
    """The associations of one account and region, by id."""
    held: dict[str, Json] = backend.__dict__.setdefault("data_repository_associations", {})
    return held


def create_association(self: Any) -> str:
    """CreateDataRepositoryAssociation; available at once."""
    body = json.loads(self.body)
    made = {key: value for key, value in body.items() if key not in ("Tags", "ClientRequestToken")}
    name = f"dra-0{uuid.uuid4().hex[:16]}"
    arn = f"arn:aws:fsx:{self.region}:{self.current_account}:association/{made['FileSystemId']}/{name}"
    made.update(AssociationId=name, ResourceARN=arn, Lifecycle="AVAILABLE", CreationTime=time.time())
    associations(self.fsx_backend)[name] = made
    self.fsx_backend.tagger.tag_resource(arn, body.get("Tags") or [])
    return json.dumps({"Association": made})


def describe_associations(self: Any) -> Any:
    """DescribeDataRepositoryAssociations; one that is gone is an error."""
    wanted = json.loads(self.body).get("AssociationIds") or []
    held = associations(self.fsx_backend)
    if any(name not in held for name in wanted):
        return failure("DataRepositoryAssociationNotFound", "The association does not exist.")
    tags = self.fsx_backend.list_tags_for_resource
    shown = [{**held[name], "Tags": tags(held[name]["ResourceARN"])} for name in wanted or held]
    return json.dumps({"Associations": shown})


def update_association(self: Any) -> str:
    """UpdateDataRepositoryAssociation."""
    body = json.loads(self.body)
    held = associations(self.fsx_backend)[body["AssociationId"]]
    held.update({key: value for key, value in body.items() if key in ("ImportedFileChunkSize", "S3")})
    return json.dumps({"Association": held})


def delete_association(self: Any) -> str:
    """DeleteDataRepositoryAssociation."""
    name = json.loads(self.body)["AssociationId"]
    associations(self.fsx_backend).pop(name, None)
    return json.dumps({"AssociationId": name, "Lifecycle": "DELETING"})


fsx_responses.FSxResponse.update_file_system = update_file_system
fsx_responses.FSxResponse.create_data_repository_association = create_association
fsx_responses.FSxResponse.describe_data_repository_associations = describe_associations
fsx_responses.FSxResponse.update_data_repository_association = update_association
fsx_responses.FSxResponse.delete_data_repository_association = delete_association


# --- Prometheus: the key of a workspace is kept -----------------------------------------------------------------------
@around(amp_responses.PrometheusServiceResponse, "create_workspace")
def create_workspace(original: Callable[..., str], self: Any) -> str:
    """Remember the key of the request beside the workspace."""
    made = json.loads(original(self))
    self.amp_backend.workspaces[made["workspaceId"]].kms_key = json.loads(self.body).get("kmsKeyArn")
    return json.dumps(made)


@around(amp.Workspace, "to_dict")
def described_workspace(original: Callable[..., Json], self: Any) -> Json:
    """Show the key when there is one."""
    key = getattr(self, "kms_key", None)
    return {**original(self), **({"kmsKeyArn": key} if key else {})}


# --- CloudFormation: a stack keeps its role when an update names none -------------------------------------------------
@around(cloudformation.Stack, "update")
def updated_stack(original: Callable[..., None], self: Any, *args: Any, **kwargs: Any) -> None:
    """As the service does; the provider names the role only when it changes."""
    role = self.role_arn
    original(self, *args, **kwargs)
    self.role_arn = self.role_arn or role


# --- CloudFormation: list parameters are read back as they were given -------------------------------------------------
def parameter_list(self: Any) -> list[Json]:
    """Originally a list parameter is answered as a list; the service answers the comma-separated text."""
    hidden = getattr(self.resource_map, "no_echo_parameter_keys", [])

    def shown(key: str, value: Any) -> Any:
        if key in hidden:
            return "****"
        return ",".join(map(str, value)) if isinstance(value, list) else value

    resolved = dict(self.resource_map.resolved_parameters)
    return [{"ParameterKey": key, "ParameterValue": shown(key, value)} for key, value in resolved.items()]


cloudformation.Stack.parameter_list = property(parameter_list)


# --- CloudFormation: AWS::SageMaker::Cluster exists, and is a cluster of SageMaker ------------------------------------
@functools.cache
def instance_types() -> frozenset[str]:
    """The instance types of the service model that lies beside moto, which knows more than moto's own list."""
    shape = Session().get_service_model("sagemaker").shape_for("ClusterInstanceType")
    return frozenset(shape.enum)


@around(sagemaker.Cluster, "valid_cluster_node_instance_types")
def valid_instance_type(original: Callable[..., None], self: Any, instance_type: str) -> None:
    """Ask moto only about a type that the service model does not know: it words the refusal."""
    if instance_type not in instance_types():
        original(self, instance_type)


class HyperPodCluster(CloudFormationModel):
    """The CloudFormation resource; its cluster lives in moto's SageMaker under the same name."""

    __module__ = "moto.sagemaker.hyperpod"  # moto files instances by the second part
    CREATE_ONLY = ("ClusterName", "VpcConfig", "Orchestrator")
    # moto requires a lifecycle configuration; the service does not.
    NO_LIFECYCLE = {"SourceS3Uri": "s3://sagemaker-none", "OnCreate": "none"}  # noqa: RUF012

    def __init__(self, properties: Json, account: str, region: str) -> None:
        """Create the cluster; a refusal of SageMaker fails the stack."""
        self.properties = properties
        self.name = properties["ClusterName"]
        backend = sagemaker.sagemaker_backends[account][region]
        groups = [
            {
                **group,
                "InstanceCount": int(group["InstanceCount"]),
                "ThreadsPerCore": group.get("ThreadsPerCore", 1),
                "LifeCycleConfig": group.get("LifeCycleConfig") or dict(self.NO_LIFECYCLE),
            }
            for group in properties.get("InstanceGroups", [])
        ]
        self.arn = backend.create_cluster(self.name, groups, properties.get("VpcConfig", {}), properties.get("Tags"))
        for group in backend.clusters[self.name].instance_groups:
            if group["LifeCycleConfig"] == self.NO_LIFECYCLE:
                del group["LifeCycleConfig"]

    @property
    def physical_resource_id(self) -> str:
        """What ``Ref`` gives: the primary identifier of the resource type is the ARN."""
        return self.arn

    @staticmethod
    def cloudformation_name_type() -> str:
        """The property that names the resource."""
        return "ClusterName"

    @staticmethod
    def cloudformation_type() -> str:
        """The resource type in templates."""
        return "AWS::SageMaker::Cluster"

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        """What ``Fn::GetAtt`` may ask."""
        return attr in ("ClusterArn", "ClusterStatus", "CreationTime", "FailureMessage")

    def get_cfn_attribute(self, attr: str) -> str:
        """The answer of ``Fn::GetAtt``."""
        return {"ClusterArn": self.arn, "ClusterStatus": "InService"}.get(attr, "")

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Json, account_id: str, region_name: str, **_: Any
    ) -> HyperPodCluster:
        """Called by moto for a resource that is new in the stack."""
        return cls({"ClusterName": resource_name, **cloudformation_json["Properties"]}, account_id, region_name)

    @classmethod
    def update_from_cloudformation_json(
        cls,
        original_resource: HyperPodCluster,
        new_resource_name: str,
        cloudformation_json: Json,
        account_id: str,
        region_name: str,
    ) -> HyperPodCluster:
        """Make it anew in its place: the emulator has no nodes that could be lost."""
        cls.delete_from_cloudformation_json(original_resource.name, {}, account_id, region_name)
        return cls({"ClusterName": new_resource_name, **cloudformation_json["Properties"]}, account_id, region_name)

    @classmethod
    def delete_from_cloudformation_json(
        cls,
        resource_name: str,
        cloudformation_json: Json,
        account_id: str,
        region_name: str,
    ) -> None:
        """``resource_name`` is the name or the ARN."""
        sagemaker.sagemaker_backends[account_id][region_name].clusters.pop(resource_name.rpartition("/")[2], None)


if __name__ == "__main__":
    from moto.server import main

    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # one line per request would fill the disk
    port = sys.argv[1]
    main(["-H", "127.0.0.1", "-p", port])
