"""Running terraform on a folder of the checkout, or on one made for a test."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

from hawser.terraform.runner import HEAP_GROWTH
from hawser.toolchain.provider_mirror import cli_config
from hawser.toolchain.terraform_binary import find_terraform

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".hawser"
STACKS = sorted(f.parent for f in ROOT.glob("terraform/*/versions.tf"))
MODULES = sorted(f.parent for f in ROOT.glob("modules/*/versions.tf"))


def terraform(folder: Path, data: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run terraform in ``folder``, with its own data in ``data`` and ``more`` in its environment."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(data), "TF_DATA_DIR": str(data / "data"),
        "TF_CLI_CONFIG_FILE": str(cli_config(HOME)), "CHECKPOINT_DISABLE": "1", "AWS_EC2_METADATA_DISABLED": "true",
        "GOGC": HEAP_GROWTH, **more,
    }  # fmt: skip
    return subprocess.run(
        [str(find_terraform(HOME).path), *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


def passes(folder: Path, data: Path, *arguments: str, **more: str) -> None:
    """Run terraform, which must end well."""
    done = terraform(folder, data, *arguments, **more)
    assert done.returncode == 0, f"terraform {' '.join(arguments)} in {folder}:\n{done.stdout}\n{done.stderr}"


def initialised(folder: Path, data: Path, *arguments: str) -> None:
    """``terraform init``; a plugin cache takes one at a time."""
    with (HOME / "terraform-init.lock").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        passes(folder, data, "init", "-input=false", *arguments)
