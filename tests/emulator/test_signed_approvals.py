"""Approvals signed by a real KMS, bundles in a real S3: the way of two people, and each attack on it, as commands."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from click.testing import CliRunner

from hawser.aws.bundle_store import Store
from hawser.aws.people import caller, emulated
from hawser.aws.signing import public_key, sign
from hawser.cli import archive, bundles
from hawser.cli.bundles import Bundle
from hawser.cli.main import cli
from hawser.cli.people import signer
from hawser.cli.storing import found_key, held, made_from
from hawser.cli.talk import Talk
from hawser.cli.workspace import Workspace
from hawser.contract import load_deployment
from hawser.decision import record as records
from hawser.decision.approvals import ALGORITHM, Approval, sealed, to_sign
from hawser.decision.record import Compared, Record, sha256
from hawser.emulator import Emulator, environment
from hawser.emulator.process import STATE_BUCKET, status
from hawser.errors import Exit, HawserError, NoApprovalError
from hawser.toolchain.terraform_binary import TerraformBinary, find_terraform

ROOT = Path(__file__).parents[2]
ACCOUNT, REGION = "111122223333", "us-west-2"
PEOPLE = f"arn:aws:sts::{ACCOUNT}:assumed-role/people"
ANN, BO, CY = (f"{name}@example.com" for name in ("ann", "bo", "cy"))
NOW = datetime.now(UTC)
PLAN, TFVARS = b"PK a saved plan", b"{}\n"

pytestmark = pytest.mark.emulator


@pytest.fixture(scope="module")
def aws(emulator: Emulator) -> Callable[[str], Any]:
    """Clients of the emulator, as root of the account."""
    named = environment(emulator, ACCOUNT, REGION)

    def make(service: str) -> Any:
        return boto3.client(
            service, region_name=REGION, endpoint_url=named["AWS_ENDPOINT_URL"], config=Config(proxies={}),
            aws_access_key_id=ACCOUNT, aws_secret_access_key="x",
        )  # fmt: skip

    return make


@pytest.fixture(scope="module")
def kms(aws: Callable[[str], Any]) -> Iterator[Any]:
    """KMS with the key that bootstrap makes."""
    client = aws("kms")
    key = client.create_key(KeySpec="RSA_3072", KeyUsage="SIGN_VERIFY")["KeyMetadata"]["KeyId"]
    client.create_alias(AliasName="alias/hawser-approvals", TargetKeyId=key)
    yield client
    client.delete_alias(AliasName="alias/hawser-approvals")
    client.close()


def record(**changes: Any) -> Record:
    compared = {f.name: f"value of {f.name}" for f in fields(Compared)} | {
        "environment": "local", "account_id": ACCOUNT, "region": REGION, "stack": "platform", "decision": "allow",
        "destroy": "false", "plan_sha256": sha256(PLAN), "tfvars_sha256": sha256(TFVARS),
    }  # fmt: skip
    compared |= {name: changes.pop(name) for name in list(changes) if name in compared}
    made = Record(
        Compared(**compared), records.stamp(NOW), records.good_until(NOW, 24), 2, "signed", f"{PEOPLE}/{CY}",
        emulated=False, broken_by="", broken_glass="", fingerprint="f",
        findings_sha256="g", commit="c", hawser_version="1",
    )  # fmt: skip
    return replace(made, **changes)


@dataclass
class Desk:
    """A checkout, and a person at it."""

    root: Path
    kms: Any
    monkeypatch: pytest.MonkeyPatch

    def sit(self, name: str) -> None:
        for setting, value in {"COUNT": "1", "KEY_0": "user.email", "VALUE_0": name}.items():
            self.monkeypatch.setenv(f"GIT_CONFIG_{setting}", value)

    def run(self, *arguments: str) -> str:
        result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    def refused(self, *arguments: str) -> str:
        """What is said when a command ends with exit code 6."""
        with pytest.raises(HawserError) as error:
            CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False)
        assert error.value.exit_code is Exit.NO_APPROVAL, error.value.message
        assert "\n" not in error.value.message
        return error.value.message

    def keep(self, made: Record) -> Bundle:
        """A bundle of that record."""
        plan = self.root / "plan"
        plan.write_bytes(PLAN)
        reports = dict.fromkeys(bundles.REPORTS, b"a report\n")
        folder = self.root / ".hawser/local" / made.compared.stack
        return bundles.store(folder, made, {bundles.TFVARS: TFVARS, bundles.PLAN_JSON: b"{}", **reports}, plan)

    def signed(self, of: Record, name: str, key: str = "alias/hawser-approvals") -> Approval:
        """As `hawser approve` makes one, but for any record and name."""
        approval = to_sign(of, f"{PEOPLE}/{name}", f"AROAEXAMPLE:{name}", records.stamp(datetime.now(UTC)))
        public = self.kms.get_public_key(KeyId=key)["PublicKey"]
        answer = self.kms.sign(
            KeyId=key, Message=approval.statement(), MessageType="RAW", SigningAlgorithm=ALGORITHM
        )  # fmt: skip
        return sealed(approval, public, answer["Signature"])

    def edit(self, old: str, new: str) -> None:
        file = self.root / "environments/local/env.yaml"
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def desk(emulator: Emulator, kms: Any, venvs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """local demands two signed approvals, none by whoever planned."""
    for part in ("environments", "terraform", "modules", "tooling/locks"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns(".terraform"))
    home = tmp_path / ".hawser"
    home.mkdir(mode=0o700)
    (home / "venv").symlink_to(venvs)
    (home / "emulator.json").write_text(json.dumps(asdict(emulator)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HAWSER_APPROVAL_KEY", raising=False)
    made = Desk(tmp_path, kms, monkeypatch)
    key = sha256(kms.get_public_key(KeyId="alias/hawser-approvals")["PublicKey"])
    made.edit("approvals: 0\n", f"approvals: 2\n  approval_key: {key}\n  planner_may_approve: false\n")
    return made


def test_two_people_approve(desk: Desk) -> None:
    bundle = desk.keep(record())
    assert "has 0 of 2 approvals" in desk.refused("apply", "local")
    desk.sit(ANN)
    said = desk.run("approve", "local")
    assert f"by {PEOPLE}/{ANN} (signed, 1 of 2 needed" in said
    assert "(signed, 1 of 2 needed" in desk.run("approve", "local")  # the same person twice
    assert "has 1 of 2 approvals" in desk.refused("apply", "local")
    desk.sit(BO)
    assert "(signed, 2 of 2 needed" in desk.run("approve", "local")
    shown = json.loads(desk.run("show", "local", "--json"))["bundles"][0]
    assert f"{PEOPLE}/{BO} (signed)" in shown["standing"]
    # Enough now: what stops it is that nothing else of this bundle is true.
    assert "no longer matches" in desk.refused("apply", "local", "--bundle", bundle.digest)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (CY, "is by whoever planned, and another person must approve here"),
        ("botocore-session-1764554400", "names no person"),
        ("GitHubActions", "names no person"),
    ],
)
def test_who_may_not_approve(desk: Desk, name: str, says: str) -> None:
    bundle = desk.keep(record())
    desk.sit(name)
    assert says in desk.refused("approve", "local")
    assert bundle.approvals() == ()


def test_the_key_is_the_one_that_the_settings_name(desk: Desk) -> None:
    desk.keep(record())
    desk.sit(ANN)
    # The setting of the CI and env.yaml disagree, or it was left empty there.
    desk.monkeypatch.setenv("HAWSER_APPROVAL_KEY", "0" * 64)
    for command in ("approve", "apply"):
        said = desk.refused(command, "local")
        assert "HAWSER_APPROVAL_KEY names the key 000000000000" in said
        assert "environments/local/env.yaml:" in said
    desk.monkeypatch.setenv("HAWSER_APPROVAL_KEY", "")
    assert "HAWSER_APPROVAL_KEY is empty" in desk.refused("apply", "local")
    desk.monkeypatch.setenv("HAWSER_APPROVAL_KEY", "alias/hawser-approvals")
    assert "is not a SHA-256" in desk.refused("apply", "local")
    # A pull request takes the key out of env.yaml: the setting demands signatures alone.
    text = (desk.root / "environments/local/env.yaml").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if "approval_key:" in line)
    desk.edit(f"{line}\n  planner_may_approve: false\n", "")
    desk.monkeypatch.setenv("HAWSER_APPROVAL_KEY", line.partition(": ")[2])
    (bundle,) = (bundles.newest(desk.root / ".hawser/local/platform"),)
    assert bundle
    bundle.add_approval(Approval(ANN, records.stamp(NOW)))
    assert "is unsigned, and only signed ones count here" in desk.refused("apply", "local")
    # KMS has another key than both name.
    desk.monkeypatch.setenv("HAWSER_APPROVAL_KEY", "1" * 64)
    assert "and the settings name 111111111111" in desk.refused("approve", "local")


def forged(desk: Desk) -> Approval:
    """Signed with a key of the attacker's own, which it carries."""
    return desk.signed(
        record(), BO, desk.kms.create_key(KeySpec="RSA_2048", KeyUsage="SIGN_VERIFY")["KeyMetadata"]["KeyId"]
    )


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (forged, "is signed with another key"),
        (lambda desk: replace(desk.signed(record(), BO), signature=desk.signed(record(), ANN).signature), "forged or"),
        (lambda desk: replace(desk.signed(record(), ANN), by=f"{PEOPLE}/{BO}"), "forged or edited"),
        (lambda desk: replace(desk.signed(record(), BO), at=records.stamp(NOW - timedelta(seconds=1))), "forged or"),
        (lambda desk: desk.signed(record(stack="eks"), BO), "is for another stack (eks, not platform)"),
        (lambda desk: desk.signed(record(environment="prod"), BO), "is for another environment (prod, not local)"),
        (lambda desk: desk.signed(record(account_id="444455556666"), BO), "is for another account"),
        (lambda desk: desk.signed(record(region="eu-west-1"), BO), "is for another region"),
        (lambda desk: desk.signed(record(plan_sha256="another"), BO), "is for another bundle"),
        (lambda desk: desk.signed(record(), CY), "is by whoever planned"),
        (lambda desk: desk.signed(record(), "botocore-session-1764554400"), "names no person"),
        (lambda _: Approval(BO, records.stamp(NOW)), "is unsigned, and only signed ones count here"),
        (lambda desk: desk.signed(record(), ANN), "has 1 of 2 approvals"),
    ],
    ids=[
        "forged", "forged-signature", "edited-approver", "edited-time", "replayed-stack", "replayed-environment",
        "replayed-account", "replayed-region", "replayed-bundle", "self-approved", "nobody", "unsigned", "same-person",
    ],
)  # fmt: skip
def test_an_approval_that_does_not_count(desk: Desk, make: Callable[[Desk], Approval], says: str) -> None:
    bundle = desk.keep(record())
    bundle.add_approval(desk.signed(record(), ANN))
    bundle.add_approval(make(desk))
    said = desk.refused("apply", "local")
    assert "has 1 of 2 approvals" in said
    assert says in said


