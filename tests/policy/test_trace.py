"""From attributes to lines of contract and environment: the right line, all candidates, or the reason for none."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.handmade_plans import entry, plan

from hawser.contract import load_deployment
from hawser.contract.deployment import Deployment
from hawser.policy.engine import judge
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.trace import Origin, Stacks, Trace

ROOT = Path(__file__).parents[2]
POOL = 'module.pool["k3-block-a"]'


@pytest.fixture(scope="module")
def stacks(tmp_path_factory: pytest.TempPathFactory) -> Stacks:
    return Stacks(ROOT, tmp_path_factory.mktemp("trace") / "sources.json")


@pytest.fixture(scope="module")
def prod() -> Deployment:
    return load_deployment(ROOT, "prod")


def line(text: str, file: str = "environments/prod/env.yaml", *, after: str = "") -> str:
    """``file:line`` of the first line that begins with ``text``, or of the first after the one that begins so."""
    reached = not after
    for number, found in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1):
        reached = reached or found.strip().startswith(after)
        if reached and found.strip().startswith(text):
            return f"{file}:{number}"
    raise AssertionError(f"{file} has no line that begins with {text}")


def within(address: str, type_name: str, at: str = "", **more: Any) -> dict[str, Any]:
    """A created resource inside a module."""
    made = entry(type_name, ["create"], None, {}, module_address=address, **more)
    return made | {"address": f"{address}.{type_name}{at}"}


def traced(stacks: Stacks, deployment: Deployment, stack: str, change: dict[str, Any], path: str) -> Origin:
    made = plan(change)
    return Trace(made, deployment, stack, stacks).origin(made.changes[0], path)


@pytest.mark.parametrize(
    ("stack", "change", "path", "text"),
    [
        ("eks", within(POOL, "aws_eks_node_group.scheduled", "[0]", index=0), "scaling_config[0].max_size", "count:"),
        ("eks", within(POOL, "aws_launch_template.this"), "instance_type", "instance_type:"),
        ("eks", within(POOL, "aws_launch_template.this"), "network_interfaces[3].network_card_index", "instance_type:"),
        ("eks", within(POOL, "aws_scheduler_schedule.this", '["end"]', index="end"), "schedule_expression", "end:"),
        (
            "eks",
            within(POOL, "aws_scheduler_schedule.this", '["start"]', index="start"),
            "target[0].input.ScalingConfig.DesiredSize",
            "count:",
        ),
        ("eks", within(POOL, "aws_eks_node_group.scheduled", "[0]", index=0), "node_group_name", "k3-block-a:"),
        ("eks", within(POOL, "aws_eks_node_group.scheduled", "[0]", index=0), "cluster_name", "name: hawser-prod"),
        ("eks", within(POOL, "aws_iam_role.node"), "tags_all.team", "team:"),
        (
            "platform",
            within("module.network", "aws_subnet.node", '["usw2-az2"]', index="usw2-az2"),
            "cidr_block",
            "usw2-az2: 10.40.16.0/20",
        ),
        ("platform", within("module.network", "aws_vpc.this"), "cidr_block", "vpc_cidr:"),
        ("platform", within("module.control_plane", "aws_eks_cluster.this"), "version", "kubernetes_version:"),
        (
            "platform",
            within("module.control_plane", "aws_eks_cluster.this"),
            "vpc_config[0].public_access_cidrs",
            "public_access_cidrs:",
        ),
        (
            "platform",
            entry("aws_budgets_budget.month", ["create"], index=0),
            "limit_amount",
            "monthly_budget_usd:",
        ),
        (
            "platform",
            entry("aws_sns_topic_subscription.mail", ["create"], index="inference-on-call@example.com"),
            "endpoint",
            "alarm_emails:",
        ),
        ("bootstrap", within("module.state_bucket", "aws_s3_bucket.this"), "bucket", "bucket: hawser-state"),
    ],
)  # fmt: skip
def test_the_line_that_gives_a_value(
    stacks: Stacks, prod: Deployment, stack: str, change: dict[str, Any], path: str, text: str
) -> None:
    origin = traced(stacks, prod, stack, change, path)
    assert (origin.exact, origin.lines) == (True, (line(text),)), origin.text
    assert origin.text == line(text)
    file, _, number = origin.code.partition(":")
    assert int(number) <= len((ROOT / file).read_text(encoding="utf-8").splitlines())


def test_a_value_of_hyperpod_and_an_override_are_found_in_their_environment(stacks: Stacks) -> None:
    deployment = load_deployment(ROOT, "local-hyperpod")
    cluster = within("module.cluster", "aws_cloudformation_stack.this")
    name = traced(stacks, deployment, "hyperpod", cluster, "template_body.Resources.Cluster.Properties.ClusterName")
    assert name.lines == (line("name: hawser-local-hyperpod", "environments/local-hyperpod/env.yaml"),)


def test_of_several_fields_all_are_named_and_none_is_chosen(stacks: Stacks, prod: Deployment) -> None:
    schedule = within(POOL, "aws_scheduler_schedule.this", '["start"]', index="start")
    origin = traced(stacks, prod, "eks", schedule, "description")
    assert not origin.exact
    assert set(origin.lines) == {line("count:"), line("k3-block-a:"), line("name: hawser-prod")}
    assert origin.text.startswith(f"{origin.code}, made of ")
    assert "capacity.k3-block-a.count" in origin.text
    assert "cluster.name" in origin.text


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        (
            within(POOL, "aws_launch_template.this"),
            "metadata_options[0].http_tokens",
            "constant in modules/gpu",
        ),
        (within(POOL, "aws_launch_template.this"), "arn", "the provider sets it"),
        (within(POOL, "aws_launch_template.this"), "block_device_mappings[0].ebs[0].kms_key_id", "aws_kms_key.data of"),
        (within("module.alarms[0]", "aws_cloudwatch_metric_alarm.xid"), "", "whatever the contract says"),
        (within("module.gone", "aws_vpc.this"), "cidr_block", "no file of terraform/eks declares it any more"),
    ],
)
def test_a_value_without_a_line_says_why(
    stacks: Stacks, prod: Deployment, change: dict[str, Any], path: str, says: str
) -> None:
    origin = traced(stacks, prod, "eks", change, path)
    assert (origin.exact, origin.lines) == (False, ())
    assert origin.text.startswith("not from the contract: ")
    assert says in origin.text


def test_a_resource_of_a_pool_is_there_for_the_pool(stacks: Stacks, prod: Deployment) -> None:
    origin = traced(stacks, prod, "eks", within(POOL, "aws_iam_role.node"), "")
    assert origin.lines == (line("k3-block-a:"),)
    assert origin.text == f"{origin.code}, for capacity.k3-block-a ({line('k3-block-a:')})"


def test_a_plan_from_elsewhere_is_not_traced(stacks: Stacks, prod: Deployment) -> None:
    change = within(POOL, "aws_launch_template.this")
    made = plan(change)
    assert Trace(made, None).origin(made.changes[0], "instance_type") == Origin("plan not made by hawser")
    assert not Trace(made, prod).origin(made.changes[0], "instance_type").lines


def test_findings_of_rules_and_of_checkov_say_where_they_come_from(stacks: Stacks, prod: Deployment) -> None:
    config = {"vpc_config": [{"endpoint_public_access": True, "public_access_cidrs": ["0.0.0.0/0"]}]}
    cluster = within("module.control_plane", "aws_eks_cluster.this")
    cluster["change"]["after"] = config
    made = plan(cluster)
    trace = Trace(made, prod, "platform", stacks)
    (ours,) = (f for f in judge(made, prod, {}, trace=trace).findings if f.rule_id == "HW-NET-001")
    assert ours.origin == line("public_access_cidrs:")
    assert ours.lines == (ours.origin,)
    assert ours.code.startswith("modules/eks-control-plane/cluster.tf:")
    library = Finding(
        "CKV_AWS_37",
        Verdict.FAIL,
        Level.ADVISORY,
        Severity.LOW,
        made.changes[0].address,
        "",
        "x",
        "y",
        source="checkov",
    )
    named = trace.traced(library)
    assert named.code.startswith("modules/eks-control-plane/cluster.tf:")
    assert named.origin
    about = replace(library, origin="environments/prod/waivers.yaml:3")
    assert trace.traced(about) is about


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        ({"ScalingConfig": {"MaxSize": 3, "DesiredSize": 3}}, [line("count:")]),
        ({"ScalingConfig": {"MaxSize": 3, "DesiredSize": 2}, "ClusterName": "b"}, []),
        ({"ScalingConfig": {"MinSize": 1, "MaxSize": 3, "DesiredSize": 2}}, []),
    ],
)
def test_of_a_json_text_only_what_differs_counts(
    stacks: Stacks, prod: Deployment, after: dict[str, Any], lines: list[str]
) -> None:
    schedule = within(POOL, "aws_scheduler_schedule.this", '["start"]', index="start")
    texts = [json.dumps(side) for side in ({"ScalingConfig": {"MaxSize": 2, "DesiredSize": 2}}, after)]
    before, now = ({"target": [{"input": text}]} for text in texts)
    schedule["change"] |= {"actions": ["update"], "before": before, "after": now}
    found = Trace(plan(schedule), prod, "eks", stacks).updates()
    assert [one for group in found.values() for one in group] == lines


def test_updates_get_the_lines_that_are_sure(stacks: Stacks, prod: Deployment) -> None:
    group = within(POOL, "aws_eks_node_group.scheduled", "[0]", index=0)
    sizes = [{"scaling_config": [{"max_size": size}], "arn": f"arn:{size}"} for size in (2, 3)]
    group["change"] |= {"actions": ["update"], "before": sizes[0], "after": sizes[1]}
    made = plan(group)
    assert Trace(made, prod, "eks", stacks).updates() == {
        (group["address"], "scaling_config[0].max_size"): (line("count:"),)
    }


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of one small stack in place of eks, and the environment prod."""
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    for name in ("eks", "platform"):
        (tmp_path / "terraform" / name).mkdir(parents=True)
        (tmp_path / "terraform" / name / "versions.tf").write_text("terraform {}\n")
    return tmp_path


