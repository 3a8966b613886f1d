"""Image and engine: can this image serve this model as written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.contract.checks.licence import model_facts
from hawser.contract.checks.rule import rule
from hawser.contract.draft import Draft
from hawser.contract.problems import Problem, shown

_INSTALLS: Final = re.compile(
    r"\b(pip3?|uv|conda|mamba|apt|apt-get|yum|dnf|apk|npm|cargo|go)\s+(-\S+\s+)*(install|add|pip|sync)\b"
    r"|\b(curl|wget)\s|\bgit\s+clone\b|\b(ba|z)?sh\s+-\w*c\b"
)

#: Arguments that a field of the contract gives already, by the field.
_FIELD_OF_ARGUMENT: Final = {
    "--tensor-parallel-size": "serving.tensor_parallel",
    "-tp": "serving.tensor_parallel",
    "--pipeline-parallel-size": "serving.pipeline_parallel",
    "-pp": "serving.pipeline_parallel",
    "--data-parallel-size": "serving.data_parallel",
    "-dp": "serving.data_parallel",
    "--max-model-len": "serving.max_model_len",
    "--gpu-memory-utilization": "serving.gpu_memory_utilization",
    "--kv-cache-dtype": "serving.kv_cache_dtype",
    "--tool-call-parser": "serving.tool_call_parser",
    "--reasoning-parser": "serving.reasoning_parser",
    "--shutdown-timeout": "serving.shutdown_timeout_seconds",
    "--served-model-name": "api.served_model_name",
    "--port": "api.port",
    "--model": "weights.path",
}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d{1,9}", version.partition("+")[0])[:4])


@rule(
    "The engine is new enough for the model.",
    "An older engine does not know the model's architecture and stops at start.",
)
def engine_version(draft: Draft) -> Iterator[Problem]:
    """``image.engine``."""
    model = model_facts(draft)
    name = draft.text("image", "engine", "name")
    if name not in model.engines:
        known = ", ".join(model.engines)
        yield draft.problem(
            ("image", "engine", "name"), f"one of {known}", f"use {known}, for which {model.id} is known"
        )
        return
    least = model.engines[name]
    if _numbers(draft.text("image", "engine", "version")) < _numbers(least):
        fix = f"take an image with {name} {least} or later"
        yield draft.problem(("image", "engine", "version"), f"{least} or later for {model.id}", fix)


@rule("The CUDA version is one that the model's kernels are built for.", "The kernels are not there in other images.")
def cuda_version(draft: Draft) -> Iterator[Problem]:
    """``image.cuda``."""
    model = model_facts(draft)
    found = _numbers(draft.text("image", "cuda"))
    if found[:1] != _numbers(model.cuda)[:1] or found < _numbers(model.cuda):
        major = model.cuda.partition(".")[0]
        yield draft.problem(
            ("image", "cuda"), f"CUDA {major} ({model.cuda} or later)", f"take an image for CUDA {major}"
        )


@rule(
    "The driver is new enough for the image.",
    "An older driver refuses the image's CUDA, on a node that is already paid for.",
)
def driver_version(draft: Draft) -> Iterator[Problem]:
    """``image.minimum_driver``."""
    model = model_facts(draft)
    if _numbers(draft.text("image", "minimum_driver"))[0] < model.driver:
        yield draft.problem(("image", "minimum_driver"), f"{model.driver} or later", f'write "{model.driver}"')


@rule(
    "The parsers are the model's.",
    "With another parser the API answers with empty content or raw markup, and every health check still passes.",
)
def parsers(draft: Draft) -> Iterator[Problem]:
    """``serving.tool_call_parser`` and ``serving.reasoning_parser``."""
    model = model_facts(draft)
    for field, right in (("tool_call_parser", model.tool_call_parser), ("reasoning_parser", model.reasoning_parser)):
        name = draft.text("serving", field)
        if name != right:
            known = f" ({model.other_parsers[name]})" if name in model.other_parsers else ""
            yield draft.problem(("serving", field), right, f"write {right}", found=f"{shown(name)}{known}")


@rule(
    "The engine gets the arguments that the model needs.",
    "Without them it does not start, or ignores tools in requests.",
)
def needed_arguments(draft: Draft) -> Iterator[Problem]:
    """``serving.extra_args``: what the model's recipe asks for."""
    model = model_facts(draft)
    given = draft.texts("serving", "extra_args")
    for argument in model.needed_arguments:
        if argument not in given:
            yield draft.problem(("serving", "extra_args"), argument, f"add {argument}", found=f"no {argument}")


@rule(
    "An argument does not repeat a field of the contract.",
    "Two values for one setting: what was checked is not what runs.",
)
def repeated_arguments(draft: Draft) -> Iterator[Problem]:
    """``serving.extra_args``: nothing that a field gives already."""
    for index, argument in enumerate(draft.texts("serving", "extra_args")):
        name = argument.partition("=")[0]
        if field := _FIELD_OF_ARGUMENT.get(name):
            path = ("serving", "extra_args", str(index))
            yield draft.problem(path, f"the field {field} alone", f"remove it and set {field}", found=shown(name))


@rule(
    "No argument carries a secret.",
    "Arguments are shown by every list of processes, every pod description and every plan.",
)
def secret_arguments(draft: Draft) -> Iterator[Problem]:
    """``serving.extra_args``: no API key or token."""
    for index, argument in enumerate(draft.texts("serving", "extra_args")):
        name = argument.partition("=")[0]
        if name in {"--api-key", "--hf-token", "--ssl-keyfile-password"}:
            path = ("serving", "extra_args", str(index))
            yield draft.problem(path, "no secret in arguments", "remove it; give it as a Kubernetes secret", found=name)


@rule(
    "Nothing is installed when the container starts.",
    "What is fetched at start was reviewed by nobody, differs from day to day, and is missing when the network is.",
)
def installed_at_start(draft: Draft) -> Iterator[Problem]:
    """``image.entrypoint`` and ``serving.extra_args``."""
    for path in (("image", "entrypoint"), ("serving", "extra_args")):
        if found := _INSTALLS.search(" ".join(draft.texts(*path))):
            fix = "build it into the image, and give the new digest"
            yield draft.problem(path, "a command that installs nothing", fix, found=f"`{shown(found[0].strip())}`")


@rule("The API has a path for everything once.", "Two purposes on one path cannot both be answered.")
def distinct_paths(draft: Draft) -> Iterator[Problem]:
    """``api.paths``."""
    seen: dict[str, str] = {}
    for name, path in draft.pairs("api", "paths").items():
        if path in seen:
            yield draft.problem(("api", "paths", name), f"another path than {seen[path]}", "write its own path")
        seen.setdefault(path, name)
