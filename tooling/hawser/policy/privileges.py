"""Who can do more after the apply, who can do less, and of whom nobody can say: statement by statement.

Roles are compared as wholes, so that a statement that moves from one policy of a role to another is no change; resource
policies by the resource that they stand at. What holds already is not repeated. Drift is compared the same way: what
the state recorded against what stands now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from hawser.policy.accounts import named_accounts, principal_account
from hawser.policy.iam import (
    IDENTITY,
    Condition,
    Statement,
    covers_everything,
    gives_rights,
    holds,
    identity_statements,
    is_administrator,
    is_whole_service,
    policy_in,
    policy_in_template,
)
from hawser.policy.registry import Context
from hawser.policy.resource_policies import IN_TEMPLATE, POLICIES, is_open, resource_statements
from hawser.policy.rights import Cause, rights_of, word
from hawser.policy.roles import Held, Said, held
from hawser.policy.statement_diff import Gain, gains
from hawser.policy.statement_words import conditions_in_words, what, who
from hawser.policy.templates import STACK, made_by, resources
from hawser.policy.unknown import Doubts, places_of
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, UndecidableError, Unknown, Value


class Direction(StrEnum):
    """Which way rights go."""

    MORE = "more"
    UNKNOWN = "unknown"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class Privilege:
    """One difference. ``holder`` is who can do more or less: a role by name, or the resource whose policy it is.

    ``address`` and ``path`` lead to what says so. ``what`` completes "who: …". ``alarms`` name what makes it dangerous,
    the worst first. ``at_resource`` says that the holder is a resource and the policy its own. ``new`` says that the
    holder is made (or ends) with this plan. ``drift`` says that it happened outside of Terraform already. ``accounts``
    are those of the principals that it is about.
    """

    direction: Direction
    cause: Cause
    holder: str
    address: str
    path: str
    what: str
    alarms: tuple[str, ...] = ()
    at_resource: bool = False
    new: bool = False
    drift: bool = False
    accounts: tuple[str, ...] = ()

    def sort_key(self) -> tuple[object, ...]:
        """Worst first: more, unknown, less; by what is dangerous in it; holders that stay before new ones."""
        danger = max((_ALARMS.get(alarm, 0) for alarm in self.alarms), default=0)
        danger = danger if self.new else max(danger, _CAUSES.get(self.cause, 0))
        order = list(Direction).index(self.direction)
        return (order, -danger, self.new, self.holder, self.address, self.path, self.what)


#: What is said of rights of an account that the plan is not for.
ANOTHER_ACCOUNT: Final = "another account"
#: What is said of rights to give rights, or to act as somebody else.
RIGHTS_OVER_RIGHTS: Final = "rights over rights"

#: How dangerous, for ordering only.
_ALARMS: Final[Mapping[str, int]] = {
    "everybody": 100,
    "every action": 95,
    "administrator": 95,
    "every action but a list": 90,
    "everybody but a list": 90,
    "iam:PassRole": 70,
    "a whole service": 60,
    ANOTHER_ACCOUNT: 55,
    "every resource but a list": 50,
    RIGHTS_OVER_RIGHTS: 45,
    "every resource": 30,
    "wildcard in actions": 20,
    "wildcard in resources": 10,
}
_CAUSES: Final[Mapping[Cause, int]] = {
    Cause.BOUNDARY: 80,
    Cause.DENY: 75,
    Cause.CONDITION: 65,
    Cause.TRUST: 65,
    Cause.ACCESS: 40,
    Cause.ATTACHMENT: 40,
}

#: From here on a right is dangerous whoever gets it: all of a service, every action, everybody.
_DANGEROUS: Final = 50


def is_dangerous(one: Privilege) -> bool:
    """Whether a right is to be seen even where everything is new.

    That a new resource gives its account all of its own service is how key policies begin (``kms:*`` for the root).
    """
    usual = ("a whole service",) if one.at_resource else ()
    return any(_ALARMS.get(alarm, 0) >= _DANGEROUS for alarm in one.alarms if alarm not in usual)


TYPES: Final = (
    *IDENTITY,
    *POLICIES,
    "aws_ecr_repository",
    "aws_efs_file_system",
    "aws_eks_access_entry",
    "aws_eks_access_policy_association",
    "aws_eks_pod_identity_association",
    "aws_iam_access_key",
    "aws_iam_group_membership",
    "aws_iam_group_policy_attachment",
    "aws_iam_group_policy_attachments_exclusive",
    "aws_iam_policy_attachment",
    "aws_iam_policy_document",
    "aws_iam_role_policy_attachment",
    "aws_iam_role_policy_attachments_exclusive",
    "aws_iam_user",
    "aws_iam_user_group_membership",
    "aws_iam_user_policy_attachment",
    "aws_iam_user_policy_attachments_exclusive",
    "aws_kms_grant",
    "aws_lambda_permission",
    "aws_organizations_policy",
    STACK,
)


def privileges(context: Context) -> tuple[Privilege, ...]:
    """Every difference in rights that the plan makes, and that drift made, worst first."""
    found: list[Privilege] = []
    sides = context.sides
    if any(change.changes for change in context.plan.of_type(*TYPES)):
        found += _differences(sides.standing, sides.planned, drift=False)
    for address, name in sides.hidden(TYPES):
        found.append(Privilege(Direction.UNKNOWN, Cause.UNSEEN, address, address, name, f"{name} is sensitive"))
    if sides.has_drift:
        found += _differences(sides.recorded, sides.refreshed, drift=True)
    found = [_told_of_others(one, context.accounts) for one in found]
    return tuple(sorted(dict.fromkeys(found), key=Privilege.sort_key))


def _told_of_others(one: Privilege, own: frozenset[str]) -> Privilege:
    if one.direction is Direction.LESS or not own or not set(one.accounts) - own:
        return one
    return replace(one, alarms=tuple(sorted((*one.alarms, ANOTHER_ACCOUNT), key=lambda name: -_ALARMS[name])))


# -- what somebody holds -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Holder:
    """What is known of one holder at one moment.

    ``own`` says that the plan holds the object itself (not only what is attached to it), so that it is new when it was
    not there before. ``unseen`` are sentences about what cannot be read.
    """

    name: str
    own: bool = False
    at_resource: bool = False
    trust: list[Said] = field(default_factory=list)
    policies: list[Said] = field(default_factory=list)
    facts: dict[str, tuple[Cause, str, tuple[str, ...]]] = field(default_factory=dict)
    boundary: tuple[str, str] = ("", "")
    unseen: list[str] = field(default_factory=list)

    def add(self, cause: Cause, what: str, address: str, alarms: tuple[str, ...] = ()) -> None:
        self.facts.setdefault(what, (cause, address, alarms))


class _Moment:
    """Every holder at one moment, by a key that is the same before and after."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.holders: dict[str, _Holder] = {}
        self.objects = {_target(change) for type_ in _OWN for change in context.plan.of_type(type_)}
        roles, self.read = held(context)
        for role in roles:
            self._role(role)
        for change in context.plan.changes:
            if change.mode == "managed":
                self._other(change)

    def get(self, key: str, name: str = "") -> _Holder:
        return self.holders.setdefault(key, _Holder(name or key))

    def _role(self, role: Held) -> None:
        holder = self.get(f"role {role.key}", f"role {role.name}")
        holder.trust += role.trust
        holder.policies += role.policies
        holder.unseen += role.unseen
        holder.own = role.in_plan
        holder.boundary = (role.boundary, role.key)
        for arn, address in role.managed:
            holder.add(Cause.ATTACHMENT, f"has the policy {arn}", address, _administrator(arn))
        for pods, address in role.pods:
            holder.add(Cause.TRUST, f"may be taken by {pods}", address)

    def _other(self, change: Change) -> None:
        if change.type == STACK:
            self._stack(change)
        elif change.type in IDENTITY and change.type != "aws_iam_role":
            holder = self.get(change.address)
            holder.own = True
            self._gather(holder, change, identity_statements)
        elif change.type in POLICIES and change.after.get(POLICIES[change.type]).present:
            key = _target(change)
            holder = self.get(key)
            holder.at_resource, holder.own = True, key in self.objects or key == change.address
            self._gather(holder, change, resource_statements)
        elif change.type == _ORGANIZATION:
            holder = self.get(change.address)
            holder.own = True
            self._gather(holder, change, _content)
        if change.type == "aws_iam_user":
            name = f"user {word(change.after.get('name'))}"
            self.get(name).boundary = (word(change.after.get("permissions_boundary")), change.address)
        for name, cause, said in rights_of(change):
            self.get(name).add(cause, said, change.address, _administrator(said))

    def _gather(
        self, holder: _Holder, change: Change, read: Callable[[Change, Context, Doubts], Iterator[Statement]]
    ) -> None:
        doubts = Doubts()
        holder.policies += [(change.address, one) for one in read(change, self.context, doubts)]
        holder.unseen += _unseen(change, doubts)

    def _stack(self, change: Change) -> None:
        """Policies of a template that are not a role's; a template that cannot be read is a doubt about each."""
        for made in made_by(change):
            name = IN_TEMPLATE.get(made.type) or next(
                (
                    key
                    for key in ("Policies", "PolicyDocument")
                    if made.type in _OTHERS_IN_TEMPLATE and holds(made, key)
                ),
                "",
            )
            if not name:
                continue
            holder = self.get(f"{change.address}: {made.name}")
            holder.at_resource, holder.own = made.type in IN_TEMPLATE, True
            doubts = Doubts()
            with doubts:
                for one in policy_in_template(made.properties.get(name), made.path(name)):
                    holder.policies.append((change.address, one))
            holder.unseen += _unseen(change, doubts)

    def unread_stacks(self) -> frozenset[str]:
        """Addresses of stacks whose template cannot be read, whole or in part."""
        found = set()
        for change in self.context.plan.of_type(STACK):
            try:
                for _ in resources(change, "after"):
                    pass
            except UndecidableError:
                found.add(change.address)
        return frozenset(found)


