"""Approvals: who says yes to exactly which bundle, and which of them count.

A signed approval carries what was signed, the signature and the public key. It is verified offline: the key is the one
whose SHA-256 the settings name, so nothing is asked of AWS. Where the settings name no key, an approval is a name and
a time, which anybody on the machine could have written: it is called unsigned wherever it is shown.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final

from hawser.decision.break_glass import broke_it
from hawser.decision.people import person, session_person
from hawser.decision.record import Record, parse_time, sha256

#: Goes before the statement in what is signed, so that no signature for another purpose is one for this.
DOMAIN: Final = b"hawser.approval/1\0"
#: As AWS KMS calls it; the salt is as long as the digest (KMS developer guide, RSASSA-PSS, read 2026-12-01).
ALGORITHM: Final = "RSASSA_PSS_SHA_256"
#: How far the clock of an approver may be ahead of the one that applies.
_CLOCKS: Final = timedelta(minutes=5)
#: Longest approval: statement, key and signature of RSA 4096 make 2.5 KB.
LONGEST: Final = 16 * 1024
#: Longest name, time or digest in one: an ARN of STS has at most 2048 characters, those of people far fewer.
_LONGEST_WORD: Final = 512


@dataclass(frozen=True, slots=True)
class Approval:
    """One approval. Unsigned: ``by`` (a name), ``at`` and ``carried_from`` (a digest) alone.

    Signed: ``by`` and ``user_id`` are the ARN and the unique id of STS, ``at`` is RFC 3339 in UTC, ``bundle`` the
    digest of the record; ``key`` is the DER of the public key, ``signature`` that of ``statement``, both in base64.
    """

    by: str
    at: str
    carried_from: str = ""
    user_id: str = ""
    bundle: str = ""
    environment: str = ""
    stack: str = ""
    account_id: str = ""
    region: str = ""
    key: str = ""
    signature: str = ""

    @property
    def signed(self) -> bool:
        """Whether it carries a signature; whether that is any good, ``count`` says."""
        return bool(self.signature)

    def statement(self) -> bytes:
        """What is signed: the domain, then every field but key and signature as canonical JSON."""
        said = {name: value for name, value in asdict(self).items() if name not in ("key", "signature")}
        return DOMAIN + json.dumps(said, sort_keys=True, separators=(",", ":")).encode()

    def to_json(self) -> dict[str, str]:
        """What it says, without the fields that are empty."""
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True)
class Demand:
    """What approvals must be: signed with the key of this SHA-256 (hex), or unsigned (``""``)."""

    key: str
    planner_may_approve: bool

    @property
    def word(self) -> str:
        """How such approvals are called."""
        return "signed" if self.key else "unsigned"


@dataclass(frozen=True, slots=True)
class Count:
    """Different people whose approval counts, and one sentence for each approval that does not."""

    people: tuple[str, ...]
    refused: tuple[str, ...]


def read_approval(document: Any) -> Approval:
    """The approval in a parsed document. Raises ``ValueError`` with one sentence when it is not one."""
    names = {f.name for f in fields(Approval)}
    if not isinstance(document, Mapping) or not set(document) <= names or not {"by", "at"} <= set(document):
        raise ValueError("an approval lacks a field or has one too many")
    if not all(isinstance(value, str) and value for value in document.values()):
        raise ValueError("an approval has an empty field or one that is no text")
    said = [value for name, value in document.items() if name not in ("key", "signature")]
    if not all(value.isprintable() and len(value) <= _LONGEST_WORD for value in said):
        raise ValueError("an approval holds a text that is no name, time or digest")
    return Approval(**document)


def to_sign(record: Record, by: str, user_id: str, at: str) -> Approval:
    """The approval of exactly this record by a caller of STS, still without key and signature."""
    it = record.compared
    return Approval(by, at, "", user_id, record.digest, it.environment, it.stack, it.account_id, it.region)


def sealed(approval: Approval, key: bytes, signature: bytes) -> Approval:
    """``approval`` with its signature and the DER of the public key that verifies it."""
    return replace(approval, key=base64.b64encode(key).decode(), signature=base64.b64encode(signature).decode())


def count(record: Record, approvals: Iterable[Approval], demand: Demand, now: datetime) -> Count:
    """Which approvals of ``record`` count at ``now``. Asks nothing of AWS."""
    people: dict[str, str] = {}
    refused = []
    for approval in approvals:
        wrong = _wrong(record, approval, demand, now) if demand.key else ""
        if wrong := wrong or not_for(record, approval, demand):
            refused.append(f"the approval by {approval.by} {wrong}")
        else:
            people.setdefault(_who(approval, demand), approval.by)
    return Count(tuple(sorted(people.values())), tuple(refused))


def not_for(record: Record, approval: Approval, demand: Demand) -> str:
    """Why whoever gives ``approval`` may not approve this record, ``""`` when they may."""
    who = _who(approval, demand)
    if not who:
        return "names no person: it takes a role under a name of one's own, and the unique id of another does not fit"
    if broke_it(record.broken_by, approval.by):
        return "is by whoever broke the glass, and another person must approve"
    if demand.planner_may_approve:
        return ""
    planner = person(record.planner)
    if who == planner:
        return "is by whoever planned, and another person must approve here"
    # CI plans for nobody in particular, and cannot sign: the policy of the key denies it.
    ci = [f":assumed-role/hawser-{what}-{record.compared.region}/" for what in ("plan", "apply")]
    if not planner and not any(role in record.planner for role in ci):
        return f"does not count while nobody knows who planned ({record.planner} names no person)"
    return ""


def _who(approval: Approval, demand: Demand) -> str:
    return session_person(approval.by, approval.user_id) if demand.key else approval.by


def _wrong(record: Record, approval: Approval, demand: Demand, now: datetime) -> str:
    """What is wrong with a signed approval, ``""`` for nothing. First the signature: before it, nothing is believed."""
    if not approval.signed:
        return "is unsigned, and only signed ones count here"
    try:
        key, signature = (base64.b64decode(text, validate=True) for text in (approval.key, approval.signature))
    except binascii.Error:
        return "has a signature that is not base64"
    if sha256(key) != demand.key:
        return f"is signed with another key ({sha256(key)[:12]}) than the settings name ({demand.key[:12]})"
    if not verifies(key, signature, approval.statement()):
        return "was forged or edited: its signature is not one of what it says"
    then = record.compared
    for name, said, is_ in (
        ("account", approval.account_id, then.account_id),
        ("region", approval.region, then.region),
        ("environment", approval.environment, then.environment),
        ("stack", approval.stack, then.stack),
        ("bundle", approval.bundle[:12], record.digest[:12]),
    ):
        if said != is_:
            return f"is for another {name} ({said}, not {is_})"
    if approval.bundle != record.digest:
        return "is for another bundle"
    return _untimely(record, approval, now)


def _untimely(record: Record, approval: Approval, now: datetime) -> str:
    try:
        given = parse_time(approval.at)
    except ValueError:
        return "has no time"
    if not parse_time(record.made) - _CLOCKS <= given <= now + _CLOCKS:
        return f"was given at {approval.at}, which is before the plan or in the future"
    if not given < parse_time(record.good_until) or now >= parse_time(record.good_until):
        return f"is no longer good: it ended with the plan at {record.good_until}"
    return ""


def verifies(key: bytes, signature: bytes, statement: bytes) -> bool:
    """Whether ``signature`` is one of ``statement`` by the RSA key whose public half is ``key`` (DER)."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import padding, rsa
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    try:
        public = load_der_public_key(key)
    except (ValueError, UnsupportedAlgorithm):
        return False
    if not isinstance(public, rsa.RSAPublicKey):
        return False
    how = padding.PSS(mgf=padding.MGF1(SHA256()), salt_length=padding.PSS.DIGEST_LENGTH)
    try:
        public.verify(signature, statement, how, SHA256())
    except InvalidSignature:
        return False
    return True
