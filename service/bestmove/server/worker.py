"""gunicorn's worker and logger for this service.

A connection is in one state at a time. The main thread changes the state:

    accept -> waiting --first bytes--> arriving --last byte--> with a thread -> sending --+
                 ^                                                                        |
                 +------------------------ all sent, to be kept open ---------------------+
                                                                                          |
    closed <--the client closes, or LINGER_S-- lingering <------ all sent, to be closed --+

- waiting: in `_waiting`, for gunicorn's `keepalive` seconds. If the next request has
  already arrived, the connection skips waiting and arriving.
- arriving: in `_arriving`, for at most REQUEST_S; then the request is refused with a 408.
- with a thread: from `enqueue_req` to `finish_request`. Most probes skip this state (see `PROBES`).
- sending: in `_sending`, for at most SEND_S, if the client does not receive the answer at once.
- lingering: in `_lingering`, so that the client can read the whole answer.

If there is no room for a new connection, the worker closes another: a waiting connection if
possible, otherwise a lingering, arriving or sending connection.

This module extends gunicorn's worker gthread. In gthread

- a request has a thread from its first byte to the end of the answer, so slow clients can occupy
  all threads;
- the process ends when the system has no descriptor for a new connection;
- refusals are HTML.

Simpler classes were measured with `python -m benchmarks.load.attacks --classes`, on two processors:
gthread with 64 threads does not answer beside 500 silent connections, with 512 threads not beside
2,500. A class that gives each arriving request one of 400 threads needs two fifths less code, but
beside 2,500 slow bodies its probes took 368 ms (here: 19 ms), because the threads wait for Python's
lock, and 500 unfinished bodies of 900 kB took 522 MiB (here: 86 MiB).

This module uses internals of gunicorn 27, which may change. A test compares this list with the
installed gunicorn:

- `ThreadWorker`: `accept`, `alive`, `cfg`, `enqueue_req`, `finish_request`, `handle`,
  `handle_request`, `init_process`, `load_wsgi`, `log`, `murder_pending`, `nr_conns`, `poller`,
  `set_accept_enabled`, `wsgi`.
- a connection: `client`, `server`, `sock`.
- `Request`: `_policy_expect_continue`, `force_close`.
- `RequestParser`: `finish_body`, `mesg_class`, `unreader`.
- `Unreader`: `read`.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import math
import os
import selectors
import socket
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from gunicorn import glogging  # type: ignore[import-untyped]
from gunicorn.http import errors as http  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from bestmove.api import capacity, streams
from bestmove.api.app import METRICS, MIDDLEWARE
from bestmove.api.logs import STDERR, LineHandler, formatter, output
from bestmove.api.metrics import Metrics
from bestmove.api.middleware import ARRIVED, Middleware, Origins
from bestmove.api.problems import OVERLOADED, REQUEST_TIMEOUT, RequestProblem
from bestmove.api.record import RequestRecord
from bestmove.api.settings import Settings
from bestmove.search import memory
from bestmove.server import refusals
from bestmove.server.arrivals import Connection, PatientSocket

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

REQUEST_S: Final = 20
"""Seconds that a request may take to arrive, from its first byte to its last."""

SEND_S: Final = 60
"""Seconds that a client may take to receive an answer."""

LINGER_S: Final = 2
"""Seconds that a client may take to close a connection after the last answer. If the worker closed
first, with bytes unread, the client might lose the answer."""

LAST_S: Final = 2
"""When the worker stops, open streams end this many seconds before the graceful timeout."""

SWITCH_S: Final = 0.0005
"""Seconds that a thread may keep Python's global lock while others wait. Python's default is ten
times as long: too long for probes, which need the lock several times."""

PAUSE_S: Final = 1
"""If the system has no descriptor or memory for a new connection, even after the worker has closed
another, the worker accepts no connections for this many seconds."""

ACCEPTED: Final = 16
"""The most connections that are accepted before other events are handled. With 1, a probe behind n
connections would wait for n rounds of other events."""

SMALL: Final = 2048
"""Requests of up to this many bytes, such as probes, are accepted even if large requests have used
up the memory for requests. A thousand such requests need only 2 MB."""

PROBES: Final = (b"GET /healthz ", b"GET /readyz ", b"HEAD /healthz ", b"HEAD /readyz ")
"""The first bytes of health probes. The main thread answers health probes, because the queue of the
other threads may be long."""

_NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})

_RECEIVE: Final = 64 * 1024

_TOO_SLOW: Final = f"The request did not arrive within {REQUEST_S} s: send it again, in one go."
_TOO_MUCH: Final = "Too many large requests are arriving or waiting: try again later."


class Logger(glogging.Logger):  # type: ignore[misc]
    """Logs gunicorn's messages in the service's format, without blocking. The application logs the
    requests."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        settings = Settings.from_environment(os.environ)
        lines = output(STDERR)
        lines.formatter = formatter(settings.log_format)
        handler = LineHandler(lines)
        handler.setFormatter(lines.formatter)
        self.error_log.handlers[:] = [handler]
        logging.basicConfig(handlers=[handler], level=self.error_log.level, force=True)


