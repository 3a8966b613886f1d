"""A copy of a plan document for a scanner: without secrets, with the keys, types and shapes of the plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hawser.report.redact.encodings import named_pairs
from hawser.report.redact.marks import any_mark, hides_output, sensitive_names, sensitive_variables
from hawser.report.redact.texts import KnownSecrets
from hawser.terraform.secrets import MASK, is_secret_name, is_secret_value, shapes_in


class Copier:
    """Copies documents without the secrets of one plan."""

    def __init__(self, known: KnownSecrets, opaque: frozenset[str], structured: frozenset[str]) -> None:
        """``opaque`` are texts to hide whole, ``structured`` JSON texts to copy as structures."""
        self._known = known
        self._opaque = opaque
        self._structured = structured
        self._copies: dict[str, str] = {"": ""}

    def document(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of the plan document without its secrets: same keys, same types, same shapes.

        A secret string becomes ``(sensitive)`` (an AWS access key becomes the one of AWS's documentation, so that
        scanners still find it), a secret number 0; true, false and null stay.
        """
        names = sensitive_names(document)
        return {key: self._part(key, value, names) for key, value in document.items()}

    def _part(self, key: str, value: Any, sensitive: Mapping[str, frozenset[str]]) -> Any:
        if key in ("resource_changes", "resource_drift", "deferred_changes"):
            return [self._entry(entry) for entry in value or ()]
        if key == "planned_values":
            return self._values(value, sensitive["outputs"])
        if not isinstance(value, dict):
            return self.field(key, value)
        if key == "prior_state":
            outputs = sensitive["outputs"]
            return {k: self._values(v, outputs) if k == "values" else self._copy(v) for k, v in value.items()}
        if key == "output_changes":
            return {name: self._output(name, change, sensitive["outputs"]) for name, change in value.items()}
        if key == "variables":
            return {
                name: self._hide(v) if name in sensitive["variables"] else self.field(name, v)
                for name, v in value.items()
            }
        if key == "configuration":
            return {k: self._configured(v) if k == "root_module" else self.field(k, v) for k, v in value.items()}
        return self.field(key, value)

    def _entry(self, entry: Any) -> Any:
        if not isinstance(entry, dict):
            return self._copy(entry)
        copy = {}
        for key, value in entry.items():
            if key == "change" and isinstance(value, dict):
                copy[key] = self._change(value)
            elif key == "resource_change":
                copy[key] = self._entry(value)
            else:
                copy[key] = self._copy(value)
        return copy

    def _change(self, change: dict[str, Any], *, all_of_it: bool = False) -> dict[str, Any]:
        copy = {}
        for key, value in change.items():
            mark = all_of_it or change.get(f"{key}_sensitive") if key in ("before", "after") else None
            marks = key.endswith(("_sensitive", "_unknown"))
            copy[key] = value if marks else self._marked(value, mark)
        return copy

    def _output(self, name: str, change: Any, sensitive: frozenset[str]) -> Any:
        if not isinstance(change, dict):
            return self._copy(change)
        both = change.get("before_sensitive") is True or change.get("after_sensitive") is True
        return self._change(change, all_of_it=both or name in sensitive or is_secret_name(name))

    def _values(self, values: Any, sensitive: frozenset[str]) -> Any:
        if not isinstance(values, dict):
            return self._copy(values)
        copy: dict[str, Any] = {}
        for key, value in values.items():
            if key in ("root_module", "child_modules"):
                parts = value if isinstance(value, list) else [value]
                copies = [self._values(part, sensitive) for part in parts]
                copy[key] = copies if isinstance(value, list) else copies[0]
            elif key == "resources" and isinstance(value, list):
                copy[key] = [self._resource(resource) for resource in value]
            elif key == "outputs" and isinstance(value, dict):
                copy[key] = {
                    name: {
                        k: self._hide(v) if k == "value" and hides_output(name, output, sensitive) else self._copy(v)
                        for k, v in output.items()
                    }
                    if isinstance(output, dict)
                    else self._copy(output)
                    for name, output in value.items()
                }
            else:
                copy[key] = self._copy(value)
        return copy

    def _resource(self, resource: Any) -> Any:
        if not isinstance(resource, dict):
            return self._copy(resource)
        mark = resource.get("sensitive_values")
        return {
            key: self._marked(value, mark)
            if key == "values"
            else value
            if key == "sensitive_values"
            else self._copy(value)
            for key, value in resource.items()
        }

    def _configured(self, module: Any) -> Any:
        """A module of the configuration: arguments of its calls whose variable is sensitive are hidden."""
        if not isinstance(module, dict):
            return self._copy(module)
        copy: dict[str, Any] = {}
        for key, value in module.items():
            if key == "module_calls" and isinstance(value, dict):
                copy[key] = {name: self._call(call) for name, call in value.items()}
            elif key == "variables" and isinstance(value, dict):
                copy[key] = {
                    name: {k: self._hide(v) if k == "default" else v for k, v in variable.items()}
                    if isinstance(variable, dict) and (variable.get("sensitive") is True or is_secret_name(name))
                    else self._copy(variable)
                    for name, variable in value.items()
                }
            else:
                copy[key] = self.field(key, value)
        return copy

    def _call(self, call: Any) -> Any:
        if not isinstance(call, dict):
            return self._copy(call)
        hidden = sensitive_variables(call.get("module"))
        copy: dict[str, Any] = {}
        for key, value in call.items():
            if key == "module":
                copy[key] = self._configured(value)
            elif key == "expressions" and isinstance(value, dict):
                copy[key] = {
                    name: self._constants(expression) if name in hidden else self.field(name, expression)
                    for name, expression in value.items()
                }
            else:
                copy[key] = self._copy(value)
        return copy

    def _marked(self, value: Any, mark: Any) -> Any:
        """A copy of the value in which what the mark covers is hidden; in doubt all of it."""
        if mark is True:
            return self._hide(value)
        if not any_mark(mark):
            return self._copy(value)
        if isinstance(value, dict) and isinstance(mark, dict):
            return {
                key: self._marked(child, mark[key]) if mark.get(key) else self.field(key, child)
                for key, child in value.items()
            }
        if isinstance(value, list) and isinstance(mark, list) and len(value) == len(mark):
            return [self._marked(child, child_mark) for child, child_mark in zip(value, mark, strict=True)]
        return self._hide(value)

    def _copy(self, node: Any) -> Any:
        kind = type(node)
        if kind is str:
            return self._copies.get(node) or self._string(node)
        if kind is list:
            return [self._copy(child) for child in node]
        if kind is not dict:
            return node
        copies, copy = self._copies, {}
        for key, value in node.items():
            kind = type(value)
            if is_secret_name(key):
                copy[key] = self.field(key, value)
            elif kind is str:
                copy[key] = copies.get(value) or self._string(value)
            elif kind is dict or kind is list:
                copy[key] = self._copy(value)
            else:
                copy[key] = value
        for name_key, value_key in named_pairs(node):
            copy[value_key] = self.field(node[name_key], node[value_key])
        return copy

    def field(self, name: str, value: Any) -> Any:
        """A copy of a field, hidden when its name says secret."""
        if not is_secret_name(name):
            return self._copy(value)
        if isinstance(value, str):
            return self._hide(value) if is_secret_value(value) else self._copy(value)
        if isinstance(value, list) and any(isinstance(child, str) for child in value):
            return [self.field(name, child) if isinstance(child, str) else self._copy(child) for child in value]
        if isinstance(value, dict):
            return self._constants(value, only_strings=True)
        return self._copy(value)

    def _constants(self, expression: Any, *, only_strings: bool = False) -> Any:
        """An expression of the configuration (or a variable) with its constant hidden."""
        if not isinstance(expression, dict):
            return self._hide(expression)
        return {
            key: self._hide(value)
            if key in ("constant_value", "value") and not (only_strings and isinstance(value, dict))
            else self.field(key, value)
            for key, value in expression.items()
        }

    def _hide(self, value: Any) -> Any:
        if isinstance(value, str):
            for shape, _, _ in shapes_in(value):
                if shape.stand_in:
                    return shape.stand_in
            return MASK if value else value
        if isinstance(value, dict):
            return {key: self._hide(child) for key, child in value.items()}
        if isinstance(value, list):
            return [self._hide(child) for child in value]
        return value if value is None or isinstance(value, bool) else 0

    def _string(self, text: str) -> str:
        if text in self._opaque:
            copy = MASK
        elif text in self._structured:
            copy = json.dumps(self._copy(json.loads(text)), separators=(",", ":"))
        else:
            copy = self._known.mask(text, stand_ins=True)
        self._copies[text] = copy
        return copy
