"""Which environments a pull request touches, in real git repositories."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hawser.cli.affected import Impact, impact
from hawser.cli.base_tree import base_tree
from hawser.errors import UsageError

ROOT = Path(__file__).parents[2]
ALL = ("dev", "local", "local-hyperpod", "prod")
WAIVED = (
    "a waiver is added: CKV_AWS_145 at aws_s3_bucket.access_logs in bootstrap until 2027-02-26, "
    "platform-team@example.com: S3 delivers access logs only into a bucket whose default encryption is SSE-S3 (S3 user "
    'guide, "Enabling Amazon S3 server access logging", read 2026-12-01); with a key of ours the logs would not arrive.'
)
GLASS = "glass is broken: me@example.com for HW-CAP-001 in eks until 2027-01-01T18:00Z: INC-7 stands still"


def git(root: Path, *arguments: str) -> str:
    person = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *person, *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("origin")
    for part in ("environments", "terraform", "modules", "tooling", "docs"):
        ignored = shutil.ignore_patterns("__pycache__", ".terraform", "*.egg-info")
        shutil.copytree(ROOT / part, root / part, ignore=ignored)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    return root


@pytest.fixture
def clone(origin: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", str(origin), "clone")
    return tmp_path / "clone"


def touched(root: Path, message: str = "change") -> Impact:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    with base_tree(root, "origin/main") as tree:
        return impact(tree.root, root)


def edit(root: Path, file: str, old: str, new: str) -> None:
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def names(found: Impact) -> tuple[str, ...]:
    return tuple(one.name for one in found.affected)


def why(found: Impact, name: str) -> tuple[str, ...]:
    return next(one.why for one in found.affected if one.name == name)


def test_documents_comments_and_names_of_other_files_touch_nothing(clone: Path) -> None:
    (clone / "docs" / "new\nline; $(id) `x`.md").write_text("text", encoding="utf-8")
    (clone / "--upload-pack=x").write_text("text", encoding="utf-8")
    (clone / "modules" / "network" / "README.md").write_text("text", encoding="utf-8")
    git(clone, "mv", "docs/traps.md", "docs/other.md")
    contract = clone / "environments" / "contract.yaml"
    contract.write_text(contract.read_text(encoding="utf-8") + "# a comment\n", encoding="utf-8")
    waivers = clone / "environments" / "prod" / "waivers.yaml"
    waivers.write_text("# moved down\n" + waivers.read_text(encoding="utf-8"), encoding="utf-8")
    assert touched(clone) == Impact((), ALL, (), ())


def test_a_contract_field_touches_all_that_do_not_override_it(clone: Path) -> None:
    contract = clone / "environments" / "contract.yaml"
    text, number = re.subn(r"(max_model_len: )\d+", r"\g<1>100000", contract.read_text(encoding="utf-8"))
    assert number == 1
    contract.write_text(text, encoding="utf-8")
    found = touched(clone)
    assert names(found) == ("local", "local-hyperpod", "prod")
    assert {reason for one in found.affected for reason in one.why} == {"contract or environment"}
    assert found.unaffected == ("dev",)  # it overrides the field


def test_sources_touch_what_is_built_of_them(clone: Path) -> None:
    (clone / "terraform" / "hyperpod" / "more.tf").write_text("locals {}\n", encoding="utf-8")
    found = touched(clone)
    hyperpod = tuple(n for n in ALL if "target: hyperpod" in (clone / f"environments/{n}/env.yaml").read_text())
    assert names(found) == hyperpod != ()
    assert why(found, hyperpod[0]) == ("terraform/hyperpod",)
    git(clone, "mv", "modules/network/variables.tf", "modules/network/renamed.tf")
    found = touched(clone)
    assert names(found) == ALL
    assert "terraform/platform" in why(found, "prod")


def test_the_provider_lock_and_the_tooling_touch_environments(clone: Path) -> None:
    lock = clone / "terraform" / "platform" / ".terraform.lock.hcl"
    lock.write_text(lock.read_text(encoding="utf-8") + "# another\n", encoding="utf-8")
    assert why(touched(clone), "dev") == ("terraform/platform",)
    (clone / "tooling" / "hawser" / "policy" / "rules" / "iam" / "wildcard.py").unlink()
    found = touched(clone)
    assert names(found) == ALL
    assert why(found, "prod") == ("terraform/platform", "tooling")
    assert found.guarded == ("the gate's rules: tooling/hawser/policy/rules/iam/wildcard.py",)


def test_what_protects_an_environment_is_told_first_and_needs_approval(clone: Path) -> None:
    edit(clone, "environments/prod/env.yaml", "approvals: 1 ", "approvals: 0 ")
    edit(clone, "environments/prod/env.yaml", "  levels: {}", "  levels: {HW-IAM-001: advisory}")
    file = clone / "environments" / "dev" / "waivers.yaml"
    waivers = (
        file.read_text(encoding="utf-8")
        + "  - rule: HW-IAM-001\n    address: aws_iam_policy.x\n    owner: me@example.com\n"
    )
    waivers += '    reason: "because"\n    expires: "2027-01-02"\n'
    file.write_text(waivers, encoding="utf-8")
    (clone / ".github").mkdir()
    (clone / ".github" / "CODEOWNERS").write_text("* @x\n", encoding="utf-8")
    (clone / "terraform" / "bootstrap" / "keys.tf").unlink()
    found = touched(clone)
    assert names(found) == ("dev", "prod")
    assert found.guarded == (
        "dev: a waiver is added: HW-IAM-001 at aws_iam_policy.x until 2027-01-02, me@example.com: because",
        "prod: guardrails.levels.HW-IAM-001 changes: its own → advisory",
        "prod: guardrails.approvals changes: 1 → 0",
        "bootstrap: state, keys that sign approvals, CI's roles: terraform/bootstrap/keys.tf",
        "the workflows that plan and apply: .github/CODEOWNERS",
    )


def test_environments_come_and_go(clone: Path) -> None:
    git(clone, "mv", "environments/dev", "environments/stage")
    edit(clone, "environments/stage/env.yaml", "\nname: dev", "\nname: stage")
    file = clone / "environments/stage/waivers.yaml"
    glass = (
        "break_glass:\n  by: me@example.com\n  reason: INC-7 stands still\n  stack: eks\n"
        "  rules: [HW-CAP-001]\n  until: '2027-01-01T18:00:00Z'\n"
    )
    file.write_text(file.read_text(encoding="utf-8") + glass, encoding="utf-8")
    found = touched(clone)
    assert (why(found, "stage"), found.removed) == (("new environment",), ("dev",))
    assert found.guarded == (
        f"stage: new environment; {GLASS}",
        f"stage: new environment; {WAIVED}",
        "dev: removed, with its waivers and guardrails; what it made stays",
    )


def test_a_mistake_on_one_side_is_planned_so_that_it_is_told(clone: Path) -> None:
    (clone / "environments" / "dev" / "env.yaml").write_text("name: [", encoding="utf-8")
    found = touched(clone)
    assert why(found, "dev") == ("contract or environment, not valid on one side",)


def test_what_main_gained_meanwhile_is_not_the_pull_requests(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "topic")
    git(clone, "checkout", "-q", "main")
    edit(clone, "environments/contract.yaml", "  port: 8000", "  port: 8100")
    git(clone, "commit", "-qam", "main goes on")
    git(clone, "checkout", "-q", "topic")
    with base_tree(clone, "main") as tree:
        assert impact(tree.root, clone).affected == ()


def test_nothing_of_the_checkout_is_changed(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clone / "staged").write_text("x", encoding="utf-8")
    git(clone, "add", "staged")
    index = (clone / ".git" / "index").read_bytes()
    monkeypatch.setenv("GIT_DIR", str(clone / "nowhere"))  # a hook of git's own sets it
    with base_tree(clone, "origin/main") as tree:
        assert (tree.root / "environments" / "contract.yaml").is_file()
        assert not (tree.root / "staged").exists()
        folder = tree.root
    monkeypatch.delenv("GIT_DIR")
    assert (clone / ".git" / "index").read_bytes() == index
    assert not folder.exists()
    assert git(clone, "worktree", "list").count("\n") == 1


def _outside(clone: Path) -> tuple[Path, str]:
    outside = clone.parent / "outside"
    outside.mkdir()
    return outside, "origin/main"


def _shallow(clone: Path) -> tuple[Path, str]:
    git(clone, "commit", "-q", "--allow-empty", "-m", "two")
    git(clone, "checkout", "-q", "--orphan", "apart")
    git(clone, "commit", "-q", "-m", "apart")
    git(clone.parent, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{clone}", "shallow")
    return clone.parent / "shallow", "origin/main"


def _orphan(clone: Path) -> tuple[Path, str]:
    git(clone, "checkout", "-q", "--orphan", "apart")
    git(clone, "commit", "-q", "-m", "apart")
    return clone, "origin/main"


def _empty(clone: Path) -> tuple[Path, str]:
    empty = clone.parent / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    return empty, "main"


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (_outside, "is not in a git checkout"),
        (_shallow, "have no commit in common in this shallow clone"),
        (_orphan, "have no commit in common"),
        (_empty, "has no commit yet"),
        (lambda clone: (clone, "origin/nowhere"), "git knows no commit 'origin/nowhere'"),
        (lambda clone: (clone, "--output=x"), "git knows no commit '--output=x'"),
        (lambda clone: (clone, "HEAD:docs"), "git knows no commit 'HEAD:docs'"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    clone: Path, prepare: Callable[[Path], tuple[Path, str]], says: str
) -> None:
    root, ref = prepare(clone)
    with pytest.raises(UsageError, match=says.replace("(", r"\(")) as told, base_tree(root, ref):
        pass
    assert told.value.fix
    assert "\n" not in told.value.message


def test_a_squash_merge_touches_nothing_more(clone: Path) -> None:
    """What the pull request was planned from is what the squashed commit holds: the approval stays good."""
    git(clone, "checkout", "-q", "-b", "topic")
    for port in ("8100", "8200"):
        path = clone / "environments" / "contract.yaml"
        path.write_text(path.read_text().replace("port: 8000", f"port: {port}").replace("port: 8100", f"port: {port}"))
        git(clone, "commit", "-qam", port)
    git(clone, "checkout", "-q", "main")
    git(clone, "merge", "-q", "--squash", "topic")
    git(clone, "commit", "-q", "-m", "squashed")
    assert git(clone, "rev-parse", "topic") != git(clone, "rev-parse", "main")
    with base_tree(clone, "topic") as before_merge:
        assert before_merge.commit == git(clone, "rev-parse", "origin/main").strip()
    git(clone, "checkout", "-q", "topic")
    reviewed = clone.parent / "reviewed"
    shutil.copytree(clone, reviewed, ignore=shutil.ignore_patterns(".git"))
    git(clone, "checkout", "-q", "main")
    assert impact(reviewed, clone) == Impact((), ALL, (), ())


@pytest.mark.parametrize("part", ["tooling/hawser/policy", "tooling/hawser"])
def test_rules_that_became_a_link_are_told_though_what_it_leads_to_is_equal(
    clone: Path, tmp_path: Path, part: str
) -> None:
    shutil.move(clone / part, tmp_path / "elsewhere")
    (clone / part).symlink_to(tmp_path / "elsewhere")
    found = touched(clone)
    assert names(found) == ALL
    assert "the gate's rules: tooling/hawser/policy/engine.py" in found.guarded


def test_compiled_code_that_is_imported_without_a_source_is_told(clone: Path) -> None:
    (clone / "tooling/hawser/policy/rules/iam/quiet.pyc").write_bytes(b"code")
    git(clone, "add", "-f", "tooling/hawser/policy/rules/iam/quiet.pyc")
    found = touched(clone)
    assert names(found) == ALL
    assert found.guarded == ("the gate's rules: tooling/hawser/policy/rules/iam/quiet.pyc",)
