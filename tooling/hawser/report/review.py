"""The one thing every report format renders: a judged plan of one stack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hawser.decision.decide import Decision
from hawser.decision.since import Since
from hawser.policy.findings import Judgement
from hawser.terraform.plan import Plan


@dataclass(frozen=True)
class Review:
    """A judged plan, ready to be shown.

    ``stack`` is ``platform``, ``eks``, ``hyperpod``, or the file name for a plan that hawser did not make (then
    ``environment`` may be ``""``). ``digest`` is the bundle's (hex), ``""`` for a speculative plan. ``asks`` is the one
    line that says what is asked of the reader. ``next_commands`` are what to type next. ``checked`` are lines such as
    "checkov 3.3.30: 214 passed, 3 failed": what was checked, or why not. ``overrides`` maps a contract field to
    (contract value, value here). ``gpus_needed`` is the number of accelerators that all replicas need, 0 where
    the stack has none to give. ``since`` is the difference to the last plan that somebody could review.
    """

    environment: str
    account_id: str
    region: str
    target: str
    stack: str
    decision: Decision
    asks: str
    plan: Plan
    judgement: Judgement
    digest: str = ""
    speculative: bool = False
    emulated: bool = False
    destroy: bool = False
    contract_digest: str = ""
    state_serial: str = ""
    good_until: str = ""
    overrides: Mapping[str, tuple[object, object]] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    next_commands: tuple[str, ...] = ()
    gpus_needed: int = 0
    since: Since | None = None
