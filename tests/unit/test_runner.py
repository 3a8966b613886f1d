"""terraform is started with exactly our arguments and environment, and is waited for when interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hawser.terraform.runner import Terraform, clean_environment

TOOLING = Path(__file__).parents[2] / "tooling"


def fake(folder: Path, body: str) -> Path:
    """A terraform that does what ``body`` (Python) says."""
    path = folder / "terraform"
    path.write_text(f"#!{sys.executable}\nimport json, os, signal, sys, time\n{textwrap.dedent(body)}\n")
    path.chmod(0o755)
    return path


def terraform(folder: Path, body: str, environment: Mapping[str, str] | None = None) -> Terraform:
    return Terraform(fake(folder, body), folder, environment or {"PATH": os.environ["PATH"]})


def ignore(event: Mapping[str, Any]) -> None:
    del event


def test_arguments_of_each_command(tmp_path: Path) -> None:
    tf = terraform(tmp_path, "print(json.dumps(sys.argv[1:]))")
    plan, tfvars = tmp_path / "x.tfplan", tmp_path / "a.tfvars.json"
    assert json.loads(tf.init({"bucket": "b", "use_lockfile": True}, ignore).out) == [
        "init", "-json", "-input=false", "-reconfigure", "-lockfile=readonly",
        "-backend-config=bucket=b", "-backend-config=use_lockfile=true",
    ]  # fmt: skip
    assert json.loads(tf.plan(plan, [tfvars], ignore).out) == [
        "plan", "-json", "-input=false", "-detailed-exitcode", "-lock=false", f"-out={plan}",
        f"-var-file={tfvars}",
    ]  # fmt: skip
    assert "-destroy" in json.loads(tf.plan(plan, [], ignore, destroy=True).out)
    applied = json.loads(tf.apply(plan, tmp_path / "log", ignore).out)
    assert applied == ["apply", "-json", "-input=false", "-lock-timeout=60s", str(plan)]
    assert not (tmp_path / "log").exists()
    assert json.loads(tf.show(plan).out) == ["show", "-json", "-no-color", str(plan)]
    assert json.loads(tf.state_pull().out) == ["state", "pull"]


def test_exit_codes_are_passed_on(tmp_path: Path) -> None:
    assert terraform(tmp_path, "sys.exit(2)").plan(tmp_path / "p", [], ignore).code == 2


def test_a_misspelt_method_is_no_command(tmp_path: Path) -> None:
    with pytest.raises(AttributeError):
        terraform(tmp_path, "").pln()


def test_events_are_read_and_other_lines_kept(tmp_path: Path) -> None:
    seen: list[str] = []
    body = """
        print("version manager says hello")
        print(json.dumps({"@message": "Refreshing", "type": "refresh_start"}))
        print("{broken")
    """
    answer = terraform(tmp_path, body).plan(tmp_path / "p", [], lambda e: seen.append(e["@message"]))
    assert seen == ["Refreshing"]
    assert answer.out == b"version manager says hello\n{broken\n"


def test_megabytes_on_stderr_do_not_block(tmp_path: Path) -> None:
    answer = terraform(tmp_path, "sys.stderr.write('x' * 10_000_000); print('{}')").outputs()
    assert (answer.out, len(answer.err)) == (b"{}\n", 10_000_000)


def test_stdin_is_closed(tmp_path: Path) -> None:
    assert terraform(tmp_path, "print(repr(sys.stdin.read()))").outputs().out == b"''\n"


def test_an_answer_is_never_shown_whole(tmp_path: Path) -> None:
    answer = terraform(tmp_path, "print('hunter2'); sys.stderr.write('hunter3')").outputs()
    assert "hunter" not in repr(answer)


def test_environment_is_cleaned(tmp_path: Path) -> None:
    outer = {
        "PATH": "/bin", "HOME": "/h", "AWS_PROFILE": "prod", "AWS_ENDPOINT_URL": "http://evil",
        "AWS_ENDPOINT_URL_S3": "x", "TF_CLI_ARGS_plan": "-var x=y", "TF_VAR_region": "r", "TF_WORKSPACE": "w",
        "TF_LOG": "TRACE", "TF_DATA_DIR": "d", "TF_CLI_CONFIG_FILE": "/missing",
    }  # fmt: skip
    real = clean_environment(outer, tmp_path / "data", tmp_path / "rc", None)
    assert real == {
        "PATH": "/bin", "HOME": "/h", "AWS_PROFILE": "prod", "TF_IN_AUTOMATION": "1", "TF_INPUT": "0", "GOGC": "400",
        "TF_DATA_DIR": str(tmp_path / "data"), "TF_CLI_CONFIG_FILE": str(tmp_path / "rc"), "CHECKPOINT_DISABLE": "1",
    }  # fmt: skip
    emulated = clean_environment(outer, tmp_path / "data", tmp_path / "rc", {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"})
    assert "AWS_PROFILE" not in emulated
    assert emulated["AWS_ENDPOINT_URL"] == "http://127.0.0.1:1"
    assert clean_environment(outer | {"GOGC": "50"}, tmp_path, tmp_path, None)["GOGC"] == "50"  # a person's own stays


RUN = """
import sys
from pathlib import Path
from hawser.errors import InterruptedRunError
from hawser.terraform.runner import INTERRUPTS, Terraform
folder = Path(sys.argv[1])
with INTERRUPTS.handled():
    try:
        tf = Terraform(folder / "terraform", folder, {"PATH": "/usr/bin:/bin"})
        tf.apply(folder / "p", folder / "log", lambda e: print(e["@message"], flush=True))
    except InterruptedRunError as error:
        print("ended:", error.message, flush=True)
        sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_forwarded_once_and_waited_for(tmp_path: Path, number: int) -> None:
    fake(
        tmp_path,
        """
        count = 0
        def stop(*_):
            global count
            count += 1
        signal.signal(signal.SIGINT, stop)
        print(json.dumps({"@message": "ready"}), flush=True)
        while not count:
            time.sleep(0.02)
        time.sleep(0.5)
        open("saved", "w").write(str(count))
        sys.exit(1)
        """,
    )
    with subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={"PYTHONPATH": str(TOOLING)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(number)
            assert process.stderr.readline() == "\n"
            assert "waited for" in process.stderr.readline()
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "still waiting" in err
    assert "stopped by itself" in out
    assert (tmp_path / "saved").read_text() == "1"


def test_the_child_runs_in_a_session_of_its_own(tmp_path: Path) -> None:
    answer = terraform(tmp_path, "print(os.getsid(0) == os.getpid())").outputs()
    assert answer.out == b"True\n"


SLOW = """
    for number in range(6):
        print(json.dumps({"@message": str(number)}), flush=True)
        time.sleep(0.1)
    open("saved", "w").write("all")
"""


def test_a_listener_that_fails_does_not_stop_terraform(tmp_path: Path) -> None:
    def broken(event: Mapping[str, Any]) -> None:
        raise BrokenPipeError(event["@message"])

    for run in (
        lambda tf: tf.apply(tmp_path / "p", tmp_path / "log", broken),
        lambda tf: tf.plan(tmp_path, [], broken),
    ):
        with pytest.raises(BrokenPipeError, match="0"):
            run(terraform(tmp_path, SLOW))
        assert (tmp_path / "saved").read_text() == "all"
        (tmp_path / "saved").unlink()


def test_an_apply_outlives_a_killed_hawser(tmp_path: Path) -> None:
    fake(tmp_path, SLOW)
    with subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)], stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(TOOLING)}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        process.kill()
    for _ in range(600):
        if (tmp_path / "saved").exists():
            break
        time.sleep(0.05)
    assert (tmp_path / "saved").read_text() == "all"