def test_records_that_are_too_old_or_edited(desk: Desk) -> None:
    old = record(made=records.stamp(NOW - timedelta(hours=25)), good_until=records.stamp(NOW - timedelta(hours=1)))
    bundle = desk.keep(old)
    for name in (ANN, BO):
        bundle.add_approval(desk.signed(old, name))
    assert f"was good until {old.good_until}" in desk.refused("apply", "local")
    desk.sit(ANN)
    assert f"was good until {old.good_until}" in desk.refused("approve", "local")

    for change in ({"good_until": "2099-01-01T00:00:00Z"}, {"approvals": "unsigned"}, {"planner": f"{PEOPLE}/dee"}):
        bundle = desk.keep(record())
        for name in (ANN, BO):
            bundle.add_approval(desk.signed(record(), name))
        file = bundle.folder / "record.json"
        file.write_text(json.dumps(json.loads(file.read_bytes()) | change))
        assert "the record was altered" in desk.refused("apply", "local")


# -- the bucket -------------------------------------------------------------------------------------------------------


def put(aws: Callable[[str], Any], digest: str, content: bytes) -> None:
    client = aws("s3")
    client.put_object(Bucket=STATE_BUCKET, Key=f"bundles/local/platform/made-from/{digest}.tar", Body=content)
    client.close()


