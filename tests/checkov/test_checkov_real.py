"""The real checkov on real plans."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hawser.cli.checkov_facts import titles
from hawser.errors import CannotJudgeError
from hawser.facts.checkov import checkov_checks
from hawser.policy.checkov import WORKER, CheckovPolicy, CheckovWorker, load_policy, what_it_reads
from hawser.policy.findings import Level
from hawser.report.redact import Redactor
from hawser.terraform.plan import Plan, read_plan

PLANS = Path(__file__).parents[1] / "report" / "plans"
pytestmark = pytest.mark.checkov


def a_plan(name: str) -> Plan:
    return read_plan((PLANS / f"{name}.json").read_bytes(), f"{name}.json")


def redacted(plan: Plan) -> dict[str, Any]:
    return Redactor.of(plan.document).document(plan.document)


@pytest.fixture(scope="module")
def worker(checkov_python: Path, checkov_version: str) -> Iterator[CheckovWorker]:
    with CheckovWorker.start(checkov_python, checkov_version) as started:
        yield started


def test_addresses_are_exact(worker: CheckovWorker) -> None:
    plan = a_plan("mixed")
    result = worker.judge(redacted(plan), plan)
    found = {(f.rule_id, f.address, f.level) for f in result.findings}
    assert ("CKV_AWS_158", "aws_cloudwatch_log_group.serve[0]", Level.ADVISORY) in found
    assert ("CKV_AWS_158", "aws_cloudwatch_log_group.serve[1]", Level.ADVISORY) in found
    assert ("CKV_AWS_289", "aws_iam_role_policy.llm", Level.APPROVAL) in found
    assert {f.address for f in result.findings} <= {c.address for c in plan.changes}
    assert result.passed > 30
    assert result.failed == len(result.findings)


def test_instances_of_a_module_are_told_apart(worker: CheckovWorker) -> None:
    document = json.loads((PLANS / "mixed.json").read_bytes())
    for module in document["planned_values"]["root_module"]["child_modules"]:
        for resource in module["resources"]:
            if resource["type"] == "aws_launch_template" and "k3-block-b" in resource["address"]:
                resource["values"]["metadata_options"][0]["http_tokens"] = "optional"
    plan = read_plan(json.dumps(document).encode(), "plan.json")
    found = [f.address for f in worker.judge(redacted(plan), plan).findings if f.rule_id == "CKV_AWS_79"]
    assert found == ['module.pool["k3-block-b"].aws_launch_template.node']


def test_each_plan_is_judged_anew(worker: CheckovWorker) -> None:
    mixed, destroy = a_plan("mixed"), a_plan("destroy")
    first = worker.judge(redacted(mixed), mixed)
    empty = worker.judge(redacted(destroy), destroy)
    assert empty.findings == ()
    assert worker.judge(redacted(mixed), mixed) == first


def with_log_group(values: dict[str, Any], unknown: dict[str, Any]) -> Plan:
    """The mixed plan with one log group whose key is set, missing, or known only after apply."""
    document = json.loads((PLANS / "mixed.json").read_bytes())
    address = "aws_cloudwatch_log_group.serve[0]"
    for resource in document["planned_values"]["root_module"]["resources"]:
        if resource["address"] == address:
            resource["values"].pop("kms_key_id")
            resource["values"].update(values)
    for entry in document["resource_changes"]:
        if entry["address"] == address:
            entry["change"]["after_unknown"].update(unknown)
    return read_plan(json.dumps(document).encode(), "plan.json")


@pytest.mark.parametrize(
    ("values", "unknown", "fails"),
    [
        ({}, {}, True),
        ({"kms_key_id": "arn:aws:kms:us-west-2:111122223333:key/k"}, {}, False),
        ({}, {"kms_key_id": True}, False),  # the key is made in the same plan
        ({}, {"arn": True}, True),  # something else is unknown
    ],
)
def test_an_unknown_value_is_not_a_missing_one(
    worker: CheckovWorker, values: dict[str, Any], unknown: dict[str, Any], fails: bool
) -> None:
    plan = with_log_group(values, unknown)
    found = {(f.rule_id, f.address) for f in worker.judge(redacted(plan), plan).findings}
    assert (("CKV_AWS_158", "aws_cloudwatch_log_group.serve[0]") in found) is fails


def test_an_unknown_value_elsewhere_excuses_no_open_port(worker: CheckovWorker) -> None:
    document = json.loads((PLANS / "mixed.json").read_bytes())
    for resource in document["planned_values"]["root_module"]["resources"]:
        if resource["address"] == "aws_security_group.api":
            resource["values"]["ingress"][0].update(from_port=22, to_port=22, cidr_blocks=["0.0.0.0/0"])
    for entry in document["resource_changes"]:
        if entry["address"] == "aws_security_group.api":
            entry["change"]["after_unknown"].update(id=True, egress=True, description=True)
    plan = read_plan(json.dumps(document).encode(), "plan.json")
    (finding,) = [f for f in worker.judge(redacted(plan), plan).findings if f.rule_id == "CKV_AWS_24"]
    assert finding.level is Level.BLOCK


def test_a_hard_coded_access_key_is_found_although_it_is_redacted(worker: CheckovWorker) -> None:
    document = json.loads((PLANS / "mixed.json").read_bytes())
    aws = document["configuration"]["provider_config"]["aws"]["expressions"]
    aws["access_key"]["constant_value"] = "AKIA" + "Q3EGRZ7KXW5LTB2N"
    plan = read_plan(json.dumps(document).encode(), "plan.json")
    copy = redacted(plan)
    assert "Q3EGRZ7KXW5LTB2N" not in json.dumps(copy)
    (finding,) = [f for f in worker.judge(copy, plan).findings if f.rule_id == "CKV_AWS_41"]
    assert (finding.address, finding.level) == ("", Level.BLOCK)


def test_a_plan_that_the_command_line_cannot_parse_is_judged(worker: CheckovWorker) -> None:
    document = json.loads((PLANS / "mixed.json").read_bytes())
    for resource in document["planned_values"]["root_module"]["resources"]:
        resource.get("values", {})["tags"] = {"x\u007fy": "\U0001f680", "k" * 2000: "v"}
    plan = read_plan(json.dumps(document).encode(), "plan.json")
    assert worker.judge(redacted(plan), plan).failed > 0


def test_a_resource_that_checkov_does_not_see_is_missed(worker: CheckovWorker) -> None:
    plan = a_plan("mixed")
    document = redacted(plan)
    document["planned_values"]["root_module"]["resources"].pop()
    with pytest.raises(CannotJudgeError, match="looked at 11 resources where the plan has 12"):
        worker.judge(document, plan)


def test_what_is_left_out_changes_nothing(worker: CheckovWorker) -> None:
    plan = a_plan("mixed")
    assert worker.judge(redacted(plan), plan) == worker.judge(
        Redactor.of(plan.document).document(what_it_reads(plan.document)), plan
    )


def test_it_finds_what_the_command_line_finds(
    checkov_python: Path, checkov_version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = a_plan("mixed")
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(redacted(plan)), encoding="utf-8")
    options = ["--framework", "terraform_plan", "--skip-download", "-o", "json", "--compact", "--quiet"]
    done = subprocess.run(
        [checkov_python, "-m", "checkov.main", "-f", path, *options],
        env={"HOME": str(tmp_path), "PATH": os.defpath, "LANG": "C.UTF-8"},
        cwd=tmp_path,
        capture_output=True,
    )
    said = json.loads(done.stdout)
    with CheckovWorker.start(checkov_python, checkov_version, policy=CheckovPolicy({}, {})) as worker:
        result = worker.judge(redacted(plan), plan)
    assert {(f.rule_id, f.address) for f in result.findings} == {
        (record["check_id"], record["resource_address"] or record["resource"])
        for record in said["results"]["failed_checks"]
    }
    assert result.passed == said["summary"]["passed"]


BROKEN = {
    "a Python check raises": """
        from checkov.terraform.checks.resource.aws.LaunchTemplateMetadataHop import check
        check.scan_resource_conf = lambda conf: conf["not there"]
    """,
    "a graph check raises": """
        from checkov.common.checks_infra.registry import get_graph_checks_registry
        from checkov.common.graph.graph_builder.consts import GraphSource
        from checkov.terraform.plan_runner import Runner
        registry = Runner().graph_registry
        registry.load_checks()
        def broken(graph): raise ValueError("broken")
        registry.checks[0].run = broken
    """,
    "a network connection": """
        import socket
        from checkov.terraform.checks.resource.aws.LaunchTemplateMetadataHop import check
        check.scan_resource_conf = lambda conf: socket.create_connection(("127.0.0.1", 9))
    """,
}


@pytest.mark.parametrize("what", sorted(BROKEN))
def test_what_checkov_swallows_is_an_error_of_the_gate(
    what: str, checkov_python: Path, checkov_version: str, tmp_path: Path
) -> None:
    script = tmp_path / "worker.py"
    script.write_text(
        f"""
import importlib.util
spec = importlib.util.spec_from_file_location("worker", {str(WORKER)!r})
worker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(worker)
known = worker.known_checks
def broken_checks():
    {textwrap.indent(textwrap.dedent(BROKEN[what]), "    ").strip()}
    return known()
worker.known_checks = broken_checks
worker.main()
""",
        encoding="utf-8",
    )
    plan = a_plan("mixed")
    with (
        CheckovWorker.start(checkov_python, checkov_version, worker=script) as worker,
        pytest.raises(CannotJudgeError, match="did not judge the whole plan"),
    ):
        worker.judge(redacted(plan), plan)


def test_every_listed_check_exists(worker: CheckovWorker) -> None:
    plan = a_plan("destroy")
    worker.judge(redacted(plan), plan)  # refuses a list that names a check which checkov does not have
    assert load_policy().ids


def test_the_facts_are_what_this_checkov_says(checkov_python: Path, checkov_version: str) -> None:
    version, said = titles(checkov_python)
    facts = checkov_checks()
    assert version == facts.version == checkov_version, "to write them anew: make checkov-facts"
    assert dict(facts.titles) == said
