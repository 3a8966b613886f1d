"""``hawser pr``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hawser.cli import options

if TYPE_CHECKING:
    from hawser.report.pull_request import PullRequest


@click.command()
@click.option(
    "--base", default="origin/main", show_default=True, metavar="REF", help="Branch that the pull request goes to."
)
@options.emulate
@options.json_output
@options.reports
@options.fail_on
def command(base: str, emulate: bool, as_json: bool, report: str | None, out: Path | None, fail_on: str | None) -> int:
    """Plan every environment that differs from where HEAD left --base, and give one verdict.

    Compared is what environments are made of, so a change of documents plans nothing. With --out there are comment.md
    (for the pull request, at most 60,000 bytes), summary.md (for the summary of a job) and the reports of each stack in
    ENV/STACK. Nothing is posted: that is the workflow's.
    """
    from hawser.cli.affected import impact
    from hawser.cli.base_tree import base_tree
    from hawser.cli.printing import report_forms, write_reports
    from hawser.cli.pull_requests import plan_affected
    from hawser.cli.talk import Talk
    from hawser.errors import Exit, worst
    from hawser.files import write_atomically
    from hawser.report.markdown import SUMMARY
    from hawser.report.pull_request import PullRequest, pull_request_comment

    root, talk = options.checkout(), Talk()
    forms = report_forms(report, out)
    with base_tree(root, base) as tree:
        touched = impact(tree.root, root)
        commits = tree.commit, tree.head
    planned = tuple(plan_affected(root, talk, touched.affected, emulate=emulate))
    pull = PullRequest(*commits, planned, touched.unaffected, touched.removed, touched.guarded)
    comment = pull_request_comment(pull)
    if out is not None:
        write_atomically(out / "comment.md", comment.encode())
        write_atomically(out / "summary.md", pull_request_comment(pull, SUMMARY).encode())
        for one in planned:
            for review in one.reviews:
                write_reports([review], forms, out / one.environment / review.stack)
    asked = [Exit.DENIED] if fail_on and pull.needs_approval else []
    code = worst([pull.exit_code, *asked])
    if as_json:
        json.dump(_document(pull, code), sys.stdout, indent=2, sort_keys=True)
        click.echo()
    else:
        click.echo(comment, nl=False)
    return int(code)


def _document(pull: PullRequest, code: int) -> dict[str, object]:
    from hawser.report import render

    environments = []
    for one in pull.planned:
        entry: dict[str, object] = {
            "environment": one.environment,
            "why": list(one.why),
            "exit_code": int(one.exit_code),
            "stacks": [json.loads(render(r, "json", width=100, colour=False)) for r in one.reviews],
        }
        if one.failure:
            entry["error"] = {"message": one.failure.message, "fix": one.failure.fix}
        environments.append(entry)
    return {
        "schema": "hawser.pr/1",
        "base": pull.base,
        "head": pull.head,
        "verdict": pull.verdict,
        "needs_approval": pull.needs_approval,
        "exit_code": int(code),
        "guarded": list(pull.guarded),
        "removed": list(pull.removed),
        "unaffected": list(pull.unaffected),
        "environments": environments,
    }
