"""Starting, finding and ending: real servers in folders of their own."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from hawser.emulator.process import Emulator, down, status, up
from hawser.errors import HawserError

pytestmark = pytest.mark.emulator

UP = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from hawser.emulator.process import up
print(json.dumps(asdict(up(Path(sys.argv[1]), Path(sys.argv[2])))))
"""


def _gone(pid: int) -> bool:
    try:
        return b"_main.py" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return True


def test_life_of_an_emulator(emulator_python: Path, tmp_path: Path) -> None:
    home = tmp_path / "checkout" / ".hawser"
    assert status(home) is None
    assert down(home) is False

    # Two processes at once get the same one.
    paths = os.pathsep.join(sys.path)
    both = [
        subprocess.Popen(
            [sys.executable, "-c", UP, str(home), str(emulator_python)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        for _ in range(2)
    ]
    answers = [json.loads(one.communicate()[0]) for one in both]
    assert answers[0] == answers[1]
    first = Emulator(**answers[0])
    try:
        assert status(home) == first
        assert up(home, Path("/nonexistent/python")) == first  # running: nothing is started

        record = home / "emulator.json"
        assert json.loads(record.read_text()) == asdict(first)
        assert stat.S_IMODE(record.stat().st_mode) == 0o600
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        for name in ("ministack", "moto"):
            assert stat.S_IMODE((home / "emulator" / f"{name}.log").stat().st_mode) == 0o600
        assert os.getsid(first.moto_pid) == first.moto_pid  # a session of its own: no Ctrl-C of the terminal reaches it

        # One server dies: the world is not whole, so `up` ends the rest and makes a new one on the same ports.
        os.kill(first.moto_pid, signal.SIGKILL)
        while not _gone(first.moto_pid):
            time.sleep(0.02)
        assert status(home) is None
        second = up(home, emulator_python)
        assert _gone(first.ministack_pid)
        assert second.started != first.started
        assert (second.ministack_port, second.moto_port) == (first.ministack_port, first.moto_port)
        assert status(home) == second
        assert down(home) is True
        assert _gone(second.ministack_pid)
        assert _gone(second.moto_pid)
        assert not record.exists()
        assert status(home) is None
        assert down(home) is False
    finally:
        down(home)


def _listening(pid: int) -> set[str]:
    """Local addresses, as /proc writes them, on which the process listens (TCP) or receives (UDP)."""
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    found = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[9] in inodes and (fields[3] == "0A" or table.startswith("udp")):
                found.add(fields[1])
    return found


@pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="reads Linux's tables of sockets")
def test_only_the_loopback_interface(emulator: Emulator) -> None:
    for pid, port in (
        (emulator.ministack_pid, emulator.ministack_port),
        (emulator.moto_pid, emulator.moto_port),
    ):
        assert _listening(pid) == {f"0100007F:{port:04X}"}


def test_a_record_of_another_process_is_not_believed(emulator: Emulator, tmp_path: Path) -> None:
    """The ports answer, but the ids are of a process that is not the server: nothing may be signalled."""
    home = tmp_path / ".hawser"
    home.mkdir()
    record = home / "emulator.json"
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        record.write_text(json.dumps({**asdict(emulator), "ministack_pid": bystander.pid, "moto_pid": bystander.pid}))
        assert status(home) is None
        assert down(home) is False
        assert bystander.poll() is None
        assert not record.exists()
    finally:
        bystander.kill()
        bystander.wait()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"ministack_port": "1"}', "null"])
def test_an_unreadable_record_is_no_emulator(tmp_path: Path, text: str) -> None:
    (tmp_path / "emulator.json").write_text(text)
    assert status(tmp_path) is None
    assert down(tmp_path) is False


def test_a_server_that_ends_at_once_is_one_sentence_with_the_log(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no such module: ministack\nexit 3\n")
    broken.chmod(0o755)
    home = tmp_path / ".hawser"
    with pytest.raises(HawserError) as caught:
        up(home, broken)
    assert "ended at its start: no such module: ministack" in caught.value.message
    assert str(home / "emulator") in caught.value.fix
    assert ".log" in caught.value.fix
    assert not (home / "emulator.json").exists()


def test_no_python_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HawserError, match=r"/nonexistent/python cannot be started"):
        up(tmp_path / ".hawser", Path("/nonexistent/python"))


@pytest.mark.parametrize(("program", "package"), [("ministack_main", "ministack"), ("moto_main", "moto")])
def test_another_version_is_refused(emulator_python: Path, program: str, package: str) -> None:
    import hawser.emulator

    path = Path(hawser.emulator.__file__).with_name(f"{program}.py")
    script = "import importlib.metadata, runpy, sys; importlib.metadata.version = lambda name: '0.0.1'\n"
    script += f"sys.argv = [{str(path)!r}, '1', 'w']; runpy.run_path({str(path)!r}, run_name='__main__')"
    done = subprocess.run([str(emulator_python), "-I", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{program}: verified for {package} ")
    assert done.stderr.count("\n") == 1
