"""Where image, weights and state lie."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address
from typing import Final

from hawser.contract.checks.access import region_facts
from hawser.contract.checks.rule import rule
from hawser.contract.draft import Draft, Path
from hawser.contract.problems import Problem

#: The bucket that the embedded emulator makes before Terraform starts.
EMULATOR_BUCKET: Final = "hawser-emulator-state"
#: Folders of the state bucket with plan bundles and approvals, whose objects expire (terraform/bootstrap, buckets.tf).
_SWEPT: Final = ("approvals", "bundles")
_KEY: Final = re.compile(r"arn:([a-z-]+):kms:([a-z0-9-]+):[0-9]{12}:key/[0-9A-Za-z-]+")
_WEIGHTS: Final = re.compile(r"s3://([^/]+)(?:/(.*))?")
#: Beginnings and endings that S3 keeps for itself. S3 user guide, bucket naming rules, 2026-11-30.
_RESERVED: Final = re.compile(r"(xn--|sthree-|amzn-s3-demo-).*|.*(-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)")


def weights_bucket(uri: str) -> str:
    """Name of the bucket in ``s3://bucket/prefix``."""
    found = _WEIGHTS.fullmatch(uri)
    return found[1] if found else ""


def _bucket_fault(name: str) -> str | None:
    """What is wrong with a bucket's name that has the right characters and length."""
    if ".." in name or ".-" in name or "-." in name:
        return "dots between letters or digits only"
    if _RESERVED.fullmatch(name):
        return "a name that S3 does not keep for itself"
    try:
        IPv4Address(name)
    except AddressValueError:
        return None
    return "a name, not an IP address"


@rule(
    "The image comes from the account's own registry when the network is closed.",
    "No other registry can be reached from there.",
)
def registry(draft: Draft) -> Iterator[Problem]:
    """``registry`` against ``network.egress``."""
    if draft.text("network", "egress") != "endpoints":
        return
    region, account = region_facts(draft), draft.text("account_id")
    own = f"{account}.dkr.ecr.{region.name}.amazonaws.com"
    if draft.text("registry") != own:
        yield draft.problem(("registry",), own, f"write {own}, and mirror the image there")


@rule("Buckets have names that S3 accepts.", "A name that S3 refuses is found when half of the stack is built.")
def bucket_names(draft: Draft) -> Iterator[Problem]:
    """Buckets of ``weights_uri`` and ``state.bucket``."""
    if draft.has("weights_uri") and (fault := _bucket_fault(weights_bucket(draft.text("weights_uri")))):
        yield draft.problem(("weights_uri",), fault, "choose another bucket")
    if fault := _bucket_fault(draft.text("state", "bucket")):
        yield draft.problem(("state", "bucket"), fault, "choose another bucket")


@rule("The weights lie in a folder of the bucket.", "Whoever reads the bucket's top reads all other models too.")
def weights_prefix(draft: Draft) -> Iterator[Problem]:
    """``weights_uri``."""
    found = _WEIGHTS.fullmatch(draft.text("weights_uri"))
    if found and not (found[2] or "").strip("/"):
        yield draft.problem(("weights_uri",), "s3://<bucket>/<folder>", "add the folder of this model")


@rule("A Lustre cache is for the target eks.", "The hyperpod stack makes no file system.")
def lustre_target(draft: Draft) -> Iterator[Problem]:
    """``weights.cache`` against ``target``."""
    if draft.text("weights", "cache") == "lustre" and draft.text("target") == "hyperpod":
        fix = "write instance-store in overrides.weights.cache of env.yaml"
        yield draft.problem(("weights", "cache"), "instance-store, s3-stream or ebs on hyperpod", fix)


@rule(
    "An emulator's state lies in the emulator, and no other.",
    "The one must never reach AWS, the other never be lost with the emulator.",
)
def state_bucket(draft: Draft) -> Iterator[Problem]:
    """``state.bucket`` against ``emulator``."""
    emulator, name = draft.flag("emulator"), draft.text("state", "bucket")
    if emulator and name != EMULATOR_BUCKET:
        yield draft.problem(("state", "bucket"), f"{EMULATOR_BUCKET} with emulator: true", f"write {EMULATOR_BUCKET}")
    if not emulator and name == EMULATOR_BUCKET:
        yield draft.problem(("state", "bucket"), "a bucket of the account", "write the bucket that bootstrap made")


@rule(
    "The state's folder ends with the environment's name.",
    "Two environments with one folder overwrite each other's state.",
)
def key_prefix(draft: Draft) -> Iterator[Problem]:
    """``state.key_prefix``."""
    prefix = draft.text("state", "key_prefix")
    if prefix.rpartition("/")[2] != draft.folder:
        yield draft.problem(
            ("state", "key_prefix"), f"{draft.folder}, or a path that ends with it", f"write {draft.folder}"
        )


@rule(
    "The state lies beside plan bundles and approvals, not among them.",
    "The state bucket deletes what is 30 days old in their folders, and CI's planning role may write there.",
)
def state_apart(draft: Draft) -> Iterator[Problem]:
    """The top folder of ``state.key_prefix``."""
    top = draft.text("state", "key_prefix").partition("/")[0]
    if top in _SWEPT:
        expected = f"a top folder other than {' and '.join(_SWEPT)}"
        fix = "put the state into another folder" if top != draft.folder else "rename the environment, or add a folder"
        yield draft.problem(("state", "key_prefix"), expected, fix)


@rule("The state's key is a KMS key of the region.", "S3 can only use a key of its own region.")
def state_key(draft: Draft) -> Iterator[Problem]:
    """``state.kms_key_arn``."""
    yield from key_of_the_region(draft, ("state", "kms_key_arn"))


def key_of_the_region(draft: Draft, path: Path) -> Iterator[Problem]:
    """A problem when the text at ``path`` is not the ARN of a KMS key of the environment's region."""
    region = region_facts(draft)
    found = _KEY.fullmatch(draft.text(*path))
    if found is None or found.groups() != (region.partition, region.name):
        expected = f"arn:{region.partition}:kms:{region.name}:<account>:key/<id>"
        yield draft.problem(path, expected, "write the ARN of the key, not of an alias")
