"""The gaps that the two start-up modules close, each asked through boto3."""

from __future__ import annotations

import json
import re
import socket
import sys
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from hawser.emulator import Emulator

Client = Callable[..., Any]

pytestmark = pytest.mark.emulator


def _group(name: str, count: int, **more: Any) -> dict[str, Any]:
    return {
        "InstanceGroupName": name,
        "InstanceType": "ml.p6-b300.48xlarge",
        "InstanceCount": count,
        "ExecutionRole": "arn:aws:iam::111122223333:role/hawser-node",
        **more,
    }


def _template(*groups: dict[str, Any]) -> str:
    properties = {
        "ClusterName": "hawser-gaps",
        "Orchestrator": {"Eks": {"ClusterArn": "arn:aws:eks:us-west-2:111122223333:cluster/hawser-gaps"}},
        "VpcConfig": {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1"]},
        "InstanceGroups": list(groups),
    }
    cluster = {"Type": "AWS::SageMaker::Cluster", "Properties": properties}
    outputs = {"Arn": {"Value": {"Fn::GetAtt": ["Cluster", "ClusterArn"]}}, "Ref": {"Value": {"Ref": "Cluster"}}}
    return json.dumps({"Resources": {"Cluster": cluster}, "Outputs": outputs})


def test_a_hyperpod_cluster_of_cloudformation_is_one_of_sagemaker(client: Client) -> None:
    stacks, sagemaker = client("cloudformation"), client("sagemaker")
    lifecycle = {"SourceS3Uri": "s3://sagemaker-hawser/lifecycle", "OnCreate": "on_create.sh"}
    stacks.create_stack(StackName="hawser-gaps", TemplateBody=_template(_group("a", 1, LifeCycleConfig=lifecycle)))
    stack = stacks.describe_stacks(StackName="hawser-gaps")["Stacks"][0]
    arn = "arn:aws:sagemaker:us-west-2:111122223333:cluster/hawser-gaps"
    assert stack["StackStatus"] == "CREATE_COMPLETE"
    assert {output["OutputValue"] for output in stack["Outputs"]} == {arn}
    cluster = sagemaker.describe_cluster(ClusterName="hawser-gaps")
    assert [(g["InstanceGroupName"], g["CurrentCount"]) for g in cluster["InstanceGroups"]] == [("a", 1)]
    assert cluster["InstanceGroups"][0]["LifeCycleConfig"] == lifecycle

    # An ordinary update, and a group without lifecycle scripts.
    body = _template(_group("a", 2, LifeCycleConfig=lifecycle), _group("b", 1))
    stacks.update_stack(StackName="hawser-gaps", TemplateBody=body)
    assert stacks.describe_stacks(StackName="hawser-gaps")["Stacks"][0]["StackStatus"] == "UPDATE_COMPLETE"
    cluster = sagemaker.describe_cluster(ClusterName="hawser-gaps")
    assert [(g["InstanceGroupName"], g["CurrentCount"]) for g in cluster["InstanceGroups"]] == [("a", 2), ("b", 1)]
    assert "LifeCycleConfig" not in cluster["InstanceGroups"][1]
    nodes = sagemaker.list_cluster_nodes(ClusterName="hawser-gaps")["ClusterNodeSummaries"]
    assert len(nodes) == 3

    stacks.delete_stack(StackName="hawser-gaps")
    with pytest.raises(ClientError, match="Could not find cluster"):
        sagemaker.describe_cluster(ClusterName="hawser-gaps")


def test_a_stack_keeps_its_role(client: Client) -> None:
    stacks = client("cloudformation", "333344445555")
    role = "arn:aws:iam::333344445555:role/hawser-cloudformation"
    topic = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "a"}}}}
    stacks.create_stack(StackName="role", TemplateBody=json.dumps(topic), RoleARN=role)
    topic["Resources"]["Topic"]["Properties"]["TopicName"] = "b"  # type: ignore[index]
    stacks.update_stack(StackName="role", TemplateBody=json.dumps(topic))
    assert stacks.describe_stacks(StackName="role")["Stacks"][0]["RoleARN"] == role


