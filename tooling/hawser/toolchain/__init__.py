"""What hawser needs on the machine: environments of its own, terraform, and the way to the provider."""

from hawser.toolchain.provider_mirror import cli_config
from hawser.toolchain.python_env import ensure_venv
from hawser.toolchain.terraform_binary import TerraformBinary, find_terraform

__all__ = ["TerraformBinary", "cli_config", "ensure_venv", "find_terraform"]
