"""Objects that are written once: bundles, and approvals of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from hawser.aws.clients import client, reason
from hawser.errors import HawserError, NoApprovalError

#: What the plan role may write, and what people may write who approve (terraform/bootstrap; a test compares them).
BUNDLES: Final = "bundles"
APPROVALS: Final = "approvals"
#: Most objects that are looked through; old ones expire.
_MOST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Store:
    """A state bucket in its region. ``aws`` are the AWS variables of an emulator.

    Every method raises ``HawserError`` when the bucket does not answer or these credentials may not.
    """

    bucket: str
    region: str
    aws: Mapping[str, str] | None = None

    def put_new(self, key: str, content: bytes) -> bool:
        """Write an object in one request unless one of its name is there. Whether it was written."""
        import botocore.exceptions

        with self._asked(key, "written"), client("s3", self.region, self.aws) as s3:
            try:
                s3.put_object(Bucket=self.bucket, Key=key, Body=content, IfNoneMatch="*")
            except botocore.exceptions.ClientError as error:
                if error.response.get("Error", {}).get("Code") == "PreconditionFailed":
                    return False
                raise
        return True

    def get(self, key: str, most: int) -> bytes:
        """An object of at most ``most`` bytes. Raises ``NoApprovalError`` when it is longer or not there."""
        import botocore.exceptions

        with self._asked(key, "read"), client("s3", self.region, self.aws) as s3:
            try:
                answer = s3.get_object(Bucket=self.bucket, Key=key)
            except botocore.exceptions.ClientError as error:
                if error.response.get("Error", {}).get("Code") in ("NoSuchKey", "404"):
                    raise NoApprovalError(f"s3://{self.bucket}/{key} is not there", fix="Push it first.") from None
                raise
            with answer["Body"] as body:
                content = bytes(body.read(most + 1))
        if len(content) > most:
            raise NoApprovalError(
                f"s3://{self.bucket}/{key} is longer than {most} bytes, so it is none that hawser wrote",
                fix="Find out who wrote it; plan again.",
            )
        return content

    def keys(self, prefix: str) -> tuple[str, ...]:
        """Keys of the objects below ``prefix``, the newest last."""
        found = []
        with self._asked(prefix, "listed"), client("s3", self.region, self.aws) as s3:
            pages = s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
            for page in pages:
                found += [(entry["LastModified"], entry["Key"]) for entry in page.get("Contents", ())]
                if len(found) > _MOST:
                    raise HawserError(
                        f"more than {_MOST} objects lie below s3://{self.bucket}/{prefix}", fix="Delete old ones."
                    )
        return tuple(key for _, key in sorted(found))

    @contextmanager
    def _asked(self, key: str, what: str) -> Iterator[None]:
        import botocore.exceptions

        try:
            yield
        except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
            raise HawserError(
                f"s3://{self.bucket}/{key} could not be {what} ({reason(error)})",
                fix="terraform/bootstrap/README.md says who may: CI's plan role, the apply role, and who approves.",
            ) from None
