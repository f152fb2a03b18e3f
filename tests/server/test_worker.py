"""The worker refuses requests for which it has no room, and closes lost connections."""

import errno
import json
import logging
import selectors
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http import errors as http  # type: ignore[import-untyped]

from bestmove.api.problems import REQUEST_TIMEOUT, RequestProblem
from bestmove.api.settings import Settings
from bestmove.server import worker as worker_module
from bestmove.server.arrivals import Connection, PatientSocket
from bestmove.server.refusals import problem_of
from bestmove.server.worker import Worker
from tests.support.connection import encode
from tests.support.replicas import replica
from tests.support.sockets import connected, get, read_until


@pytest.mark.parametrize(
    "error", [http.InvalidResponseHeader, http.InvalidResponseHeaderName, RuntimeError]
)
def test_a_fault_of_the_service_is_500(error: type[Exception]) -> None:
    assert problem_of(error("ours")).kind.status == 500


WorkerWith = Callable[..., Any]


@pytest.fixture
def worker_with() -> Iterator[WorkerWith]:
    """Make workers that do not run. They count ten connections, but have none."""
    poller = selectors.DefaultSelector()

    def made(most: int = 1000, **state: Any) -> Worker:
        worker = Worker.__new__(Worker)
        worker.prepare(Settings())
        given = {
            "_most_held": 200_000,
            "_metrics": None,
            "_middleware": None,
            "alive": True,
            "cfg": Config(),
            "log": logging.getLogger(__name__),
            "nr_conns": 10,
            "poller": poller,
        }
        worker.__dict__.update(given | state)
        worker.cfg.set("worker_connections", most)
        return worker

    yield made
    poller.close()


Connect = Callable[[Worker], tuple[Connection, socket.socket]]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Make connections: the worker's side, and the client's socket."""
    with ExitStack() as opened:

        def made(worker: Worker) -> tuple[Connection, socket.socket]:
            client, server = socket.socketpair()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**20)
            client.settimeout(60)
            sock = opened.enter_context(PatientSocket(server))
            opened.enter_context(client)
            return Connection(sock, ("", 0), ("", 0), worker.cfg, 2**20), client

        yield made


def test_past_the_bound_probes_are_answered(worker_with: WorkerWith, connect: Connect) -> None:
    handed_over: list[Connection] = []
    answered: list[bytes] = []

    def handle(conn: Connection) -> bool:
        answered.append(conn.arrival.take())
        return True

    worker = worker_with(enqueue_req=handed_over.append, handle=handle)
    large, probe = encode("/game-tree", b"[" * 60_000), encode("/healthz")
    answers = []
    for request in (large, large, large, probe, large, large[:-1], probe, probe * 3):
        conn, client = connect(worker)
        client.sendall(request)
        worker._receive(conn)
        client.setblocking(False)
        try:
            answers.append(client.recv(9999).decode())
        except BlockingIOError:
            answers.append("")
        assert worker._held <= 200_000 + len(probe) * 3
    assert [len(conn.arrival.data) for conn in handed_over] == [
        len(request) for request in (large, large, large, probe * 3)
    ]
    assert answered == [probe, probe]
    assert [bool(answer) for answer in answers] == [False] * 4 + [True] * 2 + [False] * 2
    for line in ("503 Service Unavailable", "Retry-After: 1", "application/problem+json"):
        assert all(line in answer for answer in answers[4:6])


@pytest.mark.parametrize("begun", [b"", b"GET /heal"], ids=["idle", "arriving"])
def test_a_full_worker_closes_a_connection_as_soon_as_it_is_with_no_thread(
    worker_with: WorkerWith, connect: Connect, begun: bytes
) -> None:
    worker = worker_with(most=10)
    conn, client = connect(worker)
    conn.arrival.add(begun)
    worker._wait(conn)
    assert client.recv(1) == b""
    assert worker.nr_conns == 9
    assert (worker._waiting, worker._arriving, worker._held) == ({}, {}, 0)


def test_events_of_closed_connections_do_nothing(worker_with: WorkerWith, connect: Connect) -> None:
    worker = worker_with(most=10, nr_conns=9)
    for _ in range(3):
        conn, client = connect(worker)
        worker._wait(conn)
        client.sendall(b"GET /heal")
    worker.nr_conns = 10
    # The worker is full, so the first event closes another connection.
    worker.wait_for_and_dispatch_events(60)
    assert worker.nr_conns == 9
    assert len(worker._arriving) == 2
    assert not worker._waiting


def test_a_client_that_does_not_read_is_closed_when_its_time_is_up_also_after_a_refusal(
    worker_with: WorkerWith, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = worker_with(_most_held=2**30)
    answered, refused = connect(worker)[0], connect(worker)[0]
    for conn in (answered, refused):
        conn.sock.unsent += b"a part of an answer" * 2**18
    is_followed: Future[bool] = Future()
    is_followed.set_result(True)
    worker.finish_request(answered, is_followed)
    worker._refuse(refused, RequestProblem(REQUEST_TIMEOUT, "too slow"))
    assert list(worker._sending) == [answered, refused]
    monkeypatch.setattr(worker_module, "time", Mock(monotonic=lambda: refused.timeout))
    worker.murder_pending()
    assert refused not in worker._sending


@pytest.mark.parametrize("code", [errno.ECONNRESET, errno.ETIMEDOUT, errno.EHOSTUNREACH])
def test_a_client_lost_after_its_last_answer_is_closed(worker_with: WorkerWith, code: int) -> None:
    conn: Any = Mock(held=7)
    worker = worker_with(_lingering={conn: None}, _held=10, nr_conns=1, _unregister=Mock())
    conn.sock.recv.side_effect = OSError(code, "lost")
    worker._on_lingering(conn)
    worker._unregister.assert_called_once_with(conn)
    conn.sock.close.assert_called_once_with()
    assert (worker._lingering, worker._held, worker.nr_conns) == ({}, 3, 0)


REFUSED = {
    b"GET /games?a=" + b"b" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n": ("GET", "/games", 414),
    b"POST /best-move HTTP/1.1\r\n" + b"a: b\r\n" * 80 + b"\r\n": ("POST", "/best-move", 431),
    b"GET /games HTTP/1.1\r\nHost: a\r\nExpect: much\r\n\r\n": ("GET", "/games", 417),
    b"\x16\x03\x01\x00 nothing\r\n\r\n": ("other", "unmatched", 400),
}


def test_what_the_server_refuses_is_counted_and_logged_like_every_answer(tmp_path: Path) -> None:
    with replica(tmp_path, log_format="json", log_level="info") as service:
        url = f"http://127.0.0.1:{service.port}"
        for data, (_, _, status) in REFUSED.items():
            with connected(url, data) as sock:
                assert f" {status} ".encode() in read_until(sock, b"\r\n")
        samples = get(f"{url}/metrics")
        lines = [json.loads(line) for line in service.log.read_text().splitlines() if "ms" in line]
    for method, route, status in REFUSED.values():
        counted = f'requests_total{{method="{method}",route="{route}",status="{status}"}} 1.0'
        assert counted in samples
        assert [line["route"] for line in lines if line.get("status") == status] == [route]
