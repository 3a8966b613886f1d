"""Rules and values that nobody knows yet: three-valued logic, and how a rule says what it could not judge.

A rule must not stop at the first unknown: a known violation behind it would be lost. ``Doubts`` gathers what could
not be judged while the rule goes on, and ``settle`` tells the engine at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Final, TypeVar

from hawser.terraform.values import UNKNOWN, UndecidableError, Unknown

#: True, False, or not known before apply.
State = bool | Unknown
T = TypeVar("T")


class OpaqueError(UndecidableError):
    """The value is there, but what it holds cannot be read (no JSON, compressed, made by a macro)."""

    def __init__(self, path: str, reason: str) -> None:
        """``reason`` completes the sentence "it …": ``is not valid JSON``."""
        super().__init__(path)
        self.reason = reason


class UndecidedError(UndecidableError):
    """Several places that could not be judged.

    ``places`` are (address, path, reason); an empty address means the change's own.
    """

    def __init__(self, places: tuple[tuple[str, str, str], ...]) -> None:
        """At least one place."""
        super().__init__(places[0][1])
        self.places = places


class Doubts:
    """Collects what could not be judged: ``with doubts: ...`` swallows ``UndecidableError`` and remembers its place."""

    def __init__(self) -> None:
        """Nothing is in doubt yet."""
        self._places: dict[tuple[str, str, str], None] = {}
        self._address = ""

    def about(self, address: str) -> Doubts:
        """The same collection, for the resource at ``address`` (plan rules look at many)."""
        self._address = address
        return self

    def add(self, path: str, reason: str = "", address: str = "") -> None:
        """Remember one place."""
        self._places[address or self._address, path, reason] = None

    def __enter__(self) -> Doubts:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if not isinstance(error, UndecidableError):
            return False
        for address, path, reason in places_of(error):
            self.add(path, reason, address)
        return True

    def settle(self) -> None:
        """Raise what was remembered, if anything; the last statement of a rule."""
        if self._places:
            raise UndecidedError(tuple(self._places))


def places_of(error: UndecidableError) -> tuple[tuple[str, str, str], ...]:
    """(address or "", path, reason or "") of everything that an ``UndecidableError`` is about."""
    if isinstance(error, UndecidedError):
        return error.places
    return (("", error.path, error.reason if isinstance(error, OpaqueError) else ""),)


def any_of(values: Iterable[T | Unknown], holds: Callable[[T], bool]) -> State:
    """Whether ``holds`` is true for some value: a known one decides; otherwise an unknown one leaves it open."""
    state: State = False
    for value in values:
        if isinstance(value, Unknown):
            state = UNKNOWN
        elif holds(value):
            return True
    return state


def both(*states: State) -> State:
    """Conjunction: one false decides, then one unknown leaves it open."""
    if any(state is False for state in states):
        return False
    return UNKNOWN if any(state is UNKNOWN for state in states) else True


def opposite(state: State) -> State:
    """Negation; what is not known stays so."""
    return UNKNOWN if isinstance(state, Unknown) else not state


#: Where a value can be seen once it exists, by resource type; the fallback names terraform itself.
_LOOK: Final = {
    "aws_iam_role": "aws iam get-role",
    "aws_iam_role_policy": "aws iam get-role-policy",
    "aws_iam_policy": "aws iam get-policy-version",
    "aws_eks_cluster": "aws eks describe-cluster",
    "aws_eks_node_group": "aws eks describe-nodegroup",
    "aws_launch_template": "aws ec2 describe-launch-template-versions",
    "aws_security_group": "aws ec2 describe-security-group-rules",
    "aws_security_group_rule": "aws ec2 describe-security-group-rules",
    "aws_vpc_security_group_ingress_rule": "aws ec2 describe-security-group-rules",
    "aws_cloudformation_stack": "aws cloudformation get-template",
    "aws_autoscaling_group": "aws autoscaling describe-auto-scaling-groups",
}


def where_to_look(resource_type: str, address: str) -> str:
    """The sentence that says where a value can be seen after the apply."""
    command = _LOOK.get(resource_type)
    state = f"terraform state show '{address}'" if address else "terraform show"
    return (
        f"After apply, look at it with `{command}` or `{state}`."
        if command
        else f"After apply, look at it with `{state}`."
    )