def packed(made: Record, **files: bytes) -> bytes:
    whole = {bundles.PLAN: PLAN, bundles.RECORD: made.to_json(), bundles.TFVARS: TFVARS}
    return archive.pack(whole | {name.replace("_", "."): content for name, content in files.items()})


def with_member(name: str, kind: bytes = tarfile.REGTYPE) -> bytes:
    whole = io.BytesIO(packed(record()))
    with tarfile.open(fileobj=whole, mode="a", format=tarfile.USTAR_FORMAT) as made:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd" if kind == tarfile.SYMTYPE else ""
        made.addfile(member)
    return whole.getvalue()


def test_what_travels_and_what_is_never_written_over(desk: Desk, aws: Callable[[str], Any]) -> None:
    made = record(commit="pushed")
    bundle = desk.keep(made)
    desk.sit(ANN)
    pushed = json.loads(desk.run("bundle", "push", "local", "--json"))["bundles"]
    assert [(b["stack"], b["bundle"], b["new"], b["approvals"]) for b in pushed] == [("platform", made.digest, True, 0)]
    assert json.loads(desk.run("bundle", "push", "local", "--json"))["bundles"][0]["new"] is False
    desk.run("approve", "local")
    client = aws("s3")
    content = client.get_object(Bucket=STATE_BUCKET, Key=pushed[0]["key"])["Body"].read()
    files = archive.unpack(content)
    assert set(files) == {bundles.PLAN, bundles.RECORD, bundles.TFVARS, *bundles.REPORTS}  # never plan.json
    below = client.list_objects_v2(Bucket=STATE_BUCKET, Prefix=f"approvals/local/platform/{made.digest}/")["Contents"]
    (key,) = (entry["Key"] for entry in below)
    (approval,) = bundle.approvals()
    assert key.endswith(f"/{approval.user_id}.json")
    assert approval.user_id.endswith(f":{ANN}")
    client.close()

    # Bo has the bundle, and pulls what ann gave; what lies under another's id, or is none, does not come along.
    folder = key.rpartition("/")[0]
    stray = {"AROAEXAMPLE:dee@example.com": desk.signed(made, BO).to_json(), "AROAEXAMPLE:rubbish": ["no approval"]}
    for name, document in stray.items():
        aws("s3").put_object(Bucket=STATE_BUCKET, Key=f"{folder}/{name}.json", Body=json.dumps(document).encode())
    (bundle.folder / "approvals.json").unlink()
    assert "(1 approval)" in desk.run("bundle", "pull", "local", "--bundle", made.digest[:12], "--stack", "platform")
    assert [a.by for a in bundle.approvals()] == [f"{PEOPLE}/{ANN}"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (lambda: packed(record())[:-600], "more than its members"),
        (lambda: packed(record())[:900], "cut off"),
        (lambda: b"", "cut off"),
        (lambda: with_member("plan.json"), "'plan.json' does not belong into the archive"),
        (lambda: with_member("../../../.bashrc"), "does not belong into the archive"),
        (lambda: with_member("report.md", tarfile.SYMTYPE), "is no plain file"),
        (lambda: packed(record(commit="another")), "holds the record of another bundle"),
        (lambda: packed(record(), plan_tfplan=b"another plan"), "holds another plan.tfplan than its record says"),
        (lambda: packed(record(), tfvars_json=b"[]"), "holds another tfvars.json than its record says"),
        (lambda: packed(record(), record_json=record().to_json().replace(b'"c"', b'"d"')), "the record was altered"),
        (lambda: packed(record(), record_json=b"[]"), "the record is not a"),
    ],
)  # fmt: skip
def test_objects_that_are_not_what_they_say(
    desk: Desk, aws: Callable[[str], Any], content: Callable[[], bytes], says: str
) -> None:
    put(aws, record().digest, content())
    said = desk.refused("bundle", "pull", "local", "--stack", "platform", "--bundle", record().digest)
    assert says in said
    assert not (desk.root / ".hawser/local/platform").exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"environment": "prod"}, "was made for environment prod, not for local"),
        ({"account_id": "444455556666"}, "was made for account 444455556666"),
        ({"region": "eu-west-1"}, "was made for region eu-west-1"),
        ({"stack": "eks"}, "was made for stack eks"),
        ({"emulated": True}, "was made with --emulate"),
        ({"good_until": records.stamp(NOW - timedelta(hours=1))}, "was good until"),
        ({}, "was made from another checkout: the generated tfvars (contract or environment); the Terraform sources"),
    ],
)
def test_bundles_of_elsewhere(desk: Desk, aws: Callable[[str], Any], changes: dict[str, Any], says: str) -> None:
    made = record(commit="elsewhere", **changes)
    put(aws, made.digest, packed(made))
    assert says in desk.refused("bundle", "pull", "local", "--stack", "platform", "--bundle", made.digest)


