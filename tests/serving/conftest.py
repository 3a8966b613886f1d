"""A real model server of each test's own: llama.cpp with a model that is written on the spot."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "tiny"

#: ``tiny_server(texts, served_name)``: its base URL, as long as the block runs.
TinyServer = Callable[..., AbstractContextManager[str]]


@pytest.fixture(scope="session")
def tiny_server(tinyserver_python: Path, tmp_path_factory: pytest.TempPathFactory) -> TinyServer:
    folder = tmp_path_factory.mktemp("models")

    @contextmanager
    def serve(texts: Mapping[str, list[str]], served_name: str = "kimi-k3") -> Iterator[str]:
        words = json.dumps(texts)
        model = folder / f"{abs(hash(words))}.gguf"
        if not model.exists():
            subprocess.run([tinyserver_python, PROGRAMS / "make_model.py", model, words], check=True)
        with subprocess.Popen(
            [tinyserver_python, PROGRAMS / "serve.py", model, served_name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as server:
            try:
                assert server.stdout is not None
                url = server.stdout.readline().strip()
                assert url.startswith("http://127.0.0.1:"), server.communicate()
                yield url
            finally:
                server.kill()

    return serve
