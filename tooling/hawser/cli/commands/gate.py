"""``hawser gate PLAN``."""

from __future__ import annotations

from pathlib import Path

import click

from hawser.cli import options


@click.command()
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--env", metavar="ENV", help="Judge it as a plan of this environment: its levels, waivers and contract.")
@click.option(
    "--root", "tf_root", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR",
    help="The initialised root module of a binary plan.",
)  # fmt: skip
@options.json_output
@options.reports
@options.fail_on
def command(
    plan: Path,
    env: str | None,
    tf_root: Path | None,
    as_json: bool,
    report: str | None,
    out: Path | None,
    fail_on: str | None,
) -> int:
    """Judge any plan with the same gate, also one that hawser did not make.

    PLAN is the JSON of `terraform show -json`, or a binary plan together with --root.
    """
    from hawser.cli.foreign import judge_file
    from hawser.cli.printing import print_reviews, report_forms, write_reports
    from hawser.decision.decide import Decision
    from hawser.errors import Exit
    from hawser.report import render

    forms = report_forms(report, out)
    review = judge_file(options.checkout(), plan, env, tf_root)
    write_reports([review], forms, out)
    if as_json:
        click.echo(render(review, "json", width=100, colour=False), nl=False)
    else:
        print_reviews([review])
    if fail_on and review.decision is Decision.NEEDS_APPROVAL:
        return int(Exit.DENIED)
    return int(review.decision.exit_code)
