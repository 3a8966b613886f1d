"""How long our rules need on large plans, as a multiple of what ``json.loads`` needs for the same file.

    python benchmarks/rules.py [--resources 5000 20000] [--rounds 5]

The plans are made here: changed resources in the mix of a GPU environment, each with its configuration. Budget: at most
5 times ``json.loads``, and linear growth. Both are measured in one run on one machine; seconds alone would say nothing.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tooling"))

from hawser.policy import addresses, iam
from hawser.policy.engine import judge
from hawser.terraform import secrets
from hawser.terraform.plan import Plan, read_plan

TAGS = {"environment": "prod", "team": "inference", "managed-by": "terraform", "cost-center": "4711"}
KEY = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
PROVIDER = "registry.terraform.io/hashicorp/aws"


def policy(*statements: tuple[list[str], object]) -> str:
    """A policy that allows actions on resources."""
    listed = [{"Effect": "Allow", "Action": actions, "Resource": resources} for actions, resources in statements]
    return json.dumps({"Version": "2012-10-17", "Statement": listed})


def bodies(n: int) -> list[tuple[str, dict[str, Any]]]:
    """(type, values) of one unit: eight resources."""
    name, template = f"unit-{n}", f"lt-{n:017x}"
    objects = [f"arn:aws:s3:::bucket-{n}", f"arn:aws:s3:::bucket-{n}/*"]
    tags = {"tags": {**TAGS, "Name": name}, "tags_all": {**TAGS, "Name": name}}
    trust = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}
    role = {"name": name, "path": "/", "inline_policy": [], "assume_role_policy": json.dumps({"Statement": [trust]})}
    allowed = policy(
        (["s3:GetObject", "s3:ListBucket"], objects),
        (["kms:Decrypt", "kms:DescribeKey"], KEY),
        (["ec2:DescribeInstances", "ec2:DescribeSubnets"], "*"),
    )
    rule = {"cidr_ipv4": f"10.{n % 250}.0.0/16", "ip_protocol": "tcp", "from_port": 443, "to_port": 443}
    cards = [{"network_card_index": n, "device_index": 1, "interface_type": "efa-only"} for n in range(8)]
    node = {
        "id": template,
        "name": name,
        "instance_type": "p5.48xlarge",
        "user_data": "IyEvYmluL2Jhc2gKZWNobyByZWFkeQo=",
        "metadata_options": [{"http_endpoint": "enabled", "http_tokens": "required"}],
        "block_device_mappings": [{"device_name": "/dev/xvda", "ebs": [{"encrypted": "true", "volume_type": "gp3"}]}],
        "network_interfaces": cards,
    }
    group = {
        "cluster_name": "hawser",
        "node_group_name": name,
        "capacity_type": "ON_DEMAND",
        "subnet_ids": ["subnet-0a"],
        "instance_types": [],
        "launch_template": [{"id": template, "version": "1"}],
        "scaling_config": [{"desired_size": 2, "max_size": 2, "min_size": 0}],
    }
    return [
        ("aws_iam_role", role | tags),
        ("aws_iam_role_policy", {"name": name, "role": name, "policy": allowed}),
        ("aws_s3_bucket", {"bucket": name, "force_destroy": False, "acl": None, "grant": []} | tags),
        ("aws_security_group", {"name": name, "vpc_id": "vpc-0a", "description": "Nodes", "ingress": []} | tags),
        ("aws_vpc_security_group_ingress_rule", {"security_group_id": f"sg-{n:017x}"} | rule | tags),
        ("aws_launch_template", node | tags),
        ("aws_eks_node_group", group | tags),
        ("aws_cloudwatch_log_group", {"name": f"/hawser/{name}", "retention_in_days": 30, "kms_key_id": KEY} | tags),
    ]


def plan(resources: int) -> bytes:
    """Plan JSON with this many changed resources (updates of their tags), as terraform prints it."""
    changes: list[dict[str, Any]] = []
    configured: list[dict[str, Any]] = []
    planned: list[dict[str, Any]] = []
    for n in range(-(-resources // 8)):
        for type_, after in bodies(n):
            about = {"address": f"{type_}.r{n}", "mode": "managed", "type": type_, "name": f"r{n}"}
            change = {
                "actions": ["update"],
                "before": {**after, "tags": TAGS} if "tags" in after else {**after, "id": "x"},
                "after": after,
                "after_unknown": {"arn": True},
                "before_sensitive": {},
                "after_sensitive": {"tags": {}},
            }
            expressions = {key: {"references": [f"var.{key}"]} for key in after}
            changes.append({**about, "provider_name": PROVIDER, "change": change})
            configured.append({**about, "provider_config_key": "aws", "expressions": expressions})
            planned.append({**about, "provider_name": PROVIDER, "values": after, "sensitive_values": {}})
    document = {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "complete": True,
        "errored": False,
        "applyable": True,
        "planned_values": {"root_module": {"resources": planned[:resources]}},
        "resource_changes": changes[:resources],
        "configuration": {"root_module": {"resources": configured[:resources]}},
    }
    return json.dumps(document).encode()


def judged(plan: Plan) -> None:
    """One judgement as a command makes it: nothing is remembered from the round before."""
    for remembering in (addresses.network, iam._parsed, secrets.is_secret_name):
        remembering.cache_clear()
    judge(plan, None, {})


def best(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Seconds of the fastest of some rounds, for each; they take turns, so that a busy moment hits all.

    The garbage collector is off while the clock runs: with millions of live objects it would be most of what is seen.
    """
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for index, work in enumerate(works):
            gc.collect()
            gc.disable()
            start = time.perf_counter()
            work()
            times[index].append(time.perf_counter() - start)
            gc.enable()
    return [min(one) for one in times]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resources", type=int, nargs="+", default=[5_000, 20_000])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    sys.stdout.write(f"{'resources':>10}{'MB':>8}{'json.loads s':>14}{'rules s':>10}{'ratio':>8}{'µs each':>10}\n")
    for count in arguments.resources:
        data = plan(count)
        read = read_plan(data, "plan")
        loads, rules = best(arguments.rounds, lambda data=data: json.loads(data), lambda read=read: judged(read))
        row = f"{count:>10,}{len(data) / 1e6:>8.1f}{loads:>14.3f}{rules:>10.3f}{rules / loads:>8.2f}"
        sys.stdout.write(f"{row}{rules / count * 1e6:>10.1f}\n")


if __name__ == "__main__":
    main()
