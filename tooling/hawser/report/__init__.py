"""The review in every form. All of them pass through one redactor, and their text is searched for secrets once more."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, assert_never

from hawser.report.redact import Redactor
from hawser.report.redact.findings import without_hidden_keys
from hawser.report.review import Review

Form = Literal["terminal", "md", "summary", "html", "json", "sarif", "junit"]


def render(review: Review, form: Form, *, width: int, colour: bool, redactor: Redactor | None = None) -> str:
    """The review as text of the given form.

    ``width`` (columns) and ``colour`` only matter for the terminal. ``redactor`` is that of the review's plan, where
    the caller already has it. Raises ``CannotJudgeError`` when the plan cannot be searched for secrets.
    """
    redactor = redactor or Redactor.of(review.plan.document)
    findings = tuple(without_hidden_keys(review.judgement.findings, review.plan))
    review = replace(review, judgement=replace(review.judgement, findings=findings))
    if form == "json":
        from hawser.report.as_json import as_json

        return as_json(review, redactor)
    if form == "sarif":
        from hawser.report.sarif import sarif

        return sarif(review, redactor)
    if form == "junit":
        from hawser.report.junit import junit

        return junit(review, redactor)
    from hawser.report.content import content

    words = content(review, redactor)
    if form == "terminal":
        from hawser.report.terminal import terminal

        return redactor.last_scan(terminal(words, width=width, colour=colour))
    if form == "md" or form == "summary":
        from hawser.report.markdown import COMMENT, SUMMARY, markdown

        return redactor.last_scan(markdown(words, COMMENT if form == "md" else SUMMARY))
    if form == "html":
        from hawser.report.html import html

        return html(review, words, redactor)
    assert_never(form)
