"""What stands around the model: health, the list of models, metrics, and paths that must be shut."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from hawser.facts import Metric, engine_metrics
from hawser.serve.checks.asking import got, refuse_status, talking
from hawser.serve.content import quoted
from hawser.serve.run import FailedError, Run, SkippedError

#: Of SageMaker's protocol, and answered by the engine beside its own API. A key that the engine was given does not
#: guard it.
UNGUARDED: Final = "/invocations"
#: A sample's name, or the name in a TYPE line, which stands there also before the first sample.
_NAME: Final = re.compile(r"^(?:# TYPE )?([A-Za-z_:][A-Za-z0-9_:]*)(?=[ {])", re.MULTILINE)


def health(run: Run) -> str:
    """200 on the contract's path."""
    path = run.contract.api.paths["health"]
    reply = got(run, path)
    if run.entry and reply.status in (403, 404):
        raise SkippedError(f"{reply.status} on {path}: the entry does not let it through, which is right.")
    if reply.status == 503:
        serving = run.contract.serving
        raise FailedError(
            f"503 on {path}. The engine still loads (up to {serving.first_boot_minutes} min on a node that never ran"
            f" the model, else {serving.warm_boot_minutes}), or has died: its log says which."
        )
    refuse_status(reply.status, reply.body, path)
    return f"200 on {path}."


def models(run: Run) -> str:
    """The served name of the contract is listed."""
    path, wanted = run.contract.api.paths["models"], run.contract.api.served_model_name
    reply = got(run, path)
    refuse_status(reply.status, reply.body, path)
    names = _model_names(reply.body)
    if wanted in names:
        return f"{wanted!r} is listed."
    if not names:
        raise FailedError(f"{path} lists no model: the front end answers before it has registered the model.")
    listed = ", ".join(quoted(name) for name in names[:3])
    raise FailedError(
        f"{path} lists {listed}, not {wanted!r}: the engine was started without --served-model-name {wanted}, or this"
        " is another server. Requests with the contract's name get 404."
    )


def _model_names(body: str) -> list[str]:
    try:
        entries = json.loads(body)["data"]
        return [entry["id"] for entry in entries if isinstance(entry["id"], str)]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FailedError(f"The list of models is {quoted(body)}: no answer of an OpenAI-compatible API.") from None


def metrics(run: Run) -> str:
    """The names that dashboards, alarms and probes lean on are exposed."""
    image, path = run.contract.image, run.contract.api.paths["metrics"]
    engine = f"{image.engine_name} {image.engine_version}"
    known = engine_metrics(image.engine_name).get(image.engine_version)
    if known is None:
        raise SkippedError(f"The metric names of {engine} are not known; tooling/hawser/facts/engines.yaml lacks them.")
    reply = got(run, path)
    if run.entry and reply.status in (403, 404):
        raise SkippedError(f"{reply.status} on {path}: the entry does not let it through, which is right.")
    refuse_status(reply.status, reply.body, path)
    names = set(_NAME.findall(reply.body))
    missing = [metric.name for metric in known.metrics if not _exposed(metric, names)]
    if len(missing) == len(known.metrics):
        there = f"only others such as {min(names)}" if names else f"the answer is {quoted(reply.body)}"
        raise FailedError(
            f"None of the {len(missing)} names of {engine} is there, {there}. Panels and alarms stay empty, and probes"
            " that go by them see nothing: this is another engine, or something else answers on the path."
        )
    if missing:
        raise FailedError(
            f"{len(missing)} of {len(known.metrics)} names of {engine} are missing: {', '.join(missing)}. Panels and"
            " alarms on them stay empty. The engine is another version than the contract's; names change between them."
        )
    return f"All {len(known.metrics)} names of {engine} that matter are there."


def _exposed(metric: Metric, names: set[str]) -> bool:
    """Whether a metric is among ``names``, which exporters lengthen by kind; OpenMetrics does so in samples only."""
    ends = {"gauge": ("",), "counter": ("_total", ""), "histogram": ("_bucket", "")}[metric.kind]
    return any(metric.name + end in names for end in ends)


def unguarded_path(run: Run) -> str:
    """What the engine answers beside its API must not be open at the entry, with a key or without."""
    request: dict[str, Any] = {
        "model": run.contract.api.served_model_name,
        "messages": [{"role": "user", "content": "Say yes."}],
        "max_tokens": 1,
    }
    with talking(run):
        reply = run.client.post(UNGUARDED, request, run.seconds(run.limits.answer), bare=True)
    if 200 <= reply.status < 300:
        raise FailedError(
            f"{reply.status} on POST {UNGUARDED}, sent without a key: whoever reaches the entry gets answers, for the"
            " engine's key guards /v1 only. Let the entry pass the paths of the API and no others."
        )
    if reply.status >= 500:
        raise SkippedError(f"{reply.status} on POST {UNGUARDED} says neither that it is open nor that it is shut.")
    return f"{reply.status} on POST {UNGUARDED}."
