"""What is worth knowing about a valid deployment. Notes never stop anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from typing import Final

from hawser import facts
from hawser.contract.deployment import Deployment, Place

#: Hour at which Capacity Blocks and training plans end. AWS documentation on Capacity Blocks for ML, 2026-10-04.
_USUAL_END: Final = time(11, 30)


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence about a field, and where that stands."""

    place: Place
    path: str
    text: str

    def __str__(self) -> str:
        """One line that editors and terminals link."""
        return f"{self.place}: {self.path}: {self.text}"


def notes(deployment: Deployment) -> tuple[Note, ...]:
    """All notes, sorted by place."""
    found = [
        *_licence(deployment),
        *_examples(deployment),
        *_support(deployment),
        *_ends(deployment),
        *_closed_hyperpod(deployment),
        *_unwatched(deployment),
    ]
    return tuple(sorted(found, key=lambda note: (note.place.file, note.place.line, note.path)))


def _note(deployment: Deployment, path: str, text: str) -> Note:
    place = deployment.place(path)
    assert place is not None
    return Note(place, path, text)


def _licence(deployment: Deployment) -> Iterator[Note]:
    model = deployment.contract.model
    if model.acknowledgement.use == "service":
        needs = facts.licences()[model.licence].service
        yield _note(deployment, "model.acknowledgement.use", f"a service under the {model.licence} needs {needs}")


def _examples(deployment: Deployment) -> Iterator[Note]:
    if deployment.examples and not deployment.environment.emulator:
        count = len(deployment.examples)
        text = f"{count} values are examples of documentation, the first is this one; nothing may be applied with them"
        yield _note(deployment, deployment.examples[0], text)


def _support(deployment: Deployment) -> Iterator[Note]:
    cluster = deployment.environment.cluster
    if cluster is None:
        return
    version = facts.kubernetes_versions()[cluster.kubernetes_version]
    path = "cluster.kubernetes_version"
    if version.standard_support_ends is None:
        yield _note(deployment, path, f"the end of standard support of {version.name} is not known to hawser")
        return
    later = [
        pool.name
        for pool in deployment.environment.capacity.values()
        if pool.end and pool.end.date().isoformat() > version.standard_support_ends
    ]
    outlived = f", before the end of {', '.join(later)}" if later else ""
    yield _note(deployment, path, f"standard support of {version.name} ends {version.standard_support_ends}{outlived}")


def _ends(deployment: Deployment) -> Iterator[Note]:
    for pool in deployment.environment.capacity.values():
        if pool.end and pool.end.time() != _USUAL_END:
            yield _note(
                deployment, f"capacity.{pool.name}.end", "such reservations end at 11:30 UTC; compare with yours"
            )


def _closed_hyperpod(deployment: Deployment) -> Iterator[Note]:
    environment = deployment.environment
    network = environment.network
    if environment.target == "hyperpod" and network is not None and network.egress == "endpoints":
        text = (
            "the inference operator imports certificates into ACM, for which AWS documents no VPC endpoint: give it a"
            " certificate of your own, or take nat"
        )
        yield _note(deployment, "network.egress", text)


def _unwatched(deployment: Deployment) -> Iterator[Note]:
    existing = deployment.environment.existing
    if existing and existing.alerts_topic_arn is None:
        text = "without alerts_topic_arn no alarm is made: nobody is told of lost nodes or of a pool that ends"
        yield _note(deployment, "platform.existing.cluster_name", text)
