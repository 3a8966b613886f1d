"""prod without an account: the emulator shows its plan, AWS is never asked, and nothing of it can be approved."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import World


@pytest.mark.e2e
@pytest.mark.emulator
def test_prod_emulated(world: World) -> None:
    planned = world.plan("prod", "--emulate")
    assert planned["platform"]["emulated"]
    assert planned["eks"]["speculative"]
    assert "made against the emulator" in planned["platform"]["asks"]
    assert "no bundle of prod" in world.run("approve", "prod", code=6).err

    # Forged into the real place, it is still refused.
    (world.root / ".hawser/prod").mkdir()
    (world.root / ".hawser/emulated/prod/platform").rename(world.root / ".hawser/prod/platform")
    assert "made against the emulator" in world.run("approve", "prod", code=6).err


@pytest.mark.e2e
def test_prod_without_credentials(world: World) -> None:
    refused = world.run("plan", "prod", code=3)
    assert "there are no AWS credentials for prod (account 111122223333)" in refused.err
    assert "environments/prod/env.yaml:6" in refused.err
    assert refused.out == ""
    assert not (world.root / ".hawser/prod").exists()