def test_a_plan_job_that_ran_again_takes_no_approval_away(desk: Desk, aws: Callable[[str], Any]) -> None:
    workspace = Workspace(
        desk.root, load_deployment(desk.root, "local"), False, Talk(), find_terraform(desk.root / ".hawser"),
        desk.root / "rc", status(desk.root / ".hawser"),
    )  # fmt: skip
    store = Store(STATE_BUCKET, REGION, workspace.aws())
    here = made_from(held(workspace, "platform", record().compared))
    first, second = (f"bundles/local/platform/{here}/{digest * 64}.tar" for digest in "ab")
    assert "has no bundle of local made from what this checkout holds" in desk.refused("bundle", "pull", "local")
    approval = f"approvals/local/platform/{'a' * 64}/AROAEXAMPLE:ann.json"
    try:
        store.put_new(first, b"x")
        assert found_key(workspace, store, "platform", None) == first
        time.sleep(1.1)  # S3 tells times in whole seconds
        store.put_new(second, b"x")
        assert found_key(workspace, store, "platform", None) == second
        store.put_new(approval, b"{}")
        assert found_key(workspace, store, "platform", None) == first
        assert found_key(workspace, store, "platform", "bbbbbbbb") == second
    finally:
        client = aws("s3")
        for key in (first, second, approval):
            client.delete_object(Bucket=STATE_BUCKET, Key=key)
        client.close()


