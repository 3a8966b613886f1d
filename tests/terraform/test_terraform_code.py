"""Terraform's own checks on every stack and module, and what the stacks and the toolkit must agree on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.terraform.running import MODULES, ROOT, STACKS, initialised, passes

from hawser.contract import environment_names, load_deployment
from hawser.render.folder import generated_files
from hawser.render.tfvars import stack_names, tfvars
from hawser.terraform.handoff import PLACEHOLDERS
from hawser.terraform.stacks import declared, sources_digest, stack, undeclared_and_missing, with_local_state

EVERY = [str(folder.relative_to(ROOT)) for folder in (*STACKS, *MODULES)]

pytestmark = pytest.mark.terraform


def test_everything_is_formatted(tmp_path: Path) -> None:
    for part in ("terraform", "modules", "tests"):
        passes(ROOT / part, tmp_path, "fmt", "-check", "-recursive", "-diff")


@pytest.mark.parametrize("name", EVERY)
def test_it_validates_and_its_tests_pass(name: str, tmp_path: Path, provider: dict[str, str]) -> None:
    folder = ROOT / name
    lock = folder / ".terraform.lock.hcl"
    read_only = ["-lockfile=readonly"] if lock.is_file() else []
    before = lock.read_bytes() if lock.is_file() else None
    initialised(folder, tmp_path, "-backend=false", *read_only)
    try:
        passes(folder, tmp_path, "test", **provider)  # it validates the folder before the first run
    finally:
        if before is None:
            lock.unlink(missing_ok=True)
    assert before is None or lock.read_bytes() == before


@pytest.mark.parametrize("name", EVERY)
def test_a_refused_run_is_among_its_tests(name: str) -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in (ROOT / name / "tests").glob("*.tftest.hcl"))
    assert "expect_failures" in text
    assert "assert {" in text


def test_lock_files_are_equal_and_hold_every_platform() -> None:
    locks = {(folder / ".terraform.lock.hcl").read_text(encoding="utf-8") for folder in STACKS}
    assert len(locks) == 1
    (lock,) = locks
    assert len(re.findall(r'"zh:[0-9a-f]{64}"', lock)) == 15
    assert len(re.findall(r'"h1:', lock)) == 2
    assert 'version     = "5.100.0"' in lock


def test_versions_are_equal() -> None:
    wanted = {'required_version = ">= 1.11"', 'version = ">= 5.100, < 7"'}
    for folder in (*STACKS, *MODULES):
        text = (folder / "versions.tf").read_text(encoding="utf-8")
        assert all(line in text for line in wanted), folder.name


@pytest.mark.parametrize("env", environment_names(ROOT))
def test_what_is_rendered_is_what_the_stacks_declare(env: str, tmp_path: Path) -> None:
    deployment = load_deployment(ROOT, env)
    for name in ("bootstrap", *stack_names(deployment)):
        names = declared(stack(ROOT, name), tmp_path / "declared.json")
        assert undeclared_and_missing(tfvars(deployment, name), names) == ((), ())


@pytest.mark.parametrize("env", environment_names(ROOT))
def test_generated_files_are_fresh(env: str) -> None:
    folder = ROOT / "environments" / env / "generated"
    wanted = generated_files(load_deployment(ROOT, env))
    found = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert found == wanted, f"run `hawser render {env}`"


def test_every_consumed_value_is_an_output_of_platform_and_has_a_stand_in(tmp_path: Path) -> None:
    outputs = set(re.findall(r'^output "(\w+)"', (ROOT / "terraform/platform/outputs.tf").read_text(), re.MULTILINE))
    for name in ("eks", "hyperpod"):
        consumed = set(declared(stack(ROOT, name), tmp_path / "declared.json").upstream)
        assert consumed <= outputs
        assert consumed <= set(PLACEHOLDERS)


def test_what_an_existing_platform_may_leave_out_has_a_default(tmp_path: Path) -> None:
    for name in ("eks", "hyperpod"):
        assert declared(stack(ROOT, name), tmp_path / "declared.json").upstream_optional == (
            "alerts_topic_arn",
            "host_log_group",
        )


def test_what_is_declared_is_kept_by_content(tmp_path: Path) -> None:
    cache = tmp_path / "declared.json"
    first = declared(stack(ROOT, "eks"), cache)
    assert declared(stack(ROOT, "eks"), cache) == first
    assert len(json.loads(cache.read_text())) == 1
    older = {digest: {"required": [], "optional": [], "upstream": []} for digest in json.loads(cache.read_text())}
    for unusable in ("rubbish", json.dumps(older)):
        cache.write_text(unusable)
        assert declared(stack(ROOT, "eks"), cache) == first


def test_sources_reach_through_modules(tmp_path: Path) -> None:
    for name, text in {
        "terraform/a/main.tf": 'module "m" {\n  source = "../../modules/m"\n}\n', "terraform/a/versions.tf": "",
        "terraform/a/README.md": "x", "modules/m/main.tf": 'module "n" {\n  source = "../n"\n}\n',
        "modules/n/script.sh": "echo", "modules/other/main.tf": "",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    first = sources_digest(stack(tmp_path, "a"))
    for unseen in ("terraform/a/README.md", "modules/other/main.tf"):
        (tmp_path / unseen).write_text("changed")
        assert sources_digest(stack(tmp_path, "a")) == first
    for seen in ("modules/n/script.sh", "modules/m/main.tf", "terraform/a/main.tf"):
        text = (tmp_path / seen).read_text()
        (tmp_path / seen).write_text(text + "\n")
        assert sources_digest(stack(tmp_path, "a")) != first
        (tmp_path / seen).write_text(text)


def test_a_copy_with_local_state_holds_the_same_but_the_backend(tmp_path: Path) -> None:
    copy = with_local_state(stack(ROOT, "bootstrap"), tmp_path / "sources")
    assert copy.lock_file.read_bytes() == stack(ROOT, "bootstrap").lock_file.read_bytes()
    override = copy.folder / "backend_override.tf"
    assert 'backend "local"' in override.read_text()
    assert override.stat().st_mode & 0o777 == 0o600
    override.unlink()
    assert sources_digest(copy) == sources_digest(stack(ROOT, "bootstrap"))
    (copy.folder / "old.tf").write_text("# no longer there")
    (copy.folder / "errored.tfstate").write_text("a state that was not saved")
    again = with_local_state(stack(ROOT, "bootstrap"), tmp_path / "sources")
    assert not (again.folder / "old.tf").exists()
    assert (again.folder / "errored.tfstate").read_text() == "a state that was not saved"


def test_no_data_source_asks_aws() -> None:
    allowed = {"aws_partition", "aws_region", "aws_iam_policy_document"}
    for file in (*ROOT.glob("terraform/*/*.tf"), *ROOT.glob("modules/*/*.tf")):
        text = file.read_text(encoding="utf-8")
        assert set(re.findall(r'^data "(\w+)"', text, re.MULTILINE)) <= allowed, file
        assert "provisioner" not in text, file
        assert "prevent_destroy" not in text, file


def test_no_stack_takes_an_ephemeral_variable() -> None:
    """Its value is in no saved plan, so an apply of that plan alone would stop and ask for it (Terraform 1.10)."""
    declared = [path for path in (ROOT / "terraform").glob("*/*.tf") if "ephemeral" in path.read_text(encoding="utf-8")]
    assert declared == []
