"""HW-RUN-002: a plan runs a program or asks a web server."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule

_WHAT = {"external": "runs a program", "http": "asks a web server"}


@plan_rule(
    RuleMeta(
        id="HW-RUN-002",
        title="Planning runs no program and asks no web server.",
        area="execution",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="planned state",
        why="Such a data source has already acted with the credentials of the plan when this is read, and its answer"
        " can be another one at the apply.",
        fix="Put the value into contract or environment, where it is reviewed.",
    )
)
def outside_data(context: Context) -> Iterator[Hit]:
    """Looks at the configuration: a data source that is read while planning is not among the changes."""
    for (path, address), entry in sorted(context.configuration.resources.items()):
        kind = entry.get("type")
        if entry.get("mode") == "data" and isinstance(kind, str) and kind in _WHAT:
            yield Hit(
                path="program" if kind == "external" else "url",
                message=f"The data source {kind} {_WHAT[kind]} on every plan.",
                address=f"{path}.{address}" if path else address,
                changed=True,
            )
