"""Each rule between fields: one mistake gives exactly one problem, at its line, and every rule has a case."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from inputs import CONTRACT, edited, env_text, line_of, problems

from hawser.contract.checks import (
    access,
    capacity,
    cluster,
    engine,
    existing,
    guardrails,
    hyperpod,
    licence,
    memory,
    names,
    network,
    storage,
    topology,
    windows,
    zones,
)
from hawser.contract.checks.registry import RULES
from hawser.contract.checks.rule import CrossRule

Edits = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    rule: CrossRule
    #: text that stands in the line of the problem, after the edits
    at: str
    path: str
    says: tuple[str, ...]
    contract: Edits = ()
    env: Edits = ()
    #: the shipped environment
    name: str = "prod"


B300 = "instance_type: p6-b300.48xlarge"
ARN = "arn:aws:iam::111122223333:role/platform-admin"
PLAN = "arn:aws:sagemaker:us-west-2:444455556666:training-plan/kimi-k3-example"
#: All of dev in another region.
MOVED = (
    ("region: us-west-2\n", "region: ap-south-2\n"),
    (".ecr.us-west-2.", ".ecr.ap-south-2."),
    ("hawser-weights-444455556666-us-west-2", "hawser-weights-444455556666-ap-south-2"),
    ("sagemaker:us-west-2:", "sagemaker:ap-south-2:"),
    ("zone_id: usw2-az2", "zone_id: aps2-az2"),
    ("usw2-az2: 10.41.16.0/20", "aps2-az2: 10.41.16.0/20"),
    ("usw2-az1: 10.41.240.0/27", "aps2-az1: 10.41.240.0/27"),
    ("usw2-az2: 10.41.240.32/27", "aps2-az2: 10.41.240.32/27"),
)
LONG_NAME = "hawser-production-inference-us-west-2"
SECOND_POOL = """\
  k3-block-b:
    instance_type: p6-b300.48xlarge
    kind: odcr
    count: 1
    reservation_id: cr-0123456789abcdef0 # again
    zone_id: usw2-az2

network:
"""

ON_DEMAND = """\
  spare-{:02}:
    instance_type: p6-b300.48xlarge
    kind: on-demand
    count: 1
    zone_id: usw2-az1
"""

PROD = env_text("prod")
NETWORK = PROD[PROD.index("network:") : PROD.index("cluster:")]
CLUSTER = PROD[PROD.index("cluster:") : PROD.index("state:")]
OIDC = "arn:aws:iam::{}:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
PLATFORM = f"""\
platform:
  existing:
    cluster_name: shared-eks
    vpc_id: vpc-0123456789abcdef0
    subnets_by_zone_id:
      usw2-az1: subnet-0123456789abcdef0
      usw2-az2: subnet-0fedcba9876543210
    security_group_ids:
      cluster: sg-0123456789abcdef0
      efa: sg-0fedcba9876543210
    oidc_provider_arn: {OIDC.format("111122223333")}
    data_kms_key_arn: arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab
    cloudformation_role_arn: arn:aws:iam::111122223333:role/shared-eks-cloudformation

