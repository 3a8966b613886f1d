"""A plan goes to two other desks: planned and pushed by one person, read and approved by the next, applied by CI."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.conftest import World


@dataclass(frozen=True)
class Desk(World):
    """A checkout with somebody of that name at it."""

    name: str = ""
    settings: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        git = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.email", "GIT_CONFIG_VALUE_0": self.name}
        return super().environment() | git | self.settings

    def other(self, name: str, root: Path, **settings: str) -> Desk:
        """Another checkout of the same commit, in the same world."""
        shutil.copytree(self.root, root, ignore=shutil.ignore_patterns(".hawser"))
        (root / ".hawser").mkdir(mode=0o700)
        (root / ".hawser/venv").symlink_to((self.root / ".hawser/venv").resolve())
        shutil.copy(self.root / ".hawser/emulator.json", root / ".hawser")
        return Desk(root, name, settings)


BOOTSTRAP = ("local", "--stack", "bootstrap")


def signed_approvals(world: World, tmp_path: Path) -> None:
    """bootstrap is applied, so its key is there; from now on the environment demands its signature."""
    ann = Desk(world.root, "ann@example.com")
    with ann.emulated("kms") as kms:
        key = hashlib.sha256(kms.get_public_key(KeyId="alias/hawser-approvals")["PublicKey"]).hexdigest()
    unsigned = ("  approvals: 0\n", f"  approvals: 1\n  approval_key: {key}\n  planner_may_approve: false\n")
    ann.edit("environments/local/env.yaml", *unsigned)
    ann.edit("terraform/bootstrap/keys.tf", '"Signatures of approvals"', '"What people approve"')
    planned = ann.plan(*BOOTSTRAP)["bootstrap"]
    assert "(approvals are signed here)" in planned["asks"]
    digest = planned["digest"]
    assert "is by whoever planned" in ann.run("approve", *BOOTSTRAP, code=6).err
    assert f"pushed {digest} (0 approvals)" in ann.run("bundle", "push", *BOOTSTRAP).out

    # Bo reads a report that his own gate made, from the plan itself.
    bo = ann.other("bo@example.com", tmp_path / "bo")
    assert f"pulled {digest} (0 approvals)" in bo.run("bundle", "pull", *BOOTSTRAP).out
    assert "has 0 of 1 approvals" in bo.run("apply", *BOOTSTRAP, code=6).err
    assert "What people approve" in bo.run("show", *BOOTSTRAP).out
    folder = bo.bundle("local", "bootstrap")
    assert {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()} == dict.fromkeys(
        [
            "changes.json", "findings.json", "plan.json", "plan.tfplan", "record.json", "report.html", "report.json",
            "report.md", "report.txt", "stored", "tfvars.json",
        ],
        0o600,
    )  # fmt: skip
    # What he plans himself is compared with it; pulled again, ann's is the one that he approves.
    again = bo.plan(*BOOTSTRAP)["bootstrap"]["since"]
    assert (again["digest"], again["same_changes"], again["same_findings"]) == (digest, True, True)
    assert f"{digest} is here already (0 approvals)" in bo.run("bundle", "pull", *BOOTSTRAP).out
    assert "(signed, 1 of 1 needed" in bo.run("approve", *BOOTSTRAP).out

    # CI knows the key by its own setting, and would not believe another.
    ci = ann.other("ci", tmp_path / "ci", HAWSER_APPROVAL_KEY=key)
    assert f"pulled {digest} (1 approval)" in ci.run("bundle", "pull", *BOOTSTRAP).out
    wrong = Desk(ci.root, "ci", {"HAWSER_APPROVAL_KEY": "0" * 64})
    assert "HAWSER_APPROVAL_KEY names the key 000000000000" in wrong.run("apply", *BOOTSTRAP, code=6).err
    assert "bootstrap: applied" in ci.run("apply", *BOOTSTRAP).out

    # Once, here as elsewhere.
    assert "was already applied" in ci.run("apply", *BOOTSTRAP, code=6).err
    assert "the serial of the state (somebody else has applied)" in bo.run("apply", *BOOTSTRAP, code=6).err
    approvals = json.loads(bo.run("show", *BOOTSTRAP, "--json").out)["bundles"][0]["approvals"]
    assert [approval["by"].rpartition("/")[2] for approval in approvals] == ["bo@example.com"]
    ann.edit("environments/local/env.yaml", *reversed(unsigned))
