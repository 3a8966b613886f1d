"""The policy library: checkov in its own Python environment, kept warm, and never believed to have run without proof.

checkov ends with 0 and "0 failed" on many plans that it could not read. So every answer must say how many resources
were looked at and what went wrong inside, and anything else than a whole, clean run is a ``CannotJudgeError``.
"""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

import yaml

from hawser.errors import CannotJudgeError
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.terraform.plan import Action, Change, Plan

WORKER: Final = Path(__file__).with_name("checkov_worker.py")
#: What it must find in ``canary.json``, a plan that opens port 22 to everybody, each time before it is believed.
CANARY: Final = "CKV_AWS_24"
POLICY: Final = Path(__file__).with_name("checkov.yaml")

#: Seconds that checkov may take to load (3 on a busy laptop) and to judge one plan (15 for 5,000 resources).
READY_SECONDS: Final = 60.0
JUDGE_SECONDS: Final = 900.0
#: Seconds that it may take to end after its input was closed.
_END_SECONDS: Final = 5.0
#: Characters of one answer; more is no answer of checkov's.
_LONGEST_ANSWER: Final = 256 * 1024 * 1024

_FIX: Final = "Run `hawser doctor`; it says what is wrong with checkov's environment."


@dataclass(frozen=True, slots=True)
class Listed:
    """What ``checkov.yaml`` says about a check that decides."""

    level: Level
    severity: Severity
    fix: str


@dataclass(frozen=True)
class CheckovPolicy:
    """``checkov.yaml``: checks that decide, and checks that are off with the reason."""

    listed: Mapping[str, Listed]
    off: Mapping[str, str]

    @property
    def ids(self) -> frozenset[str]:
        """Every check that it names."""
        return frozenset(self.listed) | frozenset(self.off)


@dataclass(frozen=True)
class CheckovResult:
    """What checkov found on one plan. ``passed`` and ``failed`` count results, ``off`` are the checks not run."""

    findings: tuple[Finding, ...]
    version: str
    passed: int
    failed: int
    off: tuple[str, ...]


# -- what decides ----------------------------------------------------------------------------------------------------


@cache
def load_policy(path: Path = POLICY) -> CheckovPolicy:
    """``checkov.yaml``, checked strictly.

    Raises ``CannotJudgeError`` that names the entry: unknown keys, a check listed twice, a switch-off without a reason.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), _Strings)  # noqa: S506  it can only build strings
    except (OSError, UnicodeDecodeError) as error:
        raise _policy_error(path, f"cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise _policy_error(path, " ".join(str(error).split())) from None
    if not isinstance(document, dict) or set(document) - {"block", "approval", "off"}:
        raise _policy_error(path, "must have the keys block, approval and off, and no other")
    listed: dict[str, Listed] = {}
    off: dict[str, str] = {}
    for section, entries in document.items():
        if not isinstance(entries, dict):
            raise _policy_error(path, f"{section} must be a map from check id to what is said about it")
        for check, entry in entries.items():
            if not isinstance(check, str) or not re.fullmatch(r"CKV2?_[A-Z0-9]+_\d+", check):
                raise _policy_error(path, f"{section} lists {check!r}, which is not a checkov id")
            if check in listed or check in off:
                raise _policy_error(path, f"{check} is listed twice")
            if section == "off":
                if not isinstance(entry, str) or len(entry.strip()) < 10:
                    raise _policy_error(path, f"off: {check} needs a reason in words")
                off[check] = entry.strip()
            else:
                listed[check] = _listed(path, section, check, entry)
    return CheckovPolicy(listed, off)


def _listed(path: Path, section: str, check: str, entry: Any) -> Listed:
    severities = [severity.value for severity in Severity]
    if not isinstance(entry, dict) or set(entry) != {"severity", "fix"}:
        raise _policy_error(path, f"{section}: {check} needs the keys severity and fix, and no other")
    if entry["severity"] not in severities:
        raise _policy_error(path, f"{section}: {check} has a severity that is none of {', '.join(severities)}")
    if not isinstance(entry["fix"], str) or not entry["fix"].strip():
        raise _policy_error(path, f"{section}: {check} needs a fix in words")
    return Listed(Level(section), Severity(entry["severity"]), entry["fix"].strip())


def _policy_error(path: Path, what: str) -> CannotJudgeError:
    return CannotJudgeError(f"{path.name}: {what}", fix=f"Correct {path}.")


class _Strings(yaml.BaseLoader):
    """YAML of strings (``off`` is a word here, not false) in which a key that stands twice is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                line = key_node.start_mark.line + 1
                raise yaml.constructor.ConstructorError(None, None, f"line {line}: {key_node.value} stands twice")
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)


