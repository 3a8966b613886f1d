"""``hawser plan ENV``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from hawser.cli import options
from hawser.cli.errors import tell
from hawser.errors import Exit, HawserError, worst


@click.command()
@options.environment
@options.stack
@options.emulate
@options.json_output
@options.reports
@options.fail_on
def command(
    env: str, stack: str | None, emulate: bool, as_json: bool, report: str | None, out: Path | None, fail_on: str | None
) -> int:
    """Plan ENV, judge the plan, and keep it as a bundle.

    Each stack gets a verdict. A plan whose upstream values are not final yet is speculative: it can be read, never
    approved or applied.
    """
    from hawser.cli.judging import Gate
    from hawser.cli.planning import plan_stacks
    from hawser.cli.printing import print_reviews, report_forms, write_reports
    from hawser.cli.talk import Talk
    from hawser.cli.workspace import open_workspace, pick_stacks, require_made_by_hawser
    from hawser.contract import load_deployment
    from hawser.decision.decide import Decision
    from hawser.render.folder import write_generated
    from hawser.report.review import Review
    from hawser.terraform.runner import INTERRUPTS

    root, talk = options.checkout(), Talk()
    forms = report_forms(report, out)
    deployment = load_deployment(root, env)
    require_made_by_hawser(deployment, stack)
    workspace = open_workspace(root, deployment, talk, emulate=emulate)
    only = pick_stacks(workspace, stack)[0] if stack else None
    if not emulate:
        for line in write_generated(root, deployment):
            talk.step(f"environments/{env}/generated: {line}; commit it")
    reviews: list[Review] = []
    failure: HawserError | None = None
    try:
        with workspace.alone(), Gate(root, talk) as gate, INTERRUPTS.handled():
            reviews.extend(planned.review for planned in plan_stacks(workspace, gate, only))
    except HawserError as error:
        failure = error  # what was judged before it is still shown
    write_reports(reviews, forms, out)
    codes = [r.decision.exit_code for r in reviews]
    if fail_on:
        codes += [Exit.DENIED for r in reviews if r.decision is Decision.NEEDS_APPROVAL]
    code = worst([*codes, failure.exit_code] if failure else codes)
    if as_json:
        from hawser.report import render

        documents = [json.loads(render(r, "json", width=100, colour=False)) for r in reviews]
        result = {"schema": "hawser.plan/1", "environment": env, "exit_code": int(code), "stacks": documents}
        if failure:
            result["error"] = {"message": failure.message, "fix": failure.fix}
        json.dump(result, sys.stdout, indent=2, sort_keys=True)
        click.echo()
    else:
        print_reviews(reviews)
    if failure:
        tell(failure)
    return int(code)
