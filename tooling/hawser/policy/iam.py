"""IAM policies in one shape, wherever they come from: a JSON string, a policy document data source, a template."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from hawser.policy.documents import json_of, resolve, template_of
from hawser.policy.registry import Context
from hawser.policy.unknown import Doubts, OpaqueError, State, any_of, both
from hawser.terraform.configuration import module_path
from hawser.terraform.plan import Action, Change
from hawser.terraform.values import UNKNOWN, UndecidableError, Unknown, Value

Text = str | Unknown

#: Operator, key, values.
Condition = tuple[Text, Text, tuple[Text, ...]]

DOCUMENT: Final = "data.aws_iam_policy_document"

#: Where identity policies stand, by type: attributes that hold a policy as a JSON string.
IDENTITY: Final[Mapping[str, tuple[str, ...]]] = {
    "aws_iam_role_policy": ("policy",),
    "aws_iam_policy": ("policy",),
    "aws_iam_user_policy": ("policy",),
    "aws_iam_group_policy": ("policy",),
    "aws_iam_role": (),  # inline_policy blocks
}

IDENTITY_TYPES: Final = (*IDENTITY, DOCUMENT, "aws_cloudformation_stack")
TRUST_TYPES: Final = ("aws_iam_role", DOCUMENT, "aws_cloudformation_stack")

_EVERYTHING: Final = re.compile(r"[*?]*\*[*?]*|arn:[^:]*:[^:]*:[^:]*:[^:]*:[*?/:]*\*[*?/:]*|[*:?]*:[*:?]*")
_WHOLE_SERVICE: Final = re.compile(r"[*?]*\*[*?]*|[\w*?-]+:[*?]*\*[*?]*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. Each part is a tuple of known strings and ``UNKNOWN``; ``principals`` are (kind, id).

    ``conditions`` are (operator, key, values). ``path`` leads to it: ``policy.Statement[0]``.
    """

    path: str
    effect: Text
    actions: tuple[Text, ...] = ()
    not_actions: tuple[Text, ...] = ()
    resources: tuple[Text, ...] = ()
    not_resources: tuple[Text, ...] = ()
    principals: tuple[tuple[Text, Text], ...] = ()
    not_principals: tuple[tuple[Text, Text], ...] = ()
    conditions: tuple[Condition, ...] = ()

    @property
    def allows(self) -> State:
        """Whether it grants something."""
        return UNKNOWN if isinstance(self.effect, Unknown) else self.effect == "Allow"

    @property
    def for_everything(self) -> State:
        """Whether it speaks about every resource (``*``, or an ARN whose resource part is only ``*``)."""
        return any_of(self.resources, lambda arn: _EVERYTHING.fullmatch(arn) is not None)

    def grants(self, action: str) -> State:
        """Whether one of its actions covers ``action`` (``iam:PassRole``)."""
        wanted = action.lower()
        return any_of(self.actions, lambda pattern: fits(wanted, pattern.lower()))

    @property
    def whole_service(self) -> State:
        """Whether one of its actions is ``*`` or a whole service (``s3:*``)."""
        return any_of(self.actions, lambda action: _WHOLE_SERVICE.fullmatch(action) is not None)

    @property
    def for_any_role(self) -> State:
        """Whether one of its resources is a pattern that any role's ARN fits (``…:role/*``)."""
        return any_of(self.resources, fits_any_role)

    def bound_by(self, keys: Collection[str]) -> State:
        """Whether a condition on one of these keys (lower-cased) binds it: all must hold, so one is enough."""
        states = (
            both(UNKNOWN if isinstance(condition[1], Unknown) else condition[1].lower() in keys, binds(condition))
            for condition in self.conditions
        )
        return any_of(states, bool)


def fits(text: str, pattern: str) -> bool:
    """Whether a pattern of IAM, which knows ``*`` and ``?`` only, covers ``text``."""
    return fnmatchcase(text, pattern.replace("[", "[[]"))


# -- what binds, and what fits everything ----------------------------------------------------------------------

