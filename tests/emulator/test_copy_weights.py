"""The copier of the weights against a real S3: it ends well only when every file is what the manifest lists."""

from __future__ import annotations

import hashlib
import json
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hawser.render.manifests.scripts import copy_weights
from hawser.render.manifests.scripts.copy_weights import WrongError, run

pytestmark = pytest.mark.emulator

INDEX = "model.safetensors.index.json"


class Bucket:
    """A bucket with a small model, and what its manifest must be."""

    def __init__(self, client: Any, name: str) -> None:
        self.client, self.name, self.uri = client, name, f"s3://{name}/k3"
        client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
        shards = {f"model-{n}.safetensors": bytes([n]) * 70_000 for n in (1, 2, 3)}
        index = {"weight_map": {f"layer.{n}": name for n, name in enumerate(shards)}}
        self.files = {**shards, INDEX: json.dumps(index).encode(), "code/tokenizer.py": b"# code\n"}
        for path, body in self.files.items():
            self.put(path, body)
        self.sha256 = self.list_files()

    def put(self, path: str, body: bytes) -> None:
        self.client.put_object(Bucket=self.name, Key=f"k3/{path}", Body=body)

    def list_files(self, **extra: Any) -> str:
        """Writes the manifest of ``files`` and gives its SHA-256."""
        listed = [
            {"path": path, "size": len(body), "sha256": hashlib.sha256(body).hexdigest()}
            for path, body in self.files.items()
        ]
        data = json.dumps({"files": listed, **extra}).encode()
        self.put("manifest.json", data)
        return hashlib.sha256(data).hexdigest()


@pytest.fixture
def bucket(client: Callable[..., Any], request: pytest.FixtureRequest) -> Bucket:
    name = "weights-" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:16]
    return Bucket(client("s3"), name)


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def requests(bucket: Bucket) -> list[str]:
    """The objects that are read from now on."""
    read: list[str] = []

    def note(params: dict[str, Any], **_: Any) -> None:
        read.append(params["Key"].removeprefix("k3/"))

    bucket.client.meta.events.register("before-parameter-build.s3.GetObject", note)
    return read


def test_it_copies_all_and_then_nothing(bucket: Bucket, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(bucket.client, bucket.uri, tmp_path / "k3", bucket.sha256)
    assert content(tmp_path / "k3") == bucket.files
    assert "all 5 files are what the manifest lists" in capsys.readouterr().out
    read = requests(bucket)
    run(bucket.client, bucket.uri, tmp_path / "k3", bucket.sha256)
    assert read == ["manifest.json"]


def test_it_goes_on_where_it_stopped(bucket: Bucket, tmp_path: Path) -> None:
    folder = tmp_path / "k3"
    folder.mkdir()
    (folder / ".model-2.safetensors.part").write_bytes(bucket.files["model-2.safetensors"][:50_000])
    ranges: list[str] = []
    bucket.client.meta.events.register(
        "before-parameter-build.s3.GetObject",
        lambda params, **_: ranges.append(f"{params['Key']} {params.get('Range', '')}"),
    )
    run(bucket.client, bucket.uri, folder, bucket.sha256)
    assert "k3/model-2.safetensors bytes=50000-" in ranges
    assert content(folder) == bucket.files


@pytest.mark.parametrize("spoiled", [b"\0" * 70_000, b"short", b"\2" * 70_001], ids=["zeros", "short", "long"])
def test_a_wrong_file_on_the_node_is_copied_again(bucket: Bucket, tmp_path: Path, spoiled: bytes) -> None:
    folder = tmp_path / "k3"
    run(bucket.client, bucket.uri, folder, bucket.sha256)
    (folder / "model-2.safetensors").write_bytes(spoiled)
    read = requests(bucket)
    run(bucket.client, bucket.uri, folder, bucket.sha256)
    assert sorted(read) == ["manifest.json", "model-2.safetensors"]
    assert content(folder) == bucket.files


def test_a_file_that_is_wrong_in_the_bucket_stops_the_start(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("model-3.safetensors", b"\0" * 70_000)
    with pytest.raises(WrongError, match=r"model-3\.safetensors has another SHA-256 than the manifest says"):
        run(bucket.client, bucket.uri, tmp_path / "k3", bucket.sha256)
    assert not (tmp_path / "k3/model-3.safetensors").exists()


def test_a_manifest_that_the_contract_does_not_name_is_refused(bucket: Bucket, tmp_path: Path) -> None:
    bucket.list_files(note="changed")
    with pytest.raises(WrongError, match=r"manifest\.json has the SHA-256 [0-9a-f]{64}, not"):
        run(bucket.client, bucket.uri, tmp_path / "k3", bucket.sha256)
    with pytest.raises(WrongError, match="cannot be read"):
        run(bucket.client, f"s3://{bucket.name}/elsewhere", tmp_path / "k3", bucket.sha256)


def test_the_index_is_compared_both_ways(bucket: Bucket, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "k3"
    folder.mkdir()
    (folder / "model-9.safetensors").write_bytes(b"of another revision")
    run(bucket.client, bucket.uri, folder, bucket.sha256)
    assert "model-9.safetensors: not of this revision, removed" in capsys.readouterr().out
    assert content(folder) == bucket.files
    bucket.files.pop("model-1.safetensors")
    with pytest.raises(WrongError, match=r"the index names model-1\.safetensors \(1 in all\)"):
        run(bucket.client, bucket.uri, folder, bucket.list_files())


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", ".lock", ""])
def test_a_manifest_cannot_write_elsewhere(bucket: Bucket, tmp_path: Path, path: str) -> None:
    bucket.files[path] = b"x"
    data = json.dumps({"files": [{"path": path, "size": 1, "sha256": "0" * 64}]}).encode()
    bucket.put("manifest.json", data)
    with pytest.raises(WrongError, match="which is no name of a file in the folder"):
        run(bucket.client, bucket.uri, tmp_path / "k3", hashlib.sha256(data).hexdigest())
    assert content(tmp_path) == {}


def test_two_pods_of_a_node_take_turns(bucket: Bucket, tmp_path: Path) -> None:
    read = requests(bucket)
    threads = [
        threading.Thread(target=run, args=(bucket.client, bucket.uri, tmp_path / "k3", bucket.sha256)) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert content(tmp_path / "k3") == bucket.files
    assert sorted(read) == sorted(["manifest.json", "manifest.json", *bucket.files])


def test_it_tells_how_far_it_is() -> None:
    progress = copy_weights.Progress(200)
    progress.add(50, copied=True)
    server = copy_weights.serve(progress, 0)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_address[1]}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    finally:
        server.shutdown()
        server.server_close()
    assert "hawser_weights_bytes 50\n" in text
    assert "hawser_weights_bytes_wanted 200\n" in text
