"""The record: what binds a decision to exactly these bytes, in this place, on this state.

``Compared`` is everything that must still be the same when a plan is applied. What is only of interest to a reader
(commit, version) stands beside it and is never compared: a merge changes the commit. The digest over the whole record
names the bundle.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hawser.policy.findings import Finding
from hawser.terraform.plan import Action, Plan
from hawser.terraform.values import Value

SCHEMA: Final = "hawser.record/1"

#: The lineage and serial of a stack that has no state yet: a value like any other.
NO_STATE: Final = "no state yet"

_NAMES: Final[Mapping[str, str]] = {
    "plan_sha256": "the saved plan file",
    "tfvars_sha256": "the generated tfvars (contract or environment)",
    "upstream_sha256": "the values consumed from platform",
    "sources_sha256": "the Terraform sources of the stack or its modules",
    "policy_sha256": "the policy set",
    "waivers_sha256": "the waivers",
    "lock_sha256": "the provider lock file",
    "environment": "the environment",
    "account_id": "the account",
    "region": "the region",
    "stack": "the stack",
    "backend_sha256": "the state backend",
    "lineage": "the lineage of the state",
    "serial": "the serial of the state (somebody else has applied)",
    "terraform_version": "the Terraform version",
    "decision": "the gate's decision",
    "destroy": "whether it destroys",
    "world": "the emulator (it was restarted, which is an empty world)",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """What a bundle was made from. Every field is compared before an apply; digests are SHA-256 in hex.

    ``world`` identifies the emulator's world, ``""`` against AWS; ``lineage`` and ``serial`` identify the state.
    """

    plan_sha256: str
    tfvars_sha256: str
    upstream_sha256: str
    sources_sha256: str
    policy_sha256: str
    waivers_sha256: str
    lock_sha256: str
    environment: str
    account_id: str
    region: str
    stack: str
    backend_sha256: str
    lineage: str
    serial: str
    terraform_version: str
    decision: str
    destroy: str
    world: str


@dataclass(frozen=True, slots=True)
class Record:
    """A bundle's record. Times are RFC 3339 in UTC. ``emulated`` marks ``--emulate`` of an environment on AWS.

    ``planner`` is who planned: an ARN of STS where approvals are ``signed``, else a name that git was given, and then
    they are ``unsigned``.
    ``broken_by`` is whose broken glass it was judged with, and ``broken_glass`` says for what; ``""`` without.
    """

    compared: Compared
    made: str
    good_until: str
    approvals_needed: int
    approvals: str
    planner: str
    emulated: bool
    broken_by: str
    broken_glass: str
    fingerprint: str
    findings_sha256: str
    commit: str
    hawser_version: str

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of all of it, times and flags included: the name of the bundle."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode())

    def to_json(self) -> bytes:
        """Deterministic bytes of the record."""
        document = {"schema": SCHEMA, "bundle": self.digest, **asdict(self)}
        return (json.dumps(document, indent=2, sort_keys=True) + "\n").encode()


def read_record(data: bytes) -> Record:
    """The record in ``data``. Raises ``ValueError`` with one sentence when it is not one, or was altered."""
    try:
        document = json.loads(data)
    except ValueError:
        raise ValueError("the record is not JSON") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f"the record is not a {SCHEMA}")
    try:
        compared = Compared(**{f.name: _text(document["compared"][f.name]) for f in fields(Compared)})
        record = Record(
            compared=compared,
            made=_text(document["made"]),
            good_until=_text(document["good_until"]),
            approvals_needed=_number(document["approvals_needed"]),
            approvals=_text(document["approvals"]),
            planner=_text(document["planner"]),
            emulated=document["emulated"] is True,
            broken_by=_text(document["broken_by"]),
            broken_glass=_text(document["broken_glass"]),
            fingerprint=_text(document["fingerprint"]),
            findings_sha256=_text(document["findings_sha256"]),
            commit=_text(document["commit"]),
            hawser_version=_text(document["hawser_version"]),
        )
        parse_time(record.made)
        parse_time(record.good_until)
    except (KeyError, TypeError, ValueError):
        raise ValueError("the record lacks a field, or one has the wrong type") from None
    if document.get("bundle") != record.digest:
        raise ValueError("the record was altered: its digest does not match its content")
    return record


def differences(then: Compared, now: Compared) -> tuple[str, ...]:
    """What differs between the plan that was reviewed and now, in words a person knows."""
    return tuple(_NAMES[f.name] for f in fields(Compared) if getattr(then, f.name) != getattr(now, f.name))


def expired(record: Record, now: datetime) -> bool:
    """Whether the record is older than its environment allows."""
    return now >= parse_time(record.good_until)


def good_until(made: datetime, hours: int) -> str:
    """When a bundle made at ``made`` stops being good, RFC 3339 UTC."""
    return stamp(made + timedelta(hours=hours))


def stamp(moment: datetime) -> str:
    """RFC 3339 in UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def sha256(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def findings_digest(findings: Iterable[Finding]) -> str:
    """SHA-256 (hex) over the findings, in their listed order."""
    return sha256(
        json.dumps([[f.rule_id, f.verdict, f.level, f.address, f.path, f.message] for f in findings]).encode()
    )


def change_lines(plan: Plan, key: bytes) -> list[list[str]]:
    """A line per thing that changes, sorted: address, actions, and what else makes it this change; no timestamps.

    Values enter only as a keyed hash (``key`` is secret per environment), so that a line tells nothing about them.
    """
    lines = []
    for change in plan.changes:
        if not change.changes and not change.previous_address and not change.importing:
            continue
        lines.append(
            [
                change.address, "+".join(change.actions), change.previous_address or "", change.deposed or "",
                str(change.importing), *(_hashed(value, key) for value in (change.before, change.after)),
            ]
        )  # fmt: skip
    lines += [
        [f"output.{output.name}", output.action.value, _hashed(output.before, key), _hashed(output.after, key)]
        for output in plan.outputs
        if output.action is not Action.NO_OP
    ]
    return sorted(lines)


def fingerprint(lines: list[list[str]]) -> str:
    """The semantic fingerprint: equal for two plans that would do the same, whenever and wherever they were made."""
    return sha256(json.dumps(lines).encode())


def _hashed(value: Value, key: bytes) -> str:
    plain = json.dumps(value.tree(), sort_keys=True, default=repr).encode()
    return hashlib.blake2b(plain, key=key[:64], digest_size=32).hexdigest()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def parse_time(text: str) -> datetime:
    """A time as ``stamp`` writes it. Raises ``ValueError`` for any other text."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
