"""HW-NET-001: the Kubernetes API answers the whole internet."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.addresses import network, whom
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError, Value

_CIDRS = "public_access_cidrs"
_PUBLIC = "endpoint_public_access"


@change_rule(
    RuleMeta(
        id="HW-NET-001",
        title="The Kubernetes API is private, or public for named address ranges only.",
        area="exposure",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=("aws_eks_cluster",),
        looks_at="planned state",
        why="A public endpoint that answers everybody leaves only authentication between the internet and the GPUs.",
        fix="Leave cluster.public_access_cidrs in env.yaml empty for a private endpoint, or list your own ranges.",
        references=("https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",),
    )
)
def cluster_endpoint(change: Change, context: Context) -> Iterator[Hit]:
    """EKS defaults: the endpoint is public, and open to 0.0.0.0/0, when nothing is said."""
    vpc = change.after.at("vpc_config", 0)
    public, cidrs = vpc.get(_PUBLIC), vpc.get(_CIDRS)
    if public.raw() is False and not public.is_unknown:
        return
    said = bool(context.configuration.expression(change, "vpc_config", 0, _CIDRS))
    if (
        cidrs.is_null
        or (cidrs.raw() == [] and not cidrs.has_unknown)
        or (cidrs.is_unknown and not said and not change.before.raw())
    ):
        open_to, shown_cidrs = "the internet", "0.0.0.0/0, the default"
    else:
        open_to, shown_cidrs = _open(cidrs), shown(cidrs)
    if not open_to:
        return
    if public.is_unknown:
        raise UndecidableError(public.path)
    yield Hit(
        path=cidrs.path or f"vpc_config[0].{_CIDRS}",
        message=f"The Kubernetes API endpoint is public and open to {open_to} ({shown_cidrs}).",
        after=shown_cidrs,
        contract_path="cluster.public_access_cidrs",
    )


def _open(cidrs: Value) -> str:
    """Whom the known ranges let in, when it is too many; unknown ones matter only when it is not."""
    known = [network(str(one.raw())) for one in cidrs.elements() if not one.is_unknown]
    if too_many := whom(one for one in known if one is not None):
        return too_many
    cidrs.known()
    return ""
