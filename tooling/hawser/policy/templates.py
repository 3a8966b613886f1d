"""What the CloudFormation template of a stack makes: every resource with its type and resolved properties."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hawser.policy.documents import resolve, template_of
from hawser.policy.launch_templates import Side
from hawser.policy.unknown import OpaqueError
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError, Unknown

STACK: Final = "aws_cloudformation_stack"


@dataclass(frozen=True, slots=True)
class Made:
    """One resource of a template. ``properties`` are resolved, with ``UNKNOWN`` in them where they are not known."""

    name: str
    type: str
    properties: dict[str, Any]
    kept: bool

    def path(self, *keys: str | int) -> str:
        """The path to one of its properties, as findings name it."""
        text = f"template_body.Resources.{self.name}.Properties"
        return text + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)


def made_by(change: Change, side: Side = "after") -> tuple[Made, ...]:
    """The resources of a stack on one side of a plan, as far as its template can be read.

    HW-RUN-004 speaks for the rest, and HW-RUN-005 for resources that ``hidden_in`` lists: they have no properties here.
    ``kept`` says that the object stays in the account when it leaves the template (``DeletionPolicy: Retain``).
    """
    found = []
    for name, type_, resource in _readable(change, side):
        about = resource if isinstance(resource, dict) else {}
        properties = about.get("Properties")
        kept = str(about.get("DeletionPolicy")).startswith("Retain")
        found.append(Made(name, type_, properties if isinstance(properties, dict) else {}, kept))
    return tuple(found)


def new_in_template(change: Change, types: Collection[str]) -> Iterator[Made]:
    """The resources of these types that an apply makes or changes."""
    before = {one.name: one for one in made_by(change, "before")} if not change.before.is_null else {}
    for one in made_by(change):
        old = before.get(one.name)
        if one.type in types and (old is None or (old.type, old.properties) != (one.type, one.properties)):
            yield one


def hidden_in(change: Change) -> Iterator[tuple[str, str]]:
    """(path, what it is) of parts of a template that make what the template does not show."""
    for name, type_, resource in _readable(change, "after"):
        path = f"template_body.Resources.{name}"
        if type_ in _ELSEWHERE:
            yield f"{path}.Type", _ELSEWHERE[type_]
        elif type_.startswith("Custom::"):
            yield f"{path}.Type", _ELSEWHERE["AWS::CloudFormation::CustomResource"]
        elif type_.endswith("::MODULE"):
            yield f"{path}.Type", "is a module of the account's registry"
        elif isinstance(resource, Unknown):
            yield f"{path}.Condition", "is made or not by a condition that the plan does not decide"
        elif not isinstance(resource.get("Properties", {}), dict):
            yield f"{path}.Properties", "has properties that are decided when CloudFormation deploys it"
        elif macro := next((key for key in (*resource, *resource.get("Properties", {})) if _is_function(key)), None):
            yield path, f"gets properties from {macro}"


#: Types that make something which is not in the template.
_ELSEWHERE: Final = {
    "AWS::CloudFormation::CustomResource": "is a custom resource: a function makes what it likes",
    "AWS::CloudFormation::Stack": "is a stack of its own, whose template is elsewhere",
    "AWS::CloudFormation::StackSet": "makes stacks, also in other accounts and regions",
    "AWS::CloudFormation::Macro": "is a macro: a function rewrites templates",
}


def _is_function(key: Any) -> bool:
    """Whether a key stands for others that nobody can see (``Fn::Transform``, ``Fn::ForEach::…``)."""
    return str(key).startswith("Fn::")


def template(change: Change, side: Side) -> Mapping[str, Any]:
    """The template of a stack as it is written; empty for a side that does not exist, or a stack without a template.

    Raises ``UndecidableError`` when it is unknown, ``OpaqueError`` when it is elsewhere or cannot be read.
    """
    value = change.before if side == "before" else change.after
    if change.type != STACK or value.is_null:
        return {}
    # A stack that was made by an address has its text in the state; planned with one, that text is the old one.
    if side == "after" and value.get("template_url").present:
        raise OpaqueError("template_url", "is a template outside the plan")
    found = template_of(value.get("template_body"))
    if found is not None and not isinstance(found, dict):
        raise OpaqueError("template_body", "is not a template")
    return found or {}


def resources(change: Change, side: Side) -> Iterator[tuple[str, str, Any]]:
    """(logical id, type, resolved resource) of all that the template of a stack makes; see ``resolve``.

    Raises like ``template``. What a macro makes comes as an ``OpaqueError`` after all that can be read, so that a
    violation beside it is not lost.
    """
    written = template(change, side)
    if not isinstance(written.get("Resources", {}), dict):
        raise OpaqueError("template_body.Resources", "is no table of resources")
    listed = {str(name): resource for name, resource in written.get("Resources", {}).items()}
    parameters = (change.before if side == "before" else change.after).get("parameters").tree()
    for name, resource in resolve(written, parameters if isinstance(parameters, (dict, Unknown)) else {}).items():
        if isinstance(listed.get(name), dict) and not _is_function(name):
            yield name, str(listed[name].get("Type")), resource
    if written.get("Transform"):
        raise OpaqueError("template_body", "is made by a macro (Transform)")
    for name, resource in listed.items():
        if _is_function(name):
            raise OpaqueError("template_body.Resources", f"is made by {name}")
        if not isinstance(resource, dict):
            raise OpaqueError(f"template_body.Resources.{name}", "is no resource")
    if place := _included(written):
        raise OpaqueError(place, "is made by a macro when CloudFormation deploys it")


_MACRO: Final = re.compile(r"Fn::(Transform$|ForEach)")
_OF_RESOURCE: Final = re.compile(r"template_body\.Resources\.[^.]+(\.Properties)?")


def _included(written: Mapping[str, Any]) -> str:
    """The first place in a template where a macro or a loop stands for text that the plan does not hold.

    One that stands for all of a resource or of its properties is told by ``hidden_in``.
    """
    stack: list[tuple[str, Any]] = [("template_body", dict(written))]
    while stack:
        path, node = stack.pop()
        if isinstance(node, dict):
            for key, child in node.items():
                here = f"{path}.{key}"
                if _MACRO.match(str(key)):
                    if not _OF_RESOURCE.fullmatch(path):
                        return here
                    continue
                stack.append((here, child))
        elif isinstance(node, list):
            stack += [(f"{path}[{index}]", child) for index, child in enumerate(node)]
    return ""


def _readable(change: Change, side: Side) -> Iterator[tuple[str, str, Any]]:
    with contextlib.suppress(UndecidableError):
        yield from resources(change, side)
