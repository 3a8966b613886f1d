"""IAM policies in one shape, wherever they come from: a JSON string, a policy document data source, a template."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Final

from hawser.policy.documents import json_of
from hawser.policy.registry import Context
from hawser.policy.templates import STACK, Made, made_by
from hawser.policy.unknown import Doubts, OpaqueError, State, any_of, both
from hawser.terraform.configuration import module_path
from hawser.terraform.plan import Change
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
    "aws_ssoadmin_permission_set_inline_policy": ("inline_policy",),
}

IDENTITY_TYPES: Final = (*IDENTITY, DOCUMENT, STACK)
TRUST_TYPES: Final = ("aws_iam_role", DOCUMENT, STACK)

ROLE_IN_TEMPLATE: Final = "AWS::IAM::Role"
POLICY_IN_TEMPLATE: Final = "AWS::IAM::ManagedPolicy"

#: CloudFormation's types of IAM and what rules read of each (resource schemas, cfn-lint 1.58.0, 2026-10-20).
_IN_TEMPLATE: Final[Mapping[str, tuple[str, ...]]] = {
    ROLE_IN_TEMPLATE: ("AssumeRolePolicyDocument", "ManagedPolicyArns", "PermissionsBoundary", "Policies"),
    "AWS::IAM::User": ("ManagedPolicyArns", "PermissionsBoundary", "Policies"),
    "AWS::IAM::Group": ("ManagedPolicyArns", "Policies"),
    POLICY_IN_TEMPLATE: ("PolicyDocument",),
    "AWS::IAM::Policy": ("PolicyDocument",),
    "AWS::IAM::RolePolicy": ("PolicyDocument",),
    "AWS::IAM::UserPolicy": ("PolicyDocument",),
    "AWS::IAM::GroupPolicy": ("PolicyDocument",),
}


def holds(made: Made, name: str) -> bool:
    """Whether a resource of a template is one of IAM that has a property of this name."""
    return name in _IN_TEMPLATE.get(made.type, ())


_EVERYTHING: Final = re.compile(r"[*?]*\*[*?]*|arn:[^:]*:[^:]*:[^:]*:[^:]*:[*?/:]*\*[*?/:]*|[*:?]*:[*:?]*")
_WHOLE_SERVICE: Final = re.compile(r"[*?]*\*[*?]*|[\w*?-]+:[*?]*\*[*?]*")


#: AWS managed policies that let their holder do nearly anything, or give itself the right to (IAM reference,
#: 2026-11-30), and the EKS access policies that are cluster-admin, and admin of all or some namespaces.
_ADMINISTRATOR: Final = (
    "AdministratorAccess",
    "PowerUserAccess",
    "IAMFullAccess",
    "AmazonEKSAdminPolicy",
    "AmazonEKSClusterAdminPolicy",
)


def is_administrator(arn: str) -> bool:
    """Whether a managed policy is as good as every right."""
    return arn.rsplit("/", 1)[-1] in _ADMINISTRATOR


#: AWS managed policies for job functions that write (IAM user guide on job functions, 2026-11-30).
_JOBS: Final = ("/DatabaseAdministrator", "/DataScientist", "/NetworkAdministrator", "/SystemAdministrator")


def is_whole_service(arn: str) -> bool:
    """Whether a managed policy of AWS gives all of a service, as its name says (``AmazonS3FullAccess``)."""
    return arn.split(":")[4:5] == ["aws"] and arn.endswith(("FullAccess", "FullAccessV2", "FullAccess_v2", *_JOBS))


#: Condition keys that bind a statement to an account, an organisation, a principal or a source, whoever ``*`` may be.
WHO: Final = frozenset(
    {
        "aws:principalarn",
        "aws:principalaccount",
        "aws:principalorgid",
        "aws:principalorgpaths",
        "aws:sourceaccount",
        "aws:sourcearn",
        "aws:sourceorgid",
        "aws:userid",
    }
)


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
        """Whether it speaks about every resource: ``*``, an ARN whose resource part is only ``*``, or one cut short.

        In an ARN of fewer than six fields a ``*`` stands for the fields that are missing (``arn:aws:*``).
        """
        return any_of(self.resources, covers_everything)

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

    @property
    def for_everybody(self) -> State:
        """Whether it speaks to everybody: principal ``*`` (also as AWS), or everybody but those in NotPrincipal."""
        if self.not_principals:
            return True
        # A Service or Federated principal has no form that means everybody; an unknown one of those is no doubt.
        accounts = (who for kind, who in self.principals if kind in ("AWS", "*") or isinstance(kind, Unknown))
        return any_of(accounts, lambda who: "*" in who)

    def bound_by(self, keys: Collection[str]) -> State:
        """Whether a condition on one of these keys (lower-cased) binds it: all must hold, so one is enough."""
        states = (
            both(UNKNOWN if isinstance(condition[1], Unknown) else condition[1].lower() in keys, binds(condition))
            for condition in self.conditions
        )
        return any_of(states, bool)


def covers_everything(arn: str) -> bool:
    """Whether a resource pattern names nothing of its own: everything, or everything of one service or account."""
    short = arn.startswith(("arn:", "*")) and "*" in arn and ":" in arn and arn.count(":") < 5
    return short or _EVERYTHING.fullmatch(arn) is not None


def fits(text: str, pattern: str) -> bool:
    """Whether a pattern of IAM, which knows ``*`` and ``?`` only, covers ``text``."""
    return fnmatchcase(text, pattern.replace("[", "[[]"))


#: Actions that give rights to somebody, or let one act as somebody else (IAM user guide on policies and boundaries;
#: SSM, EKS, Lambda and KMS in the service authorization reference; 2026-11-30).
_ESCALATING: Final = (
    "eks:AssociateAccessPolicy", "eks:CreateAccessEntry", "eks:UpdateAccessEntry",
    "iam:AddUserToGroup", "iam:AttachGroupPolicy", "iam:AttachRolePolicy", "iam:AttachUserPolicy",
    "iam:CreateAccessKey", "iam:CreateLoginProfile", "iam:CreatePolicyVersion",
    "iam:DeleteRolePermissionsBoundary", "iam:DeleteUserPermissionsBoundary",
    "iam:PutGroupPolicy", "iam:PutRolePermissionsBoundary", "iam:PutRolePolicy", "iam:PutUserPermissionsBoundary",
    "iam:PutUserPolicy", "iam:SetDefaultPolicyVersion", "iam:UpdateAssumeRolePolicy", "iam:UpdateLoginProfile",
    "kms:CreateGrant", "kms:PutKeyPolicy", "lambda:UpdateFunctionCode", "s3:PutBucketPolicy",
    "ssm:SendCommand", "ssm:StartSession",
)  # fmt: skip


def gives_rights(statement: Statement) -> bool:
    """Whether it lets its holder give rights, or act as somebody else, on whatever resource."""
    return statement.effect != "Deny" and any(statement.grants(action) is True for action in _ESCALATING)


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
    """Statements of a parsed policy. Raises ``OpaqueError`` when it is not one, ``UndecidableError`` when unknown.

    A statement that says not whether it allows, or not what, comes as an ``OpaqueError`` after all others: which of
    its words a service reads is not to be guessed.
    """
    if policy is None:
        return
    if not isinstance(policy, dict) or isinstance(policy.get("Statement"), Unknown):
        raise OpaqueError(path, "is not an IAM policy")
    if "Statement" not in policy:
        raise OpaqueError(path, "is a policy without a Statement")
    entries = policy["Statement"]
    opaque = Doubts()
    for index, entry in enumerate(entries if isinstance(entries, list) else [entries] if entries else []):
        here = f"{path}.Statement[{index}]"
        if fault := _fault(entry):
            opaque.add(here, fault)
            continue
        effect = entry["Effect"]
        yield Statement(
            path=here,
            effect=effect if isinstance(effect, (str, Unknown)) else UNKNOWN,
            actions=texts(entry.get("Action")),
            not_actions=texts(entry.get("NotAction")),
            resources=texts(entry.get("Resource")),
            not_resources=texts(entry.get("NotResource")),
            principals=_principals(entry.get("Principal")),
            not_principals=_principals(entry.get("NotPrincipal")),
            conditions=tuple(_conditions(entry.get("Condition"))),
        )
    opaque.settle()


def policy_in(value: Value, path: str = "") -> Iterator[Statement]:
    """Statements of the policy in a string value; raises like ``statements_of``, and when it is no JSON.

    ``path`` is the one that they get where it is not the value's own. A plan is read by many rules and at three
    moments, and most of its policies stay as they are: each text is parsed once.
    """
    text = value.raw()
    if not isinstance(text, str) or (value.is_unknown and not value.placeholders):
        yield from statements_of(json_of(value), path or value.path)
        return
    found, error = _parsed(text, path or value.path, value.placeholders)
    yield from found
    if error is not None:
        raise error.with_traceback(None)


@lru_cache(maxsize=1 << 16)
def _parsed(
    text: str, path: str, placeholders: frozenset[str]
) -> tuple[tuple[Statement, ...], UndecidableError | None]:
    found: list[Statement] = []
    try:
        found.extend(statements_of(json_of(Value(text, path=path, placeholders=placeholders)), path))
    except UndecidableError as error:
        return tuple(found), error
    return tuple(found), None


def _fault(entry: Any) -> str:
    """Why a statement cannot be read, or nothing."""
    if not isinstance(entry, dict):
        return "is not a statement"
    effect = entry.get("Effect")
    if effect is None or (isinstance(effect, str) and effect not in ("Allow", "Deny")):
        return "is a statement whose Effect is neither Allow nor Deny"
    if entry.get("Action") is None and entry.get("NotAction") is None:
        return "is a statement with neither Action nor NotAction"
    return ""


def texts(value: Any) -> tuple[Text, ...]:
    """A string or a list of strings; whatever is neither, nor put together from fixed text, is ``UNKNOWN``."""
    if value is None:
        return ()
    return tuple(
        item if isinstance(item, str) else _partly_known(item)
        for item in (value if isinstance(value, list) else [value])
        if item is not None
    )


def _partly_known(item: Any) -> Text:
    """``Fn::Sub`` and ``Fn::Join`` of pseudo parameters and attributes of other resources, with ``x`` for each.

    The fixed text is enough for wildcards, and for the name at the end of an ARN.
    """
    ((key, argument),) = item.items() if isinstance(item, dict) and len(item) == 1 else (("", None),)
    if key == "Fn::Sub":
        text = argument[0] if isinstance(argument, list) and argument else argument
        return _VARIABLE.sub("x", text) if isinstance(text, str) else UNKNOWN
    if key == "Fn::Join" and isinstance(argument, list) and len(argument) == 2 and isinstance(argument[0], str):
        parts = argument[1] if isinstance(argument[1], list) else [UNKNOWN]
        if any(isinstance(part, Unknown) for part in parts):
            return UNKNOWN
        return argument[0].join(part if isinstance(part, str) else "x" for part in parts)
    return UNKNOWN


def _principals(value: Any) -> tuple[tuple[Text, Text], ...]:
    if value is None:
        return ()
    if isinstance(value, dict):
        return tuple((str(kind), who) for kind, ids in value.items() for who in texts(ids))
    return tuple(("*", who) for who in texts(value))


def _conditions(value: Any) -> Iterator[Condition]:
    if isinstance(value, Unknown):
        yield UNKNOWN, UNKNOWN, ()
    for operator, tests in value.items() if isinstance(value, dict) else ():
        for key, wanted in tests.items() if isinstance(tests, dict) else ():
            yield str(operator), str(key), texts(wanted)


def document_statements(after: Value) -> Iterator[Statement]:
    """Statements of an ``aws_iam_policy_document`` that is read during apply: what can be known of it is known."""
    opaque = Doubts()
    for block in after.get("statement").elements():
        if not block.get("actions").present and not block.get("not_actions").present:
            opaque.add(block.path, "is a statement with neither actions nor not_actions")
            continue
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
    opaque.settle()


def _known_texts(value: Value) -> tuple[Text, ...]:
    tree = value.tree()
    return (UNKNOWN,) if isinstance(tree, Unknown) else texts(tree)


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
    if change.type == STACK:
        yield from _template_statements(change, doubts, "Policies", "PolicyDocument")
    elif change.mode == "data":
        yield from (s for s in _document(change, doubts) if not s.principals and not s.not_principals)
    else:
        for name in IDENTITY.get(change.type, ()):
            yield from _from_string(doubts, after.get(name))
        if change.type == "aws_iam_role":
            if may_hide_inline_policies(change, context):
                doubts.add("inline_policy", "may come from a dynamic block, which the plan does not show")
            for value in inline_policies(change):
                yield from _from_string(doubts, value)


def inline_policies(change: Change) -> Iterator[Value]:
    """The inline policies of a role that the plan shows."""
    inline = change.after.get("inline_policy")
    raw = inline.raw()
    for index in range(len(raw) if isinstance(raw, list) and not inline.is_unknown else 0):
        yield inline.at(index, "policy")


def may_hide_inline_policies(change: Change, context: Context) -> bool:
    """Whether a role may get inline policies that the plan does not show.

    Plan JSON has no ``dynamic`` block. One over a list that is not known leaves a new role looking like a role without
    any, and an existing one with what it had. What gives it away is that the plan depends on a value of this module
    which no expression names. A block that is written out is in the plan.
    """
    inline, written = change.after.get("inline_policy"), context.configuration.writes(change, "inline_policy")
    if inline.has_unknown and not inline.raw() and (written or not inline.is_unknown):
        return True
    return not written and module_path(change.module_address) in context.modules_with_unseen_blocks


def trust_statements(change: Change, doubts: Doubts) -> Iterator[Statement]:
    """Every statement of the trust policies of a change: statements with a principal that speak of assuming a role."""
    if change.type == STACK:
        yield from _template_statements(change, doubts, "AssumeRolePolicyDocument")
    elif change.mode == "data":
        for statement in _document(change, doubts):
            assumes = any_of(
                statement.actions,
                lambda action: fits("sts:assumerole", action.lower()) or action.lower().startswith("sts:"),
            )
            if statement.principals and assumes is not False:
                yield statement
    else:
        yield from _from_string(doubts, change.after.get("assume_role_policy"))


def _from_string(doubts: Doubts, value: Value) -> Iterator[Statement]:
    """Statements of a policy string; a string that is not known is a doubt, whatever it refers to.

    A plan shows what an expression refers to and not the expression: ``data.aws_iam_policy_document.x.json`` and
    ``jsonencode(merge(jsondecode(data.aws_iam_policy_document.x.json), {...}))`` read the same (measured with Terraform
    1.11.4). So the document of the same plan is judged by itself, and the policy that refers to it is undecidable.
    hawser's own stacks stay quiet, since no policy of theirs is unknown; other code does when it builds ARNs from
    names.
    """
    with doubts:
        yield from policy_in(value)


def _document(change: Change, doubts: Doubts) -> Iterator[Statement]:
    with doubts:
        yield from document_statements(change.after)
    for name in ("source_policy_documents", "override_policy_documents", "source_json", "override_json"):
        value = change.after.get(name)
        if value.is_null:
            continue
        with doubts:
            for item in value.elements() if isinstance(value.raw(), list) or value.is_unknown else (value,):
                with doubts:
                    yield from policy_in(item)


def _template_statements(change: Change, doubts: Doubts, *properties: str) -> Iterator[Statement]:
    for made in made_by(change):
        for key in properties:
            if holds(made, key):
                with doubts:
                    yield from policy_in_template(made.properties.get(key), made.path(key))


def policy_in_template(node: Any, path: str) -> Iterator[Statement]:
    """Statements of a property that holds a policy or a list of named ones; raises like ``statements_of``."""
    if isinstance(node, Unknown):
        raise UndecidableError(path)
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
