"""Finding terraform: the one on PATH when it is new enough, else the pinned release, fetched and checked."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from hawser.errors import HawserError
from hawser.files import write_atomically
from hawser.toolchain.home import locked, private_folder

#: The S3 backend locks without DynamoDB (``use_lockfile``) from this version on.
MINIMUM: Final = (1, 11, 0)
MINIMUM_TEXT: Final = "1.11"
BASE_URL_VARIABLE: Final = "HAWSER_TERRAFORM_BASE_URL"
#: terraform itself is about 90 MB; what is far smaller is a version manager's stand-in, which may answer for another
#: version in another folder, so its answer is never cached.
SMALLEST_TERRAFORM: Final = 40_000_000
#: Seconds for ``terraform version`` (a version manager may download first) and for each read of the download.
ANSWER_SECONDS: Final = 120
READ_SECONDS: Final = 60
#: Bytes; a download that grows beyond is not a terraform zip (1.11.4: about 28 MB).
LARGEST_ZIP: Final = 200_000_000


@dataclass(frozen=True, slots=True)
class TerraformBinary:
    """A terraform that is new enough. ``note`` says why it is not the one on PATH, when there is one."""

    path: Path
    version: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """The pinned release: version, where its zips lie, and the SHA-256 of the zip per platform (``linux_amd64``)."""

    version: str
    url: str
    sha256: Mapping[str, str]


def find_terraform(home: Path) -> TerraformBinary:
    """Find terraform >= 1.11 on PATH, else the pinned one in ``home/bin``, fetched when it is not there yet.

    Raises ``HawserError`` when there is none and none can be fetched.
    """
    found, note = on_path(home)
    if found:
        return found
    release = pinned_release()
    target = home / "bin" / "terraform"
    if version_of(target, home) != release.version:
        try:
            _fetch(release, target)
        except HawserError as error:
            raise HawserError(f"{note}, and {error.message}", fix=error.fix) from None
    return TerraformBinary(target, release.version, f"{note}; using {target} {release.version}")


def on_path(home: Path) -> tuple[TerraformBinary | None, str]:
    """The terraform on PATH if it is new enough, else ``None`` and the reason in words."""
    name = shutil.which("terraform")
    if name is None:
        return None, "there is no terraform on PATH"
    path = Path(name).absolute()
    real = path.resolve()
    if real.name.startswith("terraform"):  # else it is a tool that acts by the name it was called with (mise)
        path = real
    version = version_of(path, home)
    if version is None:
        return None, f"{path} does not tell its version"
    if not is_new_enough(version):
        return None, f"{path} is terraform {version}, older than {MINIMUM_TEXT}"
    return TerraformBinary(path, version), ""


def is_new_enough(version: str) -> bool:
    """Whether this terraform version is at least 1.11.0; a pre-release comes before its release."""
    match = re.match(r"(\d+)\.(\d+)\.(\d+)(-)?", version)
    if match is None:
        return False
    numbers = (int(match[1]), int(match[2]), int(match[3]))
    return numbers > MINIMUM if match[4] else numbers >= MINIMUM


def version_of(path: Path, home: Path) -> str | None:
    """The version that the terraform at ``path`` gives, or ``None`` when it does not; remembered by size and mtime."""
    try:
        status = path.stat()
    except OSError:
        return None
    cache = home / "toolchain.json"
    key = [status.st_size, status.st_mtime_ns]
    known = _remembered(cache)
    if path.name.startswith("terraform") and status.st_size >= SMALLEST_TERRAFORM:
        entry = known.get(str(path))
        if isinstance(entry, dict) and entry.get("file") == key and isinstance(entry.get("version"), str):
            return str(entry["version"])
        version = _ask(path)
        if version is not None:
            known[str(path)] = {"file": key, "version": version}
            private_folder(home)
            write_atomically(cache, json.dumps({"terraform": known}, indent=1, sort_keys=True).encode(), 0o600)
        return version
    return _ask(path)


def _remembered(cache: Path) -> dict[str, Any]:
    try:
        known = json.loads(cache.read_bytes())["terraform"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return known if isinstance(known, dict) else {}


def _ask(path: Path) -> str | None:
    """``terraform version -json``; lines that a version manager prints around the JSON are skipped."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TF_CLI_ARGS", "TF_LOG"))}
    try:
        done = subprocess.run(
            [str(path), "version", "-json"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_SECONDS,
            env={**environment, "CHECKPOINT_DISABLE": "1"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return _version_in(done.stdout) if done.returncode == 0 else None


def _version_in(text: str) -> str | None:
    decoder = json.JSONDecoder()
    for brace in re.finditer(r"\{", text):
        try:
            answer, _ = decoder.raw_decode(text, brace.start())
        except ValueError:
            continue
        version = answer.get("terraform_version")
        if isinstance(version, str) and re.match(r"\d+\.\d+\.\d+", version):
            return version
    return None


def pinned_release() -> Release:
    """The release in ``facts/terraform.yaml``; the environment may name another place to fetch it from."""
    import yaml

    facts = yaml.safe_load(resources.files("hawser.facts").joinpath("terraform.yaml").read_text(encoding="utf-8"))
    url = os.environ.get(BASE_URL_VARIABLE) or facts["url"]
    return Release(facts["version"], url.rstrip("/"), facts["sha256"])


def this_platform() -> str:
    """``linux_amd64`` and the like, as release files are named."""
    machine = platform.machine().lower()
    architecture = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}.get(machine, machine)
    return f"{platform.system().lower()}_{architecture}"


def _fetch(release: Release, target: Path) -> None:
    import http.client
    import urllib.error
    import zipfile

    here = this_platform()
    by_hand = f"Install terraform >= {MINIMUM_TEXT} on PATH, or set {BASE_URL_VARIABLE} to a mirror of its releases."
    if here not in release.sha256:
        raise HawserError(f"no terraform {release.version} is pinned for {here}", fix=by_hand)
    url = f"{release.url}/{release.version}/terraform_{release.version}_{here}.zip"
    private_folder(target.parent.parent)
    target.parent.mkdir(exist_ok=True)
    with (
        locked(target.parent / ".terraform.lock"),
        tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch.") as folder,
    ):
        archive = Path(folder) / "terraform.zip"
        try:
            digest = _download(url, archive)
        except urllib.error.HTTPError as error:
            error.close()
            raise HawserError(f"{url} cannot be fetched (HTTP {error.code})", fix=by_hand) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = error.reason if isinstance(error, urllib.error.URLError) else error
            raise HawserError(f"{url} cannot be fetched ({why})", fix=by_hand) from None
        if digest != release.sha256[here]:
            raise HawserError(
                f"{url} has the SHA-256 {digest}, not {release.sha256[here]}: it was refused",
                fix=f"Fetch again, for it may be cut short; if it stays so, the server is not to be trusted. {by_hand}",
            )
        with zipfile.ZipFile(archive) as files:
            unpacked = Path(files.extract("terraform", folder))
        unpacked.chmod(0o755)
        unpacked.replace(target)


def _download(url: str, archive: Path) -> str:
    """Write the file to ``archive``; its SHA-256."""
    import urllib.request

    if not url.startswith(("https://", "http://")):
        raise ValueError("not an http address")
    digest = hashlib.sha256()
    size = 0
    with (
        urllib.request.urlopen(url, timeout=READ_SECONDS) as response,  # noqa: S310 - the scheme was checked
        archive.open("wb") as file,
    ):
        while block := response.read(1 << 20):
            size += len(block)
            if size > LARGEST_ZIP:
                raise ValueError(f"it is larger than {LARGEST_ZIP} bytes")
            digest.update(block)
            file.write(block)
    return digest.hexdigest()
