"""HyperPod clusters that a template hides: behind conditions, mappings, macros and references that move."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.handmade_plans import entry, plan

from hawser.policy.engine import judge
from hawser.policy.findings import Level

Template = dict[str, Any]


def template() -> Template:
    """A cluster with one group of eight nodes, in a template that decides several things by itself."""
    group = {"InstanceGroupName": "k3", "InstanceType": "ml.p5.48xlarge", "InstanceCount": {"Ref": "Nodes"}}
    return {
        "Parameters": {"Nodes": {"Type": "Number", "Default": 8}, "Stage": {"Type": "String", "Default": "prod"}},
        "Mappings": {"Net": {"prod": {"subnet": "subnet-1"}, "dev": {"subnet": "subnet-2"}}},
        "Conditions": {"Live": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}},
        "Resources": {
            "Group": {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": "nodes"}},
            "Cluster": {
                "Type": "AWS::SageMaker::Cluster",
                "Properties": {
                    "ClusterName": "k3",
                    "VpcConfig": {"Subnets": ["subnet-1"], "SecurityGroupIds": [{"Ref": "Group"}]},
                    "InstanceGroups": [group],
                },
            },
        },
    }


def deciding(before: Template, after: Template, parameters: Any = None) -> set[tuple[str, str]]:
    """(rule, verdict) of what keeps an update of the stack from being allowed."""
    sides = [{"name": "k3", "template_body": json.dumps(body)} for body in (before, after)]
    if parameters:
        for side, given in zip(sides, parameters, strict=True):
            side["parameters"] = given
    made = plan(entry("aws_cloudformation_stack.x", ["update"], *sides))
    found = judge(made, None, {}).findings
    return {
        (finding.rule_id, finding.verdict.value)
        for finding in found
        if finding.level is not Level.ADVISORY and finding.changed
    }


def properties(body: Template) -> dict[str, Any]:
    found: dict[str, Any] = body["Resources"]["Cluster"]["Properties"]
    return found


def group(body: Template) -> dict[str, Any]:
    found: dict[str, Any] = properties(body)["InstanceGroups"][0]
    return found


def condition_on_cluster(body: Template) -> None:
    body["Resources"]["Cluster"]["Condition"] = "Live"


def count_behind_if(body: Template) -> None:
    group(body)["InstanceCount"] = {"Fn::If": ["Live", 8, 2]}


def count_behind_ssm_condition(body: Template) -> None:
    body["Parameters"]["Stage"] = {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/stage"}
    count_behind_if(body)


def group_behind_if(body: Template) -> None:
    properties(body)["InstanceGroups"] = [{"Fn::If": ["Live", group(body), {"Ref": "AWS::NoValue"}]}]


def groups_behind_if(body: Template) -> None:
    properties(body)["InstanceGroups"] = {"Fn::If": ["Live", [group(body)], []]}


def subnet_from_map(body: Template) -> None:
    properties(body)["VpcConfig"]["Subnets"] = [{"Fn::FindInMap": ["Net", {"Ref": "Stage"}, "subnet"]}]


def stage(name: str) -> Callable[[Template], None]:
    def change(body: Template) -> None:
        body["Parameters"]["Stage"]["Default"] = name

    return change


def other_map(body: Template) -> None:
    body["Mappings"]["Net"]["prod"]["subnet"] = "subnet-2"


def group_moves(body: Template) -> None:
    body["Resources"]["Group"]["Properties"]["GroupDescription"] = "other"


def macro_in_properties(body: Template) -> None:
    properties(body)["Fn::Transform"] = {"Name": "AWS::Include", "Parameters": {"Location": "s3://b/groups"}}


def macro_in_resources(body: Template) -> None:
    body["Resources"]["Fn::ForEach::More"] = ["N", ["a"], {"Extra${N}": {"Type": "AWS::SageMaker::Cluster"}}]


def dynamic_name(body: Template) -> None:
    properties(body)["ClusterName"] = "{{resolve:ssm:/cluster/name}}"


def same_group_twice(body: Template) -> None:
    properties(body)["InstanceGroups"].append({**group(body), "InstanceCount": 8})


HIDES: list[tuple[list[Callable[[Template], None]], list[Callable[[Template], None]], set[tuple[str, str]]]] = [
    # what stands on both sides, what changes, what must be said (at least)
    ([condition_on_cluster], [stage("dev")], {("HW-HYP-001", "fail")}),
    ([count_behind_if], [stage("dev")], {("HW-HYP-003", "fail"), ("HW-CAP-001", "fail")}),
    ([count_behind_ssm_condition], [stage("dev")], {("HW-HYP-003", "undecidable"), ("HW-CAP-001", "undecidable")}),
    ([group_behind_if], [stage("dev")], {("HW-HYP-002", "fail"), ("HW-CAP-001", "fail")}),
    ([groups_behind_if], [stage("dev")], {("HW-HYP-002", "fail"), ("HW-CAP-001", "fail")}),
    ([subnet_from_map], [stage("dev")], {("HW-HYP-001", "fail")}),
    ([subnet_from_map], [other_map], {("HW-HYP-001", "fail")}),
    ([], [group_moves], {("HW-HYP-001", "undecidable")}),
    ([], [macro_in_properties], {("HW-HYP-004", "fail")}),
    ([], [macro_in_resources], {("HW-HYP-004", "fail")}),
    ([dynamic_name], [stage("dev")], {("HW-HYP-001", "undecidable")}),
    ([], [same_group_twice], {("HW-HYP-003", "undecidable")}),
]


@pytest.mark.parametrize(("given", "changed", "said"), HIDES)
def test_what_a_template_hides_is_found_or_said_to_be_hidden(
    given: list[Callable[[Template], None]],
    changed: list[Callable[[Template], None]],
    said: set[tuple[str, str]],
) -> None:
    before = template()
    for edit in given:
        edit(before)
    after = copy.deepcopy(before)
    for edit in changed:
        edit(after)
    assert said <= deciding(before, after)


@pytest.mark.parametrize(
    "given", [condition_on_cluster, count_behind_if, group_behind_if, groups_behind_if, subnet_from_map]
)
def test_what_the_template_decides_by_itself_is_quiet_while_it_stays(given: Callable[[Template], None]) -> None:
    before = template()
    given(before)
    after = copy.deepcopy(before)
    after["Description"] = "another text"
    assert deciding(before, after) == set()


def test_parameters_decide_like_the_template() -> None:
    body = template()
    count_behind_if(body)
    said = deciding(body, body, ({"Stage": "prod"}, {"Stage": "dev"}))
    assert ("HW-HYP-003", "fail") in said
    assert deciding(body, body, ({"Stage": "prod", "Nodes": "8"}, {"Stage": "prod", "Nodes": "9"})) == set()


def test_groups_of_one_name_in_two_clusters_are_two_pools() -> None:
    before = template()
    second = copy.deepcopy(before["Resources"]["Cluster"])
    second["Properties"]["ClusterName"] = "k3-b"
    before["Resources"]["Second"] = second
    after = copy.deepcopy(before)
    after["Resources"]["Second"]["Properties"]["InstanceGroups"][0]["InstanceCount"] = 4
    assert ("HW-CAP-001", "fail") in deciding(before, after)