def test_rules_of_a_security_group_can_be_changed(client: Client) -> None:
    ec2 = client("ec2", "333344445555")
    vpc = ec2.create_vpc(CidrBlock="10.98.0.0/16")["Vpc"]["VpcId"]
    group = ec2.create_security_group(GroupName="gaps", Description="gaps", VpcId=vpc)["GroupId"]
    prefixes = ec2.create_managed_prefix_list(PrefixListName="gaps", MaxEntries=1, AddressFamily="IPv4")
    prefix_list = prefixes["PrefixList"]["PrefixListId"]
    https = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443}
    every = {"IpProtocol": "-1"}
    permissions = [
        {**https, "PrefixListIds": [{"PrefixListId": prefix_list, "Description": "old"}]},
        {**every, "UserIdGroupPairs": [{"GroupId": group, "Description": "old"}]},
        {**every, "Ipv6Ranges": [{"CidrIpv6": "fd00::/8", "Description": "old"}]},
        {**https, "IpRanges": [{"CidrIp": "10.0.0.0/8", "Description": "old"}]},
    ]
    peers = [
        {"PrefixListId": prefix_list},
        {"ReferencedGroupId": group},
        {"CidrIpv6": "fd00::/9"},
        {"CidrIpv4": "10.0.0.0/9"},
    ]
    for permission, peer in zip(permissions, peers, strict=True):
        made = ec2.authorize_security_group_egress(GroupId=group, IpPermissions=[permission])["SecurityGroupRules"]
        rule_id = made[-1]["SecurityGroupRuleId"]
        assert made[-1]["Description"] == "old"
        wanted = {**{key: permission.get(key, -1) for key in https}, **peer, "Description": "new"}
        rules = [{"SecurityGroupRuleId": rule_id, "SecurityGroupRule": wanted}]
        ec2.modify_security_group_rules(GroupId=group, SecurityGroupRules=rules)
        found = ec2.describe_security_group_rules(SecurityGroupRuleIds=[rule_id])["SecurityGroupRules"][0]
        assert found["Description"] == "new"
        name, value = next(iter(peer.items()))
        assert (found["ReferencedGroupInfo"]["GroupId"] if name == "ReferencedGroupId" else found[name]) == value


def test_an_instance_type_that_sagemaker_does_not_have_is_refused(client: Client) -> None:
    body = _template({**_group("a", 1), "InstanceType": "ml.p9.giant"})
    with pytest.raises(ClientError, match=r"ml\.p9\.giant"):
        client("cloudformation", "222233334444").create_stack(StackName="refused", TemplateBody=body)


def test_a_node_group_keeps_its_launch_template_and_can_be_changed(client: Client) -> None:
    eks = client("eks")
    role = "arn:aws:iam::111122223333:role/hawser-node"
    made = eks.create_cluster(name="gaps", roleArn=role, resourcesVpcConfig={"subnetIds": ["subnet-1", "subnet-2"]})
    assert made["cluster"]["identity"]["oidc"]["issuer"].startswith("https://oidc.eks.us-west-2.amazonaws.com")
    eks.create_nodegroup(
        clusterName="gaps",
        nodegroupName="gpu",
        subnets=["subnet-1"],
        nodeRole=role,
        capacityType="CAPACITY_BLOCK",
        launchTemplate={"id": "lt-0123456789abcdef0", "version": "3"},
        scalingConfig={"minSize": 0, "maxSize": 2, "desiredSize": 0},
        updateConfig={"maxUnavailable": 1},
        labels={"old": "1", "kept": "1"},
    )
    eks.update_nodegroup_config(
        clusterName="gaps",
        nodegroupName="gpu",
        scalingConfig={"desiredSize": 2},
        labels={"addOrUpdateLabels": {"new": "1"}, "removeLabels": ["old"]},
        taints={"addOrUpdateTaints": [{"key": "gpu", "value": "1", "effect": "NO_SCHEDULE"}]},
    )
    nodes = eks.describe_nodegroup(clusterName="gaps", nodegroupName="gpu")["nodegroup"]
    assert nodes["launchTemplate"] == {"id": "lt-0123456789abcdef0", "version": "3"}
    assert nodes["scalingConfig"] == {"minSize": 0, "maxSize": 2, "desiredSize": 2}
    assert nodes["updateConfig"] == {"maxUnavailable": 1}
    assert nodes["labels"] == {"kept": "1", "new": "1"}
    assert nodes["taints"] == [{"key": "gpu", "value": "1", "effect": "NO_SCHEDULE"}]
    assert "diskSize" not in nodes
    eks.delete_nodegroup(clusterName="gaps", nodegroupName="gpu")
    eks.delete_cluster(name="gaps")


@pytest.mark.parametrize(
    ("service", "operation", "arguments", "code"),
    [
        ("logs", "put_query_definition", {"name": "q", "queryString": "fields @message"}, "NotImplementedInEmulator"),
        ("cloudwatch", "put_composite_alarm", {"AlarmName": "a", "AlarmRule": "TRUE"}, "NotImplementedInEmulator"),
        ("ec2", "describe_capacity_block_offerings", {"CapacityDurationHours": 24}, "NotImplementedInEmulator"),
        ("autoscaling", "describe_load_balancers", {"AutoScalingGroupName": "none"}, "EmulatorFault"),
    ],
)
def test_what_the_emulator_cannot_do_is_final(
    client: Client, service: str, operation: str, arguments: dict[str, Any], code: str
) -> None:
    """In JSON, CBOR, EC2's XML and the query protocol: the provider repeats a 500 for half an hour."""
    with pytest.raises(ClientError) as caught:
        getattr(client(service), operation)(**arguments)
    assert caught.value.response["Error"]["Code"] == code
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_a_one_time_schedule_stays(client: Client) -> None:
    scheduler = client("scheduler")
    wanted = {
        "Name": "block-end",
        "ScheduleExpression": "at(2026-01-11T11:30:00)",
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "ActionAfterCompletion": "NONE",
        "Target": {
            "Arn": "arn:aws:scheduler:::aws-sdk:eks:updateNodegroupConfig",
            "RoleArn": "arn:aws:iam::111122223333:role/hawser-schedule",
            "Input": json.dumps({"ClusterName": "c", "NodegroupName": "g", "ScalingConfig": {"DesiredSize": 0}}),
        },
    }
    scheduler.create_schedule(**wanted)
    scheduler.update_schedule(**{**wanted, "ScheduleExpression": "at(2026-01-12T11:30:00)"})
    found = scheduler.get_schedule(Name="block-end")
    assert found["ScheduleExpression"] == "at(2026-01-12T11:30:00)"
    assert found["ActionAfterCompletion"] == "NONE"
    assert found["Target"]["Input"] == wanted["Target"]["Input"]  # type: ignore[index]
    scheduler.delete_schedule(Name="block-end")
    with pytest.raises(ClientError, match="ResourceNotFoundException"):
        scheduler.get_schedule(Name="block-end")


