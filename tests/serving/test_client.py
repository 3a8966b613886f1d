"""The HTTP client: what it refuses, and what it says when a server misbehaves below the API."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from hawser.errors import UsageError
from hawser.serve import client as module
from hawser.serve.client import BrokenOffError, Client, Reply, TalkError, TooLateError, UnreachableError, base_url


@contextlib.contextmanager
def raw_server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """The base URL of a server that takes one connection, reads a request, and answers with bytes."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(10)
                request = b""
                while not whole(request):
                    request += connection.recv(65536)
                answer(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)  # wakes a thread that still waits for a connection
        thread.join(10)
        listening.close()


def whole(request: bytes) -> bool:
    """Whether all of a request has come; an answer to a part of one would be cut by the rest."""
    head, end, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    tls = request.startswith(b"\x16")
    return tls or (end != b"" and len(body) >= int(length[1] if length else 0))


def sending(*pieces: bytes) -> Callable[[socket.socket], None]:
    return lambda connection: [connection.sendall(piece) for piece in pieces] and None


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://models.example.com/", "https://models.example.com"),
        ("https://models.example.com/k3/", "https://models.example.com/k3"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_base_urls(text: str, base: str) -> None:
    assert base_url(text) == base


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("127.0.0.1:8000", "no http or https URL"),
        ("localhost", "no http or https URL"),
        ("ftp://x", "no http or https URL"),
        ("http://", "no http or https URL"),
        ("http://x:y", "no http or https URL"),
        ("http://x:99999", "no http or https URL"),
        ("http://[::1", "no http or https URL"),
        ("http://x\r\nHost: y", "no http or https URL"),
        ("", "no http or https URL"),
        ("http://me:secret@x", "a user in it"),
        ("http://x/?a=b", "a query"),
        ("http://x/v1", "ends with /v1"),
        ("http://x/v1/", "ends with /v1"),
    ],
)
def test_what_is_no_base_url(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as error:
        base_url(text)
    assert "http://127.0.0.1:8000" in error.value.fix
    assert "secret" not in error.value.message


def test_a_redirect_is_an_answer_and_not_followed() -> None:
    with raw_server(
        sending(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    ) as url:
        assert Client(url, "key").get("/health", 5) == Reply(302, "")


def test_a_body_that_ends_with_the_connection() -> None:
    with raw_server(sending(b"HTTP/1.0 200 OK\r\n\r\n", b"a", "ü".encode()[:1], "ü".encode()[1:])) as url:
        assert Client(url).get("/", 5) == Reply(200, "aü")


def test_a_stream_that_ends_with_the_connection() -> None:
    answer = sending(b"HTTP/1.0 200 OK\r\n\r\ndata: 1\n\n", b"data: 2\n\ndata: 3")
    with raw_server(answer) as url, Client(url).stream("/", {}, 5, 5) as stream:
        assert list(stream.events()) == ["1", "2"]


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhalf",
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
    ],
)
def test_half_an_answer_and_none(head: bytes) -> None:
    with raw_server(sending(head)) as url, pytest.raises(BrokenOffError, match="the connection broke off"):
        Client(url).get("/", 5)


def test_a_server_that_says_nothing() -> None:
    silent = threading.Event()
    with raw_server(lambda _: silent.wait(10) and None) as url:
        with pytest.raises(TooLateError, match=r"nothing came for 0\.2 s"):
            Client(url).get("/", 0.2)
        silent.set()


def test_a_body_that_drips() -> None:
    over = threading.Event()

    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not over.wait(0.02):
            connection.sendall(b"x")

    with raw_server(drip) as url:
        with pytest.raises(TooLateError, match="too slowly"):
            Client(url).get("/", 0.3)
        over.set()


def test_a_silence_in_a_stream_of_a_server_that_will_close() -> None:
    """There is no socket left to set there; the silence is found when it ends."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\ndata: 1\n\n")
        threading.Event().wait(0.5)
        connection.sendall(b"data: 2\n\n")

    with raw_server(answer) as url, Client(url).stream("/", {}, 5, 5) as stream:
        events = stream.events()
        assert next(events) == "1"
        stream.gap = 0.2
        with pytest.raises(TooLateError, match=r"nothing came for 0\.2 s"):
            next(events)


def test_more_than_anybody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 20)
    answer = sending(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * (2 << 20))
    with raw_server(answer) as url, pytest.raises(TalkError, match="more than 1 MiB"):
        Client(url).get("/", 5)


def test_an_event_without_an_end() -> None:
    answer = sending(b"HTTP/1.0 200 OK\r\n\r\ndata: " + b"x" * (2 << 20))
    with (
        raw_server(answer) as url,
        Client(url).stream("/", {}, 5, 5) as stream,
        pytest.raises(TalkError, match="event"),
    ):
        list(stream.events())


def test_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with raw_server(sending(b"")) as url:
        pass
    with pytest.raises(UnreachableError, match="refused"):
        Client(url).get("/", 5)
    with pytest.raises(UnreachableError, match="name is none"):
        Client(f"http://{'x' * 64}.example").get("/", 5)

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)  # a real resolver may take its time to say so
    with pytest.raises(UnreachableError, match="name is not known"):
        Client("http://no-such-host.example").get("/", 5)


def test_plain_http_asked_for_tls() -> None:
    with raw_server(sending(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as url, pytest.raises(UnreachableError, match="TLS"):
        Client(url.replace("http:", "https:")).get("/", 5)
