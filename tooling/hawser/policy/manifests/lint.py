"""Runs every rule for manifests over some objects."""

from __future__ import annotations

from dataclasses import dataclass

from hawser.contract.deployment import Deployment
from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import ManifestRule, Surroundings, manifest_rules
from hawser.policy.registry import Hit


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a manifest: where it stands, what would happen, and what to write instead."""

    rule_id: str
    level: Level
    severity: Severity
    file: str
    line: int
    subject: str
    path: str
    message: str
    fix: str
    title: str

    def sort_key(self) -> tuple[int | str, ...]:
        """Worst first, then by place."""
        levels = {Level.BLOCK: 0, Level.APPROVAL: 1, Level.ADVISORY: 2}
        severities = {Severity.CRITICAL: 0, Severity.HIGH: 1, Severity.MEDIUM: 2, Severity.LOW: 3}
        return (levels[self.level], severities[self.severity], self.file, self.line, self.rule_id, self.path)


def lint(manifests: tuple[Manifest, ...], deployment: Deployment | None = None) -> tuple[Fault, ...]:
    """The faults of all objects, worst first. With a deployment they are compared with its figures."""
    around = Surroundings(manifests, deployment)
    found: list[Fault] = []
    for manifest in manifests:
        for rule in manifest_rules():
            if not rule.meta.resource_types or manifest.kind in rule.meta.resource_types:
                found += [_fault(rule, manifest, hit) for hit in rule.function(manifest, around)]
    return tuple(sorted(found, key=Fault.sort_key))


def _fault(rule: ManifestRule, manifest: Manifest, hit: Hit) -> Fault:
    meta = rule.meta
    return Fault(
        rule_id=meta.id,
        level=meta.level,
        severity=meta.severity,
        file=manifest.file,
        line=manifest.line(hit.path),
        subject=manifest.name,
        path=hit.path,
        message=hit.message,
        fix=hit.after or meta.fix,
        title=meta.title,
    )