def test_lustre_and_its_repository(client: Client) -> None:
    fsx = client("fsx")
    made = fsx.create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=4800,
        SubnetIds=["subnet-0123456789abcdef0"],
        FileSystemTypeVersion="2.15",
        LustreConfiguration={"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250},
    )["FileSystem"]
    assert made["Lifecycle"] == "AVAILABLE"
    linked = fsx.create_data_repository_association(
        FileSystemId=made["FileSystemId"],
        FileSystemPath="/models",
        DataRepositoryPath="s3://weights",
        Tags=[{"Key": "Name", "Value": "weights"}],
    )["Association"]
    found = fsx.describe_data_repository_associations(AssociationIds=[linked["AssociationId"]])["Associations"]
    assert [one["DataRepositoryPath"] for one in found] == ["s3://weights"]
    assert [one["Tags"] for one in found] == [[{"Key": "Name", "Value": "weights"}]]
    fsx.delete_data_repository_association(AssociationId=linked["AssociationId"])
    fsx.delete_file_system(FileSystemId=made["FileSystemId"])
    with pytest.raises(ClientError, match="FileSystemNotFound"):
        fsx.describe_file_systems(FileSystemIds=[made["FileSystemId"]])


def test_a_missing_image_is_an_error(client: Client) -> None:
    ecr = client("ecr")
    ecr.create_repository(repositoryName="hawser/gaps")
    with pytest.raises(ClientError, match="ImageNotFoundException"):
        ecr.describe_images(repositoryName="hawser/gaps", imageIds=[{"imageTag": "none"}])


def test_a_gateway_endpoint_that_gained_a_route_table_can_be_deleted(client: Client) -> None:
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
    first, second = (ec2.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"] for _ in range(2))
    endpoint = ec2.create_vpc_endpoint(
        VpcId=vpc, ServiceName="com.amazonaws.us-west-2.s3", VpcEndpointType="Gateway", RouteTableIds=[first]
    )["VpcEndpoint"]["VpcEndpointId"]

    def routed() -> set[str]:
        tables = ec2.describe_route_tables(RouteTableIds=[first, second])["RouteTables"]
        return {t["RouteTableId"] for t in tables if any(r.get("GatewayId") == endpoint for r in t["Routes"])}

    ec2.modify_vpc_endpoint(VpcEndpointId=endpoint, AddRouteTableIds=[second])
    assert routed() == {first, second}
    ec2.modify_vpc_endpoint(VpcEndpointId=endpoint, RemoveRouteTableIds=[first])
    assert routed() == {second}
    assert ec2.delete_vpc_endpoints(VpcEndpointIds=[endpoint])["Unsuccessful"] == []
    assert routed() == set()


#: Where the kernel's tcp_info has tcpi_data_segs_in (linux/tcp.h, since 4.6).
SEGMENTS_IN = 152


@pytest.mark.skipif(sys.platform != "linux", reason="segments are counted by Linux")
@pytest.mark.parametrize(
    ("service", "action"), [("iam", b"Action=ListRoles&Version=2010-05-08"), ("ec2", b"Action=DescribeVpcs")]
)
def test_an_answer_comes_in_one_piece(emulator: Emulator, service: str, action: bytes) -> None:
    """AWS's SDK for Go may drop a connection of which it has only seen the head, and asks again for what is done."""
    port = {"iam": emulator.ministack_port, "ec2": emulator.moto_port}[service]
    head = (
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(action)}\r\n"
        f"Authorization: AWS4-HMAC-SHA256 Credential=111122223333/20270101/us-west-2/{service}/aws4_request, "
        "SignedHeaders=host, Signature=0\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head.encode() + action)
        answer = connection.recv(1 << 20)
        while len(answer.partition(b"\r\n\r\n")[2]) < int(re.findall(rb"(?i)content-length: (\d+)", answer)[0]):
            answer += connection.recv(1 << 20)
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, SEGMENTS_IN + 4)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert int.from_bytes(info[SEGMENTS_IN:], sys.byteorder) == 1
