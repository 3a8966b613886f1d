"""The JSON Schemas for editors: committed as generated, and in agreement with what hawser accepts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from inputs import ROOT, edited, env_text, line_of
from jsonschema import Draft202012Validator

from hawser.contract.schema import json_schemas

FOLDER = ROOT / "environments/schema"
FILES = {
    "contract.schema.json": ["contract.yaml"],
    "env.schema.json": [f"{name}/env.yaml" for name in ("dev", "local", "local-hyperpod", "prod")],
    "waivers.schema.json": [f"{name}/waivers.yaml" for name in ("dev", "local", "local-hyperpod", "prod")],
}


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json_schemas()[name])
    return found


def test_the_committed_schemas_are_the_generated_ones() -> None:
    committed = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert committed == json_schemas(), "run `hawser schema` and commit environments/schema"


def test_they_are_the_same_each_time() -> None:
    assert json_schemas() == json_schemas()


@pytest.mark.parametrize("name", FILES)
def test_they_are_schemas_and_every_field_is_described(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    for part in (schema(name), *schema(name).get("$defs", {}).values()):
        for field, about in part["properties"].items():
            assert about.get("description") or "$ref" in about, field


@pytest.mark.parametrize(("name", "file"), [(name, file) for name, files in FILES.items() for file in files])
def test_shipped_files_name_their_schema_and_satisfy_it(name: str, file: str) -> None:
    text = (ROOT / "environments" / file).read_text(encoding="utf-8")
    modeline = text.splitlines()[0].removeprefix("# yaml-language-server: $schema=")
    assert (ROOT / "environments" / Path(file).parent / modeline).resolve() == FOLDER / name
    Draft202012Validator(schema(name)).validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('account_id: "111122223333"', "account_id: 111122223333"),
        ("target: eks", "target: ecs"),
        ("replicas: 2", "replcas: 2"),
        ("k3-block-a:", "K3_Block:"),
        ("overrides: {}", "overrides: {serving: {max_model_length: 1}}"),
        ("overrides: {}", "overrides: {serving: {max_model_len: many}}"),
        ("    zone_id: usw2-az2 #", "    zone_id: null #"),
    ],
)
def test_mistakes_are_seen_in_the_editor(old: str, new: str) -> None:
    text = edited(env_text("prod"), (old, new))
    assert line_of(text, new) > 0
    assert not Draft202012Validator(schema("env.schema.json")).is_valid(yaml.safe_load(text))


def test_an_override_needs_nothing_else() -> None:
    text = edited(env_text("prod"), ("overrides: {}", "overrides: {serving: {max_model_len: 1}}"))
    Draft202012Validator(schema("env.schema.json")).validate(yaml.safe_load(text))
