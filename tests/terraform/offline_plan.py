"""First plans of the stacks with the real provider and without an account: a plan calls no AWS API."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.terraform.running import ROOT, initialised, passes, terraform

from hawser.contract import load_deployment
from hawser.render.tfvars import tfvars
from hawser.terraform.stacks import declared
from hawser.terraform.stacks import stack as stack_of

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
    "alerts_topic_arn": "arn:aws:sns:us-west-2:111122223333:hawser-test-alerts",
    "host_log_group": "/aws/containerinsights/hawser-test/host",
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
    stack: str,
    env: str,
    folder: Path,
    provider: Mapping[str, str],
    changed: Mapping[str, object],
    texts: tuple[tuple[str, str], ...] = (),
) -> list[dict[str, Any]]:
    """The resource changes of the first plan of ``stack`` with the variables of ``env``.

    ``changed`` are other values of variables, ``texts`` pairs to replace in the values.
    """
    names = declared(stack_of(ROOT, stack), folder / "declared.json")
    given = json.loads(tfvars(load_deployment(ROOT, env), stack)) | changed
    given |= {name: UPSTREAM[name] for name in names.upstream if name in UPSTREAM}
    text = json.dumps({name: value for name, value in given.items() if name in names.names})
    for old, new in texts:
        text = text.replace(old, new)
    changes: list[dict[str, Any]] = first_plan(stack, folder, provider, text)["resource_changes"]
    return changes


def first_plan(stack: str, folder: Path, provider: Mapping[str, str], variables: str) -> dict[str, Any]:
    """The first plan of ``stack`` with these variables (JSON), made in ``folder``.

    ``provider`` is the running provider of the fixture of that name.
    """
    for part in (f"terraform/{stack}", "modules"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns(".terraform", "tests"))
    root = folder / "terraform" / stack
    (root / "offline_override.tf").write_text(OFFLINE)
    (root / "given.auto.tfvars.json").write_text(variables)
    initialised(root, folder, "-lockfile=readonly")
    passes(root, folder, "plan", "-input=false", "-out=plan.tfplan", **provider)
    shown = terraform(root, folder, "show", "-json", "plan.tfplan", **provider)
    document: dict[str, Any] = json.loads(shown.stdout)
    return document
