"""The shipped input files as text, edited and loaded in memory."""

from __future__ import annotations

from pathlib import Path

from hawser.contract.deployment import Deployment
from hawser.contract.load import parse
from hawser.contract.merge import build
from hawser.contract.problems import ContractError, Problem

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = (ROOT / "environments/contract.yaml").read_text(encoding="utf-8")


def env_text(name: str) -> str:
    return (ROOT / f"environments/{name}/env.yaml").read_text(encoding="utf-8")


def edited(text: str, *edits: tuple[str, str]) -> str:
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the file"
        text = text.replace(old, new)
    return text


def load(contract: str | bytes = CONTRACT, env: str | bytes | None = None, name: str = "prod") -> Deployment:
    env = env_text(name) if env is None else env
    contract_bytes = contract.encode() if isinstance(contract, str) else contract
    env_bytes = env.encode() if isinstance(env, str) else env
    file = f"environments/{name}/env.yaml"
    return build(parse(contract_bytes, "environments/contract.yaml"), parse(env_bytes, file), name)


def problems(
    contract: str | bytes = CONTRACT, env: str | bytes | None = None, name: str = "prod"
) -> tuple[Problem, ...]:
    try:
        load(contract, env, name)
    except ContractError as error:
        return error.problems
    return ()


def line_of(text: str, piece: str) -> int:
    assert text.count(piece) >= 1, f"{piece!r} is not in the file"
    return text[: text.index(piece)].count("\n") + 1