class Worker(ThreadWorker):  # type: ignore[misc]
    """A gthread worker whose threads get whole requests, and whose refusals are problem
    documents."""

    wsgi: Any

    def init_process(self) -> None:
        self.prepare(Settings.from_environment(os.environ))
        sys.setswitchinterval(SWITCH_S)
        memory.return_what_is_freed()
        super().init_process()

    def prepare(self, settings: Settings) -> None:
        self._most_body = settings.max_body_bytes
        self._most_held = settings.held_bytes
        self._origins = Origins.of(settings)
        self._held = 0
        self._streams_until = math.inf
        # Each dictionary lists its connections in the order of their timeouts.
        self._waiting: dict[Connection, None] = {}
        self._arriving: dict[Connection, None] = {}
        self._sending: dict[Connection, None] = {}
        self._lingering: dict[Connection, None] = {}
        self._accepts_at = 0.0

    def load_wsgi(self) -> None:
        """Load the application. Add the socket and arrival time to each request's environment."""
        super().load_wsgi()
        app = self.wsgi
        # An application other than this service lacks these extensions.
        self._metrics: Metrics | None = app.extensions.get(METRICS)
        self._middleware: Middleware | None = app.extensions.get(MIDDLEWARE)

        def with_peer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            environ[capacity.PEER] = sock = environ["gunicorn.socket"]
            environ[ARRIVED] = sock.received
            answer: Iterable[bytes] = app(environ, start_response)
            return answer

        self.wsgi = with_peer

    def set_accept_enabled(self, enabled: bool) -> None:
        """Start or stop accepting connections. Do not start during a pause (see `PAUSE_S`).

        When the worker shuts down, first accept the connections that are in the queue. Then close
        the listening sockets, so that new clients go to another replica.
        """
        super().set_accept_enabled(enabled and time.monotonic() >= self._accepts_at)
        if not enabled and not self.alive:
            now = time.monotonic()
            self._streams_until = now + self.cfg.graceful_timeout - LAST_S
            for conn in self._waiting:
                conn.timeout = min(conn.timeout, now + LINGER_S)
            for listener in self.sockets:
                listener.setblocking(False)
                while self.nr_conns < self.cfg.worker_connections:
                    if not self._accept_one(listener, makes_room=False):
                        break
                listener.close()
            self.sockets: list[socket.socket] = []

    def accept(self, listener: socket.socket) -> None:
        for number in range(ACCEPTED):
            is_accepted = self._accept_one(listener, makes_room=number == 0)
            if not is_accepted or self.nr_conns >= self.cfg.worker_connections:
                break

    def _accept_one(self, listener: socket.socket, *, makes_room: bool) -> bool:
        """Accept a connection if one is waiting. Return True if one was accepted.

        Args:
            listener: the listening socket.
            makes_room: whether to close another connection if the system has no free descriptor.
                True only if a connection is certainly waiting: in the first call after an event.
        """
        try:
            try:
                sock, client = listener.accept()
            except OSError as error:
                if error.errno not in _NO_ROOM or not makes_room:
                    raise
                self._make_room()
                sock, client = listener.accept()
        except OSError as error:
            if error.errno not in _NO_ROOM:
                if error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                    raise
            elif makes_room:  # trying again at once would keep the processor busy
                self.log.warning("accepting no connections for %s s: %s", PAUSE_S, error.strerror)
                self._accepts_at = time.monotonic() + PAUSE_S
                self.set_accept_enabled(False)
            return False
        self.nr_conns += 1
        if self.nr_conns >= self.cfg.worker_connections:
            self._make_room()
        server = listener.getsockname()
        conn = Connection(PatientSocket(sock), client, server, self.cfg, self._most_body)
        self._receive(conn)
        return True

    def _on_bytes(self, conn: Connection) -> None:
        self._unregister(conn)
        self._waiting.pop(conn, None)
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
                conn.arrival.unframeable = True
                self._hand_over(conn)
            else:
                self._close(conn)
        elif conn.arrival.add(data):
            self._hand_over(conn)
        else:
            self._wait(conn)

    def _wait(self, conn: Connection) -> None:
        self._register(conn, selectors.EVENT_READ, self._on_bytes)
        if conn.arrival.data:
            self._wait_for_more(conn)
        else:
            conn.timeout = time.monotonic() + (self.cfg.keepalive if self.alive else LINGER_S)
            self._waiting[conn] = None
        # Make room for the next client. `_accept_one` could not do so if threads were answering all
        # connections at that time.
        if self.nr_conns >= self.cfg.worker_connections:
            self._make_room()

    def _wait_for_more(self, conn: Connection) -> None:
        if conn not in self._arriving:
            conn.timeout = time.monotonic() + REQUEST_S
            self._arriving[conn] = None
        if conn.arrival.expects_continue:
            conn.arrival.expects_continue = False
            with contextlib.suppress(OSError):
                conn.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        self._keep(conn)

    def _hand_over(self, conn: Connection) -> None:
        """Give the request to a thread. If only a probe has arrived, answer it in this thread."""
        self._arriving.pop(conn, None)
        conn.sock.received = time.monotonic()
        self._keep(conn)
        if self._held > self._most_held and conn.held > SMALL:
            self._refuse(conn, self._too_much())
        elif conn.arrival.is_single and conn.held <= SMALL and conn.arrival.data.startswith(PROBES):
            self._finish(conn, self.handle(conn))
        else:
            self.enqueue_req(conn)

    def handle(self, conn: Connection) -> bool:
        """Answer a request. Return True if another request may follow.

        Runs in a thread of the pool; for a probe, in the main thread.
        """
        try:
            return bool(self.handle_request(conn.next_request(), conn)) and conn.is_read()
        except http.NoMoreData as error:
            self.log.debug("a request ended early: %s", error)
        except StopIteration:
            pass
        except OSError as error:
            self.log.debug("a connection was lost: %s", error)
        except Exception as error:
            self._answer_problem(refusals.problem_of(error), conn, conn.data, error)
        return False

    def finish_request(self, conn: Connection, future: Future[bool]) -> None:
        is_done = not future.cancelled() and not future.exception()
        self._finish(conn, is_done and future.result())

    def _finish(self, conn: Connection, keeps_alive: bool) -> None:
        conn.keeps_alive = keeps_alive
        conn.timeout = time.monotonic() + SEND_S
        self._send(conn)

    def _on_writable(self, conn: Connection) -> None:
        self._unregister(conn)
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
        if not conn.keeps_alive:
            self._linger(conn)
        elif conn.arrival.next():
            self._hand_over(conn)
        else:
            self._wait(conn)

    def _linger(self, conn: Connection) -> None:
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(conn)
            return
        conn.timeout = time.monotonic() + LINGER_S
        self._lingering[conn] = None
        self._register(conn, selectors.EVENT_READ, self._on_lingering)

    def _on_lingering(self, conn: Connection) -> None:
        try:
            if conn.sock.recv(_RECEIVE):
                return
        except BlockingIOError:
            return
        except OSError:  # the client has left
            pass
        self._unregister(conn)
        self._close(conn)

    def murder_pending(self) -> None:
        """End connections and streams that have taken too long. gunicorn calls this at least once a
        second."""
        now = time.monotonic()
        if now >= self._streams_until:
            streams.end_all()
        while (conn := next(iter(self._arriving), None)) and conn.timeout <= now:
            self._refuse(conn, RequestProblem(REQUEST_TIMEOUT, _TOO_SLOW))
        for ending in (self._waiting, self._sending, self._lingering):
            while (conn := next(iter(ending), None)) and conn.timeout <= now:
                self._unregister(conn)
                self._close(conn)

    def _make_room(self) -> None:
        """Close the connection that has been idle longest, preferably one that has sent no
        request."""
        states = (self._waiting, self._lingering, self._arriving, self._sending)
        silent = (conn for conn in self._waiting if conn.parser is None)
        if conn := next(chain(silent, *states), None):
            self._give_up(conn)

    def _give_up(self, conn: Connection) -> None:
        if self._metrics is not None:
            self._metrics.connection_given_up()
        self._unregister(conn)
        self._close(conn)

    def _keep(self, conn: Connection) -> None:
        """Count the bytes in memory for a connection.

        While all connections together have too many bytes, refuse or close the largest connection
        that no thread is answering.
        """
        now = len(conn.arrival.data) + len(conn.sock.unsent)
        self._held += now - conn.held
        conn.held = now
        while self._held > self._most_held:
            waiting = (*self._arriving, *self._sending)
            largest = max(waiting, key=lambda each: each.held, default=None)
            if largest is None:
                return
            if largest in self._arriving:
                self._refuse(largest, self._too_much())
            else:
                self._give_up(largest)

    def _too_much(self) -> RequestProblem:
        return RequestProblem(OVERLOADED, _TOO_MUCH, headers={"Retry-After": "1"})

    def _refuse(self, conn: Connection, problem: RequestProblem) -> None:
        """Refuse a request that no thread has yet."""
        if conn in self._arriving:
            self._unregister(conn)
            del self._arriving[conn]
        data = bytes(conn.arrival.data)
        conn.arrival.data.clear()
        self._answer_problem(problem, conn, data)
        conn.keeps_alive = False
        conn.timeout = time.monotonic() + SEND_S
        self._send(conn)

    def _register(
        self, conn: Connection, event: int, callback: Callable[[Connection], None]
    ) -> None:
        """Call `callback` at the event, if the connection still waits for this event.

        The poller returns several events together, and an earlier callback may have closed the
        connection.
        """
        conn.registration = registration = object()

        def on_event(_: socket.socket) -> None:
            if conn.registration is registration:
                callback(conn)

        self.poller.register(conn.sock, event, on_event)

    def _unregister(self, conn: Connection) -> None:
        conn.registration = None
        self.poller.unregister(conn.sock)

    def _close(self, conn: Connection) -> None:
        for state in (self._waiting, self._arriving, self._sending, self._lingering):
            state.pop(conn, None)
        self._held -= conn.held
        self.nr_conns -= 1
        conn.sock.close()

    def _answer_problem(
        self, problem: RequestProblem, conn: Connection, data: bytes, error: Exception | None = None
    ) -> None:
        request_id, answer = refusals.answer(problem, data, self._origins)
        peer = conn.client[0] if isinstance(conn.client, tuple) else ""
        reason = problem.kind.name if error is None else type(error).__name__
        if problem.kind.status == 500:  # the application has already counted this request
            self.log.exception("request %s from %s", request_id, peer)
        elif self._middleware is not None:
            method, path = refusals.target_of(data)
            record = RequestRecord(request_id, time.monotonic())
            self._middleware.note(record, method, path, peer, problem.kind.status)
            self.log.debug("request %s from %s refused: %s", request_id, peer, reason)
        try:
            conn.sock.sendall(answer)
        except OSError:  # the client has left
            self.log.debug("request %s: nobody to answer", request_id)
