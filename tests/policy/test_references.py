"""What the configuration of a plan refers to, across modules and keys."""

import json
from dataclasses import replace
from typing import Any

from hawser.policy.capacity import capacity
from hawser.policy.registry import Context
from hawser.terraform.configuration import Configuration, module_path
from hawser.terraform.plan import Plan, read_plan


def plan(changes: list[dict[str, Any]], root_module: dict[str, Any]) -> Plan:
    document = {
        "format_version": "1.2",
        "planned_values": {},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": changes,
        "configuration": {"root_module": root_module},
    }
    return read_plan(json.dumps(document).encode(), "test.json")


def create(
    module: str, type_: str, name: str, after: dict[str, Any], unknown: dict[str, Any] | None = None
) -> dict[str, Any]:
    address = f"{module}.{type_}.{name}" if module else f"{type_}.{name}"
    change = {"actions": ["create"], "before": None, "after": after, "after_unknown": unknown or {}}
    return {
        "address": address,
        "module_address": module,
        "mode": "managed",
        "type": type_,
        "name": name,
        "change": change,
    }


def reference(*names: str) -> dict[str, Any]:
    return {"references": list(names)}


GROUP = {"scaling_config": [{"desired_size": 2, "max_size": 2}], "launch_template": [{}], "capacity_type": "ON_DEMAND"}
UNKNOWN = {"launch_template": [{"id": True}], "instance_types": True}


def test_module_paths_have_no_indexes() -> None:
    assert module_path('module.pool["a.b[0]"].module.x[3]') == "module.pool.module.x"


def test_each_group_finds_the_template_of_its_own_module_instance() -> None:
    changes = []
    for key, type_ in (("a", "p5.48xlarge"), ("b", "p6-b300.48xlarge")):
        module = f'module.pool["{key}"]'
        changes.append(create(module, "aws_launch_template", "this", {"instance_type": type_}))
        changes.append(create(module, "aws_eks_node_group", "this", {**GROUP, "node_group_name": key}, UNKNOWN))
    entry = {
        "address": "aws_eks_node_group.this",
        "expressions": {
            "launch_template": [{"id": reference("aws_launch_template.this.id", "aws_launch_template.this")}]
        },
    }
    template = {"address": "aws_launch_template.this", "expressions": {}}
    root = {"module_calls": {"pool": {"module": {"resources": [entry, template]}}}}
    assert [(p.pool, p.instance_type, p.after) for p in capacity(plan(changes, root), None)] == [
        ("a", "p5.48xlarge", 16),
        ("b", "p6-b300.48xlarge", 16),
    ]


def test_references_are_followed_through_variables_and_outputs() -> None:
    changes = [
        create("module.template", "aws_launch_template", "this", {"instance_type": "p5.48xlarge"}),
        create("module.group", "aws_eks_node_group", "this", {**GROUP, "node_group_name": "a"}, UNKNOWN),
    ]
    group = {
        "address": "aws_eks_node_group.this",
        "expressions": {"launch_template": [{"id": reference("var.template_id")}]},
    }
    root = {
        "module_calls": {
            "template": {
                "module": {
                    "resources": [{"address": "aws_launch_template.this", "expressions": {}}],
                    "outputs": {"id": {"expression": reference("aws_launch_template.this.id")}},
                }
            },
            "group": {
                "expressions": {"template_id": reference("module.template.id", "module.template")},
                "module": {"resources": [group]},
            },
        }
    }
    made = plan(changes, root)
    assert Configuration(made.document["configuration"]).targets(made.changes[1], "launch_template", 0, "id") == {
        ("module.template", "aws_launch_template.this")
    }
    assert [p.after for p in capacity(made, None)] == [16]


def test_a_reference_in_a_circle_ends() -> None:
    root = {
        "module_calls": {
            "a": {
                "expressions": {"x": reference("module.a.x")},
                "module": {
                    "outputs": {"x": {"expression": reference("var.x")}},
                    "resources": [{"address": "t.r", "expressions": {"x": reference("var.x")}}],
                },
            }
        }
    }
    made = plan([create("module.a", "t", "r", {})], root)
    assert Configuration(made.document["configuration"]).targets(made.changes[0], "x") == frozenset()


def unseen(changes: list[dict[str, Any]], root_module: dict[str, Any], *relevant: tuple[str, str]) -> frozenset[str]:
    read = plan(changes, root_module)
    attributes = [{"resource": address, "attribute": [name]} for address, name in relevant]
    document = {**read.document, "relevant_attributes": attributes}
    return Context(replace(read, document=document)).modules_with_unseen_blocks


def test_an_unknown_value_that_nothing_visible_takes_is_taken_out_of_sight() -> None:
    list_ = create("", "terraform_data", "list", {"input": None}, {"output": True})
    entry = {"address": "aws_iam_role.this", "expressions": {}}
    taken = {"address": "aws_iam_role.this", "expressions": {"name": reference("terraform_data.list.output")}}
    relevant = ("terraform_data.list", "output")
    assert unseen([list_], {"resources": [entry]}, relevant) == {""}
    assert unseen([list_], {"resources": [taken]}, relevant) == frozenset()
    assert unseen([list_], {"resources": [entry]}, ("terraform_data.list", "input")) == frozenset()


def test_a_module_that_takes_an_unknown_variable_out_of_sight_is_found() -> None:
    list_ = create("", "terraform_data", "list", {"input": None}, {"output": True})
    taken = {"address": "aws_iam_role.this", "expressions": {"name": reference("var.policies")}}
    expressions = {"policies": reference("terraform_data.list.output", "terraform_data.list")}

    def root(*resources: dict[str, Any]) -> dict[str, Any]:
        module = {"resources": list(resources)}
        return {"module_calls": {"roles": {"expressions": expressions, "module": module}}}

    relevant = ("terraform_data.list", "output")
    assert unseen([list_], root(), relevant) == {"module.roles"}
    assert unseen([list_], root(taken), relevant) == frozenset()
