"""A checkov that is missing, breaks, lies or hangs is never taken for a run. Small scripts play the worker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from hawser.errors import CannotJudgeError
from hawser.policy.checkov import CheckovPolicy, CheckovWorker, Listed, what_it_reads
from hawser.policy.findings import Level, Severity
from hawser.terraform.plan import Plan, read_plan

PYTHON = Path(sys.executable)
POLICY = CheckovPolicy({"CKV_AWS_1": Listed(Level.BLOCK, Severity.HIGH, "do it")}, {"CKV_AWS_2": "for a reason"})
FOUND = [["CKV_AWS_24", "Ensure no port", "aws_security_group.this"]]
READY = {"ready": True, "version": "9.9", "checks": ["CKV_AWS_1", "CKV_AWS_2"], "canary": FOUND, "errors": []}
ANSWER = {"resources": 1, "passed": 4, "failed": [], "skipped": 0, "unread": 0, "errors": []}


def a_plan(*addresses: str, actions: tuple[str, ...] = ("create",)) -> Plan:
    resources = [{"address": a, "mode": "managed", "type": "aws_a", "name": "b", "values": {}} for a in addresses]
    document = {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "complete": True,
        "errored": False,
        "applyable": "no-op" not in actions,
        "planned_values": {"root_module": {"resources": resources}},
        "resource_changes": [
            {**resource, "change": {"actions": list(actions), "before": {"x": 1}, "after": {"x": 1}}}
            for resource in resources
        ],
        "prior_state": {"values": {}},
    }
    return read_plan(json.dumps(document).encode(), "plan.json")


def start(tmp_path: Path, *, ready: Any = READY, answer: Any = ANSWER, body: str = "", **more: Any) -> CheckovWorker:
    """A worker that says ``ready`` and gives ``answer`` to each request, after running ``body``."""
    script = tmp_path / "worker.py"
    script.write_text(
        "import json, os, signal, sys, time\n"
        + textwrap.dedent(body)
        + f"\nprint({json.dumps(json.dumps(ready))}, flush=True)\n"
        + f"for line in sys.stdin:\n    print({json.dumps(json.dumps(answer))}, flush=True)\n",
        encoding="utf-8",
    )
    return CheckovWorker.start(PYTHON, "9.9", worker=script, policy=POLICY, **more)


def judged(worker: CheckovWorker, plan: Plan) -> Any:
    with worker:
        return worker.judge(plan.document, plan)


def test_an_honest_answer_is_taken(tmp_path: Path) -> None:
    failed = [["CKV_AWS_1", "Ensure it", "aws_a.b"], ["CKV_AWS_9", "Ensure that", "aws_a.b"]]
    result = judged(start(tmp_path, answer=ANSWER | {"failed": failed}), a_plan("aws_a.b"))
    assert (result.version, result.passed, result.failed, result.off) == ("9.9", 4, 2, ("CKV_AWS_2",))
    listed, other = result.findings
    assert (listed.rule_id, listed.level, listed.severity, listed.fix) == (
        "CKV_AWS_1",
        Level.BLOCK,
        Severity.HIGH,
        "do it",
    )
    assert (listed.address, listed.message, listed.source, listed.changed) == ("aws_a.b", "Ensure it", "checkov", True)
    assert (other.level, other.severity) == (Level.ADVISORY, Severity.MEDIUM)


def test_findings_on_untouched_resources_do_not_decide(tmp_path: Path) -> None:
    answer = ANSWER | {"failed": [["CKV_AWS_1", "Ensure it", "aws_a.b"]]}
    (finding,) = judged(start(tmp_path, answer=answer), a_plan("aws_a.b", actions=("no-op",))).findings
    assert not finding.changed
    assert not finding.decides


def test_a_provider_block_has_no_address(tmp_path: Path) -> None:
    answer = ANSWER | {"failed": [["CKV_AWS_1", "Ensure it", "aws.default"]]}
    (finding,) = judged(start(tmp_path, answer=answer), a_plan("aws_a.b")).findings
    assert (finding.address, finding.message, finding.decides) == ("", "Ensure it (provider aws.default)", True)


def test_an_empty_plan_may_have_no_resources(tmp_path: Path) -> None:
    assert judged(start(tmp_path, answer=ANSWER | {"resources": 0}), a_plan()).findings == ()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "did not say whether anything went wrong"),
        (ANSWER | {"resources": 0}, "looked at 0 resources where the plan has 1"),
        (ANSWER | {"resources": 2}, "looked at 2 resources where the plan has 1"),
        (ANSWER | {"resources": True}, "without its counts"),
        (ANSWER | {"passed": None}, "without its counts"),
        (ANSWER | {"failed": {}}, "without its counts"),
        (ANSWER | {"failed": [["CKV_AWS_1"]]}, "without check, name and address"),
        (ANSWER | {"unread": 1}, "could not read the plan"),
        (ANSWER | {"skipped": 1}, "skipped 1 results"),
        (ANSWER | {"errors": ["check CKV_AWS_3 raised KeyError", "x"]}, r"raised KeyError \(and 1 more\)"),
        ([1], "not JSON"),
    ],
)
def test_an_answer_that_is_not_a_whole_run_is_refused(tmp_path: Path, answer: Any, said: str) -> None:
    with pytest.raises(CannotJudgeError, match=said):
        judged(start(tmp_path, answer=answer), a_plan("aws_a.b"))


@pytest.mark.parametrize(
    ("ready", "said"),
    [
        ({}, "something else than that it is ready"),
        (READY | {"version": "9.8"}, "has version 9.8, but 9.9"),
        (READY | {"checks": ["CKV_AWS_2"]}, "lists CKV_AWS_1, which checkov 9.9 does not have"),
        (READY | {"canary": []}, "did not find CKV_AWS_24 in a plan that is known to be bad"),
        ({key: said for key, said in READY.items() if key != "canary"}, "did not find CKV_AWS_24"),
        (READY | {"errors": ["Failed to parse check id CKV_AWS_1"]}, "Failed to parse check"),
    ],
)
def test_a_worker_that_is_not_the_tested_one_is_refused(tmp_path: Path, ready: Any, said: str) -> None:
    with pytest.raises(CannotJudgeError, match=said):
        judged(start(tmp_path, ready=ready), a_plan("aws_a.b"))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise SystemExit(3)", "ended with exit code 3 before it could get ready"),
        ("import checkov_that_is_not_there", "its last words: ModuleNotFoundError"),
        ("print('Traceback: rubbish', flush=True)", "not JSON"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "ended with exit code -9"),
        ("print(os.listdir('/'), flush=True)", "not JSON"),
    ],
)
def test_a_worker_that_breaks_is_refused(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(CannotJudgeError, match=said):
        judged(start(tmp_path, body=body), a_plan("aws_a.b"))


def test_a_worker_that_never_gets_ready_is_refused_and_ended(tmp_path: Path) -> None:
    worker = start(tmp_path, body="time.sleep(600)", ready_seconds=0.3)
    with pytest.raises(CannotJudgeError, match=r"did not get ready within 0\.3 seconds"):
        worker.judge({}, a_plan("aws_a.b"))
    os.killpg(worker.process.pid, signal.SIGKILL)  # what close does after its patience
    worker.close()
    assert worker.process.poll() is not None


def test_a_worker_that_hangs_on_the_plan_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "hangs.py"
    script.write_text(f"import sys\nprint({json.dumps(json.dumps(READY))}, flush=True)\nsys.stdin.read()\n")
    with (
        CheckovWorker.start(PYTHON, "9.9", worker=script, policy=POLICY, judge_seconds=0.3) as worker,
        pytest.raises(CannotJudgeError, match="did not judge the plan within"),
    ):
        worker.judge({}, a_plan("aws_a.b"))


def test_a_missing_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotJudgeError, match=r"could not be started: .*No such file"):
        CheckovWorker.start(tmp_path / "bin" / "python", "9.9", policy=POLICY)


def test_checkov_gets_no_environment_and_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    monkeypatch.setenv("CKV_SKIP", "canary")
    (tmp_path / ".checkov.yaml").write_text("soft-fail: true", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    seen = tmp_path / "seen.json"
    body = f"""
        seen = [dict(os.environ), os.listdir("."), os.getpgid(0), os.stat(".").st_mode & 0o777]
        open({str(seen)!r}, "w").write(json.dumps(seen))
    """
    judged(start(tmp_path, body=body), a_plan("aws_a.b"))
    environment, files, group, mode = json.loads(seen.read_text())
    assert set(environment) <= {"HOME", "TMPDIR", "LANG", "PATH", "LC_CTYPE"}
    assert files == ["talk"]
    assert group != os.getpgid(0)
    assert mode == 0o700


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    worker = start(tmp_path)
    judged(worker, a_plan("aws_a.b"))
    worker.close()
    assert worker.process.poll() == 0
    assert not worker.folder.exists()


def test_it_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    seen = tmp_path / "pid"
    start(tmp_path, body=f"open({str(seen)!r}, 'w').write(str(os.getpid()))").close()
    program = f"""
        import sys, os
        from pathlib import Path
        from hawser.policy.checkov import CheckovWorker, CheckovPolicy
        worker = CheckovWorker.start(Path(sys.executable), "9.9", worker=Path({str(tmp_path / "worker.py")!r}),
                                     policy=CheckovPolicy({{}}, {{}}))
        worker._message(60, "get ready")
        print(worker.process.pid, worker.folder, flush=True)
        os._exit(1)
    """
    tooling = str(Path(__file__).parents[2] / "tooling")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "PYTHONPATH": tooling},
        capture_output=True,
        text=True,
    )
    pid, folder = done.stdout.split()
    for _ in range(600):
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            break
        if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            break
        time.sleep(0.1)
    else:
        pytest.fail("the worker outlived its parent")
    for file in Path(folder).iterdir():
        file.unlink()
    Path(folder).rmdir()


def test_checkov_reads_half_of_a_plan() -> None:
    plan = a_plan("aws_a.b")
    read = what_it_reads(plan.document)
    assert "prior_state" not in read
    assert read["planned_values"] == plan.document["planned_values"]
    assert read["resource_changes"][0]["change"] == {
        "actions": ["create"],
        "before": None,
        "after": None,
        "after_unknown": {},
    }
    assert what_it_reads(read) == read
