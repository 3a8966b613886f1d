"""The main job on the eks target: plan, tamper (refused), apply, apply again (refused), change, destroy."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import World, git

ENV = "environments/local/env.yaml"


def flip_last_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def comment(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "# x\n", encoding="utf-8")


WAIVER = """waivers:
  - rule: HW-IAM-001
    address: aws_iam_role.x
    owner: team@example.com
    reason: none
    expires: "2026-12-24"
"""


NEXT_BLOCK = """  k3-block-b:
    instance_type: p6-b300.48xlarge
    kind: capacity-block
    count: 2
    reservation_id: cr-0fedcba9876543210
    zone_id: usw2-az2
    start: "2027-01-17T11:30:00Z"
    end: "2027-01-24T11:30:00Z"
"""


def gpus(review: dict[str, Any]) -> list[tuple[str, int, int, int]]:
    """The table of capacity: pool, and its accelerators before, during and after the apply."""
    return [(p["pool"], p["before"], p["during"], p["after"]) for p in review["capacity"]]


def retag(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace("team: inference", "team: other"), encoding="utf-8")


def write_waiver(path: Path) -> None:
    path.write_text(WAIVER, encoding="utf-8")


def redate(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    document["compared"]["serial"] = "7"
    path.write_text(json.dumps(document), encoding="utf-8")


TAMPERINGS: dict[str, tuple[Callable[[World], Path], Callable[[Path], None], str]] = {
    "the plan": (lambda w: w.bundle("local", "platform") / "plan.tfplan", flip_last_byte, "the saved plan file"),
    "a tag": (lambda w: w.root / ENV, retag, "the generated tfvars"),
    "a module": (lambda w: w.root / "modules/network/vpc.tf", comment, "Terraform sources"),
    "a waiver": (lambda w: w.root / "environments/local/waivers.yaml", write_waiver, "the waivers"),
    "the lock": (
        lambda w: w.root / "terraform/platform/.terraform.lock.hcl",
        comment,
        "lock file",
    ),
    "a policy": (lambda w: w.root / "tooling/hawser/policy/checkov.yaml", comment, "policy set"),
    "the record": (lambda w: w.bundle("local", "platform") / "record.json", redate, "altered"),
}


@pytest.mark.e2e(minutes=4)
@pytest.mark.emulator
def test_eks(world: World) -> None:
    git(world.root, "init", "-q")
    git(world.root, "commit", "-q", "--allow-empty", "-m", "one")

    # The first plan: platform is real, eks can only be read.
    first = world.plan("local")
    assert [first["platform"]["decision"], first["eks"]["decision"]] == ["allow", "allow"]
    assert first["eks"]["speculative"]
    assert not first["platform"]["speculative"]
    speculative = world.root / ".hawser/local/eks/speculative"
    assert (speculative / "report.txt").is_file()
    assert not list((world.root / ".hawser/local/eks").rglob("*.tfplan"))
    assert not (speculative / "record.json").exists()
    shown = world.run("show", "local")
    assert first["platform"]["digest"] in shown.out
    assert "speculative, to read only" in shown.out

    # One byte of any compared input: refused, nothing applied.
    for name, (file, tamper, says) in TAMPERINGS.items():
        path = file(world)
        kept = path.read_bytes()
        tamper(path)
        refused = world.run("apply", "local", code=6)
        assert says in refused.err, name
        path.write_bytes(kept)
    replayed = world.root / ".hawser/local-hyperpod/platform"
    shutil.copytree(
        world.root / ".hawser/local/platform", replayed, ignore=shutil.ignore_patterns("terraform", "init.*")
    )
    refused = world.run("apply", "local-hyperpod", code=6)
    assert "the environment" in refused.err
    shutil.rmtree(replayed.parent)
    assert world.state_keys() == []

    # Where a person must approve, nothing is applied before; an approval is of exactly one bundle.
    # A second plan sets nothing up again.
    world.edit(ENV, "approvals: 0", "approvals: 1")
    again = world.run("plan", "local", "--stack", "platform")
    assert "init" not in again.err
    assert "setting up" not in again.err
    assert "0 of 1 approvals" in world.run("apply", "local", code=6).err
    approved = world.run("approve", "local").out
    assert f"approved platform {world.bundle('local', 'platform').name}" in approved
    unapproved = world.bundle("local", "platform") / "approvals.json"
    kept = unapproved.read_bytes()
    unapproved.write_bytes(kept.replace(b'"bundle": "', b'"bundle": "0'))
    assert "0 of 1 approvals" in world.run("apply", "local", code=6).err
    unapproved.write_bytes(kept)

    # The same tree under another commit keeps it; so does an equal plan, made again.
    git(world.root, "commit", "-q", "--allow-empty", "-m", "two")
    first_bundle = world.bundle("local", "platform")
    world.plan("local", "--stack", "platform")
    assert world.bundle("local", "platform") != first_bundle
    applied = world.run("apply", "local")
    assert f"platform: applied {world.bundle('local', 'platform').name}" in applied.out
    assert "Next: hawser plan local" in applied.out
    assert "already applied" in world.run("apply", "local", code=6).err

    world.edit(ENV, "approvals: 1", "approvals: 0")
    # Now eks is real, counts its pool by the schedule, and is applied once.
    second = world.plan("local")
    assert second["platform"]["counts"].keys() <= {"no-op"}
    assert not second["eks"]["speculative"]
    assert [(p["pool"], p["before"], p["after"]) for p in second["eks"]["capacity"]] == [("k3-block-a", 0, 16)]
    assert "eks: applied" in world.run("apply", "local").out
    assert "already applied" in world.run("apply", "local", code=6).err
    assert world.state_keys() == ["local/eks.tfstate", "local/platform.tfstate"]
    used = world.run("show", "local", "--stack", "eks").out
    assert "USED · " in used
    assert "NEXT" not in used

    # After the apply nothing is left to do and nothing is denied.
    third = world.plan("local")
    assert {name: review["decision"] for name, review in third.items()} == {"platform": "allow", "eks": "allow"}
    assert [set(third[name]["counts"]) for name in ("platform", "eks")] == [{"no-op"}, {"no-op"}]

    # The next block is a pool beside the ending one, and the ending one goes after its end.
    world.edit(ENV, "network:\n", NEXT_BLOCK + "\nnetwork:\n")
    beside = world.plan("local")["eks"]
    assert beside["decision"] == "allow"
    assert beside["counts"].keys() <= {"create", "no-op"}
    assert gpus(beside) == [("k3-block-a", 16, 16, 16), ("k3-block-b", 0, 0, 16)]
    assert "eks: applied" in world.run("apply", "local").out
    path = world.root / ENV
    text = path.read_text(encoding="utf-8")
    ended = text[text.index("  k3-block-a:\n") : text.index("\n  k3-block-b:\n") + 1]
    path.write_text(text.replace(ended, ""), encoding="utf-8")
    gone = world.plan("local", "--stack", "eks")["eks"]
    assert gpus(gone) == [("k3-block-a", 16, 0, 0), ("k3-block-b", 16, 16, 16)]
    assert not gone["speculative"]

    # Then platform changes what eks consumes: eks is speculative, its old plan is dead, approved or not.
    world.run("approve", "local", "--stack", "eks")
    world.edit(ENV, "    usw2-az2: 10.42.16.0/20\n", "    usw2-az2: 10.42.16.0/20\n    usw2-az3: 10.42.32.0/20\n")
    fourth = world.plan("local")
    assert fourth["eks"]["speculative"]
    refused = world.run("apply", "local", code=6)
    assert "platform: applied" in refused.out
    assert "the values consumed from platform" in refused.err

    # Destroyed by the same path, the stack behind platform first; it ends empty.
    destroyed = world.run("destroy", "local")
    assert destroyed.out.index("eks: destroyed") < destroyed.out.index("platform: destroyed")
    assert world.run("destroy", "local").out == "eks: holds no resources\nplatform: holds no resources\n"
    assert [key for key in world.state_keys() if key.endswith(".tflock")] == []
