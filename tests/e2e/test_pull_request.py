"""``hawser pr`` on a real repository: what a pull request changes is planned, and only that."""

from __future__ import annotations

import json
import subprocess

import pytest

from hawser.report.pull_request import MARKER
from tests.e2e.conftest import World, git

pytestmark = [pytest.mark.e2e(minutes=1), pytest.mark.emulator, pytest.mark.terraform, pytest.mark.checkov]


def test_a_pull_request_gets_one_verdict(world: World) -> None:
    (world.root / ".gitignore").write_text(".hawser/\nhome/\n__pycache__/\n", encoding="utf-8")
    git(world.root, "init", "-q", "-b", "main")
    git(world.root, "add", "-A")
    git(world.root, "commit", "-q", "-m", "base")
    git(world.root, "checkout", "-q", "-b", "topic")

    (world.root / "README.md").write_text("words", encoding="utf-8")
    nothing = json.loads(world.run("pr", "--base", "main", "--json").out)
    assert (nothing["verdict"], nothing["environments"]) == ("NOTHING TO PLAN", [])

    env = "environments/local/env.yaml"
    world.edit(env, "  monthly_budget_usd: 400000", "  monthly_budget_usd: 400001")
    out = world.root / "home" / "out"
    result = world.run(
        "pr", "--base", "main", "--emulate", "--report", "md", "--out", str(out), "--fail-on", "needs-approval", code=4
    )
    comment = (out / "comment.md").read_text(encoding="utf-8")
    assert comment == result.out
    assert comment.startswith(MARKER + "\n## 🟡 NEEDS APPROVAL: pull request\n")
    assert comment.index("guardrails.monthly_budget_usd changes: 400000 → 400001") < comment.index("local / platform")
    assert "| `local` |" in comment
    assert MARKER in (out / "summary.md").read_text(encoding="utf-8")
    written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert written == ["comment.md", "local/eks/report.md", "local/platform/report.md", "summary.md"]
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=world.root, capture_output=True, text=True, check=True
    )
    assert env in status.stdout

    gone = world.run("pr", "--base", "origin/main", code=2)
    assert gone.err.startswith("hawser: git knows no commit 'origin/main'")