_OTHERS_IN_TEMPLATE: Final = ("AWS::IAM::User", "AWS::IAM::Group", "AWS::IAM::UserPolicy", "AWS::IAM::GroupPolicy")


#: Service control policies: they allow nothing by themselves, and what they deny holds for whole accounts.
_ORGANIZATION: Final = "aws_organizations_policy"


def _content(change: Change, _: Context, doubts: Doubts) -> Iterator[Statement]:
    with doubts:
        yield from policy_in(change.after.get("content"))


def _unseen(change: Change, doubts: Doubts) -> list[str]:
    try:
        doubts.settle()
    except UndecidableError as error:
        return [
            f"{change.address}.{path}: {reason or 'known only after apply'}" for _, path, reason in places_of(error)
        ]
    return []


def _administrator(said: str) -> tuple[str, ...]:
    name = said.split(" on ", maxsplit=1)[0].split(" in the cluster ", maxsplit=1)[0]
    if is_administrator(name):
        return ("administrator",)
    return ("a whole service",) if is_whole_service(name.rsplit(" ", 1)[-1]) else ()


#: Type -> attribute that names the resource at which a policy of its own stands, and the type of that resource.
_AT: Final[Mapping[str, tuple[str, str, str]]] = {
    "aws_ecr_repository_policy": ("repository", "aws_ecr_repository", "name"),
    "aws_efs_file_system_policy": ("file_system_id", "aws_efs_file_system", "id"),
    "aws_kms_key_policy": ("key_id", "aws_kms_key", "key_id"),
    "aws_s3_bucket_policy": ("bucket", "aws_s3_bucket", "bucket"),
    "aws_secretsmanager_secret_policy": ("secret_arn", "aws_secretsmanager_secret", "arn"),
    "aws_sns_topic_policy": ("arn", "aws_sns_topic", "arn"),
    "aws_sqs_queue_policy": ("queue_url", "aws_sqs_queue", "url"),
}
_OWN: Final = {type_: attribute for _, type_, attribute in _AT.values()}


