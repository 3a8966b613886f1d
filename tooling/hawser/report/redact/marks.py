"""Which parts of a plan are marked sensitive, and by what: values, variables, outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hawser.terraform.secrets import is_secret_name
from hawser.terraform.values import Value


def sensitive_roots(value: Value) -> Iterator[str]:
    """Paths at which a sensitive value begins."""
    if not value.is_sensitive:
        return
    raw = value.raw()
    if isinstance(raw, dict):
        children = [value.get(key) for key in raw]
    elif isinstance(raw, list):
        children = [value.get(index) for index in range(len(raw))]
    else:
        children = []
    if value.get("").is_sensitive or not children:  # a mark on the whole covers also a key that is not there
        yield value.path
        return
    for child in children:
        yield from sensitive_roots(child)


def as_dict(node: Any) -> dict[str, Any]:
    """The mapping; an empty one in place of anything else."""
    return node if isinstance(node, dict) else {}


def as_list(node: Any) -> list[Any]:
    """The list; an empty one in place of anything else."""
    return node if isinstance(node, list) else []


def sensitive_variables(module: Any) -> frozenset[str]:
    """Names of the variables that a configured module declares sensitive."""
    variables = as_dict(as_dict(module).get("variables"))
    return frozenset(name for name, variable in variables.items() if as_dict(variable).get("sensitive") is True)


def sensitive_names(document: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Variables and outputs of the root module that the configuration declares sensitive."""
    root = as_dict(as_dict(document.get("configuration")).get("root_module"))
    outputs = as_dict(root.get("outputs"))
    return {
        "variables": sensitive_variables(root),
        "outputs": frozenset(name for name, output in outputs.items() if as_dict(output).get("sensitive") is True),
    }


def hides_output(name: str, output: Mapping[str, Any], sensitive: frozenset[str]) -> bool:
    """Whether a mark, the configuration or its name makes an output sensitive."""
    marks = (output.get("sensitive"), output.get("before_sensitive"), output.get("after_sensitive"))
    return name in sensitive or True in [mark is True for mark in marks] or is_secret_name(name)


def any_mark(mark: Any) -> bool:
    """Whether a tree of marks marks anything."""
    if not mark or mark is True:
        return mark is True
    for child in mark.values() if isinstance(mark, dict) else mark if isinstance(mark, list) else ():
        if child and any_mark(child):
            return True
    return False


def leaves(value: Any) -> Iterator[str | int | float]:
    """Texts and numbers in a value."""
    if isinstance(value, dict):
        for child in value.values():
            yield from leaves(child)
    elif isinstance(value, list):
        for child in value:
            yield from leaves(child)
    elif value is not None and not isinstance(value, bool):
        yield value
