"""terraform, its S3 backend and the provider find both servers by the environment alone."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from hawser.emulator import Emulator, environment
from hawser.emulator.process import STATE_BUCKET
from hawser.toolchain import cli_config

ACCOUNT = "777788889999"
ROOT = """
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
  backend "s3" {}
}

provider "aws" {
  region              = "eu-west-2"
  allowed_account_ids = ["777788889999"]
}

resource "aws_vpc" "this" {
  cidr_block = "10.97.0.0/16"
}

resource "aws_iam_role" "this" {
  name               = "schedule"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [] })
}

resource "aws_scheduler_schedule" "this" {
  name                = "block-start"
  schedule_expression = "at(2027-01-11T11:30:00)"
  flexible_time_window {
    mode = "OFF"
  }
  target {
    arn      = "arn:aws:scheduler:::aws-sdk:eks:updateNodegroupConfig"
    role_arn = aws_iam_role.this.arn
    input    = jsonencode({ ClusterName = "c", NodegroupName = "g", ScalingConfig = { DesiredSize = 2 } })
  }
}

output "vpc" {
  value = aws_vpc.this.arn
}

output "schedule" {
  value = aws_scheduler_schedule.this.arn
}
"""


@pytest.mark.emulator
@pytest.mark.terraform
def test_apply_and_an_empty_second_plan(emulator: Emulator, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "main.tf").write_text(ROOT)
    variables = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
        **environment(emulator, ACCOUNT, "eu-west-2"),
        "TF_CLI_CONFIG_FILE": str(cli_config(tmp_path / ".hawser")),
        "TF_IN_AUTOMATION": "1",
    }

    def terraform(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["terraform", *arguments, "-no-color"], cwd=root, env=variables, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    backend = {
        "bucket": STATE_BUCKET,
        "key": "tests/terraform.tfstate",
        "region": "eu-west-2",
        "encrypt": "true",
        "use_lockfile": "true",
        "use_path_style": "true",
    }
    terraform("init", "-input=false", *(f"-backend-config={key}={value}" for key, value in backend.items()))
    terraform("apply", "-input=false", "-auto-approve")
    outputs = json.loads(terraform("output", "-json").stdout)
    assert outputs["vpc"]["value"].startswith(f"arn:aws:ec2:eu-west-2:{ACCOUNT}:vpc/")
    assert outputs["schedule"]["value"] == f"arn:aws:scheduler:eu-west-2:{ACCOUNT}:schedule/default/block-start"
    terraform("plan", "-input=false", "-detailed-exitcode")  # 0: nothing to do
