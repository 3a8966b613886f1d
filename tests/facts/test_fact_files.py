"""The facts: every entry says where it comes from, and they agree with each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hawser import facts

FOLDER = Path(facts.__file__).parent
GOOD = {"source": "a page", "date": "2026-11-30", "mark": "verified"}

#: What each file holds: sections of entries, and entries of their own.
SECTIONS = {
    "instances.yaml": ["instances"],
    "models.yaml": ["models", "licences"],
    "regions.yaml": ["regions", "offered.eks", "offered.hyperpod"],
    "kubernetes.yaml": ["versions"],
    "addons.yaml": ["addons"],
    "nodes.yaml": [],
    "storage.yaml": [],
    "alarms.yaml": ["engines"],
    "engine_options.yaml": ["engines.vllm"],
    "engines.yaml": ["metrics.vllm", "reasoning"],
    "startup.yaml": ["caches", "compiling"],
    "examples.yaml": ["examples"],
}
SINGLE = {
    "kubernetes.yaml": ["hyperpod"],
    "nodes.yaml": ["system_nodes", "hyperpod_volume", "kubelet", "instance_store"],
    "startup.yaml": ["image_pull"],
    "storage.yaml": ["lustre", "gp3"],
    "regions.yaml": ["hyperpod_without_agent"],
}


def entries(file: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    document = facts.read(file)
    for section in SECTIONS[file]:
        table: Any = document
        for part in section.split("."):
            table = table[part]
        yield from table.items()
    for name in SINGLE.get(file, []):
        yield name, document[name]


@pytest.mark.parametrize("file", SECTIONS)
def test_every_entry_has_source_date_and_mark(file: str) -> None:
    found = list(entries(file))
    assert found
    for name, entry in found:
        facts.origin(entry, f"{file}: {name}")


def test_no_section_is_left_out() -> None:
    for file, sections in SECTIONS.items():
        known = {section.partition(".")[0] for section in sections} | set(SINGLE.get(file, []))
        assert set(facts.read(file)) == known
    of_another_shape = {"checkov.yaml", "terraform.yaml"}  # the ids of a tool and the hashes of a binary
    assert {path.name for path in FOLDER.glob("*.yaml")} - of_another_shape == set(SECTIONS)


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {**GOOD, "source": ""},
        {**GOOD, "source": None},
        {**GOOD, "date": "November 2026"},
        {**GOOD, "date": None},
        {**GOOD, "mark": "V"},
        {k: v for k, v in GOOD.items() if k != "mark"},
        {k: v for k, v in GOOD.items() if k != "source"},
        {k: v for k, v in GOOD.items() if k != "date"},
    ],
)
def test_an_entry_without_origin_is_refused(entry: dict[str, Any]) -> None:
    with pytest.raises(facts.FactError, match=r"instances\.yaml: x has no"):
        facts.origin(entry, "instances.yaml: x")


def test_dates_are_days() -> None:
    for file in SECTIONS:
        for name, entry in entries(file):
            assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", entry["date"]), name


@pytest.mark.parametrize("name", facts.instances())
def test_the_interfaces_of_an_instance(name: str) -> None:
    instance = facts.instances()[name]
    assert sum(i.type == "efa-only" for i in instance.interfaces) == instance.efa
    assert [i for i in instance.interfaces if i.type == "interface"] == [facts.Interface(0, 0, "interface")]
    places = [(i.card, i.device) for i in instance.interfaces]
    assert len(set(places)) == len(places)
    assert places == sorted(places)
    cards = {card for card, _ in places}
    assert cards == set(range(len(cards)))
    assert instance.sagemaker_name == f"ml.{name}"


def test_p6_b300_has_17_cards_of_which_the_first_has_no_efa() -> None:
    interfaces = facts.instances()["p6-b300.48xlarge"].interfaces
    assert len({i.card for i in interfaces}) == 17
    assert [i.type for i in interfaces if i.card == 0] == ["interface"]


@pytest.mark.parametrize("target", ["eks", "hyperpod"])
def test_offers_name_known_types_and_regions(target: str) -> None:
    assert set(facts.offered(target)) == set(facts.instances())
    for regions in facts.offered(target).values():
        assert set(regions) <= set(facts.regions())


def test_every_region_is_offered_something_and_has_its_own_zones() -> None:
    offered = {
        region for target in ("eks", "hyperpod") for regions in facts.offered(target).values() for region in regions
    }
    assert offered == set(facts.regions())
    prefixes = [region.zone_prefix for region in facts.regions().values()]
    assert len(set(prefixes)) == len(prefixes)
    for region in facts.regions().values():
        assert all(zone.startswith(f"{region.zone_prefix}-az") for zone in region.no_control_plane)
        assert (region.partition == "aws-us-gov") == region.name.startswith("us-gov-")


def test_kimi_k3_adds_up() -> None:
    """Experts at 4.25 bits and the rest at 16 bits give the parameters that the checkpoint counts."""
    model = facts.models()["moonshotai/Kimi-K3"]
    expert_parameters = 92 * 896 * 3 * 3584 * 3072
    assert model.expert_bytes == expert_parameters * 17 // 32
    other_parameters = (model.size_bytes - model.expert_bytes) / 2
    assert expert_parameters + other_parameters == pytest.approx(2_779_931_837_184, rel=1e-4)
    assert model.licence in facts.licences()
    assert set(model.minimum_nodes) == set(facts.instances())


def test_weights_fit_where_the_recipe_says() -> None:
    from hawser.contract.memory import usable_per_gpu, weights_per_gpu

    model = facts.models()["moonshotai/Kimi-K3"]
    for name, nodes in model.minimum_nodes.items():
        instance = facts.instances()[name]
        # H200 spreads the experts over two data-parallel nodes; the others take pipeline stages.
        needed = weights_per_gpu(model, model.size_bytes, instance.gpus, nodes, 1)
        assert needed < usable_per_gpu(instance, 0.9), name
    one_b200 = weights_per_gpu(model, model.size_bytes, 8, 1, 1)
    assert one_b200 > usable_per_gpu(facts.instances()["p6-b200.48xlarge"], 0.95)


def test_kubernetes_versions_are_in_order_and_1_35_serves_both_targets() -> None:
    from hawser.contract.checks.cluster import usable_versions

    numbers = [version.number for version in facts.kubernetes_versions().values()]
    assert numbers == sorted(numbers)
    for target in ("eks", "hyperpod"):
        assert "1.35" in {version.name for version in usable_versions(target)}


def test_the_last_day_of_support_is_compared_with_the_date_of_the_fact() -> None:
    versions = facts.kubernetes_versions()
    assert versions["1.33"].ended
    assert not versions["1.34"].ended
    assert not versions["1.36"].ended


def test_nodes() -> None:
    assert facts.system_nodes().count >= 2
    assert 100 <= facts.hyperpod_volume().size_gb <= 1024
    assert all(addon.version is None or addon.version.startswith("v") for addon in facts.addons().values())
    assert {addon.needs for addon in facts.addons().values()} == {"control-plane", "nodes", "hyperpod"}
    assert set(facts.hyperpod_without_agent().regions) <= set(facts.regions())


def test_lustre_is_bought_as_it_is_sold() -> None:
    sold = facts.lustre()
    assert sold.throughput_mb_per_tib in sold.throughputs_mb_per_tib
    assert sold.step_gib % sold.smallest_gib == 0


def test_every_engine_of_a_model_has_its_metrics() -> None:
    wanted = {engine for model in facts.models().values() for engine in model.engines}
    assert set(facts.engine_alarms()) <= wanted
    assert "vllm" in facts.engine_alarms()


def test_every_engine_of_a_model_names_the_field_of_its_thoughts() -> None:
    assert {engine for model in facts.models().values() for engine in model.engines} <= set(facts.reasoning_fields())


def test_metrics_of_an_engine_are_of_known_kinds_and_have_those_that_alarms_lean_on() -> None:
    for version, known in facts.engine_metrics("vllm").items():
        names = [metric.name for metric in known.metrics]
        assert len(set(names)) == len(names), version
        assert {metric.kind for metric in known.metrics} == {"gauge", "counter", "histogram"}
        assert {metric.tells for metric in known.metrics} == {"latency", "load", "memory", "cache", "throughput"}
        alarms = facts.engine_alarms()["vllm"]
        assert {alarms.queue, alarms.first_token} <= set(names)
    assert facts.engine_metrics("another") == {}
