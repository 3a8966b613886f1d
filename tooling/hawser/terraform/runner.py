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
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any

import python_terraform

from hawser.errors import InterruptedRunError

#: What a person's shell may hold and must not reach terraform: each can silently change a plan or print secrets.
_NEVER_INHERITED = ("TF_", "AWS_ENDPOINT_URL")

#: How far terraform's and the provider's heaps grow before they are searched for garbage (Go's GOGC, in percent; its
#: default is 100). Most of their work on a stack is to load the provider's schema, which is kept anyway. Measured with
#: 1.11.4 and hashicorp/aws 5.100.0 on the platform stack, 2026-12-01: plan 8.4 -> 7.0 and show 4.6 -> 3.5 CPU seconds,
#: 650 -> 720 MB; with collection off 7.2 and 3.5 seconds, 960 MB.
HEAP_GROWTH = "400"

#: Seconds between two looks into the log of a running apply.
_FOLLOW_SECONDS = 0.1

#: Seconds that an apply waits for somebody else's state lock before it gives up.
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


#: What asks to stop: Ctrl-C, the supervisor of a job, a terminal or connection that closes.
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
        before = {number: signal.signal(number, self) for number in _SIGNALS}
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
    return (
        {"GOGC": HEAP_GROWTH}
        | kept
        | {
            "TF_IN_AUTOMATION": "1",
            "TF_INPUT": "0",
            "TF_DATA_DIR": str(data_dir),
            "TF_CLI_CONFIG_FILE": str(cli_config),
            "CHECKPOINT_DISABLE": "1",
        }
    )


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
        """``terraform plan`` into the file ``out``. Code 0: nothing to do, 2: changes, anything else: failed.

        It takes no lock, so it needs no right to write beside the state. Terraform refuses to apply a plan whose state
        has moved on meanwhile.
        """
        return self.cmd(
            "plan", on_event=on_event, json=_FLAG, input=False, detailed_exitcode=_FLAG, lock=False, out=str(out),
            var_file=[str(f) for f in var_files], destroy=_FLAG if destroy else None,
        )  # fmt: skip

    def apply(self, plan: Path, log: Path, on_event: OnEvent) -> Answer:
        """``terraform apply`` of exactly this saved plan; it survives this process."""
        return self.cmd(
            "apply", str(plan), on_event=on_event, log=log, json=_FLAG, input=False,
            lock_timeout=f"{LOCK_TIMEOUT_SECONDS}s",
        )  # fmt: skip

    def show(self, plan: Path) -> Answer:
        """``terraform show -json`` of a saved plan; the JSON is in ``out``."""
        return self.cmd("show", str(plan), json=_FLAG, no_color=_FLAG)

    def outputs(self) -> Answer:
        """``terraform output -json``."""
        return self.cmd("output", json=_FLAG, no_color=_FLAG)

    def state_pull(self) -> Answer:
        """``terraform state pull``: the caller keeps only what identifies the state."""
        return self.cmd("state pull")

    def state_push(self, state: Path) -> Answer:
        """``terraform state push`` of a file; terraform refuses to write over another lineage or a newer serial."""
        return self.cmd("state push", str(state), lock_timeout=f"{LOCK_TIMEOUT_SECONDS}s")

    # -- the process ----------------------------------------------------------------------------------------------

    def cmd(
        self, cmd: str, *args: str, on_event: OnEvent | None = None, log: Path | None = None, **options: Any
    ) -> Answer:
        """Run one command to its end. With ``on_event`` stdout is a stream of JSON events instead of the answer.

        With ``log`` terraform writes to that file (0600, removed at the end) instead of pipes, so that it goes on to
        its own end even when this process is killed. Whatever ``on_event`` raises is raised after the child has ended.
        Raises ``InterruptedRunError`` after the child has ended, when a signal was forwarded to it.
        """
        INTERRUPTS.check()
        arguments = self.generate_cmd_string(cmd, *args, **options)
        events = _Events(on_event)
        with contextlib.ExitStack() as open_until_the_end:
            out: IO[bytes] | int = subprocess.PIPE
            if log is not None:
                out = open_until_the_end.enter_context(_private(log))
                open_until_the_end.callback(log.unlink, missing_ok=True)
            process = open_until_the_end.enter_context(
                subprocess.Popen(
                    arguments, cwd=self.working_dir, env=self.environment, stdin=subprocess.DEVNULL, stdout=out,
                    stderr=subprocess.STDOUT if log else subprocess.PIPE, start_new_session=True,
                )
            )  # fmt: skip
            INTERRUPTS.add(process)
            try:
                if log is not None:
                    answer, err = _follow(log, process, events), b""
                else:
                    answer, err = _pipes(process, events if on_event else None)
                code = process.wait()
            finally:
                INTERRUPTS.remove(process)
        if INTERRUPTS.seen:
            raise InterruptedRunError(f"interrupted: terraform {cmd} stopped by itself (exit {code})")
        if events.failure is not None:
            raise events.failure
        return Answer(code, answer, (err or (answer if log else b"")).decode("utf-8", "replace"))


_FLAG = python_terraform.IsFlagged


class _Events:
    """Hands each JSON line to a listener; other lines (a version manager's, a crash) are kept.

    A listener that fails is not asked again, and never stops the reading: terraform would die of a full or closed pipe.
    """

    def __init__(self, on_event: OnEvent | None) -> None:
        self._on_event = on_event
        self.other: list[bytes] = []
        self.failure: Exception | None = None

    def line(self, line: bytes) -> None:
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict) or "@message" not in event:
            self.other.append(line)
        elif self._on_event is not None and self.failure is None:
            try:
                self._on_event(event)
            except Exception as error:
                self.failure = error


def _pipes(process: subprocess.Popen[bytes], events: _Events | None) -> tuple[bytes, bytes]:
    """Drain both pipes to their end; stdout (or what is no event in it) and stderr."""
    assert process.stdout is not None
    assert process.stderr is not None
    errors: list[bytes] = []
    drain = threading.Thread(target=errors.extend, args=(process.stderr,), daemon=True)
    drain.start()
    if events is None:
        out = process.stdout.read()
    else:
        for line in process.stdout:
            events.line(line)
        out = b"".join(events.other)
    drain.join()
    return out, b"".join(errors)


def _follow(log: Path, process: subprocess.Popen[bytes], events: _Events) -> bytes:
    """Read what the process writes to ``log`` as it comes, until it has ended; what is no event in it."""
    rest = b""
    with log.open("rb") as file:
        while True:
            ended = process.poll() is not None  # asked before the last read, so nothing is missed
            *lines, rest = (rest + file.read()).split(b"\n")
            for line in lines:
                events.line(line + b"\n")
            if ended:
                break
            time.sleep(_FOLLOW_SECONDS)
    if rest:
        events.line(rest)
    return b"".join(events.other)


def _private(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def outer_environment() -> Mapping[str, str]:
    """The environment that this process was given."""
    return os.environ
