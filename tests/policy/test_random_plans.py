"""Whatever a plan holds, a rule has a verdict: it never raises."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hawser.policy.engine import judge
from hawser.policy.findings import Verdict
from hawser.policy.known import CONTRADICTION
from hawser.policy.registry import Context, Rule, all_rules
from hawser.policy.roles import roles
from hawser.terraform.plan import read_plan

#: Words that rules look for, so that random trees reach more than their first line.
WORDS = [
    "*",
    "0.0.0.0/0",
    "::/0",
    "CAPACITY_BLOCK",
    "ON_DEMAND",
    "capacity-block",
    "p5.48xlarge",
    "m5.large",
    "tcp",
    "-1",
    "Allow",
    "Deny",
    "iam:PassRole",
    "ingress",
    "sts:AssumeRole",
    "sts:AssumeRoleWithWebIdentity",
    "true",
    "required",
    "on_create.sh",
    "AWS::SageMaker::Cluster",
    "String",
    "[]",
    "{",
    "$",
    "arn:aws:iam::aws:policy/AdministratorAccess",
    "AKIAEXAMPLEEXAMPLE22",
    "IyEvYmluL2Jhc2gKcGlwIGluc3RhbGwgeA==",
    "H4sIAAAA",
    "",
    "docker run a/b:c",
    "Resources: {A: {Type: AWS::SageMaker::Cluster, Properties: {VpcConfig: !Ref B}}}",
]

_KEYS = """
id name policy statement actions resources principals type identifiers condition test variable values effect content
assume_role_policy inline_policy template_body template_url parameters ingress cidr_blocks ipv6_cidr_blocks cidr_ipv4
prefix_list_ids prefix_list_id cidr_ipv6 protocol ip_protocol from_port to_port security_group_id scaling_config key
desired_size max_size capacity_type instance_types instance_type launch_template version subnet_ids user_data password
block_device_mappings ebs encrypted metadata_options http_tokens vpc_config public_access_cidrs market_type group_name
endpoint_public_access instance_market_options placement policy_arn managed_policy_arns desired_capacity override image
mixed_instances_policy instance_count environment capacity_reservation_specification capacity_reservation_target
container_definitions configuration_values Statement Action Resource Principal Condition Effect Resources Type
Properties Parameters InstanceGroups InstanceGroupName InstanceCount VpcConfig Orchestrator Ref Fn::Sub Fn::Join
references constant_value provisioners status instances problems address message root_module module_calls module outputs
"""

key = st.sampled_from(_KEYS.split())
leaf = st.none() | st.booleans() | st.integers(-2, 70_000) | st.sampled_from(WORDS) | st.text(max_size=5)
tree = st.recursive(
    leaf,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(key, inner, max_size=5) | inner.map(json.dumps)  # also in strings
    ),
    max_leaves=12,
)
mark = st.recursive(
    st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(key, inner, max_size=4),
    max_leaves=6,
)
body = st.none() | st.dictionaries(key, tree, max_size=12) | tree
path = st.lists(key | st.integers(0, 2), max_size=3)
change = st.fixed_dictionaries(
    {
        "actions": st.sampled_from(
            [["create"], ["read"], ["update"], ["delete"], ["forget"], ["no-op"], ["delete", "create"]]
        ),
        "before": body,
        "after": body,
        "after_unknown": mark,
        "before_sensitive": mark,
        "after_sensitive": mark,
        "replace_paths": st.lists(path, max_size=2),
    }
)


relevant = st.fixed_dictionaries({"resource": st.just("aws_s3_bucket.a"), "attribute": tree})


@st.composite
def plans(draw: st.DrawFn, rule: Rule) -> bytes:
    """Two resources of the types of a rule with random values, under a configuration that may be random too."""
    types = [type_ for type_ in rule.meta.resource_types if type_ != "*"] or ["aws_s3_bucket"]
    changes: list[dict[str, Any]] = []
    entries: list[dict[str, Any]] = []
    for name in ("a", "b"):
        mode, _, type_ = draw(st.sampled_from(types)).rpartition(".")
        about = {
            "address": f"{mode}.{type_}.{name}".lstrip("."),
            "mode": mode or "managed",
            "type": type_,
            "name": name,
        }
        changes.append({**about, "change": draw(change)})
        entries.append({**about, "expressions": draw(tree), "provisioners": draw(tree)})
    real = {"root_module": {"resources": entries, "outputs": {"o": {}}}}
    document = {
        "format_version": "1.2",
        "planned_values": {},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": changes,
        "output_changes": {"o": {**draw(change), "actions": ["update"]}},
        "configuration": draw(st.just(real) | tree),
        "relevant_attributes": draw(
            tree
            | st.lists(st.fixed_dictionaries({"resource": st.just("aws_s3_bucket.a"), "attribute": tree}), max_size=2)
        ),
        "checks": draw(
            tree | st.lists(st.fixed_dictionaries({"status": st.just("fail"), "instances": tree}), max_size=2)
        ),
    }
    return json.dumps(document).encode()


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.meta.id)
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_rules_never_raise(rule: Rule, data: st.DataObject) -> None:
    plan = read_plan(data.draw(plans(rule)), "random plan")
    found = judge(plan, None, {}).findings
    # Some of these plans create or delete data sources, which is an error of the plan and not of a rule.
    assert [one for one in found if one.verdict is Verdict.ERROR and one.rule_id != CONTRADICTION.id] == []
    roles(Context(plan))  # every report asks for them
