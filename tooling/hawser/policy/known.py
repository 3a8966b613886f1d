"""Every id that a finding may have: rules, checks of checkov, and what the gate says of itself and of its exceptions.

The last have no function that looks at a change and so no fixtures: where they are found they are made. What they mean
is said here, once, for findings, reports, ``hawser policy explain`` and the reference.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hawser.facts.checkov import checkov_checks
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import RuleMeta, all_rules


def _meta(id_: str, title: str, level: Level, severity: Severity, why: str, fix: str) -> RuleMeta:
    return RuleMeta(id_, title, "gate", severity, level, (), "both", why, fix)


BAD_LEVEL: Final = _meta(
    "HW-LVL-001",
    "Every level in guardrails.levels names a rule that exists.",
    Level.BLOCK,
    Severity.HIGH,
    "A level for a mistyped rule changes nothing, and whoever wrote it believes that it does.",
    "Name a rule of `hawser policy list` or a check of checkov, or remove the line.",
)
NO_CAPACITY: Final = _meta(
    "HW-CAP-000",
    "The accelerators of every pool can be counted.",
    Level.BLOCK,
    Severity.HIGH,
    "What cannot be counted could be lost and nobody would see it.",
    "Report the fault with the types of the pools and the shape of their values (not the values).",
)
NO_ACCESS: Final = _meta(
    "HW-IAM-000",
    "Who can do what, and what is reachable from where, can be told.",
    Level.BLOCK,
    Severity.HIGH,
    "What cannot be told could give rights or open a port and nobody would see it.",
    "Report the fault with the types of the resources and the shape of their values (not the values).",
)
CONTRADICTION: Final = _meta(
    "HW-RUN-000",
    "Every entry of the plan is one that terraform writes.",
    Level.BLOCK,
    Severity.HIGH,
    "Of an entry that contradicts itself some reader of the plan could miss what is in it.",
    "Write `terraform show -json PLAN` straight to a file and judge that.",
)
LIVE_STACK: Final = _meta(
    "HW-STK-001",
    "Every stack that holds resources is one that the environment names.",
    Level.APPROVAL,
    Severity.HIGH,
    "A stack that the environment no longer names costs money and stays reachable, and no plan of the others shows it.",
    "Destroy it with `hawser destroy ENV --stack STACK`, or let env.yaml name it again.",
)
UNUSABLE_WAIVER: Final = _meta(
    "HW-WVR-001",
    "Every waiver is in force.",
    Level.APPROVAL,
    Severity.MEDIUM,
    "A waiver that expired, runs too long or names no rule covers nothing, and whoever reads it believes that it does.",
    "Mend what it covers, or review it anew with a last day at most 90 days ahead.",
)
UNMATCHED_WAIVER: Final = _meta(
    "HW-WVR-002",
    "Every waiver covers a finding.",
    Level.ADVISORY,
    Severity.LOW,
    "A waiver of what is not there any more covers what comes back at the same address, and nobody reviews it again.",
    "Remove it, or give it the exact address and stack of what it covers.",
)
BROKEN_GLASS: Final = _meta(
    "HW-BRK-001",
    "What would deny the plan is not let through by broken glass.",
    Level.APPROVAL,
    Severity.CRITICAL,
    "For hours, rules that deny only ask for an approval. No environment may lower this one.",
    "Somebody other than who broke it reads and approves; then take the entry out of waivers.yaml again.",
)
UNUSABLE_GLASS: Final = _meta(
    "HW-BRK-002",
    "Broken glass is in force and lets something through.",
    Level.APPROVAL,
    Severity.HIGH,
    "An entry that is over, runs too long or names what denies nothing lets nothing through. A rule of it that denies"
    " nothing here is only advisory.",
    "Take the entry or the rule out of waivers.yaml, or review it anew.",
)

#: What an environment may give another level, and waive, like any rule; the others nobody may lower.
ADJUSTABLE: Final = (LIVE_STACK, UNUSABLE_WAIVER, UNMATCHED_WAIVER)
#: All that is not the finding of a rule, by id.
OTHERS: Final = tuple(
    sorted(
        (BAD_LEVEL, NO_CAPACITY, NO_ACCESS, CONTRADICTION, BROKEN_GLASS, UNUSABLE_GLASS, *ADJUSTABLE),
        key=lambda one: one.id,
    )
)


def known_rules(named: Iterable[str]) -> frozenset[str]:
    """Ids that levels and exceptions may name: rules, ``ADJUSTABLE``, and all checks of checkov.

    Those of checkov are read only when one of ``named`` may be one.
    """
    ours = frozenset(meta.id for meta in (*(rule.meta for rule in all_rules()), *ADJUSTABLE))
    return ours | checkov_checks().titles.keys() if any(one.startswith("CKV") for one in named) else ours
