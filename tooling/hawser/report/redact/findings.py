"""Findings without the keys that stand inside sensitive values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hawser.policy.findings import Finding
from hawser.report.redact.marks import sensitive_roots
from hawser.terraform.plan import Plan


def without_hidden_keys(findings: Iterable[Finding], plan: Plan) -> Iterator[Finding]:
    """The findings with their path cut where a sensitive value begins: ``tags["secret-key"]`` is ``tags`` then.

    A message or a fix that names the path names the shorter one.
    """
    changes = {change.address: change for change in plan.changes if change.deposed is None}
    for finding in findings:
        change = changes.get(finding.address)
        path = finding.path
        for side in (change.before, change.after) if change and path else ():
            for root in sensitive_roots(side):
                if path.startswith(root) and path[len(root) : len(root) + 1] in (".", "["):
                    path = root
        if path == finding.path:
            yield finding
        else:
            message, fix = (text.replace(finding.path, path) for text in (finding.message, finding.fix))
            yield replace(finding, path=path, message=message, fix=fix)
