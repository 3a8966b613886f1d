"""HW-SEC-002: an output loses its sensitive mark."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.shown import secret_in
from hawser.terraform.values import Value


@plan_rule(
    RuleMeta(
        id="HW-SEC-002",
        title="Outputs that were sensitive stay sensitive, and no plain output holds a secret.",
        area="secrets",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="change",
        why="Without the mark the value is printed by every plan, apply and output, and read by every later stack;"
        ' terraform itself says "no changes".',
        fix="Mark the output sensitive again, or remove it.",
    )
)
def output_uncovered(context: Context) -> Iterator[Hit]:
    """The mark now is only in the configuration: ``output_changes`` still shows both sides as sensitive."""
    configured = context.configuration.outputs
    for output in context.plan.outputs:
        sensitive_now = _is_true(configured.get(output.name, {}).get("sensitive"))
        if sensitive_now or output.after.is_null:
            continue
        path = f"output.{output.name}"
        if output.before.is_sensitive and not output.before.is_null and configured:
            yield Hit(
                path=path, message=f"The output {output.name} was sensitive and no longer is.", after="(not shown)"
            )
        elif what := _shape(output.after):
            yield Hit(
                path=path, message=f"The output {output.name} holds a secret in clear: {what}.", after="(not shown)"
            )


def _is_true(mark: object) -> bool:
    return mark is True


def _shape(value: Value) -> str | None:
    raw = value.raw()
    if isinstance(raw, str):
        return None if value.is_sensitive else secret_in(raw)
    children = (
        value.get(key) for key in (raw if isinstance(raw, dict) else range(len(raw)) if isinstance(raw, list) else ())
    )
    return next((what for child in children if (what := _shape(child))), None)
