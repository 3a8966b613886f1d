"""One environment, ready to run terraform: paths, binary, credentials or emulator, backend, state identity."""

from __future__ import annotations

import contextlib
import fcntl
import json
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hawser.aws.credentials import has_credentials
from hawser.cli import bootstrap_state, bundles
from hawser.cli.talk import Events, Talk
from hawser.contract.deployment import Deployment
from hawser.decision.record import NO_STATE, sha256
from hawser.emulator.process import STATE_BUCKET
from hawser.errors import CheckFoundError, HawserError, TerraformError, UsageError
from hawser.files import write_atomically
from hawser.render.tfvars import stack_names, tfvars
from hawser.report.redact import Redactor
from hawser.terraform import runner
from hawser.terraform.stacks import (
    BOOTSTRAP,
    NAMED,
    PLATFORM,
    STACKS,
    Declared,
    Stack,
    declared,
    sources_digest,
    stack,
    undeclared_and_missing,
    with_local_state,
)
from hawser.toolchain.provider_mirror import cli_config
from hawser.toolchain.python_env import ensure_venv
from hawser.toolchain.terraform_binary import TerraformBinary, find_terraform

if TYPE_CHECKING:
    from hawser.emulator.process import Emulator

#: Masks what looks like a secret in terraform's own words, where no plan is at hand that marks them.
MASK: Final = Redactor().text


@dataclass(frozen=True, slots=True)
class StateIdentity:
    """What identifies a state: lineage and serial (``NO_STATE`` for none), and how many resources it holds.

    ``content`` is the SHA-256 (hex) of its resources and outputs, ``""`` for none: the same in another place.
    """

    lineage: str
    serial: str
    resources: int
    content: str = ""


@dataclass
class StackRun:
    """One stack of one environment: its terraform, its folder under ``.hawser``, its backend."""

    stack: Stack
    folder: Path
    backend: Mapping[str, str | bool]
    terraform: runner.Terraform
    talk: Talk
    terraform_version: str
    declared: Declared

    @property
    def name(self) -> str:
        """Name of the stack."""
        return self.stack.name

    @cached_property
    def sources_sha256(self) -> str:
        """Digest of the stack's and its modules' sources."""
        return sources_digest(self.stack)

    @cached_property
    def lock_sha256(self) -> str:
        """Digest of the provider lock file."""
        return sha256(self.stack.lock_file.read_bytes())

    @property
    def backend_sha256(self) -> str:
        """Digest of the backend's settings."""
        return sha256(json.dumps(self.backend, sort_keys=True).encode())

    def events(self) -> Events:
        """A listener for one command of this stack."""
        return Events(self.talk, self.name, MASK)

    def ensure_init(self) -> None:
        """``terraform init``, unless the same backend, sources, lock and version were initialised before.

        Raises ``TerraformError`` when it fails.
        """
        stamp_file = self.folder / "init.stamp"
        stamp = f"{self.backend_sha256} {self.sources_sha256} {self.lock_sha256} {self.terraform_version}\n".encode()
        providers = self.folder / "terraform" / "providers"
        if stamp_file.is_file() and stamp_file.read_bytes() == stamp and providers.is_dir():
            return
        self.talk.step(f"{self.name}: terraform init")
        events = self.events()
        answer = self.terraform.init(self.backend, events)
        self.talk.done()
        if answer.code != 0:
            raise failed(self.name, "init", events, answer)
        write_atomically(stamp_file, stamp, 0o600)

    def identity(self) -> StateIdentity:
        """Lineage and serial of the state now. Raises ``TerraformError`` when it cannot be read."""
        answer = self.terraform.state_pull()
        if answer.code != 0:
            raise failed(self.name, "state pull", None, answer)
        if not answer.out.strip():
            return StateIdentity(NO_STATE, NO_STATE, 0)
        try:
            state = json.loads(answer.out)
            count = sum(len(r["instances"]) for r in state.get("resources") or () if r.get("mode") == "managed")
            if not state["lineage"]:  # what terraform answers for a backend that holds nothing yet
                return StateIdentity(NO_STATE, NO_STATE, 0)
            content = json.dumps([state.get("resources"), state.get("outputs")], sort_keys=True).encode()
            return StateIdentity(str(state["lineage"]), str(state["serial"]), count, sha256(content))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise TerraformError(f"the state of {self.name} is not a Terraform state") from None

    def require_no_errored_state(self) -> None:
        """Raise ``HawserError`` when a state that was not saved still lies in the stack: it must be healed first."""
        left = self.stack.folder / "errored.tfstate"
        if left.exists():
            raise HawserError(
                f"{left} holds a state that an earlier apply could not save",
                fix="Find out which environment it belongs to, push it with `terraform state push`, then remove it.",
            )

    def push_command(self, kept: Path) -> str:
        """The command that heals the state of this stack, whole, for a shell."""
        config, data = (self.terraform.environment[name] for name in ("TF_CLI_CONFIG_FILE", "TF_DATA_DIR"))
        words = [self.terraform.terraform_bin_path, f"-chdir={self.stack.folder}", "state", "push", str(kept)]
        return f"TF_DATA_DIR={shlex.quote(data)} TF_CLI_CONFIG_FILE={shlex.quote(config)} {shlex.join(words)}"

    def keep_errored_state(self) -> Path | None:
        """Move an ``errored.tfstate`` that terraform left behind to this stack's folder; where it is now."""
        left = self.stack.folder / "errored.tfstate"
        if not left.is_file():
            return None
        kept = self.folder / "errored.tfstate"
        shutil.move(left, kept)
        kept.chmod(0o600)
        return kept


