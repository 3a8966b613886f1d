"""A safe YAML loader that reads CloudFormation's short forms (``!Ref x``) and refuses what CloudFormation refuses."""

from __future__ import annotations

from typing import Any

import yaml


class TemplateLoader(yaml.SafeLoader):
    """``!Ref x`` becomes ``{"Ref": x}``, ``!GetAtt a.b`` ``{"Fn::GetAtt": [a, b]}``, ``!X y`` ``{"Fn::X": y}``.

    Aliases are refused (CloudFormation does, and they can blow up), and so is a key that stands twice.
    """

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Refuses aliases."""
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("aliases are not allowed in a template")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Refuses a key that stands twice."""
        found = super().construct_mapping(node, deep=deep)
        if len(found) != len(node.value):
            raise yaml.YAMLError("the same key twice")
        return {str(key): value for key, value in found.items()}


def _short_form(loader: TemplateLoader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    elif isinstance(node, yaml.MappingNode):
        value = loader.construct_mapping(node, deep=True)
    else:
        raise yaml.YAMLError("unknown kind of node")
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": value}


def _text(_: TemplateLoader, node: yaml.Node) -> str:
    return str(node.value)


TemplateLoader.add_multi_constructor("!", _short_form)
# A version such as 2010-09-09 stays text: a date has no equal in JSON.
TemplateLoader.add_constructor("tag:yaml.org,2002:timestamp", _text)
