"""HW-IAM-013: whatever runs in a repository may take a role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.iam import CANARY, TRUST_TYPES, Statement, fits, granting, trust_statements
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.unknown import Doubts, State, any_of, both
from hawser.terraform.plan import Change

#: What a workflow of any branch, or any request, of a repository is called by its token (GitHub's and GitLab's claims,
#: as trust policies for them are written in public, 2026-11-30).
_ANY_RUN: Final = (f":ref:refs/heads/{CANARY}", f":ref_type:branch:ref:{CANARY}")
_REPOSITORY: Final = ("repo:", "project_path:")


@change_rule(
    RuleMeta(
        id="HW-IAM-013",
        title="A role for a repository's CI names the environment, the branch or the event.",
        area="iam",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=TRUST_TYPES,
        looks_at="planned state",
        why="With repo:<owner>/<repository>:* a workflow on any branch takes the role, before anybody has reviewed it.",
        fix="Write repo:<owner>/<repository>:environment:<name>, protect that environment, and give requests a role"
        " that only reads, as state.ci does.",
        references=("https://docs.github.com/en/actions/reference/security/oidc",),
    )
)
def ci_subject(change: Change, _: Context) -> Iterator[Hit]:
    """A ``sub`` that names the repository, and that the token of any branch of it fits.

    HW-IAM-005 has wider ones, and says which trust cannot be read.
    """
    doubts = Doubts()
    for statement in granting(trust_statements(change, doubts), doubts, _any_run):
        wide = [value for value in _subjects(statement) if isinstance(value, str) and _of_any_run(value)]
        yield Hit(path=statement.path, message=f"Lets any workflow whose sub is like {', '.join(wide)} take the role.")


def _subjects(statement: Statement) -> Iterator[str]:
    for _, key, values in statement.conditions:
        if isinstance(key, str) and key.lower().endswith(":sub"):
            yield from (value for value in values if isinstance(value, str))


def _any_run(statement: Statement) -> State:
    return both(statement.grants("sts:AssumeRoleWithWebIdentity"), any_of(_subjects(statement), _of_any_run))


def _of_any_run(value: str) -> bool:
    kind = next((kind for kind in _REPOSITORY if value.startswith(kind)), "")
    repository = value.removeprefix(kind).split(":", 1)[0]
    return (
        bool(kind) and not {*"*?"} & {*repository} and any(fits(f"{kind}{repository}{run}", value) for run in _ANY_RUN)
    )
