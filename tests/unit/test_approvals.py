"""Which approvals count: attacks on a signed one, each with the sentence that refuses it. Keys are made here."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hawser.decision import record as records
from hawser.decision.approvals import Approval, Demand, count, read_approval, sealed, to_sign
from hawser.decision.record import Compared, Record, sha256, stamp

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
ROLE = "arn:aws:sts::111122223333:assumed-role"
ANN, BO, CY = (f"{ROLE}/approver/{name}@example.com" for name in ("ann", "bo", "cy"))
CI = f"{ROLE}/hawser-plan-us-west-2/GitHubActions"
PRIVATE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def der(private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    return private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


KEY = der(PRIVATE)
DEMAND = Demand(sha256(KEY), planner_may_approve=True)


def record(**compared: str) -> Record:
    """A record of prod's platform, planned by CI; ``compared`` is what differs."""
    values = {f.name: f"value of {f.name}" for f in fields(Compared)}
    place = {"environment": "prod", "account_id": "111122223333", "region": "us-west-2", "stack": "platform"}
    return Record(
        compared=Compared(**(values | place | compared)),
        made=stamp(NOW - timedelta(hours=1)),
        good_until=records.good_until(NOW - timedelta(hours=1), 24),
        approvals_needed=2,
        approvals="signed",
        planner=CI,
        emulated=False,
        broken_by="",
        broken_glass="",
        fingerprint="f",
        findings_sha256="g",
        commit="c",
        hawser_version="1",
    )


RECORD = record()


def signed(
    of: Record = RECORD, by: str = ANN, at: datetime = NOW, key: rsa.RSAPrivateKey = PRIVATE, user_id: str = ""
) -> Approval:
    """As KMS signs: RSASSA_PSS_SHA_256 over the statement, with a salt as long as the digest."""
    approval = to_sign(of, by, user_id or f"AROAEXAMPLE:{by.rpartition('/')[2]}", stamp(at))
    how = padding.PSS(mgf=padding.MGF1(SHA256()), salt_length=padding.PSS.DIGEST_LENGTH)
    return sealed(approval, der(key), key.sign(approval.statement(), how, SHA256()))


def edited(**changes: str) -> Callable[[], Approval]:
    return lambda: replace(signed(), **changes)


def test_a_signed_approval_counts_and_survives_its_file() -> None:
    approval = signed()
    assert count(RECORD, [approval], DEMAND, NOW).people == (ANN,)
    assert read_approval(json.loads(json.dumps(approval.to_json()))) == approval


def test_people_are_counted_not_approvals() -> None:
    twice = signed(at=NOW - timedelta(minutes=1))
    other_role = signed(by=f"{ROLE}/AWSReservedSSO_Admin_0123456789abcdef/Ann@example.com")
    assert count(RECORD, [signed(), twice, other_role], DEMAND, NOW).people == (ANN,)
    assert count(RECORD, [signed(), twice, signed(by=BO)], DEMAND, NOW).people == (ANN, BO)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (edited(by=BO), "forged or edited"),
        (edited(user_id="AROAEXAMPLE:bo@example.com"), "forged or edited"),
        (edited(at=stamp(NOW - timedelta(minutes=1))), "forged or edited"),
        (edited(bundle="0" * 64), "forged or edited"),
        (edited(environment="dev"), "forged or edited"),
        (edited(carried_from="0" * 64), "forged or edited"),
        (edited(signature="AAAA"), "forged or edited"),
        (edited(signature="not base64!"), "not base64"),
        (lambda: signed(user_id="AROAEXAMPLE:bo@example.com"), "the unique id of another"),
        (lambda: signed(by="arn:aws:iam::111122223333:user/ann", user_id="AIDAEXAMPLE"), "names no person"),
        (edited(signature="", key=""), "unsigned, and only signed ones count"),
        (lambda: Approval("ann@example.com", stamp(NOW)), "unsigned, and only signed ones count"),
        (lambda: signed(key=OTHER), "signed with another key"),
        (lambda: replace(signed(key=OTHER), key=signed().key), "forged or edited"),
        (lambda: signed(record(account_id="444455556666")), "another account (444455556666, not 111122223333)"),
        (lambda: signed(record(region="eu-west-1")), "another region"),
        (lambda: signed(record(environment="dev")), "another environment (dev, not prod)"),
        (lambda: signed(record(stack="eks")), "another stack"),
        (lambda: signed(record(plan_sha256="another plan")), "another bundle"),
        (lambda: signed(replace(RECORD, good_until=stamp(NOW + timedelta(days=9)))), "another bundle"),
        (lambda: signed(at=NOW + timedelta(minutes=6)), "in the future"),
        (lambda: signed(at=NOW - timedelta(hours=2)), "before the plan"),
        (lambda: signed(by="arn:aws:iam::111122223333:root"), "names no person"),
        (lambda: signed(by=f"{ROLE}/approver/botocore-session-1764554400"), "names no person"),
    ],
)  # fmt: skip
def test_what_does_not_count(make: Callable[[], Approval], says: str) -> None:
    found = count(RECORD, [make()], DEMAND, NOW)
    assert found.people == ()
    (sentence,) = found.refused
    assert says in sentence
    # One that is good counts beside it: nobody stops an apply by adding rubbish.
    assert count(RECORD, [make(), signed(by=CY)], DEMAND, NOW).people == (CY,)


