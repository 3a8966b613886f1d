"""What runs in the pods beside the engine: the look whether it works, and how ranks are started."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hawser.render.manifests.scripts import alive

SCRIPTS = Path(alive.__file__).parent


def metrics(running: int, generated: int, prompt: int = 100) -> str:
    return (
        f'vllm:num_requests_running{{engine="0",model_name="kimi-k3"}} {running}.0\n'
        f'vllm:generation_tokens_total{{engine="0",model_name="kimi-k3"}} {generated}.0\n'
        f'vllm:prompt_tokens_total{{engine="0",model_name="kimi-k3"}} {prompt}.0\n'
    )


def looks(*seen: tuple[float, str | None]) -> list[str]:
    """What is said at each look."""
    remembered: dict[str, object] = {}
    said = []
    for now, text in seen:
        remembered, wrong = alive.judge(remembered, text, now)
        said.append(wrong)
    return said


def test_tokens_that_come_are_life() -> None:
    assert looks(*((t, metrics(3, t)) for t in range(0, 1000, 30))) == [""] * 34


def test_a_long_prompt_is_no_silence() -> None:
    assert looks(*((t, metrics(1, 5, 100 + t)) for t in range(0, 1000, 30))) == [""] * 34


def test_an_idle_server_is_alive() -> None:
    assert looks(*((t, metrics(0, 5)) for t in range(0, 10_000, 600))) == [""] * 17


def test_requests_without_tokens_are_death_after_three_minutes() -> None:
    said = looks(*((t, metrics(2, 5)) for t in range(0, 300, 30)))
    assert said[:7] == [""] * 7
    assert said[7:] == [f"2 requests run and no token came for {t} s" for t in (210, 240, 270)]


def test_a_late_answer_is_forgiven_and_ten_minutes_are_not() -> None:
    said = looks((0, metrics(1, 5)), *((t, None) for t in range(30, 700, 30)), (700, metrics(1, 6)), (730, None))
    assert [text for text in said if text] == ["no answer for 630 s", "no answer for 660 s"]
    assert said[-2:] == ["", ""]


@pytest.fixture
def server() -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(metrics(2, 5).encode())

        def log_message(self, *_: object) -> None:
            pass

    found = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=found.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{found.server_address[1]}/metrics"
    found.shutdown()
    thread.join()
    found.server_close()


def test_the_probe_remembers_between_looks(server: str, tmp_path: Path) -> None:
    place = tmp_path / "alive.json"
    env = {**os.environ, "HAWSER_ALIVE": str(place)}

    def look() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(SCRIPTS / "alive.py"), server]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    assert look().returncode == 0
    place.write_text('{"tokens": 105.0, "since": 1}')
    done = look()
    assert done.returncode == 1
    assert done.stdout.startswith("2 requests run and no token came for ")
    place.write_text("not json")
    assert look().returncode == 0


def rank(tmp_path: Path, index: str, answers: str, **more: str) -> subprocess.CompletedProcess[str]:
    """start-rank.sh with a resolver that answers line by line, and a start.sh that says its words."""
    for name in ("start-rank.sh",):
        (tmp_path / name).write_bytes((SCRIPTS / name).read_bytes())
    (tmp_path / "start.sh").write_text('#!/bin/bash\nprintf "%s\\n" "$@"\n')
    (tmp_path / "answers").write_text(answers)
    (tmp_path / "getent").write_text(
        f"#!/bin/bash\nline=$(head -n 1 {tmp_path}/answers)\nsed -i 1d {tmp_path}/answers\n"
        '[[ -n $line ]] && echo "$line"\n'
    )
    (tmp_path / "sleep").write_text("#!/bin/bash\n")
    for name in ("start-rank.sh", "start.sh", "getent", "sleep"):
        (tmp_path / name).chmod(0o755)
    env = {
        "PATH": f"{tmp_path}:/usr/bin:/bin", "LWS_LEADER_ADDRESS": "k3-0.k3.serving", "LWS_GROUP_SIZE": "2",
        "LWS_WORKER_INDEX": index, "MASTER_PORT": "29500", "LEADER_WAIT_S": "60", **more,
    }  # fmt: skip
    command = ["bash", str(tmp_path / "start-rank.sh"), "vllm", "serve", "/models/k3"]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_rank_waits_for_the_leaders_address_and_passes_it_on(tmp_path: Path) -> None:
    done = rank(tmp_path, "1", "\n\n10.0.0.7 STREAM k3-0\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "rank 1 of 2, leader k3-0.k3.serving at 10.0.0.7",
        "vllm", "serve", "/models/k3", "--nnodes", "2", "--node-rank", "1", "--master-addr", "10.0.0.7",
        "--master-port", "29500", "--headless",
    ]  # fmt: skip


def test_the_leader_answers_requests(tmp_path: Path) -> None:
    assert "--headless" not in rank(tmp_path, "0", "10.0.0.7 STREAM k3-0\n").stdout.splitlines()


def test_no_address_is_never_passed_on(tmp_path: Path) -> None:
    done = rank(tmp_path, "1", "", LEADER_WAIT_S="0")
    assert done.returncode == 1
    assert done.stderr.startswith("the leader k3-0.k3.serving has no address after ")
    assert "vllm" not in done.stdout


def test_outside_of_a_group_it_says_so(tmp_path: Path) -> None:
    done = rank(tmp_path, "1", "", LWS_LEADER_ADDRESS="")
    assert done.returncode != 0
    assert "LWS_LEADER_ADDRESS" in done.stderr
