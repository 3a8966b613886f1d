"""A small HTTP client for one server: every wait and every size has a limit, redirects are not followed.

Each request has a connection of its own. Engines close idle connections after seconds, and one that closes while the
next request is written would look like a fault of the model.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import urllib3

from hawser.errors import UsageError
from hawser.serve.events import EventReader, EventTooLongError

#: Seconds to reach the server. A port-forward is near; a load balancer answers within one or two.
CONNECT_SECONDS: Final = 10.0
#: Bytes of one answer. The metrics of an engine with many ranks have some megabytes, an answer of a model less.
MOST_BYTES: Final = 16 << 20
_PIECE: Final = 1 << 16


class TalkError(Exception):
    """The server could not be asked, or did not answer as HTTP; the text says what happened, without a full stop."""


class UnreachableError(TalkError):
    """There is no connection to the server."""


class TooLateError(TalkError):
    """Nothing came, or not all of it, within the seconds that were given."""


class BrokenOffError(TalkError):
    """The connection ended in the middle of an answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: HTTP status, and its body as text (bytes that are no UTF-8 as U+FFFD)."""

    status: int
    body: str


def base_url(text: str) -> str:
    """``text`` as the base of all paths, without a slash at its end.

    Raises ``UsageError`` when it is no http or https URL, or holds what does not belong there.
    """
    fix = "Give scheme, host and port alone, such as http://127.0.0.1:8000; the contract has the paths."
    try:
        parts = urlsplit(text)
        named = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        named = False
    if not named or not text.isprintable() or " " in text:
        raise UsageError(f"{text!r} is no http or https URL", fix=fix)
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise UsageError("the URL has a query, a fragment or a user in it", fix=fix)
    if parts.path.rstrip("/").endswith("/v1"):
        raise UsageError("the URL ends with /v1, which the contract's paths begin with", fix=fix)
    return text.rstrip("/")


class Client:
    """Asks the server at ``base``; ``api_key``, when given, is sent as bearer token with each request but bare ones."""

    def __init__(self, base: str, api_key: str | None = None) -> None:
        self.base = base
        self._headers = {"Accept": "application/json, text/event-stream, text/plain", "User-Agent": "hawser"}
        self._authorization = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def get(self, path: str, seconds: float) -> Reply:
        """The answer to GET ``path``. Raises ``TalkError``."""
        ends = time.monotonic() + seconds
        with self._asked("GET", path, None, seconds) as answer:
            return answer.whole(ends)

    def post(self, path: str, document: Mapping[str, Any], seconds: float, *, bare: bool = False) -> Reply:
        """The answer to POST ``path`` with ``document`` as JSON; ``bare`` leaves the key out. Raises ``TalkError``."""
        ends = time.monotonic() + seconds
        with self._asked("POST", path, document, seconds, bare=bare) as answer:
            return answer.whole(ends)

    @contextlib.contextmanager
    def stream(self, path: str, document: Mapping[str, Any], seconds: float, gap: float) -> Iterator[Stream]:
        """POST ``path``, and what comes back piece by piece: all within ``seconds``, no two pieces ``gap`` apart.

        Raises ``TalkError``, also while it is read.
        """
        ends = time.monotonic() + seconds
        with self._asked("POST", path, document, min(seconds, gap)) as answer:
            yield Stream(answer, seconds, ends, gap)

    @contextlib.contextmanager
    def _asked(
        self, method: str, path: str, document: Mapping[str, Any] | None, seconds: float, *, bare: bool = False
    ) -> Iterator[_Answer]:
        headers = {**self._headers, **({} if bare else self._authorization)}
        body = None
        if document is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(document).encode()
        timeout = urllib3.Timeout(connect=min(CONNECT_SECONDS, seconds), read=seconds)
        with urllib3.PoolManager(num_pools=1) as pool:
            with _told(seconds):
                response = pool.request(
                    method,
                    self.base + path,
                    body=body,
                    headers=headers,
                    timeout=timeout,
                    retries=False,
                    redirect=False,
                    preload_content=False,
                )
            try:
                yield _Answer(response, seconds)
            finally:
                response.close()


class _Answer:
    """An answer whose body is still to be read, with the longest silence in seconds."""

    def __init__(self, response: urllib3.BaseHTTPResponse, silence: float) -> None:
        self.status = response.status
        self._response = response
        self._silence = silence
        self._size = 0

    def whole(self, ends: float) -> Reply:
        """All of it, when it comes before the clock (``time.monotonic``) says ``ends``."""
        pieces = []
        while piece := self.piece():
            pieces.append(piece)
            if time.monotonic() > ends:
                raise TooLateError("the answer came too slowly to be awaited whole")
        return Reply(self.status, b"".join(pieces).decode("utf-8", "replace"))

    def piece(self) -> bytes:
        """The next bytes, as soon as there are some; none at the end."""
        with _told(self._silence):
            piece = self._response.read1(_PIECE)
        self._size += len(piece)
        if self._size > MOST_BYTES:
            raise TalkError(f"the answer has more than {MOST_BYTES >> 20} MiB")
        return piece

    def listen_for(self, seconds: float) -> None:
        """Wait no longer than this for the next piece.

        A server that closes after its answer leaves no socket to set; then the caller's clock finds the silence when
        it ends.
        """
        self._silence = seconds
        sock = getattr(self._response.connection, "sock", None)
        if sock is not None:
            sock.settimeout(max(seconds, 0.001))


class Stream:
    """A streamed answer: its status, and the data of its server-sent events as they come.

    ``gap`` is the longest silence between two events in seconds, and may be changed while it is read. Comments, which
    some servers send to keep the connection, break no silence.
    """

    def __init__(self, answer: _Answer, seconds: float, ends: float, gap: float) -> None:
        self.status = answer.status
        self.gap = gap
        self._answer = answer
        self._seconds = seconds
        self._ends = ends

    def body(self) -> str:
        """The answer as it is, for a status that says that there are no events. Raises ``TalkError``."""
        return self._answer.whole(self._ends).body

    def events(self) -> Iterator[str]:
        """The data of each event. Raises ``TalkError``."""
        reader = EventReader()
        last = time.monotonic()
        while True:
            self._answer.listen_for(min(self.gap, self._ends - time.monotonic()))
            late = False
            try:
                piece = self._answer.piece()
            except TooLateError:
                late = True
            now = time.monotonic()
            if now >= self._ends:
                raise TooLateError(f"the answer was not whole after {self._seconds:.3g} s")
            if late or now - last > self.gap:
                raise TooLateError(f"nothing came for {self.gap:.3g} s")
            if not piece:
                return
            try:
                found = reader.feed(piece)
            except EventTooLongError:
                raise TalkError("an event of the stream has more than a million characters") from None
            if found:
                last = now
            yield from found


@contextlib.contextmanager
def _told(seconds: float) -> Iterator[None]:
    """Failures of the library as ours."""
    try:
        yield
    except (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError) as error:
        raise UnreachableError(_reason(error)) from None
    except urllib3.exceptions.LocationValueError:
        raise UnreachableError("the host's name is none") from None
    except urllib3.exceptions.SSLError as error:
        raise UnreachableError(f"TLS failed ({_reason(error)})") from None
    except urllib3.exceptions.TimeoutError:
        raise TooLateError(f"nothing came for {seconds:.3g} s") from None
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise BrokenOffError(f"the connection broke off ({type(error).__name__})") from None


def _reason(error: Exception) -> str:
    """The last words of an error: what the system said."""
    if isinstance(error, urllib3.exceptions.NameResolutionError):
        return "the host's name is not known"
    # A refused connection is a kind of timeout to the library.
    refused = isinstance(error, urllib3.exceptions.NewConnectionError)
    if isinstance(error, urllib3.exceptions.ConnectTimeoutError) and not refused:
        return "no connection in time"
    words = re.sub(r"\[Errno -?\d+\] ", "", str(error).rsplit(": ", 1)[-1])
    return words.strip() or type(error).__name__
