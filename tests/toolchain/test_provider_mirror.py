"""Where the provider comes from; the texts are read by the real terraform in the last test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hawser.errors import HawserError
from hawser.toolchain import provider_mirror
from hawser.toolchain.provider_mirror import PROVIDER, cli_config, provider_source


@pytest.fixture(autouse=True)
def _bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the person or the machine that runs the tests."""
    for name in ("TF_CLI_CONFIG_FILE", "TF_PLUGIN_MIRROR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "share"))
    monkeypatch.setattr(provider_mirror, "SYSTEM_MIRRORS", tmp_path / "opt")


def _mirror(folder: Path) -> Path:
    (folder / PROVIDER).mkdir(parents=True)
    return folder


def test_nothing_set_up_is_the_registry(tmp_path: Path) -> None:
    home = tmp_path / "checkout" / ".hawser"
    path = cli_config(home)
    assert path == home / "terraformrc"
    assert home.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text()
    assert "direct {}" in text
    assert "filesystem_mirror" not in text
    assert "disable_checkpoint = true" in text
    before = path.stat().st_ino
    assert cli_config(home).stat().st_ino == before  # written only when it differs


def test_the_configuration_of_the_person_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _mirror(tmp_path / "opt" / "found")
    mine = tmp_path / "mine.tfrc"
    mine.touch()
    monkeypatch.setenv("TF_CLI_CONFIG_FILE", str(mine))
    monkeypatch.setenv("TF_PLUGIN_MIRROR", str(tmp_path))
    assert cli_config(tmp_path / ".hawser") == mine
    assert not (tmp_path / ".hawser").exists()


def test_a_personal_file_is_used_unless_another_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _mirror(tmp_path / "opt" / "found")
    personal = tmp_path / "person" / ".terraformrc"
    personal.parent.mkdir()
    personal.touch()
    assert cli_config(tmp_path / ".hawser") == personal
    monkeypatch.setenv("TF_CLI_CONFIG_FILE", str(tmp_path / "missing.tfrc"))
    assert cli_config(tmp_path / ".hawser") == tmp_path / ".hawser" / "terraformrc"


@pytest.mark.parametrize("place", ["opt/a", "share/terraform/plugins", "person/.local/share/terraform/plugins"])
def test_a_mirror_that_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    mirror = _mirror(tmp_path / place)
    assert provider_source().mirror == mirror
    text = cli_config(tmp_path / ".hawser").read_text()
    assert f'path    = "{mirror}"' in text
    assert f'include = ["{PROVIDER}"]' in text
    assert f'exclude = ["{PROVIDER}"]' in text


def test_a_mac_has_other_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    mirror = _mirror(tmp_path / "person" / "Library/Application Support/io.terraform/plugins")
    assert provider_source().mirror == mirror


def test_a_mirror_that_was_asked_for_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _mirror(tmp_path / "opt" / "a")
    asked = _mirror(tmp_path / "asked")
    monkeypatch.setenv("TF_PLUGIN_MIRROR", str(asked))
    assert provider_source().mirror == asked


def test_a_mirror_without_the_provider_is_refused_when_asked_for_and_passed_by_when_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "opt" / "a" / "registry.terraform.io" / "hashicorp" / "google").mkdir(parents=True)
    assert provider_source().mirror is None
    monkeypatch.setenv("TF_PLUGIN_MIRROR", str(tmp_path / "opt" / "a"))
    with pytest.raises(HawserError, match=f"there is no {PROVIDER} in it"):
        cli_config(tmp_path / ".hawser")


@pytest.mark.terraform
@pytest.mark.parametrize("name", [None, "plain", 'with "quotes" and spaces'])
def test_terraform_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    """A mirror without any version: terraform says so, naming the folder, and finds no fault with the file."""
    root = tmp_path / "root"
    root.mkdir()
    if name is None:
        (root / "main.tf").write_text('resource "terraform_data" "x" {}\n')
    else:
        monkeypatch.setenv("TF_PLUGIN_MIRROR", str(_mirror(tmp_path / name)))
        (root / "main.tf").write_text(
            'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws" }\n  }\n}\n'
        )
    monkeypatch.setenv("TF_CLI_CONFIG_FILE", str(cli_config(tmp_path / ".hawser")))
    done = subprocess.run(["terraform", "init", "-no-color", "-input=false"], cwd=root, capture_output=True, text=True)
    words = " ".join((done.stdout + done.stderr).replace("│", " ").split())
    assert "CLI config" not in words
    assert (done.returncode == 0) is (name is None), words
    if name is not None:
        assert f"provider {PROVIDER} was not found in any of the search locations" in words
        assert str(tmp_path / name) in words
