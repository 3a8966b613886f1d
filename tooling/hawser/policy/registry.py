"""A rule is data and one function; this is where rules say who they are.

``RuleMeta`` refuses bad metadata at import, so a rule that reaches a person always has an id, a title that states the
passing condition, a reason and a fix. The engine, the reference of the rules, waivers and the check of fixtures
read ``all_rules()``.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from hawser.contract.deployment import Deployment
from hawser.policy.findings import Level, PoolCapacity, Severity
from hawser.policy.launch_templates import LaunchTemplates
from hawser.policy.unseen import modules_with_unseen_blocks
from hawser.terraform.configuration import Configuration
from hawser.terraform.plan import Change, Plan

if TYPE_CHECKING:
    from hawser.policy.privileges import Privilege
    from hawser.policy.sides import Sides

LooksAt = Literal["change", "planned state", "both"]

#: ``HW-…`` are hawser's own; a team's rules have a prefix of theirs.
_ID: Final = re.compile(r"[A-Z][A-Z0-9]{1,7}-[A-Z]{2,4}-\d{3}")
OWN: Final = "HW-"


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule function yields for a place that fails. ``message`` is one sentence with the figures.

    ``contract_path`` is the dotted path of the contract or environment field that causes it (``capacity.k3-a.count``),
    when the rule knows. ``address`` is only given by plan rules (they see no single change).
    """

    path: str
    message: str
    before: str | None = None
    after: str | None = None
    contract_path: str | None = None
    address: str | None = None
    changed: bool | None = None

    def __post_init__(self) -> None:
        """Refuses what no report could show. Raises ``TypeError``."""
        optional = (self.before, self.after, self.contract_path, self.address)
        if not all(
            isinstance(text, str) for text in (self.path, self.message, *(t for t in optional if t is not None))
        ):
            raise TypeError("a hit is made of texts")


@dataclass(frozen=True)
class Context:
    """What a rule may know besides the change: the whole plan, and the deployment when the plan is ours."""

    plan: Plan
    deployment: Deployment | None = None

    @cached_property
    def configuration(self) -> Configuration:
        """What the plan says about its configuration: which expression refers to what."""
        return Configuration(self.plan.document.get("configuration"))

    def at(self, plan: Plan) -> Context:
        """The same configuration with the objects of another moment."""
        context = Context(plan, self.deployment)
        context.__dict__["configuration"] = self.configuration  # what is read of it is kept in it
        return context

    @cached_property
    def capacity(self) -> tuple[PoolCapacity, ...]:
        """Accelerators per pool before, during and after the apply."""
        from hawser.policy.capacity import capacity  # capacity needs the Configuration, and rules need both

        return capacity(self.plan, self.deployment, self.launch_templates)

    @cached_property
    def sides(self) -> Sides:
        """The objects that give rights or let somebody in, before and after."""
        from hawser.policy import exposure, privileges, sides  # all three need the Context itself

        return sides.Sides(self, sorted({*exposure.TYPES, *privileges.TYPES}))

    @cached_property
    def privileges(self) -> tuple[Privilege, ...]:
        """Who can do more after the apply, and who less."""
        from hawser.policy.privileges import privileges  # needs the Context itself

        return privileges(self)

    @cached_property
    def accounts(self) -> frozenset[str]:
        """The accounts that the plan is for; empty when neither the environment nor what exists already says it."""
        from hawser.policy.accounts import own_accounts  # reads plans only, but belongs to the rules of access

        return own_accounts(self.plan, self.deployment)

    @cached_property
    def launch_templates(self) -> LaunchTemplates:
        """Which group uses which launch template."""
        return LaunchTemplates(self.plan, self.configuration)

    @cached_property
    def modules_with_unseen_blocks(self) -> frozenset[str]:
        """Paths of modules in which an unknown value goes somewhere that the plan does not show."""
        return modules_with_unseen_blocks(self.plan, self.configuration)


