"""Patterns of single fields, and what to say when one does not match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Wording:
    """What a field must look like, how to get there, and why."""

    expected: str
    fix: str
    why: str = ""


NONEMPTY: Final = r"\S"
ADDRESS: Final = r"^[^@\s]+@[^@\s]+\.[^@\s]+$"
REVISION: Final = r"^[0-9a-f]{40}$"
VERSION: Final = r"^[0-9]+(\.[0-9]+)+([a-z.+-][0-9A-Za-z.+-]*)?$"
IMAGE: Final = r"^[a-z0-9]+((_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$"
DIGEST: Final = r"^sha256:[0-9a-f]{64}$"
CUDA: Final = r"^[0-9]+\.[0-9]+$"
DRIVER: Final = r"^[0-9]{3,4}(\.[0-9]+)*$"
SHA256: Final = r"^[0-9a-f]{64}$"
PATH: Final = r"^/[0-9A-Za-z._/-]*$"
SERVED_NAME: Final = r"^[0-9A-Za-z][0-9A-Za-z._/-]{0,127}$"
TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
POOL: Final = r"^[a-z][a-z0-9-]{0,29}[a-z0-9]$"
ENVIRONMENT: Final = r"^[a-z0-9][a-z0-9-]{0,30}$"
ACCOUNT: Final = r"^[0-9]{12}$"
REGISTRY: Final = r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+(:[0-9]{1,5})?$"
S3_URI: Final = r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[0-9A-Za-z!_.*'()/-]*)?$"
BUCKET: Final = r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$"
KEY_PREFIX: Final = r"^[0-9A-Za-z][0-9A-Za-z_-]*(/[0-9A-Za-z][0-9A-Za-z_-]*)*$"
CLUSTER: Final = r"^[a-z][a-z0-9-]{0,38}[a-z0-9]$"
KUBERNETES: Final = r"^1\.[0-9]{2}$"
EKS_CLUSTER: Final = r"^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$"
VPC: Final = r"^vpc-([0-9a-f]{8}|[0-9a-f]{17})$"
SUBNET: Final = r"^subnet-([0-9a-f]{8}|[0-9a-f]{17})$"
SECURITY_GROUP: Final = r"^sg-([0-9a-f]{8}|[0-9a-f]{17})$"
RULE: Final = r"^([A-Z][A-Z0-9]{1,7}-[A-Z]{2,4}-[0-9]{3}|CKV2?_[A-Z0-9]+_[0-9]+)$"
DAY: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
ISSUER: Final = r"^https://[a-z0-9.-]+(/[0-9A-Za-z._/-]*[0-9A-Za-z_-])?$"
CI_REPOSITORY: Final = r"^[0-9A-Za-z_.@-]+/[0-9A-Za-z_.@-]+$"
BRANCH: Final = r"^[0-9A-Za-z._/-]+$"
CI_ENVIRONMENT: Final = r"^[0-9A-Za-z._-]+$"

WORDING: Final = {
    NONEMPTY: Wording("text that is not empty", "write the value"),
    ADDRESS: Wording("an e-mail address", "name the person or team that answers for it"),
    REVISION: Wording(
        "a commit: 40 hex digits",
        "take the commit from the model's repository, not a branch or tag",
        "A branch moves: the same contract would serve other weights tomorrow.",
    ),
    VERSION: Wording('a version such as "0.33.0"', "write the version in quotes"),
    IMAGE: Wording(
        "an image name without registry and tag, such as vllm/vllm-openai",
        "leave out the registry (each environment has its own) and the tag (the digest names the image)",
        "A tag can be moved, and a registry in the contract would be reached from every environment.",
    ),
    DIGEST: Wording(
        "sha256: and 64 hex digits",
        "take the digest: docker buildx imagetools inspect <name>:<tag>",
        "A tag can be moved: what was reviewed and what starts would not be the same image.",
    ),
    CUDA: Wording('a version such as "13.0"', "write the CUDA version in quotes"),
    DRIVER: Wording('a driver branch such as "580"', "write the driver branch in quotes"),
    SHA256: Wording(
        "64 hex digits", "write the SHA-256 in lower case: of the weights' manifest, or of the approvals' public key"
    ),
    PATH: Wording("a path that begins with /", "write the whole path"),
    SERVED_NAME: Wording("a name of letters, digits and . _ / -", "choose a name that clients can send"),
    TIME: Wording(
        'a time in UTC such as "2027-01-11T11:30:00Z"', "write date and time in UTC, with T and Z, in quotes"
    ),
    POOL: Wording(
        "2 to 31 lower-case letters, digits and hyphens, beginning with a letter",
        "rename the pool",
        "Node groups, instance groups and roles are named after the pool.",
    ),
    ENVIRONMENT: Wording("lower-case letters, digits and hyphens", "write the name of the folder that holds this file"),
    ACCOUNT: Wording(
        "12 digits in quotes",
        'write the account id as text, for example "111122223333"',
        "As a number an account id loses its leading zeros.",
    ),
    REGISTRY: Wording(
        "the host name of a registry",
        "write <account>.dkr.ecr.<region>.amazonaws.com, without https:// and without a path",
    ),
    S3_URI: Wording("s3://<bucket>/<prefix> with a valid bucket name", "write the place of the weights in S3"),
    BUCKET: Wording(
        "a bucket name: 3 to 63 lower-case letters, digits, dots and hyphens", "write the bucket's name only"
    ),
    KEY_PREFIX: Wording("names separated by /", "write the folder without a slash at either end"),
    CLUSTER: Wording(
        "2 to 40 lower-case letters, digits and hyphens, beginning with a letter",
        "choose a shorter or simpler name",
        "Role names are built from it and may have 64 characters.",
    ),
    KUBERNETES: Wording('a minor version such as "1.35"', "write the minor version in quotes"),
    EKS_CLUSTER: Wording(
        "the name of an EKS cluster: letters, digits, hyphens and underscores, at most 100",
        "take it from aws eks list-clusters: the name, not the ARN",
    ),
    VPC: Wording("vpc- and 8 or 17 hex digits", "take it from resourcesVpcConfig of aws eks describe-cluster"),
    SUBNET: Wording("subnet- and 8 or 17 hex digits", "take it from aws ec2 describe-subnets, with its zone id"),
    SECURITY_GROUP: Wording("sg- and 8 or 17 hex digits", "take the id, not the name, of the security group"),
    RULE: Wording("a rule id such as HW-CAP-001 or CKV_AWS_58", "take the id from `hawser policy list`"),
    DAY: Wording('a day such as "2027-01-31"', "write year, month and day, in quotes"),
    ISSUER: Wording(
        "an https:// address without a slash at the end",
        "write the issuer of the CI's tokens, such as https://token.actions.githubusercontent.com",
    ),
    CI_REPOSITORY: Wording(
        "owner/name without a wildcard",
        "write it as the sub claim of the CI's tokens gives it",
        "A wildcard trusts repositories that nobody has made yet.",
    ),
    BRANCH: Wording(
        "the name of one branch", "write it without refs/heads/ and without a wildcard", "Its jobs may read the state."
    ),
    CI_ENVIRONMENT: Wording(
        "the name of one protected environment of the CI",
        "write it without a wildcard",
        "Who may apply is decided by the rules of that environment.",
    ),
}
