"""``hawser policy waivers``: every exception with what is left of it, compared with the newest plans."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hawser.cli import bundles
from hawser.cli.bundles import Bundle
from hawser.cli.commands.policy import command
from hawser.decision.approvals import Approval
from hawser.decision.record import Compared, Record, stamp
from hawser.errors import CheckFoundError

ROOT = Path(__file__).parents[2]
NOW = datetime.now(UTC)


def day(days: int) -> str:
    return (NOW + timedelta(days=days)).date().isoformat()


def waiver(rule: str, address: str, days: int, stack: str = "") -> str:
    return (
        f"  - rule: {rule}\n    address: {address}\n    owner: team@example.com\n    reason: moves in January\n"
        f'    expires: "{day(days)}"\n' + (f"    stack: {stack}\n" if stack else "")
    )


def a_record(made: datetime, **compared: str) -> Record:
    said = {**{f.name: "x" for f in fields(Compared)}, "stack": "eks", "destroy": "false", "world": "", **compared}
    until = stamp(made + timedelta(hours=1))
    given = {"compared": Compared(**said), "made": stamp(made), "good_until": until, "approvals_needed": 1}
    texts = {f.name: "" for f in fields(Record) if f.name not in given}
    return Record(**given, **{**texts, "emulated": False})  # type: ignore[arg-type]


def stored(folder: Path, made: datetime, *findings: tuple[str, str], **compared: str) -> Bundle:
    """A bundle with these findings."""
    plan = folder.parent / "plan.tfplan"
    folder.mkdir(parents=True, exist_ok=True)
    plan.write_bytes(b"plan")
    document = [{"rule_id": rule, "address": address} for rule, address in findings]
    return bundles.store(folder, a_record(made, **compared), {bundles.FINDINGS: json.dumps(document).encode()}, plan)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copytree(ROOT / "tooling/locks", tmp_path / "tooling/locks")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(checkout: Path, *waivers: str, glass: str = "") -> None:
    text = "waivers:\n" + "".join(waivers) if waivers else "waivers: []\n"
    (checkout / "environments/prod/waivers.yaml").write_text(text + glass, encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["waivers", *arguments], standalone_mode=False)


def test_days_owner_place_and_whether_it_covers_anything(checkout: Path) -> None:
    write(checkout, waiver("HW-DEL-002", "aws_s3_bucket.old", 5), waiver("HW-NET-001", "aws_eks_cluster.mian", 0))
    stored(
        checkout / ".hawser/prod/eks",
        NOW,
        ("HW-DEL-002", "aws_s3_bucket.old"),
        ("HW-NET-001", "aws_eks_cluster.main"),
    )
    done = run("prod")
    assert done.exception is None
    for said in (
        "prod  HW-DEL-002  aws_s3_bucket.old\n    5 days left, team@example.com  (environments/prod/waivers.yaml:2)",
        "    covers a finding in eks (plan ",
        "    last day, team@example.com",
        "    matches nothing in eks (plan ",
        "(nearest: aws_eks_cluster.main)",
        "2 waivers, 0 not in force",
    ):
        assert said in done.output


def test_a_waiver_of_a_stack_is_compared_with_that_stack_only(checkout: Path) -> None:
    write(checkout, waiver("HW-DEL-002", "aws_s3_bucket.old", 5, "bootstrap"))
    stored(checkout / ".hawser/prod/eks", NOW, ("HW-DEL-002", "aws_s3_bucket.old"))
    assert "no plan here to compare with" in run("prod").output
    stored(checkout / ".hawser/prod/bootstrap", NOW)
    assert "matches nothing in bootstrap (plan " in run("prod").output


@pytest.mark.parametrize(
    ("rule", "days", "says"),
    [
        ("HW-DEL-002", -1, "expired on"),
        ("HW-DEL-002", 91, "longer than 90"),
        ("HW-DEL-022", 5, "does not exist (nearest: HW-DEL-002)"),
        ("CKV_AWS_5800", 5, "does not exist (nearest: CKV_"),
    ],
)
def test_one_that_is_not_in_force_is_exit_8(checkout: Path, rule: str, days: int, says: str) -> None:
    write(checkout, waiver("HW-NET-001", "x", 5), waiver(rule, "aws_s3_bucket.old", days))
    done = run("prod")
    assert isinstance(done.exception, CheckFoundError)
    assert done.exception.exit_code == 8
    assert says in next(line for line in done.output.splitlines() if "NOT IN FORCE: it " in line)
    assert "2 waivers, 1 not in force" in done.output


def test_without_a_name_all_environments_also_for_machines(checkout: Path) -> None:
    until = (datetime.now(UTC) + timedelta(hours=3, minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
    glass = "break_glass:\n  by: carol@example.com\n  reason: INC-7\n  stack: eks\n  rules: [HW-DEL-002]\n"
    glass += f'  until: "{until}"\n'
    write(checkout, glass=glass)
    found = json.loads(run("--json").output)["waivers"]
    broken = next(one for one in found if one["matches"] == "BROKEN GLASS")
    assert (broken["environment"], broken["rule"], broken["left"]) == ("prod", "HW-DEL-002", "3 hours left")
    assert {one["environment"] for one in found} == {"dev", "prod"}
    write(checkout, glass=glass.replace(until, "2026-01-01T00:00:00Z"))
    assert isinstance(run("prod").exception, CheckFoundError)


def test_the_shipped_waivers_name_rules_and_stacks_that_exist() -> None:
    for one in json.loads(CliRunner().invoke(command, ["waivers", "--json"], standalone_mode=False).output)["waivers"]:
        assert "does not exist" not in one["wrong"], one
        assert one["stack"], one


# -- which bundle a plan is compared with ----------------------------------------------------------------------------


def reviewed(folder: Path) -> str:
    found = bundles.last_reviewed(folder, "false", "", emulated=False)
    return found.digest if found else ""


def test_the_newest_approved_one_that_was_not_applied_else_the_newest(tmp_path: Path) -> None:
    folder = tmp_path / "eks"
    assert reviewed(folder) == ""
    first = stored(folder, NOW - timedelta(hours=3))
    second = stored(folder, NOW - timedelta(hours=2))
    assert reviewed(folder) == second.digest
    approve(first)
    assert reviewed(folder) == first.digest
    stored(folder, NOW - timedelta(hours=1), destroy="true")
    stored(folder, NOW, world="another emulator")
    assert reviewed(folder) == first.digest
    first.start_use(stamp(NOW))
    assert reviewed(folder) == second.digest
    (second.folder / "record.json").write_text("{}", encoding="utf-8")
    assert reviewed(folder) == ""


def approve(bundle: Bundle) -> None:
    bundle.add_approval(Approval("dave@example.com", stamp(NOW)))
