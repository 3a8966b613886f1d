"""Runs inside checkov's own Python environment: judges plan files, one after the other, without starting anew for each.

Started as ``python -I checkov_worker.py``; imports nothing of hawser. It speaks JSON lines. First it says what it is
(``{"ready": true, "version": ..., "checks": [ids], "canary": [what it finds in a bad plan]}``), then it answers each
request ``{"path": ..., "off": [ids]}`` on its standard input. It ends when its standard input ends, so it never
outlives the process that started it. With the argument ``titles`` it only says which checks there are and what passes
each.

It leans on internals of the checkov version that ``tooling/locks/checkov.txt`` pins: the stock command line takes fifty
times as long and ends with 0 on plans that it could not read.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import queue
import shutil
import socket
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

#: A warning about an explanation that checkov adds to a result; the result itself stands.
HARMLESS = "Failed enriching cloudsplaining evaluated keys"


#: A plan that opens port 22 to everybody. A checkov that finds nothing wrong with it finds nothing at all.
CANARY = Path(__file__).with_name("canary.json")

#: Ids of checks that look at several resources at once; filled when the checks are loaded.
GRAPH_CHECKS: set[str] = set()


class Faults(logging.Handler):
    """Everything that went wrong inside checkov and that its own report leaves out."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a logged warning or error, with the kind of exception it was about."""
        if record.getMessage().startswith(HARMLESS):
            return
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        self.add(f"{record.getMessage()}{f' ({kind})' if kind else ''}")

    def add(self, text: str) -> None:
        """Keep one fault, as one line of bounded length."""
        self.texts.append(" ".join(text.split())[:300])

    def take(self) -> list[str]:
        """The faults since the last call."""
        taken, self.texts = self.texts, []
        return taken


def watch(faults: Faults) -> None:
    """Make checkov's silent failures loud: both places below swallow exceptions and drop the results with them."""
    from checkov.common.checks.base_check_registry import BaseCheckRegistry
    from checkov.common.graph.checks_infra.registry import BaseRegistry
    from checkov.terraform.checks.utils.base_cloudsplaining_iam_scanner import BaseTerraformCloudsplainingIAMScanner

    # It keeps policy documents under a name without the module, and so judges the second policy of a name by the first.
    never = type("Never", (dict,), {"keys": lambda self: (), "__contains__": lambda self, key: False})
    BaseTerraformCloudsplainingIAMScanner.policy_document_cache = never()

    run_graph_check, scan = BaseRegistry.run_check_parallel, BaseCheckRegistry.scan

    def loud_graph_check(self: Any, check: Any, *rest: Any) -> None:
        try:
            run_graph_check(self, check, *rest)
        except Exception as error:
            faults.add(f"check {check.id} raised {type(error).__name__}: {error}")
            raise

    def loud_scan(self: Any, scanned_file: Any, entity: Any, *rest: Any, **named: Any) -> Any:
        self.extract_entity_details(entity)
        return scan(self, scanned_file, entity, *rest, **named)

    BaseRegistry.run_check_parallel = loud_graph_check
    BaseCheckRegistry.scan = loud_scan


def run(path: str, **filters: Any) -> Any:
    """The report of checkov on a plan file."""
    from checkov.common.bridgecrew.check_type import checkov_runners
    from checkov.runner_filter import RunnerFilter
    from checkov.terraform.plan_runner import Runner

    # A new Runner each time: a used one reports the plan before again.
    return Runner().run(
        root_folder=None,
        files=[path],
        runner_filter=RunnerFilter(
            framework=["terraform_plan"], runners=checkov_runners, show_progress_bar=False, **filters
        ),
    )


