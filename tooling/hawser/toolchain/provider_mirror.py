"""Where terraform gets the AWS provider from, written as a CLI configuration of our own."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hawser.errors import HawserError
from hawser.files import write_atomically
from hawser.toolchain.home import private_folder

PROVIDER: Final = "registry.terraform.io/hashicorp/aws"
MIRROR_VARIABLE: Final = "TF_PLUGIN_MIRROR"
#: Where machine images keep provider mirrors, one folder each.
SYSTEM_MIRRORS: Final = Path("/opt")


@dataclass(frozen=True, slots=True)
class ProviderSource:
    """``config``: a CLI configuration of the person, used as it is. Else ``mirror``, or the registry when ``None``.

    ``why`` says in words how it was chosen.
    """

    why: str
    config: Path | None = None
    mirror: Path | None = None


def cli_config(home: Path) -> Path:
    """The CLI configuration to give terraform in ``TF_CLI_CONFIG_FILE``; ours is ``home/terraformrc``.

    Raises ``HawserError`` when ``TF_PLUGIN_MIRROR`` names a folder without the provider.
    """
    source = provider_source()
    if source.config is not None:
        return source.config
    target = private_folder(home) / "terraformrc"
    cache = target.with_name("plugins")
    if source.mirror is None:
        cache.mkdir(exist_ok=True)
    wanted = _render(source.mirror, cache).encode()
    if not target.is_file() or target.read_bytes() != wanted:
        write_atomically(target, wanted, 0o600)
    return target


def provider_source() -> ProviderSource:
    """The first that exists: the person's CLI configuration, the mirror asked for, a mirror found, the registry.

    Raises ``HawserError`` when ``TF_PLUGIN_MIRROR`` names a folder without the provider.
    """
    named = os.environ.get("TF_CLI_CONFIG_FILE")
    if named and Path(named).is_file():
        return ProviderSource("TF_CLI_CONFIG_FILE", config=Path(named).absolute())
    if asked := os.environ.get(MIRROR_VARIABLE):
        mirror = Path(asked).absolute()
        if not (mirror / PROVIDER).is_dir():
            raise HawserError(
                f"{MIRROR_VARIABLE} is {asked}, but there is no {PROVIDER} in it",
                fix="Name the folder that holds registry.terraform.io/, as `terraform providers mirror` makes it.",
            )
        return ProviderSource(MIRROR_VARIABLE, mirror=mirror)
    personal = Path.home() / ".terraformrc"
    if not named and personal.is_file():
        return ProviderSource("the personal CLI configuration", config=personal)
    for folder in _implied_folders():
        if (folder / PROVIDER).is_dir():
            return ProviderSource("a folder that terraform searches", mirror=folder)
    for host in sorted(SYSTEM_MIRRORS.glob("*/registry.terraform.io")):
        if (host.parent / PROVIDER).is_dir():
            return ProviderSource(f"a mirror under {SYSTEM_MIRRORS}", mirror=host.parent)
    return ProviderSource("nothing else is set up")


def _implied_folders() -> tuple[Path, ...]:
    """Terraform's implied local mirror directories, in its order (CLI configuration documentation, 2026-11-30)."""
    person = Path.home()
    if sys.platform == "darwin":
        return (
            person / ".terraform.d/plugins",
            person / "Library/Application Support/io.terraform/plugins",
            Path("/Library/Application Support/io.terraform/plugins"),
        )
    data_home = os.environ.get("XDG_DATA_HOME") or str(person / ".local/share")
    data_folders = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    data = [Path(folder) / "terraform/plugins" for folder in [data_home, *data_folders.split(":")] if folder]
    return (person / ".terraform.d/plugins", *data)


def _render(mirror: Path | None, cache: Path) -> str:
    """With the registry, the provider (hundreds of MB) is kept in ``cache`` once for all stacks and environments."""
    head = "# Written by hawser at every start; changes are lost.\ndisable_checkpoint = true\n\n"
    if mirror is None:
        kept = json.dumps(str(cache), ensure_ascii=False)
        return head + f"plugin_cache_dir = {kept}\n\nprovider_installation {{\n  direct {{}}\n}}\n"
    return (
        head + "provider_installation {\n"
        "  filesystem_mirror {\n"
        f"    path    = {json.dumps(str(mirror), ensure_ascii=False)}\n"
        f'    include = ["{PROVIDER}"]\n'
        "  }\n"
        "  direct {\n"
        f'    exclude = ["{PROVIDER}"]\n'
        "  }\n"
        "}\n"
    )
