"""The model and its licence."""

from __future__ import annotations

from collections.abc import Iterator

from hawser import facts
from hawser.contract.checks.rule import rule
from hawser.contract.draft import Draft, UnavailableError
from hawser.contract.problems import Problem, nearest


def model_facts(draft: Draft) -> facts.ModelFacts:
    """Facts of the contract's model. Raises ``UnavailableError`` when it is not a known model."""
    found = facts.models().get(draft.text("model", "id"))
    if found is None:
        raise UnavailableError
    return found


@rule(
    "The model is one that hawser has facts of.",
    "Without its sizes and limits nobody can say whether it fits or starts.",
)
def known_model(draft: Draft) -> Iterator[Problem]:
    """``model.id``."""
    name = draft.text("model", "id")
    known = facts.models()
    if name not in known:
        near = nearest(name, known)
        fix = f"write {near}" if near else "write a known model, or add its facts to facts/models.yaml"
        yield draft.problem(("model", "id"), f"one of {', '.join(known)}", fix)


@rule("The licence is the model's own.", "Whoever accepts a licence must have read that one, not a similar one.")
def licence_name(draft: Draft) -> Iterator[Problem]:
    """``model.licence``."""
    model = model_facts(draft)
    if draft.text("model", "licence") != model.licence:
        yield draft.problem(("model", "licence"), model.licence, f"write {model.licence}, after reading it")


@rule(
    "Serving others is acknowledged by somebody of your own.",
    "The licence asks more of a service than of internal use, so a named person must have read it.",
)
def service_acknowledged(draft: Draft) -> Iterator[Problem]:
    """``model.acknowledgement``: use service in a real account needs a real address."""
    licence = facts.licences()[model_facts(draft).licence]
    if draft.text("model", "acknowledgement", "use") != "service" or draft.flag("emulator"):
        return
    by = draft.text("model", "acknowledgement", "by")
    domain = by.rpartition("@")[2]
    if domain in facts.examples():
        needs = f"the address of who accepted it for a service, which needs {licence.service}"
        yield draft.problem(("model", "acknowledgement", "by"), needs, "write the address of who read the licence")
