"""`hawser gate` on files: exit codes, one line each, and checkov that does not really run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hawser.toolchain.terraform_binary import find_terraform
from tests.gate.test_fitness import CLEAN, UNFIT, document

ROOT = Path(__file__).parents[2]
HAWSER = Path(sys.executable).with_name("hawser")
FIXTURES = ROOT / "tests" / "policy"


def gate(file: Path, *more: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "LANG": "C.UTF-8"}
    return subprocess.run(
        [str(HAWSER), "gate", str(file), *more], cwd=cwd, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("name", sorted(UNFIT))
def test_unfit_is_exit_5_and_one_line_with_what_to_do(name: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(UNFIT[name][0])
    done = gate(file)
    assert (done.returncode, done.stdout) == (5, "")
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("hawser: plan.json ")
    assert lines[1].startswith("  → ")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = gate(tmp_path / "nothing.json")
    assert done.returncode == 5
    assert "cannot be read" in done.stderr


@pytest.mark.checkov
@pytest.mark.usefixtures("venvs")
@pytest.mark.parametrize(
    ("data", "says"),
    [(CLEAN, "ALLOW"), (b"\xef\xbb\xbf" + CLEAN, "byte order mark"), (document(format_version="1.3"), "1.3")],
)
def test_fit_is_judged(data: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(data)
    done = gate(file, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout


@pytest.mark.checkov
@pytest.mark.usefixtures("venvs")
@pytest.mark.parametrize(
    ("fixture", "rule"),
    [("HW-DEL-002/fail-cluster.json", "HW-DEL-002"), ("HW-HYP-003/fail-two-to-one.json", "HW-HYP-003")],
)
def test_loss_is_denied(fixture: str, rule: str) -> None:
    done = gate(FIXTURES / fixture, "--json")
    assert done.returncode == 4, done.stderr
    review = json.loads(done.stdout)
    assert review["decision"] == "deny"
    assert rule in {finding["rule_id"] for finding in review["findings"] if finding["level"] == "block"}


@pytest.mark.checkov
@pytest.mark.usefixtures("venvs")
def test_fail_on_needs_approval_is_exit_4() -> None:
    fixture = FIXTURES / "HW-RUN-001" / next(f.name for f in (FIXTURES / "HW-RUN-001").glob("fail-*.json"))
    assert gate(fixture).returncode == 0
    assert gate(fixture, "--fail-on", "needs-approval").returncode == 4


FAKES = {
    "missing": None,
    "crashing": "import sys; sys.exit(3)",
    "rubbish": "print('hello', flush=True)\nfor line in __import__('sys').stdin: print('rubbish', flush=True)",
    "silent about findings": 'print(\'{"ready": true, "version": "3.3.30", "checks": []}\', flush=True)\n'
    "for line in __import__('sys').stdin: print('{}', flush=True)",
}


@pytest.mark.parametrize("name", sorted(FAKES))
def test_checkov_that_does_not_run_is_exit_5(name: str, tmp_path: Path) -> None:
    """A checkout whose checkov is missing, crashes, or prints rubbish."""
    import hashlib
    import shutil

    for part in ("environments", "tooling/locks", "tooling/hawser/policy"):
        shutil.copytree(ROOT / part, tmp_path / part)
    lock = (tmp_path / "tooling/locks/checkov.txt").read_bytes()
    venv = tmp_path / ".hawser/venv/checkov"
    (venv / "bin").mkdir(parents=True)
    (venv / "lock.sha256").write_text(hashlib.sha256(lock).hexdigest())
    python = venv / "bin/python"
    if FAKES[name] is None:
        python.symlink_to(tmp_path / "nowhere" / "python")
        lock_file = tmp_path / "tooling/locks/checkov.txt"
        lock_file.write_text("checkov==3.3.30 --hash=sha256:" + "0" * 64 + "\n")
    else:
        python.write_text(f"#!{sys.executable}\n{FAKES[name]}\n")
        python.chmod(0o755)
    file = tmp_path / "plan.json"
    file.write_bytes(CLEAN)
    done = gate(file, cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    assert "checkov" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.checkov
@pytest.mark.terraform
@pytest.mark.usefixtures("venvs")
def test_a_binary_plan_is_shown_by_its_root(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_bytes((FIXTURES.parent / "gate" / "plans" / "main.tf").read_bytes())
    binary = str(find_terraform(ROOT / ".hawser").path)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CHECKPOINT_DISABLE": "1"}
    for arguments in (["init", "-input=false"], ["plan", "-input=false", "-out=x.tfplan"]):
        subprocess.run([binary, *arguments], cwd=tmp_path, env=environment, check=True, capture_output=True)
    without = gate(tmp_path / "x.tfplan")
    assert without.returncode == 5
    assert "hawser gate x.tfplan --root DIR" in without.stderr
    shown = gate(tmp_path / "x.tfplan", "--root", str(tmp_path))
    assert shown.returncode == 0, shown.stderr
    assert "2 to create" in shown.stdout
    other = tmp_path / "other"
    other.mkdir()
    (other / "y.tfplan").write_bytes(b"PK" + b"\0" * 100)
    assert gate(other / "y.tfplan", "--root", str(tmp_path)).returncode == 5


@pytest.mark.checkov
@pytest.mark.usefixtures("venvs")
def test_reports_for_code_scanning_and_test_pages_are_written(tmp_path: Path) -> None:
    done = gate(FIXTURES / "HW-NET-001" / "fail-everybody.json", "--report", "sarif,junit", "--out", str(tmp_path))
    assert done.returncode == 4, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["report.junit.xml", "report.sarif"]
    results = json.loads((tmp_path / "report.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert "HW-NET-001" in {result["ruleId"] for result in results}
    assert '<failure message="' in (tmp_path / "report.junit.xml").read_text(encoding="utf-8")
    refused = gate(tmp_path / "report.sarif", "--report", "sarf", "--out", str(tmp_path))
    assert refused.returncode == 2
    assert "sarif, junit" in refused.stderr
