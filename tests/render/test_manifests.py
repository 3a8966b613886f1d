"""The objects of the model server: valid by their schemas, and with what people who served such models learned."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml
from tests.contract.inputs import CONTRACT, edited, env_text, load

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.render.manifests import engine
from hawser.render.manifests.files import manifest_files, objects_with_outputs, serving_objects
from hawser.render.manifests.placement import placements
from hawser.sizing.startup import startup

Objects = dict[tuple[str, str], dict[str, Any]]

#: The schema of LeaderWorkerSet v1, its own fields only (leaderworkerset.x-k8s.io 0.10.0); pods are checked apart.
GROUP = {
    "type": "object",
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"const": "leaderworkerset.x-k8s.io/v1"},
        "kind": {"const": "LeaderWorkerSet"},
        "metadata": {"type": "object"},
        "spec": {
            "type": "object",
            "additionalProperties": False,
            "required": ["leaderWorkerTemplate"],
            "properties": {
                "replicas": {"type": "integer"},
                "startupPolicy": {"enum": ["LeaderCreated", "LeaderReady"]},
                "networkConfig": {"type": "object"},
                "rolloutStrategy": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["type"],
                    "properties": {
                        "type": {"enum": ["RollingUpdate"]},
                        "rollingUpdateConfiguration": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "partition": {"type": "integer"},
                                "maxUnavailable": {"type": ["integer", "string"]},
                                "maxSurge": {"type": ["integer", "string"]},
                            },
                        },
                    },
                },
                "leaderWorkerTemplate": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["workerTemplate"],
                    "properties": {
                        "size": {"type": "integer", "minimum": 1},
                        "restartPolicy": {
                            "enum": ["RecreateGroupOnPodRestart", "RecreateGroupAfterStart", "None", "Default"]
                        },
                        "leaderTemplate": {"type": "object"},
                        "workerTemplate": {"type": "object"},
                        "subGroupPolicy": {"type": "object"},
                    },
                },
            },
        },
    },
}

TWO_NODES = load(
    edited(
        CONTRACT,
        ("gpus_per_replica: 8", "gpus_per_replica: 16"),
        ("pipeline_parallel: 1", "pipeline_parallel: 2"),
    ),
    edited(
        env_text("prod"),
        ("replicas: 2", "replicas: 1"),
        ("instance_type: p6-b300.48xlarge", "instance_type: p6-b200.48xlarge"),
    ),
)


def with_cache(kind: str, env: str = "prod") -> Deployment:
    return load(edited(CONTRACT, ("cache: instance-store", f"cache: {kind}")), name=env)


DEPLOYMENTS = {
    "prod": load(),
    "dev": load(name="dev"),
    "local": load(name="local"),
    "local-hyperpod": load(name="local-hyperpod"),
    "two-nodes": TWO_NODES,
    "lustre": with_cache("lustre"),
    "s3-stream": with_cache("s3-stream"),
    "ebs": with_cache("ebs"),
}


def by_name(deployment: Deployment) -> Objects:
    return {(one["kind"], one["metadata"]["name"]): one for one in serving_objects(deployment)}


def pods(deployment: Deployment) -> list[dict[str, Any]]:
    """The templates of the pods that serve."""
    found = []
    for one in serving_objects(deployment):
        if one["kind"] == "Deployment":
            found.append(one["spec"]["template"])
        if one["kind"] == "LeaderWorkerSet":
            inside = one["spec"]["leaderWorkerTemplate"]
            found += [inside["leaderTemplate"], inside["workerTemplate"]]
    return found


def server(template: dict[str, Any]) -> dict[str, Any]:
    (only,) = template["spec"]["containers"]
    assert only["name"] == "model-server"
    found: dict[str, Any] = only
    return found


# -- schemas -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_every_object_fits_its_schema(name: str) -> None:
    for one in serving_objects(DEPLOYMENTS[name]):
        if one["kind"] == "LeaderWorkerSet":
            jsonschema.validate(one, GROUP)
            for template in pods(DEPLOYMENTS[name]):
                pod = {"apiVersion": "v1", "kind": "Pod", **template}
                kubernetes_validate.validate(pod, "1.35", strict=True)
        elif one["kind"] != "InferenceEndpointConfig":
            kubernetes_validate.validate(one, "1.35", strict=True)


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_the_file_reads_back_as_the_objects(name: str) -> None:
    content = manifest_files(DEPLOYMENTS[name])["serving.yaml"]
    assert list(yaml.safe_load_all(content)) == serving_objects(DEPLOYMENTS[name])
    assert content == manifest_files(DEPLOYMENTS[name])["serving.yaml"]
    assert b"&id" not in content


def test_a_schema_that_is_broken_is_noticed() -> None:
    wrong = dict(by_name(DEPLOYMENTS["prod"])["Deployment", "kimi-k3"])
    wrong["spec"] = {**wrong["spec"], "replica": 2}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.35", strict=True)


# -- the pod on eks ----------------------------------------------------------------------------------------------------


def test_a_pod_takes_its_node_and_no_more() -> None:
    """p6-b300: pods can have 191,450m and at least 3,871,269 MiB (what a node with 737 pods of room has)."""
    takes = server(pods(DEPLOYMENTS["prod"])[0])["resources"]
    assert takes["requests"] == takes["limits"] == {"cpu": "172", "memory": "3402Gi", "nvidia.com/gpu": "8"}
    assert 172_000 <= 0.9 * 191_450
    assert 3402 * 1024 <= 0.9 * 3_871_269 < 3_877_198


@pytest.mark.parametrize("name", ["prod", "two-nodes", "lustre", "ebs", "s3-stream"])
def test_a_pod_has_what_others_missed(name: str) -> None:
    for template in pods(DEPLOYMENTS[name]):
        spec, container = template["spec"], server(template)
        assert spec["enableServiceLinks"] is False
        assert spec["securityContext"]["runAsUser"] == 2000  # the image has a name for no other
        assert {"key": "nvidia.com/gpu", "operator": "Equal", "value": "true", "effect": "NoSchedule"} in spec[
            "tolerations"
        ]
        mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
        assert "/dev/shm" in mounted
        (memory,) = [volume for volume in spec["volumes"] if volume["name"] == "shm"]
        assert memory["emptyDir"]["medium"] == "Memory"
        assert container["command"][0].endswith(("/start.sh", "/start-rank.sh"))  # they empty it
        settings = {one["name"]: one["value"] for one in container["env"]}
        written = {key: value for key, value in settings.items() if key == "HOME" or key.endswith(("_DIR", "_ROOT"))}
        writable = [m["mountPath"] for m in container["volumeMounts"] if not m.get("readOnly")]
        assert written
        assert all(any(value.startswith(path) for path in writable) for value in written.values()), written
        assert spec["volumes"] == [volume for volume in spec["volumes"] if "hostPath" not in volume]


def test_what_is_written_is_known_to_the_engine() -> None:
    options = facts.engine_options()["vllm", "0.33.0"]
    for name, deployment in DEPLOYMENTS.items():
        used = {word.partition("=")[0] for word in engine.arguments(deployment) if word.startswith("--")}
        assert used <= options.arguments, name
        own = {key for key in engine.environment(deployment) if key.startswith("VLLM_")}
        assert own <= options.environment, name


def test_several_nodes_are_one_group() -> None:
    objects = by_name(TWO_NODES)
    group = objects["LeaderWorkerSet", "kimi-k3"]["spec"]
    assert not any(kind == "Deployment" for kind, _ in objects)
    assert group["leaderWorkerTemplate"]["size"] == 2
    assert group["leaderWorkerTemplate"]["restartPolicy"] == "RecreateGroupOnPodRestart"
    assert group["rolloutStrategy"]["rollingUpdateConfiguration"]["maxSurge"] == 0
    leader, worker = (server(template) for template in pods(TWO_NODES))
    for rank in (leader, worker):
        assert rank["resources"]["limits"]["vpc.amazonaws.com/efa"] == "8"  # p6-b200 has eight
        assert rank["resources"]["limits"]["hugepages-2Mi"] == "10256Mi"
        settings = {one["name"]: one["value"] for one in rank["env"]}
        assert settings["VLLM_ENGINE_READY_TIMEOUT_S"] == str(startup(TWO_NODES).engine_s)
        assert "VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS" in settings
    assert "startupProbe" in leader
    assert not {"startupProbe", "readinessProbe", "livenessProbe"} & worker.keys()
    # No service finds a worker, and locked memory asks for the widest level.
    service = objects["Service", "kimi-k3"]["spec"]["selector"]
    assert not service.items() <= pods(TWO_NODES)[1]["metadata"]["labels"].items()
    assert service.items() <= pods(TWO_NODES)[0]["metadata"]["labels"].items()
    assert objects["Namespace", "serving"]["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "privileged"


def test_one_replica_has_no_budget_that_blocks_a_drain() -> None:
    kinds = {kind for kind, _ in by_name(DEPLOYMENTS["local"])}
    assert DEPLOYMENTS["local"].environment.replicas == 1
    assert "PodDisruptionBudget" not in kinds
    assert by_name(DEPLOYMENTS["prod"])["PodDisruptionBudget", "kimi-k3"]["spec"]["maxUnavailable"] == 1


def test_an_update_never_waits_for_gpus_that_it_holds() -> None:
    assert by_name(DEPLOYMENTS["prod"])["Deployment", "kimi-k3"]["spec"]["strategy"] == {"type": "Recreate"}


def test_a_new_pool_restarts_nothing() -> None:
    """The next block is a pool beside the one that ends: replicas go on until their nodes do."""
    block = env_text("prod").split("capacity:")[1].split("  k3-block-a:\n")[1].split("\nnetwork:")[0]
    second = "  k3-block-b:\n" + block.rstrip().replace("cr-0123456789abcdef0", "cr-0fedcba9876543210")
    second = second.replace("2027-01-11", "2027-02-08").replace('end: "2027-02-08', 'end: "2027-03-08')
    more = load(env=edited(env_text("prod"), ("\nnetwork:\n", f"{second}\n\nnetwork:\n")))
    assert set(more.environment.capacity) == {"k3-block-a", "k3-block-b"}
    assert pods(more) == pods(DEPLOYMENTS["prod"])
    assert more.digest != DEPLOYMENTS["prod"].digest


def test_no_object_is_called_like_the_engine() -> None:
    deployment = load(edited(CONTRACT, ("served_model_name: kimi-k3", "served_model_name: vllm-k3")))
    names = {name for kind, name in by_name(deployment) if kind == "Service"}
    assert names == {"model-vllm-k3"}


# -- the order of limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_each_limit_comes_after_the_one_before(name: str) -> None:
    limits, contract = startup(DEPLOYMENTS[name]), DEPLOYMENTS[name].contract
    assert contract.serving.first_boot_minutes * 60 <= limits.engine_s
    assert limits.engine_s < limits.probe_s < limits.operator_s < limits.rollout_s
    assert limits.first_s <= limits.operator_s
    assert 15 + contract.serving.shutdown_timeout_seconds < limits.grace_s
    for template in pods(DEPLOYMENTS[name]):
        container = server(template)
        assert template["spec"]["terminationGracePeriodSeconds"] == limits.grace_s
        if probe := container.get("startupProbe"):
            assert probe["periodSeconds"] * probe["failureThreshold"] == limits.probe_s
        settings = {one["name"]: one["value"] for one in container["env"]}
        assert settings["VLLM_ENGINE_READY_TIMEOUT_S"] == str(limits.engine_s)
    for one in serving_objects(DEPLOYMENTS[name]):
        if one["kind"] == "Deployment":
            assert one["spec"]["progressDeadlineSeconds"] == limits.rollout_s
        if one["kind"] == "InferenceEndpointConfig":
            assert one["spec"]["maxDeployTimeInSeconds"] == limits.operator_s


def test_each_cache_has_limits_of_its_own() -> None:
    """1,561 GB: 33 min at 0.78 GB/s from S3, 11 min at 2.34 GB/s from Lustre, 26 min at 1 GB/s from gp3."""
    found = {name: startup(DEPLOYMENTS[name]) for name in ("prod", "lustre", "s3-stream", "ebs")}
    minutes = {name: {step.name: round(step.first_s / 60) for step in one.steps} for name, one in found.items()}
    assert minutes["prod"]["copy the weights"] == 33
    assert (minutes["lustre"]["copy the weights"], minutes["lustre"]["load the weights"]) == (0, 11)
    assert (minutes["s3-stream"]["copy the weights"], minutes["s3-stream"]["load the weights"]) == (0, 33)
    assert (minutes["ebs"]["copy the weights"], minutes["ebs"]["load the weights"]) == (33, 26)
    assert len({one.operator_s for one in found.values()}) == 4
    # What is compiled is compiled once: a later start has neither that nor the copy.
    assert all(one.warm_s < one.first_s for one in found.values())
    assert found["prod"].warm_s == 15 * 60


# -- both targets ------------------------------------------------------------------------------------------------------


def test_both_targets_run_the_same() -> None:
    """Image, revision's manifest, mount path, port, health path, served name: one contract, two schedulers."""
    here, there = DEPLOYMENTS["local"], DEPLOYMENTS["local-hyperpod"]
    pod = pods(here)[0]["spec"]
    one, copier = pod["containers"][0], pod["initContainers"][-1]
    (spec,) = [o["spec"] for o in serving_objects(there) if o["kind"] == "InferenceEndpointConfig"]
    worker, other = spec["worker"], spec["kubernetes"]["initContainers"][-1]
    assert one["image"] == worker["image"] == copier["image"] == other["image"]
    assert one["image"].endswith(here.contract.image.digest)
    assert one["args"] == worker["args"]
    assert one["command"][1:] == worker["command"] == ["vllm", "serve"]
    assert one["env"] == worker["environmentVariables"]
    assert copier["command"] == other["command"]
    assert here.contract.weights.manifest_sha256 in copier["command"]
    cache = next(mount for mount in one["volumeMounts"] if mount["name"] == "cache")
    assert cache == worker["modelVolumeMount"]
    assert one["args"][0] == here.contract.weights.path
    assert one["args"][0].startswith(cache["mountPath"])
    assert one["ports"][0]["containerPort"] == worker["modelInvocationPort"]["containerPort"] == 8000
    assert one["startupProbe"] == worker["probes"]["startupProbe"]
    assert one["startupProbe"]["httpGet"]["path"] == spec["loadBalancer"]["healthCheckPath"] == "/health"
    assert "kimi-k3" in one["args"]
    assert one["resources"] == worker["resources"]


