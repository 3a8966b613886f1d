"""First plans of the stacks with the real provider and without an account: a plan calls no AWS API."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hawser.contract import load_deployment
from hawser.render.tfvars import tfvars
from hawser.toolchain.provider_mirror import cli_config
from hawser.toolchain.terraform_binary import find_terraform

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".hawser"

UPSTREAM = {
    "vpc_id": "vpc-0123456789abcdef0",
    "node_subnet_ids": {"usw2-az1": "subnet-0123456789abcdef0", "usw2-az2": "subnet-0123456789abcdef1"},
    "cluster_name": "hawser-test",
    "cluster_arn": "arn:aws:eks:us-west-2:111122223333:cluster/hawser-test",
    "cluster_security_group_id": "sg-0123456789abcdef0",
    "efa_security_group_id": "sg-0123456789abcdef1",
    "data_kms_key_arn": "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555",
    "oidc_provider_arn": "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
    "cloudformation_role_arn": "arn:aws:iam::111122223333:role/hawser-test-cloudformation",
}

OFFLINE = """
terraform {
  backend "local" {}
}

provider "aws" {
  access_key                  = "offline"
  secret_key                  = "offline"
  allowed_account_ids         = null
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}
"""


def planned(
    stack: str, env: str, folder: Path, changed: Mapping[str, object], texts: tuple[tuple[str, str], ...] = ()
) -> list[dict[str, Any]]:
    """The resource changes of the first plan of ``stack`` with the variables of ``env``.

    ``changed`` are other values of variables, ``texts`` pairs to replace in the values.
    """
    for part in ("terraform", "modules"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns(".terraform", "tests"))
    root = folder / "terraform" / stack
    (root / "offline_override.tf").write_text(OFFLINE)
    given = json.loads(tfvars(load_deployment(ROOT, env), stack))
    declared = set(re.findall(r'^variable "(\w+)"', (root / "variables.tf").read_text(), re.MULTILINE))
    if (root / "upstream.tf").is_file():
        consumed = set(re.findall(r'^variable "(\w+)"', (root / "upstream.tf").read_text(), re.MULTILINE))
        given |= {name: UPSTREAM[name] for name in consumed & set(UPSTREAM)}
        declared |= consumed
    text = json.dumps({name: value for name, value in (given | changed).items() if name in declared})
    for old, new in texts:
        text = text.replace(old, new)
    (root / "given.auto.tfvars.json").write_text(text)

    def run(*arguments: str) -> str:
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "TF_CLI_CONFIG_FILE": str(cli_config(HOME)),
            "CHECKPOINT_DISABLE": "1", "AWS_EC2_METADATA_DISABLED": "true",
        }  # fmt: skip
        binary = str(find_terraform(HOME).path)
        done = subprocess.run([binary, *arguments], cwd=root, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"terraform {' '.join(arguments)}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    with (HOME / "terraform-init.lock").open("w") as alone:  # a plugin cache takes one init at a time
        fcntl.flock(alone, fcntl.LOCK_EX)
        run("init", "-input=false", "-lockfile=readonly")
    run("plan", "-input=false", "-out=plan.tfplan")
    changes: list[dict[str, Any]] = json.loads(run("show", "-json", "plan.tfplan"))["resource_changes"]
    return changes
