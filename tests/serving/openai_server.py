"""A server with an OpenAI-compatible API whose every answer is scripted: a good one to derive bad ones from."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from hawser.facts import engine_metrics
from hawser.serve.checks import tools

Request = Mapping[str, Any]
#: Closes the connection in the middle of a stream.
CUT = object()


class Good:
    """Answers as vLLM 0.33.0 with Kimi K3 does when all is well. Each bad server overrides one method."""

    served_name = "kimi-k3"
    reasoning_field = "reasoning"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Request, Mapping[str, str]]] = []
        self.over = threading.Event()

    def pause(self, seconds: float) -> None:
        """Wait; a server that is closed wakes up."""
        self.over.wait(seconds)

    def health(self) -> tuple[int, str]:
        return 200, ""

    def models(self) -> tuple[int, str]:
        return 200, json.dumps({"object": "list", "data": [{"id": self.served_name, "object": "model"}]})

    def metrics(self) -> tuple[int, str]:
        lines = []
        for metric in engine_metrics("vllm")["0.33.0"].metrics:
            ends = {"gauge": [""], "counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}[metric.kind]
            lines += [f'{metric.name}{end}{{model_name="{self.served_name}"}} 1.0' for end in ends]
        return 200, "\n".join(lines) + "\n"

    def invocations(self) -> tuple[int, str]:
        return 404, '{"detail":"Not Found"}'

    def content(self, request: Request) -> str:
        last = request["messages"][-1]
        if last["role"] == "tool":
            return f"It is {json.loads(last['content'])['celsius']} °C in Lisbon."
        return "" if "tools" in request else "42"

    def thoughts(self, request: Request) -> str:
        return "The user wants something, so I think – a little."

    def calls(self, request: Request) -> list[dict[str, Any]]:
        if "tools" not in request or request["messages"][-1]["role"] == "tool":
            return []
        function = {"name": tools.NAME, "arguments": self.arguments(request)}
        return [{"id": "call_0", "type": "function", "function": function}]

    def arguments(self, request: Request) -> str:
        return '{"city": "Lisbon"}'

    def finish_reason(self, request: Request) -> str | None:
        return "tool_calls" if self.calls(request) else "stop"

    def usage(self, request: Request) -> dict[str, int] | None:
        return {"prompt_tokens": 20, "completion_tokens": 15, "total_tokens": 35}

    def chat(self, request: Request) -> tuple[int, str]:
        message: dict[str, Any] = {"role": "assistant", "content": self.content(request) or None}
        message[self.reasoning_field] = self.thoughts(request)
        message["tool_calls"] = self.calls(request)
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason(request)}
        return 200, json.dumps({"object": "chat.completion", "choices": [choice], "usage": self.usage(request)})

    def deltas(self, request: Request) -> Iterator[dict[str, Any]]:
        yield {"role": "assistant", "content": ""}
        thoughts, content = self.thoughts(request), self.content(request)
        for part in (thoughts[:9], thoughts[9:]):
            yield {self.reasoning_field: part}
        if content:
            yield from ({"content": part} for part in (content[:1], content[1:]))
        for index, call in enumerate(self.calls(request)):
            function, text = call["function"], call["function"]["arguments"]
            yield {"tool_calls": [{"index": index, **call, "function": {**function, "arguments": ""}}]}
            for part in (text[:5], text[5:]):
                yield {"tool_calls": [{"index": index, "function": {"arguments": part}}]}

    def pieces(self, request: Request) -> Iterator[Any]:
        """What goes over the wire: bytes, or ``CUT``."""
        for delta in self.deltas(request):
            yield self.event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        yield self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": self.finish_reason(request)}]})
        if usage := self.usage(request):
            yield self.event({"choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"

    @staticmethod
    def event(document: Mapping[str, Any]) -> bytes:
        return f"data: {json.dumps(document, ensure_ascii=False)}\n\n".encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that it has there
        """Nothing: tests look at ``asked``."""

    def do_GET(self) -> None:
        self._answered({})

    def do_POST(self) -> None:
        self._answered(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answered(self, request: Request) -> None:
        with contextlib.suppress(ConnectionError):  # the client has seen enough
            self._answer(request)

    def _answer(self, request: Request) -> None:
        model = self.server.model
        model.asked.append((self.command, self.path, request, dict(self.headers)))
        if self.path == "/v1/chat/completions" and request.get("stream"):
            self._stream(model.pieces(request))
            return
        answers = {
            "/health": model.health,
            "/v1/models": model.models,
            "/metrics": model.metrics,
            "/invocations": model.invocations,
            "/v1/chat/completions": lambda: model.chat(request),
        }
        status, body = answers.get(self.path, lambda: (404, ""))()
        data = body.encode()
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", body)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, pieces: Iterator[Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            if piece is CUT:
                self.close_connection = True
                return
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: Good) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


@contextlib.contextmanager
def serving(model: Good) -> Iterator[str]:
    """The base URL of a server that answers as ``model`` does, on a free port of loopback."""
    server = _Server(model)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        model.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