def pinned_version(lock: Path) -> str:
    """The version of checkov in a hash-locked requirements file. Raises ``CannotJudgeError`` when there is none."""
    try:
        pins = re.findall(r"^checkov==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE)
    except OSError as error:
        raise CannotJudgeError(
            f"{lock} cannot be read ({error.strerror}), so nobody knows which checkov to trust",
            fix="Restore it from git.",
        ) from None
    if len(pins) != 1:
        raise CannotJudgeError(f"{lock} does not pin one version of checkov", fix="Restore it from git.")
    return str(pins[0])


# -- what checkov is given -------------------------------------------------------------------------------------------


def what_it_reads(document: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a plan document that checkov looks at: planned values, configuration, and the kind of each change.

    Half of a plan is left out (values before, marks, state), which is that much less to redact, to write and to read.
    """
    entries = document.get("resource_changes")
    changes = []
    for entry in entries if isinstance(entries, list) else ():
        kept = {key: value for key, value in entry.items() if key != "change"}
        change = entry["change"]
        unknown = change.get("after_unknown")
        kept["change"] = {
            "actions": change.get("actions"),
            "before": None,
            "after": None,
            "after_unknown": unknown if isinstance(unknown, dict) else {},
        }
        changes.append(kept)
    parts = ("format_version", "terraform_version", "planned_values", "configuration")
    return {part: document[part] for part in parts if part in document} | {"resource_changes": changes}


# -- the worker ------------------------------------------------------------------------------------------------------


@dataclass
class CheckovWorker:
    """A running checkov that loads while terraform plans. Use it as a context manager, or call ``close``."""

    process: subprocess.Popen[str]
    folder: Path
    expected_version: str
    policy: CheckovPolicy
    ready_seconds: float = READY_SECONDS
    judge_seconds: float = JUDGE_SECONDS
    _lines: queue.SimpleQueue[str | None] = field(default_factory=queue.SimpleQueue)
    _reader: threading.Thread | None = None
    _ready: bool = False

    @classmethod
    def start(
        cls,
        python: Path,
        expected_version: str,
        *,
        worker: Path = WORKER,
        policy: CheckovPolicy | None = None,
        ready_seconds: float = READY_SECONDS,
        judge_seconds: float = JUDGE_SECONDS,
    ) -> CheckovWorker:
        """Start checkov with the python of its own environment and come back at once.

        It gets an empty folder, no environment variables and so no credentials, and its own process group: Ctrl-C at
        the terminal reaches only hawser, which then closes it. Raises ``CannotJudgeError`` when it cannot be started.
        """
        policy = policy or load_policy()
        folder = Path(tempfile.mkdtemp(prefix="hawser-checkov-"))
        try:
            with (folder / "talk").open("w", encoding="utf-8") as talk:
                process = subprocess.Popen(
                    [str(python), "-I", str(worker)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=talk,
                    cwd=folder,
                    env={"HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8", "PATH": os.defpath},
                    encoding="utf-8",
                    errors="replace",
                    start_new_session=True,
                )
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise CannotJudgeError(f"checkov could not be started: {python}: {error.strerror}", fix=_FIX) from None
        started = cls(process, folder, expected_version, policy, ready_seconds, judge_seconds)
        assert process.stdout is not None
        started._reader = threading.Thread(target=_read, args=(process.stdout, started._lines), daemon=True)
        started._reader.start()
        return started

    def __enter__(self) -> CheckovWorker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def judge(self, redacted_document: Mapping[str, Any], plan: Plan) -> CheckovResult:
        """What checkov finds on the plan, given a copy of its document without secrets.

        Raises ``CannotJudgeError`` when checkov did not look at every planned resource, or anything in it went wrong.
        """
        if not self._ready:
            self._await_ready()
        path = self.folder / "plan.json"
        path.write_text(json.dumps(what_it_reads(redacted_document), separators=(",", ":")), encoding="utf-8")
        try:
            answer = self._ask({"path": str(path), "off": sorted(self.policy.off)})
        finally:
            path.unlink(missing_ok=True)
        failed = self._believe(answer, plan)
        by_address = {c.address: c for c in plan.changes if c.deposed is None}
        findings = [self._finding(check, name, address, by_address) for check, name, address in failed]
        return CheckovResult(
            tuple(sorted(findings, key=Finding.sort_key)),
            self.expected_version,
            answer["passed"],
            len(failed),
            tuple(sorted(self.policy.off)),
        )

    def close(self) -> None:
        """End checkov and remove its folder. Safe to call twice."""
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self._reader is not None:
            self._reader.join(_END_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    # -- talking --------------------------------------------------------------------------------------------------

    def _await_ready(self) -> None:
        said = self._message(self.ready_seconds, "get ready")
        version, checks = said.get("version"), said.get("checks")
        if said.get("ready") is not True or not isinstance(version, str) or not isinstance(checks, list):
            raise self._failed("said something else than that it is ready")
        if version != self.expected_version:
            raise CannotJudgeError(
                f"checkov has version {version[:40]}, but {self.expected_version} is the one that was tested", fix=_FIX
            )
        self._no_errors(said)
        canary = said.get("canary")
        if not isinstance(canary, list) or not any(
            entry[:1] == [CANARY] for entry in canary if isinstance(entry, list)
        ):
            raise self._failed(f"did not find {CANARY} in a plan that is known to be bad")
        unknown = sorted(self.policy.ids - set(checks))
        if unknown:
            raise CannotJudgeError(
                f"checkov.yaml lists {', '.join(unknown)}, which checkov {version} does not have",
                fix=f"Correct the ids in {POLICY}.",
            )
        self._ready = True

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._failed("ended before it was given the plan") from None
        return self._message(self.judge_seconds, "judge the plan")

    def _message(self, seconds: float, purpose: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise self._failed(f"did not {purpose} within {seconds:g} seconds") from None
        if line is None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_END_SECONDS)
            raise self._failed(f"ended with exit code {self.process.returncode} before it could {purpose}")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise self._failed("answered with something that is not JSON")
        return message

    def _failed(self, what: str) -> CannotJudgeError:
        with suppress(OSError):
            talk = (self.folder / "talk").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            if talk:
                what += f"; its last words: {talk[-1][:200]}"
        return CannotJudgeError(f"checkov did not run: it {what}", fix=_FIX)

    # -- believing ------------------------------------------------------------------------------------------------

    @staticmethod
    def _no_errors(message: Mapping[str, Any]) -> None:
        errors = message.get("errors")
        if not isinstance(errors, list):
            raise CannotJudgeError("checkov did not say whether anything went wrong inside it", fix=_FIX)
        if errors:
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            raise CannotJudgeError(
                f"checkov did not judge the whole plan: {str(errors[0])[:300]}{more}",
                fix="A check that cannot cope with this plan can be switched off, with the reason, in checkov.yaml.",
            )

    def _believe(self, answer: Mapping[str, Any], plan: Plan) -> list[tuple[str, str, str]]:
        self._no_errors(answer)
        counts = [answer.get(key) for key in ("resources", "passed", "skipped", "unread")]
        failed = answer.get("failed")
        if not all(type(count) is int and count >= 0 for count in counts) or not isinstance(failed, list):
            raise self._failed("gave an answer without its counts")
        resources, _, skipped, unread = counts
        if unread:
            raise self._failed("could not read the plan")
        if skipped:
            raise self._failed(f"skipped {skipped} results on its own")
        expected = sum(1 for _ in plan.planned())
        if resources != expected:
            raise self._failed(f"looked at {resources} resources where the plan has {expected}")
        found = []
        for entry in failed:
            if not (isinstance(entry, list) and len(entry) == 3 and all(isinstance(part, str) for part in entry)):
                raise self._failed("gave a result without check, name and address")
            found.append((entry[0], entry[1], entry[2]))
        return found

    def _finding(self, check: str, name: str, address: str, changes: Mapping[str, Change]) -> Finding:
        listed = self.policy.listed.get(check)
        change = changes.get(address)
        if change is None:  # a provider block, which has no address in a plan
            name, address = f"{name} (provider {address})", ""
        return Finding(
            rule_id=check,
            verdict=Verdict.FAIL,
            level=listed.level if listed else Level.ADVISORY,
            severity=listed.severity if listed else Severity.MEDIUM,
            address=address,
            path="",
            message=name,
            fix=listed.fix if listed else "Change the resource so that the check passes, or waive it with a reason.",
            title=name,
            source="checkov",
            changed=change is None or change.action is not Action.NO_OP,
        )


def _read(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    with suppress(OSError, ValueError), stream:
        while line := stream.readline(_LONGEST_ANSWER):
            lines.put(line)
    lines.put(None)
