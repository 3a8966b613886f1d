"""The example in every module's README can be planned as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.terraform.running import MODULES, ROOT, initialised, terraform

PROVIDER = """
terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = "5.100.0" }
  }
}
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "example"
  secret_key                  = "example"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}
"""
_EXAMPLE = re.compile(r"^## Example\n\n```hcl\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def example(module: Path) -> str:
    """The code under ``## Example``."""
    found = _EXAMPLE.search((module / "README.md").read_text(encoding="utf-8"))
    assert found, f"{module.name}/README.md has no example"
    return found[1]


@pytest.mark.terraform
def test_every_example_plans(tmp_path: Path, provider: dict[str, str]) -> None:
    """All in one root: one provider, one plan."""
    folder = tmp_path / "terraform" / "examples"
    folder.mkdir(parents=True)
    (tmp_path / "modules").symlink_to(ROOT / "modules")
    (folder / "main.tf").write_text("\n".join([PROVIDER, *map(example, MODULES)]), encoding="utf-8")
    initialised(folder, tmp_path, "-backend=false")
    done = terraform(folder, tmp_path, "plan", "-input=false", "-out=plan", "-json", **provider)
    assert done.returncode == 0, done.stdout
    document = json.loads(terraform(folder, tmp_path, "show", "-json", "plan", **provider).stdout)
    called = document["configuration"]["root_module"]["module_calls"]
    planned = {change["module_address"].split(".")[1].split("[")[0] for change in document["resource_changes"]}
    assert {Path(call["source"]).name for call in called.values()} == {module.name for module in MODULES}
    assert planned == set(called)
