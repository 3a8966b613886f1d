"""The digest of the policy set: a plan that was judged by other rules must be judged again."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

#: What decides a verdict: the rules with their engine, the facts that they read, the typed view of plans, the decision
#: itself, and the pinned checkov.
_PARTS: Final = ("tooling/hawser/policy", "tooling/hawser/facts", "tooling/hawser/terraform", "tooling/hawser/decision")
_CHECKOV_LOCK: Final = "tooling/locks/checkov.txt"


@cache
def policy_digest(root: Path) -> str:
    """SHA-256 (hex) over the sources of the policy set in the checkout at ``root``."""
    files = [root / _CHECKOV_LOCK]
    for part in _PARTS:
        files += [f for f in (root / part).rglob("*") if f.suffix in (".py", ".yaml")]
    whole = hashlib.sha256()
    for file in sorted(files):
        whole.update(f"{file.relative_to(root)}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()
