"""How terraform and boto3 find the emulator: by environment variables only, so no stack knows of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from hawser.errors import UsageError

if TYPE_CHECKING:
    from hawser.emulator.process import Emulator

#: Services that moto serves, as the SDKs spell them in ``AWS_ENDPOINT_URL_<SERVICE>``: ministack lacks them or does
#: worse (each measured by apply, second plan, change and destroy with hashicorp/aws 5.100.0; 2026-11-30).
#: SNS stands with CloudFormation: a stack with notifications hangs when its topic lives in the other emulator.
MOTO_SERVICES: Final = (
    "AMP",
    "AUTO_SCALING",
    "CLOUDFORMATION",
    "CLOUDWATCH",
    "CLOUDWATCH_LOGS",
    "EC2",
    "EVENTBRIDGE",
    "FSX",
    "RESOURCE_GROUPS",
    "SAGEMAKER",
    "SERVICE_QUOTAS",
    "SNS",
    "SQS",
)
#: Named although it is where everything else goes: moto forgets ActionAfterCompletion when a schedule changes.
MINISTACK_SERVICES: Final = ("SCHEDULER",)


def environment(emulator: Emulator, account_id: str, region: str) -> dict[str, str]:
    """The AWS variables that send terraform and boto3 to ``emulator``, as the account ``account_id`` in ``region``.

    Both servers take an access key id of 12 digits for the account, so one emulator serves every account. They belong
    into an environment without the person's own ``AWS_*`` (a profile or a session token would be sent along).
    Raises ``UsageError`` when ``account_id`` is not 12 digits.
    """
    if not (len(account_id) == 12 and account_id.isascii() and account_id.isdigit()):
        raise UsageError(f"{account_id!r} is not an AWS account id", fix="Give the 12 digits of the account.")
    ministack, moto = (f"http://127.0.0.1:{port}" for port in (emulator.ministack_port, emulator.moto_port))
    return {
        "AWS_ENDPOINT_URL": ministack,
        **{f"AWS_ENDPOINT_URL_{service}": ministack for service in MINISTACK_SERVICES},
        **{f"AWS_ENDPOINT_URL_{service}": moto for service in MOTO_SERVICES},
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false",
        "AWS_ACCESS_KEY_ID": account_id,
        "AWS_SECRET_ACCESS_KEY": "emulator",
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "CHECKPOINT_DISABLE": "1",
    }
