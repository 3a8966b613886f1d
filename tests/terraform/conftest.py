"""One provider process for all of Terraform's own tests: its schema takes longer to load than any test to run."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from tests.terraform.running import initialised

from hawser.terraform.runner import HEAP_GROWTH

_ANNOUNCED = re.compile(r"TF_REATTACH_PROVIDERS='([^']+)'")
_WANTED = """
terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = "5.100.0" }
  }
}
"""


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The locked AWS provider, running; the variable by which terraform finds it instead of starting its own.

    Mocked providers ask it for schemas and validations only, and real ones in these tests never ask AWS, so that tests
    may share it one after the other. It gets no environment of ours: it is configured anew by each of them.
    """
    folder = tmp_path_factory.mktemp("provider")
    (folder / "main.tf").write_text(_WANTED, encoding="utf-8")
    initialised(folder, folder, "-backend=false")
    (binary,) = (folder / "data" / "providers").glob("*/*/*/*/*/terraform-provider-aws*")  # a mirror is linked to
    with subprocess.Popen(
        [binary, "-debug"], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={"HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true", "GOGC": HEAP_GROWTH},
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            announced = next(filter(None, map(_ANNOUNCED.search, process.stdout)), None)
            assert announced, "the provider ended before it said where it listens"
            yield {"TF_REATTACH_PROVIDERS": announced[1]}
        finally:
            process.terminate()
