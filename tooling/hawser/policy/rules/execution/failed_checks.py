"""HW-RUN-003: a check block fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.shown import secret_in


@plan_rule(
    RuleMeta(
        id="HW-RUN-003",
        title="Every check block of the configuration holds.",
        area="execution",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="planned state",
        why="Terraform prints a failing check as a warning and applies all the same; nobody reads warnings in a log.",
        fix="Mend what the check says, or change the check in a reviewed pull request.",
    )
)
def failed_checks(context: Context) -> Iterator[Hit]:
    """Reads ``checks`` of the plan; a check that is unknown before apply is not one that failed."""
    listed = context.plan.document.get("checks")
    for check in listed if isinstance(listed, list) else ():
        if not isinstance(check, dict) or check.get("status") not in ("fail", "error"):
            continue
        about = check.get("address")
        about = about if isinstance(about, dict) else {}
        yield Hit(
            path="check",
            message=f"{'Failed' if check['status'] == 'fail' else 'Could not be evaluated'}: {_problems(check)}",
            address=str(about.get("to_display") or "a check"),
            changed=True,
        )


def _entries(node: Any) -> list[dict[str, Any]]:
    return [entry for entry in node if isinstance(entry, dict)] if isinstance(node, list) else []


def _problems(check: dict[str, Any]) -> str:
    """The author's own messages, cut short; terraform keeps sensitive values out of them."""
    texts = [
        " ".join(str(problem.get("message")).split())
        for instance in _entries(check.get("instances"))
        for problem in _entries(instance.get("problems"))
        if problem.get("message")
    ]
    text = "; ".join(dict.fromkeys(texts)) or "it gives no message."
    return "its message looks like a secret and is not shown." if secret_in(text) else text[:300]