@dataclass
class Workspace:
    """One environment of one checkout. ``emulate`` is ``--emulate``: the emulator with an empty state.

    ``only`` is the one stack that is planned (``--stack``); the commands that a report names are then of it alone.
    """

    root: Path
    deployment: Deployment
    emulate: bool
    talk: Talk
    binary: TerraformBinary
    cli_config: Path
    emulator: Emulator | None
    only: str | None = None
    _runs: dict[str, StackRun] = field(default_factory=dict)

    @property
    def env(self) -> str:
        """Name of the environment."""
        return self.deployment.environment.name

    @property
    def home(self) -> Path:
        """The checkout's ``.hawser``."""
        return self.root / ".hawser"

    @property
    def folder(self) -> Path:
        """Where this environment's bundles and terraform data lie. What ``--emulate`` makes lies apart."""
        return self.home / "emulated" / self.env if self.emulate else self.home / self.env

    @property
    def emulated(self) -> bool:
        """Planned with --emulate, beside the environment's own state: never approvable."""
        return self.emulate

    @property
    def world(self) -> str:
        """Identity of the emulator's world, ``""`` against AWS."""
        return self.emulator.started if self.emulator else ""

    @property
    def state_bucket(self) -> str:
        """Name of the bucket of states and stored bundles."""
        return STATE_BUCKET if self.emulator else self.deployment.environment.state.bucket

    @property
    def names(self) -> tuple[str, ...]:
        """The stacks of this environment, in the order of the hand-over."""
        return stack_names(self.deployment)

    def run(self, name: str) -> StackRun:
        """The stack called ``name``, with its state where it lies now.

        Raises ``HawserError`` when the checkout has no such stack, and as ``bootstrap_state.begins_here``.
        """
        if name not in self._runs:
            begins_here = name == BOOTSTRAP and bootstrap_state.begins_here(self)
            self._runs[name] = self.run_here() if begins_here else self.run_there(name, self.folder / name)
        return self._runs[name]

    def run_there(self, name: str, folder: Path) -> StackRun:
        """The stack with its state in the bucket; ``folder`` takes its terraform data."""
        return self._run(stack(self.root, name), folder, self._backend(name))

    def run_here(self) -> StackRun:
        """The stack bootstrap with its state in a file of the checkout: the bucket is something that it makes."""
        file = bootstrap_state.local_file(self)
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = self.folder / BOOTSTRAP
        return self._run(with_local_state(stack(self.root, BOOTSTRAP), folder / "sources"), folder, {"path": str(file)})

    def _run(self, found: Stack, folder: Path, backend: Mapping[str, str | bool]) -> StackRun:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        environment = runner.clean_environment(
            runner.outer_environment(), folder / "terraform", self.cli_config, self.aws()
        )
        terraform = runner.Terraform(self.binary.path, found.folder, environment)
        names = declared(found, self.home / "declared.json")
        return StackRun(found, folder, backend, terraform, self.talk, self.binary.version, names)

    def tfvars(self, name: str) -> bytes:
        """The stack's tfvars. Raises ``HawserError`` when the stack does not declare exactly what is rendered."""
        if name in self.others():
            return self._last_tfvars(name)
        rendered = tfvars(self.deployment, name)
        undeclared, missing = undeclared_and_missing(rendered, self.run(name).declared)
        if undeclared or missing:
            wrong = [f"does not declare {n}" for n in undeclared] + [f"also wants {n}" for n in missing]
            raise HawserError(
                f"terraform/{name}/variables.tf and render/tfvars.py disagree: the stack {', '.join(wrong)}",
                fix="Change both together.",
            )
        return rendered

    def _last_tfvars(self, name: str) -> bytes:
        """The variables that a stack was last planned with which env.yaml no longer names, so no longer gives."""
        last = bundles.newest(self.folder / name)
        if last is None and name == PLATFORM:
            raise HawserError(
                f"{self.env} stands on an existing platform, and no earlier plan of the stack platform lies here",
                fix="Describe it by network and cluster in env.yaml, destroy the stack, then name the existing one.",
            )
        if last is None:
            raise HawserError(
                f"{self.env} no longer has the target {name}, and no earlier plan of that stack lies here",
                fix=f"Set target back to {name} in env.yaml, destroy the stack, then change the target.",
            )
        return last.read(bundles.TFVARS)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else plans or applies this environment from this checkout meanwhile. Raises ``HawserError``."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.folder / "lock").open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise HawserError(
                    f"another hawser is at work on {self.env} in this checkout", fix="Wait until it has ended."
                ) from None
            yield

    def others(self) -> tuple[str, ...]:
        """Stacks that this environment does not name, but that could hold state from another time."""
        return tuple(name for name in STACKS if name not in self.names)

    def state_key(self, name: str) -> str:
        """Key of the stack's state in the bucket; that of bootstrap is the same for all environments that share it."""
        environment = self.deployment.environment
        prefix = environment.state.key_prefix
        if name == BOOTSTRAP:
            prefix = f"{environment.account_id}/{environment.region}"
        return f"emulated/{self.env}/{name}.tfstate" if self.emulate else f"{prefix}/{name}.tfstate"

    def lock_holder(self, name: str) -> str:
        """Who holds the lock of this stack's state in the bucket, ``""`` for nobody."""
        backend = self.run(name).backend
        if "bucket" not in backend:
            return ""  # in the checkout, where `alone` keeps everybody else out
        from hawser.aws.objects import lock_holder

        return lock_holder(str(backend["bucket"]), str(backend["key"]), str(backend["region"]), self.aws())

    def command(self, verb: str, stack: str) -> str:
        """The command that does ``verb`` to what the person is at work on: the environment, or a stack by name.

        bootstrap always goes by name. So does the one stack that is planned: an older bundle of the other stack may not
        match any more, and would stop an apply of the whole environment.
        """
        return f"hawser {verb} {self.env}" + (f" --stack {stack}" if stack in (BOOTSTRAP, self.only) else "")

    def _backend(self, name: str) -> dict[str, str | bool]:
        state, region = self.deployment.environment.state, self.deployment.environment.region
        settings: dict[str, str | bool] = {"key": self.state_key(name), "region": region, "use_lockfile": True}
        if self.emulator is not None:
            return settings | {"bucket": self.state_bucket, "use_path_style": True}
        # Without a key, `encrypt` would ask for S3's own key and pass over the one that the bucket has by default.
        if state.kms_key_arn:
            settings |= {"encrypt": True, "kms_key_id": state.kms_key_arn}
        return settings | {"bucket": self.state_bucket}

    def aws(self) -> Mapping[str, str] | None:
        """The AWS variables of the emulator; ``None`` against AWS, where the SDK finds its own."""
        if self.emulator is None:
            return None
        from hawser.emulator.endpoints import environment

        account = self.deployment.environment.account_id
        return environment(self.emulator, account, self.deployment.environment.region)


