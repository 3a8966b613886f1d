"""HW-NET-002: a security group lets the internet in."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.addresses import whom
from hawser.policy.findings import Level, Severity
from hawser.policy.ingress import ANY, LAST, TYPES, Ingress, ingress_of
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.unknown import Doubts


@plan_rule(
    RuleMeta(
        id="HW-NET-002",
        title="Every ingress rule names who may come in; a group lets in no more than a /8 of public addresses.",
        area="exposure",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=TYPES,
        looks_at="planned state",
        why="An open port is found within minutes. Two halves of the internet in two rules are as open as 0.0.0.0/0.",
        fix="Reach the service through the load balancer or a private network; in code that hawser did not make, name"
        " the ranges that may come in.",
    )
)
def open_ingress(context: Context) -> Iterator[Hit]:
    """IPv4 and IPv6, rule by rule and then all rules of a group together; unchanged rules count for the group."""
    doubts = Doubts()
    groups: dict[str, list[Ingress]] = {}
    for change in context.plan.of_type(*TYPES):
        if change.mode != "managed" or not change.planned:
            continue
        for ingress in ingress_of(change, context, doubts.about(change.address)):
            if not ingress.ranges:
                continue
            if too_many := whom(ingress.ranges):
                yield _hit(ingress, f"The range {_text(ingress)} lets in {too_many}, on {ingress.ports}.")
            else:
                groups.setdefault(ingress.group, []).append(ingress)
    for rules in groups.values():
        if len(rules) > 1:
            yield from _together(rules)
    doubts.settle()


def _together(rules: list[Ingress]) -> Iterator[Hit]:
    """Rules of one group that are open together on some port, though none is alone. At most one hit per group."""
    if not whom(one for rule in rules for one in rule.ranges):
        return
    for protocol in sorted({rule.protocol for rule in rules}, key=lambda name: (name == ANY, name)):
        same = [rule for rule in rules if rule.protocol in (protocol, ANY)]
        for port in sorted({rule.first for rule in same}):
            at_port = [rule for rule in same if rule.first <= port <= rule.last]
            if len(at_port) > 1 and (too_many := whom(one for rule in at_port for one in rule.ranges)):
                yield _of_group(at_port, protocol, port, too_many)
                return


def _of_group(rules: list[Ingress], protocol: str, port: int, too_many: str) -> Hit:
    ordered = sorted(rules, key=lambda rule: (not rule.change.changes, rule.change.address, rule.path))
    first, others = ordered[0], ordered[1:]
    last = min(rule.last for rule in rules)
    ports = "every port" if (port, last) == (0, LAST) else f"port {port}" if port == last else f"ports {port} to {last}"
    named = ", ".join(dict.fromkeys(rule.change.address for rule in others))
    return _hit(
        first,
        f"Together with {named} it lets in {too_many} ({_text(*ordered)}), on"
        f" {'every protocol' if protocol == ANY else protocol}, {ports}.",
        changed=any(rule.change.changes for rule in rules),
    )


def _text(*rules: Ingress) -> str:
    ranges = [str(one) for rule in rules for one in rule.ranges]
    return ", ".join(ranges[:4]) + (f" and {len(ranges) - 4} more" if len(ranges) > 4 else "")


def _hit(ingress: Ingress, message: str, changed: bool | None = None) -> Hit:
    return Hit(
        path=ingress.path,
        message=message,
        after=_text(ingress),
        address=ingress.change.address,
        changed=ingress.change.changes if changed is None else changed,
    )
