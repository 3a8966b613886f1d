"""The main job on the hyperpod target, with the other environment planned in between."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import World

ENV = "environments/local-hyperpod/env.yaml"


@pytest.mark.e2e
@pytest.mark.emulator
def test_hyperpod(world: World) -> None:
    first = world.plan("local-hyperpod")
    assert first["hyperpod"]["speculative"]
    assert not list((world.root / ".hawser/local-hyperpod/hyperpod").rglob("*.tfplan"))
    world.run("approve", "local-hyperpod")
    assert "platform: applied" in world.run("apply", "local-hyperpod").out

    # Two environments in turn: each keeps its own backend and state.
    assert world.plan("local")["platform"]["counts"].keys() == {"create"}
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

    # The emulator is the target of the other environment too; what it holds of hyperpod is said there.
    world.edit(ENV, "target: hyperpod", "target: hyperpod # unchanged")
    raised = world.run("gate", str(world.bundle("local-hyperpod", "hyperpod") / "plan.json"), "--env", "local-hyperpod")
    assert "ALLOW" in raised.out

    assert "hyperpod: destroyed" in world.run("destroy", "local-hyperpod").out
    assert {key for key in world.state_keys() if key.endswith(".tflock")} == set()
