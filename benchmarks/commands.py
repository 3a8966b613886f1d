"""What hawser adds to the work of others: to python for small commands, to terraform for a plan.

    python benchmarks/commands.py [--rounds 3]

Measured on this checkout, in one run, as ratios: ``--help`` to ``python -c pass`` (budget 3), ``check`` and ``render
--check`` in seconds (budget 0.5), and a warm ``hawser plan local --stack platform`` with checkov to a bare ``terraform
plan -out`` plus ``terraform show -json`` of the same stack, variables and backend (budget 1.08). Needs the emulator,
which it leaves running.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hawser.cli.talk import Talk
from hawser.cli.workspace import StackRun, open_workspace
from hawser.contract import load_deployment

ROOT = Path(__file__).resolve().parents[1]
HAWSER = str(Path(sys.executable).with_name("hawser"))


def run(*command: str, environment: dict[str, str] | None = None) -> None:
    """Run a command to its end, unseen; 0 and terraform's 2 (there are changes) are fine."""
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 2):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")


def say(line: str) -> None:
    """One line of the result."""
    sys.stdout.write(f"{line}\n")


def best(rounds: int, *works: Callable[[], None]) -> list[float]:
    """Seconds of the fastest of some rounds, for each; they take turns, so that a busy moment hits all."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for index, work in enumerate(works):
            start = time.perf_counter()
            work()
            times[index].append(time.perf_counter() - start)
    return [min(some) for some in times]


def bare(of: StackRun, variables: Path, plan: Path) -> Callable[[], None]:
    """Terraform alone: a saved plan and its JSON."""
    terraform = [of.terraform.terraform_bin_path, f"-chdir={of.stack.folder}"]
    environment = dict(of.terraform.environment)

    def work() -> None:
        run(*terraform, "plan", "-input=false", f"-out={plan}", f"-var-file={variables}", environment=environment)
        run(*terraform, "show", "-json", str(plan), environment=environment)

    return work


def main() -> None:
    """Print one line per budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds

    nothing, help_ = best(rounds * 3, lambda: run(sys.executable, "-c", "pass"), lambda: run(HAWSER, "--help"))
    say(f"hawser --help            {help_ / nothing:5.2f} × python -c pass ({nothing:.3f} s), budget 3")
    check, render = best(rounds, lambda: run(HAWSER, "check", "prod"), lambda: run(HAWSER, "render", "prod", "--check"))
    say(f"hawser check prod        {check:5.2f} s, budget 0.5")
    say(f"hawser render prod       {render:5.2f} s, budget 0.5")

    run(HAWSER, "plan", "local", "--stack", "platform")  # everything is set up and warm
    workspace = open_workspace(ROOT, load_deployment(ROOT, "local"), Talk())
    platform = workspace.run("platform")
    with tempfile.TemporaryDirectory() as folder:
        variables = Path(folder, "tfvars.json")
        variables.write_bytes(workspace.tfvars("platform"))
        alone, ours = best(
            rounds,
            bare(platform, variables, Path(folder, "plan")),
            lambda: run(HAWSER, "plan", "local", "--stack", "platform"),
        )
    say(f"hawser plan (one stack)  {ours / alone:5.2f} × bare terraform ({alone:.1f} s), budget 1.08")
    say(f"on {os.cpu_count()} cores, fastest of {rounds} rounds")


if __name__ == "__main__":
    main()
