"""Makes the plan JSON of every policy fixture with the real terraform and the real AWS provider, without an account.

    python tests/policy/make_fixtures.py [RULE-ID …]

Those of a team's own rules in ``tooling/rules`` too.

Beside each ``<verdict>-<name>.json`` lies ``<verdict>-<name>.tf``, the configuration it is planned from, and where
something must exist already ``<verdict>-<name>.state.yaml``: a list of ``{type, name, attributes}`` (and ``index``,
``mode``, ``status``; ``deposed``: the key of a second, deposed object with the same attributes). All fixtures are
planned in one run, each as a module of its own; what the plan says about that module is then written as if it had been
the root. A first line ``# alone`` makes a fixture the root of its own run: for outputs, and for plans that destroy
everything. Refreshing is off, so nothing is asked of AWS.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from hawser.policy.custom import FOLDER

HERE = Path(__file__).parent

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
  skip_region_validation      = true
}
"""

#: Parts of a plan that rules read. The rest (prior state, provider schemas, time, variables) is left out.
KEPT = (
    "format_version",
    "terraform_version",
    "planned_values",
    "resource_drift",
    "resource_changes",
    "output_changes",
    "configuration",
    "relevant_attributes",
    "checks",
    "complete",
    "applyable",
    "errored",
)


def main(rule_ids: list[str]) -> None:
    """Plan the fixtures of the named rules, or of all."""
    found = (*HERE.glob("HW-*/*.tf"), *FOLDER.glob("*/*.tf"))
    make(sorted(p for p in found if not rule_ids or p.parent.name in rule_ids))


def make(sources: Iterable[Path]) -> None:
    """Plan configurations and write the plans beside them."""
    sources = list(sources)
    alone = [source for source in sources if source.read_text().startswith("# alone")]
    together = [source for source in sources if source not in alone]
    if together:
        plan = planned_together(together)
        for source in together:
            write(source, only_module(plan, module_name(source)))
    for source in alone:
        write(source, planned_alone(source))


def module_name(source: Path) -> str:
    """``HW-DEL-002/fail-bucket.tf`` -> ``HW-DEL-002_fail-bucket``."""
    return f"{source.parent.name}_{source.stem}"


def planned_together(sources: Iterable[Path]) -> dict[str, Any]:
    """One plan with a module per fixture."""
    with tempfile.TemporaryDirectory() as folder:
        root, calls, state = Path(folder), [PROVIDER], []
        for source in sources:
            name = module_name(source)
            (root / name).mkdir()
            (root / name / "main.tf").write_text(source.read_text())
            calls.append(f'module "{name}" {{\n  source = "./{name}"\n}}\n')
            state += prior(source, f"module.{name}")
        (root / "main.tf").write_text("\n".join(calls))
        return plan_in(root, state)


