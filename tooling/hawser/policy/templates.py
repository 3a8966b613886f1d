"""What the CloudFormation template of a stack makes: every resource with its type and resolved properties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hawser.policy.documents import resolve, template_of
from hawser.policy.launch_templates import Side
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
    """The resources of a stack on one side of a plan; nothing for a template that cannot be read.

    HW-RUN-004 speaks for those, and HW-RUN-005 for resources that ``hidden_in`` lists: they have no properties here.
    ``kept`` says that the object
    stays in the account when it leaves the template (``DeletionPolicy: Retain``).
    """
    found = []
    for name, type_, resource in _resources(change, side):
        about = resource if isinstance(resource, dict) else {}
        properties = about.get("Properties")
        kept = str(about.get("DeletionPolicy")).startswith("Retain")
        found.append(Made(name, type_, properties if isinstance(properties, dict) else {}, kept))
    return tuple(found)


def hidden_in(change: Change) -> Iterator[tuple[str, str]]:
    """(path, what it is) of parts of a template that make what the template does not show."""
    for name, type_, resource in _resources(change, "after"):
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


#: Types that make something which is not in the template.
_ELSEWHERE: Final = {
    "AWS::CloudFormation::CustomResource": "is a custom resource: a function makes what it likes",
    "AWS::CloudFormation::Stack": "is a stack of its own, whose template is elsewhere",
    "AWS::CloudFormation::StackSet": "makes stacks, also in other accounts and regions",
    "AWS::CloudFormation::Macro": "is a macro: a function rewrites templates",
}


def _resources(change: Change, side: Side) -> Iterator[tuple[str, str, Any]]:
    value = change.before if side == "before" else change.after
    if change.type != STACK or value.is_null:
        return
    try:
        template = template_of(value.get("template_body"))
        parameters = value.get("parameters").tree()
    except UndecidableError:
        return
    if not isinstance(template, dict):
        return
    listed = template.get("Resources")
    for name, resource in resolve(template, parameters if isinstance(parameters, (dict, Unknown)) else {}).items():
        written = listed.get(name) if isinstance(listed, dict) else None
        if isinstance(written, dict):
            yield name, str(written.get("Type")), resource