def of_text(checkout: Path, text: str, path: str, index: str | int | None = None) -> Origin:
    """The origin of an attribute of ``aws_thing.it`` in a stack with this text."""
    (checkout / "terraform/eks/main.tf").write_text(text)
    change = entry("aws_thing.it", ["create"], after={}, index=index)
    made = plan(change)
    trace = Trace(made, load_deployment(checkout, "prod"), "eks", Stacks(checkout, checkout / "sources.json"))
    return trace.origin(made.changes[0], path)


COUNT = "capacity.k3-block-a.count"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('it = var.pools["k3-block-a"].count', {COUNT}),
        ('it = var.pools["k3-block-a"]["count"]', {COUNT}),
        ('it = "${var.pools["k3-block-a"].count}"', {COUNT}),
        ('it = local.one', {COUNT}),
        ('it = merge(var.pools["k3-block-a"], { count = var.region }).count', {"region"}),
        ('it = try(var.pools["k3-block-a"].count, 0)', {COUNT}),
        ('it = one([for name, pool in var.pools : pool.count])', {COUNT}),
        ('it = { for name, pool in var.pools : name => pool.count }["k3-block-a"]', {COUNT}),
        ('it = { for name, pool in var.pools : "${name}-x" => pool.count }["k3-block-a-x"]', {COUNT}),
        ('it = [var.region, var.account_id][1]', {"account_id"}),
        ('it = var.region == "x" ? var.account_id : 3', {"region", "account_id"}),
        ('it = "${var.region}-${var.account_id}"', {"region", "account_id"}),
        ('it = lookup(var.tags, "team", "none")', {"tags.team"}),
        ('it = var.pools[var.region].count', {COUNT, "region"}),
        ('it = local.loop', None),
        ('it = <<-EOT\n    ${var.region}\n  EOT\n', None),
        ('it = "%{ if true }${var.region}%{ endif }"', None),
        ('it = "var.region"', set()),
        ('it = 3', set()),
    ],
)  # fmt: skip
def test_expressions_are_followed_or_said_to_be_unreadable(checkout: Path, text: str, fields: set[str] | None) -> None:
    locals_ = 'locals {\n  one = var.pools["k3-block-a"].count\n  loop = local.loop\n}\n'
    origin = of_text(checkout, f'{locals_}resource "aws_thing" "it" {{\n  {text}\n}}\n', "it")
    assert origin.code == "terraform/eks/main.tf:6"
    deployment = load_deployment(checkout, "prod")
    if fields is None:
        assert origin.text == "not from the contract: terraform/eks/main.tf:6 cannot be followed"
        assert origin.lines == ()
    else:
        assert set(origin.lines) == {str(deployment.place(field)) for field in fields}
        assert origin.exact == (len(fields) == 1)


