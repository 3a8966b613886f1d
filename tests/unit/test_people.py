"""The person behind an ARN: one name however they come, nobody where nobody is named."""

from __future__ import annotations

import pytest

from hawser.decision.people import person

SESSION = "arn:aws:sts::111122223333:assumed-role"


@pytest.mark.parametrize(
    ("arn", "name"),
    [
        (f"{SESSION}/AWSReservedSSO_Approver_0123456789abcdef/Ann@Example.com", "ann@example.com"),
        (f"{SESSION}/AWSReservedSSO_Admin_fedcba9876543210/ann@example.com", "ann@example.com"),
        ("arn:aws-us-gov:sts::111122223333:assumed-role/approver/bo", "bo"),
        ("arn:aws:iam::111122223333:user/people/team/ann@example.com", "ann@example.com"),
        ("arn:aws:iam::111122223333:root", ""),
        (f"{SESSION}/approver/botocore-session-1764554400", ""),
        (f"{SESSION}/approver/1764554400123456789", ""),
        (f"{SESSION}/approver/aws-sdk-js-1764554400123", ""),
        (f"{SESSION}/approver/aws-go-sdk-1764554400123456789", ""),
        (f"{SESSION}/node/i-0123456789abcdef0", ""),
        (f"{SESSION}/hawser-plan-us-west-2/GitHubActions", ""),
        ("arn:aws:sts::111122223333:federated-user/ann", ""),
        (f"{SESSION}/approver/ann/and/more", ""),
        ("ann@example.com", ""),
        ("", ""),
    ],
)
def test_person(arn: str, name: str) -> None:
    assert person(arn) == name
