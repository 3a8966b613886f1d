"""Names that are built from the names of cluster and pools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.contract.checks.rule import pool_rule, rule
from hawser.contract.draft import Draft, PoolDraft
from hawser.contract.problems import Problem

#: Longest <cluster>-<pool> by target. Notices before a pool ends are schedules <cluster>-<target>-<pool>-168h; these
#: may have 64 characters, like roles. EventBridge Scheduler and IAM quotas, 2026-11-30.
_LONGEST_PREFIX: Final = {"eks": 53, "hyperpod": 48}
#: Longest name of a bucket. S3 user guide, bucket naming rules, 2026-11-30.
_LONGEST_BUCKET: Final = 63
#: Node group of the platform's own nodes.
_SYSTEM: Final = "system"


@pool_rule(
    "Cluster and pool names are short enough together.", "Roles and schedules named after both may have 64 characters."
)
def node_group_names(pool: PoolDraft) -> Iterator[Problem]:
    """Name of a pool with the cluster's."""
    whole = f"{pool.draft.text(*pool.draft.cluster_name)}-{pool.name}"
    longest = _LONGEST_PREFIX[pool.draft.text("target")]
    if len(whole) > longest:
        fix = f"shorten the pool's name by {len(whole) - longest}"
        expected = f"at most {longest} characters in {whole}"
        yield pool.draft.problem(("capacity", pool.name), expected, fix, found=f"{len(whole)} characters")


@pool_rule("No pool is called system.", "The platform's own nodes are a node group of that name.")
def reserved_pool(pool: PoolDraft) -> Iterator[Problem]:
    """Name of a pool."""
    if pool.name == _SYSTEM:
        path = ("capacity", pool.name)
        yield pool.draft.problem(path, "another name", "name it after its reservation", found=f"the name {_SYSTEM}")


@rule(
    "The cluster's name is short enough for the lifecycle bucket.",
    "HyperPod nodes read their start script from it.",
)
def lifecycle_bucket(draft: Draft) -> Iterator[Problem]:
    """Name of the EKS cluster on hyperpod, with account and region."""
    whole = f"sagemaker-{draft.text(*draft.cluster_name)}-{draft.text('account_id')}-{draft.text('region')}"
    if draft.text("target") == "hyperpod" and len(whole) > _LONGEST_BUCKET:
        expected = f"at most {_LONGEST_BUCKET} characters in the bucket name {whole}"
        over = len(whole) - _LONGEST_BUCKET
        fix = f"use a cluster with a name shorter by {over}" if draft.existing else f"shorten it by {over}"
        yield draft.problem(draft.cluster_name, expected, fix)
