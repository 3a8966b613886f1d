"""The hand-over between stacks: what ``platform`` gives out, typed, and what stands in for values not final yet.

A platform that hawser does not make gives the same values, from env.yaml.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hawser import facts
from hawser.contract.deployment import Environment, ExistingPlatform
from hawser.terraform.plan import Action, OutputChange, Plan

_ACCOUNT: Final = "000000000000"

#: One typed stand-in per output of ``platform`` that a later stack consumes. They look like what they stand for, so
#: that variable validations accept them, and no real value can equal them (account 0, all-zero ids).
PLACEHOLDERS: Final[Mapping[str, Any]] = {
    "vpc_id": "vpc-00000000000000000",
    "node_subnet_ids": "subnet-00000000000000000",  # per zone id of the environment, see stand_in()
    "cluster_name": "not-final-yet",
    "cluster_arn": f"arn:aws:eks:us-east-1:{_ACCOUNT}:cluster/not-final-yet",
    "cluster_security_group_id": "sg-00000000000000000",
    "efa_security_group_id": "sg-00000000000000001",
    "data_kms_key_arn": f"arn:aws:kms:us-east-1:{_ACCOUNT}:key/00000000-0000-0000-0000-000000000000",
    "oidc_provider_arn": f"arn:aws:iam::{_ACCOUNT}:oidc-provider/not-final-yet",
    "alerts_topic_arn": f"arn:aws:sns:us-east-1:{_ACCOUNT}:not-final-yet",
    "host_log_group": "/aws/containerinsights/not-final-yet/host",
    "cloudformation_role_arn": f"arn:aws:iam::{_ACCOUNT}:role/not-final-yet",
}

#: Strings that rules must treat as unknown wherever they meet them.
PLACEHOLDER_STRINGS: Final = frozenset(str(value) for value in PLACEHOLDERS.values())


@dataclass(frozen=True, slots=True)
class Upstream:
    """The values that a later stack is planned with.

    ``not_final`` names the outputs that the platform plan of the same run still changes; with any, the plan of the
    later stack is speculative.
    """

    values: Mapping[str, Any]
    not_final: tuple[str, ...]

    @property
    def speculative(self) -> bool:
        """Whether a plan made with these values may be read only."""
        return bool(self.not_final)

    @property
    def placeholders(self) -> frozenset[str]:
        """Strings that stand for values not final yet."""
        return PLACEHOLDER_STRINGS if self.speculative else frozenset()

    def tfvars(self) -> bytes:
        """``upstream.tfvars.json``: deterministic bytes."""
        return (json.dumps(self.values, indent=2, sort_keys=True) + "\n").encode()


def upstream(consumed: Iterable[str], platform: Plan, zone_ids: Iterable[str]) -> Upstream:
    """What the plan of ``platform`` in this run lets a later stack consume.

    An output that the plan leaves alone is final. One that it changes to a known value is used, but not final; one that
    is unknown until apply gets its placeholder. Raises ``KeyError`` for a name that has no placeholder: a test keeps
    the table and every ``upstream.tf`` in step.
    """
    outputs = {output.name: output for output in platform.outputs}
    values: dict[str, Any] = {}
    not_final = []
    for name in sorted(consumed):
        value, final = _handed_over(name, outputs.get(name), tuple(zone_ids))
        values[name] = value
        if not final:
            not_final.append(name)
    return Upstream(values, tuple(not_final))


def from_existing(consumed: Iterable[str], platform: ExistingPlatform, environment: Environment) -> Upstream:
    """The consumed values of a platform that hawser does not make. They are final, so a plan with them is real.

    A value that the environment does not give is left out. Raises ``KeyError`` for a name that no existing platform can
    give: a test keeps this table and every ``upstream.tf`` in step.
    """
    partition = facts.regions()[environment.region].partition
    arn = f"arn:{partition}:eks:{environment.region}:{environment.account_id}:cluster/{platform.cluster_name}"
    given: dict[str, Any] = {
        "vpc_id": platform.vpc_id,
        "node_subnet_ids": dict(platform.subnets_by_zone_id),
        "cluster_name": platform.cluster_name,
        "cluster_arn": arn,
        "cluster_security_group_id": platform.cluster_security_group_id,
        "efa_security_group_id": platform.efa_security_group_id,
        "data_kms_key_arn": platform.data_kms_key_arn,
        "oidc_provider_arn": platform.oidc_provider_arn,
        "cloudformation_role_arn": platform.cloudformation_role_arn,
        "alerts_topic_arn": platform.alerts_topic_arn,
        "host_log_group": platform.host_log_group,
    }
    values = {name: given[name] for name in sorted(consumed)}
    return Upstream({name: value for name, value in values.items() if value is not None}, ())


#: The field of ``platform.existing`` behind each value that is not called as there.
_EXISTING: Final = {
    "node_subnet_ids": "subnets_by_zone_id",
    "cluster_arn": "cluster_name",
    "cluster_security_group_id": "security_group_ids.cluster",
    "efa_security_group_id": "security_group_ids.efa",
}


def existing_field(name: str) -> str:
    """The field of env.yaml that gives the consumed value ``name`` where the platform is an existing one."""
    return f"platform.existing.{_EXISTING.get(name, name)}"


def _handed_over(name: str, output: OutputChange | None, zone_ids: tuple[str, ...]) -> tuple[Any, bool]:
    stand_in = dict.fromkeys(sorted(zone_ids), PLACEHOLDERS[name]) if name == "node_subnet_ids" else PLACEHOLDERS[name]
    if output is None or output.action is Action.DELETE or output.after.has_unknown or output.after.is_null:
        return stand_in, False
    return output.after.known(), output.action is Action.NO_OP


def from_outputs(consumed: Iterable[str], outputs: bytes) -> Mapping[str, Any]:
    """The consumed values in the answer of ``terraform output -json``; a missing output is left out.

    Raises ``ValueError`` when the answer is not that JSON.
    """
    given = json.loads(outputs or b"{}")
    if not isinstance(given, dict):
        raise ValueError("terraform output did not answer with an object")
    return {name: given[name]["value"] for name in sorted(consumed) if name in given}
