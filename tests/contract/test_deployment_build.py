"""The deployment: digest, places, examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from inputs import CONTRACT, ROOT, edited, env_text, line_of, load

from hawser.contract import ContractError, environment_names, example_problems, load_deployment
from hawser.errors import Exit, UsageError


@pytest.mark.parametrize("name", ["dev", "local", "local-hyperpod", "prod"])
def test_the_shipped_environments_are_valid(name: str) -> None:
    assert load_deployment(ROOT, name).environment.name == name


def test_names_are_sorted_and_need_an_env_yaml(checkout: Path) -> None:
    (checkout / "environments/empty").mkdir()
    assert environment_names(checkout) == ("dev", "local", "local-hyperpod", "prod")
    assert environment_names(checkout / "nowhere") == ()


def test_the_digest_leaves_out_comments_and_order() -> None:
    env = env_text("prod")
    moved = edited(env, ("replicas: 2 # each lives within one pool\n", ""), ("name: prod", "replicas: 2\nname: prod"))
    uncommented = "\n".join(line.partition(" #")[0] for line in env.splitlines())
    assert load(env=moved).digest == load(env=uncommented).digest == load(env=env).digest
    assert len(load().digest) == 64


@pytest.mark.parametrize(("old", "new"), [("approvals: 1 ", "approvals: 2 "), ("team: inference", "team: other")])
def test_the_digest_follows_every_value(old: str, new: str) -> None:
    assert load(env=edited(env_text("prod"), (old, new))).digest != load().digest


def test_the_digest_is_of_values_not_of_writing() -> None:
    assert load(edited(CONTRACT, ("utilization: 0.90", "utilization: 0.9"))).digest == load().digest


def test_places_point_to_the_lines() -> None:
    deployment, env = load(), env_text("prod")
    for path, piece in {
        "capacity.k3-block-a.count": "count: 2",
        "capacity.k3-block-a": "k3-block-a:",
        "network.node_subnets.usw2-az2": "usw2-az2: 10.40.16.0/20",
        "cluster.admin_principals.0": "- arn:aws:iam::111122223333",
        "guardrails.destroy": "destroy: block",
    }.items():
        assert str(deployment.places[path]) == f"environments/prod/env.yaml:{line_of(env, piece)}"
    assert str(deployment.places["serving.tensor_parallel"]).startswith("environments/contract.yaml:")


def test_examples_are_found_alone_and_inside_of_values() -> None:
    assert load().examples == (
        "account_id",
        "capacity.k3-block-a.reservation_id",
        "cluster.admin_principals.0",
        "guardrails.alarm_emails.0",
        "image.digest",
        "model.acknowledgement.by",
        "registry",
        "state.bucket",
        "state.ci.repository",
        "state.kms_key_arn",
        "weights.manifest_sha256",
        "weights_uri",
    )
    assert [p.path for p in example_problems(load())] == list(load().examples)


def test_real_values_are_no_examples() -> None:
    env = env_text("dev").replace("444455556666", "444455556667").replace("kimi-k3-example", "kimi")
    contract = edited(
        CONTRACT,
        ("0123456789abcdef" * 4, "1123456789abcdef" * 4),
        ("fedcba9876543210" * 4, "0edcba9876543210" * 4),
        ("example.com", "example.company"),
    )
    assert load(contract, env, "dev").examples == ()


def test_pools_are_sorted_by_name() -> None:
    assert list(load(name="local-hyperpod").environment.capacity) == ["k3-on-demand", "k3-plan-a"]


def test_a_missing_contract_is_a_problem_of_its_file(checkout: Path) -> None:
    (checkout / "environments/contract.yaml").unlink()
    with pytest.raises(ContractError) as raised:
        load_deployment(checkout, "prod")
    assert raised.value.exit_code is Exit.CONTRACT_INVALID
    assert [(p.place.file, p.found) for p in raised.value.problems] == [("environments/contract.yaml", "no such file")]


def test_problems_of_both_files_come_sorted_together() -> None:
    with pytest.raises(ContractError) as raised:
        load(edited(CONTRACT, ("port: 8000", "port: 80")), edited(env_text("prod"), ("replicas: 2", "replicas: 0")))
    assert [(p.place.file, p.path) for p in raised.value.problems] == [
        ("environments/contract.yaml", "api.port"),
        ("environments/prod/env.yaml", "replicas"),
    ]


def test_an_unreadable_file_does_not_hide_the_other() -> None:
    with pytest.raises(ContractError) as raised:
        load(CONTRACT + "\tx", edited(env_text("prod"), ("zone_id: usw2-az2", "zone_id: us-west-2b")))
    assert [p.path for p in raised.value.problems] == ["", "capacity.k3-block-a.zone_id"]


def test_no_environment_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        load_deployment(tmp_path, "prod")
    assert "Make one: environments/<name>/env.yaml." in raised.value.fix
