"""The worker refuses requests for which it has no room, and closes lost connections."""

import errno
import logging
import selectors
import socket
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http import errors as http  # type: ignore[import-untyped]

from bestmove.api.middleware import Origins
from bestmove.server.arrivals import Connection, PatientSocket
from bestmove.server.refusals import problem_of
from bestmove.server.worker import Worker
from tests.support.connection import encode


@pytest.mark.parametrize(
    "error", [http.InvalidResponseHeader, http.InvalidResponseHeaderName, RuntimeError]
)
def test_a_fault_of_the_service_is_500(error: type[Exception]) -> None:
    assert problem_of(error("ours")).kind.status == 500


def test_complete_requests_past_the_bound_are_refused_and_probes_are_not() -> None:
    handed_over: list[Connection] = []
    worker = Worker.__new__(Worker)
    worker.__dict__.update(
        _arriving={},
        _sending={},
        _lingering={},
        _held=0,
        _most_held=200_000,
        _origins=Origins(()),
        _metrics=None,
        alive=True,
        cfg=Config(),
        enqueue_req=handed_over.append,
        keepalived_conns=[],
        log=logging.getLogger(__name__),
        nr_conns=10,
        poller=selectors.DefaultSelector(),
    )
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


@pytest.mark.parametrize("code", [errno.ECONNRESET, errno.ETIMEDOUT, errno.EHOSTUNREACH])
def test_the_connection_of_a_client_lost_after_its_last_answer_is_closed(code: int) -> None:
    conn: Any = Mock(held=7)
    state = {"_arriving": {}, "_sending": {}, "_lingering": {conn: None}, "_held": 10}
    worker: Any = SimpleNamespace(**state, nr_conns=1, poller=Mock())
    worker._close = lambda conn: Worker._close(worker, conn)
    lost = Mock(recv=Mock(side_effect=OSError(code, "lost")))
    Worker._on_lingering(worker, conn, lost)
    worker.poller.unregister.assert_called_once_with(lost)
    conn.close.assert_called_once_with()
    assert (worker._lingering, worker._held, worker.nr_conns) == ({}, 3, 0)
