"""Contract and environment: read strictly, checked as a whole, merged into one frozen deployment.

The functions import what they need when they are called, so that the deployment's types stay cheap to import.
"""

from __future__ import annotations

from pathlib import Path

from hawser.contract.deployment import Deployment
from hawser.contract.problems import ContractError, Problem

__all__ = ["ContractError", "Problem", "environment_names", "example_problems", "load_deployment"]


def load_deployment(root: Path, env: str) -> Deployment:
    """The deployment of environment ``env`` in the checkout at ``root``.

    Raises ``UsageError`` when there is no such environment, and ``ContractError`` with every problem of both files.
    """
    from hawser.contract import merge

    return merge.load_deployment(root, env)


def environment_names(root: Path) -> tuple[str, ...]:
    """Names of the environments in the checkout at ``root``, sorted."""
    from hawser.contract.names import environment_names

    return environment_names(root)


def example_problems(deployment: Deployment) -> tuple[Problem, ...]:
    """One problem for each value that is only an example of documentation, to be replaced before AWS is asked."""
    from hawser.contract import examples

    return examples.example_problems(deployment)
