"""bootstrap on the emulator: made with its state in the checkout, moved into the bucket, shared, destroyed.

And on the way, what its key is for: a plan that is approved at another desk and applied at a third.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import boto3
import pytest

from hawser.emulator.process import status
from tests.e2e.conftest import World
from tests.e2e.signed_desks import signed_approvals

HERE = ".hawser/bootstrap/emulator-111122223333-us-west-2"
KEY = "111122223333/us-west-2/bootstrap.tfstate"


def s3(world: World) -> Any:
    emulator = status(world.root / ".hawser")
    assert emulator is not None
    return boto3.client(
        "s3", endpoint_url=f"http://127.0.0.1:{emulator.ministack_port}", region_name="us-west-2",
        aws_access_key_id="111122223333", aws_secret_access_key="x",
    )  # fmt: skip


def state(lineage: str, *resources: dict[str, Any]) -> bytes:
    """A state as Terraform writes it."""
    head = {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": lineage, "outputs": {}}
    return json.dumps(head | {"resources": list(resources), "check_results": None}).encode()


VPC = {
    "mode": "managed", "type": "aws_vpc", "name": "this", "provider": 'provider["registry.terraform.io/hashicorp/aws"]',
    "instances": [{"schema_version": 1, "attributes": {"id": "vpc-1"}, "sensitive_attributes": []}],
}  # fmt: skip


def put(world: World, key: str, body: bytes) -> None:
    with closing(s3(world)) as client:
        client.put_object(Bucket="hawser-emulator-state", Key=key, Body=body)


def remove(world: World, key: str) -> None:
    with closing(s3(world)) as client:
        client.delete_object(Bucket="hawser-emulator-state", Key=key)


@pytest.mark.e2e(minutes=3)
@pytest.mark.emulator
def test_bootstrap(world: World, tmp_path: Path) -> None:
    # Nothing of it is in the plan of an environment. On the emulator the bucket is there from the start, so a state in
    # the checkout (as on AWS before the first apply) is begun by hand.
    file = world.root / HERE / "terraform.tfstate"
    file.parent.mkdir(parents=True)
    file.write_bytes(state("11111111-0000-4000-8000-000000000000"))
    assert "holds no resources" in world.run("bootstrap", "move-state", "local", code=8).err
    first = world.plan("local", "--stack", "bootstrap")
    assert list(first) == ["bootstrap"]
    assert first["bootstrap"]["decision"] == "allow"
    assert "hawser apply local --stack bootstrap" in first["bootstrap"]["asks"]
    assert "no plan yet" in world.run("show", "local", code=2).err
    assert first["bootstrap"]["digest"] in world.run("show", "local", "--stack", "bootstrap").out
    assert "no bundle to apply" in world.run("apply", "local", code=6).err
    applied = world.run("apply", "local", "--stack", "bootstrap").out
    assert "bootstrap: applied" in applied
    assert "Next: hawser bootstrap move-state local" in applied
    assert set(world.plan("local", "--stack", "bootstrap")["bootstrap"]["counts"]) == {"no-op"}
    assert world.state_keys() == []

    # The bucket holds another one: nothing is moved, nothing is written over.
    put(world, KEY, state("22222222-0000-4000-8000-000000000000", VPC))
    before = file.read_bytes()
    refused = world.run("bootstrap", "move-state", "local", code=8)
    assert "another state of bootstrap (lineage 22222222" in refused.err
    assert file.read_bytes() == before
    remove(world, KEY)

    # Moved: the same state, and the old file kept. What was planned before is dead.
    stale = world.bundle("local", "bootstrap").name
    held = sum(len(r["instances"]) for r in json.loads(before)["resources"] if r["mode"] == "managed")
    moved = json.loads(world.run("bootstrap", "move-state", "local", "--json").out)
    assert moved["to"] == f"s3://hawser-emulator-state/{KEY}"
    assert moved["resources"] == held > 40
    assert (world.root / moved["kept"]).read_bytes() == before
    assert not file.exists()
    assert world.state_keys() == [KEY]
    assert "is not there" in world.run("bootstrap", "move-state", "local", code=8).err
    file.write_bytes(before)  # as if the move had been interrupted before its end
    assert f"moved {held} resources" in world.run("bootstrap", "move-state", "local").out
    assert not file.exists()
    assert "no longer matches" in world.run("apply", "local", "--bundle", stale, code=6).err

    # The other environment of the account shares it.
    assert set(world.plan("local-hyperpod", "--stack", "bootstrap")["bootstrap"]["counts"]) == {"no-op"}

    signed_approvals(world, tmp_path)

    # Not destroyed under what stands on it; then to nothing.
    put(world, "local-hyperpod/platform.tfstate", state("33333333-0000-4000-8000-000000000000", VPC))
    refused = world.run("destroy", "local", "--stack", "bootstrap", code=6)
    assert "not destroyed while platform of local-hyperpod holds 1 resources" in refused.err
    remove(world, "local-hyperpod/platform.tfstate")
    assert "bootstrap: destroyed" in world.run("destroy", "local", "--stack", "bootstrap").out
    assert world.run("destroy", "local", "--stack", "bootstrap").out == "bootstrap: holds no resources\n"
    with closing(s3(world)) as client:
        assert client.list_buckets()["Buckets"] == []  # that of the states belongs to no account
    assert [key for key in world.state_keys() if key.endswith(".tflock")] == []
    assert Path(moved["kept"]).name.startswith("moved-")
