"""The only file that starts terraform.

The package python_terraform builds the argument lists (``generate_cmd_string``) and gives the answer its shape
(return code, stdout, stderr). Its process handling is replaced: it buffers all output, logs values, reads the state
file after every command, and leaves the lock behind when interrupted. Here each terraform runs in a session of its
own, an interrupt is forwarded once and waited for, both pipes are drained as they fill, and no output is ever logged.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any

import python_terraform

from hawser.errors import InterruptedRunError

#: What a person's shell may hold and must not reach terraform: each can silently change a plan or print secrets.
_NEVER_INHERITED = ("TF_", "AWS_ENDPOINT_URL")

#: Seconds that a command waits for somebody else's state lock before it gives up.
LOCK_TIMEOUT_SECONDS = 60

#: (kind, message): one event of terraform's machine-readable output, for progress.
OnEvent = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a terraform command answered: return code, stdout, stderr. Never logged: both may hold secrets."""

    code: int
    out: bytes
    err: str

    def __repr__(self) -> str:
        """The code only."""
        return f"Answer(code={self.code})"


class Interrupts:
    """Forwards SIGINT and SIGTERM once to every running terraform, and remembers that it did."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._told: dict[int, object] = {}
        self._lock = threading.Lock()
        self.seen = False

    def add(self, process: subprocess.Popen[bytes]) -> None:
        """A terraform has started."""
        with self._lock:
            self._running.add(process)
        if self.seen:
            self._tell(process)

    def _tell(self, process: subprocess.Popen[bytes]) -> None:
        """Interrupt it once: terraform takes a second signal as an order to stop without saving its state."""
        me = object()
        if self._told.setdefault(process.pid, me) is me:  # one step, so handler and thread cannot both come first
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)

    def remove(self, process: subprocess.Popen[bytes]) -> None:
        """A terraform has ended."""
        with self._lock:
            self._running.discard(process)
            self._told.pop(process.pid, None)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """The signal handler. A second signal only explains: forcing terraform to stop would lose the state."""
        del number, frame
        if self.seen:
            _say("still waiting for terraform to stop by itself, so that the state is saved and the lock released")
            return
        self.seen = True
        running = list(self._running)
        for process in running:
            self._tell(process)
        _say("interrupted: terraform was asked to stop and is waited for" if running else "interrupted")

    def check(self) -> None:
        """Raise ``InterruptedRunError`` when a signal has come: the handler itself never raises, at no place."""
        if self.seen:
            raise InterruptedRunError("interrupted")

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """Within this block (main thread) signals are forwarded; it ends in ``InterruptedRunError`` when one came."""
        self.seen = False
        before = {number: signal.signal(number, self) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self.check()


def _say(text: str) -> None:
    """Straight to stderr: a signal may arrive while Python's own stream is busy, and must not fail then."""
    with contextlib.suppress(OSError):
        os.write(2, f"\nhawser: {text}\n".encode())


#: One per process, because signal handlers are.
INTERRUPTS = Interrupts()


def clean_environment(
    outer: Mapping[str, str], data_dir: Path, cli_config: Path, aws: Mapping[str, str] | None
) -> dict[str, str]:
    """The environment of a terraform: the person's, less what could change a plan unseen, plus ours.

    ``aws`` replaces every AWS_* variable (the emulator's endpoints and fake keys); without it the person's credentials
    stay, but redirected endpoints do not.
    """
    kept = {k: v for k, v in outer.items() if not k.startswith(_NEVER_INHERITED)}
    if aws is not None:
        kept = {k: v for k, v in kept.items() if not k.startswith("AWS_")} | dict(aws)
    return kept | {
        "TF_IN_AUTOMATION": "1",
        "TF_INPUT": "0",
        "TF_DATA_DIR": str(data_dir),
        "TF_CLI_CONFIG_FILE": str(cli_config),
        "CHECKPOINT_DISABLE": "1",
    }


