"""HW-SUP-001: a container image is named by tag."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.policy.documents import strings_in
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shell import SCRIPTS, json_strings, lines_of, scripts_of, template_strings
from hawser.policy.templates import STACK
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import Value

#: Attributes that are an image, or a JSON or YAML document with images in it.
_IMAGES: Final = {"aws_lambda_function": ("image_uri",)}
_DOCUMENTS: Final = {"aws_ecs_task_definition": "container_definitions", "aws_eks_addon": "configuration_values"}
_BLOCKS: Final = {"aws_sagemaker_model": ("primary_container", "container")}
_MANIFESTS: Final = {"kubectl_manifest": "yaml_body", "helm_release": "values", "kubernetes_manifest": "manifest"}

_IMAGE_KEYS: Final = frozenset({"image", "imageuri", "image_uri", "dockerimage"})
_REFERENCE: Final = re.compile(r"[\w.-]+(?::\d+)?(?:/[\w.-]+)*(?::[\w.-]+)?")
_IN_YAML: Final = re.compile(r"""^\s*(?:-\s+)?image:\s*["']?([^\s"'#]+)""", re.MULTILINE)
_RUNS: Final = re.compile(r"\b(?:docker|nerdctl|podman|crictl|ctr)\b.*\b(?:run|pull|create)\b")
_IN_SHELL: Final = re.compile(
    r"(?<![\w/:.@=-])((?:[\w-]+\.)*[\w-]+(?::\d+)?(?:/[\w.-]+)+(?::[\w.-]+)?(?:@sha256:[0-9a-f]+)?|[\w-]+:[\w.-]+)(?![\w/@:])"
)


@change_rule(
    RuleMeta(
        id="HW-SUP-001",
        title="Every container image is named by its digest.",
        area="supply",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=tuple(sorted({*SCRIPTS, *_IMAGES, *_DOCUMENTS, *_BLOCKS, *_MANIFESTS, STACK})),
        looks_at="change",
        why="A tag can point to other bytes tomorrow: two nodes of one replica may then run different engines.",
        fix="Give image.digest in contract.yaml; hawser names images as <registry>/<name>@sha256:… everywhere.",
    )
)
def image_digest(change: Change, context: Context) -> Iterator[Hit]:
    """Looks into container definitions, templates, manifests, and the container commands of scripts."""
    doubts = Doubts()
    seen: set[str] = set()
    for path, image in _images(change, context, doubts):
        if image and "@sha256:" not in image and image not in seen:
            seen.add(image)
            by = "tag" if ":" in image.rsplit("/", 1)[-1] else "name only"
            yield Hit(
                path=path,
                message=f"The image {image[:160]} is named by {by}, not by digest.",
                after=image[:160],
            )
    doubts.settle()


def _images(change: Change, context: Context, doubts: Doubts) -> Iterator[tuple[str, str]]:
    after, type_ = change.after, change.type
    for name in _IMAGES.get(type_, ()):
        yield from _plain(after.get(name), doubts)
    for name in _BLOCKS.get(type_, ()):
        with doubts:
            for block in after.get(name).elements():
                yield from _plain(block.get("image"), doubts)
    document, manifest = _DOCUMENTS.get(type_), _MANIFESTS.get(type_)
    if document and (not after.get(document).is_unknown or _chosen(change, context, document)):
        strings = json_strings(after.get(document), doubts)
        yield from ((document, text) for key, text in strings if _is_image(key, text))
    if manifest:
        yield from _in_manifest(after.get(manifest), doubts)
    yield from (("template_body", text) for key, text in template_strings(change) if _is_image(key, text))
    for path, script in scripts_of(change, doubts, context.configuration.written(change)):
        for line in lines_of(script):
            if _RUNS.search(line):
                yield from ((path, image) for image in _IN_SHELL.findall(line) if _looks_like_image(image))


def _chosen(change: Change, context: Context, name: str) -> bool:
    """Whether somebody gave an unknown document: one that is given as null is filled in by AWS and reads as unknown."""
    if change.type != "aws_eks_addon":
        return True
    return bool(context.configuration.targets(change, name))


def _plain(value: Value, doubts: Doubts) -> Iterator[tuple[str, str]]:
    with doubts:
        text = value.known()
        if isinstance(text, str):
            yield value.path, text


def _in_manifest(value: Value, doubts: Doubts) -> Iterator[tuple[str, str]]:
    with doubts:
        for key, text in strings_in(value.known()):
            if _is_image(key, text):
                yield value.path, text
            else:
                yield from ((value.path, image) for image in _IN_YAML.findall(text) if _REFERENCE.match(image))


def _is_image(key: str, text: str) -> bool:
    return (
        key.lower() in _IMAGE_KEYS
        and not text.startswith("ami-")
        and "${" not in text
        and _REFERENCE.match(text) is not None
    )


def _looks_like_image(text: str) -> bool:
    """A registry path, or name:tag; not a flag's value, a port map (``8000:8000``) or a folder (``a/b:ro``)."""
    head = text.split("/", 1)[0]
    if "@sha256:" in text:
        return True
    if "/" not in text:
        return not text.split(":", 1)[0].isdigit()
    return "." in head or ":" in text.rsplit("/", 1)[-1]
