"""The short way: requests for a 3×3 answer that were answered before, word for word.

It stands between the envelope and Flask. Routing, contexts and a response object cost several
times what such an answer does, so a request whose bytes are remembered is answered here; every
other one goes on as if nothing had been. What is answered here is what Flask's views have put
into the memory, with the same headers: a test compares the two ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Final

from bestmove.api import caching, responses
from bestmove.api.known import LONGEST, SIZE, Memory, Ready
from bestmove.api.metrics import Metrics
from bestmove.api.middleware import RECORD
from bestmove.api.reading import JSON

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PATH: Final = "/best-move"

_ANY: Final = frozenset({"", "*/*", JSON})
_VARY: Final = ("Vary", "Accept")
_TYPE: Final = ("Content-Type", JSON)
_NOT_STORED: Final = ("Cache-Control", caching.NO_STORE)
_FRESH: Final = ("Cache-Control", caching.FRESH)


class Remembered:
    """What the views have answered: by the bytes of a POST's body, or of a GET's query."""

    def __init__(self, most: int) -> None:
        self.posts: Memory[bytes, Ready] = Memory(most)
        self.gets: Memory[str, tuple[Ready, str]] = Memory(most)


class Lane:
    """WSGI middleware.

    Args:
        app: the long way.
        remembered: shared with the views, who fill it.
        metrics: counts look-ups; None counts nothing.
    """

    def __init__(
        self,
        app: WSGIApplication,
        remembered: Remembered,
        metrics: Metrics | None,
        most_body_bytes: int,
    ) -> None:
        self._app = app
        self._remembered = remembered
        self._metrics = metrics
        self._longest = min(LONGEST, most_body_bytes)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer, or hand on."""
        if environ["PATH_INFO"] == PATH and environ.get("HTTP_ACCEPT", "") in _ANY:
            method = environ["REQUEST_METHOD"]
            if method == "POST":
                answer = self._post(environ, start_response)
            elif method == "GET":
                answer = self._get(environ, start_response)
            else:
                answer = None
            if answer is not None:
                return answer
        return self._app(environ, start_response)

    def _post(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes] | None:
        length = environ.get("CONTENT_LENGTH", "")
        if (
            environ.get("CONTENT_TYPE") != JSON
            or "HTTP_CONTENT_ENCODING" in environ
            or not (length.isdecimal() and len(length) <= 4 and int(length) <= self._longest)
        ):
            return None
        began = perf_counter()
        body = _read(environ["wsgi.input"].read, int(length))
        ready = self._remembered.posts.get(body)
        if ready is None:
            environ["wsgi.input"] = BytesIO(body)  # it has been read: for the views, again
            return None
        elapsed_ms = self._note(environ, ready, began)
        data = f"{ready.with_search(elapsed_ms)}\n".encode()
        start_response("200 OK", [_VARY, _NOT_STORED, _TYPE, ("Content-Length", str(len(data)))])
        return [data]

    def _get(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes] | None:
        began = perf_counter()
        found = self._remembered.gets.get(environ.get("QUERY_STRING", ""))
        if found is None:
            return None
        ready, tag = found
        entity_tag = f'"{tag}"'
        given = environ.get("HTTP_IF_NONE_MATCH")
        if given is not None:
            if given != entity_tag:
                return None  # several, a weak one or a star: the long way knows
            environ[RECORD].board = SIZE
            start_response("304 NOT MODIFIED", [_VARY, _FRESH, ("ETag", entity_tag)])
            return []
        elapsed_ms = self._note(environ, ready, began)
        data = f"{ready.plain}\n".encode()
        start_response(
            "200 OK",
            [
                _VARY,
                _FRESH,
                _TYPE,
                ("Content-Length", str(len(data))),
                ("Server-Timing", responses.server_timing(ready.stats, elapsed_ms)),
                ("ETag", entity_tag),
            ],
        )
        return [data]

    def _note(self, environ: WSGIEnvironment, ready: Ready, began: float) -> float:
        """Note a look-up; the milliseconds since `began`."""
        record = environ[RECORD]
        record.board = SIZE
        record.engine_ms = elapsed_ms = round((perf_counter() - began) * 1000, 3)
        if self._metrics is not None:
            self._metrics.look_ups(ready.stats.algorithm, 1)
        return float(elapsed_ms)


def _read(read: Callable[[int], bytes], length: int) -> bytes:
    try:
        return read(length)
    except Exception:  # of the server's own kinds; the views find the body too short, and say so
        return b""