"""


def on_existing(*edits: tuple[str, str]) -> Edits:
    """prod on a platform that is there already, edited."""
    return ((NETWORK + CLUSTER, edited(PLATFORM, *edits)),)


CASES = [
    Case(
        licence.known_model,
        "Kimi-K3-Instruct",
        "model.id",
        ("write moonshotai/Kimi-K3",),
        contract=(("id: moonshotai/Kimi-K3 ", "id: moonshotai/Kimi-K3-Instruct "),),
    ),
    Case(
        licence.licence_name,
        "Modified MIT",
        "model.licence",
        ("Kimi K3 License",),
        contract=(("licence: Kimi K3 License", "licence: Modified MIT"),),
    ),
    Case(
        licence.service_acknowledged,
        "platform-team@example.com",
        "model.acknowledgement.by",
        ("20 million USD", "separate agreement"),
        contract=(("use: internal", "use: service"),),
    ),
    Case(
        engine.engine_version,
        'version: "0.6.3"',
        "image.engine.version",
        ("0.27.1",),
        contract=(('version: "0.33.0"', 'version: "0.6.3"'),),
    ),
    Case(engine.cuda_version, 'cuda: "12.8"', "image.cuda", ("CUDA 13",), contract=(('cuda: "13.0"', 'cuda: "12.8"'),)),
    Case(
        engine.driver_version,
        'minimum_driver: "570"',
        "image.minimum_driver",
        ("580",),
        contract=(('minimum_driver: "580"', 'minimum_driver: "570"'),),
    ),
    Case(
        engine.parsers,
        "tool_call_parser: kimi_k2",
        "serving.tool_call_parser",
        ("empty content", "write kimi_k3"),
        contract=(("tool_call_parser: kimi_k3", "tool_call_parser: kimi_k2"),),
    ),
    Case(
        engine.needed_arguments,
        "extra_args:",
        "serving.extra_args",
        ("add --enable-auto-tool-choice",),
        contract=((", --enable-auto-tool-choice]", "]"),),
    ),
    Case(
        engine.repeated_arguments,
        "--max-model-len=1024",
        "serving.extra_args.2",
        ("serving.max_model_len",),
        contract=(("tool-choice]", "tool-choice, --max-model-len=1024]"),),
    ),
    Case(
        engine.secret_arguments,
        "--api-key",
        "serving.extra_args.2",
        ("Kubernetes secret",),
        contract=(("tool-choice]", "tool-choice, --api-key, abc]"),),
    ),
    Case(
        engine.installed_at_start,
        "entrypoint:",
        "image.entrypoint",
        ("pip install", "build it into the image"),
        contract=(("entrypoint: [vllm, serve]", "entrypoint: [sh, run.sh, pip, install, vllm]"),),
    ),
    Case(
        engine.distinct_paths,
        "models: /v1/chat",
        "api.paths.models",
        ("another path than chat",),
        contract=(("models: /v1/models", "models: /v1/chat/completions"),),
    ),
    Case(
        topology.product,
        "gpus_per_replica: 16",
        "serving.gpus_per_replica",
        ("8 = tensor_parallel 8",),
        contract=(("gpus_per_replica: 8", "gpus_per_replica: 16"),),
    ),
    Case(
        topology.experts,
        "expert_parallel: 3",
        "serving.expert_parallel",
        ("divisor of tensor_parallel * data_parallel = 8",),
        contract=(("expert_parallel: 1", "expert_parallel: 3"),),
    ),
    Case(
        topology.heads,
        "tensor_parallel: 7",
        "serving.tensor_parallel",
        ("96 attention heads", "write 8"),
        contract=(
            ("tensor_parallel: 8", "tensor_parallel: 7"),
            ("gpus_per_replica: 8", "gpus_per_replica: 14"),
            ("data_parallel: 1", "data_parallel: 2"),
        ),
        env=(("replicas: 2", "replicas: 1"),),
    ),
    Case(
        topology.tensor_in_a_node,
        "tensor_parallel: 16",
        "serving.tensor_parallel",
        ("the GPUs of one p6-b300.48xlarge", "pipeline_parallel 2"),
        contract=(("tensor_parallel: 8", "tensor_parallel: 16"), ("gpus_per_replica: 8", "gpus_per_replica: 16")),
        env=(("replicas: 2", "replicas: 1"),),
    ),
    Case(
        topology.context,
        "max_model_len: 2000000",
        "serving.max_model_len",
        ("1048576",),
        contract=(("max_model_len: 131072", "max_model_len: 2000000"),),
    ),
    Case(
        topology.boots,
        "warm_boot_minutes: 90",
        "serving.warm_boot_minutes",
        ("first_boot_minutes (75)",),
        contract=(("warm_boot_minutes: 15", "warm_boot_minutes: 90"),),
    ),
    Case(
        memory.size,
        "size_bytes: 1400000000000",
        "weights.size_bytes",
        ("1.561 TB = 1453.7 GiB",),
        contract=(("size_bytes: 1560936091448", "size_bytes: 1400000000000"),),
    ),
    Case(
        memory.files, "file_count: 95", "weights.file_count", ("96",), contract=(("file_count: 96", "file_count: 95"),)
    ),
    Case(
        memory.precision,
        "precision: fp8",
        "weights.precision",
        ("mxfp4",),
        contract=(("precision: mxfp4", "precision: fp8"),),
    ),
    Case(
        memory.fit,
        "p6-b200.48xlarge",
        "capacity.k3-block-a.instance_type",
        (
            "161.2 GiB usable of each B200",
            "179.1 GiB at utilisation 0.9",
            "181.7 GiB per GPU",
            "1 x p6-b300.48xlarge (tensor_parallel 8)",
            "2 x p6-b200.48xlarge (tensor_parallel 8, pipeline_parallel 2)",
            "4 x p5.48xlarge",
        ),
        env=((B300, "instance_type: p6-b200.48xlarge"),),
    ),
    Case(
        memory.nodes,
        "gpus_per_replica: 24",
        "serving.gpus_per_replica",
        ("found 24, by its three degrees", "at least 32 GPUs on p5.48xlarge", "pipeline_parallel: 4"),
        contract=(("gpus_per_replica: 8", "gpus_per_replica: 24"), ("pipeline_parallel: 1", "pipeline_parallel: 3")),
        env=((B300, "instance_type: p5.48xlarge"), ("count: 2", "count: 6")),
    ),
    Case(
        memory.nodes,
        "gpus_per_replica: 7",
        "serving.gpus_per_replica",
        ("found 7, by its three degrees", "at least 8 GPUs on p6-b300.48xlarge", "for example tensor_parallel: 8"),
        contract=(
            ("gpus_per_replica: 8", "gpus_per_replica: 7"),
            ("tensor_parallel: 8", "tensor_parallel: 1"),
            ("pipeline_parallel: 1", "pipeline_parallel: 7"),
        ),
    ),
    Case(
        access.folder_name,
        "name: production",
        "name",
        ("prod, the name of the folder",),
        env=(("name: prod #", "name: production #"),),
    ),
    Case(
        access.known_region,
        "region: us-west-2a",
        "region",
        ("write us-west-2",),
        env=(("region: us-west-2", "region: us-west-2a"),),
    ),
    Case(
        capacity.known_type,
        "ml.p6-b300.48xlarge",
        "capacity.k3-block-a.instance_type",
        ("write p6-b300.48xlarge (the EC2 name",),
        env=((B300, "instance_type: ml.p6-b300.48xlarge"),),
    ),
    Case(
        capacity.offered,
        B300,
        "capacity.k3-block-a.instance_type",
        ("a type that eks offers in eu-west-1", "move to ap-northeast-2"),
        env=(
            ("region: us-west-2", "region: eu-west-1"),
            ("kms_key_arn: arn:aws:kms:us-west-2", "kms_key_arn: arn:aws:kms:eu-west-1"),
            ("usw2-az1: 10.40.0", "euw1-az1: 10.40.0"),
            ("usw2-az2: 10.40.16", "euw1-az2: 10.40.16"),
            ("usw2-az1: 10.40.240", "euw1-az1: 10.40.240"),
            ("usw2-az2: 10.40.240", "euw1-az2: 10.40.240"),
            ("usw2-az1: 10.40.250", "euw1-az1: 10.40.250"),
            ("usw2-az2: 10.40.250", "euw1-az2: 10.40.250"),
            ("zone_id: usw2-az2", "zone_id: euw1-az2"),
        ),
    ),
    Case(
        capacity.kind_of_target,
        "kind: capacity-block",
        "capacity.k3-block-a.kind",
        ("on-demand, training-plan on hyperpod", "buy a training plan"),
        env=(("target: eks", "target: hyperpod"),),
    ),
    Case(
        capacity.fields_of_kind,
        "k3-block-a:",
        "capacity.k3-block-a.reservation_id",
        ("reservation_id for the kind capacity-block",),
        env=(("    reservation_id: cr-0123456789abcdef0 # the reservation, not the block (cb-...)\n", ""),),
    ),
    Case(
        capacity.reservation_id,
        "reservation_id: cb-",
        "capacity.k3-block-a.reservation_id",
        ("cr-…; cb-… is the block",),
        env=(("reservation_id: cr-", "reservation_id: cb-"),),
    ),
    Case(
        capacity.training_plan,
        "us-east-1",
        "capacity.k3-plan-a.training_plan_arn",
        ("sagemaker:us-west-2:444455556666",),
        env=((PLAN, PLAN.replace("us-west-2", "us-east-1")),),
        name="dev",
    ),
    Case(
        capacity.block_size, "count: 65", "capacity.k3-block-a.count", ("at most 64",), env=(("count: 2", "count: 65"),)
    ),
    Case(
        capacity.reservation_once,
        "cr-0123456789abcdef0 # again",
        "capacity.k3-block-b.reservation_id",
        ("that of pool k3-block-a",),
        env=(("network:\n", SECOND_POOL),),
    ),
    Case(
        capacity.room, "replicas: 3", "replicas", ("at most 2 (k3-block-a: 2)",), env=(("replicas: 2", "replicas: 3"),)
    ),
    Case(
        windows.times,
        "2027-02-30",
        "capacity.k3-block-a.end",
        ("a day and time that exist",),
        env=(("2027-02-08T11", "2027-02-30T11"),),
    ),
    Case(
        windows.order,
        'end: "2027-01-01',
        "capacity.k3-block-a.end",
        ("after the start (2027-01-11T11:30:00Z)",),
        env=(("2027-02-08T11", "2027-01-01T11"),),
    ),
    Case(
        windows.length,
        'end: "2027-02-01',
        "capacity.k3-block-a.end",
        ("22 days after the start", "whole weeks up to 182 days"),
        env=(("2027-02-08T11", "2027-02-01T12"),),
    ),
    Case(
        zones.pool_zone,
        "zone_id: us-west-2b",
        "capacity.k3-block-a.zone_id",
        ("not a zone name", "describe-availability-zones --region us-west-2"),
        env=(("zone_id: usw2-az2", "zone_id: us-west-2b"),),
    ),
    Case(
        zones.subnet_zones,
        "use1-az1: 10.40.250",
        "network.public_subnets.use1-az1",
        ("belongs to us-east-1",),
        env=(("usw2-az1: 10.40.250", "use1-az1: 10.40.250"),),
    ),
    Case(
        zones.pool_subnet,
        "zone_id: usw2-az3",
        "capacity.k3-block-a.zone_id",
        ("add usw2-az3 to network.node_subnets",),
        env=(("zone_id: usw2-az2", "zone_id: usw2-az3"),),
    ),
    Case(
        zones.control_plane_zones,
        "control_plane_subnets:",
        "network.control_plane_subnets",
        ("at least two zones",),
        env=(("    usw2-az2: 10.40.240.32/27\n", ""),),
    ),
    Case(
        network.well_formed,
        "10.40.16.1/20",
        "network.node_subnets.usw2-az2",
        ("write 10.40.16.0/20",),
        env=(("10.40.16.0/20", "10.40.16.1/20"),),
    ),
    Case(
        network.public_access,
        "public_access_cidrs",
        "cluster.public_access_cidrs.0",
        ("IPv4 network",),
        env=(("public_access_cidrs: []", "public_access_cidrs: [198.51.100.7]"),),
    ),
    Case(
        network.vpc,
        "vpc_cidr: 12.40.0.0/16",
        "network.vpc_cidr",
        ("private range",),
        env=tuple(
            (a, a.replace("10.40", "12.40"))
            for a in (
                "10.40.0.0/16",
                "10.40.0.0/20",
                "10.40.16.0/20",
                "10.40.240.0/27",
                "10.40.240.32/27",
                "10.40.250.0/26",
                "10.40.250.64/26",
            )
        ),
    ),
    Case(
        network.large_enough,
        "10.40.16.0/24",
        "network.node_subnets.usw2-az2",
        ("/20 or larger",),
        env=(("10.40.16.0/20", "10.40.16.0/24"),),
    ),
    Case(
        network.inside,
        "10.41.16.0/20",
        "network.node_subnets.usw2-az2",
        ("a range inside 10.40.0.0/16",),
        env=(("10.40.16.0/20", "10.41.16.0/20"),),
    ),
    Case(
        network.inside,
        "vpc_cidr: 10.41.0.0/16",
        "network.vpc_cidr",
        ("holds the subnets (10.40.0.0/16 does)", "write 10.40.0.0/16, or choose the subnets inside 10.41.0.0/16"),
        env=(("vpc_cidr: 10.40.0.0/16", "vpc_cidr: 10.41.0.0/16"),),
    ),
    Case(
        network.apart,
        "usw2-az2: 10.40.0.0/20",
        "network.node_subnets.usw2-az2",
        ("no part of 10.40.0.0/20 (node_subnets.usw2-az1)",),
        env=(("10.40.16.0/20", "10.40.0.0/20"),),
    ),
    Case(
        network.egress,
        "public_subnets:",
        "network.public_subnets",
        ("write {}",),
        env=(("egress: nat #", "egress: endpoints #"),),
    ),
    Case(
        cluster.version,
        'kubernetes_version: "1.33"',
        "cluster.kubernetes_version",
        ("standard support ended 2026-07-29", "1.35 (to 2027-03-27)"),
        env=(('kubernetes_version: "1.35"', 'kubernetes_version: "1.33"'),),
    ),
    Case(
        names.node_group_names,
        "k3-block-a-of-the-first-zone:",
        "capacity.k3-block-a-of-the-first-zone",
        ("at most 53 characters in hawser-production-inference-us-west-2-k3-block-a-of-the-first-zone", "by 13"),
        env=(("name: hawser-prod\n", f"name: {LONG_NAME}\n"), ("k3-block-a:", "k3-block-a-of-the-first-zone:")),
    ),
    Case(
        names.reserved_pool,
        "system:",
        "capacity.system",
        ("found the name system", "name it after its reservation"),
        env=(("k3-block-a:", "system:"),),
    ),
    Case(
        names.lifecycle_bucket,
        f"name: {LONG_NAME}",
        "cluster.name",
        (f"sagemaker-{LONG_NAME}-444455556666-us-west-2", "by 7"),
        env=(("name: hawser-dev\n", f"name: {LONG_NAME}\n"),),
        name="dev",
    ),
    Case(
        hyperpod.template_size,
        "capacity:",
        "capacity",
        ("found 55 pools in ", "at most 51,200 bytes"),
        env=(("\nnetwork:\n", "".join(ON_DEMAND.format(number) for number in range(53)) + "\nnetwork:\n"),),
        name="local-hyperpod",
    ),
    Case(
        hyperpod.agent_region,
        "region: ap-south-2",
        "region",
        ("the chart of HyperPod dependencies has images", "hyperpod_without_agent in facts/regions.yaml"),
        env=MOVED,
        name="dev",
    ),
    Case(
        hyperpod.system_nodes,
        "system_nodes: hyperpod-group",
        "cluster.system_nodes",
        ("managed on eks", "remove the line"),
        env=(("  admin_principals:", "  system_nodes: hyperpod-group\n  admin_principals:"),),
    ),
    Case(
        cluster.admins,
        ":root",
        "cluster.admin_principals.0",
        ("not the account",),
        env=((ARN, "arn:aws:iam::111122223333:root"),),
    ),
    Case(
        cluster.admins_once,
        f"- {ARN} # again",
        "cluster.admin_principals.1",
        ("each principal once",),
        env=((f"- {ARN}\n", f"- {ARN}\n    - {ARN} # again\n"),),
    ),
    Case(
        storage.registry,
        "registry: ghcr.io",
        "registry",
        ("444455556666.dkr.ecr.us-west-2.amazonaws.com",),
        env=(("registry: 444455556666.dkr.ecr.us-west-2.amazonaws.com", "registry: ghcr.io"),),
        name="dev",
    ),
    Case(
        storage.bucket_names,
        "hawser..state",
        "state.bucket",
        ("dots between",),
        env=(("bucket: hawser-state-111122223333-us-west-2", "bucket: hawser..state"),),
    ),
    Case(
        storage.weights_prefix,
        "weights_uri:",
        "weights_uri",
        ("s3://<bucket>/<folder>",),
        env=(("-us-west-2/kimi-k3", "-us-west-2/"),),
    ),
    Case(
        storage.state_bucket,
        "bucket: somewhere",
        "state.bucket",
        ("hawser-emulator-state",),
        env=(("bucket: hawser-emulator-state", "bucket: somewhere"),),
        name="local",
    ),
    Case(
        storage.key_prefix,
        "key_prefix: dev",
        "state.key_prefix",
        ("prod",),
        env=(("key_prefix: prod", "key_prefix: dev"),),
    ),
    Case(
        storage.state_apart,
        "key_prefix: bundles/prod",
        "state.key_prefix",
        ("a top folder other than approvals and bundles", "another folder"),
        env=(("key_prefix: prod", "key_prefix: bundles/prod"),),
    ),
    Case(
        storage.state_key,
        "alias/state",
        "state.kms_key_arn",
        ("arn:aws:kms:us-west-2:<account>:key/<id>",),
        env=(("key/1234abcd-12ab-34cd-56ef-1234567890ab", "alias/state"),),
    ),
    Case(
        existing.said_once,
        "cluster:\n  name",
        "cluster",
        ("no cluster with platform.existing: it describes an EKS cluster that hawser makes", "remove it"),
        env=((NETWORK, PLATFORM),),
    ),
    Case(
        existing.subnets_apart,
        "usw2-az2: subnet",
        "platform.existing.subnets_by_zone_id.usw2-az2",
        ("another subnet than that of usw2-az1",),
        env=on_existing(("subnet-0fedcba9876543210", "subnet-0123456789abcdef0")),
    ),
    Case(
        existing.groups_apart,
        "efa: sg",
        "platform.existing.security_group_ids.efa",
        ("modules/efa-security-group",),
        env=on_existing(("sg-0fedcba9876543210", "sg-0123456789abcdef0")),
    ),
    Case(
        existing.oidc_provider,
        "oidc_provider_arn:",
        "platform.existing.oidc_provider_arn",
        ("arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/<id>",),
        env=on_existing((OIDC.format("111122223333"), OIDC.format("444455556666"))),
    ),
    Case(
        existing.data_key,
        "data_kms_key_arn:",
        "platform.existing.data_kms_key_arn",
        ("arn:aws:kms:us-west-2:<account>:key/<id>",),
        env=on_existing(("kms:us-west-2", "kms:us-east-1")),
    ),
    Case(
        existing.cloudformation_role,
        "cloudformation_role_arn:",
        "platform.existing.cloudformation_role_arn",
        ("arn:aws:iam::111122223333:role/<name>",),
        env=on_existing(("111122223333:role/", "444455556666:role/")),
    ),
    Case(
        existing.alerts_topic,
        "alerts_topic_arn:",
        "platform.existing.alerts_topic_arn",
        ("arn:aws:sns:us-west-2:111122223333:<name>",),
        env=on_existing(
            (
                "    data_kms_key_arn:",
                "    alerts_topic_arn: arn:aws:sns:us-east-1:111122223333:alerts\n    data_kms_key_arn:",
            )
        ),
    ),
    Case(
        existing.hyperpod_name,
        "Shared_EKS",
        "platform.existing.cluster_name",
        ("2 to 40 lower-case letters", "set target: eks"),
        env=(
            *on_existing(("name: shared-eks", "name: Shared_EKS")),
            ("target: eks", "target: hyperpod"),
            ("kind: capacity-block", "kind: training-plan"),
            (
                "reservation_id: cr-0123456789abcdef0",
                f"training_plan_arn: {PLAN.replace('444455556666', '111122223333')}",
            ),
        ),
    ),
    Case(
        storage.lustre_target,
        "cache: lustre",
        "weights.cache",
        ("instance-store, s3-stream or ebs on hyperpod", "overrides.weights.cache"),
        contract=(("cache: instance-store", "cache: lustre"),),
        name="dev",
    ),
    Case(
        guardrails.alarm_emails,
        "alarm_emails:",
        "guardrails.alarm_emails",
        ("each address once", "Team@example.com"),
        env=(("[inference-on-call@example.com]", "[team@example.com, Team@example.com]"),),
    ),
    Case(
        guardrails.planner,
        "planner_may_approve: false",
        "guardrails.planner_may_approve",
        ("approval_key beside it",),
        env=(("  approvals: 1", "  planner_may_approve: false\n  approvals: 1"),),
    ),
    Case(
        guardrails.destroy,
        "destroy: advisory",
        "guardrails.destroy",
        ("approval or block",),
        env=(("destroy: block", "destroy: advisory"),),
    ),
    Case(
        guardrails.tags_apart,
        "Environment: production",
        "tags.Environment",
        ("another name than the tag environment, which hawser sets", "found the name Environment"),
        env=(("team: inference", "team: inference\n  Environment: production"),),
    ),
    Case(
        guardrails.tags,
        "aws:team: inference",
        "tags.aws:team",
        ("does not begin with aws:",),
        env=(("  team: inference", "  aws:team: inference"),),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path + "-" + case.at[:24])
def test_one_mistake_is_one_problem_at_its_line(case: Case) -> None:
    contract, env = edited(CONTRACT, *case.contract), edited(env_text(case.name), *case.env)
    found = [p for p in problems(contract, env, case.name) if p.why == case.rule.why]
    assert [p.path for p in found] == [case.path]
    (problem,) = found
    text = contract if problem.place.file.endswith("contract.yaml") else env
    assert problem.place.line == line_of(text, case.at)
    assert all(piece in str(problem) for piece in case.says), str(problem)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path + "-" + case.at[:24])
def test_a_mistake_does_not_set_off_other_rules(case: Case) -> None:
    contract, env = edited(CONTRACT, *case.contract), edited(env_text(case.name), *case.env)
    others = {p.path: str(p) for p in problems(contract, env, case.name) if p.why != case.rule.why}
    assert others == {}


def test_every_rule_has_a_case() -> None:
    assert {rule.title for rule in RULES} == {case.rule.title for case in CASES}
    assert len({rule.why for rule in RULES}) == len(RULES)


def test_every_rule_says_what_must_hold_and_why() -> None:
    for rule in RULES:
        assert rule.title.endswith(".")
        assert 20 < len(rule.why) < 200
