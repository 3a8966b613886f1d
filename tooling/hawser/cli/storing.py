"""Bundles in the state bucket: from the machine that planned to those where people approve and CI applies."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

from hawser.aws.bundle_store import APPROVALS, BUNDLES, Store
from hawser.cli import archive, bundles
from hawser.cli.bundles import Bundle
from hawser.cli.judging import Gate
from hawser.cli.people import approved
from hawser.cli.planning import review_stored
from hawser.cli.workspace import Workspace
from hawser.contract.waivers import waivers_bytes
from hawser.decision import record as records
from hawser.decision.approvals import LONGEST, Approval, read_approval
from hawser.decision.record import Compared, Record, read_record, sha256
from hawser.errors import NoApprovalError
from hawser.files import write_atomically
from hawser.policy.sources import policy_digest


@dataclass(frozen=True, slots=True)
class Stored:
    """A bundle in the bucket at ``key``; ``new`` when it was not there before (push) or not here before (pull).

    ``approvals`` counts the approvals that are good: of people, for this bundle, now.
    """

    stack: str
    bundle: str
    key: str
    new: bool
    approvals: int


def push(workspace: Workspace, bundle: Bundle) -> Stored:
    """Write ``bundle``, and the signed approvals of it, into the state bucket; never over what is there.

    Raises ``NoApprovalError`` for a file that is not the one of the record, ``HawserError`` when the bucket refuses.
    """
    files = {name: bundle.read(name) for name in (bundles.PLAN, bundles.RECORD, bundles.TFVARS, *bundles.REPORTS)}
    _require_own(bundle.record, files)
    try:
        packed = archive.pack(files)
    except ValueError as error:
        raise NoApprovalError(f"bundle {bundle.digest[:12]} cannot be stored: {error}", fix="Plan again.") from None
    key = f"{BUNDLES}/{_place(bundle.record)}/{made_from(bundle.record.compared)}/{bundle.digest}.tar"
    new = _store(workspace).put_new(key, packed)
    bundle.mark_stored()
    for approval in bundle.approvals():
        if approval.signed:
            store_approval(workspace, bundle, approval, workspace.aws())
    return _stored(workspace, bundle, key, new=new)


def store_approval(workspace: Workspace, bundle: Bundle, approval: Approval, aws: Mapping[str, str] | None) -> None:
    """Put a signed approval beside the stored bundle, under the unique id of who gave it. ``aws``: with whose rights.

    Raises ``HawserError`` when the bucket refuses.
    """
    key = f"{APPROVALS}/{_place(bundle.record)}/{bundle.digest}/{approval.user_id}.json"
    content = (json.dumps(approval.to_json(), indent=2, sort_keys=True) + "\n").encode()
    _store(workspace, aws).put_new(key, content)


def pull(workspace: Workspace, gate: Gate, stack: str, digest: str | None) -> Stored | None:
    """Bring a bundle here, with its approvals: that of ``digest``, or the newest made from what this checkout holds.

    ``None`` when there is no such bundle. Its reports are made here, by this checkout's gate, from the plan itself.
    Raises ``NoApprovalError`` for an object that is not what it says or was not made for this environment and checkout.
    """
    store = _store(workspace)
    key = found_key(workspace, store, stack, digest)
    if key is None:
        return None
    name = _digest(key)
    here = bundles.find(workspace.folder / stack, name)
    bundle = here or _fetch(workspace, gate, store, stack, key)
    bundles.make_newest(bundle)
    bundle.mark_stored()
    for found in store.keys(f"{APPROVALS}/{_place(bundle.record)}/{bundle.digest}/"):
        try:
            approval = read_approval(json.loads(store.get(found, LONGEST)))
        except ValueError:  # JSON and encoding too
            workspace.talk.step(f"{stack}: s3://{store.bucket}/{found} is no approval and does not count")
            continue
        # IAM lets people write under their own unique id alone: that is what tells two of them apart who may sign.
        if found.endswith(f"/{approval.user_id}.json"):
            bundle.add_approval(approval)
        else:
            workspace.talk.step(f"{stack}: s3://{store.bucket}/{found} is the approval of somebody else")
    return _stored(workspace, bundle, key, new=here is None)


def made_from(compared: Compared) -> str:
    """Names everything that a checkout gives to a plan (32 hex): equal for two commits that would plan the same."""
    parts = [
        compared.tfvars_sha256, compared.sources_sha256, compared.policy_sha256, compared.waivers_sha256,
        compared.lock_sha256, compared.backend_sha256, compared.terraform_version, compared.destroy, compared.world,
    ]  # fmt: skip
    return sha256(json.dumps(parts).encode())[:32]


def _fetch(workspace: Workspace, gate: Gate, store: Store, stack: str, key: str) -> Bundle:
    workspace.talk.step(f"{stack}: s3://{store.bucket}/{key}")
    name = _digest(key)
    try:
        files = archive.unpack(store.get(key, archive.MOST))
        record = read_record(files[bundles.RECORD])
    except ValueError as error:
        raise NoApprovalError(f"s3://{store.bucket}/{key}: {error}", fix="Plan again.") from None
    if record.digest != name:
        raise NoApprovalError(f"s3://{store.bucket}/{key} holds the record of another bundle", fix="Plan again.")
    _require_own(record, files)
    _require_here(workspace, record, stack)
    folder = workspace.run(stack).folder
    with tempfile.TemporaryDirectory(prefix=".pull-", dir=folder) as private:
        plan = Path(private) / bundles.PLAN
        write_atomically(plan, files[bundles.PLAN], 0o600)
        review, made = review_stored(workspace, gate, record, plan)
        if review.decision.value != record.compared.decision:
            raise NoApprovalError(
                f"the gate says {review.decision} of bundle {name[:12]}, its record says {record.compared.decision}",
                fix="Its record is wrong, or a waiver ended meanwhile: plan again.",
            )
        return bundles.store(folder, record, {bundles.TFVARS: files[bundles.TFVARS], **made}, plan)


def _require_own(record: Record, files: Mapping[str, bytes]) -> None:
    """Plan and variables are those of the record."""
    for file, digest in ((bundles.PLAN, record.compared.plan_sha256), (bundles.TFVARS, record.compared.tfvars_sha256)):
        if sha256(files[file]) != digest:
            raise NoApprovalError(
                f"bundle {record.digest[:12]} holds another {file} than its record says", fix="Plan again."
            )


def _require_here(workspace: Workspace, record: Record, stack: str) -> None:
    """The record is one of this environment and this checkout, and not too old."""
    then, name = record.compared, f"bundle {record.digest[:12]}"
    env = workspace.deployment.environment
    place = {"environment": env.name, "account_id": env.account_id, "region": env.region, "stack": stack}
    for field, expected in place.items():
        if (said := getattr(then, field)) != expected:
            raise NoApprovalError(
                f"{name} was made for {field.removesuffix('_id')} {said}, not for {expected}",
                fix=f"Run `{workspace.command('plan', stack)}`.",
            )
    if record.emulated:
        raise NoApprovalError(f"{name} was made with --emulate and can only be read", fix="Plan without it.")
    if records.expired(record, datetime.now(UTC)):
        raise NoApprovalError(f"{name} was good until {record.good_until}", fix="Plan again.")
    if differing := records.differences(then, held(workspace, stack, then)):
        at = f" It was made from commit {record.commit}." if record.commit else ""
        raise NoApprovalError(
            f"{name} was made from another checkout: {'; '.join(differing)}",
            fix=f"Check out what was reviewed, or plan again.{at}",
        )


def held(workspace: Workspace, stack: str, then: Compared) -> Compared:
    """``then`` with everything that the checkout gives to a plan as it is in this one."""
    run, env = workspace.run(stack), workspace.deployment.environment
    return replace(
        then,
        tfvars_sha256=sha256(workspace.tfvars(stack)),
        sources_sha256=run.sources_sha256,
        policy_sha256=policy_digest(),
        waivers_sha256=sha256(waivers_bytes(workspace.root, env.name)),
        lock_sha256=run.lock_sha256,
        backend_sha256=run.backend_sha256,
        terraform_version=run.terraform_version,
        world=workspace.world,
    )


def found_key(workspace: Workspace, store: Store, stack: str, digest: str | None) -> str | None:
    """Where the bundle that is meant lies; ``None`` when there is none.

    Of several that were made from what this checkout holds, the newest that somebody approved, so that a plan job that
    ran once more takes nothing away; the newest of all where nobody did.
    """
    below = f"{workspace.env}/{stack}/"
    if digest is not None:
        found = [key for key in store.keys(f"{BUNDLES}/{below}") if _digest(key).startswith(digest)]
        if len({_digest(key) for key in found}) > 1:
            raise NoApprovalError(f"{digest} fits several bundles of {stack}", fix="Give more of the digest.")
        return found[-1] if found else None
    blank = Compared(**dict.fromkeys((f.name for f in fields(Compared)), ""))
    now = held(workspace, stack, replace(blank, destroy="false"))
    keys = store.keys(f"{BUNDLES}/{below}{made_from(now)}/")
    approved_ones = {key.split("/")[3] for key in store.keys(f"{APPROVALS}/{below}")} if len(keys) > 1 else set()
    return next((key for key in reversed(keys) if _digest(key) in approved_ones), keys[-1] if keys else None)


def _digest(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".tar")


def _place(record: Record) -> str:
    return f"{record.compared.environment}/{record.compared.stack}"


def _store(workspace: Workspace, aws: Mapping[str, str] | None = None) -> Store:
    return Store(workspace.state_bucket, workspace.deployment.environment.region, aws or workspace.aws())


def _stored(workspace: Workspace, bundle: Bundle, key: str, *, new: bool) -> Stored:
    good = len(approved(workspace.deployment, bundle).people)
    return Stored(bundle.record.compared.stack, bundle.digest, key, new, good)
