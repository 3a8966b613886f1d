"""Where the state of bootstrap lies, asked of a real S3: the bucket is not there, is empty, or holds it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hawser.aws.objects import Found, look
from hawser.cli import bootstrap_state
from hawser.cli.talk import Talk
from hawser.cli.workspace import Workspace
from hawser.contract import load_deployment
from hawser.errors import CheckFoundError
from hawser.toolchain.terraform_binary import TerraformBinary

ROOT = Path(__file__).parents[2]
BUCKET, KEY = "hawser-state-111122223333-us-west-2", "111122223333/us-west-2/bootstrap.tfstate"

pytestmark = pytest.mark.emulator


def prod(root: Path) -> Workspace:
    """prod of a checkout at ``root``, against whatever the environment names as AWS."""
    for part in ("environments", "terraform/bootstrap", "modules/encrypted-bucket"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns(".terraform"))
    binary = TerraformBinary(Path("terraform"), "1.11.4", "")
    return Workspace(root, load_deployment(root, "prod"), False, Talk(), binary, root / "rc", None)


def test_the_state_is_where_it_can_be(client: Callable[..., Any], tmp_path: Path) -> None:
    s3, workspace = client("s3"), prod(tmp_path)
    file = bootstrap_state.local_file(workspace)
    assert file.parent == tmp_path / ".hawser/bootstrap/111122223333-us-west-2"

    # Before the first apply, and after it, until it is moved: in the checkout, in a folder of one's own.
    assert bootstrap_state.begins_here(workspace)
    run = workspace.run("bootstrap")
    assert run.backend == {"path": str(file)}
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert (run.stack.folder / "backend_override.tf").is_file()
    file.write_text("{}")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    assert bootstrap_state.begins_here(workspace)

    # A bucket without the state, and nothing here: somebody else has it.
    file.unlink()
    with pytest.raises(CheckFoundError, match="holds no state of bootstrap") as refused:
        bootstrap_state.begins_here(workspace)
    assert "hawser bootstrap move-state prod" in refused.value.fix

    # In the bucket.
    s3.put_object(Bucket=BUCKET, Key=KEY, Body=b"{}")
    assert not bootstrap_state.begins_here(workspace)
    there = replace(workspace, _runs={}).run("bootstrap")
    assert there.stack.folder == tmp_path / "terraform/bootstrap"
    key = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    assert there.backend == {
        "bucket": BUCKET, "key": KEY, "region": "us-west-2", "use_lockfile": True, "encrypt": True, "kms_key_id": key,
    }  # fmt: skip

    # In both: a move that was not finished.
    file.write_text("{}")
    with pytest.raises(CheckFoundError, match="lies in the bucket"):
        bootstrap_state.begins_here(workspace)


def test_a_bucket_of_somebody_else_is_told(client: Callable[..., Any]) -> None:
    client("s3", account="999988887777").create_bucket(
        Bucket="of-somebody-else", CreateBucketConfiguration={"LocationConstraint": "us-west-2"}
    )
    client("s3")
    with pytest.raises(CheckFoundError, match="of-somebody-else cannot be looked at"):
        look("of-somebody-else", KEY, "us-west-2")
    assert look("that-is-nowhere", KEY, "us-west-2") is Found.NO_BUCKET


def test_a_bucket_of_another_region_is_told(client: Callable[..., Any]) -> None:
    s3 = client("s3", region="eu-west-1")
    s3.create_bucket(Bucket="of-ireland", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    with pytest.raises(CheckFoundError, match="of-ireland stands in eu-west-1, not in us-west-2"):
        look("of-ireland", KEY, "us-west-2")
    s3.delete_bucket(Bucket="of-ireland")


def test_without_a_key_the_bucket_encrypts_by_its_own_default(client: Callable[..., Any], tmp_path: Path) -> None:
    client("s3")
    workspace = prod(tmp_path)
    environment = workspace.deployment.environment
    bare = replace(environment, state=replace(environment.state, kms_key_arn=None))
    found = replace(workspace, deployment=replace(workspace.deployment, environment=bare))
    # `encrypt` without a key asks S3 for its own key, past the bucket's.
    assert "encrypt" not in found.run_there("bootstrap", tmp_path / "x").backend
