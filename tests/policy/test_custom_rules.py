"""A team's rule counts like hawser's own; one that cannot be taken is an error with its line, never silence."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from tests.handmade_plans import document, entry

from hawser.errors import CannotJudgeError, Exit
from hawser.policy.custom import load
from hawser.policy.fixtures import CANARY, CANARY_RULE, prove

ROOT = Path(__file__).parents[2]
README = (ROOT / "tooling/rules/README.md").read_text(encoding="utf-8")
RULE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
EXPECTED = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)[0]


def plan_file(path: Path, name: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document(entry("aws_s3_bucket.this", ["create"], after={"bucket": name})), indent=1)
    path.write_text(text, encoding="utf-8")


def drop_in(rules: Path, source: str = RULE) -> None:
    """What the README describes: the file, and the fixtures of its rule."""
    plan_file(rules / "ACME-BKT-001/fail-other-name.json", "weights")
    plan_file(rules / "ACME-BKT-001/pass-our-name.json", "acme-weights")
    (rules / "ACME-BKT-001/expected.yaml").write_text(EXPECTED, encoding="utf-8")
    (rules / "acme.py").write_text(source, encoding="utf-8")


def test_the_rule_of_the_readme_is_loaded_with_its_line(tmp_path: Path) -> None:
    drop_in(tmp_path)
    (rule,) = load(tmp_path)
    assert rule.meta.id == "ACME-BKT-001"
    line = RULE.splitlines().index("@change_rule(") + 1
    assert rule.place == f"{tmp_path}/acme.py:{line}"
    assert load(tmp_path / "nothing") == ()


def test_a_virtual_environment_beside_it_is_not_loaded(tmp_path: Path) -> None:
    drop_in(tmp_path)
    (tmp_path / ".venv/lib").mkdir(parents=True)
    (tmp_path / ".venv/lib/x.py").write_text("raise RuntimeError", encoding="utf-8")
    assert len(load(tmp_path)) == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("def our_name(", "def our_name((", 'def our_name(', "is not Python"),
        ("from hawser.terraform.plan import Change", "import acme_lib", "from hawser.terraform", "No module named"),
        ("@change_rule(", "print(1 / 0)\n@change_rule(", "@change_rule(", "ZeroDivisionError"),
        ("@change_rule(", "raise SystemExit(0)\n@change_rule(", "@change_rule(", "SystemExit"),
        ("ACME-BKT-001\",\n", "HW-BKT-001\",\n", "@change_rule(", "an id of hawser's own"),
        ("ACME-BKT-001\",\n", "ACME-BKT-1\",\n", "RuleMeta(", "id is not of the form"),
        ("ACME-BKT-001\",\n", "ACME-BKT-002\",\n", "@change_rule(", "has no fixtures"),
        ("Severity.LOW", '"low"', "RuleMeta(", "severity has the wrong type"),
        ("Level.APPROVAL", '"approval"', "RuleMeta(", "level has the wrong type"),
        ('("aws_s3_bucket",)', '("aws_s3_bucket")', "RuleMeta(", "resource_types has the wrong type"),
        ('("aws_s3_bucket",)', "()", "@change_rule(", "would never be asked"),
        ('"planned state"', '"plan"', "RuleMeta(", "looks_at has the wrong type"),
        ('why="The policies', 'why=3, since="The policies', "RuleMeta(", "why has the wrong type"),
        ("(change: Change, context: Context)", "(change: Change)", "@change_rule(", "must take (change, context)"),
        ("yield Hit(", "return Hit(", "@change_rule(", "must yield its hits"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_taken_is_exit_5_with_its_line(
    old: str, new: str, line: str, says: str, tmp_path: Path
) -> None:
    assert old in RULE
    drop_in(tmp_path, RULE.replace(old, new, 1))
    number = next(n for n, text in enumerate(RULE.splitlines(), 1) if line in text)
    with pytest.raises(CannotJudgeError, match=re.escape(f"{tmp_path}/acme.py:{number}: ")) as raised:
        load(tmp_path)
    assert says in raised.value.message
    assert raised.value.exit_code is Exit.CANNOT_JUDGE


def registers_nothing(rules: Path) -> None:
    (rules / "acme.py").write_text("X = 1\n", encoding="utf-8")


def id_twice(rules: Path) -> None:
    (rules / "other.py").write_text(RULE, encoding="utf-8")


def rule_is_gone(rules: Path) -> None:
    (rules / "acme.py").unlink()


def lies_too_deep(rules: Path) -> None:
    (rules / "team").mkdir()
    (rules / "team/rule.py").write_text(RULE, encoding="utf-8")


def is_compiled(rules: Path) -> None:
    (rules / "hidden.pyc").write_bytes(b"")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (is_compiled, "hidden.pyc: is compiled"),
        (registers_nothing, "acme.py:1: registers no rule"),
        (id_twice, "ACME-BKT-001 is defined already in"),
        (rule_is_gone, "holds fixtures of a rule that no file defines"),
        (lies_too_deep, "rule.py: is not loaded"),
    ],
)
def test_a_folder_that_is_not_what_it_seems_is_exit_5(spoil: Callable[[Path], None], says: str, tmp_path: Path) -> None:
    drop_in(tmp_path)
    spoil(tmp_path)
    with pytest.raises(CannotJudgeError, match=re.escape(says)):
        load(tmp_path)


# -- the whole command line, in a checkout of its own ----------------------------------------------------------------


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory, venvs: Path) -> Path:
    """A copy of what judges, with the README's rule dropped in."""
    root = tmp_path_factory.mktemp("checkout")
    ignore = shutil.ignore_patterns("__pycache__")
    for part in ("environments", "tooling/hawser", "tooling/locks"):
        shutil.copytree(ROOT / part, root / part, ignore=ignore)
    (root / "tests").mkdir()
    (root / "tests/policy").symlink_to(ROOT / "tests/policy")
    (root / ".hawser").mkdir()
    (root / ".hawser/venv").symlink_to(venvs)
    drop_in(root / "tooling/rules")
    return root