# -- against AWS itself, as far as the SDK can tell -------------------------------------------------------------------


def test_the_session_is_named_by_sts(client: Callable[..., Any], emulator: Emulator) -> None:
    client("sts")
    assert caller(REGION).account_id == ACCOUNT
    taken = emulated(ACCOUNT, REGION, "Ann Bo <ann@example.com>", environment(emulator, ACCOUNT, REGION))
    found = caller(REGION, taken)
    assert found.arn == f"{PEOPLE}/Ann-Bo--ann@example.com-"
    assert found.user_id.endswith(":Ann-Bo--ann@example.com-")


def test_credentials_of_elsewhere_are_told(
    client: Callable[..., Any], kms: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    terraform = TerraformBinary(Path("terraform"), "1.11.4", "")
    prod = Workspace(tmp_path, load_deployment(tmp_path, "prod"), False, Talk(), terraform, tmp_path / "rc", None)
    client("sts")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it remembers whose credentials the process began with
    assert signer(prod).caller.account_id == ACCOUNT
    client("sts", account="999988887777")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    with pytest.raises(NoApprovalError, match="logged in to account 999988887777, and prod is in 111122223333"):
        signer(prod)
    # No key, no bucket: the reason is AWS's code, never its words.
    with pytest.raises(NoApprovalError, match=r"alias/hawser-approvals gave no public key \(NotFoundException\)"):
        public_key(REGION)
    with pytest.raises(NoApprovalError, match=r"alias/hawser-approvals did not sign \(NotFoundException\)"):
        sign(b"message", ALGORITHM, REGION)
    store = Store("hawser-that-is-nowhere", REGION)
    for ask in (lambda: store.put_new("a", b""), lambda: store.keys("a"), lambda: store.get("a", 1)):
        with pytest.raises(HawserError, match=r"s3://hawser-that-is-nowhere/a could not be \w+ \(NoSuchBucket\)"):
            ask()


def test_an_object_is_read_up_to_its_limit(aws: Callable[[str], Any], emulator: Emulator) -> None:
    store = Store(STATE_BUCKET, REGION, environment(emulator, ACCOUNT, REGION))
    assert store.put_new("limits/five", b"12345")
    assert not store.put_new("limits/five", b"other")
    assert store.get("limits/five", 5) == b"12345"
    with pytest.raises(NoApprovalError, match="longer than 4 bytes"):
        store.get("limits/five", 4)
    with pytest.raises(NoApprovalError, match="is not there"):
        store.get("limits/none", 4)
