"""Whether a bucket, and an object in it, are there. Nothing is read but that."""

from __future__ import annotations

from enum import Enum

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
    import boto3
    import botocore.exceptions

    client = boto3.client("s3", region_name=region)
    asked = Found.NO_BUCKET
    try:
        client.head_bucket(Bucket=bucket)
        asked = Found.NO_OBJECT
        client.head_object(Bucket=bucket, Key=key)
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
    finally:
        client.close()
    return Found.OBJECT
