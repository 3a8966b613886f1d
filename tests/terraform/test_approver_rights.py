"""What bootstrap makes is what hawser asks for: the key's alias, the prefixes of the bucket, the algorithm."""

from __future__ import annotations

import re

from tests.terraform.running import ROOT

from hawser.aws import bundle_store, signing
from hawser.cli import people
from hawser.decision.approvals import ALGORITHM

SOURCES = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "terraform/bootstrap").glob("*.tf"))


def local(name: str) -> str:
    found = re.search(rf'^  {name} += "(.*)"$', SOURCES, re.MULTILINE)
    assert found, name
    return found[1]


def test_names_agree() -> None:
    assert local("approvals_key_alias") == signing.ALIAS
    assert local("bundle_prefix") == bundle_store.BUNDLES
    assert local("approval_prefix") == bundle_store.APPROVALS
    assert f'"{ALGORITHM}"' in SOURCES
    # CI's roles are nobody in particular, and are known by their names.
    assert (local("plan_role_name"), local("apply_role_name")) == (
        "hawser-plan-${var.region}",
        "hawser-apply-${var.region}",
    )


def test_the_setting_is_the_documented_one() -> None:
    assert f"`{people.KEY_SETTING}`" in (ROOT / "terraform/bootstrap/README.md").read_text(encoding="utf-8")