#: A real plan with a bucket of another name.
OTHER_NAME = str(ROOT / "tests/policy/HW-DEL-006/pass-guard-made.json")


def hawser(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PYTHONPATH": str(checkout / "tooling")}
    program = [sys.executable, "-c", "from hawser.cli.main import main; main()", *arguments]
    return subprocess.run(program, cwd=checkout, env=environment, capture_output=True, text=True)


@pytest.mark.checkov
def test_it_counts_in_the_gate_and_in_what_policy_says(checkout: Path) -> None:
    judged = hawser(checkout, "gate", OTHER_NAME, "--json")
    assert judged.returncode == 0, judged.stderr
    review = json.loads(judged.stdout)
    found = [f for f in review["findings"] if f["rule_id"] == "ACME-BKT-001"]
    assert [(f["address"], f["level"], f["decides"]) for f in found] == [("aws_s3_bucket.weights", "approval", True)]
    assert review["decision"] == "needs-approval"
    assert "ACME-BKT-001" in hawser(checkout, "policy", "list").stdout
    assert "tooling/rules/acme.py:" in hawser(checkout, "policy", "explain", "acme-bkt-001").stdout
    assert hawser(checkout, "policy", "test", "ACME-BKT-001").stdout == "1 rules tested, 0 with a difference\n"
    assert hawser(checkout, "policy", "test", "HW-SEC-001", "HW-SUP-001").returncode == 0


def digest(checkout: Path) -> str:
    program = [sys.executable, "-c", "from hawser.policy.sources import policy_digest; print(policy_digest())"]
    environment = {"PYTHONPATH": str(checkout / "tooling")}
    return subprocess.run(program, env=environment, check=True, capture_output=True, text=True).stdout


def test_a_change_of_it_changes_the_policy_set(checkout: Path) -> None:
    file = checkout / "tooling/rules/acme.py"
    before = digest(checkout)
    try:
        file.write_text(RULE + "# another word\n", encoding="utf-8")
        assert digest(checkout) != before
    finally:
        file.write_text(RULE, encoding="utf-8")
    assert digest(checkout) == before


BROKEN = {
    "does not import": (RULE + "import nothing_like_this\n", "acme.py:"),
    "passes everything": (RULE.replace("if not str", "if False and not str"), "missing: fail ACME-BKT-001"),
    "fails everything": (RULE.replace("if not str", "if True or not str"), "too many: fail ACME-BKT-001"),
    "raises": (RULE.replace("yield Hit(", "change.nothing\n        yield Hit("), "too many: error ACME-BKT-001"),
    "exits": (RULE.replace("yield Hit(", "raise SystemExit(0)\n        yield Hit("), "too many: error ACME-BKT-001"),
    "yields something else": (RULE.replace("yield Hit(path=", "yield dict(path="), "too many: error ACME-BKT-001"),
    "yields no text": (RULE.replace('path="bucket"', "path=3"), "too many: error ACME-BKT-001"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_rule_stops_the_gate_before_anything_is_judged(how: str, checkout: Path) -> None:
    source, says = BROKEN[how]
    assert source != RULE
    file = checkout / "tooling/rules/acme.py"
    try:
        file.write_text(source, encoding="utf-8")
        done = hawser(checkout, "gate", OTHER_NAME)
    finally:
        file.write_text(RULE, encoding="utf-8")
    assert (done.returncode, done.stdout) == (5, "")
    assert says in done.stderr
    assert "tooling/rules/acme.py:" in done.stderr
    assert "Traceback" not in done.stderr


def test_fixtures_that_prove_nothing_are_refused(tmp_path: Path) -> None:
    drop_in(tmp_path)
    rules = load(tmp_path)
    (tmp_path / "ACME-BKT-001/fail-other-name.json").unlink()
    with pytest.raises(CannotJudgeError, match="has no fail fixture"):
        prove(rules, tmp_path)
    drop_in(tmp_path)
    for text in ("fail-other-name: 3\n", "fail-other-name:\n  - [fail]\n", "{", yaml.safe_dump([1])):
        (tmp_path / "ACME-BKT-001/expected.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(CannotJudgeError, match=re.escape(f"{tmp_path}/acme.py:")):
            prove(rules, tmp_path)


def test_hawsers_own_rules_must_find_a_bad_plan_bad(checkout: Path) -> None:
    file = checkout / "tooling/hawser/policy/rules/exposure/open_ingress.py"
    kept = file.read_text(encoding="utf-8")
    deaf = "@(lambda meta: lambda _: plan_rule(meta)(lambda context: iter(())))("
    assert kept.count("@plan_rule(") == 1
    try:
        file.write_text(kept.replace("@plan_rule(", deaf), encoding="utf-8")
        done = hawser(checkout, "gate", OTHER_NAME)
    finally:
        file.write_text(kept, encoding="utf-8")
    assert (done.returncode, done.stdout) == (5, "")
    assert "HW-NET-002 finds nothing wrong with a plan that is known to be bad" in done.stderr


def test_the_bad_plan_is_a_fixture() -> None:
    assert CANARY.read_bytes() == (ROOT / "tests/policy" / CANARY_RULE / "fail-ssh.json").read_bytes()
