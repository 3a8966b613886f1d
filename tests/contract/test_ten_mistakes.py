"""Ten different mistakes in two files: ten messages with the right lines, exit 3, nothing rendered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from inputs import CONTRACT, ROOT, edited, env_text, line_of

from hawser.cli.main import cli
from hawser.contract import ContractError, load_deployment
from hawser.errors import UsageError

MISTAKES = [
    # file, what is written now, what is written instead, path, in the message
    (
        "contract.yaml",
        "digest: sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "digest: kimi-k3",
        "image.digest",
        "sha256: and 64 hex digits",
    ),
    (
        "contract.yaml",
        'minimum_driver: "580"',
        "minimum_driver: 580",
        "image.minimum_driver",
        'write it in quotes: "580"',
    ),
    (
        "contract.yaml",
        "size_bytes: 1560936091448",
        "size_bytes: 1400000000000",
        "weights.size_bytes",
        "1.561 TB = 1453.7 GiB",
    ),
    (
        "contract.yaml",
        "gpus_per_replica: 8",
        "gpus_per_replica: 4",
        "serving.gpus_per_replica",
        "8 = tensor_parallel 8",
    ),
    (
        "contract.yaml",
        "reasoning_parser: kimi_k3",
        "reasoning_parser: kimi_k2",
        "serving.reasoning_parser",
        "empty content",
    ),
    (
        "prod/env.yaml",
        'account_id: "111122223333"',
        "account_id: 012345670123",
        "account_id",
        'write it in quotes: "012345670123"',
    ),
    ("prod/env.yaml", "replicas: 2", "replcas: 2", "replcas", "rename it to replicas"),
    (
        "prod/env.yaml",
        "reservation_id: cr-0123456789abcdef0",
        "reservation_id: cb-0123456789abcdef0",
        "capacity.k3-block-a.reservation_id",
        "cb-… is the block",
    ),
    ("prod/env.yaml", "zone_id: usw2-az2", "zone_id: us-west-2b", "capacity.k3-block-a.zone_id", "not a zone name"),
    (
        "prod/env.yaml",
        "usw2-az2: 10.40.240.32/27",
        "usw2-az2: 10.40.240.0/27",
        "network.control_plane_subnets.usw2-az2",
        "no part of 10.40.240.0/27",
    ),
]


@pytest.fixture
def run(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs a command in the checkout."""
    monkeypatch.chdir(checkout)
    return lambda *arguments: CliRunner().invoke(cli, arguments, standalone_mode=False)


def process(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tooling")}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def with_mistakes(checkout: Path) -> dict[str, str]:
    """The two files as they are written into ``checkout``: each with its mistakes."""
    texts = {"contract.yaml": CONTRACT, "prod/env.yaml": env_text("prod")}
    for file, old, new, _, _ in MISTAKES:
        texts[file] = edited(texts[file], (old, new))
    for file, text in texts.items():
        (checkout / "environments" / file).write_text(text, encoding="utf-8")
    return texts


def test_ten_mistakes_are_ten_messages_with_their_lines(checkout: Path) -> None:
    texts = with_mistakes(checkout)
    code = "import sys; sys.argv = ['hawser', 'check', 'prod']; from hawser.cli.main import main; main()"
    ran = process(checkout, code)
    assert ran.returncode == 3
    assert "10 problems in prod; nothing was rendered." in ran.stderr
    lines = ran.stdout.splitlines()
    assert len(lines) == len(MISTAKES)
    expected = sorted(
        (f"environments/{file}", line_of(texts[file], new), path, says) for file, _, new, path, says in MISTAKES
    )
    for line, (file, number, path, says) in zip(lines, expected, strict=True):
        assert line.startswith(f"{file}:{number}:")
        assert f": {path}: found " in line
        assert says in line
        assert "; expected " in line
        assert "; fix: " in line


def test_nothing_is_rendered(checkout: Path, run: Callable[..., Result]) -> None:
    with_mistakes(checkout)
    generated = checkout / "environments/prod/generated"
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in generated.iterdir()}
    ran = run("render", "prod")
    assert isinstance(ran.exception, ContractError)
    assert ran.exception.exit_code == 3
    message = ran.exception.message
    assert message.startswith("10 problems in environments/contract.yaml and environments/prod/env.yaml\n")
    assert message.count("; fix: ") == 10
    assert ran.stdout == ""
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in generated.iterdir()} == before


def test_explain_adds_the_reasons(checkout: Path, run: Callable[..., Result]) -> None:
    with_mistakes(checkout)
    ran = run("check", "prod", "--explain")
    assert ran.return_value == 3
    assert "why: A tag can be moved" in ran.stdout
    assert "why: Reservations are bound to zone ids" in ran.stdout


def test_json_holds_the_same(checkout: Path, run: Callable[..., Result]) -> None:
    with_mistakes(checkout)
    ran = run("check", "prod", "--json")
    assert ran.return_value == 3
    told = json.loads(ran.stdout)
    assert told["valid"] is False
    assert {problem["path"] for problem in told["problems"]} == {path for _, _, _, path, _ in MISTAKES}
    assert ran.stderr == ""


def test_a_valid_environment_has_a_summary_and_exit_0(run: Callable[..., Result]) -> None:
    ran = run("check", "dev", "--explain")
    assert ran.return_value == 0
    assert "dev is valid: hyperpod in us-west-2, account 444455556666" in ran.stdout
    assert "weights 181.7 of 241.7 GiB per GPU" in ran.stdout
    assert "serving.max_model_len: 65536 instead of 131072" in ran.stdout
    assert "A pool's zone has a node subnet." in ran.stdout
    assert ran.stderr == ""


def test_a_valid_environment_as_json(run: Callable[..., Result]) -> None:
    told = json.loads(run("check", "prod", "--json").stdout)
    assert (told["valid"], told["problems"], told["target"]) == (True, [], "eks")
    assert len(told["digest"]) == 64
    assert "account_id" in told["examples"]


def test_bad_waivers_are_told_too(checkout: Path, run: Callable[..., Result]) -> None:
    (checkout / "environments/prod/waivers.yaml").write_text("waivers: [{rule: x}]\n", encoding="utf-8")
    ran = run("check", "prod")
    assert ran.return_value == 3
    assert "environments/prod/waivers.yaml:1:18: waivers.0.rule: found x; expected a rule id" in ran.stdout


def test_an_unknown_environment_is_wrong_usage(run: Callable[..., Result]) -> None:
    error = run("check", "prdo").exception
    assert isinstance(error, UsageError)
    assert error.exit_code == 2
    assert error.fix == "Did you mean prod? Environments: dev, local, local-hyperpod, prod."


def test_a_name_is_no_path(checkout: Path) -> None:
    for trick in ("../prod", "prod/", "./prod", "schema", "", "prod\n", "PROD", "a" * 5000, "prod; id"):
        with pytest.raises(UsageError, match="there is no environment"):
            load_deployment(checkout, trick)


def test_heavy_libraries_are_not_imported(checkout: Path) -> None:
    code = (
        "import sys\n"
        "from hawser.cli.main import cli\n"
        "cli.main(['check', 'prod'], standalone_mode=False)\n"
        "cli.main(['render', 'prod', '--check'], standalone_mode=False)\n"
        "print(sorted({'boto3', 'botocore', 'rich', 'hcl2', 'jinja2', 'python_terraform'} & set(sys.modules)))"
    )
    ran = process(checkout, code)
    assert ran.stdout.splitlines()[-1] == "[]", ran.stderr
