"""Manifests as people copy them: each fault is named once with the right value, and nothing that is right is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hawser.cli.main import cli
from hawser.errors import CannotJudgeError, HawserError
from hawser.policy.manifests.lint import Fault, lint
from hawser.policy.manifests.reading import read_files, read_manifests
from hawser.policy.manifests.registry import manifest_rules
from hawser.policy.manifests.workloads import quantity
from hawser.render.manifests.files import manifest_files
from tests.contract.inputs import CONTRACT, edited, env_text, load

ARTICLES = Path(__file__).parent / "articles"

#: Rule, line, and what the fix must say.
FAULTS = {
    "eks": [
        ("HW-SRV-019", 38, "secretKeyRef"),
        ("HW-SRV-020", 53, "type: ClusterIP"),
        ("HW-SRV-006", 9, "1600Gi"),
        ("HW-SRV-016", 14, "Recreate"),
        ("HW-SRV-005", 19, "nvidia.com/gpu"),
        ("HW-SRV-021", 19, "enableServiceLinks: false"),
        ("HW-SRV-012", 23, "medium: Memory"),
        ("HW-SRV-013", 25, "--trust-remote-code"),
        ("HW-SRV-013", 25, "--enable-auto-tool-choice"),
        ("HW-SRV-013", 25, "--tool-call-parser kimi_k3"),
        ("HW-SRV-013", 25, "--reasoning-parser kimi_k3"),
        ("HW-SRV-013", 25, "Remove --quantization"),
        ("HW-SRV-014", 25, "--max-model-len"),
        ("HW-SRV-027", 25, "moonshotai/Kimi-K3"),
        ("HW-SRV-027", 25, "--revision"),
        ("HW-SRV-009", 38, '"4200"'),
        ("HW-SRV-015", 38, "--tensor-parallel-size"),
        ("HW-SRV-002", 41, "limits"),
        ("HW-SRV-003", 41, '"172"'),
        ("HW-SRV-004", 41, "873Gi"),
        ("HW-SRV-007", 43, "2000"),
        ("HW-SRV-010", 44, "failureThreshold: 300"),
        ("HW-SRV-021", 51, "model"),
        ("HW-SRV-023", 61, "Remove it"),
        ("HW-SRV-022", 25, "0.90"),
        ("HW-SRV-001", 24, "sha256"),
        ("HW-SRV-018", 25, "165"),
        ("HW-SRV-008", 38, "VLLM_CACHE_ROOT"),
        ("HW-SRV-011", 44, "timeoutSeconds: 10"),
        ("HW-SRV-017", 68, "there is one replica"),
    ],
    "hyperpod": [
        ("HW-SRV-025", 2, "inference.sagemaker.aws.amazon.com/v1"),
        ("HW-SRV-025", 3, "InferenceEndpointConfig"),
        ("HW-SRV-024", 11, "v1/chat/completions"),
        ("HW-SRV-024", 11, "enableL1Cache: false"),
        ("HW-SRV-024", 11, "7200"),
        ("HW-SRV-024", 11, "port: 8000"),
        ("HW-SRV-024", 14, "Remove tolerations"),
        ("HW-SRV-023", 15, "Remove autoScalingSpec"),
        ("HW-SRV-009", 19, '"4200"'),
        ("HW-SRV-013", 19, "--trust-remote-code"),
        ("HW-SRV-013", 19, "--enable-auto-tool-choice"),
        ("HW-SRV-013", 19, "--tool-call-parser kimi_k3"),
        ("HW-SRV-013", 19, "--reasoning-parser kimi_k3"),
        ("HW-SRV-015", 19, "the model as first argument"),
        ("HW-SRV-015", 19, "--tool-call-parser"),
        ("HW-SRV-008", 19, "VLLM_CACHE_ROOT"),
    ],
    "multi-node": [
        ("HW-SRV-009", 24, '"4200"'),
        ("HW-SRV-015", 24, "--distributed-timeout-seconds"),
        ("HW-SRV-026", 27, '"8"'),
        ("HW-SRV-026", 27, "hugepages-2Mi"),
        ("HW-SRV-010", 30, "failureThreshold: 300"),
        ("HW-SRV-012", 34, "medium: Memory"),
    ],
}


def of(name: str) -> tuple[Fault, ...]:
    return lint(read_files((ARTICLES / f"{name}.yaml",)))


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_of_an_article_is_named_once_with_the_right_value(name: str) -> None:
    found = of(name)
    assert [(fault.rule_id, fault.line) for fault in found] == [(rule, line) for rule, line, _ in FAULTS[name]]
    left = list(found)
    for rule, line, says in FAULTS[name]:
        match = next((f for f in left if (f.rule_id, f.line) == (rule, line) and says in f.fix), None)
        assert match is not None, (rule, line, says)
        left.remove(match)


def test_every_rule_finds_something_in_an_article() -> None:
    found = {fault.rule_id for name in FAULTS for fault in of(name)}
    assert found == {rule.meta.id for rule in manifest_rules()}


RIGHT = {
    "prod": load(),
    "local-hyperpod": load(name="local-hyperpod"),
    "lustre": load(edited(CONTRACT, ("cache: instance-store", "cache: lustre"))),
    "ebs": load(edited(CONTRACT, ("cache: instance-store", "cache: ebs"))),
    "s3-stream": load(edited(CONTRACT, ("cache: instance-store", "cache: s3-stream"))),
    "two-nodes": load(
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
    ),
}  # fmt: skip


@pytest.mark.parametrize("known", [True, False], ids=["with-env", "alone"])
@pytest.mark.parametrize("name", RIGHT)
def test_what_hawser_renders_has_no_fault(name: str, known: bool) -> None:
    manifests = read_manifests(manifest_files(RIGHT[name])["serving.yaml"], "serving.yaml")
    assert lint(manifests, RIGHT[name] if known else None) == ()


def test_objects_of_others_have_no_fault() -> None:
    text = b"""
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "nginx:1.27", env: [{name: MODE, value: prod}]}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: ClusterIP, ports: [{port: 80}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
"""
    assert lint(read_manifests(text, "web.yaml")) == ()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"kind: [", "x.yaml:2 is not YAML"),
        (b"{{ if .Values.x }}\nkind: Pod\n", "is no table with a kind"),
        (b"", "holds no object"),
        (b"- 1\n- 2\n", "is no table with a kind"),
        (b"just text", "is no table with a kind"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"kind: Pod\na: &a [x, x]\nb: &b [*a, *a]\n" + b"".join(
            b"c%d: &c%d [*%s, *%s]\n" % (n, n, *(2 * [b"b" if n == 0 else b"c%d" % (n - 1)])) for n in range(30)
        ), "unfolds to too many values"),
        (b"&a kind: Pod\nx: &x {y: *x}\n", "x.yaml"),
    ],
    ids=["bracket", "helm", "empty", "list", "text", "utf-16", "bomb", "loop"],
)  # fmt: skip
def test_what_is_no_manifest_is_said_with_its_place(data: bytes, says: str) -> None:
    with pytest.raises(CannotJudgeError) as caught:
        read_manifests(data, "x.yaml")
    assert says in caught.value.message
    assert caught.value.fix


@pytest.mark.parametrize(
    "text",
    [
        "kind: Deployment",
        "kind: Deployment\nspec: text",
        "kind: Deployment\nspec: {template: {spec: {containers: [1, null, {args: {a: b}, env: [x], resources: []}]}}}",
        "kind: InferenceEndpointConfig",
        "kind: InferenceEndpointConfig\nspec: {worker: [], replicas: many}",
        "kind: LeaderWorkerSet\nspec: {leaderWorkerTemplate: {size: two, workerTemplate: {spec: {containers: 7}}}}",
        "kind: PodDisruptionBudget\nspec: {minAvailable: [1]}",
        "kind: Service\nmetadata: []\nspec: null",
        "kind: !unknown Pod\nspec: !!binary aGk=",
        "kind: Pod\nspec: {containers: [{image: vllm/x, livenessProbe: {periodSeconds: soon}}]}",
        "kind: Pod\nspec: {containers: [{image: vllm/x, resources: {limits: {nvidia.com/gpu: lots, memory: 1X}}}]}",
        "kind: List\nitems: [1, {kind: Pod, spec: {containers: []}}]",
    ],
)
def test_odd_objects_never_break_it(text: str) -> None:
    lint(read_manifests(text.encode(), "odd.yaml"), RIGHT["prod"])


@pytest.mark.parametrize(
    ("text", "number"), [("8", 8), ("500m", 0.5), ("1.5Ti", 1.5 * 2**40), ("2T", 2e12), ("x", None), ("1Qi", None)]
)
def test_quantities(text: str, number: float | None) -> None:
    assert quantity(text) == number


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["serve", *arguments], standalone_mode=False)
    if result.exception:
        raise result.exception
    return int(result.return_value or 0), result.stdout


def test_the_command_says_place_fault_and_value() -> None:
    code, out = run("lint", str(ARTICLES / "multi-node.yaml"))
    assert code == 8
    assert "multi-node.yaml:27  LeaderWorkerSet/k3  HW-SRV-026 (block)" in out
    assert '→ Write vpc.amazonaws.com/efa: "8".' in out
    assert out.endswith("1 object: 6 faults.\n")
    assert run("lint", "--env", "prod") == (0, "10 objects: no fault found.\n")


def test_the_command_speaks_to_machines() -> None:
    code, out = run("lint", str(ARTICLES / "hyperpod.yaml"), "--json")
    found = json.loads(out)
    assert (code, found["schema"], found["objects"], len(found["faults"])) == (8, "hawser.lint/1", 2, 16)


def test_nothing_to_judge_is_wrong_usage() -> None:
    with pytest.raises(HawserError, match="no file and no environment is given"):
        run("lint")
    with pytest.raises(CannotJudgeError, match="cannot be read"):
        run("lint", "nowhere.yaml")


def test_render_prints_every_object(tmp_path: Path) -> None:
    code, out = run("render", "prod")
    assert code == 0
    kinds = [line.removeprefix("kind: ") for line in out.splitlines() if line.startswith("kind: ")]
    assert kinds[0] == "Namespace"
    assert sorted(kinds) == sorted(
        line.removeprefix("kind: ")
        for line in manifest_files(RIGHT["prod"])["serving.yaml"].decode().splitlines()
        if line.startswith("kind: ")
    )
