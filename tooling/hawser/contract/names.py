"""Names of environments. Apart from the rest, because the shell completes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from hawser.contract.problems import nearest
from hawser.contract.wording import ENVIRONMENT
from hawser.errors import UsageError

FOLDER: Final = "environments"
CONTRACT_FILE: Final = f"{FOLDER}/contract.yaml"


def environment_names(root: Path) -> tuple[str, ...]:
    """Folders of ``root/environments`` that hold an env.yaml, sorted."""
    folder = root / FOLDER
    if not folder.is_dir():
        return ()
    return tuple(sorted(p.parent.name for p in folder.glob("*/env.yaml") if re.fullmatch(ENVIRONMENT, p.parent.name)))


def require_environment(root: Path, env: str) -> None:
    """Raises ``UsageError`` with the nearest name and the list when ``env`` is not an environment of ``root``."""
    names = environment_names(root)
    if env in names:
        return
    near = nearest(env, names)
    hint = f"Did you mean {near}? " if near else ""
    listing = f"Environments: {', '.join(names)}." if names else f"Make one: {FOLDER}/<name>/env.yaml."
    said = env if re.fullmatch(ENVIRONMENT, env) else ascii(env[:40])
    raise UsageError(f"there is no environment {said}", fix=f"{hint}{listing}")
