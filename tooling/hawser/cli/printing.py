"""Putting reviews in front of a person or into files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, cast

import click

from hawser.errors import UsageError
from hawser.files import write_atomically
from hawser.report import render
from hawser.report.review import Review

Form = Literal["md", "summary", "html", "json", "sarif", "junit"]

_FILES: Final[dict[Form, str]] = {
    "md": "report.md",
    "summary": "report.summary.md",
    "html": "report.html",
    "json": "report.json",
    "sarif": "report.sarif",
    "junit": "report.junit.xml",
}

#: Columns where there is no terminal to ask: the width of a page of a pull request's log.
_WIDTH: Final = 100


def report_forms(text: str | None, out: Path | None) -> tuple[Form, ...]:
    """The report forms in ``md,json``. Raises ``UsageError`` for an unknown one, or when --out is missing."""
    if text is None:
        return ()
    forms = tuple(form.strip() for form in text.split(","))
    unknown = [form for form in forms if form not in _FILES]
    if unknown:
        raise UsageError(f"there is no report form {unknown[0]!r}", fix=f"Forms are {', '.join(_FILES)}.")
    if out is None:
        raise UsageError("--report needs a folder", fix="Add --out DIR.")
    return cast("tuple[Form, ...]", forms)


def write_reports(reviews: Sequence[Review], forms: Sequence[Form], out: Path | None) -> None:
    """Write each form; of several stacks each in a folder of its own."""
    if out is None:
        return
    for review in reviews:
        folder = out / review.stack if len(reviews) > 1 else out
        for form in forms:
            write_atomically(folder / _FILES[form], render(review, form, width=_WIDTH, colour=False).encode())


def print_reviews(reviews: Sequence[Review]) -> None:
    """The terminal report of each stack on stdout."""
    width = shutil.get_terminal_size((_WIDTH, 24)).columns
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for index, review in enumerate(reviews):
        if index:
            click.echo()
        click.echo(render(review, "terminal", width=width, colour=colour), nl=False, color=colour)
