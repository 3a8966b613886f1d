"""``hawser fit`` and ``hawser serve render``: figures with their arithmetic, objects that need ids of the stacks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from hawser.cli.main import cli
from hawser.errors import UsageError
from tests.contract.inputs import ROOT


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    if result.exception:
        raise result.exception
    return int(result.return_value or 0), result.stdout


def row(out: str, name: str) -> list[str]:
    (line,) = [line for line in out.splitlines() if line.strip().startswith(f"{name} ")]
    return line.removeprefix(f"  {name}").split()


def test_fit_shows_memory_start_and_limits() -> None:
    code, out = run("fit", "prod")
    assert code == 0
    # 275,040 MiB as EC2 reports them, nine tenths for the engine.
    assert row(out, "memory")[:2] == ["268.6", "GiB"]
    assert row(out, "what the engine takes")[:2] == ["241.7", "GiB"]
    assert row(out, "weights")[:2] == ["181.7", "GiB"]
    assert row(out, "copy the weights")[:4] == ["33", "min", "0", "min"]
    assert row(out, "ready after") == ["123", "min", "15", "min"]
    limits = [int(row(out, name)[2]) for name in ("engine ready", "startup probe", "operator", "rollout")]
    assert limits == sorted(set(limits)) == [4500, 4800, 8002, 8602]
    assert all(len(line) <= 100 for line in out.splitlines())


def test_fit_speaks_to_machines() -> None:
    found = json.loads(run("fit", "local-hyperpod", "--json")[1])
    assert (found["schema"], found["environment"]) == ("hawser.fit/1", "local-hyperpod")
    assert [pool["pool"] for pool in found["pools"]] == ["k3-on-demand", "k3-plan-a"]
    assert sum(step["first_s"] for step in found["start"]["steps"]) == found["start"]["first_s"]
    limits = found["limits"]
    assert limits["engine_s"] < limits["probe_s"] < limits["operator_s"] < limits["rollout_s"]


@pytest.fixture
def lustre(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose weights lie on Lustre."""
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copytree(ROOT / "tooling/locks", tmp_path / "tooling/locks")
    file = tmp_path / "environments/contract.yaml"
    file.write_text(file.read_text().replace("cache: instance-store", "cache: lustre"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


CACHE = {"file_system_id": "fs-0123456789abcdef0", "dns_name": "fs.example", "mount_name": "abcd"}


def test_volumes_of_lustre_need_the_outputs(lustre: Path) -> None:
    with pytest.raises(UsageError, match="need the ids of its file systems"):
        run("serve", "render", "prod")
    outputs = lustre / "outputs.json"
    outputs.write_text(json.dumps({"caches": {"value": {"usw2-az2": CACHE}}, "gpus": {"value": {}}}))
    code, out = run("serve", "render", "prod", "--upstream", str(outputs))
    assert code == 0
    volumes = [one for one in yaml.safe_load_all(out) if one["kind"] == "PersistentVolume"]
    assert "fs-0123456789abcdef0" in [one["spec"].get("csi", {}).get("volumeHandle") for one in volumes]


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"caches": {}}', '{"caches": {"value": {"a": {}}}}', '{"caches": {"value": 7}}']
)
def test_a_file_that_holds_no_outputs_is_refused(lustre: Path, content: str) -> None:
    outputs = lustre / "outputs.json"
    outputs.write_text(content)
    with pytest.raises(UsageError, match="does not hold the output `caches`"):
        run("serve", "render", "prod", "--upstream", str(outputs))
    with pytest.raises(UsageError, match="cannot be read"):
        run("serve", "render", "prod", "--upstream", str(lustre / "nowhere.json"))


def test_namespace_and_account_are_those_of_the_stacks() -> None:
    """The pod identity and the alarms name them too."""
    from hawser.render.manifests.names import NAMESPACE, SERVICE_ACCOUNT

    role = (ROOT / "modules/serving-role/role.tf").read_text()
    assert f'namespace       = "{NAMESPACE}"' in role
    assert f'service_account = "{SERVICE_ACCOUNT}"' in role
    for stack in ("eks", "hyperpod"):
        assert f'Namespace = "{NAMESPACE}"' in (ROOT / f"terraform/{stack}/alarms.tf").read_text()
