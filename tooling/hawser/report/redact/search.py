"""Collects what is secret in a plan document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hawser.report.redact.encodings import ANYWHERE, decoded_base64, encoded_runs, named_pairs, parsed_json
from hawser.report.redact.marks import (
    any_mark,
    as_dict,
    as_list,
    hides_output,
    leaves,
    sensitive_names,
    sensitive_variables,
)
from hawser.terraform.secrets import is_secret_name, is_secret_value, shapes_in

#: The same for a value that only its field's name calls secret: `access_key = "test"` must not hide every "test".
SHORTEST_NAMED: Final = 6


class Search:
    """Collects what is secret in a plan document."""

    def __init__(self) -> None:
        self.secrets: set[str] = set()
        self.structured: set[str] = set()
        self.encoded: dict[str, str] = {}
        self._seen: set[str] = set()
        self._hits = 0

    def plan(self, document: Mapping[str, Any]) -> None:
        """Search the whole document. Raises ``RecursionError`` when it is nested too deeply."""
        names = sensitive_names(document)
        walked: dict[str, list[Any]] = {}
        for key in ("resource_changes", "resource_drift"):
            for entry in as_list(document.get(key)):
                self._entry(entry, walked)
        for entry in as_list(document.get("deferred_changes")):
            self._entry(as_dict(entry).get("resource_change"), walked)
        for values in (document.get("planned_values"), as_dict(document.get("prior_state")).get("values")):
            self._values(values, names["outputs"], walked)
        for name, change in as_dict(document.get("output_changes")).items():
            sides = as_dict(change)
            hides = hides_output(name, sides, names["outputs"])
            for side in ("before", "after"):
                self._side(sides.get(side), hides or sides.get(f"{side}_sensitive"))
        for name, variable in as_dict(document.get("variables")).items():
            self._side(as_dict(variable).get("value"), name in names["variables"] or is_secret_name(name))
        configuration = as_dict(document.get("configuration"))
        self._walk(configuration.get("provider_config"))
        self._module(configuration.get("root_module"))

    def _entry(self, entry: Any, walked: dict[str, list[Any]]) -> None:
        change = as_dict(as_dict(entry).get("change"))
        before, after = change.get("before"), change.get("after")
        self._marked(before, change.get("before_sensitive"))
        self._marked(after, change.get("after_sensitive"))
        self._walk(after)
        if before is not None and before != after:
            self._walk(before)
        walked.setdefault(str(entry.get("address")), []).extend((before, after))

    def _values(self, values: Any, outputs: frozenset[str], walked: Mapping[str, list[Any]]) -> None:
        values = as_dict(values)
        for name, output in as_dict(values.get("outputs")).items():
            self._side(as_dict(output).get("value"), hides_output(name, as_dict(output), outputs))
        modules = [values.get("root_module")]
        while modules:
            module = as_dict(modules.pop())
            modules.extend(as_list(module.get("child_modules")))
            for resource in map(as_dict, as_list(module.get("resources"))):
                found = resource.get("values")
                self._marked(found, resource.get("sensitive_values"))
                if found not in walked.get(str(resource.get("address")), ()):
                    self._walk(found)

    def _module(self, module: Any) -> None:
        module = as_dict(module)
        for name, entry in as_dict(module.get("variables")).items():
            variable = as_dict(entry)
            self._side(variable.get("default"), variable.get("sensitive") or is_secret_name(name))
        self._walk(module.get("resources"))
        self._walk(module.get("outputs"))
        for call in map(as_dict, as_dict(module.get("module_calls")).values()):
            hidden = sensitive_variables(call.get("module"))
            for name, expression in as_dict(call.get("expressions")).items():
                self._side(as_dict(expression).get("constant_value"), name in hidden or is_secret_name(name))
            self._walk(call.get("expressions"))
            self._module(call.get("module"))

    def _side(self, value: Any, mark: Any) -> None:
        self._marked(value, mark)
        self._walk(value)

    def _marked(self, value: Any, mark: Any) -> None:
        if mark is True:
            for leaf in leaves(value):
                self._add(leaf)
        elif isinstance(mark, dict) and isinstance(value, dict):
            for key, child in mark.items():
                if child and key in value:
                    self._marked(value[key], child)
        elif isinstance(mark, list) and isinstance(value, list) and len(mark) == len(value):
            for child, child_mark in zip(value, mark, strict=True):
                self._marked(child, child_mark)
        elif any_mark(mark):
            self._marked(value, True)

    def _add(self, leaf: Any) -> None:
        """A secret, and what it is made of: its lines, the fields of its JSON, the text that it encodes."""
        self._hits += 1
        if not isinstance(leaf, str):
            self.secrets.add(str(leaf))
            return
        if leaf in self.secrets or not leaf:
            return
        self.secrets.add(leaf)
        if "\n" in leaf:
            lines = (line.strip() for line in leaf.splitlines())
            self.secrets.update(line for line in lines if len(line) >= ANYWHERE and not line.startswith("-----"))
        if leaf[0] in "{[":
            parsed = parsed_json(leaf)
            self._walk(parsed)
            if not (isinstance(parsed, dict) and ("Statement" in parsed or "Resources" in parsed)):
                for child in leaves(parsed):
                    self._add(child)
        decoded = decoded_base64(leaf)
        if decoded is not None:
            self._add(decoded)

    def _walk(self, node: Any) -> None:
        """Fields whose name says secret, and texts whose shape does."""
        kind = type(node)
        if kind is dict:
            seen = self._seen
            for key, value in node.items():
                kind = type(value)
                if is_secret_name(key):
                    self._named(value)
                if kind is str:
                    if value not in seen:
                        self._look(value)
                elif kind is dict or kind is list:
                    self._walk(value)
            for name_key, value_key in named_pairs(node):
                if is_secret_name(node[name_key]):
                    self._named(node[value_key])
        elif kind is list:
            for child in node:
                self._walk(child)
        elif kind is str and node not in self._seen:
            self._look(node)

    def _named(self, value: Any) -> None:
        if isinstance(value, dict):
            value = value.get("constant_value")
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and is_secret_value(text):
                self._hits += 1
                if len(text) >= SHORTEST_NAMED:
                    self._add(text)

    def _look(self, text: str) -> None:
        self._seen.add(text)
        for _, start, end in shapes_in(text):
            self._add(text[start:end])
        if text[:1] in ("{", "["):
            parsed = parsed_json(text)
            hits, self._hits = self._hits, 0
            self._walk(parsed)
            if self._hits:
                self.structured.add(text)
            self._hits += hits
        else:
            decoded = decoded_base64(text)
            if decoded is not None:
                self.encoded[text] = decoded
                self._look(decoded)
            else:
                self._look_inside(text)

    def _look_inside(self, text: str) -> None:
        """Base64 inside a text: all of a run that holds a secret is one."""
        for run, decoded in encoded_runs(text):
            hits, self._hits = self._hits, 0
            self._look(decoded)
            if self._hits:
                self.secrets.add(run)
                self.secrets.update(line for line in run.split() if len(line) >= ANYWHERE)
            self._hits += hits
