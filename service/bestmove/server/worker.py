"""gunicorn's worker and logger, made to speak as the rest of the service does."""

from __future__ import annotations

import contextlib
import errno
import logging
import math
import os
import secrets
import selectors
import socket
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gunicorn import glogging  # type: ignore[import-untyped]
from gunicorn.http import errors as http  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from bestmove.api import streams
from bestmove.api.logs import formatter
from bestmove.api.middleware import API_POLICY, ARRIVED, SECURITY_HEADERS
from bestmove.api.problems import (
    CONTENT_TYPE,
    MALFORMED,
    OVERLOADED,
    REQUEST_TIMEOUT,
    Kind,
    Problem,
    internal_error,
)
from bestmove.api.settings import Settings
from bestmove.search import memory
from bestmove.server.arrivals import MOST_HEAD, Connection, PatientSocket

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

URL_TOO_LONG: Final = Kind("url-too-long", 414, "The address is too long")
HEADERS_TOO_LARGE: Final = Kind("headers-too-large", 431, "The headers are too large")
NOT_IMPLEMENTED: Final = Kind("not-implemented", 501, "The transfer coding is not known")
EXPECTATION_FAILED: Final = Kind("expectation-failed", 417, "The expectation cannot be met")

REQUEST_S: Final = 20
"""Seconds that a request may take to arrive, from its first byte to its last."""

SEND_S: Final = 60
"""Seconds that a client may take to receive an answer."""

LINGER_S: Final = 2
"""Seconds that a client may take to close a connection after the last answer on it: closed at
once, with bytes of its unread, the answer might not reach it."""

LAST_S: Final = 2
"""Seconds before the end of a stop at which the streams that are still open get their answers."""

SWITCH_S: Final = 0.0005
"""Seconds that a thread keeps Python's lock while others wait: a tenth of the default, as a probe
asks for it several times over and waits for every busy thread each time."""

_RECEIVE: Final = 64 * 1024

_REASONS: Final = {
    400: "Bad Request",
    408: "Request Timeout",
    414: "URI Too Long",
    417: "Expectation Failed",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
}


_TOO_SLOW: Final = f"It did not arrive within {REQUEST_S} s: send it again, in one go."
_TOO_MUCH: Final = "Too many large requests are arriving: send it again later."


def problem_of(error: Exception) -> Problem:
    """The problem that stands for bytes which gunicorn could not read as a request."""
    if isinstance(error, http.LimitRequestLine):
        return Problem(URL_TOO_LONG, "Send a long board by POST.")
    if isinstance(error, http.LimitRequestHeaders):
        return Problem(HEADERS_TOO_LARGE, "Send fewer or shorter headers.")
    if isinstance(error, http.UnsupportedTransferCoding):
        return Problem(NOT_IMPLEMENTED, "Use no transfer coding but chunked.")
    if isinstance(error, http.ExpectationFailed):
        return Problem(EXPECTATION_FAILED, "The only expectation there is is 100-continue.")
    if isinstance(error, http.ParseException) and not isinstance(
        error, http.InvalidResponseHeader | http.InvalidResponseHeaderName
    ):
        return Problem(MALFORMED, "This is no HTTP request that can be understood.")
    return internal_error()


class Logger(glogging.Logger):  # type: ignore[misc]
    """gunicorn's own lines in the service's format. The requests' lines are not gunicorn's."""

    def setup(self, cfg: Any) -> None:
        """Set the format here, and for whatever else logs in this process."""
        super().setup(cfg)
        settings = Settings.from_environment(os.environ)
        chosen = formatter(settings.log_format)
        for handler in self.error_log.handlers:
            handler.setFormatter(chosen)
        logging.basicConfig(handlers=self.error_log.handlers, level=self.error_log.level)


