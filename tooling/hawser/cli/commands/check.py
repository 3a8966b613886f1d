"""``hawser check``: contract and environment, all problems at once."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from hawser.cli import options
from hawser.errors import Exit

if TYPE_CHECKING:
    from hawser.contract.deployment import Deployment
    from hawser.contract.problems import Problem


@click.command("check")
@options.environment
@click.option("--explain", is_flag=True, help="Also say why each rule is there.")
@options.json_output
def command(env: str, explain: bool, as_json: bool) -> int:
    """Check contract and environment; all problems at once, each with its line and its fix.

    Asks AWS nothing and reads no clock: the same files give the same answer.
    """
    from hawser.contract import ContractError, load_deployment
    from hawser.contract.waivers import load_waivers

    root = options.checkout()
    deployment: Deployment | None = None
    problems: list[Problem] = []
    try:
        deployment = load_deployment(root, env)
    except ContractError as error:
        problems += error.problems
    try:
        load_waivers(root, env)
    except ContractError as error:
        problems += error.problems
    if deployment is None or problems:
        _tell_problems(env, problems, explain=explain, as_json=as_json)
        return Exit.CONTRACT_INVALID
    if as_json:
        click.echo(json.dumps(_as_json(deployment), indent=2, sort_keys=True))
        return Exit.OK
    for line in _summary(deployment):
        click.echo(line)
    if explain:
        for line in _rules():
            click.echo(line)
    return Exit.OK


def _tell_problems(env: str, problems: Sequence[Problem], *, explain: bool, as_json: bool) -> None:
    if as_json:
        entries = [
            {
                "file": problem.place.file,
                "line": problem.place.line,
                "column": problem.place.column,
                "path": problem.path,
                "found": problem.found,
                "expected": problem.expected,
                "fix": problem.fix,
                "why": problem.why,
            }
            for problem in problems
        ]
        click.echo(json.dumps({"environment": env, "valid": False, "problems": entries}, indent=2, sort_keys=True))
        return
    for problem in problems:
        click.echo(str(problem))
        if explain and problem.why:
            click.echo(f"  why: {problem.why}")
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    hint = "" if explain else " `--explain` says why each matters."
    click.echo(f"hawser: {count} in {env}; nothing was rendered.{hint}", err=True)


def _summary(deployment: Deployment) -> Iterator[str]:
    from hawser.contract.memory import GIB
    from hawser.contract.notes import notes
    from hawser.sizing.memory import weights_fit

    environment, contract = deployment.environment, deployment.contract
    where = "the embedded emulator" if environment.emulator else f"account {environment.account_id}"
    yield f"{environment.name} is valid: {environment.target} in {environment.region}, {where}"
    yield f"  model     {contract.model.id} at {contract.model.revision[:12]}, {contract.weights.precision}"
    serving = contract.serving
    degrees = f"tensor {serving.tensor_parallel} x pipeline {serving.pipeline_parallel} x data {serving.data_parallel}"
    yield f"  replicas  {environment.replicas} of {serving.gpus_per_replica} GPUs ({degrees})"
    fits = {fit.pool: fit for fit in weights_fit(deployment)}
    for pool in environment.capacity.values():
        fit = fits[pool.name]
        window = f", {pool.start:%Y-%m-%d} to {pool.end:%Y-%m-%d}" if pool.start and pool.end else ""
        yield f"  pool      {pool.name}: {pool.count} x {pool.instance_type}, {pool.kind}, {pool.zone_id}{window}"
        weights, usable, left = (f"{size / GIB:.1f}" for size in (fit.weights, fit.usable, fit.left))
        yield f"            weights {weights} of {usable} GiB per GPU, {left} left"
    if environment.existing:
        yield f"  platform  existing: {environment.existing.cluster_name} in {environment.existing.vpc_id}, not planned"
    for path, (old, new) in sorted(environment.overrides.items()):
        yield f"  override  {path}: {json.dumps(new)} instead of {json.dumps(old)}"
    yield f"  sha256    {deployment.digest}"
    for note in notes(deployment):
        yield f"note: {note}"


def _rules() -> Iterator[str]:
    from hawser.contract.checks.registry import RULES

    yield ""
    yield "Rules between fields:"
    for rule in RULES:
        yield f"  {rule.title}"
        yield from textwrap.wrap(rule.why, 112, initial_indent="      ", subsequent_indent="      ")


def _as_json(deployment: Deployment) -> dict[str, object]:
    from hawser.contract.notes import notes

    environment = deployment.environment
    return {
        "environment": environment.name,
        "valid": True,
        "problems": [],
        "account_id": environment.account_id,
        "region": environment.region,
        "target": environment.target,
        "emulator": environment.emulator,
        "existing_platform": environment.existing is not None,
        "digest": deployment.digest,
        "examples": list(deployment.examples),
        "overrides": {path: {"contract": old, "here": new} for path, (old, new) in environment.overrides.items()},
        "notes": [{"place": str(note.place), "path": note.path, "text": note.text} for note in notes(deployment)],
    }
