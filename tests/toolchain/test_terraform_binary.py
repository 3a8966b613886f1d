"""Finding and fetching terraform: stand-ins that answer like it, and a local server with the pinned release's names."""

from __future__ import annotations

import hashlib
import io
import json
import os
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hawser.errors import HawserError
from hawser.toolchain import terraform_binary
from hawser.toolchain.terraform_binary import (
    BASE_URL_VARIABLE,
    Release,
    find_terraform,
    is_new_enough,
    pinned_release,
    this_platform,
)


def _program(folder: Path, text: str, name: str = "terraform") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def _terraform(version: str, before: str = "", after: str = "") -> str:
    answer = json.dumps({"terraform_version": version, "platform": "linux_amd64", "provider_selections": {}})
    return f"#!/bin/sh\necho '{before}'\necho '{answer}'\necho '{after}'\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder with a terraform on PATH."""
    path = tmp_path / "path"
    path.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(path), "/usr/bin", "/bin"]))
    return path


class _Releases(BaseHTTPRequestHandler):
    files: dict[str, bytes] = {}  # noqa: RUF012
    cut: int | None = None
    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        body = self.files.get(self.path)
        if body is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.cut])

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def releases(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Releases]]:
    """A server with the pinned version for this platform; it is a script that gives that version."""
    version, here = pinned_release().version, this_platform()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("LICENSE.txt", "x")
        files.writestr("terraform", _terraform(version))
    path = f"/{version}/terraform_{version}_{here}.zip"
    handler = type("Handler", (_Releases,), {"files": {path: archive.getvalue()}, "cut": None, "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(BASE_URL_VARIABLE, f"http://127.0.0.1:{server.server_port}/")
    url = pinned_release().url
    digest = hashlib.sha256(archive.getvalue()).hexdigest()
    monkeypatch.setattr(terraform_binary, "pinned_release", lambda: Release(version, url, {here: digest}))
    yield handler
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_one_on_path_is_used(folder: Path, tmp_path: Path) -> None:
    program = _program(folder, _terraform("1.12.3"))
    found = find_terraform(tmp_path / ".hawser")
    assert (found.path, found.version, found.note) == (program, "1.12.3", "")


def test_a_link_is_followed_unless_the_program_goes_by_its_name(folder: Path, tmp_path: Path) -> None:
    real = _program(tmp_path / "store", _terraform("1.12.3"), "terraform-1.12.3")
    (folder / "terraform").symlink_to(real)
    assert find_terraform(tmp_path).path == real
    (folder / "terraform").unlink()
    (folder / "terraform").symlink_to(_program(tmp_path / "store", _terraform("1.12.4"), "shims"))
    assert find_terraform(tmp_path).path == folder / "terraform"


@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), ("{ switching to 1.13.0 }", "done {}"), ('{"tool": "manager"}', "{"), ("[32mInstalled", "")],
)
def test_lines_of_a_version_manager_are_skipped(folder: Path, tmp_path: Path, before: str, after: str) -> None:
    _program(folder, _terraform("1.13.0", before, after))
    assert find_terraform(tmp_path).version == "1.13.0"


def test_a_stand_in_is_asked_every_time_a_real_one_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / ".hawser"
    program = _program(folder, _terraform("1.12.3"))
    assert find_terraform(home).version == "1.12.3"
    assert not (home / "toolchain.json").exists()

    monkeypatch.setattr(terraform_binary, "SMALLEST_TERRAFORM", 1)
    count = tmp_path / "count"
    program.write_text(f"#!/bin/sh\necho >> {count}\n" + _terraform("1.12.5").split("\n", 1)[1])
    assert [find_terraform(home).version for _ in range(3)] == ["1.12.5"] * 3
    assert count.read_text().count("\n") == 1
    assert (home / "toolchain.json").stat().st_mode & 0o777 == 0o600

    os.utime(program, ns=(1, 1))  # another file may lie there now
    assert find_terraform(home).version == "1.12.5"
    assert count.read_text().count("\n") == 2

    (home / "toolchain.json").write_text('{"terraform": []}')
    assert find_terraform(home).version == "1.12.5"


