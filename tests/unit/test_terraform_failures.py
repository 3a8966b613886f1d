"""What a person is told when terraform fails: its words, masked, and what to do about them."""

from __future__ import annotations

import pytest

from hawser.cli.workspace import failed
from hawser.terraform.runner import Answer


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("Error: Error acquiring the state lock\n\nLock Info:\n  Who: ann@laptop\n", "hawser never forces a lock"),
        ("Error: Saved plan is stale\n\nThe given plan file can no longer be applied\n", "plan again"),
        ("Error: No valid credential sources found\n", "Log in to the environment's account"),
        ("Error: creating EKS Cluster: ResourceLimitExceeded\n", "Mend what terraform names"),
        ("", "Mend what terraform names"),
    ],
)
def test_each_failure_has_its_advice(said: str, advice: str) -> None:
    error = failed("platform", "apply", None, Answer(1, b"", said))
    assert error.message.startswith("terraform apply failed for platform (exit 1):\n    ")
    assert advice in error.fix
    assert all(line.strip() in error.message for line in said.splitlines())


def test_a_secret_in_its_words_is_masked() -> None:
    error = failed("platform", "plan", None, Answer(1, b"", "Error: token AKIAIOSFODNN7EXAMPLE was refused\n"))
    assert "AKIAIOSFODNN7EXAMPLE" not in error.message
    assert "was refused" in error.message