ChangeRule = Callable[[Change, Context], Iterator[Hit]]
PlanRule = Callable[[Context], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class RuleMeta:
    """Identity and prose of a rule.

    ``title`` states the passing condition. ``why`` names the risk in at most two sentences; ``fix`` speaks in terms of
    the contract or environment, not of HCL. ``resource_types`` is empty for a rule that looks at the plan as a whole;
    of a change rule it may hold a prefix (``awscc_*``), and ``*`` for every type. ``looks_at`` says whether the rule
    judges the planned state (then it also runs on unchanged resources, listed apart) or the change itself.
    """

    id: str
    title: str
    area: str
    severity: Severity
    level: Level
    resource_types: tuple[str, ...]
    looks_at: LooksAt
    why: str
    fix: str
    since: str = "0.1.0"
    references: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        """Refuses metadata that would not help a person."""
        if mistyped := [name for name, fits in self._types() if not fits]:
            raise ValueError(f"rule {self.id}: {', '.join(mistyped)} has the wrong type or is none of what it may be")
        problems = []
        if not _ID.fullmatch(self.id):
            problems.append("id is not of the form HW-AREA-001")
        if self.title.startswith(("Ensure", "Check", "No ")) or not self.title.endswith(".") or len(self.title) > 150:
            problems.append(
                "title must state the passing condition, end with a full stop and stay within 150 characters"
            )
        for name in ("why", "fix"):
            text = getattr(self, name)
            if not text.strip() or len(text) > 400:
                problems.append(f"{name} must be between 1 and 400 characters")
        if problems:
            raise ValueError(f"rule {self.id}: {'; '.join(problems)}")

    def _types(self) -> Iterator[tuple[str, bool]]:
        def texts(value: Any) -> bool:
            return isinstance(value, tuple) and all(isinstance(one, str) and one for one in value)

        for name in ("id", "title", "area", "why", "fix", "since"):
            yield name, isinstance(getattr(self, name), str)
        yield "severity", isinstance(self.severity, Severity)
        yield "level", isinstance(self.level, Level)
        yield "looks_at", self.looks_at in get_args(LooksAt)
        yield "resource_types", texts(self.resource_types)
        yield "references", texts(self.references)

    def names(self, type_: str) -> bool:
        """Whether a type is one of ``resource_types``, or begins like one that ends in ``*`` and is no data source."""
        return type_ in self.resource_types or (
            not type_.startswith("data.")
            and any(one.endswith("*") and type_.startswith(one[:-1]) for one in self.resource_types)
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """Metadata and function. Exactly one of ``on_change`` and ``on_plan`` is set.

    ``place`` is the file and line of a team's own rule; ``""`` for hawser's.
    """

    meta: RuleMeta
    on_change: ChangeRule | None = None
    on_plan: PlanRule | None = None
    place: str = ""

    @property
    def function(self) -> ChangeRule | PlanRule:
        """The one of both functions that is set."""
        function = self.on_change or self.on_plan
        assert function is not None
        return function


#: Where rules are registered: the first is hawser's own, a further one is open while a team's file is loaded.
_BOOKS: Final[list[dict[str, Rule]]] = [{}]


@contextmanager
def book() -> Iterator[dict[str, Rule]]:
    """A book of its own for the rules that are registered meanwhile."""
    _BOOKS.append({})
    try:
        yield _BOOKS[-1]
    finally:
        _BOOKS.pop()


def _register(rule: Rule) -> None:
    if rule.meta.id in _BOOKS[-1]:
        raise ValueError(f"rule {rule.meta.id} is defined twice")
    _BOOKS[-1][rule.meta.id] = rule


def change_rule(meta: RuleMeta) -> Callable[[ChangeRule], ChangeRule]:
    """Registers a function ``(change, context) -> hits``, called for each change of ``meta.resource_types``."""

    def wrap(function: ChangeRule) -> ChangeRule:
        _register(Rule(meta, on_change=function))
        return function

    return wrap


def plan_rule(meta: RuleMeta) -> Callable[[PlanRule], PlanRule]:
    """Registers a function ``(context) -> hits``, called once per plan."""

    def wrap(function: PlanRule) -> PlanRule:
        _register(Rule(meta, on_plan=function))
        return function

    return wrap


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule under ``policy/rules``, and a team's own, sorted by id. Importing a module registers it.

    Raises ``CannotJudgeError`` when a file of the team's cannot be taken as it is.
    """
    from hawser.policy.custom import FOLDER, load  # what it loads imports this

    package = importlib.import_module("hawser.policy.rules")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    rules = (*_BOOKS[0].values(), *load(FOLDER))
    return tuple(sorted(rules, key=lambda rule: rule.meta.id))
