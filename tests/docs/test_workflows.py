"""The shipped GitHub workflows: linted, pinned, and with no more rights than they need."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))
ZIZMOR = Path(sys.executable).with_name("zizmor")


def workflow(name: str) -> dict[Any, Any]:
    document = yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def steps(name: str, job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = workflow(name)["jobs"][job]["steps"]
    return found


def zizmor(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(ZIZMOR), "--offline", "--persona", "pedantic", "--no-progress", "--no-config", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_zizmor_finds_nothing() -> None:
    result = zizmor(*map(str, FILES))
    assert result.returncode == 0, result.stdout + result.stderr


def test_zizmor_would_find_something(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yml"
    bad.write_text(
        "on: pull_request_target\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n"
        "      - uses: actions/checkout@v4\n      - run: echo ${{ github.event.pull_request.title }}\n",
        encoding="utf-8",
    )
    result = zizmor(str(bad))
    assert result.returncode != 0
    assert {"dangerous-triggers", "template-injection", "unpinned-uses"} <= set(
        re.findall(r"\[([a-z-]+)\]", result.stdout)
    )


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_actions_are_pinned_by_commit_with_their_version(file: Path) -> None:
    uses = re.findall(r"^.*\buses: .*$", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert all(re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line) for line in uses), uses


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_nothing_of_an_event_is_put_into_a_script(file: Path) -> None:
    for job in workflow(file.stem)["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_scripts_are_shell(file: Path) -> None:
    for job in workflow(file.stem)["jobs"].values():
        for script in (step["run"] for step in job["steps"] if "run" in step):
            subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_a_fork_gets_no_credentials() -> None:
    assert True in workflow("plan")  # YAML 1.1 reads `on` so
    assert set(workflow("plan")[True]) == {"pull_request"}
    aws = [step for step in steps("plan", "plan") if "aws-actions" in step.get("uses", "")]
    assert [step["if"].split(" && ")[0] for step in aws] == ["env.FORK == 'false'"]
    plan = next(step["run"] for step in steps("plan", "plan") if step.get("name") == "hawser pr")
    assert 'if [ "$FORK" = true ] || [ -z "$PLAN_ROLE" ]; then emulate=(--emulate); fi' in plan


def test_only_redacted_reports_are_uploaded() -> None:
    uploads = [step["with"]["path"] for step in steps("plan", "plan") if "upload-artifact" in step.get("uses", "")]
    assert uploads == ["reports"]
    assert "upload-artifact" not in (FOLDER / "apply.yml").read_text(encoding="utf-8")


def test_rights_are_those_that_a_job_needs() -> None:
    assert workflow("plan")["permissions"] == workflow("apply")["permissions"] == {}
    jobs = workflow("plan")["jobs"]
    assert jobs["plan"]["permissions"] == {"contents": "read", "id-token": "write"}
    assert jobs["comment"]["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert not [step for step in jobs["comment"]["steps"] if "uses" in step]  # runs nothing of the pull request's
    assert workflow("apply")["jobs"]["apply"]["permissions"] == {"contents": "read", "id-token": "write"}


def test_an_apply_is_protected_and_never_cut_off() -> None:
    document = workflow("apply")
    assert document["jobs"]["apply"]["environment"]
    assert document["concurrency"]["cancel-in-progress"] is False
    assert document["jobs"]["apply"]["steps"][-2]["with"]["role-duration-seconds"] <= 43_200
