"""Starting, finding and ending the emulator of a checkout.

Two servers, ministack and moto, on 127.0.0.1 only. They run until ``down``; what they hold lives in their memory, so
a restart is an empty world, and ``Emulator.started`` names the world.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from hawser.errors import HawserError
from hawser.files import write_atomically
from hawser.toolchain.home import locked, private_folder

#: The S3 bucket for the state of every emulated account and region; ministack_main.py opens it to all.
STATE_BUCKET: Final = "hawser-emulator-state"
#: Seconds until both must answer; they take two to four on an idle machine.
START_SECONDS: Final = 60
#: Seconds after SIGTERM before SIGKILL.
END_SECONDS: Final = 5
POLL_SECONDS: Final = 0.05
#: Seconds for one answer; a server that is alive takes milliseconds.
ANSWER_SECONDS: Final = 5

#: What each answers with 200 at no cost; moto's data.json lists its whole world, which takes seconds.
_SERVERS: Final = {"ministack": "/_ministack/ready", "moto": "/moto-api/"}
_PROGRAMS: Final = {name: Path(__file__).with_name(f"{name}_main.py") for name in _SERVERS}


@dataclass(frozen=True, slots=True)
class Emulator:
    """A running emulator: its ports on 127.0.0.1, its process ids, and the random id of its world (32 hex)."""

    ministack_port: int
    moto_port: int
    ministack_pid: int
    moto_pid: int
    started: str


def up(home: Path, python: Path) -> Emulator:
    """The running emulator of ``home``; started with ``python`` (of the emulator's environment) when there is none.

    Two processes that call at once get the same one. Raises ``HawserError`` that names the log file when a server does
    not answer within a minute or ends.
    """
    home, python = home.absolute(), python.absolute()
    with _alone(home):
        emulator = _recorded(home)
        if emulator and _alive(emulator):
            # One that is only slow, or was left starting by a process that died, is waited for: ending it ends a world.
            try:
                _wait(home, _ports_of(emulator), lambda _: not _alive(emulator))
            except HawserError as error:
                if _alive(emulator):
                    fix = "End it with `hawser emulator down`; its world is lost."
                    raise HawserError(error.message, fix=fix) from None
            else:
                _make_state_bucket(home, emulator.ministack_port)
                return emulator
        _end(emulator)
        return _start(home, python)


def status(home: Path) -> Emulator | None:
    """The emulator of ``home`` if both servers are ours, alive and answer; else ``None``."""
    emulator = _recorded(home)
    if emulator is None:
        return None
    ready = _alive(emulator) and all(_answers(name, port) for name, port in _ports_of(emulator).items())
    return emulator if ready else None


def down(home: Path) -> bool:
    """End the emulator of ``home`` and forget its world, but not its ports; whether there was anything to end."""
    if not home.is_dir():
        return False
    with _alone(home):
        ended = _end(_recorded(home))
        _record_file(home).unlink(missing_ok=True)
        return ended


# -- what is written down ----------------------------------------------------------------------------------------------


def _record_file(home: Path) -> Path:
    return home / "emulator.json"


def _folder(home: Path) -> Path:
    return home / "emulator"


def _alone(home: Path) -> Any:
    return locked(private_folder(_folder(private_folder(home))) / "lock")


def _recorded(home: Path) -> Emulator | None:
    record = _read_json(_record_file(home))
    expected = {field.name: str if field.name == "started" else int for field in fields(Emulator)}
    if set(record) != set(expected) or any(type(record[name]) is not kind for name, kind in expected.items()):
        return None
    emulator = Emulator(**record)
    numbers = (emulator.ministack_pid, emulator.moto_pid, emulator.ministack_port, emulator.moto_port)
    if not re.fullmatch("[0-9a-f]{32}", emulator.started) or any(not 0 < number < 1 << 22 for number in numbers):
        return None
    return emulator


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_json(path: Path, value: dict[str, Any]) -> None:
    write_atomically(path, (json.dumps(value, indent=1, sort_keys=True) + "\n").encode(), 0o600)


# -- starting ----------------------------------------------------------------------------------------------------------


def _start(home: Path, python: Path) -> Emulator:
    ports = _ports(home)
    world = secrets.token_hex(16)
    children: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name in _SERVERS:
            children[name] = _spawn(home, python, name, ports[name], world)
        emulator = Emulator(ports["ministack"], ports["moto"], children["ministack"].pid, children["moto"].pid, world)
        # Before they answer: if this process dies now, the next `up` or `down` still finds and ends them.
        _write_json(_record_file(home), asdict(emulator))
        _wait(home, ports, lambda name: children[name].poll() is not None)
        _make_state_bucket(home, ports["ministack"])
    except BaseException:
        for name, child in children.items():
            _stop(child.pid, _ours(name, child.pid, world))
        _record_file(home).unlink(missing_ok=True)
        raise
    finally:
        for child in children.values():
            child.returncode = child.returncode or 0  # it outlives this object: not an unfinished child to warn about
    return emulator


def _ports(home: Path) -> dict[str, int]:
    """The ports of last time where they are free, else new ones; remembered beside the logs."""
    file = _folder(home) / "ports.json"
    remembered = _read_json(file)
    ports: dict[str, int] = {}
    holders = []
    try:
        for name in _SERVERS:
            holder = _bind(remembered.get(name)) or _bind(0)
            if holder is None:
                raise HawserError("no free port on 127.0.0.1 for the emulator", fix="End what holds them.")
            holders.append(holder)
            ports[name] = holder.getsockname()[1]
    finally:
        for holder in holders:
            holder.close()
    if ports != remembered:
        _write_json(file, ports)
    return ports


def _bind(port: Any) -> socket.socket | None:
    if type(port) is not int or not 0 <= port < 65536:
        return None
    holder = socket.socket()
    # As the servers do: the remains of closed connections do not make a port taken, a listener does.
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        holder.bind(("127.0.0.1", port))
        holder.listen(1)
    except OSError:
        holder.close()
        return None
    return holder


def _spawn(home: Path, python: Path, name: str, port: int, world: str) -> subprocess.Popen[bytes]:
    folder = private_folder(_folder(home) / name)
    for sub in ("tmp", "data"):
        shutil.rmtree(folder / sub, ignore_errors=True)
        private_folder(folder / sub)
    # Nothing of the person's environment: no credentials, profiles, proxies or settings of either server, and no
    # Docker daemon, for EKS would start containers on it.
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "TMPDIR": str(folder / "tmp"),
        "STATE_DIR": str(folder / "data"),
        "S3_DATA_DIR": str(folder / "data"),
        "DOCKER_HOST": f"unix://{folder}/no-docker",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "LOG_LEVEL": "WARNING",
    }
    try:
        with _open_log(_log(home, name)) as log:
            return subprocess.Popen(
                [str(python), "-I", str(_PROGRAMS[name]), str(port), world],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )
    except OSError as error:
        raise HawserError(
            f"{python} cannot be started ({error.strerror})", fix="Delete .hawser/venv/emulator; it is built again."
        ) from None


def _log(home: Path, name: str) -> Path:
    return _folder(home) / f"{name}.log"


def _open_log(path: Path) -> Any:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _wait(home: Path, ports: Mapping[str, int], ended: Callable[[str], bool]) -> None:
    """Until both answer; ``ended(name)`` says that a server never will."""
    deadline = time.monotonic() + START_SECONDS
    waiting = list(ports)
    while True:
        for name in waiting[:]:
            if _answers(name, ports[name]):
                waiting.remove(name)
            elif ended(name):
                raise HawserError(
                    f"{name} of the emulator ended at its start: {_last_line(_log(home, name))}",
                    fix=f"See {_log(home, name)}; `hawser doctor` checks the environment of the emulator.",
                )
        if not waiting:
            return
        if time.monotonic() > deadline:
            raise HawserError(
                f"{waiting[0]} of the emulator did not answer within {START_SECONDS} s",
                fix=f"See {_log(home, waiting[0])}.",
            )
        time.sleep(POLL_SECONDS)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else f"without a word in {log}"


def _make_state_bucket(home: Path, port: int) -> None:
    """CreateBucket as a bare request: the emulator reads the account of the signature and checks nothing else of it."""
    scope = "Credential=000000000000/20260101/us-east-1/s3/aws4_request"
    headers = {"Authorization": f"AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=0"}
    status_code = _request(port, "PUT", f"/{STATE_BUCKET}", headers)
    if status_code != 200:
        raise HawserError(
            f"the emulator did not make the bucket {STATE_BUCKET} (HTTP {status_code})",
            fix=f"See {_log(home, 'ministack')}.",
        )


def _request(port: int, method: str, path: str, headers: Mapping[str, str]) -> int | None:
    """The HTTP status, or ``None`` when nothing answers."""
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
    try:
        connection.request(method, path, headers=dict(headers))
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


# -- looking and ending ------------------------------------------------------------------------------------------------


def _servers(emulator: Emulator) -> tuple[tuple[str, int], ...]:
    return ("ministack", emulator.ministack_pid), ("moto", emulator.moto_pid)


def _ports_of(emulator: Emulator) -> dict[str, int]:
    return {"ministack": emulator.ministack_port, "moto": emulator.moto_port}


def _alive(emulator: Emulator) -> bool:
    return all(_is_ours(name, pid, emulator.started) for name, pid in _servers(emulator))


def _answers(name: str, port: int) -> bool:
    return _request(port, "GET", _SERVERS[name], {}) == 200


def _is_ours(name: str, pid: int, world: str) -> bool:
    """Whether ``pid`` is the server that was started for ``world``: a pid alone may be another process by now."""
    command = _command_line(pid)
    words = command.split()
    return words[-1:] == [world] and any(Path(word).name == _PROGRAMS[name].name for word in words)


def _command_line(pid: int) -> str:
    """The command line of a process; empty for one that is gone or only waits to be reaped."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return ""
    except OSError:
        return ""
    listing = ["ps", "-ww", "-o", "command=", "-p", str(pid)]  # a system without /proc
    return subprocess.run(listing, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout


def _ours(name: str, pid: int, world: str) -> Callable[[], bool]:
    return lambda: _is_ours(name, pid, world)


def _end(emulator: Emulator | None) -> bool:
    """End both servers; whether one was alive."""
    if emulator is None:
        return False
    ended = [_stop(pid, _ours(name, pid, emulator.started)) for name, pid in _servers(emulator)]
    return any(ended)


def _stop(pid: int, alive: Callable[[], bool]) -> bool:
    """SIGTERM, then SIGKILL to a process that is alive; whether it was."""
    if not alive():
        _reap(pid)
        return False
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            break
        deadline = time.monotonic() + END_SECONDS
        while alive() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            _reap(pid)
        if not alive():
            break
    _reap(pid)
    return True


def _reap(pid: int) -> None:
    """Take the exit status, if it is a child of this very process."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
