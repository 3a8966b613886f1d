"""The gate on a plan file that may come from anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hawser.cli.judging import Gate
from hawser.cli.talk import Talk
from hawser.contract import load_deployment
from hawser.contract.waivers import Waivers, load_waivers
from hawser.decision.decide import Decision
from hawser.errors import CannotJudgeError
from hawser.report.review import Review
from hawser.terraform import runner
from hawser.terraform.plan import read_plan
from hawser.toolchain.provider_mirror import cli_config
from hawser.toolchain.terraform_binary import find_terraform

#: The largest plan file that is read, in bytes: forty times the largest plan that the gate is measured on
#: (20,000 resources, about 50 MB, 2026-11-30).
_LARGEST: Final = 2 * 1024**3


def judge_file(root: Path, file: Path, env: str | None, tf_root: Path | None) -> Review:
    """Judge the plan in ``file``. Raises ``CannotJudgeError`` when it cannot be read or is not fit."""
    talk = Talk()
    deployment = load_deployment(root, env) if env else None
    data = _read(file)
    if data[:2] == b"PK":
        if tf_root is None:
            raise CannotJudgeError(
                f"{file.name} is a binary plan, which only its initialised root can show",
                fix=f"Run `hawser gate {file.name} --root DIR`.",
            )
        data = _show(root, file, tf_root)
    plan = read_plan(data, file.name)
    with Gate(root, talk) as gate:
        waivers = load_waivers(root, env) if env else Waivers()
        verdict = gate.judge(plan, deployment, exceptions=waivers)
    where = deployment.environment if deployment else None
    return Review(
        environment=where.name if where else "",
        account_id=where.account_id if where else "",
        region=where.region if where else "",
        target=where.target if where else "",
        stack=file.name,
        decision=verdict.decision,
        asks=_asks(verdict.decision),
        plan=plan,
        judgement=verdict.judgement,
        checked=verdict.checked,
        overrides=where.overrides if where else {},
        contract_digest=deployment.digest if deployment else "",
        gpus_needed=deployment.gpus_needed if deployment and verdict.judgement.capacity else 0,
    )


def _read(file: Path) -> bytes:
    try:
        if file.stat().st_size > _LARGEST:
            raise CannotJudgeError(f"{file.name} is larger than 2 GiB", fix="Judge its stacks one by one.")
        return file.read_bytes()
    except OSError as error:
        raise CannotJudgeError(
            f"{file} cannot be read: {error.strerror}", fix="Give the file that `terraform show -json PLAN` wrote."
        ) from None


def _show(root: Path, file: Path, tf_root: Path) -> bytes:
    home = root / ".hawser"
    home.mkdir(mode=0o700, exist_ok=True)
    environment = runner.clean_environment(
        runner.outer_environment(), tf_root.resolve() / ".terraform", cli_config(home), None
    )
    answer = runner.Terraform(find_terraform(home).path, tf_root.resolve(), environment).show(file.resolve())
    if answer.code != 0:
        raise CannotJudgeError(
            f"terraform cannot show {file.name} in {tf_root} (exit {answer.code})",
            fix="Run `terraform init` there first.",
        )
    return answer.out


def _asks(decision: Decision) -> str:
    return {
        Decision.ALLOW: "Nothing forbids it.",
        Decision.NEEDS_APPROVAL: "Read what needs approval; a person must approve it.",
        Decision.DENY: "Fix what blocks, or waive it in a reviewed change.",
        Decision.CANNOT_JUDGE: "A rule failed to run, so nobody can judge this plan.",
    }[decision]