def planned_alone(source: Path) -> dict[str, Any]:
    """The plan of one fixture as a root module."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "main.tf").write_text(source.read_text())
        (root / "provider.tf").write_text(PROVIDER)
        return plan_in(root, prior(source, None), outputs(source))


def prior(source: Path, module: str | None) -> list[dict[str, Any]]:
    """Resources of the hand-made state of a fixture."""
    file = source.with_suffix(".state.yaml")
    if not file.exists():
        return []
    entries = yaml.safe_load(file.read_text())
    return [resource(entry, module) for entry in entries.get("resources", [])]


def outputs(source: Path) -> dict[str, Any]:
    """Outputs of the hand-made state of a fixture."""
    file = source.with_suffix(".state.yaml")
    return dict(yaml.safe_load(file.read_text()).get("outputs", {})) if file.exists() else {}


def resource(entry: Mapping[str, Any], module: str | None) -> dict[str, Any]:
    """One resource in the form of a state file."""
    type_ = entry["type"]
    builtin = type_ == "terraform_data"
    provider = "terraform.io/builtin/terraform" if builtin else "registry.terraform.io/hashicorp/aws"
    instance: dict[str, Any] = {
        "schema_version": entry.get("schema_version", 0),
        "attributes": entry["attributes"],
        "sensitive_attributes": [],
    }
    if "status" in entry:
        instance["status"] = entry["status"]
    if "index" in entry:
        instance["index_key"] = entry["index"]
    made = {
        "mode": entry.get("mode", "managed"),
        "type": type_,
        "name": entry["name"],
        "provider": f'provider["{provider}"]',
        "instances": [instance, *([{**instance, "deposed": entry["deposed"]}] if "deposed" in entry else [])],
    }
    return {"module": module, **made} if module else made


def plan_in(root: Path, resources: list[dict[str, Any]], outputs: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Plan the root module in a folder; the plan as JSON."""
    if resources or outputs:
        state = {
            "version": 4,
            "terraform_version": "1.11.4",
            "serial": 1,
            "lineage": "00000000-0000-0000-0000-000000000000",
            "outputs": outputs or {},
            "resources": resources,
        }
        (root / "terraform.tfstate").write_text(json.dumps(state))
    terraform(root, "init", "-input=false", "-no-color")
    terraform(root, "plan", "-input=false", "-no-color", "-refresh=false", "-lock=false", "-out=plan.tfplan")
    return dict(json.loads(terraform(root, "show", "-json", "plan.tfplan")))


def terraform(root: Path, *arguments: str) -> bytes:
    """What terraform prints; leaves with its own words when it fails."""
    ran = subprocess.run(
        ["terraform", *arguments],
        cwd=root,
        capture_output=True,
        env={**os.environ, "AWS_EC2_METADATA_DISABLED": "true"},
    )
    if ran.returncode:
        sys.exit(f"terraform {arguments[0]} failed:\n{ran.stderr.decode() or ran.stdout.decode()}")
    return ran.stdout


def only_module(plan: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What a plan says about one module of its root, as if that module were the root."""
    prefix = f"module.{name}"
    configuration = plan["configuration"]
    modules = plan["planned_values"].get("root_module", {}).get("child_modules", [])
    root = next((module for module in modules if module["address"] == prefix), {})
    own = {
        **{key: plan[key] for key in ("format_version", "terraform_version", "complete", "errored")},
        "planned_values": {"root_module": {key: value for key, value in root.items() if key != "address"}},
        "resource_changes": [
            change
            for change in plan.get("resource_changes", [])
            if change.get("module_address", "").split(".module.")[0] == prefix
        ],
        "configuration": {
            "provider_config": {"aws": configuration["provider_config"]["aws"]},
            "root_module": configuration["root_module"]["module_calls"][name]["module"],
        },
        "relevant_attributes": sorted(
            (one for one in plan.get("relevant_attributes", []) if one["resource"].startswith(f"{prefix}.")),
            key=json.dumps,
        ),
        "checks": [check for check in plan.get("checks", []) if check["address"].get("module") == prefix],
    }
    own = json.loads(json.dumps(own).replace(f"{prefix}.", ""))
    for change in own["resource_changes"]:
        if change.get("module_address") == prefix:
            del change["module_address"]
    for check in own["checks"]:
        if check["address"].get("module") == prefix:
            del check["address"]["module"]
    own["applyable"] = any(
        change["change"]["actions"] not in (["no-op"], ["read"]) for change in own["resource_changes"]
    )
    return own


def write(source: Path, plan: Mapping[str, Any]) -> None:
    """The fixture file: only the parts that rules read, indented, without what is not ours to keep."""
    kept: dict[str, Any] = {key: plan[key] for key in KEPT if plan.get(key) not in (None, {}, [])}
    kept.setdefault("planned_values", {})
    for provider in kept.get("configuration", {}).get("provider_config", {}).values():
        provider.pop("expressions", None)
    text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
    source.with_suffix(".json").write_text(text)
    if len(text) > 40_000:
        sys.exit(f"{source.with_suffix('.json')} has {len(text):,} characters: make the fixture smaller")


if __name__ == "__main__":
    main(sys.argv[1:])
