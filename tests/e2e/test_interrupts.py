"""Ctrl-C in a plan and in an apply: terraform ends by itself, no lock is left, the next run works."""

from __future__ import annotations

import json
import signal
import subprocess
import time

import pytest

from tests.e2e.conftest import World


def interrupted(process: subprocess.Popen[str]) -> str:
    """Send SIGINT now; what hawser said from then on."""
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=240)
    assert process.returncode == 130, said + out
    assert "Traceback" not in said
    assert "terraform was asked to stop and is waited for" in said
    return said


def interrupt_plan(world: World) -> str:
    """Interrupt a plan while terraform is at work on it."""
    with world.start("plan", "local") as process:
        while not any(" plan " in line for line in terraforms(world)):
            assert process.poll() is None, "it ended before it could be interrupted"
            time.sleep(0.05)
        return interrupted(process)


def interrupt_apply(world: World) -> str:
    """Interrupt an apply as soon as the first resource is there."""
    with world.start("apply", "local") as process:
        assert process.stderr is not None
        line = next((line for line in process.stderr if line.startswith("  done")), "")
        assert line, "it ended before it could be interrupted"
        return interrupted(process)


def locks(world: World) -> list[str]:
    """Locks of states that somebody holds."""
    return [key for key in world.state_keys() if key.endswith(".tflock")]


def terraforms(world: World) -> list[str]:
    """terraform processes that still work for this world."""
    listing = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if str(world.root) in line and "terraform" in line.split()[0]]


@pytest.mark.e2e(minutes=2)
@pytest.mark.emulator
def test_interrupts(world: World) -> None:
    world.run("emulator", "up")
    interrupt_plan(world)
    assert terraforms(world) == []
    assert not locks(world)
    assert not (world.root / ".hawser/local/platform/newest").exists()

    # A plan neither waits for somebody's lock nor takes one; it says whose it is.
    with world.emulated("s3") as s3:
        place = {"Bucket": "hawser-emulator-state", "Key": "local/platform.tfstate.tflock"}
        held = {"Who": "ann@laptop", "Operation": "OperationTypeApply", "Created": "2026-12-01T02:00:00Z"}
        s3.put_object(**place, Body=json.dumps(held).encode())
        (noted,) = world.plan("local", "--stack", "platform")["platform"]["notes"]
        assert "locked while this was planned (ann@laptop, Apply, since 2026-12-01T02:00:00Z)" in noted
        s3.delete_object(**place)
    said = interrupt_apply(world)
    assert "the state was saved" in said
    assert "hawser plan local" in said
    assert terraforms(world) == []
    assert not locks(world)
    assert "interrupted" in world.run("apply", "local", code=6).err

    # What was being created at that moment is tainted, which a person has to look at; the rest is planned as before.
    left = world.plan("local", "--stack", "platform")["platform"]
    assert left["counts"]["create"] > 0
    assert left["decision"] in ("allow", "needs-approval")
    assert {f["rule_id"] for f in left["findings"] if f["level"] != "advisory"} <= {"HW-DEL-005"}
    world.run("approve", "local")
    world.run("apply", "local")
