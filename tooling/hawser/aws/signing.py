"""The key of bootstrap that signs approvals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hawser.aws.clients import client, reason
from hawser.errors import NoApprovalError

#: Made by terraform/bootstrap/keys.tf; a test compares the names.
ALIAS: Final = "alias/hawser-approvals"


def public_key(region: str, aws: Mapping[str, str] | None = None) -> bytes:
    """The DER of the public key. Raises ``NoApprovalError`` when there is none that these credentials may read."""
    import botocore.exceptions

    try:
        with client("kms", region, aws) as kms:
            return bytes(kms.get_public_key(KeyId=ALIAS)["PublicKey"])
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
        raise _refused("gave no public key", error) from None


def sign(message: bytes, algorithm: str, region: str, aws: Mapping[str, str] | None = None) -> bytes:
    """The signature of ``message`` (up to 4096 bytes).

    Raises ``NoApprovalError`` when these credentials may not sign, or KMS does not answer.
    """
    import botocore.exceptions

    try:
        with client("kms", region, aws) as kms:
            answer = kms.sign(KeyId=ALIAS, Message=message, MessageType="RAW", SigningAlgorithm=algorithm)
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
        raise _refused("did not sign", error) from None
    return bytes(answer["Signature"])


def _refused(what: str, error: Exception) -> NoApprovalError:
    return NoApprovalError(
        f"the KMS key {ALIAS} {what} ({reason(error)})",
        fix="terraform/bootstrap/README.md says what approvers need, under 'Who approves'.",
    )