def open_workspace(root: Path, deployment: Deployment, talk: Talk, *, emulate: bool = False) -> Workspace:
    """Everything that terraform needs for this environment, set up where it is missing.

    Raises ``HawserError`` when a tool cannot be had, ``CheckFoundError`` when a real environment has example values or
    there are no credentials for it.
    """
    home = root / ".hawser"
    home.mkdir(mode=0o700, exist_ok=True)
    emulator = None
    if deployment.environment.emulator or emulate:
        from hawser.emulator.process import up

        if not (home / "venv" / "emulator").is_dir():
            talk.step("setting up the emulator's Python environment (once)")
        python = ensure_venv(home, "emulator", root / "tooling" / "locks" / "emulator.txt")
        emulator = up(home, python)
    else:
        _require_real(deployment)
    binary = find_terraform(home)
    if binary.note:
        talk.step(binary.note)
    return Workspace(root, deployment, emulate, talk, binary, cli_config(home), emulator)


def _require_real(deployment: Deployment) -> None:
    """Refuse a plan against AWS with example values or without credentials; both at once."""
    from hawser.contract import ContractError, example_problems

    env = deployment.environment
    problems = example_problems(deployment)
    missing = None
    if not has_credentials():
        missing = CheckFoundError(
            f"there are no AWS credentials for {env.name} (account {env.account_id})",
            fix=f"Log in to the account, or see the plan without one: `hawser plan {env.name} --emulate`.",
        )
    if problems and missing:
        raise ContractError(problems, beside=missing.message)
    if problems:
        raise ContractError(problems)
    if missing:
        raise missing


