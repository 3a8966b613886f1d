"""The rendered CloudFormation template of a HyperPod cluster, by the published schema of its type."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.terraform.offline_plan import planned

CFN_LINT = Path(sys.executable).with_name("cfn-lint")


def lint(template: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "template.json"
    file.write_text(template, encoding="utf-8")
    return subprocess.run(
        [str(CFN_LINT), "--regions", "us-west-2", "--", str(file)], capture_output=True, text=True, cwd=folder
    )


@pytest.mark.terraform
def test_cfn_lint_finds_nothing_and_would_find_a_fault(tmp_path: Path, provider: dict[str, str]) -> None:
    # The two pools of the environment, one of them on a training plan, and the group of the system nodes.
    system = {
        "system_nodes": {"instance_type": "ml.m7i.2xlarge", "count": 2},
        "addons": {"coredns": None, "metrics-server": None},
    }
    changes = planned("hyperpod", "local-hyperpod", tmp_path, provider, system)
    (template,) = (c["change"]["after"]["template_body"] for c in changes if c["type"] == "aws_cloudformation_stack")
    document = json.loads(template)
    groups = document["Resources"]["Cluster"]["Properties"]["InstanceGroups"]
    assert [(g["InstanceGroupName"], "TrainingPlanArn" in g, "OnStartDeepHealthChecks" in g) for g in groups] == [
        ("k3-on-demand", False, True),
        ("k3-plan-a", True, True),
        ("system", False, False),
    ]
    done = lint(template, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr

    groups[0]["OnStartDeepHealthChecks"] = ["InstanceStresses"]
    groups[1]["ThreadsPerCore"] = 3
    groups[2]["Taint"] = "none"
    wrong = lint(json.dumps(document), tmp_path)
    assert wrong.returncode == 2
    assert all(word in wrong.stdout for word in ("InstanceStresses", "3 is ", "Taint"))
