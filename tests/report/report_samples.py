"""Reviews of the plans in ``plans/``. Run this file to write the expected reports anew, then read the difference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hawser.decision.decide import decide
from hawser.policy.engine import judge
from hawser.policy.findings import Finding, Judgement, Level, PoolCapacity, Severity, Verdict, WaiverUse
from hawser.report import render
from hawser.report.review import Review
from hawser.terraform.plan import Plan, read_plan

HERE = Path(__file__).parent
CANARY = "canary-7f3a-secret-91bc"
GROUP = 'module.pool["k3-block-a"].aws_eks_node_group.gpu'
REGENERATE = "to accept it: PYTHONPATH=tooling .venv/bin/python tests/report/report_samples.py"


def sample_plan(name: str) -> Plan:
    return read_plan((HERE / "plans" / f"{name}.json").read_bytes(), f"{name}.json")


def finding(rule_id: str, level: Level, address: str, message: str, **more: Any) -> Finding:
    given = {"verdict": Verdict.FAIL, "severity": Severity.HIGH, "path": "", "fix": "", "title": "", **more}
    return Finding(rule_id=rule_id, level=level, address=address, message=message, **given)


FINDINGS = (
    finding(
        "HW-CAP-001",
        Level.BLOCK,
        GROUP,
        "Replacing k3-block-a takes 16 of 24 GPUs away while it is made anew; two replicas have no node.",
        path="instance_types[0]",
        severity=Severity.CRITICAL,
        fix="Add a pool beside it under capacity and drain the old one.",
        before="p5en.48xlarge",
        after="p6-b300.48xlarge",
        origin="environments/prod/env.yaml:14",
    ),
    finding(
        "HW-NET-001",
        Level.BLOCK,
        "aws_security_group.api",
        "Port 443 becomes reachable from 0.0.0.0/0.",
        path="ingress[0].cidr_blocks",
        before="10.0.0.0/8",
        after="10.0.0.0/8, 0.0.0.0/0",
    ),
    finding(
        "HW-IAM-003",
        Level.APPROVAL,
        "aws_iam_role_policy.llm",
        "The role hawser-k3 may now do s3:* where it could do s3:GetObject.",
        path="policy",
    ),
    finding(
        "HW-IAM-009",
        Level.BLOCK,
        'module.pool["k3-block-b"].aws_launch_template.node',
        "The user data is known only after apply.",
        path="user_data",
        verdict=Verdict.UNDECIDABLE,
    ),
    finding(
        "HW-SEC-002",
        Level.BLOCK,
        "aws_ssm_parameter.hf",
        f"The value is {CANARY}.",
        waiver=WaiverUse("platform@example.com", "moves to Secrets Manager in January", 9),
    ),
    finding(
        "HW-NOD-004",
        Level.APPROVAL,
        "aws_cloudwatch_log_group.serve[0]",
        "Retention shrinks from 90 to 30 days.",
        noise="the emulator forgets how long logs are kept",
    ),
    *(
        finding(
            "CKV_AWS_158",
            Level.ADVISORY,
            f"aws_cloudwatch_log_group.serve[{index}]",
            "Ensure that CloudWatch Log Group is encrypted by KMS",
            severity=Severity.MEDIUM,
            source="checkov",
        )
        for index in range(2)
    ),
    finding(
        "CKV_AWS_18",
        Level.BLOCK,
        "aws_s3_bucket.old",
        "Ensure the S3 bucket has access logging enabled",
        source="checkov",
        changed=False,
    ),
)
CAPACITY = (
    PoolCapacity("old-block", "x", "p5.48xlarge", 8, 0, 0, "destroyed"),
    PoolCapacity("k3-block-a", GROUP, "p6-b300.48xlarge", 16, 0, 16, "replaced: none until the new group is up"),
    PoolCapacity("k3-block-b", "y", "p6-b200.48xlarge", 0, 0, 8),
)


def sample_review(plan: Plan, findings: tuple[Finding, ...] = FINDINGS, **changes: Any) -> Review:
    review = Review(
        environment="prod",
        account_id="111122223333",
        region="us-west-2",
        target="eks",
        stack="eks",
        decision=decide(findings),
        asks="Fix 2 blocking findings, or waive them in environments/prod/waivers.yaml.",
        plan=plan,
        judgement=Judgement(findings, CAPACITY, {"HW-NET-001": 3}, ("HW-HYP-001", "HW-HYP-002")),
        digest="45fccdafd2aa" * 5,
        contract_digest="91b0c4d5e6f7" * 5,
        state_serial="41",
        good_until="2026-12-01 18:00 UTC",
        overrides={"serving.max_model_len": (131072, 65536)},
        checked=("hawser: 32 rules, 30 had something to look at", "checkov 3.3.30: 36 passed, 3 failed, 4 checks off"),
        next_commands=("hawser show prod", "make plan ENV=prod"),
    )
    review = replace(review, **changes)
    read = judge(plan, None, {})
    judgement = replace(review.judgement, privileges=read.privileges, exposure=read.exposure, roles=read.roles)
    return replace(review, judgement=judgement)


def expected_reports() -> dict[str, str]:
    """File name under ``expected/`` and the report that belongs there."""
    mixed, destroy = sample_review(sample_plan("mixed")), sample_review(sample_plan("destroy"), (), destroy=True)
    return {
        "mixed-80.txt": render(mixed, "terminal", width=80, colour=False),
        "mixed-160.txt": render(mixed, "terminal", width=160, colour=False),
        "mixed.md": render(mixed, "md", width=80, colour=False),
        "mixed.json": render(mixed, "json", width=80, colour=False),
        "mixed.sarif": render(mixed, "sarif", width=80, colour=False),
        "mixed.junit.xml": render(mixed, "junit", width=80, colour=False),
        "destroy-80.txt": render(destroy, "terminal", width=80, colour=False),
    }


if __name__ == "__main__":
    for name, text in expected_reports().items():
        (HERE / "expected" / name).write_text(text, encoding="utf-8")
