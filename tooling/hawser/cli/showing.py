"""What ``hawser show`` tells about the bundles on disk. Nothing is planned and nothing is asked of AWS."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hawser.cli import bundles
from hawser.cli.approving import chosen
from hawser.cli.bundles import Bundle
from hawser.contract import environment_names
from hawser.errors import UsageError
from hawser.terraform.stacks import STACKS


def shown(root: Path, env: str, only: str | None, digest: str | None) -> list[dict[str, Any]]:
    """Per bundle: stack, digest, report, approvals, use, and one line about its standing.

    Raises ``UsageError`` when ENV does not exist or has no plan yet.
    """
    if env not in environment_names(root):
        raise UsageError(
            f"there is no environment {env!r}", fix=f"Environments are {', '.join(environment_names(root))}."
        )
    folder = root / ".hawser" / env
    found = [_of(bundle) for bundle in chosen(folder, only, digest)]
    if digest is None:
        for name in (only,) if only else STACKS:
            if spec := bundles.speculative(folder / name):
                found = [entry for entry in found if entry["stack"] != name]
                found.append(
                    {
                        "stack": name, "bundle": "", "report": _text(spec / "report.txt"), "approvals": [], "used": {},
                        "standing": f"{name}: speculative, to read only",
                    }
                )  # fmt: skip
    if not found:
        of_stack = (f" of {only}", f" --stack {only}") if only else ("", "")
        raise UsageError(f"{env} has no plan{of_stack[0]} yet", fix=f"Run `hawser plan {env}{of_stack[1]}`.")
    return found


def _of(bundle: Bundle) -> dict[str, Any]:
    record, used = bundle.record, dict(bundle.used())
    given = sorted({f"{a.by} ({'signed' if a.signed else 'unsigned'})" for a in bundle.approvals()})
    parts = ["USED"] if used else []
    parts += [f"{record.compared.stack} {bundle.digest}", f"approvals {len(given)} of {record.approvals_needed}"]
    parts += [f"approved by {', '.join(given)}"] if given else []
    parts.append(
        f"{used.get('result')} at {used.get('at')}, plan again for the next apply"
        if used
        else f"not applied, good until {record.good_until}"
    )
    return {
        "stack": record.compared.stack,
        "bundle": bundle.digest,
        "report": _report(bundle.folder, used),
        "approvals": [a.to_json() for a in bundle.approvals()],
        "used": used,
        "standing": " · ".join(parts),
    }


def _report(folder: Path, used: Mapping[str, Any]) -> str:
    """The report of a bundle; of a used one without what to type next, since it can be applied only once."""
    text = _text(folder / "report.txt")
    return text.rsplit("\nNEXT\n", 1)[0] if used else text


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return "(the report is gone)\n"