def test_nothing_of_hyperpod_scales_or_offloads_by_itself() -> None:
    for one in serving_objects(DEPLOYMENTS["local-hyperpod"]):
        if one["kind"] == "InferenceEndpointConfig":
            spec = one["spec"]
            assert not {"autoScalingSpec", "pdSpec", "nodeAffinity", "instanceTypes", "tolerations"} & spec.keys()
            assert spec["kvCacheSpec"] == {"enableL1Cache": False, "enableL2Cache": False}
            assert spec["metrics"]["modelMetrics"] == {"path": "/metrics", "port": 8000}
            assert spec["endpointName"] == ""
            assert spec["invocationEndpoint"] == "v1/chat/completions"


def test_the_endpoint_fits_the_operators_template() -> None:
    from hyperpod_custom_inference_template.v1_2.template import TEMPLATE_CONTENT
    from jinja2 import Environment

    package = Path(__import__("hyperpod_custom_inference_template").__file__).parent
    schema = json.loads((package / "v1_2/schema.json").read_text())
    for one in serving_objects(DEPLOYMENTS["local-hyperpod"]):
        if one["kind"] != "InferenceEndpointConfig":
            continue
        flat = flattened(one)
        jsonschema.validate(flat, schema)
        defaults = {name: about.get("default") for name, about in schema["properties"].items()}
        text = Environment(autoescape=False).from_string(TEMPLATE_CONTENT).render({**defaults, **flat})
        theirs = yaml.safe_load(text)["spec"]
        ours = one["spec"]
        for path in (
            ("modelName",), ("instanceType",), ("replicas",), ("maxDeployTimeInSeconds",), ("invocationEndpoint",),
            ("metrics",), ("kubernetes",), ("kvCacheSpec",), ("loadBalancer",), ("intelligentRoutingSpec",),
            ("worker", "image"), ("worker", "args"), ("worker", "command"), ("worker", "probes"),
            ("worker", "modelVolumeMount"), ("worker", "environmentVariables"),
        ):  # fmt: skip
            assert at(theirs, path) == at(ours, path), path
        assert theirs["modelSourceConfig"]["modelSourceType"] == "kubernetesVolume"


