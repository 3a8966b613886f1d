"""HW-IAM-007: the permissions boundary of a role or user goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import holds, is_administrator, texts
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.templates import STACK, made_by
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Unknown


@change_rule(
    RuleMeta(
        id="HW-IAM-007",
        title="A role or user that has a permissions boundary keeps one that limits it.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=("aws_iam_role", "aws_iam_user", STACK),
        looks_at="change",
        why="A boundary caps what policies may give. Once it is gone, whatever any policy of the role ever allowed, or"
        " will allow, holds.",
        fix="Keep the boundary; to loosen it, change the policy that it names in a reviewed change.",
        references=("https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html",),
    )
)
def boundary_removed(change: Change, _: Context) -> Iterator[Hit]:
    """Updates and replacements: a boundary before, and none or an administrator policy of AWS after."""
    doubts = Doubts()
    if change.type != STACK:
        name = "permissions_boundary"
        yield from _judged(name, change.before.get(name).raw(), change.after.get(name).tree(), change.planned, doubts)
    else:
        name = "PermissionsBoundary"
        after = {one.name: one for one in made_by(change)}
        for old in made_by(change, "before"):
            if holds(old, name) and old.name in after:
                now = after[old.name].properties.get(name)
                yield from _judged(old.path(name), old.properties.get(name), now, True, doubts)
    doubts.settle()


def _judged(path: str, before: Any, after: Any, stays: bool, doubts: Doubts) -> Iterator[Hit]:
    if not before or not stays:
        return
    old = next(iter(texts(before)), UNKNOWN)
    had = repr(UNKNOWN) if isinstance(old, Unknown) else old
    new = next(iter(texts(after)), "")
    if isinstance(new, Unknown):
        doubts.add(path)
    elif not new:
        yield Hit(path=path, message=f"The boundary {had} is taken away.", before=had)
    elif is_administrator(new) and new != old:
        yield Hit(path=path, message=f"The boundary becomes {new.rsplit('/', 1)[-1]}, which limits nothing.", after=new)