def test_an_approval_ends_with_its_plan() -> None:
    end = records.parse_time(RECORD.good_until)
    assert count(RECORD, [signed()], DEMAND, end - timedelta(seconds=1)).people == (ANN,)
    (sentence,) = count(RECORD, [signed()], DEMAND, end).refused
    assert f"no longer good: it ended with the plan at {RECORD.good_until}" in sentence


def test_a_key_that_is_not_rsa_verifies_nothing() -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    approval = to_sign(RECORD, ANN, "AROAEXAMPLE:ann@example.com", stamp(NOW))
    approval = sealed(approval, der(private), private.sign(approval.statement(), ec.ECDSA(SHA256())))
    assert "forged" in count(RECORD, [approval], replace(DEMAND, key=sha256(der(private))), NOW).refused[0]
    rubbish = sealed(approval, b"no key", b"no signature")
    assert "forged" in count(RECORD, [rubbish], replace(DEMAND, key=sha256(b"no key")), NOW).refused[0]


@pytest.mark.parametrize(
    ("planner", "people", "says"),
    [
        (CI, (ANN,), ""),
        (CI.replace("plan", "apply"), (ANN,), ""),
        (CI.replace("us-west-2", "us-east-1"), (), "nobody knows who planned"),
        (BO, (ANN,), ""),
        (ANN, (), "is by whoever planned"),
        (f"{ROLE}/AWSReservedSSO_Admin_0123456789abcdef/ANN@example.com", (), "is by whoever planned"),
        (f"{ROLE}/engineer/botocore-session-1764554400", (), "nobody knows who planned"),
        ("", (), "nobody knows who planned"),
        ("ann@example.com", (), "nobody knows who planned"),
    ],
)
def test_the_planner_does_not_approve_where_the_environment_says_so(
    planner: str, people: tuple[str, ...], says: str
) -> None:
    planned = replace(RECORD, planner=planner)
    strict = replace(DEMAND, planner_may_approve=False)
    found = count(planned, [signed(planned)], strict, NOW)
    assert found.people == people
    assert says in "".join(found.refused)
    assert count(planned, [signed(planned)], DEMAND, NOW).people == (ANN,)


def test_unsigned_ones_count_by_name_where_no_key_is_demanded() -> None:
    names = [Approval("ann", stamp(NOW)), Approval("ann", stamp(NOW)), Approval("bo", stamp(NOW))]
    assert count(RECORD, names, Demand("", planner_may_approve=True), NOW).people == ("ann", "bo")


@pytest.mark.parametrize(
    "document",
    [
        None, [], "text", {}, {"by": "ann"}, {"by": "", "at": "x"}, {"by": 1, "at": "x"}, {"by": ["a"], "at": "x"},
        {"by": "ann", "at": "x", "level": "all"}, {"by": "ann\x1b[2K", "at": "x"}, {"by": "a\n::b", "at": "x"},
        {"by": "\u202eann", "at": "x"}, {"by": "a" * 513, "at": "x"},
    ],
)  # fmt: skip
def test_what_is_no_approval_is_told(document: object) -> None:
    with pytest.raises(ValueError, match="an approval"):
        read_approval(document)


def test_whoever_broke_the_glass_does_not_approve() -> None:
    broken = replace(RECORD, broken_by="carol@example.com", broken_glass="carol@example.com for HW-DEL-001")
    unsigned = Demand("", planner_may_approve=True)
    given = [Approval("carol@example.com", broken.made), Approval("dave@example.com", broken.made)]
    counted = count(broken, given, unsigned, NOW)
    assert counted.people == ("dave@example.com",)
    assert "whoever broke the glass" in counted.refused[0]
