"""Which replicas run on which pools: pods of one template need nodes of one type, and with Lustre of one zone."""

from __future__ import annotations

from dataclasses import dataclass

from hawser import facts
from hawser.contract.deployment import Deployment, Pool


@dataclass(frozen=True, slots=True)
class Placement:
    """Replicas that share a template. ``suffix`` tells its objects from another one's; empty when there is one.

    ``nodes`` is how many nodes a replica takes. ``capacity`` is how many replicas its pools hold when all nodes run.
    """

    suffix: str
    pools: tuple[Pool, ...]
    instance: facts.Instance
    zone_id: str
    nodes: int
    replicas: int
    capacity: int

    @property
    def full(self) -> bool:
        """No node is free beside the replicas, so an update must stop one before it starts the next."""
        return self.replicas >= self.capacity


def placements(deployment: Deployment) -> tuple[Placement, ...]:
    """The replicas by pool, filled in the order of the pools; pools that get none are left out.

    Pools of one instance type (and zone, with Lustre) share a template, so a pool that ends gives its replicas to the
    one that comes after it.
    """
    gpus = deployment.contract.serving.gpus_per_replica
    groups: dict[tuple[str, str], list[Pool]] = {}
    for pool in deployment.environment.capacity.values():
        zone = pool.zone_id if deployment.contract.weights.cache == "lustre" else ""
        groups.setdefault((pool.instance_type, zone), []).append(pool)
    found, left = [], deployment.environment.replicas
    for (type_, zone), pools in groups.items():
        instance = facts.instances()[type_]
        nodes = -(-gpus // instance.gpus)
        per_node = instance.gpus // gpus
        # A replica of several nodes lives within one pool: EFA does not cross reservations.
        holds = sum(pool.count // nodes if nodes > 1 else pool.count * per_node for pool in pools)
        takes = min(left, holds)
        left -= takes
        if takes:
            suffix = "-".join(part for part in (type_.replace(".", "-"), zone) if part)
            found.append(Placement(suffix, tuple(pools), instance, zone or pools[0].zone_id, nodes, takes, holds))
    if len(found) == 1:
        (only,) = found
        return (Placement("", only.pools, only.instance, only.zone_id, only.nodes, only.replicas, only.capacity),)
    return tuple(found)