def failed(stack_name: str, command: str, events: Events | None, answer: runner.Answer) -> TerraformError:
    """The error for a terraform command that failed, with terraform's own words, masked."""
    words = (events.errors if events else []) or [line for line in MASK(answer.err).splitlines() if line.strip()][:6]
    said = "\n".join(f"    {line}" for line in words) or "    (terraform said nothing)"
    return TerraformError(
        f"terraform {command} failed for {stack_name} (exit {answer.code}):\n{said}", fix=_advice(said)
    )


def _advice(said: str) -> str:
    if "Error acquiring the state lock" in said or "state lock" in said:
        return (
            "Somebody else is at work on this stack: wait until they are done. Is the holder named above surely dead,"
            " remove the lock object (the state's key with .tflock) from the state bucket; hawser never forces a lock."
        )
    if "Saved plan is stale" in said:
        return "Somebody applied this stack while it was planned, so nothing was changed now: plan again."
    if "credential" in said.lower():  # also "no valid credential sources"
        return "Log in to the environment's account, then run the command again."
    return "Mend what terraform names, then run the command again."


def require_made_by_hawser(deployment: Deployment, only: str | None) -> None:
    """Raise ``UsageError`` when a platform is to be planned that env.yaml says is there already."""
    if only == PLATFORM and deployment.environment.existing:
        env = deployment.environment.name
        raise UsageError(
            f"{env} stands on an existing platform ({deployment.place('platform.existing')}), which is not planned",
            fix=f"Plan what stands on it: `hawser plan {env}`.",
        )


def pick_stacks(workspace: Workspace, only: str | None) -> tuple[str, ...]:
    """The stacks that a command works on: all of the environment, or the one asked for.

    Raises ``UsageError`` for a stack that does not exist.
    """
    if only is None:
        return workspace.names
    if only not in NAMED:
        raise UsageError(f"there is no stack {only!r}", fix=f"Stacks are {', '.join(NAMED)}.")
    return (only,)
