"""Whether a bucket, and an object in it, are there, and who holds a lock. Nothing else is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum

from hawser.aws.clients import client
from hawser.errors import CheckFoundError, HawserError


class Found(Enum):
    """What was found."""

    NO_BUCKET = "no bucket"
    NO_OBJECT = "no object"
    OBJECT = "object"


def look(bucket: str, key: str, region: str) -> Found:
    """Look for ``key`` in ``bucket``, whose region must be ``region``.

    Raises ``CheckFoundError`` when the bucket is not this account's to look at or stands in another region, and
    ``HawserError`` when AWS does not answer.
    """
    import botocore.exceptions

    asked = Found.NO_BUCKET
    try:
        with client("s3", region) as s3:
            there = s3.head_bucket(Bucket=bucket).get("BucketRegion") or region  # boto3 follows a bucket to its region
            if there != region:
                raise CheckFoundError(
                    f"the bucket {bucket} stands in {there}, not in {region}",
                    fix="Correct state.bucket or region in env.yaml: a state lies in the region of its environment.",
                )
            asked = Found.NO_OBJECT
            s3.head_object(Bucket=bucket, Key=key)
    except botocore.exceptions.ClientError as error:
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        if status == 404:
            return asked
        raise CheckFoundError(
            f"the bucket {bucket} cannot be looked at in {region} (HTTP {status})",
            fix="It belongs to another account or region, or your credentials do not cover it: correct state.bucket in"
            " env.yaml, or log in to the account.",
        ) from None
    except botocore.exceptions.BotoCoreError as error:
        raise HawserError(
            f"AWS did not say whether the bucket {bucket} is there ({type(error).__name__})",
            fix="Look at your network and credentials, then run the command again.",
        ) from None
    return Found.OBJECT


def lock_holder(bucket: str, key: str, region: str, aws: Mapping[str, str] | None = None) -> str:
    """Who holds the lock of the state ``key``, in terraform's words (``"who, operation, since"``); ``""`` for nobody.

    ``aws`` are the AWS variables of an emulator. A lock that cannot be read (no rights, no answer) counts as nobody's:
    this only informs, and terraform itself asks for the lock before it changes anything.
    """
    import botocore.exceptions

    try:
        with client("s3", region, aws) as s3:
            lock = json.loads(s3.get_object(Bucket=bucket, Key=f"{key}.tflock")["Body"].read())
        return f"{lock['Who']}, {lock['Operation'].removeprefix('OperationType')}, since {lock['Created']}"
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError):
        return ""
    except (ValueError, KeyError, TypeError, AttributeError):
        return "somebody, in words that terraform does not use"
