"""Copies the weights from S3 to a node's own disk, and ends well only when every file is what the manifest lists.

    copy_weights.py s3://bucket/prefix FOLDER MANIFEST_SHA256 [PORT]

Runs in the engine's image, before the engine: Python 3.10 or later with boto3, nothing else. What is there already and
right is not copied again; a file that was half copied goes on where it stopped. Several pods on one node take turns.
The manifest is s3://bucket/prefix/manifest.json: {"files": [{"path", "size", "sha256"}, ...]}; its own SHA-256 is
given. On PORT it tells Prometheus how far it is.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import http.server
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path, PurePosixPath
from typing import Any

#: Files at a time. One connection to S3 gives about 0.1 GB/s, so fewer would leave the network idle.
AT_A_TIME = 32
#: Bytes read at once, from the network and for checksums.
CHUNK = 8 * 2**20
#: Seconds between two lines about progress.
EVERY = 15
GIB = 2**30
#: What was checked, beside the weights: a second start need not read 1.5 TB to know it.
RECORD = ".checked.json"


class WrongError(Exception):
    """Something is not what it should be; the message says what and where."""


class Progress:
    """How far it is; counted by many threads."""

    def __init__(self, total: int) -> None:
        """``total`` is the size of all files in bytes."""
        self.total, self.done, self.copied = total, 0, 0
        self.lock, self.start = threading.Lock(), time.monotonic()

    def add(self, size: int, *, copied: bool) -> None:
        """Bytes that are there now; ``copied`` says that they came over the network."""
        with self.lock:
            self.done += size
            self.copied += size if copied else 0

    def line(self) -> str:
        """How far it is, for people."""
        seconds = max(time.monotonic() - self.start, 0.001)
        rate = self.copied / seconds
        left = (self.total - self.done) / rate / 60 if rate else 0
        tail = f", {rate / 1e9:.2f} GB/s, about {left:.0f} min left" if rate and self.done < self.total else ""
        return f"weights: {self.done / GIB:.1f} of {self.total / GIB:.1f} GiB{tail}"

    def metrics(self) -> bytes:
        """How far it is, for Prometheus."""
        return (
            "# TYPE hawser_weights_bytes gauge\n"
            f"hawser_weights_bytes {self.done}\n"
            "# TYPE hawser_weights_bytes_wanted gauge\n"
            f"hawser_weights_bytes_wanted {self.total}\n"
        ).encode()


def say(text: str) -> None:
    """One line of the container's log."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def manifest_of(client: Any, bucket: str, prefix: str, wanted: str) -> list[dict[str, Any]]:
    """The listed files, after the manifest itself was checked. Raises ``WrongError``."""
    key = f"{prefix}/manifest.json"
    try:
        data = client.get_object(Bucket=bucket, Key=key)["Body"].read()
    except Exception as error:
        raise WrongError(f"s3://{bucket}/{key} cannot be read: {error}") from None
    found = hashlib.sha256(data).hexdigest()
    if found != wanted:
        raise WrongError(f"s3://{bucket}/{key} has the SHA-256 {found}, not {wanted} as the contract says")
    files: list[dict[str, Any]] = json.loads(data)["files"]
    for file in files:
        parts = PurePosixPath(file["path"]).parts
        if not parts or ".." in parts or file["path"].startswith("/") or parts[0].startswith("."):
            raise WrongError(f"the manifest lists {file['path']!r}, which is no name of a file in the folder")
    return files


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    sha = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            sha.update(chunk)
    return sha.hexdigest()


def fetch(client: Any, bucket: str, key: str, file: dict[str, Any], part: Path, progress: Progress) -> None:
    """Brings ``part`` to its whole size, from where it stopped."""
    have = part.stat().st_size if part.exists() else 0
    if have > file["size"]:
        part.unlink()
        have = 0
    progress.add(have, copied=False)
    while have < file["size"]:
        answer = client.get_object(Bucket=bucket, Key=key, Range=f"bytes={have}-")
        with part.open("ab") as out:
            for chunk in answer["Body"].iter_chunks(CHUNK):
                out.write(chunk)
                have += len(chunk)
                progress.add(len(chunk), copied=True)
            out.flush()
            os.fsync(out.fileno())
        if have < file["size"] and not answer["ContentLength"]:
            raise WrongError(f"s3://{bucket}/{key} ends at {have} bytes; the manifest says {file['size']}")


