"""Who the credentials belong to, as AWS STS says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hawser.aws.clients import client, reason
from hawser.errors import NoApprovalError


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller of AWS: ARN (with the session's name), unique id (``AROA…:session``), and account."""

    arn: str
    user_id: str
    account_id: str


def caller(region: str, aws: Mapping[str, str] | None = None) -> Caller:
    """Who calls. ``aws`` are the AWS variables of an emulator.

    Raises ``NoApprovalError`` when STS does not answer: then nobody knows who plans or approves.
    """
    import botocore.exceptions

    try:
        with client("sts", region, aws) as sts:
            answer = sts.get_caller_identity()
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
        raise NoApprovalError(
            f"AWS STS did not say who you are ({reason(error)})", fix="Log in to the environment's account."
        ) from None
    return Caller(answer["Arn"], answer["UserId"], answer["Account"])


def emulated(account_id: str, region: str, name: str, aws: Mapping[str, str]) -> dict[str, str]:
    """The AWS variables ``aws`` of an emulator with the credentials of a session that is called ``name``.

    In an emulator everybody is root. So that people can be told apart there as in AWS, each takes a role by name.
    """
    session = re.sub(r"[^\w+=,.@-]", "-", name)[:64].ljust(2, "-")
    with client("sts", region, aws) as sts:
        given = sts.assume_role(RoleArn=f"arn:aws:iam::{account_id}:role/people", RoleSessionName=session)[
            "Credentials"
        ]
    return {
        **aws,
        "AWS_ACCESS_KEY_ID": given["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": given["SecretAccessKey"],
        "AWS_SESSION_TOKEN": given["SessionToken"],
    }