#: Operators that hold only for the values given (IAM reference on condition operators, 2026-11-30). The negative ones
#: hold for everybody else, and ``Null``, ``Bool``, numbers, dates and addresses say nothing of who or which.
_EXACT: Final = frozenset({"stringequals", "stringequalsignorecase"})
_POSITIVE: Final = _EXACT | {"stringlike", "arnequals", "arnlike"}

#: A name, an account and a few identities that no deployment has: what fits them fits anything.
CANARY: Final = "zz-8f14e45f"
_ACCOUNT: Final = "000000000000"
_CANARIES: Final = (
    CANARY,
    _ACCOUNT,
    f"arn:aws:iam::{_ACCOUNT}:role/{CANARY}",
    f"arn:aws:sts::{_ACCOUNT}:assumed-role/{CANARY}/{CANARY}",
    f"{CANARY}.amazonaws.com",
    "o-zz8f14e45f",
    "o-zz8f14e45f/r-zz8f/ou-zz8f-8f14e45f/",
    "AROAZZ8F14E45FZZ8F14E:zz-8f14e45f",
)

#: Policy variables that stand for the caller's own value: a condition on the caller holds for them always.
_OF_CALLER: Final = re.compile(r"\$\{aws:(?:principal|source|user)[^}]*\}", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"\$\{[^}]*\}")


def binds(condition: Condition) -> State:
    """Whether a condition narrows a statement to what it names: a positive operator, and no value that fits anything.

    ``…IfExists`` and ``ForAllValues:`` also hold when the key is not there, so they do not bind. An unknown value of an
    operator without wildcards does: whatever it becomes, it is one value.
    """
    operator, _, values = condition
    if isinstance(operator, Unknown):
        return UNKNOWN
    name = operator.lower().removeprefix("foranyvalue:")
    if name not in _POSITIVE or not values:
        return False
    loose = any_of(values, _fits_anything)
    if loose is UNKNOWN:
        return True if name in _EXACT else UNKNOWN
    return not loose


def _fits_anything(value: str) -> bool:
    """Whether a value of a condition fits whoever comes; an ARN does when its account does, whatever it is called."""
    pattern = _OF_CALLER.sub("*", value)
    parts = pattern.split(":", 5)
    if len(parts) == 6 and parts[0] == "arn":
        return fits(_ACCOUNT, parts[4]) if parts[4] else _EVERYTHING.fullmatch(pattern) is not None
    return any(fits(canary, pattern) for canary in _CANARIES)


def fits_any_role(pattern: str) -> bool:
    """Whether a resource pattern covers a role that no deployment has, in the account that the pattern names."""
    pattern = _VARIABLE.sub("x", pattern)
    parts = [part.replace("?", "0").replace("*", "") for part in pattern.split(":")]
    partitions = {"aws", *parts[1:2]}
    accounts = {_ACCOUNT, *parts[4:5], *re.findall(r"\d{12}", pattern)}
    return any(
        fits(f"arn:{partition}:iam::{account}:role/{name}", pattern)
        for partition in partitions
        for account in accounts
        for name in (CANARY, f"{CANARY}/{CANARY}")
    )


# -- reading ---------------------------------------------------------------------------------------------------


def statements_of(policy: Any, path: str) -> Iterator[Statement]:
    """Statements of a parsed policy. Raises ``OpaqueError`` when it is not one, ``UndecidableError`` when unknown."""
    if policy is None:
        return
    if not isinstance(policy, dict) or isinstance(policy.get("Statement"), Unknown):
        raise OpaqueError(path, "is not an IAM policy")
    entries = policy.get("Statement")
    for index, entry in enumerate(entries if isinstance(entries, list) else [entries] if entries else []):
        here = f"{path}.Statement[{index}]"
        if not isinstance(entry, dict):
            raise OpaqueError(here, "is not a statement")
        effect = entry.get("Effect", "Allow")
        yield Statement(
            path=here,
            effect=effect if isinstance(effect, (str, Unknown)) else UNKNOWN,
            actions=_texts(entry.get("Action")),
            not_actions=_texts(entry.get("NotAction")),
            resources=_texts(entry.get("Resource")),
            not_resources=_texts(entry.get("NotResource")),
            principals=_principals(entry.get("Principal")),
            not_principals=_principals(entry.get("NotPrincipal")),
            conditions=tuple(_conditions(entry.get("Condition"))),
        )


