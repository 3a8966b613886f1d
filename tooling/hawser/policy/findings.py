"""What the gate says about a plan: one finding per rule and place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as of_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hawser.contract.waivers import BreakGlass

if TYPE_CHECKING:  # these three speak of findings themselves
    from hawser.policy.exposure import Exposure
    from hawser.policy.privileges import Privilege
    from hawser.policy.roles import Role


class Verdict(StrEnum):
    """Per rule and resource. A pass is not kept as a finding: it is only counted."""

    FAIL = "fail"
    UNDECIDABLE = "undecidable"
    ERROR = "error"


class Level(StrEnum):
    """What a failing rule asks for."""

    ADVISORY = "advisory"
    APPROVAL = "approval"
    BLOCK = "block"


class Severity(StrEnum):
    """How bad it would be; independent of the level, which an environment may set."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class WaiverUse:
    """The waiver that covers a finding: who owns it, why, and the days it still has (0 = its last day)."""

    owner: str
    reason: str
    days_left: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at.

    ``address`` is the exact resource address, or ``""`` when the plan as a whole is meant. ``path`` is the attribute
    path. ``message`` is one sentence with the figures and never holds a secret. ``before`` and ``after`` are short
    texts for the eye. ``field`` is the contract field that causes it, when the rule knows. ``origin`` is the contract
    line (``environments/prod/env.yaml:14``) that causes it, or the reason why there is none; ``lines`` are these lines
    alone, and ``code`` is the line of Terraform code (``trace.py`` fills all three). ``changed`` is false for findings
    on resources that the plan leaves alone: they do not decide.
    ``noise`` names the emulator shortcoming that explains the finding: then it does not decide either. ``deposed`` is
    the key of the deposed object that is meant, not the one that has the address now.
    """

    rule_id: str
    verdict: Verdict
    level: Level
    severity: Severity
    address: str
    path: str
    message: str
    fix: str
    title: str = ""
    source: str = "hawser"
    before: str | None = None
    after: str | None = None
    field: str | None = None
    origin: str = ""
    lines: tuple[str, ...] = ()
    code: str = ""
    changed: bool = True
    waiver: WaiverUse | None = None
    noise: str | None = None
    deposed: str | None = None

    @property
    def waived_as(self) -> str:
        """What a waiver for it must call it: the address, and of a deposed object its key too.

        Two objects have that address, and whoever reviewed the exception for one of them did not see the other.
        """
        return f"{self.address} (deposed {self.deposed})" if self.deposed else self.address

    @property
    def decides(self) -> bool:
        """Whether this finding has a say in the decision."""
        return self.changed and self.waiver is None and self.noise is None

    def with_level(self, level: Level) -> Finding:
        """The same finding at another level."""
        return replace(self, level=level)

    def sort_key(self) -> tuple[int, int, int, str, str, str, str]:
        """Worst first, then by rule and place: the one order in which findings are listed."""
        verdicts = {Verdict.ERROR: 0, Verdict.FAIL: 1, Verdict.UNDECIDABLE: 2}
        levels = {Level.BLOCK: 0, Level.APPROVAL: 1, Level.ADVISORY: 2}
        severities = {Severity.CRITICAL: 0, Severity.HIGH: 1, Severity.MEDIUM: 2, Severity.LOW: 3}
        return (
            0 if self.decides else 1,
            levels[self.level] if self.verdict is not Verdict.ERROR else -1,
            verdicts[self.verdict] * 10 + severities[self.severity],
            self.rule_id,
            self.address,
            self.path,
            self.message,
        )


@dataclass(frozen=True, slots=True)
class PoolCapacity:
    """Accelerators of one pool before, during and after the apply; ``None`` where it cannot be known.

    ``instance_type`` is one type, or ``old → new``. ``deposed`` is the key of an object that another one has replaced.
    """

    pool: str
    address: str
    instance_type: str
    before: int | None
    during: int | None
    after: int | None
    note: str = ""
    deposed: str | None = None

    @property
    def type_before(self) -> str:
        """EC2 name of the instance type that ``before`` counts."""
        return self.instance_type.split(" → ")[0].removeprefix("ml.")

    @property
    def type_after(self) -> str:
        """EC2 name of the instance type that ``after`` counts."""
        return self.instance_type.split(" → ")[-1].removeprefix("ml.")


@dataclass(frozen=True, slots=True)
class Judgement:
    """All that the gate found on one plan.

    ``passed`` counts, per rule id, the resources that the rule looked at and found in order; a rule that looked at
    nothing is listed in ``idle``. ``notes`` are sentences for the reader (format minor, byte order mark, …).
    ``lowered`` names each rule that the environment takes less seriously than the rule itself does, and where.
    ``causes`` are the contract lines that give the new value of a changed attribute, by (address, attribute path),
    where that is sure.
    ``broken_glass`` is the emergency that lets something through here. ``privileges``, ``exposure`` and ``roles`` say
    who can do more or less, what opens or closes, and what every role may do.
    """

    findings: tuple[Finding, ...]
    capacity: tuple[PoolCapacity, ...] = ()
    passed: dict[str, int] = of_dataclass(default_factory=dict)
    idle: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lowered: tuple[str, ...] = ()
    causes: Mapping[tuple[str, str], tuple[str, ...]] = of_dataclass(default_factory=dict)
    broken_glass: BreakGlass | None = None
    privileges: tuple[Privilege, ...] = ()
    exposure: tuple[Exposure, ...] = ()
    roles: tuple[Role, ...] = ()
