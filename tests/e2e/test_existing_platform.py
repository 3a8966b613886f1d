"""Environments on a platform that hawser does not make: the document's example, and both targets on the emulator."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from hawser.toolchain.provider_mirror import cli_config
from hawser.toolchain.terraform_binary import find_terraform
from tests.e2e.conftest import ROOT, World

DOCUMENT = (ROOT / "docs/existing-platform.md").read_text(encoding="utf-8")


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)[number]


def environment(target: str) -> dict[str, Any]:
    """The document's environment for a target."""
    found: dict[str, Any] = yaml.safe_load(block("yaml"))
    if target == "hyperpod":
        for name, value in yaml.safe_load(block("yaml", 1)).items():
            if name == "platform":
                found["platform"]["existing"] |= value["existing"]
            else:
                found[name] = value
    return found


def on_emulator(values: dict[str, Any]) -> str:
    """The same environment as one of the emulator, with the emulator's state, that may be destroyed."""
    values = copy.deepcopy(values)
    values |= {"emulator": True, "state": {"bucket": "hawser-emulator-state", "key_prefix": "shared"}}
    values["guardrails"]["destroy"] = "advisory"
    return yaml.safe_dump(values)


def write(world: World, text: str) -> None:
    """Make ``text`` the environment ``shared``, the only one of the world: others would share its account."""
    folder = world.root / "environments/shared"
    folder.mkdir(exist_ok=True)
    for other in (world.root / "environments").glob("*/env.yaml"):
        if other.parent != folder:
            shutil.rmtree(other.parent)
    (folder / "env.yaml").write_text(text, encoding="utf-8")
    (folder / "waivers.yaml").write_text("waivers: []\n", encoding="utf-8")


def validated(folder: Path) -> None:
    """``terraform validate`` in a folder of the world."""
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TF_CLI_CONFIG_FILE": str(cli_config(ROOT / ".hawser")),
    }
    for arguments in (["init", "-backend=false", "-input=false"], ["validate"]):
        done = subprocess.run(
            [str(find_terraform(ROOT / ".hawser").path), *arguments],
            cwd=folder, env=variables, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.e2e
@pytest.mark.emulator
def test_existing_platform_of_the_document(world: World) -> None:
    (world.root / "owners").mkdir()
    (world.root / "owners/main.tf").write_text(block("hcl"), encoding="utf-8")
    validated(world.root / "owners")

    write(world, block("yaml"))
    assert "existing: shared-eks in vpc-0123456789abcdef0, not planned" in world.run("check", "shared").out
    planned = world.plan("shared", "--emulate")
    assert list(planned) == ["eks"]
    assert not planned["eks"]["speculative"]
    assert planned["eks"]["decision"] == "allow", planned["eks"]["findings"]


#: A state of the stack platform, from the time before the environment named an existing one.
OLD_PLATFORM = {
    "version": 4, "terraform_version": "1.11.4", "serial": 3, "lineage": "5d0e1a0c-8a52-4ad1-9d0e-0123456789ab",
    "outputs": {}, "check_results": None,
    "resources": [{
        "mode": "managed", "type": "terraform_data", "name": "left",
        "provider": 'provider["terraform.io/builtin/terraform"]',
        "instances": [{"schema_version": 0, "attributes": {"id": "1"}}],
    }],
}  # fmt: skip


@pytest.mark.e2e(minutes=2)
@pytest.mark.emulator
def test_existing_platform_on_both_targets(world: World) -> None:
    eks, hyperpod = environment("eks"), environment("hyperpod")
    write(world, on_emulator(eks))
    world.run("emulator", "up")
    with world.emulated("eks") as client:  # the emulator wants to know the cluster, not the other ids
        client.create_cluster(name="shared-eks", roleArn="arn:aws:iam::111122223333:role/x", resourcesVpcConfig={})

    # There is no platform to plan; the first plan of what stands on it is real.
    refused = world.run("plan", "shared", "--stack", "platform", code=2)
    assert "stands on an existing platform (environments/shared/env.yaml:" in refused.err
    planned = world.plan("shared")
    assert list(planned) == ["eks"]
    assert not planned["eks"]["speculative"]
    generated = sorted(p.name for p in (world.root / "environments/shared/generated").iterdir())
    assert generated == ["bootstrap.tfvars.json", "eks.tfvars.json", "launch.sh", "serving.yaml"]
    given = json.loads((world.bundle("shared", "eks") / "upstream.tfvars.json").read_text(encoding="utf-8"))
    assert given["cluster_name"] == "shared-eks"
    assert given["node_subnet_ids"] == eks["platform"]["existing"]["subnets_by_zone_id"]

    # What was approved was approved with exactly these ids.
    assert "0 of 1 approvals" in world.run("apply", "shared", code=6).err
    world.run("approve", "shared")
    other = copy.deepcopy(eks)
    other["platform"]["existing"]["security_group_ids"]["efa"] = "sg-00112233"
    write(world, on_emulator(other))
    assert "the values consumed from platform" in world.run("apply", "shared", code=6).err
    write(world, on_emulator(eks))
    assert world.run("apply", "shared").out.startswith("eks: applied")
    assert world.state_keys() == ["shared/eks.tfstate"]

    # Nothing is left to do. An older platform of hawser's own stays visible, and goes after what may stand on it.
    with world.emulated("s3") as client:
        state = json.dumps(OLD_PLATFORM).encode()
        client.put_object(Bucket="hawser-emulator-state", Key="shared/platform.tfstate", Body=state)
    again = world.plan("shared")["eks"]
    assert (set(again["counts"]), again["decision"]) == ({"no-op"}, "needs-approval")
    (live,) = [f for f in again["findings"] if f["rule_id"] == "HW-STK-001"]
    assert "The stack platform still holds 1 resources, and shared stands on an existing platform." in live["message"]
    assert "is not destroyed while eks" in world.run("destroy", "shared", "--stack", "platform", code=6).err

    # Only what stands on the existing platform is destroyed.
    assert "hawser approve shared" in world.run("destroy", "shared", code=6).err
    world.run("approve", "shared")
    assert world.run("destroy", "shared").out == f"eks: destroyed {world.bundle('shared', 'eks').name}\n"
    assert "no earlier plan of the stack platform" in world.run("destroy", "shared", "--stack", "platform", code=1).err
    with world.emulated("s3") as client:
        client.delete_object(Bucket="hawser-emulator-state", Key="shared/platform.tfstate")

    write(world, on_emulator(hyperpod))
    planned = world.plan("shared")
    assert list(planned) == ["hyperpod"]
    assert not planned["hyperpod"]["speculative"]
    world.run("approve", "shared")
