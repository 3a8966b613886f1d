"""The commands that a report names: of the environment, or of the one stack that was planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from hawser.cli.talk import Talk
from hawser.cli.workspace import Workspace
from hawser.contract import load_deployment
from hawser.toolchain.terraform_binary import TerraformBinary

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("only", "stack", "command"),
    [
        (None, "platform", "hawser apply prod"),
        (None, "eks", "hawser apply prod"),
        ("eks", "eks", "hawser apply prod --stack eks"),
        ("eks", "platform", "hawser apply prod"),
        ("platform", "platform", "hawser apply prod --stack platform"),
        (None, "bootstrap", "hawser apply prod --stack bootstrap"),
        ("bootstrap", "bootstrap", "hawser apply prod --stack bootstrap"),
    ],
)
def test_a_command_is_of_what_was_planned(only: str | None, stack: str, command: str) -> None:
    binary = TerraformBinary(Path("terraform"), "1.11.4", "")
    workspace = Workspace(ROOT, load_deployment(ROOT, "prod"), False, Talk(), binary, ROOT / "rc", None, only)
    assert workspace.command("apply", stack) == command
