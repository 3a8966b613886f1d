"""Start ministack with the gaps closed that the stacks meet.

Runs inside the emulator's own environment (``python -I ministack_main.py PORT WORLD``) and imports nothing of hawser.
``WORLD`` only marks the process: whoever looks for this emulator finds the id in its command line.
Verified against ministack 1.5.33 (``tooling/locks/emulator.txt``); another version is refused, for this leans on
internals.
"""
# mypy: disable-error-code="import-not-found,import-untyped,misc,no-any-return"

from __future__ import annotations

import functools
import importlib.metadata
import json
import os
import re
import sys
from collections.abc import Callable
from typing import Any

VERIFIED = "1.5.33"
if importlib.metadata.version("ministack") != VERIFIED:
    found = importlib.metadata.version("ministack")
    sys.exit(f"ministack_main: verified for ministack {VERIFIED} only, found {found}")

if __name__ == "__main__":  # ministack reads these while it is imported
    os.environ.update(
        GATEWAY_PORT=sys.argv[1],
        BIND_HOST="127.0.0.1",
        MINISTACK_HOST="localhost",
        IOT_MTLS_ENABLED="0",  # the two listeners that would stand on all interfaces
        SFTP_ENABLED="0",
    )

from hypercorn.asyncio.tcp_server import TCPServer  # noqa: E402
from hypercorn.events import RawData  # noqa: E402
from ministack import app  # noqa: E402
from ministack.core.responses import get_region, new_uuid  # noqa: E402
from ministack.services import ecr, eks, iam, s3  # noqa: E402

Json = dict[str, Any]
Response = tuple[int, dict[str, str], bytes]


