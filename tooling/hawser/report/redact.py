"""One redactor for everything that leaves the bundle folder: reports, messages, and what a scanner is fed.

A plan holds secrets in clear in many places, and Terraform's marks cover only some of them. So all marks are believed,
the strictest wins, and a value that is secret in one place is hidden wherever its text appears. On top come fields
whose name says secret and texts whose shape does (``terraform/secrets.py``).
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from hawser.decision.decide import Decision
from hawser.errors import CannotJudgeError
from hawser.policy.findings import Level, Severity, Verdict
from hawser.terraform.plan import Action
from hawser.terraform.secrets import MASK, is_secret_name, is_secret_value, mask, shapes_in
from hawser.terraform.values import Value

#: Shorter secrets are hidden in their place, not searched for in other texts: they would destroy them.
SHORTEST: Final = 4
#: The same for a value that only its field's name calls secret: `access_key = "test"` must not hide every "test".
SHORTEST_NAMED: Final = 6
#: From this length on a secret is found inside words too; a shorter one only as a whole token.
ANYWHERE: Final = 8

#: Words that every report needs and that are no secret even where one has this value.
_WORDS: Final = frozenset(
    {"true", "false", "null", "none", "default", "enabled", "disabled"}
    | {member.value for kind in (Action, Decision, Level, Severity, Verdict) for member in kind}
)
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_NAME_KEYS: Final = ("name", "Name", "key", "Key", "ParameterKey")
_VALUE_KEYS: Final = ("value", "Value", "ParameterValue")
_GRAM: Final = 4


class Redactor:
    """Hides the secrets of one plan. Build it with ``Redactor.of``."""

    def __init__(self, secrets: Iterable[str] = (), opaque: Iterable[str] = (), structured: Iterable[str] = ()) -> None:
        """Take what was found in a plan.

        ``secrets`` are texts to hide wherever they stand; ``opaque`` are encoded texts that hold a secret and are
        hidden whole; ``structured`` are JSON texts in which a field's name says secret.
        """
        wanted = {secret for secret in secrets if len(secret) >= SHORTEST and secret.lower() not in _WORDS}
        spellings = {spelling for secret in wanted for spelling in _spellings(secret)}
        self._starts: dict[str, tuple[str, ...]] = {}
        self._tokens: dict[str, tuple[str, ...]] = {}
        for secret in sorted(spellings, key=lambda text: (-len(text), text)):
            table = self._starts if len(secret) >= ANYWHERE else self._tokens
            table[secret[:_GRAM]] = (*table.get(secret[:_GRAM], ()), secret)
        # A secret of eight characters covers one aligned group of four wherever it stands: most texts hold none.
        self._grams = frozenset(
            secret[i : i + _GRAM] for group in self._starts.values() for secret in group for i in range(_GRAM)
        )
        self._opaque = frozenset(opaque)
        self._structured = frozenset(structured)
        self._texts: dict[str, str] = {}
        self._copies: dict[str, str] = {"": ""}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Redactor:
        """The redactor for a plan document (``terraform show -json``).

        Raises ``CannotJudgeError`` when the document is nested so deeply that it cannot be searched.
        """
        found = _Search()
        try:
            found.plan(document)
        except RecursionError:
            raise CannotJudgeError("the plan is nested too deeply to be searched for secrets") from None
        plain = cls(found.secrets)
        opaque = {text for text, decoded in found.encoded.items() if plain.text(decoded) != decoded}
        return cls(found.secrets, opaque, found.structured)

    # -- text -----------------------------------------------------------------------------------------------------

    def text(self, text: str) -> str:
        """The text with every secret in it replaced by ``(sensitive)``."""
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = MASK if text in self._opaque else self._mask(text)
        return known

    def last_scan(self, text: str) -> str:
        """A finished report with every known secret that still stands in it replaced; nothing, when all went well."""
        return self._replace(text, self._starts, whole=False) if self._starts else text

    def _mask(self, text: str, *, stand_ins: bool = False) -> str:
        text = mask(text, stand_ins=stand_ins)
        if self._starts and any(text[i : i + _GRAM] in self._grams for i in range(0, len(text) - _GRAM + 1, _GRAM)):
            text = self._replace(text, self._starts, whole=False)
        if self._tokens and len(text) >= SHORTEST:
            text = self._replace(text, self._tokens, whole=True)
        return text

    @staticmethod
    def _replace(text: str, table: Mapping[str, tuple[str, ...]], *, whole: bool) -> str:
        pieces, done, at = [], 0, 0
        while at <= len(text) - _GRAM:
            for secret in table.get(text[at : at + _GRAM], ()):
                end = at + len(secret)
                if text.startswith(secret, at) and not (whole and _inside_word(text, at, end)):
                    pieces += [text[done:at], MASK]
                    done = end
                    at = end - 1
                    break
            at += 1
        return "".join([*pieces, text[done:]]) if pieces else text

    # -- paths ----------------------------------------------------------------------------------------------------

    def path(self, path: str, *sides: Value) -> str:
        """An attribute path, cut where a sensitive value begins: the keys inside it are not for the eye either."""
        for value in sides:
            for root in sensitive_roots(value):
                if path.startswith(root) and path[len(root) : len(root) + 1] in (".", "["):
                    path = root
        return self.text(path)

    def value(self, name: str, value: Any) -> Any:
        """A copy of the value of a field without what the field's name, or a name inside it, calls secret."""
        return self._field(name, value)

    # -- documents ------------------------------------------------------------------------------------------------

    def document(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of the plan document without its secrets: same keys, same types, same shapes.

        A secret string becomes ``(sensitive)`` (an AWS access key becomes the one of AWS's documentation, so that
        scanners still find it), a secret number 0; true, false and null stay.
        """
        names = _sensitive_names(document)
        return {key: self._part(key, value, names) for key, value in document.items()}

    def _part(self, key: str, value: Any, sensitive: Mapping[str, frozenset[str]]) -> Any:
        if key in ("resource_changes", "resource_drift", "deferred_changes"):
            return [self._entry(entry) for entry in value or ()]
        if key == "planned_values":
            return self._values(value, sensitive["outputs"])
        if not isinstance(value, dict):
            return self._field(key, value)
        if key == "prior_state":
            outputs = sensitive["outputs"]
            return {k: self._values(v, outputs) if k == "values" else self._copy(v) for k, v in value.items()}
        if key == "output_changes":
            return {name: self._output(name, change, sensitive["outputs"]) for name, change in value.items()}
        if key == "variables":
            return {
                name: self._hide(v) if name in sensitive["variables"] else self._field(name, v)
                for name, v in value.items()
            }
        if key == "configuration":
            return {k: self._configured(v) if k == "root_module" else self._field(k, v) for k, v in value.items()}
        return self._field(key, value)

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
                        k: self._hide(v) if k == "value" and _hides_output(name, output, sensitive) else self._copy(v)
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
                copy[key] = self._field(key, value)
        return copy

    def _call(self, call: Any) -> Any:
        if not isinstance(call, dict):
            return self._copy(call)
        hidden = _sensitive_variables(call.get("module"))
        copy: dict[str, Any] = {}
        for key, value in call.items():
            if key == "module":
                copy[key] = self._configured(value)
            elif key == "expressions" and isinstance(value, dict):
                copy[key] = {
                    name: self._constants(expression) if name in hidden else self._field(name, expression)
                    for name, expression in value.items()
                }
            else:
                copy[key] = self._copy(value)
        return copy

    # -- copying --------------------------------------------------------------------------------------------------

    def _marked(self, value: Any, mark: Any) -> Any:
        """A copy of the value in which what the mark covers is hidden; in doubt all of it."""
        if mark is True:
            return self._hide(value)
        if not _any_mark(mark):
            return self._copy(value)
        if isinstance(value, dict) and isinstance(mark, dict):
            return {
                key: self._marked(child, mark[key]) if mark.get(key) else self._field(key, child)
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
                copy[key] = self._field(key, value)
            elif kind is str:
                copy[key] = copies.get(value) or self._string(value)
            elif kind is dict or kind is list:
                copy[key] = self._copy(value)
            else:
                copy[key] = value
        for name_key, value_key in _pairs(node):
            copy[value_key] = self._field(node[name_key], node[value_key])
        return copy

    def _field(self, name: str, value: Any) -> Any:
        """A copy of a field, hidden when its name says secret."""
        if not is_secret_name(name):
            return self._copy(value)
        if isinstance(value, str):
            return self._hide(value) if is_secret_value(value) else self._copy(value)
        if isinstance(value, list) and any(isinstance(child, str) for child in value):
            return [self._field(name, child) if isinstance(child, str) else self._copy(child) for child in value]
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
            else self._field(key, value)
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
            copy = self._mask(text, stand_ins=True)
        self._copies[text] = copy
        return copy


class _Search:
    """Collects what is secret in a plan document."""

    def __init__(self) -> None:
        self.secrets: set[str] = set()
        self.structured: set[str] = set()
        self.encoded: dict[str, str] = {}
        self._seen: set[str] = set()
        self._hits = 0

    def plan(self, document: Mapping[str, Any]) -> None:
        names = _sensitive_names(document)
        walked: dict[str, list[Any]] = {}
        for key in ("resource_changes", "resource_drift"):
            for entry in _list(document.get(key)):
                self._entry(entry, walked)
        for entry in _list(document.get("deferred_changes")):
            self._entry(_dict(entry).get("resource_change"), walked)
        for values in (document.get("planned_values"), _dict(document.get("prior_state")).get("values")):
            self._values(values, names["outputs"], walked)
        for name, change in _dict(document.get("output_changes")).items():
            sides = _dict(change)
            hides = _hides_output(name, sides, names["outputs"])
            for side in ("before", "after"):
                self._side(sides.get(side), hides or sides.get(f"{side}_sensitive"))
        for name, variable in _dict(document.get("variables")).items():
            self._side(_dict(variable).get("value"), name in names["variables"] or is_secret_name(name))
        configuration = _dict(document.get("configuration"))
        self._walk(configuration.get("provider_config"))
        self._module(configuration.get("root_module"))

    def _entry(self, entry: Any, walked: dict[str, list[Any]]) -> None:
        change = _dict(_dict(entry).get("change"))
        before, after = change.get("before"), change.get("after")
        self._marked(before, change.get("before_sensitive"))
        self._marked(after, change.get("after_sensitive"))
        self._walk(after)
        if before is not None and before != after:
            self._walk(before)
        walked.setdefault(str(entry.get("address")), []).extend((before, after))

    def _values(self, values: Any, outputs: frozenset[str], walked: Mapping[str, list[Any]]) -> None:
        values = _dict(values)
        for name, output in _dict(values.get("outputs")).items():
            self._side(_dict(output).get("value"), _hides_output(name, _dict(output), outputs))
        modules = [values.get("root_module")]
        while modules:
            module = _dict(modules.pop())
            modules.extend(_list(module.get("child_modules")))
            for resource in map(_dict, _list(module.get("resources"))):
                found = resource.get("values")
                self._marked(found, resource.get("sensitive_values"))
                if found not in walked.get(str(resource.get("address")), ()):
                    self._walk(found)

    def _module(self, module: Any) -> None:
        module = _dict(module)
        for name, entry in _dict(module.get("variables")).items():
            variable = _dict(entry)
            self._side(variable.get("default"), variable.get("sensitive") or is_secret_name(name))
        self._walk(module.get("resources"))
        self._walk(module.get("outputs"))
        for call in map(_dict, _dict(module.get("module_calls")).values()):
            hidden = _sensitive_variables(call.get("module"))
            for name, expression in _dict(call.get("expressions")).items():
                self._side(_dict(expression).get("constant_value"), name in hidden or is_secret_name(name))
            self._walk(call.get("expressions"))
            self._module(call.get("module"))

    def _side(self, value: Any, mark: Any) -> None:
        self._marked(value, mark)
        self._walk(value)

    def _marked(self, value: Any, mark: Any) -> None:
        if mark is True:
            for leaf in _leaves(value):
                self._add(leaf)
        elif isinstance(mark, dict) and isinstance(value, dict):
            for key, child in mark.items():
                if child and key in value:
                    self._marked(value[key], child)
        elif isinstance(mark, list) and isinstance(value, list) and len(mark) == len(value):
            for child, child_mark in zip(value, mark, strict=True):
                self._marked(child, child_mark)
        elif _any_mark(mark):
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
            parsed = _parsed(leaf)
            self._walk(parsed)
            if not (isinstance(parsed, dict) and ("Statement" in parsed or "Resources" in parsed)):
                for child in _leaves(parsed):
                    self._add(child)
        decoded = _decoded(leaf)
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
            for name_key, value_key in _pairs(node):
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
            parsed = _parsed(text)
            hits, self._hits = self._hits, 0
            self._walk(parsed)
            if self._hits:
                self.structured.add(text)
            self._hits += hits
        else:
            decoded = _decoded(text)
            if decoded is not None:
                self.encoded[text] = decoded
                self._look(decoded)


# -- parts of a plan ---------------------------------------------------------------------------------------------


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


def _dict(node: Any) -> dict[str, Any]:
    return node if isinstance(node, dict) else {}


def _list(node: Any) -> list[Any]:
    return node if isinstance(node, list) else []


def _sensitive_variables(module: Any) -> frozenset[str]:
    variables = _dict(_dict(module).get("variables"))
    return frozenset(name for name, variable in variables.items() if _dict(variable).get("sensitive") is True)


def _sensitive_names(document: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    root = _dict(_dict(document.get("configuration")).get("root_module"))
    outputs = _dict(root.get("outputs"))
    return {
        "variables": _sensitive_variables(root),
        "outputs": frozenset(name for name, output in outputs.items() if _dict(output).get("sensitive") is True),
    }


def _hides_output(name: str, output: Mapping[str, Any], sensitive: frozenset[str]) -> bool:
    marks = (output.get("sensitive"), output.get("before_sensitive"), output.get("after_sensitive"))
    return name in sensitive or True in [mark is True for mark in marks] or is_secret_name(name)


def _any_mark(mark: Any) -> bool:
    if not mark or mark is True:
        return mark is True
    for child in mark.values() if isinstance(mark, dict) else mark if isinstance(mark, list) else ():
        if child and _any_mark(child):
            return True
    return False


def _leaves(value: Any) -> Iterator[str | int | float]:
    if isinstance(value, dict):
        for child in value.values():
            yield from _leaves(child)
    elif isinstance(value, list):
        for child in value:
            yield from _leaves(child)
    elif value is not None and not isinstance(value, bool):
        yield value


def _pairs(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """``{"name": "HF_TOKEN", "value": "..."}``: the keys of a pair whose name says secret."""
    for value_key in _VALUE_KEYS:
        if value_key in node:
            for name_key in _NAME_KEYS:
                name = node.get(name_key)
                if isinstance(name, str) and is_secret_name(name):
                    yield name_key, value_key


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _decoded(text: str) -> str | None:
    """The text that a base64 string encodes; nothing for anything else."""
    if len(text) < 16 or len(text) % 4 or _BASE64.fullmatch(text) is None:
        return None
    try:
        decoded = base64.b64decode(text, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return decoded if decoded.isprintable() or "\n" in decoded else None


def _spellings(secret: str) -> Iterator[str]:
    """The ways in which a secret is written inside other texts."""
    yield secret
    encoded = json.dumps(secret)[1:-1]
    yield encoded
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield html.escape(secret)
    # Terraform's jsonencode writes these three as escapes.
    yield encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    if len(secret) >= ANYWHERE:
        yield base64.b64encode(secret.encode("utf-8", "surrogatepass")).decode("ascii")


def _inside_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return (before.isalnum() or before == "_") or (after.isalnum() or after == "_")