def _texts(value: Any) -> tuple[Text, ...]:
    """A string or a list of strings; whatever is neither (an intrinsic function) is ``UNKNOWN``."""
    if value is None:
        return ()
    return tuple(
        item if isinstance(item, str) else _partly_known(item)
        for item in (value if isinstance(value, list) else [value])
        if item is not None
    )


def _partly_known(item: Any) -> Text:
    """``Fn::Sub`` of pseudo parameters and attributes of other resources: its fixed text is enough for wildcards."""
    text = item.get("Fn::Sub") if isinstance(item, dict) else None
    return _VARIABLE.sub("x", text) if isinstance(text, str) else UNKNOWN


def _principals(value: Any) -> tuple[tuple[Text, Text], ...]:
    if value is None:
        return ()
    if isinstance(value, dict):
        return tuple((str(kind), who) for kind, ids in value.items() for who in _texts(ids))
    return tuple(("*", who) for who in _texts(value))


def _conditions(value: Any) -> Iterator[Condition]:
    if isinstance(value, Unknown):
        yield UNKNOWN, UNKNOWN, ()
    for operator, tests in value.items() if isinstance(value, dict) else ():
        for key, wanted in tests.items() if isinstance(tests, dict) else ():
            yield str(operator), str(key), _texts(wanted)


def document_statements(after: Value) -> Iterator[Statement]:
    """Statements of an ``aws_iam_policy_document`` that is read during apply: what can be known of it is known."""
    for block in after.get("statement").elements():
        effect = block.get("effect").tree()
        yield Statement(
            path=block.path,
            effect=effect if isinstance(effect, (str, Unknown)) else "Allow",
            actions=_known_texts(block.get("actions")),
            not_actions=_known_texts(block.get("not_actions")),
            resources=_known_texts(block.get("resources")),
            not_resources=_known_texts(block.get("not_resources")),
            principals=tuple(_block_principals(block.get("principals"))),
            not_principals=tuple(_block_principals(block.get("not_principals"))),
            conditions=tuple(_block_conditions(block.get("condition"))),
        )


def _known_texts(value: Value) -> tuple[Text, ...]:
    tree = value.tree()
    return (UNKNOWN,) if isinstance(tree, Unknown) else _texts(tree)


def _block_principals(value: Value) -> Iterator[tuple[Text, Text]]:
    if value.is_unknown:
        yield UNKNOWN, UNKNOWN
        return
    for block in value.elements():
        kind = block.get("type").tree()
        for who in _known_texts(block.get("identifiers")):
            yield kind if isinstance(kind, (str, Unknown)) else "*", who


def _block_conditions(value: Value) -> Iterator[Condition]:
    if value.is_unknown:
        yield UNKNOWN, UNKNOWN, ()
        return
    for block in value.elements():
        test, variable = block.get("test").tree(), block.get("variable").tree()
        yield (
            test if isinstance(test, str) else UNKNOWN,
            variable if isinstance(variable, str) else UNKNOWN,
            _known_texts(block.get("values")),
        )


# -- the policies of a change ----------------------------------------------------------------------------------


def identity_statements(change: Change, context: Context, doubts: Doubts) -> Iterator[Statement]:
    """Every statement of the identity policies of a change; what cannot be read goes to ``doubts``."""
    after = change.after
    if change.type == "aws_cloudformation_stack":
        yield from _template_statements(change, doubts, _IDENTITY_IN_TEMPLATE)
    elif change.mode == "data":
        yield from (s for s in _document(change, context, doubts) if not s.principals and not s.not_principals)
    else:
        for name in IDENTITY.get(change.type, ()):
            yield from _from_string(change, context, doubts, after.get(name), name)
        if change.type == "aws_iam_role" and _inline_given(change, context):
            with doubts:
                for index, block in enumerate(after.get("inline_policy").elements()):
                    yield from _from_string(
                        change, context, doubts, block.get("policy"), "inline_policy", index, "policy"
                    )


def _inline_given(change: Change, context: Context) -> bool:
    return not change.after.get("inline_policy").is_unknown or context.configuration.writes(change, "inline_policy")


