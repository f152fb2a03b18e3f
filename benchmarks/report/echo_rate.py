"""Requests per second over loopback: the service against a bare Flask view.

    python -m benchmarks.report.echo_rate

Both servers run side by side under the same gunicorn configuration; rounds alternate between
them, so that whatever else the machine does hits both alike, and medians are compared.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from statistics import median

from tests.support import oracle
from tests.support.servers import free_port

CONNECTIONS = 4
ROUNDS = 15
SECONDS = 1.0
TIMES = 10
"""Requests for each position: 45,200 in all, more than a round sends."""


@dataclass(frozen=True)
class Load:
    """One kind of request.

    Attributes:
        requests: whole HTTP requests, sent in turn.
    """

    name: str
    requests: tuple[bytes, ...]


def post(path: str, body: object) -> bytes:
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


def get(path: str, **headers: str) -> bytes:
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode()


def open_positions() -> list[str]:
    """Every 3×3 position in which a game can be going on, shuffled but always alike."""
    found: set[str] = set()
    todo = ["." * 9]
    while todo:
        text = todo.pop()
        if text in found or oracle.winners(oracle.cells_of(text, 3), 3) or "." not in text:
            continue
        found.add(text)
        mover = "X" if text.count("X") == text.count("O") else "O"
        todo += [text[:at] + mover + text[at + 1 :] for at in range(9) if text[at] == "."]
    positions = sorted(found)
    random.Random(3).shuffle(positions)
    return positions


def different_posts() -> tuple[bytes, ...]:
    """Requests of which no two are alike: a seed of its own for each, several for a position."""
    positions = open_positions() * TIMES
    return tuple(
        post("/best-move", {"board": board, "seed": seed}) for seed, board in enumerate(positions)
    )


@contextmanager
def server(app: str | None = None, **settings: str) -> Iterator[int]:
    """A gunicorn with the service's configuration; gives its port once it answers."""
    port = free_port()
    environment = os.environ | {"BESTMOVE_PORT": str(port), "BESTMOVE_LOG_FORMAT": "json"}
    environment.pop("PROMETHEUS_MULTIPROC_DIR", None)
    environment |= {f"BESTMOVE_{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "-m", "gunicorn", "-c", "python:bestmove.gunicorn_conf"]
    process = subprocess.Popen(
        command + ([app] if app else []),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 20
        while True:
            try:
                exchange(port, get("/healthz"))
                break
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise
                time.sleep(0.02)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(40)


def exchange(port: int, request: bytes) -> bytes:
    """One request on a connection of its own; the answer's body."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sock:
        sock.sendall(request)
        return read_answer(sock)[1]


def read_answer(sock: socket.socket) -> tuple[int, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = sock.recv(65536)
        if not chunk:
            raise ConnectionError("closed before an answer")
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    lowered = head.lower()
    at = lowered.find(b"content-length:")
    length = int(lowered[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    while len(body) < length:
        chunk = sock.recv(1 << 20)
        if not chunk:
            raise ConnectionError("closed within an answer")
        body += chunk
    return int(head[9:12]), body


def _client(
    port: int,
    requests: tuple[bytes, ...],
    seconds: float,
    seed: int,
    out: "multiprocessing.Queue[list[float]]",  # noqa: UP037
) -> None:
    offset = random.Random(seed).randrange(len(requests))
    ring = cycle(requests[offset:] + requests[:offset])
    times = []
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        end = time.perf_counter() + seconds
        began = time.perf_counter()
        while began < end:
            sock.sendall(next(ring))
            status, _ = read_answer(sock)
            now = time.perf_counter()
            if status not in (200, 304):
                raise AssertionError(f"status {status}")
            times.append(now - began)
            began = now
    out.put(times)


def measure(port: int, load: Load, connections: int, seconds: float) -> tuple[float, list[float]]:
    """(requests per second, every latency in seconds)."""
    context = multiprocessing.get_context("fork")
    out: multiprocessing.Queue[list[float]] = context.Queue()
    clients = [
        context.Process(target=_client, args=(port, load.requests, seconds, seed, out))
        for seed in range(connections)
    ]
    for client in clients:
        client.start()
    times = sorted(latency for _ in clients for latency in out.get(timeout=seconds + 60))
    for client in clients:
        client.join()
    return len(times) / seconds, times


def compare(load: Load, connections: int, rounds: int, seconds: float, **settings: str) -> float:
    """Print both sides and return the ratio of the medians, the service's to the bare view's."""
    rates: dict[str, list[float]] = {"service": [], "bare Flask": []}
    slowest: dict[str, list[float]] = {"service": [], "bare Flask": []}
    with server(**settings) as ours, server("benchmarks.peers.bare:app", **settings) as bare:
        ports = {"service": ours, "bare Flask": bare}
        for port in ports.values():
            measure(port, load, connections, seconds)  # warm up
        for number in range(rounds):
            order = list(ports.items())
            for name, port in order if number % 2 else reversed(order):
                rate, times = measure(port, load, connections, seconds)
                rates[name].append(rate)
                slowest[name].append(times[int(len(times) * 0.99)])
    for name in rates:
        print(
            f"{load.name}: {name:10}  {median(rates[name]):8.0f} requests/s"
            f"   p99 {median(slowest[name]) * 1000:6.2f} ms"
        )
    ratio = median(rates["service"]) / median(rates["bare Flask"])
    print(f"{load.name}: ratio {ratio:.3f}")
    return ratio


def batch_against_singles(**settings: str) -> float:
    """Print and return the cost of a batch of 1,000 boards in single requests' cost (of 1,000)."""
    boards = open_positions()[:1000]
    batch = post("/best-moves", {"boards": boards})
    singles = [post("/best-move", {"board": board}) for board in boards]
    batches, alone = [], []
    with server(**settings) as port, socket.create_connection(("127.0.0.1", port)) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(6):
            began = time.perf_counter()
            sock.sendall(batch)
            status, body = read_answer(sock)
            batches.append(time.perf_counter() - began)
            assert status == 200
            assert len(json.loads(body)["results"]) == len(boards)
            began = time.perf_counter()
            for single in singles:
                sock.sendall(single)
                read_answer(sock)
            alone.append(time.perf_counter() - began)
    share = median(batches[1:]) / median(alone[1:])
    print(
        f"batch of 1,000: {median(batches[1:]) * 1000:.1f} ms, 1,000 singles "
        f"{median(alone[1:]) * 1000:.0f} ms: 1/{1 / share:.0f}"
    )
    return share


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--workers", default="1")
    options = parser.parse_args()
    posts = Load("3×3 POST, all different", different_posts())
    compare(posts, options.connections, options.rounds, options.seconds, workers=options.workers)
    batch_against_singles(workers=options.workers)


if __name__ == "__main__":
    main()