def at(node: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def flattened(one: dict[str, Any]) -> dict[str, Any]:
    """The endpoint as the operator's own command would be told of it."""
    spec = one["spec"]
    worker = spec["worker"]
    assert not any("," in word for word in worker["args"]), "the template splits at commas"
    return {
        "namespace": one["metadata"]["namespace"],
        "metadata_name": one["metadata"]["name"],
        "endpoint_name": None,
        "model_name": spec["modelName"],
        "instance_type": spec["instanceType"],
        "replicas": spec["replicas"],
        "max_deploy_time_in_seconds": spec["maxDeployTimeInSeconds"],
        "invocation_endpoint": spec["invocationEndpoint"],
        "model_source_type": spec["modelSourceConfig"]["modelSourceType"],
        "prefetch_enabled": spec["modelSourceConfig"]["prefetchEnabled"],
        "metrics_enabled": spec["metrics"]["enabled"],
        "model_metrics_path": spec["metrics"]["modelMetrics"]["path"],
        "model_metrics_port": spec["metrics"]["modelMetrics"]["port"],
        "load_balancer_health_check_path": spec["loadBalancer"]["healthCheckPath"],
        "load_balancer_routing_algorithm": spec["loadBalancer"]["routingAlgorithm"],
        "enable_l1_cache": spec["kvCacheSpec"]["enableL1Cache"],
        "enable_l2_cache": spec["kvCacheSpec"]["enableL2Cache"],
        "intelligent_routing_enabled": spec["intelligentRoutingSpec"]["enabled"],
        "image_uri": worker["image"],
        "container_port": worker["modelInvocationPort"]["containerPort"],
        "model_volume_mount_name": worker["modelVolumeMount"]["name"],
        "model_volume_mount_path": worker["modelVolumeMount"]["mountPath"],
        "resources_limits": worker["resources"]["limits"],
        "resources_requests": worker["resources"]["requests"],
        "worker_args": ",".join(worker["args"]),
        "worker_command": ",".join(worker["command"]),
        "env": {entry["name"]: entry["value"] for entry in worker["environmentVariables"]},
        "probes": worker["probes"],
        "kubernetes": spec["kubernetes"],
    }


# -- places and volumes ------------------------------------------------------------------------------------------------


def test_replicas_fill_pools_in_their_order() -> None:
    found = placements(load(name="local-hyperpod"))
    (only,) = found
    assert (only.replicas, only.capacity, only.full, only.suffix) == (2, 2, True, "")
    assert {pool.name for pool in only.pools} == {"k3-on-demand", "k3-plan-a"}


def test_lustre_has_a_volume_in_each_zone_with_the_ids_of_the_stack() -> None:
    caches = {"usw2-az2": {"file_system_id": "fs-0123456789abcdef0", "dns_name": "fs.example", "mount_name": "abcd"}}
    found = objects_with_outputs(DEPLOYMENTS["lustre"], {"caches": caches})
    for one in found:
        kubernetes_validate.validate(one, "1.35", strict=True)
    volume = found[0]["spec"]
    assert volume["csi"]["volumeHandle"] == "fs-0123456789abcdef0"
    (template,) = pods(DEPLOYMENTS["lustre"])
    claims = [
        v["persistentVolumeClaim"]["claimName"] for v in template["spec"]["volumes"] if "persistentVolumeClaim" in v
    ]
    assert found[1]["metadata"]["name"] in claims
    assert objects_with_outputs(DEPLOYMENTS["prod"], {}) == []


def test_a_volume_holds_the_weights_in_gib_not_in_gb() -> None:
    """1,560,936,091,448 bytes are 1,453.7 GiB: a claim of 1,454 GB would be too small by a tenth."""
    for name in ("prod", "ebs"):
        sizes = [
            one["spec"]["resources"]["requests"]["storage"]
            for one in serving_objects(DEPLOYMENTS[name])
            if one["kind"] == "PersistentVolumeClaim"
        ] + [
            volume["ephemeral"]["volumeClaimTemplate"]["spec"]["resources"]["requests"]["storage"]
            for template in pods(DEPLOYMENTS[name])
            for volume in template["spec"]["volumes"]
            if "ephemeral" in volume
        ]
        assert sizes
        assert set(sizes) == {"1600Gi"}


# -- the script for any host -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "MODEL_PATH is not set"),
        ({"MODEL_PATH": "{weights}"}, "GPUS_PER_NODE is not set"),
        ({"MODEL_PATH": "{weights}", "GPUS_PER_NODE": "8"}, "NODE_COUNT is not set"),
        ({"MODEL_PATH": "/nowhere", "GPUS_PER_NODE": "8", "NODE_COUNT": "1"}, "which is no folder"),
        ({"MODEL_PATH": "{empty}", "GPUS_PER_NODE": "8", "NODE_COUNT": "1"}, "holds no config.json"),
        ({"MODEL_PATH": "{weights}", "GPUS_PER_NODE": "4", "NODE_COUNT": "1"}, "is 4, but a replica takes 8"),
        ({"MODEL_PATH": "{weights}", "GPUS_PER_NODE": "x", "NODE_COUNT": "1"}, "must be a whole number, not 'x'"),
        ({"MODEL_PATH": "{weights}", "GPUS_PER_NODE": "8", "NODE_COUNT": "1", "PORT": "p"}, "PORT must be a whole"),
    ],
)
def test_the_launch_script_says_what_is_missing(tmp_path: Path, settings: dict[str, str], says: str) -> None:
    done = launched(tmp_path, DEPLOYMENTS["prod"], settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.startswith("launch.sh: ")


def test_the_launch_script_starts_what_the_contract_says(tmp_path: Path) -> None:
    settings = {"MODEL_PATH": "{weights}", "GPUS_PER_NODE": "8", "NODE_COUNT": "1", "CACHE_PATH": "{cache}"}
    done = launched(tmp_path, DEPLOYMENTS["prod"], settings)
    assert done.returncode == 0, done.stderr
    words = done.stdout.splitlines()
    contract = DEPLOYMENTS["prod"].contract
    (image,) = [word for word in words if "@sha256:" in word]
    assert image.endswith(contract.image.digest)
    assert f"{tmp_path}/weights:{contract.weights.path}:ro" in words
    assert words[words.index("serve") + 1] == contract.weights.path
    assert words[words.index("--port") + 1] == "8000"
    assert "--nnodes" not in words


def test_the_launch_script_joins_several_hosts(tmp_path: Path) -> None:
    settings = {"MODEL_PATH": "{weights}", "GPUS_PER_NODE": "8", "NODE_COUNT": "2", "CACHE_PATH": "{cache}"}
    assert "LEADER_ADDRESS is not set" in launched(tmp_path, TWO_NODES, settings).stderr
    settings |= {"LEADER_ADDRESS": "10.0.0.1", "NODE_RANK": "1"}
    words = launched(tmp_path, TWO_NODES, settings).stdout.splitlines()
    assert words[-9:] == [
        "--nnodes", "2", "--node-rank", "1", "--master-addr", "10.0.0.1", "--master-port", "29500", "--headless",
    ]  # fmt: skip
    assert "is 2, but the last of 2 is 1" in launched(tmp_path, TWO_NODES, {**settings, "NODE_RANK": "2"}).stderr


def launched(tmp_path: Path, deployment: Deployment, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The script with a docker that says with which words it was called."""
    places = {name: tmp_path / name for name in ("weights", "empty", "cache", "bin")}
    for place in places.values():
        place.mkdir(exist_ok=True)
    (places["weights"] / "config.json").write_text("{}")
    docker = places["bin"] / "docker"
    docker.write_text('#!/bin/bash\nprintf "%s\\n" "$@"\n')
    docker.chmod(0o755)
    stat = places["bin"] / "stat"  # nobody here can give a folder to another user
    stat.write_text("#!/bin/bash\necho 2000\n")
    stat.chmod(0o755)
    script = tmp_path / "launch.sh"
    script.write_bytes(manifest_files(deployment)["launch.sh"])
    env = {key: value.format(**places) for key, value in settings.items()}
    env["PATH"] = f"{places['bin']}:/usr/bin:/bin"
    return subprocess.run(["bash", str(script)], env=env, capture_output=True, text=True, check=False)
