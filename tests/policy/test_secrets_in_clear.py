"""HW-SEC-001 looks at names wherever the value stands: by itself, in a list, in a pair."""

from __future__ import annotations

from typing import Any

import pytest
from tests.handmade_plans import entry, plan

from hawser.policy.engine import judge

RANDOM = "k8Zt3qPw9LmX2vRb"


def found(values: dict[str, Any], sensitive: Any = None) -> list[str]:
    made = entry("aws_ssm_parameter.x", ["create"], None, values)
    made["change"]["after_sensitive"] = sensitive or {}
    return [f.path for f in judge(plan(made), None, {}).findings if f.rule_id == "HW-SEC-001"]


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"auth_token": RANDOM}, "auth_token"),
        ({"auth_tokens": ["required", RANDOM]}, "auth_tokens[1]"),
        ({"a": [{"secrets": [[RANDOM]]}]}, "a[0].secrets[0][0]"),
        ({"environment": [{"name": "AUTH_TOKEN", "value": RANDOM}]}, "environment[0].value"),
    ],
)
def test_a_secret_by_its_name(values: dict[str, Any], path: str) -> None:
    assert found(values) == [path]


@pytest.mark.parametrize(
    ("values", "sensitive"),
    [
        ({"auth_tokens": ["required", "optional"]}, None),
        ({"auth_tokens": [RANDOM]}, {"auth_tokens": True}),
        ({"names": [RANDOM]}, None),
    ],
)
def test_no_secret(values: dict[str, Any], sensitive: Any) -> None:
    assert found(values, sensitive) == []
