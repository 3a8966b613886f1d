"""One emulator, many accounts and regions: the access key id is the account, in both servers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from hawser.emulator.endpoints import MINISTACK_SERVICES, MOTO_SERVICES, environment
from hawser.emulator.process import STATE_BUCKET, Emulator
from hawser.errors import UsageError

Client = Callable[..., Any]
ONE, TWO = "111122223333", "444455556666"


@pytest.mark.emulator
def test_two_accounts_are_two_worlds_in_moto(client: Client) -> None:
    made = client("ec2", ONE).create_vpc(CidrBlock="10.99.0.0/16")["Vpc"]
    assert made["OwnerId"] == ONE

    def vpcs(account: str, region: str) -> set[str]:
        return {vpc["VpcId"] for vpc in client("ec2", account, region).describe_vpcs()["Vpcs"]}

    assert made["VpcId"] in vpcs(ONE, "us-west-2")
    assert made["VpcId"] not in vpcs(TWO, "us-west-2")
    assert made["VpcId"] not in vpcs(ONE, "eu-west-2")

    # Protocols that name the action in a header, and REST ones, take the same way.
    for account in (ONE, TWO):
        logs = client("logs", account)
        logs.create_log_group(logGroupName="/hawser/two-worlds")
        assert [group["arn"].split(":")[4] for group in logs.describe_log_groups()["logGroups"]] == [account]
        made = client("amp", account).create_workspace(alias="two-worlds")
        assert made["arn"].split(":")[4] == account


@pytest.mark.emulator
def test_two_accounts_are_two_worlds_in_ministack(client: Client) -> None:
    trust = json.dumps({"Version": "2012-10-17", "Statement": []})
    made = client("iam", ONE).create_role(RoleName="two-worlds", AssumeRolePolicyDocument=trust)["Role"]
    assert made["Arn"] == f"arn:aws:iam::{ONE}:role/two-worlds"
    with pytest.raises(ClientError, match="NoSuchEntity"):
        client("iam", TWO).get_role(RoleName="two-worlds")
    for account in (ONE, TWO):
        assert client("sts", account).get_caller_identity()["Account"] == account


@pytest.mark.emulator
def test_the_state_bucket_is_open_to_every_account_and_region(client: Client) -> None:
    for account, region in ((ONE, "us-west-2"), (TWO, "eu-west-2")):
        s3 = client("s3", account, region)
        key = f"{account}/platform.tfstate.tflock"
        s3.put_object(Bucket=STATE_BUCKET, Key=key, Body=b"{}", IfNoneMatch="*")
        with pytest.raises(ClientError, match="PreconditionFailed"):  # this is how terraform locks
            s3.put_object(Bucket=STATE_BUCKET, Key=key, Body=b"{}", IfNoneMatch="*")
        assert s3.get_object(Bucket=STATE_BUCKET, Key=key)["Body"].read() == b"{}"
        s3.delete_object(Bucket=STATE_BUCKET, Key=key)
        assert s3.list_objects_v2(Bucket=STATE_BUCKET, Prefix=account)["KeyCount"] == 0


@pytest.mark.emulator
def test_other_buckets_belong_to_their_account_and_region(client: Client) -> None:
    client("s3", ONE).create_bucket(
        Bucket="hawser-private", CreateBucketConfiguration={"LocationConstraint": "us-west-2"}
    )
    with pytest.raises(ClientError, match=r"403|AccessDenied"):
        client("s3", TWO).list_objects_v2(Bucket="hawser-private")


def test_environment_names_every_service_once() -> None:
    emulator = Emulator(1111, 2222, 3, 4, "ab")
    found = environment(emulator, ONE, "us-west-2")
    assert not set(MOTO_SERVICES) & set(MINISTACK_SERVICES)
    assert found["AWS_ENDPOINT_URL"] == "http://127.0.0.1:1111"
    assert found["AWS_ENDPOINT_URL_SCHEDULER"] == "http://127.0.0.1:1111"
    assert all(found[f"AWS_ENDPOINT_URL_{service}"] == "http://127.0.0.1:2222" for service in MOTO_SERVICES)
    assert found["AWS_ACCESS_KEY_ID"] == ONE
    assert found["AWS_REGION"] == found["AWS_DEFAULT_REGION"] == "us-west-2"


@pytest.mark.parametrize(
    "account", ["", "11112222333", "1111222233334", "１１１１２２２２３３３３", "AKIAIOSFODNN7EXAMPLE"]
)
def test_an_account_is_twelve_digits(account: str) -> None:
    with pytest.raises(UsageError, match="is not an AWS account id"):
        environment(Emulator(1, 2, 3, 4, "ab"), account, "us-west-2")