class Terraform(python_terraform.Terraform):  # type: ignore[misc]
    """terraform in one folder with one environment."""

    def __init__(self, binary: Path, folder: Path, environment: Mapping[str, str]) -> None:
        """``folder`` is the stack's root module. The base initialiser reads state files, so it is not called."""
        self.terraform_bin_path = str(binary)
        self.working_dir = folder
        self.environment = dict(environment)

    def __getattr__(self, item: str) -> Any:
        """No method by accident: the base class would run any misspelt name as a terraform command."""
        raise AttributeError(item)

    # -- commands -------------------------------------------------------------------------------------------------

    def init(self, backend: Mapping[str, str | bool], on_event: OnEvent) -> Answer:
        """``terraform init`` with this backend; the lock file is only read."""
        settings = {key: str(value).lower() if isinstance(value, bool) else value for key, value in backend.items()}
        return self.cmd(
            "init", on_event=on_event, json=_FLAG, input=False, reconfigure=_FLAG, lockfile="readonly",
            backend_config=settings,
        )  # fmt: skip

    def plan(self, out: Path, var_files: list[Path], on_event: OnEvent, *, destroy: bool = False) -> Answer:
        """``terraform plan`` into the file ``out``. Code 0: nothing to do, 2: changes, anything else: failed."""
        return self.cmd(
            "plan", on_event=on_event, json=_FLAG, input=False, detailed_exitcode=_FLAG,
            lock_timeout=f"{LOCK_TIMEOUT_SECONDS}s", out=str(out), var_file=[str(f) for f in var_files],
            destroy=_FLAG if destroy else None,
        )  # fmt: skip

    def apply(self, plan: Path, on_event: OnEvent) -> Answer:
        """``terraform apply`` of exactly this saved plan."""
        return self.cmd(
            "apply", str(plan), on_event=on_event, json=_FLAG, input=False, lock_timeout=f"{LOCK_TIMEOUT_SECONDS}s"
        )

    def show(self, plan: Path) -> Answer:
        """``terraform show -json`` of a saved plan; the JSON is in ``out``."""
        return self.cmd("show", str(plan), json=_FLAG, no_color=_FLAG)

    def outputs(self) -> Answer:
        """``terraform output -json``."""
        return self.cmd("output", json=_FLAG, no_color=_FLAG)

    def state_pull(self) -> Answer:
        """``terraform state pull``: the caller keeps only what identifies the state."""
        return self.cmd("state pull")

    # -- the process ----------------------------------------------------------------------------------------------

    def cmd(self, cmd: str, *args: str, on_event: OnEvent | None = None, **options: Any) -> Answer:
        """Run one command to its end. With ``on_event`` stdout is a stream of JSON events instead of the answer.

        Raises ``InterruptedRunError`` after the child has ended, when a signal was forwarded to it.
        """
        INTERRUPTS.check()
        arguments = self.generate_cmd_string(cmd, *args, **options)
        with subprocess.Popen(
            arguments, cwd=self.working_dir, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        ) as process:  # fmt: skip
            INTERRUPTS.add(process)
            try:
                assert process.stdout is not None
                assert process.stderr is not None
                errors: list[bytes] = []
                drain = threading.Thread(target=_drain, args=(process.stderr, errors), daemon=True)
                drain.start()
                out = _events(process.stdout, on_event) if on_event else process.stdout.read()
                drain.join()
                code = process.wait()
            finally:
                INTERRUPTS.remove(process)
        if INTERRUPTS.seen:
            raise InterruptedRunError(f"interrupted: terraform {cmd} stopped by itself (exit {code})")
        return Answer(code, out, b"".join(errors).decode("utf-8", "replace"))


_FLAG = python_terraform.IsFlagged


def _drain(pipe: IO[bytes], into: list[bytes]) -> None:
    into.extend(pipe)


def _events(pipe: IO[bytes], on_event: OnEvent) -> bytes:
    """Hand each JSON line to ``on_event``; other lines (a version manager's, a crash) are kept and returned."""
    other: list[bytes] = []
    for line in pipe:
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if isinstance(event, dict) and "@message" in event:
            on_event(event)
        else:
            other.append(line)
    return b"".join(other)


def outer_environment() -> Mapping[str, str]:
    """The environment that this process was given."""
    return os.environ