def bring(
    client: Any,
    bucket: str,
    prefix: str,
    folder: Path,
    file: dict[str, Any],
    checked: dict[str, Any],
    progress: Progress,
) -> list[Any]:
    """One file: there and right, or copied and right. Returns what to remember of it. Raises ``WrongError``."""
    path, key = folder / file["path"], f"{prefix}/{file['path']}"
    if path.exists():
        now = [file["sha256"], path.stat().st_size, path.stat().st_mtime_ns]
        if now == checked.get(file["path"]) and now[1] == file["size"]:
            progress.add(file["size"], copied=False)
            return now
        if now[1] == file["size"] and checksum(path) == file["sha256"]:
            progress.add(file["size"], copied=False)
            return now
        path.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    for attempt in (1, 2):
        fetch(client, bucket, key, file, part, progress)
        if checksum(part) == file["sha256"]:
            part.replace(path)
            return [file["sha256"], path.stat().st_size, path.stat().st_mtime_ns]
        part.unlink()
        progress.add(-file["size"], copied=False)
        say(f"{file['path']}: not what the manifest lists" + (", once more" if attempt == 1 else ""))
    raise WrongError(f"s3://{bucket}/{key} has another SHA-256 than the manifest says: the copy in the bucket is wrong")


def check_index(folder: Path, files: list[dict[str, Any]]) -> None:
    """Both ways against the checkpoint's own index: every shard that it names is listed, and none beside it."""
    listed = {file["path"] for file in files}
    index = folder / "model.safetensors.index.json"
    named = set(json.loads(index.read_text())["weight_map"].values()) if index.exists() else None
    if named is not None and (lost := sorted(named - listed)):
        raise WrongError(
            f"the index names {', '.join(lost[:3])} ({len(lost)} in all), which the manifest does not list"
        )
    strange = sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*.safetensors")
        if not path.name.startswith(".") and str(path.relative_to(folder)) not in listed
    )
    for name in strange:  # left by another revision: the engine would load it
        say(f"{name}: not of this revision, removed")
        (folder / name).unlink()


def serve(progress: Progress, port: int) -> http.server.ThreadingHTTPServer:
    """Answers Prometheus until it is shut down."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = progress.metrics()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("", port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Waits until no other pod of the node copies into the folder."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another pod of this node copies; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(client: Any, uri: str, folder: Path, wanted: str, port: int | None = None) -> None:
    """Brings the folder to what the manifest lists. Raises ``WrongError``."""
    bucket, _, prefix = uri.removeprefix("s3://").rstrip("/").partition("/")
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        files = manifest_of(client, bucket, prefix, wanted)
        record = folder / RECORD
        try:
            checked = json.loads(record.read_text())
        except (OSError, ValueError):
            checked = {}
        progress = Progress(sum(file["size"] for file in files))
        server = serve(progress, port) if port else None
        now, last = {}, time.monotonic()
        try:
            with ThreadPoolExecutor(AT_A_TIME) as pool:
                waiting = {
                    pool.submit(bring, client, bucket, prefix, folder, file, checked, progress): file["path"]
                    for file in files
                }
                try:
                    for one in as_completed(waiting):
                        now[waiting[one]] = one.result()
                        if time.monotonic() - last > EVERY:
                            last = time.monotonic()
                            say(progress.line())
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
        finally:
            fresh = record.with_suffix(".new")
            fresh.write_text(json.dumps({**checked, **now}, sort_keys=True))
            fresh.replace(record)
            if server:
                server.shutdown()
                server.server_close()
        check_index(folder, files)
        say(f"{progress.line()}: all {len(files)} files are what the manifest lists")


def main(arguments: list[str]) -> int:
    """The exit code."""
    if len(arguments) not in (3, 4):
        say(__doc__ or "")
        return 2
    import boto3
    from botocore.config import Config

    config = Config(max_pool_connections=AT_A_TIME, retries={"mode": "adaptive", "max_attempts": 10}, read_timeout=60)
    try:
        client = boto3.client("s3", config=config)
        port = int(arguments[3]) if len(arguments) == 4 else None
        run(client, arguments[0], Path(arguments[1]), arguments[2], port)
    except WrongError as error:
        say(f"weights: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
