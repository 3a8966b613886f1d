"""Clients of AWS services, against AWS itself or an emulator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


@contextmanager
def client(service: str, region: str, aws: Mapping[str, str] | None = None) -> Iterator[Any]:
    """A boto3 client of ``service``, closed afterwards. ``aws`` are the AWS variables of an emulator."""
    import boto3
    from botocore.config import Config

    given: dict[str, Any] = {} if aws is None else {
        "endpoint_url": aws.get(f"AWS_ENDPOINT_URL_{service.upper()}", aws["AWS_ENDPOINT_URL"]),
        "aws_access_key_id": aws["AWS_ACCESS_KEY_ID"],
        "aws_secret_access_key": aws["AWS_SECRET_ACCESS_KEY"],
        "aws_session_token": aws.get("AWS_SESSION_TOKEN"),
        "config": Config(proxies={}),  # it runs on this machine
    }  # fmt: skip
    made = boto3.client(service, region_name=region, **given)
    try:
        yield made
    finally:
        made.close()


def reason(error: Exception) -> str:
    """Why AWS did not do it, in one word: its error code, or the kind of failure. Never a message, which quotes."""
    import botocore.exceptions

    if isinstance(error, botocore.exceptions.ClientError):
        return str(error.response.get("Error", {}).get("Code", "no reason given"))
    return type(error).__name__