def _target(change: Change) -> str:
    """The resource that a policy is of, by its id where that is known: a bucket and its policy are one holder."""
    type_, attribute = (
        (_AT[change.type][1], _AT[change.type][0]) if change.type in _AT else (change.type, _OWN.get(change.type, ""))
    )
    value = change.after.get(attribute) if attribute else Value(None)
    raw = value.raw()
    return f"{type_} {raw}" if isinstance(raw, str) and raw and not value.is_unknown else change.address


# -- differences -------------------------------------------------------------------------------------------------------


def _differences(before: Context, after: Context, *, drift: bool) -> Iterator[Privilege]:
    old, new = _Moment(before), _Moment(after)
    joined = old.read | new.read
    hidden = new.unread_stacks()
    for key in sorted(old.holders.keys() | new.holders.keys()):
        if key in joined:
            continue  # a policy that a role has is told of the role
        had, has = old.holders.get(key), new.holders.get(key)
        if has is None and had is not None and key.removeprefix("role ").split(": ")[0] in hidden:
            has = _Holder(had.name, had.at_resource, unseen=[f"{key}: its template cannot be read"])
        yield from _Comparison(key, old, new, has, drift).all()


class _Comparison:
    """One holder before and after; either may not be there."""

    def __init__(self, key: str, old: _Moment, new: _Moment, has: _Holder | None, drift: bool) -> None:
        had = old.holders.get(key)
        self.name = has.name if has else had.name if had else ""
        self.ends = has is None and had is not None and had.own and key not in new.objects
        self.new = self.ends or (had is None and has is not None and has.own and key not in old.objects)
        self.had, self.has = had or _Holder(self.name), has or _Holder(self.name)
        self.at_resource = self.had.at_resource or self.has.at_resource
        self.drift = drift
        self.doubtful = bool(self.has.unseen)

    def all(self) -> Iterator[Privilege]:
        yield from self._statements(self.had.policies, self.has.policies, trust=False)
        yield from self._statements(self.had.trust, self.has.trust, trust=True)
        yield from self._facts()
        yield from self._boundary()
        for place in self.has.unseen:
            if place not in self.had.unseen:
                yield self._entry(Direction.UNKNOWN, Cause.UNSEEN, "", "", place)

    def _entry(
        self,
        direction: Direction,
        cause: Cause,
        address: str,
        path: str,
        what: str,
        alarms: tuple[str, ...] = (),
        accounts: Iterable[str] = (),
    ) -> Privilege:
        holder = principal_account(self.name.removeprefix("principal "))
        return Privilege(
            direction,
            cause,
            self.name,
            address,
            path,
            what,
            alarms,
            self.at_resource,
            self.new,
            self.drift,
            tuple(dict.fromkeys((*accounts, *((holder,) if holder else ())))),
        )

    # -- statements -----------------------------------------------------------------------------------------------

    def _statements(self, old: Sequence[Said], new: Sequence[Said], *, trust: bool) -> Iterator[Privilege]:
        if old == new:
            return
        more = Direction.MORE
        for said, gain in _gained(old, new, deny=False):
            yield self._statement(more if gain.certain else Direction.UNKNOWN, said, gain, trust, deny=False)
        for said, gain in _gained(new, old, deny=False):
            lost = Direction.UNKNOWN if self.doubtful or not gain.certain else Direction.LESS
            yield self._statement(lost, said, gain, trust, deny=False, lost=True)
        if self.ends:
            return  # who is gone does nothing, so what it was denied is no loss
        for said, gain in _gained(new, old, deny=True):
            free = Direction.UNKNOWN if self.doubtful or not gain.certain else more
            yield self._statement(free, said, gain, trust, deny=True, lost=True)
        for said, gain in _gained(old, new, deny=True) if not self.new else ():
            yield self._statement(Direction.LESS if gain.certain else Direction.UNKNOWN, said, gain, trust, deny=True)

    def _statement(
        self, direction: Direction, address: str, gain: Gain, trust: bool, *, deny: bool, lost: bool = False
    ) -> Privilege:
        one = gain.statement
        perhaps = "perhaps " if direction is Direction.UNKNOWN else ""
        no_longer = "no longer " if lost else ""
        if trust:
            done = f"being taken by {who(one)}" if deny else f"be taken by {who(one)}"
            words = f"{no_longer}denies {done}" if deny else f"may {no_longer}{done}"
        elif self.at_resource:
            verb = "denies" if deny else "lets"
            words = f"{no_longer}{verb} {who(one, conditions=False)}: {what(one)}"
        else:
            words = f"is {no_longer}denied {what(one)}" if deny else f"may {no_longer}do {what(one)}"
        words = perhaps + words
        path = one.path.removeprefix(f"{address}.")
        cause = Cause.TRUST if trust else Cause.DENY if deny else Cause.ALLOW
        if gain.bound is not None and not self.new:
            cause = cause if trust or deny else Cause.CONDITION
            words += _but_for(gain.bound, now=lost)
        alarms = () if direction is Direction.LESS else _alarms(one, self.at_resource or trust)
        accounts = () if deny and not lost else named_accounts(one)
        return self._entry(direction, cause, address, path, words, alarms, accounts)

    # -- facts ----------------------------------------------------------------------------------------------------

    def _facts(self) -> Iterator[Privilege]:
        vague = {address for what, (_, address, _) in self.has.facts.items() if str(UNKNOWN) in what}
        lost = {what for what, (_, address, _) in self.had.facts.items() if what not in self.has.facts}
        doubted = {self.had.facts[what][1] for what in lost} & vague
        for said, (cause, address, alarms) in self.has.facts.items():
            if said not in self.had.facts:
                direction = Direction.UNKNOWN if address in doubted else Direction.MORE
                yield self._entry(direction, cause, address, "", said, alarms)
        for said in lost:
            cause, address, _ = self.had.facts[said]
            direction = Direction.UNKNOWN if address in doubted or self.doubtful else Direction.LESS
            yield self._entry(direction, cause, address, "", f"no longer {said}")

    def _boundary(self) -> Iterator[Privilege]:
        (before, _), (after, address) = self.had.boundary, self.has.boundary
        if before == after or self.new:
            return
        path = "permissions_boundary"
        if after == str(UNKNOWN):
            yield self._entry(
                Direction.UNKNOWN, Cause.BOUNDARY, address, path, f"boundary {before or '(none)'} -> {after}"
            )
        elif not after:
            yield self._entry(Direction.MORE, Cause.BOUNDARY, address, path, f"loses the boundary {before}")
        elif not before:
            yield self._entry(Direction.LESS, Cause.BOUNDARY, address, path, f"gets the boundary {after}")
        else:
            alarms = _administrator(after)
            direction = Direction.MORE if alarms else Direction.UNKNOWN
            yield self._entry(direction, Cause.BOUNDARY, address, path, f"boundary {before} -> {after}", alarms)


