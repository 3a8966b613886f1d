"""What a template says in an odd place counts as well: macros anywhere, truth in texts, lists of another name."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from tests.handmade_plans import entry, plan

from hawser.decision.decide import Decision, decide
from hawser.policy.engine import judge

BEFORE: dict[str, Any] = {
    "Resources": {
        "Cluster": {
            "Type": "AWS::SageMaker::Cluster",
            "Properties": {
                "ClusterName": "k3",
                "InstanceGroups": [
                    {"InstanceGroupName": "a", "InstanceType": "ml.p6-b300.48xlarge", "InstanceCount": 2}
                ],
                "Orchestrator": {"Eks": {"ClusterArn": "arn:aws:eks:us-west-2:111122223333:cluster/k3"}},
                "VpcConfig": {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1"]},
            },
        },
        "Weights": {"Type": "AWS::S3::Bucket", "DeletionPolicy": "Retain", "Properties": {}},
    }
}
INCLUDE = {"Name": "AWS::Include", "Parameters": {"Location": "s3://somewhere/part.json"}}


def said(after: dict[str, Any]) -> tuple[Decision, set[str]]:
    sides = [{"name": "k3", "template_body": json.dumps(body), "parameters": {}} for body in (BEFORE, after)]
    found = judge(plan(entry("aws_cloudformation_stack.k3", ["update"], *sides)), None, {}).findings
    return decide(found), {one.rule_id for one in found}


def changed(change: Callable[[dict[str, Any]], None]) -> tuple[Decision, set[str]]:
    after = deepcopy(BEFORE)
    change(after)
    return said(after)


def properties(body: dict[str, Any]) -> Any:
    return body["Resources"]["Cluster"]["Properties"]


def test_the_same_template_is_quiet() -> None:
    assert said(BEFORE) == (Decision.ALLOW, set())


@pytest.mark.parametrize(
    "change",
    [
        lambda body: properties(body)["Orchestrator"].update({"Fn::Transform": INCLUDE}),
        lambda body: properties(body)["InstanceGroups"][0].update({"Fn::Transform": INCLUDE}),
        lambda body: body.update({"Fn::Transform": INCLUDE}),
        lambda body: body.update({"Mappings": {"Fn::Transform": INCLUDE}}),
        lambda body: body.update({"Conditions": {"X": {"Fn::Transform": INCLUDE}}}),
        lambda body: body.update({"Outputs": {"X": {"Value": [{"Fn::ForEach::Y": []}]}}}),
    ],
    ids=["property", "group", "root", "mappings", "conditions", "outputs"],
)
def test_a_macro_anywhere_makes_the_template_unreadable(change: Callable[[dict[str, Any]], None]) -> None:
    decision, rules = changed(change)
    assert decision is Decision.DENY
    assert "HW-HYP-004" in rules


def test_a_macro_beside_other_resources_is_asked_about() -> None:
    body = {"Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": {"Policies": [{"Fn::Transform": INCLUDE}]}}}}
    after = {"name": "x", "template_body": json.dumps(body), "parameters": {}}
    found = judge(plan(entry("aws_cloudformation_stack.x", ["create"], None, after)), None, {}).findings
    assert decide(found) is Decision.NEEDS_APPROVAL
    assert "HW-RUN-004" in {one.rule_id for one in found}


def test_truth_in_a_text_is_written_small() -> None:
    def change(body: dict[str, Any]) -> None:
        body["Conditions"] = {"Big": {"Fn::Equals": [{"Fn::Sub": ["${X}", {"X": True}]}, "True"]}}
        properties(body)["InstanceGroups"][0]["InstanceCount"] = {"Fn::If": ["Big", 2, 1]}

    decision, rules = changed(change)
    assert decision is Decision.DENY
    assert "HW-HYP-003" in rules


def test_a_group_in_the_other_list_is_another_group() -> None:
    def change(body: dict[str, Any]) -> None:
        properties(body)["RestrictedInstanceGroups"] = properties(body).pop("InstanceGroups")

    decision, rules = changed(change)
    assert decision is Decision.DENY
    assert "HW-HYP-002" in rules


def test_what_no_longer_outlives_the_template_is_asked_about() -> None:
    assert changed(lambda body: body["Resources"]["Weights"].pop("DeletionPolicy")) == (
        Decision.NEEDS_APPROVAL,
        {"HW-DEL-009"},
    )
