"""What one set of statements allows or denies that another does not, whatever order, form or division they are in.

Statements are taken apart into pieces of one action, one resource, one principal and all conditions. A piece is gained
when no piece of the other side covers it: ``s3:GetObject`` is covered by ``s3:Get*``, a piece with a condition by the
same without. What is known only after apply may or may not be covered: then nobody can say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from hawser.policy.iam import Condition, Statement, Text, fits
from hawser.policy.unknown import State, any_of, both
from hawser.terraform.values import UNKNOWN, Unknown

#: A pattern; or everything but some patterns.
_Part = Text | frozenset[Text]
_Principal = tuple[Text, Text] | frozenset[tuple[Text, Text]] | None

#: Comparisons of pieces that are made for one pair of policies. IAM allows a few thousand characters per policy, which
#: is far below; a policy in a template that is more is compared statement by statement.
_MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Piece:
    """One action on one resource by one principal under all conditions of the statement that it comes from."""

    action: _Part
    resource: _Part
    principal: _Principal
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Gain:
    """A part of a statement that the other side does not cover.

    ``certain`` is false when something in it, or in what could cover it, is known only after apply.
    ``bound`` are the conditions under which the other side has the same: that they changed is then the whole gain.
    """

    statement: Statement
    certain: bool
    bound: tuple[Condition, ...] | None = None


def gains(old: Sequence[Statement], new: Sequence[Statement]) -> list[Gain]:
    """What ``new`` says and ``old`` does not, in the order of ``new``. All statements must have the same effect."""
    same = {_plain(one) for one in old}
    fresh = [one for one in new if _plain(one) not in same]
    if not fresh:
        return []
    had = [piece for one in old for piece in _pieces(one)]
    number = sum(len(list(_pieces(one))) for one in fresh)
    if number * len(had) > _MOST:
        return [Gain(one, True) for one in fresh]
    found = []
    for one in fresh:
        states: dict[tuple[bool, tuple[Condition, ...] | None], list[Piece]] = {}
        for piece in _pieces(one):
            state = any_of((_covers(other, piece) for other in had), bool)
            if state is not True:
                states.setdefault((state is False, _bound(had, piece)), []).append(piece)
        for (certain, bound), pieces in states.items():
            found += [Gain(part, certain, bound) for part in _together(one, pieces)]
    return found


def _plain(one: Statement) -> Statement:
    """The statement without what does not count: its place, order, repetition and the case of names."""
    return replace(
        one,
        path="",
        actions=_ordered(_lower(text) for text in one.actions),
        not_actions=_ordered(_lower(text) for text in one.not_actions),
        resources=_ordered(one.resources),
        not_resources=_ordered(one.not_resources),
        principals=tuple(sorted(set(map(_who, one.principals)), key=str)),
        not_principals=tuple(sorted(set(map(_who, one.not_principals)), key=str)),
        conditions=_conditions(one),
    )


def _ordered(texts: Iterable[Text]) -> tuple[Text, ...]:
    return tuple(sorted(set(texts), key=str))


def _lower(text: Text) -> Text:
    return text if isinstance(text, Unknown) else text.lower()


def _conditions(one: Statement) -> tuple[Condition, ...]:
    return tuple(
        sorted(((_lower(operator), _lower(key), _ordered(values)) for operator, key, values in one.conditions), key=str)
    )


def _who(principal: tuple[Text, Text]) -> tuple[Text, Text]:
    """An account is its root ARN, and everybody is everybody however it is written."""
    kind, one = principal
    if kind in ("AWS", "*") and one == "*":
        return "*", "*"
    if kind == "AWS" and isinstance(one, str) and one.startswith("arn:") and one.endswith(":root"):
        return kind, one.split(":")[4]
    return kind, one


def _pieces(one: Statement) -> Iterator[Piece]:
    plain = _plain(one)
    actions: Sequence[_Part] = plain.actions or (frozenset(plain.not_actions),)
    resources: Sequence[_Part] = plain.resources or (
        (frozenset(plain.not_resources),) if plain.not_resources else ("*",)
    )
    principals: Sequence[_Principal] = plain.principals or (
        (frozenset(plain.not_principals),) if plain.not_principals else (None,)
    )
    for action, resource, principal in product(actions, resources, principals):
        yield Piece(action, resource, principal, plain.conditions)


def _together(one: Statement, pieces: list[Piece]) -> Iterator[Statement]:
    """The pieces of a statement as few statements: actions that share resources and principals stay together."""
    spots: dict[tuple[_Part, _Principal], list[_Part]] = {}
    for piece in pieces:
        spots.setdefault((piece.resource, piece.principal), []).append(piece.action)
    by_actions: dict[tuple[tuple[_Part, ...], _Principal], list[_Part]] = {}
    for (resource, principal), actions in spots.items():
        by_actions.setdefault((tuple(actions), principal), []).append(resource)
    whole: dict[tuple[tuple[_Part, ...], tuple[_Part, ...]], list[_Principal]] = {}
    for (actions_, principal), resources in by_actions.items():
        whole.setdefault((actions_, tuple(resources)), []).append(principal)
    for (actions_, resources_), principals in whole.items():
        yield replace(
            one,
            actions=_kept(one.actions, actions_),
            resources=_kept(one.resources, resources_),
            principals=tuple(who for who in one.principals if _who(who) in principals),
        )


def _kept(written: tuple[Text, ...], left: tuple[_Part, ...]) -> tuple[Text, ...]:
    return tuple(text for text in written if _lower(text) in left or text in left)


# -- covering ----------------------------------------------------------------------------------------------------------


def _covers(wide: Piece, narrow: Piece) -> State:
    return both(_covers_but_conditions(wide, narrow), _conditions_cover(wide.conditions, narrow.conditions))


def _covers_but_conditions(wide: Piece, narrow: Piece) -> State:
    action = _part_covers(wide.action, narrow.action)
    if action is False:
        return False
    resource = _part_covers(wide.resource, narrow.resource)
    if resource is False:
        return False
    return both(action, resource, _principal_covers(wide.principal, narrow.principal))


def _bound(had: list[Piece], piece: Piece) -> tuple[Condition, ...] | None:
    """The conditions under which the other side has this piece, when only they differ."""
    return next((other.conditions for other in had if _covers_but_conditions(other, piece) is True), None)


def _part_covers(wide: _Part, narrow: _Part) -> State:
    if isinstance(wide, Unknown) or isinstance(narrow, Unknown):
        return wide == "*" or UNKNOWN
    if isinstance(wide, str):
        return pattern_covers(wide, narrow if isinstance(narrow, str) else "*")
    if isinstance(narrow, str):  # everything but a list covers what meets nothing of the list
        return both(*(_apart(one, narrow) for one in wide))
    return both(*(any_of((_text_covers(other, one) for other in narrow), bool) for one in wide))


def _text_covers(wide: Text, narrow: Text) -> State:
    return UNKNOWN if isinstance(wide, Unknown) or isinstance(narrow, Unknown) else pattern_covers(wide, narrow)


def pattern_covers(wide: str, narrow: str) -> bool:
    """Whether whatever fits the second pattern of IAM fits the first.

    A ``*`` of the second stands for nothing and for more than any number of ``?`` of the first could hold.
    """
    if wide in ("*", narrow):
        return True
    if "*" not in wide and "?" not in wide:
        return False
    if "*" not in narrow:
        return fits(narrow, wide)
    return fits(narrow.replace("*", ""), wide) and fits(narrow.replace("*", "\0" * (len(wide) + 1)), wide)


def _apart(one: Text, other: str) -> State:
    """Whether two patterns have nothing in common: what stands before their first wildcards differs."""
    if isinstance(one, Unknown):
        return UNKNOWN
    left, right = (text.replace("?", "*").split("*", 1) for text in (one, other))
    if len(left) == 1 and len(right) == 1:
        return one != other
    if len(left) == 1:
        return not fits(one, other)
    if len(right) == 1:
        return not fits(other, one)
    return not (left[0].startswith(right[0]) or right[0].startswith(left[0]))


def _principal_covers(wide: _Principal, narrow: _Principal) -> State:
    if wide == narrow:
        return True if wide is None or not _has_unknown(wide) else UNKNOWN
    if wide is None or narrow is None:
        return False
    if isinstance(wide, tuple):
        if wide == ("*", "*"):
            return True
        if isinstance(narrow, frozenset):
            return UNKNOWN if _has_unknown(wide) else False
        return UNKNOWN if _has_unknown(wide) or _has_unknown(narrow) else _is_of(wide, narrow)
    if isinstance(narrow, tuple):  # everybody but a list
        if narrow == ("*", "*"):
            return False
        return (
            UNKNOWN
            if _has_unknown(narrow)
            else both(*(UNKNOWN if _has_unknown(one) else one != narrow for one in wide))
        )
    return wide <= narrow


def _is_of(wide: tuple[Text, Text], narrow: tuple[Text, Text]) -> bool:
    """Whether an account is trusted to which a named principal belongs."""
    account, one = str(wide[1]), str(narrow[1])
    return (
        wide[0] == narrow[0] == "AWS"
        and account.isdigit()
        and one.startswith("arn:")
        and one.split(":")[4:5] == [account]
    )


def _has_unknown(principal: _Principal) -> bool:
    parts = [part for one in principal for part in one] if isinstance(principal, frozenset) else list(principal or ())
    return any(isinstance(part, Unknown) for part in parts)


def _conditions_cover(wide: tuple[Condition, ...], narrow: tuple[Condition, ...]) -> State:
    """Whether the second conditions hold only where the first do: each of the first is met by one of the second."""
    return both(*(any_of((_condition_covers(one, other) for other in narrow), bool) for one in wide))


def _condition_covers(wide: Condition, narrow: Condition) -> State:
    (operator, key, values), (other_operator, other_key, others) = wide, narrow
    if any(isinstance(part, Unknown) for part in (operator, key, other_operator, other_key)):
        return UNKNOWN
    if (operator, key) != (other_operator, other_key):
        return False
    name = str(operator).removeprefix("foranyvalue:").removesuffix("ifexists")
    if name.startswith(("stringnot", "arnnot", "notip")):
        return both(*(any_of((_value_covers(one, other, False) for other in others), bool) for one in values))
    if name.startswith(("string", "arn", "ipaddress")) and not name.startswith("forallvalues"):
        like = name in ("stringlike", "arnlike", "arnequals")
        return both(*(any_of((_value_covers(one, other, like) for one in values), bool) for other in others))
    if any(isinstance(value, Unknown) for value in (*values, *others)):
        return UNKNOWN
    return values == others


def _value_covers(wide: Text, narrow: Text, like: bool) -> State:
    if isinstance(wide, Unknown) or isinstance(narrow, Unknown):
        return UNKNOWN
    return pattern_covers(wide, narrow) if like else wide == narrow