def _gained(old: Sequence[Said], new: Sequence[Said], *, deny: bool) -> Iterator[tuple[str, Gain]]:
    """What is allowed (or denied) in ``new`` and not in ``old``; an effect that is not known counts as either."""

    def of(said: Iterable[Said]) -> list[Said]:
        wanted = "Deny" if deny else "Allow"
        return [pair for pair in said if pair[1].effect == wanted or (not deny and isinstance(pair[1].effect, Unknown))]

    mine = of(new)
    addresses: dict[str, str] = {}
    for address, one in mine:
        addresses.setdefault(one.path, address)
    for gain in gains([one for _, one in of(old)], [one for _, one in mine]):
        yield addresses[gain.statement.path], gain


def _but_for(bound: tuple[Condition, ...], *, now: bool) -> str:
    words = conditions_in_words(bound)
    return f" ({'now' if now else 'before'} {'only if ' + words if words else 'without condition'})"


def _alarms(one: Statement, at_resource: bool) -> tuple[str, ...]:
    """What makes a statement dangerous, the worst first. A Deny that is lost is measured like what it denied."""
    known = [action for action in one.actions if isinstance(action, str)]
    arns = [] if at_resource else [arn for arn in one.resources if isinstance(arn, str)]
    everywhere = any(map(covers_everything, arns))
    whole = one.whole_service is True
    found = {
        "everybody": one.effect != "Deny" and bool(one.principals) and is_open(one) is True,
        "everybody but a list": bool(one.not_principals),
        "every action": any(set(action) <= set("*?") for action in known),
        "every action but a list": bool(one.not_actions),
        "iam:PassRole": one.grants("iam:PassRole") is True,
        RIGHTS_OVER_RIGHTS: not at_resource and gives_rights(one),
        "a whole service": whole and not any(set(action) <= set("*?") for action in known),
        "every resource but a list": bool(one.not_resources),
        "every resource": everywhere,
        "wildcard in actions": not whole and any("*" in action or "?" in action for action in known),
        "wildcard in resources": not everywhere and any("*" in arn or "?" in arn for arn in arns),
    }
    return tuple(sorted((name for name, holds_ in found.items() if holds_), key=lambda name: -_ALARMS[name]))