def around(owner: Any, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put the decorated function in the place of ``owner.name``; its first argument is what was there."""

    def put(function: Callable[..., Any]) -> Callable[..., Any]:
        original = getattr(owner, name)

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            return function(original, *args, **kwargs)

        setattr(owner, name, replacement)
        return function

    return put


# --- The machine: no containers, no scripts of it ---------------------------------------------------------------------
eks._docker_available = False  # a cluster would start a k3s container where a Docker daemon runs
app._docker_socket_present = lambda: False
app._collect_scripts = lambda *_: []


# --- HTTP: the head of a response leaves together with its first bytes ------------------------------------------------
# AWS's SDK for Go closes the body of its request when it has read the head of the response, even if the writer of that
# body has not yet seen its end; the writer then drops the connection. A body that has not come by then is lost, and the
# SDK asks again for what has been done: "already exists". It takes an answer within the same millisecond and two busy
# cores (hashicorp/aws 5.100.0, seen on the wire on 2026-12-01).
@around(TCPServer, "protocol_send")
async def head_with_body(original: Callable[..., Any], self: Any, event: Any) -> None:
    """Everything that a connection sends comes through here; what is held goes out with whatever follows."""
    held, self.held = getattr(self, "held", b""), b""
    if not isinstance(event, RawData):
        if held:
            await original(self, RawData(held))
        await original(self, event)
    elif not held and event.data.startswith(b"HTTP/1.1 ") and not event.data.startswith(b"HTTP/1.1 1"):
        self.held = event.data
    else:
        await original(self, RawData(held + event.data))


# --- S3: one bucket for the state of every account and region, where a real one belongs to one of each ---------------
STATE_BUCKET = "hawser-emulator-state"


@around(s3, "_foreign_bucket_allows")
def other_account_allowed(original: Callable[..., bool], owner: str, bucket: str, *args: Any, **kwargs: Any) -> bool:
    """A request for a bucket of another account."""
    return bucket == STATE_BUCKET or original(owner, bucket, *args, **kwargs)


@around(s3, "_check_bucket_region")
def other_region_refused(original: Callable[..., Any], method: str, bucket: str, *args: Any, **kwargs: Any) -> Any:
    """A request signed for another region than the bucket's."""
    return None if bucket == STATE_BUCKET else original(method, bucket, *args, **kwargs)


# --- EKS: what a cluster and a node group were asked for --------------------------------------------------------------
# The provider refuses an issuer that is not https.
eks._ministack_issuer_base = lambda: f"https://oidc.eks.{get_region()}.amazonaws.com"
CLUSTER_KEPT = (
    "upgradePolicy",
    "zonalShiftConfig",
    "deletionProtection",
    "remoteNetworkConfig",
    "computeConfig",
    "storageConfig",
)
CLUSTER_CHANGED = (
    "logging",
    "accessConfig",
    "upgradePolicy",
    "zonalShiftConfig",
    "deletionProtection",
    "kubernetesNetworkConfig",
)
NODES_KEPT = ("launchTemplate", "updateConfig", "nodeRepairConfig", "remoteAccess")
NAME = "([A-Za-z0-9_-]+)"


def answer(response: Response) -> Json:
    """The JSON body of a response."""
    body: Json = json.loads(response[2])
    return body


def finished(kind: str) -> Response:
    """An update that is done: the provider polls its id."""
    record = {"id": new_uuid(), "status": "Successful", "type": kind, "createdAt": eks._now(), "params": []}
    return eks._json_resp(200, {"update": {**record, "errors": []}})


def change_cluster(name: str, body: Json) -> Response:
    """UpdateClusterConfig."""
    cluster = eks._clusters[name]
    for key in CLUSTER_CHANGED:
        if key in body:
            new = body[key]
            cluster[key] = {**(cluster.get(key) or {}), **new} if isinstance(new, dict) else new
    cluster["resourcesVpcConfig"].update(body.get("resourcesVpcConfig", {}))
    return finished("ConfigUpdate")


def change_nodes(name: str, body: Json) -> Response:
    """UpdateNodegroupConfig."""
    nodes = eks._nodegroups[name]
    labels = body.get("labels", {})
    merged = {**nodes["labels"], **labels.get("addOrUpdateLabels", {})}
    nodes["labels"] = {key: value for key, value in merged.items() if key not in labels.get("removeLabels", [])}
    added = body.get("taints", {}).get("addOrUpdateTaints", [])
    gone = {(t["key"], t["effect"]) for t in [*body.get("taints", {}).get("removeTaints", []), *added]}
    nodes["taints"] = [t for t in nodes["taints"] if (t["key"], t["effect"]) not in gone] + added
    for key in ("scalingConfig", "updateConfig", "nodeRepairConfig"):
        if key in body:
            nodes[key] = {**(nodes.get(key) or {}), **body[key]}
    return finished("ConfigUpdate")


def addon_associations(cluster: str, body: Json) -> list[str]:
    """Make the pod identity associations of an add-on; the service answers their ARNs, ministack what it was given."""
    arns = []
    for wanted in body["podIdentityAssociations"]:
        association = {
            "namespace": "kube-system",
            "serviceAccount": wanted["serviceAccount"],
            "roleArn": wanted["roleArn"],
        }
        arns.append(answer(eks._create_pod_identity_association(cluster, association))["association"]["associationArn"])
    return arns


def keep_cluster(body: Json) -> None:
    """Keep what ministack drops of CreateCluster."""
    cluster = eks._clusters[body["name"]]
    cluster.update({key: body[key] for key in CLUSTER_KEPT if key in body})
    cluster["resourcesVpcConfig"]["vpcId"] = "vpc-0" + "e" * 16


def keep_nodes(cluster: str, body: Json) -> None:
    """Keep what ministack drops of CreateNodegroup; with a launch template, size and type of disk are its business."""
    nodes = eks._nodegroups[f"{cluster}/{body['nodegroupName']}"]
    nodes.update({key: body[key] for key in NODES_KEPT if body.get(key)})
    nodes["releaseVersion"] = nodes["releaseVersion"] or f"{nodes['version']}.0-20260101"
    if "launchTemplate" in nodes:
        nodes["instanceTypes"] = body.get("instanceTypes", [])
        nodes.pop("diskSize", None)
        nodes["launchTemplate"].setdefault("version", "1")


def with_tags(response: Response) -> Response:
    """Show in every description the tags that ministack keeps apart."""
    shown = answer(response)
    for value in shown.values() if isinstance(shown, dict) else ():
        if isinstance(value, dict) and "tags" in value:
            tagged = (v for k, v in value.items() if k.lower().endswith("arn") and v in eks._tags)
            arn = next(tagged, None) or value.get("associationArn")
            value["tags"] = eks._tags.get(arn, {}) if arn else {}
    return response[0], response[1], json.dumps(shown).encode()


def update_request(method: str, path: str, body: Json) -> Response | None:
    """The updates of clusters and node groups, which ministack lacks; ``None`` for any other request."""
    if re.fullmatch(f"/clusters/{NAME}/updates/(.+)", path):
        return finished("VersionUpdate")
    if m := re.fullmatch(f"/clusters/{NAME}/update-config", path):
        return change_cluster(m[1], body)
    if (m := re.fullmatch(f"/clusters/{NAME}/updates", path)) and method == "POST":
        eks._clusters[m[1]]["version"] = body["version"]
        return finished("VersionUpdate")
    if m := re.fullmatch(f"/clusters/{NAME}/node-groups/{NAME}/update-config", path):
        return change_nodes(f"{m[1]}/{m[2]}", body)
    if m := re.fullmatch(f"/clusters/{NAME}/node-groups/{NAME}/update-version", path):
        kept = {key: value for key, value in body.items() if key in ("version", "releaseVersion", "launchTemplate")}
        eks._nodegroups[f"{m[1]}/{m[2]}"].update(kept)
        return finished("VersionUpdate")
    return None


@around(eks, "_handle_request_sync")
def eks_request(
    original: Callable[..., Response], method: str, path: str, headers: Json, raw: bytes, query: Json
) -> Response:
    """Every request to EKS comes through here."""
    body: Json = json.loads(raw) if raw else {}
    if updated := update_request(method, path, body):
        return updated
    addon = re.fullmatch(f"/clusters/{NAME}/addons(?:/([A-Za-z0-9_.-]+)/update)?", path)
    if addon and method == "POST" and body.get("podIdentityAssociations"):
        body["podIdentityAssociations"] = addon_associations(addon[1], body)
        raw = json.dumps(body).encode()
    response = original(method, path, headers, raw, query)
    if response[0] != 200:
        return response
    if method == "POST" and path == "/clusters":
        keep_cluster(body)
    if method == "POST" and (m := re.fullmatch(f"/clusters/{NAME}/node-groups", path)):
        keep_nodes(m[1], body)
    return with_tags(response) if method == "GET" else response


@around(eks, "_resolve_tag_resource_arn")
def tagged_arn(original: Callable[..., Any], arn: str) -> Any:
    """Pod identity associations can be tagged too."""
    return (arn, None) if ":podidentityassociation/" in arn else original(arn)


@around(eks, "_create_pod_identity_association")
def association_with_tags(original: Callable[..., Response], cluster: str, body: Json) -> Response:
    """Keep the tags of the request."""
    response = original(cluster, body)
    if response[0] == 200 and body.get("tags"):
        eks._tags[answer(response)["association"]["associationArn"]] = dict(body["tags"])
    return response


# --- IAM: changes of an OIDC provider ---------------------------------------------------------------------------------
def numbered(request: Json, prefix: str) -> list[str]:
    """The values ``prefix.member.1``, ``prefix.member.2`` and so on."""
    values: list[str] = []
    while value := iam._p(request, f"{prefix}.member.{len(values) + 1}"):
        values.append(value)
    return values


def oidc_action(name: str, change: Callable[[Json, Json], Any]) -> Callable[[Json], Response]:
    """A handler that applies ``change(request, provider)`` to an existing provider."""

    def handler(request: Json) -> Response:
        provider = iam._oidc_providers.get(iam._p(request, "OpenIDConnectProviderArn"))
        if not provider:
            return iam._error(404, "NoSuchEntity", "OIDC provider not found.", ns="iam")
        change(request, provider)
        return iam._xml(200, f"{name}Response", "", ns="iam")

    return handler


def tag_provider(request: Json, provider: Json) -> None:
    """TagOpenIDConnectProvider."""
    new = {tag["Key"]: tag for tag in iam._extract_tags(request)}
    provider["Tags"] = [tag for tag in provider.get("Tags", []) if tag["Key"] not in new] + list(new.values())


def untag_provider(request: Json, provider: Json) -> None:
    """UntagOpenIDConnectProvider."""
    gone = numbered(request, "TagKeys")
    provider["Tags"] = [tag for tag in provider.get("Tags", []) if tag["Key"] not in gone]


OIDC_ACTIONS: dict[str, Callable[[Json, Json], Any]] = {
    "TagOpenIDConnectProvider": tag_provider,
    "UntagOpenIDConnectProvider": untag_provider,
    "AddClientIDToOpenIDConnectProvider": lambda r, p: p["ClientIDList"].append(iam._p(r, "ClientID")),
    "RemoveClientIDFromOpenIDConnectProvider": lambda r, p: p["ClientIDList"].remove(iam._p(r, "ClientID")),
    "UpdateOpenIDConnectProviderThumbprint": lambda r, p: p.update(ThumbprintList=numbered(r, "ThumbprintList")),
}
iam_handlers = next(v for v in vars(iam).values() if isinstance(v, dict) and "CreateOpenIDConnectProvider" in v)
iam_handlers.update({name: oidc_action(name, change) for name, change in OIDC_ACTIONS.items()})


# --- ECR: a missing image is an error, not an empty list --------------------------------------------------------------
@around(ecr, "_describe_images")
def describe_images(original: Callable[..., Response], data: Json) -> Response:
    """DescribeImages."""
    response = original(data)
    if data.get("imageIds") and response[0] == 200 and len(answer(response)["imageDetails"]) < len(data["imageIds"]):
        message = "The image requested does not exist within the repository"
        return ecr.error_response_json("ImageNotFoundException", message, 400)
    return response


if __name__ == "__main__":
    sys.argv = sys.argv[:1]  # ministack parses the rest itself
    app.main()
