"""What a rule denies is let through for hours, loudly, and only with the approval of somebody else."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.e2e.conftest import World, git

UNTIL = (datetime.now(UTC) + timedelta(hours=6)).strftime("%Y-%m-%dT%H:%M:%SZ")
GLASS = f"""waivers: []
break_glass:
  by: test@example.com
  reason: INC-7, the logs of the incident are needed today
  stack: bootstrap
  rules: [CKV_AWS_145]
  until: "{UNTIL}"
"""


@pytest.mark.e2e(minutes=2)
@pytest.mark.emulator
def test_broken_glass(world: World) -> None:
    git(world.root, "init", "-q")
    git(world.root, "config", "user.email", "test@example.com")
    world.edit("environments/local/env.yaml", "levels: {}", "levels: {CKV_AWS_145: block}")
    plan = ("local", "--stack", "bootstrap")

    denied = world.plan(*plan, code=4)["bootstrap"]
    assert (denied["decision"], denied["since"], denied["broken_glass"]) == ("deny", None, None)
    (world.root / "environments/local/waivers.yaml").write_text(GLASS, encoding="utf-8")
    broken = world.plan(*plan)["bootstrap"]
    assert broken["decision"] == "needs-approval"
    assert broken["broken_glass"]["by"] == "test@example.com"
    bundle = world.bundle("local", "bootstrap")
    record = json.loads((bundle / "record.json").read_text(encoding="utf-8"))
    assert record["broken_by"] == "test@example.com"
    assert record["good_until"] <= UNTIL
    assert "BROKEN GLASS: test@example.com for CKV_AWS_145 in bootstrap" in (bundle / "report.txt").read_text("utf-8")

    # Compared with the plan before it: the same changes, another weight of the same finding.
    since = broken["since"]
    assert since["digest"] == denied["digest"]
    assert since["same_changes"]
    assert [(p["rule_id"], p["weight"]) for p in since["findings_removed"]] == [("CKV_AWS_145", "block")]
    weights = {(p["rule_id"], p["weight"]) for p in since["findings_added"]}
    assert weights == {("CKV_AWS_145", "approval"), ("HW-BRK-001", "approval")}

    # Whoever broke it cannot approve it, not even by an approval that is put there by hand.
    assert "broke the glass" in world.run("approve", *plan, code=6).err
    assert not (bundle / "approvals.json").exists()
    forged = {"bundle": record["bundle"], "approvals": [{"by": "test@example.com", "at": record["made"]}]}
    (bundle / "approvals.json").write_text(json.dumps(forged), encoding="utf-8")
    assert "0 of 1 approvals" in world.run("apply", *plan, code=6).err
    git(world.root, "config", "user.email", "dave@example.com")
    assert "by dave@example.com (unsigned, 1 of 1 needed" in world.run("approve", *plan).out