class Worker(ThreadWorker):  # type: ignore[misc]
    """A gthread worker whose threads get whole requests, and whose refusals are problem documents.

    The main thread receives what arrives and sends what is left of an answer, on sockets that do
    not block; a thread has a request from its last byte to its answer. So no client holds a thread
    by being slow, and how long a request may take to arrive is bounded.
    """

    wsgi: Any

    def init_process(self) -> None:
        """Begin, in the worker's process."""
        settings = Settings.from_environment(os.environ)
        self._most_body = settings.max_body_bytes
        self._most_held = settings.held_bytes
        self._held = 0
        self._streams_until = math.inf
        sys.setswitchinterval(SWITCH_S)
        memory.return_what_is_freed()
        # Each in the order in which their time runs out.
        self._arriving: dict[Connection, None] = {}
        self._sending: dict[Connection, None] = {}
        self._lingering: dict[Connection, None] = {}
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the application, which is told whether a client is still there."""
        super().load_wsgi()
        app = self.wsgi

        def with_peer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            environ[streams.PEER] = sock = environ["gunicorn.socket"]
            environ[ARRIVED] = sock.received
            answer: Iterable[bytes] = app(environ, start_response)
            return answer

        self.wsgi = with_peer

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to end."""
        self._streams_until = time.monotonic() + self.cfg.graceful_timeout - LAST_S
        super().handle_exit(sig, frame)

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection."""
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        self.nr_conns += 1
        if self.nr_conns >= self.worker_connections:
            self._make_room()
        server = listener.getsockname()
        conn = Connection(PatientSocket(sock), client, server, self.cfg, self._most_body)
        self._receive(conn)

    def on_client_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        """The first bytes of a request, or the end of an idle connection."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._receive(conn)

    def _on_more(self, conn: Connection, client: socket.socket) -> None:
        self.poller.unregister(client)
        self._receive(conn)

    def _receive(self, conn: Connection) -> None:
        try:
            data = conn.sock.recv(_RECEIVE)
        except BlockingIOError:
            self._wait(conn)
            return
        except OSError:
            self._close(conn)
            return
        if not data:
            if conn.arrival.data:
                conn.arrival.is_odd = True
                self._hand_over(conn)
            else:
                self._close(conn)
        elif conn.arrival.add(data):
            self._hand_over(conn)
        else:
            self._wait(conn)

    def _wait(self, conn: Connection) -> None:
        """For more bytes of a request, or for the first ones."""
        if not conn.arrival.data:
            conn.timeout = time.monotonic() + self.cfg.keepalive
            if not self.alive:
                conn.timeout = min(conn.timeout, time.monotonic() + LINGER_S)
            self.keepalived_conns.append(conn)
            self._register(conn, selectors.EVENT_READ, self.on_client_socket_readable)
            return
        if conn not in self._arriving:
            conn.timeout = time.monotonic() + REQUEST_S
            self._arriving[conn] = None
        if conn.arrival.wants_leave:
            conn.arrival.wants_leave = False
            with contextlib.suppress(OSError):
                conn.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        self._register(conn, selectors.EVENT_READ, self._on_more)
        self._keep(conn)

    def _hand_over(self, conn: Connection) -> None:
        """To a thread; `finish_request` gets it back."""
        self._arriving.pop(conn, None)
        conn.sock.received = time.monotonic()
        self._keep(conn)
        self.enqueue_req(conn)

    def handle(self, conn: Connection) -> bool:
        """Answer a request, in a thread; whether another may follow on the connection."""
        req = None
        try:
            if len(conn.arrival.data) > MOST_HEAD and not conn.arrival.has_head:
                raise http.LimitRequestHeaders("max buffer headers")
            req = conn.next_request()
            return bool(self.handle_request(req, conn)) and conn.is_read()
        except http.NoMoreData as error:
            self.log.debug("a request ended early: %s", error)
        except StopIteration:
            pass
        except OSError as error:
            self.log.debug("a connection was lost: %s", error)
        except Exception as error:
            self.handle_error(req, conn.sock, conn.client, error)
        return False

    def finish_request(self, conn: Connection, future: Future[bool]) -> None:
        """Send what is left of the answer, and go on with the connection."""
        conn.keeps = not future.cancelled() and not future.exception() and future.result()
        conn.timeout = time.monotonic() + SEND_S
        self._send(conn)

    def _on_writable(self, conn: Connection, client: socket.socket) -> None:
        self.poller.unregister(client)
        self._send(conn)

    def _send(self, conn: Connection) -> None:
        try:
            is_sent = conn.sock.flush()
        except OSError:
            self._close(conn)
            return
        if not is_sent:
            self._sending[conn] = None
            self._register(conn, selectors.EVENT_WRITE, self._on_writable)
            self._keep(conn)
            return
        self._sending.pop(conn, None)
        self._keep(conn)
        if not conn.keeps:
            self._linger(conn)
        elif conn.arrival.next():
            self._hand_over(conn)
        else:
            self._wait(conn)

    def _linger(self, conn: Connection) -> None:
        """Close, once the client has or its time is up."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(conn)
            return
        conn.timeout = time.monotonic() + LINGER_S
        self._lingering[conn] = None
        self._register(conn, selectors.EVENT_READ, self._on_lingering)

    def _on_lingering(self, conn: Connection, client: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            try:
                if client.recv(_RECEIVE):
                    return
            except ConnectionError:
                pass
            self.poller.unregister(client)
            self._close(conn)

    def murder_pending(self) -> None:
        """End what has lasted too long. gunicorn's loop calls this every second at the least."""
        now = time.monotonic()
        if now >= self._streams_until:
            streams.end_all()
        while (conn := next(iter(self._arriving), None)) and conn.timeout <= now:
            self._refuse(conn, Problem(REQUEST_TIMEOUT, _TOO_SLOW))
        for ending in (self._sending, self._lingering):
            while (conn := next(iter(ending), None)) and conn.timeout <= now:
                self.poller.unregister(conn.sock)
                self._close(conn)

    def _make_room(self) -> None:
        """Give up the connection of which nothing was heard for the longest."""
        if self.keepalived_conns:
            conn = self.keepalived_conns.popleft()
        elif (conn := next(iter(self._lingering or self._arriving or self._sending), None)) is None:
            return
        self.poller.unregister(conn.sock)
        self._close(conn)

    def _keep(self, conn: Connection) -> None:
        """Count the bytes kept for a connection; too many, and the largest are given up."""
        now = len(conn.arrival.data) + len(conn.sock.unsent)
        self._held += now - conn.held
        conn.held = now
        while self._held > self._most_held:
            waiting = (*self._arriving, *self._sending)
            largest = max(waiting, key=lambda each: each.held, default=None)
            if largest is None:
                return
            if largest in self._arriving:
                self._refuse(largest, Problem(OVERLOADED, _TOO_MUCH, headers={"Retry-After": "1"}))
            else:
                self.poller.unregister(largest.sock)
                self._close(largest)

    def _refuse(self, conn: Connection, problem: Problem) -> None:
        """Answer a request of which not all has arrived, and close."""
        self.poller.unregister(conn.sock)
        del self._arriving[conn]
        conn.arrival.data.clear()
        self._write_problem(problem, conn.sock, conn.client)
        conn.keeps = False
        conn.timeout = time.monotonic() + LINGER_S
        self._send(conn)

    def _register(
        self, conn: Connection, event: int, callback: Callable[[Connection, socket.socket], None]
    ) -> None:
        self.poller.register(conn.sock, event, partial(callback, conn))

    def _close(self, conn: Connection) -> None:
        for state in (self._arriving, self._sending, self._lingering):
            state.pop(conn, None)
        self._held -= conn.held
        self.nr_conns -= 1
        conn.close()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answer what could not become a request, or what the application let through."""
        del req
        problem = problem_of(exc)
        self._write_problem(problem, client, addr, exc)

    def _write_problem(
        self, problem: Problem, client: Any, addr: Any, exc: Exception | None = None
    ) -> None:
        request_id = secrets.token_hex(8)
        peer = addr[0] if isinstance(addr, tuple) and addr else "?"
        if exc is None:
            self.log.info("request %s from %s refused: %s", request_id, peer, problem.kind.name)
        elif problem.kind.status < 500 or problem.kind is NOT_IMPLEMENTED:
            self.log.info("request %s from %s refused: %s", request_id, peer, type(exc).__name__)
        else:
            self.log.exception("request %s from %s", request_id, peer)
        body = problem.text(request_id).encode()
        status = problem.kind.status
        headers = [
            ("Connection", "close"),
            ("Content-Type", CONTENT_TYPE),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("X-Request-ID", request_id),
            ("Content-Security-Policy", API_POLICY),
            *problem.headers.items(),
            *SECURITY_HEADERS,
        ]
        head = f"HTTP/1.1 {status} {_REASONS[status]}\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in headers
        )
        try:
            client.sendall(head.encode("latin-1") + b"\r\n" + body)
        except OSError:  # the client is gone
            self.log.debug("request %s: nobody to answer", request_id)
