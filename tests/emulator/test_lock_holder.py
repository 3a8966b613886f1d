"""Who holds the lock of a state, asked of a real S3."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hawser.aws.objects import lock_holder
from hawser.emulator import Emulator, environment

BUCKET, KEY, REGION = "hawser-state-of-locks", "prod/platform.tfstate", "us-west-2"

#: What terraform 1.11 writes (measured).
LOCK = {
    "ID": "b4a2d3f1-4a5e-8f39-9d4c-33c1f6f9a0c1", "Operation": "OperationTypeApply", "Info": "", "Who": "ann@laptop",
    "Version": "1.11.4", "Created": "2026-12-01T02:00:00.123Z", "Path": f"{BUCKET}/{KEY}",
}  # fmt: skip

pytestmark = pytest.mark.emulator


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (json.dumps(LOCK).encode(), "ann@laptop, Apply, since 2026-12-01T02:00:00.123Z"),
        (b"", "somebody, in words that terraform does not use"),
        (b"[]", "somebody, in words that terraform does not use"),
        (b'{"Who": 1, "Operation": null, "Created": 2}', "somebody, in words that terraform does not use"),
        (b"\xff\xfe{", "somebody, in words that terraform does not use"),
        (None, ""),
    ],
)
def test_the_holder_is_named(client: Callable[..., Any], emulator: Emulator, body: bytes | None, said: str) -> None:
    s3 = client("s3")
    if body is not None:
        s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        s3.put_object(Bucket=BUCKET, Key=f"{KEY}.tflock", Body=body)
    try:
        assert lock_holder(BUCKET, KEY, REGION) == said  # from the environment
        assert lock_holder(BUCKET, KEY, REGION, environment(emulator, "111122223333", REGION)) == said
    finally:
        if body is not None:
            s3.delete_object(Bucket=BUCKET, Key=f"{KEY}.tflock")
            s3.delete_bucket(Bucket=BUCKET)