def judge(path: str, off: list[str], faults: Faults) -> dict[str, Any]:
    """What checkov says about one plan file."""
    try:
        report = run(path, skip_checks=off)
    except Exception as error:
        return {"errors": [*faults.take(), f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"]}
    if isinstance(report, list):
        return {"errors": [*faults.take(), "it gave several reports for one plan"]}
    errors = faults.take()
    failed = {(r.check_id, r.check_name, r.resource_address or r.resource) for r in report.failed_checks}
    excused = passes_when_known(path, failed, faults) if failed and not errors else set()
    return {
        "resources": len(report.resources),
        "passed": len(report.passed_checks) + len(excused),
        "failed": sorted(failed - excused),
        "skipped": len(report.skipped_checks),
        "unread": len(report.parsing_errors),
        "errors": errors,
    }


def passes_when_known(path: str, failed: set[tuple[str, str, str]], faults: Faults) -> set[tuple[str, str, str]]:
    """Failures that only say that a value is missing which will be there after apply: a key that the plan makes too.

    checkov takes an unknown value for a missing one, unless told otherwise; told otherwise it takes the content of
    unknown values for wrong. So what fails is looked at in both ways, and a failure is excused only by a pass.
    """
    plan = json.loads(Path(path).read_text(encoding="utf-8"))
    unknown = {c["address"] for c in plan["resource_changes"] if True in (c["change"]["after_unknown"] or {}).values()}
    doubtful = {entry for entry in failed if entry[2] in unknown}
    if not doubtful:
        return set()
    keep_only(plan["planned_values"]["root_module"], {address for _, _, address in doubtful})
    again = Path(path).with_name("unknown.json")
    again.write_text(json.dumps(plan), encoding="utf-8")
    os.environ["EVAL_TF_PLAN_AFTER_UNKNOWN"] = "true"
    try:
        report = run(str(again), checks=sorted({check for check, _, _ in doubtful}))
        passed = {(r.check_id, r.resource_address or r.resource) for r in report.passed_checks}
    except Exception:  # the second look excuses nothing then
        passed = set()
    finally:
        del os.environ["EVAL_TF_PLAN_AFTER_UNKNOWN"]
        again.unlink()
        faults.take()
    return {entry for entry in doubtful if (entry[0], entry[2]) in passed and entry[0] not in GRAPH_CHECKS}


def keep_only(module: dict[str, Any], addresses: set[str]) -> None:
    """Take all other resources out of a module of the planned values."""
    module["resources"] = [r for r in module.get("resources") or () if r.get("address") in addresses]
    for child in module.get("child_modules") or ():
        keep_only(child, addresses)


def known_checks() -> dict[str, str]:
    """All checks that can run on a plan: id to what passes."""
    from checkov.terraform.plan_runner import Runner

    runner = Runner()
    runner.graph_registry.load_checks()
    GRAPH_CHECKS.update(check.id for check in runner.graph_registry.checks)
    found = [(check.id, check.name) for check in runner.graph_registry.checks]
    for registry in runner.block_type_registries.values():
        found += [(check.id, check.name) for _, check in registry.all_checks()]
    return dict(sorted(found, reverse=True))  # of two checks with one id the first by name


def requests() -> queue.SimpleQueue[str]:
    """Lines of standard input. Its end is the end of this process, also in the middle of a plan."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


def no_network(*_: Any) -> NoReturn:
    """Judging a file needs no network, so a connection is refused."""
    raise OSError("checkov tried to open a network connection while it judged a plan")


def main() -> None:
    """Load checkov, say so, and answer until standard input ends."""
    lines = queue.SimpleQueue() if sys.argv[1:] else requests()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what checkov prints is talk
    gc.disable()  # half the time of a large plan is garbage collection otherwise; memory is returned after each plan
    os.environ["CHECKOV_MAX_IAC_FILE_SIZE"] = "0"  # read at import: plans are parsed as JSON, not as YAML
    logging.disable(logging.INFO)
    faults = Faults()
    logging.getLogger().handlers = [faults]

    from checkov.version import version

    watch(faults)
    ids = known_checks()
    gc.freeze()
    socket.socket.connect = no_network  # type: ignore[method-assign]
    if sys.argv[1:] == ["titles"]:
        print(json.dumps({"version": version, "titles": ids, "errors": faults.take()}), file=answers, flush=True)
        return
    canary = judge(shutil.copy(str(CANARY), "canary.json"), [], faults)  # it writes beside what it judges
    said = {"ready": True, "version": version, "checks": sorted(ids), "canary": canary.get("failed", [])}
    print(json.dumps({**said, "errors": [*faults.take(), *canary["errors"]]}), file=answers)
    answers.flush()
    while True:
        request = json.loads(lines.get())
        print(json.dumps(judge(request["path"], request["off"], faults)), file=answers)
        answers.flush()
        gc.collect()


if __name__ == "__main__":
    main()
