"""What the worker refuses: requests that gunicorn cannot read or that it has no room for."""

import errno
import logging
import math
import selectors
import socket
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http import errors as http  # type: ignore[import-untyped]

from bestmove.api.middleware import Origins
from bestmove.api.problems import REQUEST_TIMEOUT, Problem
from bestmove.server import worker as worker_module
from bestmove.server.arrivals import Connection, PatientSocket
from bestmove.server.refusals import problem_of
from bestmove.server.worker import Worker
from tests.support.connection import encode


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (http.LimitRequestLine(9000, 8190), 414),
        (http.LimitRequestHeaders("too many"), 431),
        (http.UnsupportedTransferCoding("gzip"), 501),
        (http.ExpectationFailed("200-ok"), 417),
        (http.InvalidRequestLine("GET"), 400),
        (http.InvalidHeader("no colon"), 400),
        (http.InvalidResponseHeader("ours"), 500),
        (http.InvalidResponseHeaderName("ours"), 500),
        (RuntimeError("ours"), 500),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_a_fault_of_the_client_is_told_by_its_status_and_ours_is_500(
    error: Exception, status: int
) -> None:
    assert problem_of(error).kind.status == status


def worker_with(**state: Any) -> Worker:
    """A worker that is not running, with ten connections, none of which is in its collections."""
    worker = Worker.__new__(Worker)
    worker.__dict__.update(
        _arriving={},
        _sending={},
        _lingering={},
        _held=0,
        _origins=Origins(()),
        _metrics=None,
        _streams_until=math.inf,
        alive=True,
        cfg=Config(),
        keepalived_conns=[],
        log=logging.getLogger(__name__),
        nr_conns=10,
        poller=selectors.DefaultSelector(),
        **state,
    )
    return worker


def test_whole_requests_past_the_bound_are_refused_and_probes_are_not() -> None:
    handed_over: list[Connection] = []
    worker = worker_with(_most_held=200_000, enqueue_req=handed_over.append)
    large, probe = encode("/game-tree", b"[" * 60_000), encode("/healthz")
    answers = []
    sockets: list[socket.socket] = []
    for request in (large, large, large, probe, large, large[:-1], probe):
        client, server = socket.socketpair()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**20)
        client.setblocking(False)
        client.sendall(request)
        conn = Connection(PatientSocket(server), ("", 0), ("", 0), worker.cfg, 2**20)
        sockets += (client, conn.sock)
        worker._receive(conn)
        try:
            answers.append(client.recv(9999).decode())
        except BlockingIOError:
            answers.append("")
        assert worker._held <= 200_000 + len(probe) * 2
    assert [len(conn.arrival.data) for conn in handed_over] == [
        len(request) for request in (large, large, large, probe, probe)
    ]
    assert [bool(answer) for answer in answers] == [False] * 4 + [True] * 2 + [False]
    assert all(
        "503 Service Unavailable" in answer
        and "Retry-After: 1" in answer
        and "application/problem+json" in answer
        for answer in answers[4:6]
    )
    for sock in sockets:
        sock.close()
    worker.poller.close()


def test_a_client_that_does_not_read_is_closed_when_its_time_is_up_also_after_a_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = worker_with(_most_held=2**30)
    conns = []
    for _ in range(2):
        client, server = socket.socketpair()
        conn = Connection(PatientSocket(server), ("", 0), ("", 0), worker.cfg, 2**20)
        conn.sock.unsent += b"a part of an answer" * 2**18
        conns.append((conn, client))
    (answered, _), (refused, _) = conns
    is_followed: Future[bool] = Future()
    is_followed.set_result(True)
    worker.finish_request(answered, is_followed)
    worker._refuse(refused, Problem(REQUEST_TIMEOUT, "too slow"))
    assert list(worker._sending) == [answered, refused]
    monkeypatch.setattr(worker_module, "time", Mock(monotonic=lambda: refused.timeout))
    worker.murder_pending()
    assert refused not in worker._sending
    for conn, client in conns:
        conn.close()
        client.close()
    worker.poller.close()


@pytest.mark.parametrize("code", [errno.ECONNRESET, errno.ETIMEDOUT, errno.EHOSTUNREACH])
def test_however_a_client_is_lost_after_its_last_answer_its_connection_is_closed(code: int) -> None:
    conn: Any = Mock(held=7)
    state = {"_arriving": {}, "_sending": {}, "_lingering": {conn: None}, "_held": 10}
    worker: Any = SimpleNamespace(**state, nr_conns=1, poller=Mock())
    worker._close = lambda conn: Worker._close(worker, conn)
    lost = Mock(recv=Mock(side_effect=OSError(code, "lost")))
    Worker._on_lingering(worker, conn, lost)
    worker.poller.unregister.assert_called_once_with(lost)
    conn.close.assert_called_once_with()
    assert (worker._lingering, worker._held, worker.nr_conns) == ({}, 3, 0)
