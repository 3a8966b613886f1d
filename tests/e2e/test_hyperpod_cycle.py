"""The main job on the hyperpod target, with the other environment planned in between."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import World

ENV = "environments/local-hyperpod/env.yaml"


EKS_POOLS = """capacity:
  k3-on-demand:
    instance_type: p6-b300.48xlarge
    kind: on-demand
    count: 2
    zone_id: usw2-az2

"""


@pytest.mark.e2e(minutes=5)
@pytest.mark.emulator
def test_hyperpod(world: World) -> None:
    first = world.plan("local-hyperpod")
    assert first["hyperpod"]["speculative"]
    assert not list((world.root / ".hawser/local-hyperpod/hyperpod").rglob("*.tfplan"))
    world.run("approve", "local-hyperpod")
    assert "platform: applied" in world.run("apply", "local-hyperpod").out

    # Two environments in turn: each keeps its own backend and state.
    assert world.plan("local", "--stack", "platform")["platform"]["counts"].keys() == {"create"}
    assert world.state_keys() == ["local-hyperpod/platform.tfstate"]

    second = world.plan("local-hyperpod")
    assert second["platform"]["counts"].keys() == {"no-op"}
    assert not second["hyperpod"]["speculative"]
    pools = {p["pool"]: (p["before"], p["after"]) for p in second["hyperpod"]["capacity"]}
    assert pools == {"k3-on-demand": (0, 8), "k3-plan-a": (0, 8)}
    report = world.run("show", "local-hyperpod").out
    assert "k3-on-demand" in report
    assert "k3-plan-a" in report
    assert "hyperpod: applied" in world.run("apply", "local-hyperpod").out

    third = world.plan("local-hyperpod")
    assert [set(third[name]["counts"]) for name in ("platform", "hyperpod")] == [{"no-op"}, {"no-op"}]
    assert {review["decision"] for review in third.values()} == {"allow"}

    # The target changes: the old stack stays, is named, and is destroyed by its own name only.
    world.edit(ENV, "target: hyperpod", "target: eks")
    pools = (world.root / ENV).read_text(encoding="utf-8")
    start, end = pools.index("capacity:"), pools.index("network:")
    (world.root / ENV).write_text(pools[:start] + EKS_POOLS + pools[end:], encoding="utf-8")
    fourth = world.plan("local-hyperpod")
    assert fourth["eks"]["decision"] == "needs-approval"
    assert {f["rule_id"] for f in fourth["eks"]["findings"] if f["level"] == "approval"} == {"HW-STK-001"}
    assert fourth["platform"]["counts"].keys() == {"no-op"}
    assert "0 of 1 approvals" in world.run("apply", "local-hyperpod", code=6).err
    world.run("approve", "local-hyperpod", "--stack", "eks")
    assert "eks: applied" in world.run("apply", "local-hyperpod").out
    assert "is not destroyed while" in world.run("destroy", "local-hyperpod", "--stack", "platform", code=6).err
    assert "hyperpod: destroyed" in world.run("destroy", "local-hyperpod", "--stack", "hyperpod").out
    assert world.plan("local-hyperpod", "--stack", "eks")["eks"]["decision"] == "allow"
