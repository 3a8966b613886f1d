"""Stacks of whose template something can be read and something cannot: what is read is judged, the rest is said."""

import json
from typing import Any

import pytest
from tests.handmade_plans import entry, plan

from hawser.policy.engine import judge

ROLE = {
    "Type": "AWS::IAM::Role",
    "Properties": {
        "AssumeRolePolicyDocument": {
            "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}]
        }
    },
}
BUCKET = {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "weights"}}
TRUST = ("fail", "HW-IAM-004", "template_body.Resources.Open.Properties.AssumeRolePolicyDocument.Statement[0]")


def said(before: dict[str, Any] | None, after: dict[str, Any]) -> set[tuple[str, str, str]]:
    """(verdict, rule, path) about a stack with these attributes."""
    change = entry("aws_cloudformation_stack.x", ["update"] if before else ["create"], before, {"name": "x", **after})
    return {(one.verdict.value, one.rule_id, one.path) for one in judge(plan(change), None, {}).findings}


def body(**parts: Any) -> dict[str, Any]:
    return {"template_body": json.dumps(parts)}


@pytest.mark.parametrize(
    ("parts", "hidden"),
    [
        ({"Transform": "AWS::Serverless-2016-10-31", "Resources": {"Open": ROLE}}, "template_body"),
        (
            {"Resources": {"Open": ROLE, "Fn::ForEach::More": ["N", ["a"], {"T${N}": {"Type": "AWS::SNS::Topic"}}]}},
            "template_body.Resources",
        ),
        ({"Resources": {"Open": ROLE, "Broken": "AWS::SNS::Topic"}}, "template_body.Resources.Broken"),
    ],
)
def test_a_violation_beside_what_cannot_be_read_is_found(parts: dict[str, Any], hidden: str) -> None:
    assert said(None, body(**parts)) == {TRUST, ("fail", "HW-RUN-004", hidden)}


def test_resources_that_are_no_table_are_said() -> None:
    assert said(None, body(Resources=[ROLE])) == {("fail", "HW-RUN-004", "template_body.Resources")}


@pytest.mark.parametrize(
    "resource",
    [
        {"Type": "AWS::IAM::Role", "Properties": {"Fn::Transform": {"Name": "AWS::Include"}}},
        {"Type": "AWS::IAM::Role", "Fn::Transform": {"Name": "AWS::Include"}},
    ],
)
def test_a_macro_inside_a_resource_is_said(resource: dict[str, Any]) -> None:
    assert said(None, body(Resources={"Role": resource})) == {("fail", "HW-RUN-005", "template_body.Resources.Role")}


def test_names_that_yaml_takes_for_numbers_are_names() -> None:
    text = json.dumps(ROLE)
    path = TRUST[2].replace("Open", "1")
    assert said(None, {"template_body": f"Resources:\n  1: {text}\n"}) == {("fail", "HW-IAM-004", path)}


def test_only_a_template_that_was_read_loses_what_held_data() -> None:
    before = {"name": "x", **body(Resources={"Weights": BUCKET})}
    gone = body(Resources={"Topic": {"Type": "AWS::SNS::Topic"}})
    lost = ("fail", "HW-DEL-002", "template_body.Resources.Weights")
    assert said(before, gone) == {lost}
    # The body is then the old one, or no template at all: what happens is not known, and that is what is said.
    url = {"template_url": "https://example.s3.amazonaws.com/x.yaml"}
    assert said(before, {**gone, **url}) == {("fail", "HW-RUN-004", "template_url")}
    assert said(before, {"template_body": "{"}) == {("fail", "HW-RUN-004", "template_body")}
