"""How many of the labelled plans hawser and plain checkov stop: recall, and false alarms on safe plans.

    python benchmarks/labelled.py

Prints the table of README.md. Plain checkov is the pinned one on the command line with its own settings
(``checkov -f PLAN … -o json``, and ``--skip-download`` so that no texts are fetched). It counts as stopping a plan when
a check fails on a resource that the plan creates, updates or replaces, whatever the check is about: a failure of
anything is a red build.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tooling"), str(ROOT)]

from tests.gate.labelled.labels import PLANS, LabelledPlan, figures, labelled, verdicts  # noqa: E402

from hawser.decision.decide import Decision  # noqa: E402
from hawser.policy.checkov import pinned_version  # noqa: E402
from hawser.terraform.plan import Action, read_plan  # noqa: E402

CHECKOV = ROOT / ".hawser" / "venv" / "checkov" / "bin" / "checkov"


def stopped_by_plain_checkov() -> list[str]:
    """Names of the plans in which a check of plain checkov fails on something that the plan changes."""
    files = [argument for plan in labelled() for argument in ("-f", plan.file.name)]
    ran = subprocess.run(
        [str(CHECKOV), *files, "-o", "json", "--skip-download"], capture_output=True, cwd=PLANS, check=False
    )
    if ran.returncode not in (0, 1) or not ran.stdout:
        sys.exit(f"checkov failed (exit {ran.returncode})")
    answer: Any = json.loads(ran.stdout)
    failed = {
        (check["file_path"].lstrip("/"), check["resource"])
        for report in (answer if isinstance(answer, list) else [answer])
        for check in report["results"]["failed_checks"]
    }
    return [plan.name for plan in labelled() if any((plan.file.name, one) in failed for one in changed(plan))]


def changed(plan: LabelledPlan) -> set[str]:
    """Addresses of what a plan creates, updates or replaces; of what it deletes checkov says nothing."""
    read = read_plan(plan.file.read_bytes(), plan.name)
    return {one.address for one in read.changes if one.action in (Action.CREATE, Action.UPDATE, Action.REPLACE)}


def main() -> None:
    """Judge every plan with both and print the table."""
    ours = [name for name, verdict in verdicts().items() if verdict.decision is not Decision.ALLOW]
    theirs = stopped_by_plain_checkov()
    version = pinned_version(ROOT / "tooling" / "locks" / "checkov.txt")
    write = sys.stdout.write
    write("| | dangerous plans stopped | safe plans stopped |\n|---|---|---|\n")
    write("| {} | {} | {} |\n".format("hawser", *figures(ours)))
    write("| plain checkov {} | {} | {} |\n\n".format(version, *figures(theirs)))
    write(f"Measured {datetime.now(UTC):%Y-%m-%d}.\n\nNot stopped by plain checkov:\n")
    for plan in labelled():
        if plan.dangerous and plan.name not in theirs:
            write(f"  {plan.name}: {plan.does}\n")


if __name__ == "__main__":
    main()
