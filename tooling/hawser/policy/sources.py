"""The digest of the policy set: a plan that was judged by other rules must be judged again."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from hawser.policy.custom import sources

_PACKAGE: Final = Path(__file__).parents[1]

#: What decides a verdict, within the package that runs: the rules with their engine, the facts that they read, the
#: typed view of plans, the decision, what checkov is shown, what counts as emulator noise, and where they are joined.
_PARTS: Final = (
    "policy", "facts", "terraform", "decision", "emulator/noise.py", "emulator/noise.yaml", "report/redact",
    "cli/judging.py",
)  # fmt: skip
#: The pinned checkov.
_CHECKOV_LOCK: Final = _PACKAGE.parent / "locks" / "checkov.txt"


@cache
def policy_digest() -> str:
    """SHA-256 (hex) over the sources of the policy set, a team's own rules among them."""
    files = [_CHECKOV_LOCK, *sources()]
    for part in _PARTS:
        path = _PACKAGE / part
        files += [path] if path.is_file() else [f for f in path.rglob("*") if f.suffix in (".py", ".yaml", ".json")]
    whole = hashlib.sha256()
    for file in sorted(files):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        whole.update(f"{file.relative_to(_PACKAGE.parent)}\0{content}\n".encode())
    return whole.hexdigest()