@pytest.mark.parametrize(
    ("program", "note"),
    [
        (_terraform("1.10.5"), "is terraform 1.10.5, older than 1.11"),
        (_terraform("1.11.0-rc1"), "is terraform 1.11.0-rc1, older than 1.11"),
        ("#!/bin/sh\necho no version is set >&2\nexit 1\n", "does not tell its version"),
        ("#!/bin/sh\necho 'Terraform v1.12.0'\n", "does not tell its version"),
        ("not a program", "does not tell its version"),
        (None, "there is no terraform on PATH"),
    ],
)
def test_else_the_pinned_one_is_fetched_once(
    folder: Path, tmp_path: Path, releases: type[_Releases], program: str | None, note: str
) -> None:
    if program is not None:
        _program(folder, program)
    home = tmp_path / ".hawser"
    found = find_terraform(home)
    assert found.path == home / "bin" / "terraform"
    assert found.version == pinned_release().version
    assert note in found.note
    assert str(found.path) in found.note
    assert os.access(found.path, os.X_OK)
    assert find_terraform(home) == found
    assert len(releases.asked) == 1
    assert sorted(path.name for path in (home / "bin").iterdir()) == [".terraform.lock", "terraform"]


def _nothing_is_left(home: Path) -> None:
    assert [path.name for path in (home / "bin").iterdir()] == [".terraform.lock"]


def test_a_wrong_checksum_is_refused(folder: Path, tmp_path: Path, releases: type[_Releases]) -> None:
    path = next(iter(releases.files))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("terraform", _terraform(pinned_release().version) + "evil\n")
    releases.files = {path: archive.getvalue()}
    with pytest.raises(HawserError) as caught:
        find_terraform(tmp_path)
    assert "there is no terraform on PATH, and http://127.0.0.1" in caught.value.message
    assert "it was refused" in caught.value.message
    assert BASE_URL_VARIABLE in caught.value.fix
    _nothing_is_left(tmp_path)


def test_a_download_that_is_cut_short_is_refused(folder: Path, tmp_path: Path, releases: type[_Releases]) -> None:
    releases.cut = 100
    with pytest.raises(HawserError, match=r"refused|cannot be fetched"):
        find_terraform(tmp_path)
    _nothing_is_left(tmp_path)


def test_a_release_that_is_not_there_is_one_sentence(folder: Path, tmp_path: Path, releases: type[_Releases]) -> None:
    _program(folder, _terraform("1.5.7"))
    releases.files = {}
    with pytest.raises(HawserError) as caught:
        find_terraform(tmp_path)
    assert "terraform 1.5.7, older than 1.11, and http://127.0.0.1" in caught.value.message
    assert "404" in caught.value.message
    assert "Install terraform >= 1.11 on PATH" in caught.value.fix
    _nothing_is_left(tmp_path)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "file:///etc", "releases", "http://[bad"])
def test_a_place_that_does_not_answer_is_one_sentence(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv(BASE_URL_VARIABLE, url)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(HawserError, match="cannot be fetched") as caught:
        find_terraform(tmp_path)
    assert "\n" not in caught.value.message
    _nothing_is_left(tmp_path)


def test_a_platform_without_a_pinned_release_is_one_sentence(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terraform_binary, "this_platform", lambda: "plan9_mips")
    with pytest.raises(HawserError, match=r"no terraform [0-9.]+ is pinned for plan9_mips"):
        find_terraform(tmp_path)


def test_a_fetched_one_that_is_broken_is_fetched_again(folder: Path, tmp_path: Path, releases: type[_Releases]) -> None:
    _program(tmp_path / "bin", "#!/bin/sh\nexit 1\n")
    assert find_terraform(tmp_path).version == pinned_release().version
    assert len(releases.asked) == 1


def test_the_pinned_release_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BASE_URL_VARIABLE, raising=False)
    release = pinned_release()
    assert is_new_enough(release.version)
    assert release.url.startswith("https://")
    assert sorted(release.sha256) == ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"]
    assert all(len(bytes.fromhex(digest)) == 32 for digest in release.sha256.values())


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.11.0", True),
        ("1.11.4", True),
        ("1.12.0-beta1", True),
        ("2.0.0", True),
        ("1.11.0-rc1", False),
        ("1.10.9", False),
        ("0.15.5", False),
        ("v1.11.4", False),
        ("", False),
    ],
)
def test_versions(version: str, expected: bool) -> None:
    assert is_new_enough(version) is expected
