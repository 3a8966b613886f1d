"""``hawser fit``: what a replica takes of its GPUs, and how long it takes to start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from hawser.cli import options
from hawser.errors import Exit

if TYPE_CHECKING:
    from hawser.contract.deployment import Deployment
    from hawser.sizing.memory import WeightsFit
    from hawser.sizing.startup import Startup

_GIB: Final = 2**30
#: Columns of the names in front of figures.
_NAMES: Final = 22
_WIDTH: Final = 100


@click.command("fit")
@options.environment
@options.json_output
def command(env: str, as_json: bool) -> int:
    """Does the model fit, and when is it ready: memory per GPU and the limits at start, with the arithmetic."""
    from hawser.contract import load_deployment
    from hawser.sizing.memory import weights_fit
    from hawser.sizing.startup import startup

    deployment = load_deployment(options.checkout(), env)
    fits, start = weights_fit(deployment), startup(deployment)
    if as_json:
        click.echo(json.dumps(_as_data(deployment, fits, start), indent=2))
        return Exit.OK
    serving = deployment.contract.serving
    click.echo(f"{deployment.contract.model.id} in {env}: {serving.gpus_per_replica} GPUs for each replica\n")
    for fit in fits:
        _memory(fit, serving.gpu_memory_utilization)
    _start(deployment, start)
    return Exit.OK


def _memory(fit: WeightsFit, utilization: float) -> None:
    click.echo(f"Memory of one GPU, pool {fit.pool} ({fit.instance.name})")
    whole = fit.instance.gpu_mib * 2**20
    for name, value, why in (
        ("memory", whole, f"as EC2 reports it for {fit.instance.gpu}"),
        ("what the engine takes", fit.usable, f"{utilization:.0%} of it (serving.gpu_memory_utilization)"),
        ("weights", fit.weights, "of size_bytes, by the degrees of parallelism"),
        ("left", fit.left, "for the cache of keys and values, activations and graphs"),
    ):
        click.echo(f"  {name:{_NAMES}}{value / _GIB:8.1f} GiB  {why}")
    click.echo()


def _start(deployment: Deployment, start: Startup) -> None:
    click.echo(f"Start of a replica, weights by {start.cache}")
    click.echo(f"  {'':{_NAMES}}{'first':>8}{'later':>9}")
    for step in start.steps:
        lead = f"  {step.name:{_NAMES}}{_minutes(step.first_s):>8}{_minutes(step.warm_s):>9}  "
        click.echo(click.wrap_text(step.why, _WIDTH, lead, " " * len(lead)))
    click.echo(f"  {'ready after':{_NAMES}}{_minutes(start.first_s):>8}{_minutes(start.warm_s):>9}\n")
    click.echo("Limits, each after the one before; none may end a first start")
    operator = deployment.environment.target == "hyperpod"
    for name, seconds, where in (
        ("engine ready", start.engine_s, "VLLM_ENGINE_READY_TIMEOUT_S: load, compile, warm up"),
        ("startup probe", start.probe_s, f"{start.probe_failures} looks; then the container is started again"),
        ("operator", start.operator_s, "maxDeployTimeInSeconds" if operator else "what an operator would wait"),
        ("rollout", start.rollout_s, "progressDeadlineSeconds of the Deployment"),
        ("stop", start.grace_s, "terminationGracePeriodSeconds: running requests end"),
    ):
        click.echo(f"  {name:{_NAMES}}{_minutes(seconds):>8}{seconds:>8} s  {where}")


def _minutes(seconds: int) -> str:
    return f"{seconds / 60:.0f} min"


def _as_data(deployment: Deployment, fits: tuple[WeightsFit, ...], start: Startup) -> dict[str, Any]:
    return {
        "schema": "hawser.fit/1",
        "environment": deployment.environment.name,
        "model": deployment.contract.model.id,
        "pools": [
            {
                "pool": fit.pool,
                "instance_type": fit.instance.name,
                "gpu_bytes": fit.instance.gpu_mib * 2**20,
                "engine_bytes": round(fit.usable),
                "weights_bytes": round(fit.weights),
                "left_bytes": round(fit.left),
            }
            for fit in fits
        ],
        "start": {
            "cache": start.cache,
            "steps": [
                {"name": step.name, "first_s": step.first_s, "later_s": step.warm_s, "why": step.why}
                for step in start.steps
            ],
            "first_s": start.first_s,
            "later_s": start.warm_s,
        },
        "limits": {
            "engine_s": start.engine_s,
            "probe_s": start.probe_s,
            "operator_s": start.operator_s,
            "rollout_s": start.rollout_s,
            "grace_s": start.grace_s,
        },
    }
