"""Adds a request id and headers to every answer, and counts and logs every request."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from ipaddress import ip_address
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from werkzeug.datastructures import Headers
from werkzeug.wsgi import ClosingIterator

from bestmove.api.logs import RequestLine
from bestmove.api.metrics import Metrics
from bestmove.api.record import RECORD, RequestRecord
from bestmove.api.responses import add_to_list

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


ARRIVED: Final = "bestmove.arrived"
"""The key in the WSGI environment under which the server puts the arrival time of the request's
last byte (`time.monotonic()` seconds)."""

_FOLDERS: Final = ("/static/", "/docs/")
"""In the metrics, the files in each of these folders share one label."""

_UNMATCHED: Final = "unmatched"
"""The label of a request that matches no route."""

_ALLOWED_HEADERS: Final = (
    "Authorization, Content-Encoding, Content-Type, If-None-Match, Last-Event-ID, X-Request-ID, "
    "traceparent, tracestate"
)
"""The request headers that a page of another origin may send. Some are meant for a proxy."""

API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of answers that are not pages: they may load and run nothing."""

SECURITY_HEADERS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
_POLICY: Final = ("Content-Security-Policy", API_POLICY)

_EMPTY: Final = (("Content-Length", "0"), ("Cache-Control", "no-cache"), *SECURITY_HEADERS)

_GIVEN_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")

_LONGEST_ADDRESS: Final = 64
"""The most characters of an IPv6 address with a zone and a port."""


def cors_headers(
    origins: Collection[str], origin: str | None, *, is_preflight: bool = False
) -> list[tuple[str, str]]:
    """Return the headers to add to an answer for a page of this origin (cross-origin resource
    sharing).

    Unless all origins are allowed, `Vary: Origin` keeps caches from sending an answer to a page
    of another origin.

    Args:
        origins: the origins whose pages may call the service; `*` for all.
    """
    if not origins:
        return []
    everybody = "*" in origins
    headers = [] if everybody else [("Vary", "Origin")]
    allowed = "*" if everybody else origin
    if allowed is None or allowed not in origins:
        return headers
    headers += [
        ("Access-Control-Allow-Origin", allowed),
        ("Access-Control-Expose-Headers", "ETag, Retry-After, Server-Timing, X-Request-ID"),
    ]
    if is_preflight:
        headers += [
            ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
            ("Access-Control-Allow-Headers", _ALLOWED_HEADERS),
            ("Access-Control-Max-Age", "7200"),
        ]
    return headers


@dataclass(eq=False)
class Middleware:
    """Wraps the application, and creates the record of each request.

    Attributes:
        app: the application.
        routes: the paths without variable parts; each is a label in the metrics.
        line: makes the log line of a request; None logs nothing.
        write: writes the log lines.
        metrics: counts requests.
        origins: the origins whose pages may call the service.
    """

    app: WSGIApplication
    routes: frozenset[str]
    line: RequestLine | None
    write: Callable[[str], None]
    metrics: Metrics
    origins: Collection[str]

    def __post_init__(self) -> None:
        self._renew_ids()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew_ids)

    def _renew_ids(self) -> None:
        """Make new request ids from now on: a random prefix for the process, then a counter."""
        self._new_ids = map(f"{secrets.token_hex(8)}-{{:x}}".format, count(1))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        arrived = environ.get(ARRIVED) or time.monotonic()
        given = environ.get("HTTP_X_REQUEST_ID")
        if given is None or not _GIVEN_ID.match(given):
            given = next(self._new_ids)
        record = RequestRecord(given, arrived)
        environ[RECORD] = record
        if not environ.get("PATH_INFO"):
            environ["PATH_INFO"] = "/"  # Flask would redirect to `/`
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        note = partial(self.note, record, method, path, environ.get("REMOTE_ADDR", ""))
        status_line = "500"

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal status_line
            status_line = status
            headers += SECURITY_HEADERS
            headers.append(("X-Request-ID", record.request_id))
            if not record.is_page:
                headers.append(_POLICY)
            if self.origins:
                preflight = method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
                origin = environ.get("HTTP_ORIGIN")
                given = cors_headers(self.origins, origin, is_preflight=preflight)
                joined = Headers(headers)
                for name, value in given:
                    add_to_list(joined, name, value)
                headers = joined.to_wsgi_list()
            return start_response(status, headers, exc_info)

        try:
            body = self.app(environ, start)
        except BaseException:
            note(int(status_line[:3]))
            raise
        if record.is_stream:
            return ClosingIterator(body, lambda: note(int(status_line[:3])))
        note(int(status_line[:3]))
        return body

    def note(self, record: RequestRecord, method: str, path: str, client: str, status: int) -> None:
        """Count and log an answer of the application or of the server itself.

        `client`: the client's address as the proxy or the socket gives it; it may be any text.
        """
        seconds = time.monotonic() - record.arrived
        route = path if path in self.routes else _label(path)
        self.metrics.request(route, method, status, seconds)
        if self.line is not None:
            ms = round(seconds * 1000, 3)
            address = _address(client) if len(client) <= _LONGEST_ADDRESS else "?"
            self.write(self.line(record, method, route, status, ms, address))


class Below:
    """Serves an application below a path, for a proxy that does not remove the path from requests.

    Args:
        app: the application.
        root: the path, without a slash at its end.
    """

    def __init__(self, app: WSGIApplication, root: str) -> None:
        self._app, self._root = app, root

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Remove `root` from the path, and answer. A probe's path may lie outside `root`."""
        path, root = environ.get("PATH_INFO", ""), self._root
        if path == root:  # without the slash, relative links in the page would be wrong
            start_response("308 Permanent Redirect", [("Location", f"{root}/"), *_EMPTY])
            return []
        if path.startswith(f"{root}/"):
            environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + root
            environ["PATH_INFO"] = path[len(root) :]
        return self._app(environ, start_response)


def _label(path: str) -> str:
    for folder in _FOLDERS:
        if path.startswith(folder):
            return f"{folder}<path>"
    return _UNMATCHED


@lru_cache(1024)
def _address(text: str) -> str:
    """Return the IP address in a text; `?` if there is none."""
    host, colon, port = text.rpartition(":")
    if colon and port.isdecimal() and (host.count(":") == 0 or host.startswith("[")):
        text = host.strip("[]")  # some proxies add the client's port
    try:
        address = ip_address(text)
    except ValueError:
        return "?"
    # A socket for both IPv4 and IPv6 gives IPv4 addresses in IPv6 form.
    return str(getattr(address, "ipv4_mapped", None) or address)
