"""Environments on a platform that hawser does not make: the document's example, and both targets on the emulator."""

from __future__ import annotations

import copy
import json
import os
import re
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


def write(world: World, values: dict[str, Any] | str, *, emulator: bool = False) -> None:
    """Make the environment ``shared`` of the world; of the emulator, with its state and without approvals."""
    folder = world.root / "environments/shared"
    folder.mkdir(exist_ok=True)
    if isinstance(values, dict):
        values = copy.deepcopy(values)
        if emulator:
            values |= {"emulator": True, "state": {"bucket": "hawser-emulator-state", "key_prefix": "shared"}}
            values["guardrails"] |= {"approvals": 1, "destroy": "advisory"}
        values = yaml.safe_dump(values)
    (folder / "env.yaml").write_text(values, encoding="utf-8")
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

    for target, text in (("eks", block("yaml")), ("hyperpod", environment("hyperpod"))):
        write(world, text)
        assert "existing: shared-eks in vpc-0123456789abcdef0, not planned" in world.run("check", "shared").out
        planned = world.plan("shared", "--emulate")
        assert list(planned) == [target]
        assert not planned[target]["speculative"]
        assert planned[target]["decision"] == "allow", planned[target]["findings"]


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


@pytest.mark.e2e
@pytest.mark.emulator
def test_existing_platform_on_both_targets(world: World) -> None:
    eks, hyperpod = environment("eks"), environment("hyperpod")
    write(world, eks, emulator=True)
    world.run("emulator", "up")
    with world.emulated("eks") as client:  # the emulator wants to know the cluster, not the other ids
        client.create_cluster(name="shared-eks", roleArn="arn:aws:iam::111122223333:role/x", resourcesVpcConfig={})

    # There is no platform to plan; the first plan of what stands on it is real.
    refused = world.run("plan", "shared", "--stack", "platform", code=2)
    assert "stands on an existing platform (environments/shared/env.yaml:" in refused.err
    planned = world.plan("shared")
    assert list(planned) == ["eks"]
    assert not planned["eks"]["speculative"]
    assert [p.name for p in (world.root / "environments/shared/generated").iterdir()] == ["eks.tfvars.json"]
    given = json.loads((world.bundle("shared", "eks") / "upstream.tfvars.json").read_text(encoding="utf-8"))
    assert given["cluster_name"] == "shared-eks"
    assert given["node_subnet_ids"] == eks["platform"]["existing"]["subnets_by_zone_id"]

    # What was approved was approved with exactly these ids.
    assert "0 of 1 approvals" in world.run("apply", "shared", code=6).err
    world.run("approve", "shared")
    other = copy.deepcopy(eks)
    other["platform"]["existing"]["security_group_ids"]["efa"] = "sg-00112233"
    write(world, other, emulator=True)
    assert "the values consumed from platform" in world.run("apply", "shared", code=6).err
    write(world, eks, emulator=True)
    assert world.run("apply", "shared").out.startswith("eks: applied")
    assert world.state_keys() == ["shared/eks.tfstate"]
    again = world.plan("shared")["eks"]
    assert (set(again["counts"]), again["decision"]) == ({"no-op"}, "allow")

    # An older platform of hawser's own stays visible, and is not destroyed while something stands behind it.
    with world.emulated("s3") as client:
        state = json.dumps(OLD_PLATFORM).encode()
        client.put_object(Bucket="hawser-emulator-state", Key="shared/platform.tfstate", Body=state)
    (live,) = [f for f in world.plan("shared")["eks"]["findings"] if f["rule_id"] == "HW-STK-001"]
    assert "The stack platform still holds 1 resources, and shared stands on an existing platform." in live["message"]
    assert "is not destroyed while eks" in world.run("destroy", "shared", "--stack", "platform", code=6).err
    with world.emulated("s3") as client:
        client.delete_object(Bucket="hawser-emulator-state", Key="shared/platform.tfstate")

    # Only what hawser made is destroyed.
    assert "hawser approve shared" in world.run("destroy", "shared", code=6).err
    world.run("approve", "shared")
    assert world.run("destroy", "shared").out.startswith("eks: destroyed")
    assert world.run("destroy", "shared").out == "eks: holds no resources\n"

    write(world, hyperpod, emulator=True)
    planned = world.plan("shared")
    assert list(planned) == ["hyperpod"]
    assert not planned["hyperpod"]["speculative"]
    world.run("approve", "shared")
    assert world.run("apply", "shared").out.startswith("hyperpod: applied")
    again = world.plan("shared")["hyperpod"]
    assert (set(again["counts"]), again["decision"]) == ({"no-op"}, "allow")
