"""A worker that gets more connections than it has file descriptors."""

import os
import resource
import socket
import time

import pytest

from tests.support.replicas import children, processor_seconds, wait_until_idle
from tests.support.servers import running_process
from tests.support.sockets import connected, get, metric, post, read_until

ASK = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
FEW = 256
SILENT = 260


def ask(*socks: socket.socket) -> None:
    for sock in socks:
        sock.sendall(ASK)
    for sock in socks:
        read_until(sock, b'"ok"}')


def is_open(sock: socket.socket) -> bool:
    sock.setblocking(False)
    try:
        return bool(sock.recv(1))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    finally:
        sock.settimeout(60)


def test_silent_connections_are_closed_for_others_and_for_the_workers_own_files() -> None:
    with running_process(open_files=FEW) as (master, url):
        (worker,) = children(master.pid)
        kept = [connected(url) for _ in range(20)]
        ask(*kept)
        silent = [connected(url) for _ in range(SILENT)]
        for path in ("/healthz", "/readyz", "/static/base.css", "/docs", "/metrics", "/games"):
            assert get(f"{url}{path}")
        assert post(url, "/best-move", {"board": "X...O...."}) == 200
        ask(*kept)  # connections that have sent a request are still open
        still = [sock for sock in silent if is_open(sock)]
        assert len(still) > FEW / 2
        ask(*still[-100:])
        assert metric(url, "bestmove_connections_given_up_total") >= SILENT - FEW
        assert children(master.pid) == [worker]
        for sock in kept + silent:
            sock.close()


@pytest.mark.slow
def test_a_worker_that_can_open_nothing_more_keeps_working() -> None:
    with running_process() as (master, url):
        (worker,) = children(master.pid)
        old = []
        for _ in range(8):
            old.append(connected(url))
            ask(old[-1])
            wait_until_idle(worker)
        get(f"{url}/metrics")
        wait_until_idle(worker)
        allowed = resource.prlimit(worker, resource.RLIMIT_NOFILE)
        used = [int(name) for name in os.listdir(f"/proc/{worker}/fd")]
        resource.prlimit(worker, resource.RLIMIT_NOFILE, (max(used) + 1, allowed[1]))
        new = [connected(url, ASK) for _ in range(4)]
        before = processor_seconds(worker)
        for sock in new:
            read_until(sock, b'"ok"}')  # for each new connection the worker closes an old one
        are_open = [is_open(sock) for sock in old]
        assert are_open == sorted(are_open)
        assert are_open[4:] == [True] * 4
        ask(*old[4:], *new)
        resource.prlimit(worker, resource.RLIMIT_NOFILE, (1, allowed[1]))
        waiting = connected(url, ASK)
        time.sleep(3)
        assert processor_seconds(worker) - before < 1.5
        resource.prlimit(worker, resource.RLIMIT_NOFILE, allowed)
        read_until(waiting, b'"ok"}')
        assert children(master.pid) == [worker]
        for sock in [*old, *new, waiting]:
            sock.close()
