"""``hawser render`` and ``hawser schema``: write, compare, remove."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hawser.cli.main import cli
from hawser.contract import ContractError
from hawser.render.generated import write_files


@pytest.fixture
def run(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(checkout)
    return Run()


class Run:
    """Runs a command in the checkout; gives exit code, stdout and stderr."""

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(cli, arguments, standalone_mode=False)
        if result.exception:
            raise result.exception
        return int(result.return_value), result.stdout, result.stderr


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_render_writes_what_check_accepts(checkout: Path, run: Run) -> None:
    folder = checkout / "environments/prod/generated"
    shipped = content(folder)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    assert run("render", "prod", "--check")[0] == 8
    code, out, _ = run("render", "prod")
    assert code == 0
    assert out.splitlines() == [
        "environments/prod/generated: wrote bootstrap.tfvars.json",
        "environments/prod/generated: wrote eks.tfvars.json",
        "environments/prod/generated: wrote launch.sh",
        "environments/prod/generated: wrote platform.tfvars.json",
        "environments/prod/generated: wrote serving.yaml",
    ]
    assert content(folder) == shipped
    assert run("render", "prod", "--check") == (0, "environments/prod/generated is up to date.\n", "")
    assert json.loads(run("render", "prod", "--json")[1])["files"] == []


def test_check_names_each_stale_file_and_the_command(checkout: Path, run: Run) -> None:
    folder = checkout / "environments/prod/generated"
    (folder / "eks.tfvars.json").write_text("{}", encoding="utf-8")
    (folder / "platform.tfvars.json").unlink()
    (folder / "hyperpod.tfvars.json").write_text("{}", encoding="utf-8")
    before = content(folder)
    code, out, err = run("render", "prod", "--check")
    assert code == 8
    assert out.splitlines() == [
        "environments/prod/generated/eks.tfvars.json: differs",
        "environments/prod/generated/hyperpod.tfvars.json: does not belong here",
        "environments/prod/generated/platform.tfvars.json: missing",
    ]
    assert "Run `hawser render prod` and commit it." in err
    assert content(folder) == before


def test_a_change_of_target_removes_the_other_stack(checkout: Path, run: Run) -> None:
    file = checkout / "environments/local/env.yaml"
    text = file.read_text(encoding="utf-8").replace("target: eks", "target: hyperpod")
    text = text.replace("kind: capacity-block", "kind: training-plan").replace(
        "reservation_id: cr-0123456789abcdef0",
        "training_plan_arn: arn:aws:sagemaker:us-west-2:111122223333:training-plan/kimi-k3-example",
    )
    file.write_text(text, encoding="utf-8")
    assert run("render", "local")[1].splitlines()[-1] == "environments/local/generated: removed eks.tfvars.json"
    assert sorted(content(checkout / "environments/local/generated")) == [
        "bootstrap.tfvars.json",
        "hyperpod.tfvars.json",
        "launch.sh",
        "platform.tfvars.json",
        "serving.yaml",
    ]


def test_a_second_run_touches_nothing(checkout: Path, run: Run) -> None:
    folder = checkout / "environments/prod/generated"
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert run("render", "prod") == (0, "environments/prod/generated is up to date.\n", "")
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_every_value_change_makes_it_stale(checkout: Path, run: Run) -> None:
    file = checkout / "environments/prod/env.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("approvals: 1", "approvals: 2"), encoding="utf-8")
    assert run("render", "prod", "--check")[0] == 8


def test_an_invalid_environment_renders_nothing(checkout: Path, run: Run) -> None:
    file = checkout / "environments/prod/env.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("replicas: 2", "replicas: 9"), encoding="utf-8")
    before = content(checkout / "environments/prod/generated")
    with pytest.raises(ContractError):
        run("render", "prod")
    assert content(checkout / "environments/prod/generated") == before


def test_a_failed_write_leaves_the_old_file_and_no_scraps(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"old")
    with pytest.raises(TypeError):
        write_files(tmp_path, {"a.json": "not bytes"}, "*.json")  # type: ignore[dict-item]
    assert content(tmp_path) == {"a.json": b"old"}


def test_schema_prints_writes_and_compares(checkout: Path, run: Run) -> None:
    folder = checkout / "environments/schema"
    shipped = content(folder)
    assert run("schema", "env")[1].encode() == shipped["env.schema.json"]
    (folder / "env.schema.json").write_text("{}", encoding="utf-8")
    code, out, err = run("schema", "--check")
    assert (code, out) == (8, "environments/schema/env.schema.json: differs\n")
    assert "Run `hawser schema` and commit it." in err
    assert run("schema") == (0, "environments/schema: wrote env.schema.json\n", "")
    assert content(folder) == shipped
    assert run("schema", "--check")[0] == 0
