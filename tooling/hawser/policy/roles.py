"""Every IAM role of a plan with what it may do after the apply: who takes it, which policies it has, what is not seen.

Policies are joined to roles by name, and by what the configuration refers to where names are known only after apply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from hawser.policy.documents import referred
from hawser.policy.iam import (
    POLICY_IN_TEMPLATE,
    ROLE_IN_TEMPLATE,
    Statement,
    document_statements,
    holds,
    inline_policies,
    may_hide_inline_policies,
    policy_in,
    policy_in_template,
    texts,
)
from hawser.policy.registry import Context
from hawser.policy.statement_words import what, who, width
from hawser.policy.templates import STACK, Made, made_by
from hawser.policy.unknown import places_of
from hawser.terraform.configuration import module_path
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, UndecidableError, Unknown, Value

#: Module path without indexes, and ``type.name``: what the configuration refers to.
_Target = tuple[str, str]

#: The action of a role that the plan does not hold, but attaches something to.
ELSEWHERE: Final = "not in this plan"

_EXCLUSIVE: Final = "aws_iam_role_policy_attachments_exclusive"
_ATTACHED: Final = ("aws_iam_role_policy_attachment", "aws_iam_policy_attachment", _EXCLUSIVE)


@dataclass(frozen=True, slots=True)
class Role:
    """One role in words. ``address`` is empty for a role that the plan only attaches something to.

    ``allowed`` and ``denied`` hold one sentence per statement, the widest first. ``managed`` are ARNs (or names, of
    policies of the same plan). ``unseen`` names what nobody can see.
    """

    address: str
    name: str
    action: str
    changed: bool
    trusted: tuple[str, ...]
    allowed: tuple[str, ...]
    denied: tuple[str, ...]
    managed: tuple[str, ...]
    boundary: str
    unseen: tuple[str, ...]


#: A statement and the address of the resource that says it.
Said = tuple[str, Statement]


@dataclass(frozen=True, slots=True)
class Held:
    """What a role holds, as statements. ``key`` is its address, or its name when it is not ``in_plan``.

    ``managed`` are the attached policies whose text the plan does not hold, each with the address of what attaches it;
    ``pods`` the same for pod identities. ``unseen`` names what nobody can see before the apply.
    """

    key: str
    name: str
    in_plan: bool
    trust: tuple[Said, ...]
    policies: tuple[Said, ...]
    managed: tuple[tuple[str, str], ...]
    pods: tuple[tuple[str, str], ...]
    boundary: str
    unseen: tuple[str, ...]


@dataclass(slots=True)
class _Draft:
    address: str
    name: str
    action: str
    changed: bool
    boundary: str = ""
    trust: list[Said] = field(default_factory=list)
    pods: list[tuple[str, str]] = field(default_factory=list)
    policies: list[Said] = field(default_factory=list)
    managed: list[str] = field(default_factory=list)
    elsewhere: list[tuple[str, str]] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def finished(self) -> Role:
        statements = sorted(
            (one for _, one in self.policies), key=lambda one: (*(-part for part in width(one)), what(one))
        )
        trust = [one for _, one in self.trust]
        return Role(
            address=self.address,
            name=self.name,
            action=self.action,
            changed=self.changed,
            trusted=_once(
                [*(who(one) for one in trust if one.effect != "Deny"), *sorted(pods for pods, _ in self.pods)]
            ),
            allowed=_once([what(one) for one in statements if one.effect != "Deny"]),
            denied=_once(
                [what(one) for one in statements if one.effect == "Deny"]
                + [f"being taken by {who(one)}" for one in trust if one.effect == "Deny"]
            ),
            managed=_once(sorted(self.managed)),
            boundary=self.boundary,
            unseen=_once(self.unseen),
        )

    def held(self) -> Held:
        return Held(
            key=self.address or self.name,
            name=self.name or self.address,
            in_plan=bool(self.address),
            trust=tuple(self.trust),
            policies=tuple(self.policies),
            managed=tuple(dict.fromkeys(self.elsewhere)),
            pods=tuple(self.pods),
            boundary=self.boundary,
            unseen=_once(self.unseen),
        )


def roles(context: Context) -> tuple[Role, ...]:
    """The roles of a plan, sorted by address; those that only get something attached last, by name."""
    return tuple(draft.finished() for draft in _Roles(context).all())


def held(context: Context) -> tuple[tuple[Held, ...], frozenset[str]]:
    """The roles as ``roles`` has them, with their statements; and the addresses of the policies that they have."""
    found = _Roles(context)
    return tuple(draft.held() for draft in found.all()), frozenset(found.read)


def _target(change: Change) -> _Target:
    prefix = "data." if change.mode == "data" else ""
    return module_path(change.module_address), f"{prefix}{change.type}.{change.name}"


def _once(items: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))


class _Roles:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.drafts: list[_Draft] = []
        self.by_name: dict[str, list[_Draft]] = {}
        self.by_target: dict[_Target, list[tuple[Change, _Draft]]] = {}
        self.elsewhere: dict[str, _Draft] = {}
        self.policies: dict[str | _Target, list[Change]] = {}
        self.documents: dict[_Target, list[Change]] = {}
        self.read: set[str] = set()
        for change in self._planned("aws_iam_policy"):
            self.policies.setdefault(_target(change), []).append(change)
            if isinstance(arn := change.after.get("arn").raw(), str):
                self.policies.setdefault(arn, []).append(change)
        for change in context.plan.of_type("aws_iam_policy_document"):
            self.documents.setdefault(_target(change), []).append(change)

    def all(self) -> list[_Draft]:
        for change in self._planned("aws_iam_role"):
            self._role(change)
        for change in self._planned(STACK):
            self._stack(change)
        for change in self._planned("aws_iam_role_policy"):
            for draft in self._of(change, "role"):
                self._read(draft, change, change.after.get("policy"), draft.policies, "policy")
        for change in self._planned(*_ATTACHED):
            self._attached(change)
        for change in self._planned("aws_eks_pod_identity_association"):
            self._pods(change)
        found = sorted(self.drafts, key=lambda draft: draft.address)
        return [*found, *(self.elsewhere[name] for name in sorted(self.elsewhere))]

    def _planned(self, *types: str) -> Iterator[Change]:
        return (one for one in self.context.plan.of_type(*types) if one.mode == "managed" and one.planned)

    # -- roles ----------------------------------------------------------------------------------------------------

    def _role(self, change: Change) -> None:
        after = change.after
        draft = _Draft(change.address, _word(after.get("name")), change.action.value, change.changes)
        self.drafts.append(draft)
        if not after.get("name").is_unknown:
            self.by_name.setdefault(draft.name, []).append(draft)
        self.by_target.setdefault(_target(change), []).append((change, draft))
        draft.boundary = _word(after.get("permissions_boundary"))
        self._read(draft, change, after.get("assume_role_policy"), draft.trust, "assume_role_policy")
        for index, value in enumerate(inline_policies(change)):
            self._read(draft, change, value, draft.policies, "inline_policy", index, "policy")
        if may_hide_inline_policies(change, self.context):
            draft.unseen.append("inline_policy: may come from a dynamic block, which the plan does not show")
        arns = after.get("managed_policy_arns")
        if not arns.is_unknown or self.context.configuration.writes(change, "managed_policy_arns"):
            self._arns(draft, change, arns, "managed_policy_arns")

    def _stack(self, change: Change) -> None:
        made = made_by(change)
        own: dict[str, _Draft] = {}
        managed = {one.name: one for one in made if one.type == POLICY_IN_TEMPLATE}
        for one in made:
            if one.type != ROLE_IN_TEMPLATE:
                continue
            name = next((str(text) for text in texts(one.properties.get("RoleName"))), one.name)
            draft = _Draft(f"{change.address}: {one.name}", name, change.action.value, change.changes)
            self.drafts.append(draft)
            own[one.name] = draft
            self.by_name.setdefault(name, []).append(draft)
            draft.boundary = next((str(text) for text in texts(one.properties.get("PermissionsBoundary"))), "")
            _template(draft, change, one, "AssumeRolePolicyDocument", draft.trust)
            _template(draft, change, one, "Policies", draft.policies)
            for item in _list(one.properties.get("ManagedPolicyArns")):
                mine = managed.get(str(item.get("Ref"))) if isinstance(item, dict) else None
                if mine is not None:
                    draft.managed.append(mine.name)
                    _template(draft, change, mine, "PolicyDocument", draft.policies)
                else:
                    arns = [str(text) for text in texts(item)]
                    draft.managed += arns
                    draft.elsewhere += [(arn, change.address) for arn in arns]
        for one in made:
            if holds(one, "PolicyDocument"):
                for draft in self._in_stack(one, own):
                    _template(draft, change, one, "PolicyDocument", draft.policies)

    def _in_stack(self, policy: Made, own: dict[str, _Draft]) -> Iterator[_Draft]:
        for item in [*_list(policy.properties.get("Roles")), *_list(policy.properties.get("RoleName"))]:
            names = [item] if isinstance(item, str) else list(referred(item))
            for name in names:
                yield from [own[name]] if name in own else self.by_name.get(name, ())

    # -- joining --------------------------------------------------------------------------------------------------

    def _of(self, change: Change, *keys: str) -> Iterator[_Draft]:
        """The roles that an argument names, by name (or ARN), else by what the configuration refers to."""
        value = change.after.at(*keys)
        listed = value.raw() if isinstance(value.raw(), list) else [value.raw()]
        names = [str(one) for one in listed if one and not value.is_unknown]
        found = [draft for name in names for draft in self.by_name.get(name.rsplit("/", 1)[-1], ())]
        if not found and value.has_unknown:
            found = self._referred(change, *keys) or [self._outside(str(UNKNOWN))]
        if not found:
            found = [self._outside(name) for name in names]
        for draft in found:
            draft.changed = draft.changed or change.changes
            yield draft

    def _outside(self, name: str) -> _Draft:
        return self.elsewhere.setdefault(name, _Draft("", name, ELSEWHERE, False))

    def _referred(self, change: Change, *keys: str) -> list[_Draft]:
        configuration = self.context.configuration
        targets = configuration.targets(change, *keys) or configuration.for_each_targets(change)
        same = [pair for target in sorted(targets) for pair in self.by_target.get(target, ())]
        # Instances of for_each look alike: those of the same module, then of the same key, are meant.
        same = [pair for pair in same if pair[0].module_address == change.module_address] or same
        same = [pair for pair in same if pair[0].index == change.index] or same
        return [draft for _, draft in same]

    def _attached(self, change: Change) -> None:
        role, policy = {
            _EXCLUSIVE: ("role_name", "policy_arns"),
            "aws_iam_policy_attachment": ("roles", "policy_arn"),
        }.get(change.type, ("role", "policy_arn"))
        for draft in self._of(change, role):
            self._arns(draft, change, change.after.get(policy), policy)

    def _arns(self, draft: _Draft, change: Change, value: Value, name: str) -> None:
        known = [value.raw()] if isinstance(value.raw(), str) else _list(value.raw())
        for arn in known if not value.is_unknown else ():
            draft.managed.append(str(arn))
            if str(arn) not in self.policies:
                draft.elsewhere.append((str(arn), change.address))
            for policy in self.policies.get(str(arn), ()):
                self._read(draft, policy, policy.after.get("policy"), draft.policies, "policy")
        if not value.has_unknown:
            return
        targets = sorted(self.context.configuration.targets(change, name))
        made = [one for target in targets for one in self.policies.get(target, ())]
        for policy in made:
            draft.managed.append(_word(policy.after.get("name")))
            self._read(draft, policy, policy.after.get("policy"), draft.policies, "policy")
        if not made:
            draft.unseen.append(f"{change.address}.{name}: known only after apply")

    def _pods(self, change: Change) -> None:
        after = change.after
        account = f"{_word(after.get('namespace'))}/{_word(after.get('service_account'))}"
        cluster = _word(after.get("cluster_name"))
        for draft in self._of(change, "role_arn"):
            draft.pods.append((f"pods of the service account {account} in the cluster {cluster}", change.address))

    # -- reading --------------------------------------------------------------------------------------------------

    def _read(self, draft: _Draft, change: Change, value: Value, into: list[Said], *keys: str | int) -> None:
        """A policy string; of one that is not known yet, the policy document that it refers to."""
        own = "" if change.address == draft.address else f"{change.address}."
        self.read.add(change.address)
        if value.is_sensitive:
            draft.unseen.append(f"{own}{value.path}: sensitive")
            return
        if not value.is_unknown:
            _gather(draft, change, into, policy_in(value, f"{own}{value.path}"))
            return
        targets = sorted(self.context.configuration.targets(change, *keys))
        documents = [one for target in targets for one in self.documents.get(target, ())]
        for one in documents:
            _gather(draft, one, into, document_statements(one.after))
        of = f" (from {', '.join(one.address for one in documents)}, and perhaps more)" if documents else ""
        draft.unseen.append(f"{own}{value.path}: known only after apply{of}")


def _gather(draft: _Draft, change: Change, into: list[Said], statements: Iterator[Statement]) -> None:
    try:
        into.extend((change.address, one) for one in statements)
    except UndecidableError as error:
        for _, path, reason in places_of(error):
            draft.unseen.append(f"{path}: {reason or 'known only after apply'}")


def _template(draft: _Draft, change: Change, made: Made, name: str, into: list[Said]) -> None:
    _gather(draft, change, into, policy_in_template(made.properties.get(name), made.path(name)))


def _list(node: Any) -> list[Any]:
    return node if isinstance(node, list) else [] if node is None or isinstance(node, Unknown) else [node]


def _word(value: Value) -> str:
    if value.is_sensitive:
        return "(sensitive)"
    try:
        tree = value.tree()
    except UndecidableError:
        return str(UNKNOWN)
    return "" if tree is None else str(tree)