def trust_statements(change: Change, context: Context, doubts: Doubts) -> Iterator[Statement]:
    """Every statement of the trust policies of a change: statements with a principal that speak of assuming a role."""
    if change.type == "aws_cloudformation_stack":
        yield from _template_statements(change, doubts, _TRUST_IN_TEMPLATE)
    elif change.mode == "data":
        for statement in _document(change, context, doubts):
            assumes = any_of(
                statement.actions,
                lambda action: fits("sts:assumerole", action.lower()) or action.lower().startswith("sts:"),
            )
            if statement.principals and assumes is not False:
                yield statement
    else:
        yield from _from_string(change, context, doubts, change.after.get("assume_role_policy"), "assume_role_policy")


def _from_string(
    change: Change, context: Context, doubts: Doubts, value: Value, *keys: str | int
) -> Iterator[Statement]:
    if value.is_unknown and judged_as_document(change, context, *keys):
        return
    with doubts:
        yield from statements_of(json_of(value), value.path)


def judged_as_document(change: Change, context: Context, *keys: str | int) -> bool:
    """Whether an unknown policy comes only from policy documents that are themselves in this plan, and judged there."""
    targets = context.configuration.targets(change, *keys)
    documents = {
        (module_path(document.module_address), f"data.{document.type}.{document.name}")
        for document in context.plan.by_type.get("aws_iam_policy_document", ())
        if document.mode == "data" and document.action is Action.READ
    }
    return bool(targets) and targets <= documents


def _document(change: Change, context: Context, doubts: Doubts) -> Iterator[Statement]:
    with doubts:
        yield from document_statements(change.after)
    for name in ("source_policy_documents", "override_policy_documents", "source_json", "override_json"):
        value = change.after.get(name)
        if value.is_null or (value.has_unknown and judged_as_document(change, context, name)):
            continue
        with doubts:
            for item in value.elements() if isinstance(value.raw(), list) or value.is_unknown else (value,):
                with doubts:
                    yield from statements_of(json_of(item), item.path)


_IDENTITY_IN_TEMPLATE: Final = {
    "AWS::IAM::Role": ("Policies",),
    "AWS::IAM::User": ("Policies",),
    "AWS::IAM::Group": ("Policies",),
    "AWS::IAM::Policy": ("PolicyDocument",),
    "AWS::IAM::ManagedPolicy": ("PolicyDocument",),
}
_TRUST_IN_TEMPLATE: Final = {"AWS::IAM::Role": ("AssumeRolePolicyDocument",)}


def _template_statements(change: Change, doubts: Doubts, wanted: Mapping[str, tuple[str, ...]]) -> Iterator[Statement]:
    body = change.after.get("template_body")
    with contextlib.suppress(UndecidableError):  # HW-RUN-004 speaks for templates that cannot be read
        template = template_of(body)
        if not isinstance(template, dict):
            return
        parameters = change.after.get("parameters").tree()
        for name, resource in resolve(template, parameters if isinstance(parameters, (dict, Unknown)) else {}).items():
            if not isinstance(resource, dict) or not isinstance(properties := resource.get("Properties"), dict):
                continue
            for key in wanted.get(str(resource.get("Type")), ()):
                path = f"{body.path}.Resources.{name}.Properties.{key}"
                with doubts:
                    yield from _in_template(properties.get(key), path)


def _in_template(node: Any, path: str) -> Iterator[Statement]:
    if isinstance(node, list):  # Policies: [{PolicyName, PolicyDocument}]
        for index, entry in enumerate(node):
            document = entry.get("PolicyDocument") if isinstance(entry, dict) else entry
            yield from statements_of(document, f"{path}[{index}].PolicyDocument")
    else:
        yield from statements_of(node, path)


Test = Callable[[Statement], State]


def granting(statements: Iterator[Statement], doubts: Doubts, test: Test) -> Iterator[Statement]:
    """Statements that allow and for which ``test`` holds; those that cannot be told go to ``doubts``."""
    for statement in statements:
        state = both(statement.allows, test(statement))
        if state is UNKNOWN:
            doubts.add(statement.path, "has parts that are known only after apply")
        elif state is True:
            yield statement
