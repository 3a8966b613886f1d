"""The EKS cluster: version, names, and who administers it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser import facts
from hawser.contract.checks.access import region_facts
from hawser.contract.checks.rule import rule
from hawser.contract.draft import Draft
from hawser.contract.problems import Problem

_PRINCIPAL: Final = re.compile(r"arn:([a-z-]+):iam::([0-9]{12}):(?:role|user)/[0-9A-Za-z+=,.@_/-]+")


def usable_versions(target: str) -> tuple[facts.KubernetesVersion, ...]:
    """Kubernetes versions that ``target`` accepts and that were in standard support on the date of the fact."""
    found = tuple(version for version in facts.kubernetes_versions().values() if not version.ended)
    if target == "hyperpod":
        accepted = facts.hyperpod_kubernetes()
        found = tuple(version for version in found if _between(accepted, version.name))
    return found


def _between(accepted: facts.VersionRange, name: str) -> bool:
    def number(text: str) -> list[int]:
        return [int(part) for part in text.split(".")]

    return number(accepted.oldest) <= number(name) <= number(accepted.newest)


def _end(version: facts.KubernetesVersion) -> str:
    if version.standard_support_ends is None:
        return version.name
    return f"{version.name} (to {version.standard_support_ends})"


@rule(
    "The target supports the Kubernetes version.",
    "Extended support costs six times as much; HyperPod refuses unknown versions.",
)
def version(draft: Draft) -> Iterator[Problem]:
    """``cluster.kubernetes_version``."""
    target, name = draft.text("target"), draft.text("cluster", "kubernetes_version")
    usable = usable_versions(target)
    if name in {version.name for version in usable}:
        return
    known = facts.kubernetes_versions().get(name)
    found = f"{name} (standard support ended {known.standard_support_ends})" if known and known.ended else None
    expected = f"one in standard support on {target}: {', '.join(_end(version) for version in usable)}"
    choice = next((v.name for v in reversed(usable) if v.standard_support_ends), usable[-1].name)
    path = ("cluster", "kubernetes_version")
    yield draft.problem(path, expected, f'write "{choice}"', found=found)


@rule(
    "Administrators are roles or users of this partition.",
    "The root user cannot be an administrator, and a wildcard would be everybody.",
)
def admins(draft: Draft) -> Iterator[Problem]:
    """``cluster.admin_principals``."""
    partition = region_facts(draft).partition
    for index, arn in enumerate(draft.texts("cluster", "admin_principals")):
        path = ("cluster", "admin_principals", str(index))
        expected = f"arn:{partition}:iam::<account>:role/<name> (or user/<name>)"
        found = _PRINCIPAL.fullmatch(arn)
        if "*" in arn:
            yield draft.problem(path, f"{expected}, without wildcards", "name each role")
        elif arn.endswith(":root"):
            yield draft.problem(path, f"{expected}, not the account", "name a role of the account")
        elif ":assumed-role/" in arn:
            yield draft.problem(path, f"{expected}, not a session", "name the role that the session is of")
        elif found is None:
            yield draft.problem(path, expected, "write the ARN of a role")
        elif found[1] != partition:
            yield draft.problem(path, expected, f"write an ARN of the partition {partition}")


@rule("No administrator is named twice.", "The second access entry of one principal is refused.")
def admins_once(draft: Draft) -> Iterator[Problem]:
    """``cluster.admin_principals``."""
    seen: set[str] = set()
    for index, arn in enumerate(draft.texts("cluster", "admin_principals")):
        if arn in seen:
            path = ("cluster", "admin_principals", str(index))
            yield draft.problem(path, "each principal once", "remove the repetition")
        seen.add(arn)