def test_blocks_that_cannot_be_told_apart_give_all_their_fields(checkout: Path) -> None:
    text = 'resource "aws_thing" "it" {\n  rule {\n    x = var.region\n  }\n  rule {\n    x = var.account_id\n  }\n}\n'
    assert len(of_text(checkout, text, "rule[0].x").lines) == 2
    assert not of_text(checkout, text, "rule[0].x").exact


def test_a_file_that_cannot_be_read_gives_no_line(checkout: Path) -> None:
    origin = of_text(checkout, 'resource "aws_thing" "it" {\n', "x")
    assert origin.text == "not from the contract: no file of terraform/eks declares it any more"


def test_a_changed_file_is_read_anew(checkout: Path) -> None:
    text = 'resource "aws_thing" "it" {{\n  x = var.{}\n}}\n'
    first, second = (of_text(checkout, text.format(name), "x") for name in ("region", "account_id"))
    assert first.lines != second.lines


def test_values_of_an_existing_platform_stand_in_the_environment(checkout: Path) -> None:
    file = checkout / "environments/prod/env.yaml"
    given = yaml.safe_load(file.read_text())
    for name in ("network", "cluster"):
        del given[name]
    given["platform"] = {
        "existing": {
            "cluster_name": "theirs",
            "vpc_id": "vpc-0123456789abcdef0",
            "subnets_by_zone_id": {"usw2-az2": "subnet-0123456789abcdef0"},
            "security_group_ids": {"cluster": "sg-0123456789abcdef0", "efa": "sg-0123456789abcdef1"},
            "oidc_provider_arn": "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123ABCD",
            "data_kms_key_arn": "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        }
    }
    file.write_text(yaml.safe_dump(given, sort_keys=False))
    (checkout / "terraform/eks/upstream.tf").write_text(
        'variable "node_subnet_ids" {}\nvariable "efa_security_group_id" {}\n'
    )
    text = 'resource "aws_thing" "it" {\n  a = var.node_subnet_ids["usw2-az2"]\n  b = var.efa_security_group_id\n}\n'
    lines = file.read_text().splitlines()
    for name, value in (("a", "usw2-az2: subnet"), ("b", "efa: sg")):
        (number,) = (n for n, found in enumerate(lines, 1) if found.strip().startswith(value))
        assert of_text(checkout, text, name).lines == (f"environments/prod/env.yaml:{number}",)
