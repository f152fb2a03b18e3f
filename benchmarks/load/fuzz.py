"""100,000 requests, a tenth of them malformed byte by byte: no 5xx but 503, and memory stays flat.

python -m benchmarks.load.fuzz --requests 100000
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from benchmarks.load.report import Report
from tests.support.connection import LOOPBACK, Connection, encode
from tests.support.crowd import Crowd
from tests.support.positions import large
from tests.support.questions import Mix, Only, best_move
from tests.support.replicas import Replica, replica

CLIENTS = 8
MALFORMED = 0.1
GROWTH_BYTES = 8 * 2**20
"""A worker's resident memory may grow by this much between the first fifth and the end."""

_HEADERS = (
    b"Content-Length: 99999999999999999999",
    b"Content-Length: -1",
    b"Content-Length: 5\r\nContent-Length: 6",
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: chunked\r\nContent-Length: 3",
    b"Transfer-Encoding: gzip",
    b"Expect: 100-continue",
    b"Expect: miracles",
    b"Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
    b"Host: \xff\xfe",
    b'X-Request-ID: "><script>',
    b"Accept: \xc3\x28;q=nan",
    b"Accept: " + b"a/b;q=0.1," * 300,
    b'If-None-Match: """',
    b"Content-Type: application/json; charset=utf-16",
    b"Content-Encoding: gzip",
    b"Range: bytes=0-0",
    b"Cookie: " + b"a" * 8000,
    b" folded: header",
    b"No colon here",
    b"X: " + b"y" * 9000,
)
_JSON = (
    b"[" * 1100,
    b'{"board":' * 500,
    b'{"board": NaN}',
    b'{"board": 1e999}',
    b'{"board": "X", "board": "O"}',
    b'{"board": "\\ud800"}',
    b'{"board": "X...O....", "k": ' + b"9" * 5000 + b"}",
    b'{"board": "X...O....", "time_ms": 1e400}',
    b'\xef\xbb\xbf{"board": "X...O...."}',
    b'{"board": "X...O....\\u0000"}',
    b'{"board": [[[[[[]]]]]]}',
    b'{"board": {"__class__": "str"}}',
    b'{"board": "' + b"." * 200_000 + b'"}',
    b'{"tree": ' + b"[" * 150 + b"1" + b"]" * 150 + b"}",
    b"\x00\x01\x02\x03",
    b'"X...O...."',
    b"",
)
_METHODS = (b"GET", b"POST", b"HEAD", b"PUT", b"OPTIONS", b"BREW", b"get", b"")
_PATHS = (
    b"/best-move",
    b"/best-move?board=%00",
    b"/best-move?board=%ff%fe",
    b"/best-move?board=X...O....&board=X...O....",
    b"/best-move?%5B%5D=1",
    b"/analyze",
    b"/play",
    b"/best-moves",
    b"/game-tree",
    b"//best-move",
    b"/../../etc/passwd",
    b"/docs/../../etc/passwd",
    b"/docs/%2e%2e/%2e%2e/etc/passwd",
    b"/static/%00",
    b"*",
    b"http://[::1/",
    b"/" + b"a" * 5000,
    b"/\xc3\xa9",
)


def malformed(chooser: random.Random, pool: list[bytes]) -> bytes:
    """A request that is damaged in one of many ways; some happen to be in order all the same."""
    kind = chooser.randrange(8)
    request = bytearray(chooser.choice(pool))
    if kind == 0:
        return chooser.randbytes(chooser.randrange(1, 2000))
    if kind == 1:
        for _ in range(chooser.randrange(1, 8)):
            request[chooser.randrange(len(request))] = chooser.randrange(256)
        return bytes(request)
    if kind == 2:
        return bytes(request[: chooser.randrange(1, len(request))])
    if kind == 3:
        at = chooser.randrange(len(request))
        return bytes(request[:at]) + chooser.randbytes(chooser.randrange(1, 300)) + request[at:]
    if kind == 4:
        line, _, rest = bytes(request).partition(b"\r\n")
        return line + b"\r\n" + chooser.choice(_HEADERS) + b"\r\n" + rest
    if kind == 5:
        body = chooser.choice(_JSON)
        path = chooser.choice(["/best-move", "/analyze", "/play", "/best-moves", "/game-tree"])
        return encode(path, body)
    if kind == 6:
        method = chooser.choice(_METHODS)
        return method + b" " + chooser.choice(_PATHS) + b" HTTP/1.1\r\nHost: a\r\n\r\n"
    fields: dict[str, object] = {
        "board": chooser.choice(["X...O....", "X" * 400, None, 3, [[1]], "Ж" * 9, "X/O/", {}]),
        chooser.choice(["k", "level", "time_ms", "depth", "seed", "rows"]): chooser.choice(
            [0, -1, 2**70, 1.5, True, "3", None, [], 10]
        ),
        chooser.choice(["first", "algorithm", "columns", "é", ""]): chooser.choice(
            ["X", "minimax", 19, None, "x" * 3000]
        ),
    }
    return encode("/best-move", json.dumps(fields).encode())


def exchange(port: int, request: bytes) -> bytes:
    """All that comes back when these bytes are all that is sent."""
    received = b""
    with socket.create_connection((LOOPBACK, port), 15) as opened:
        try:
            opened.sendall(request)
            opened.shutdown(socket.SHUT_WR)
            while more := opened.recv(65536):
                received += more
        except OSError:
            pass  # it may hang up on bytes that make no sense
    return received


class Fuzzers:
    """Clients that ask in order most of the time, and out of order one time in ten."""

    def __init__(self, port: int, total: int, seed: int) -> None:
        self.statuses: Counter[int] = Counter()
        self.damaged: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.done = 0
        self._port, self._total = port, total
        self._lock = threading.Lock()
        mix = Mix(seed, time_ms=20, searches=0.005)
        self._pool = mix.requests
        self._threads = [
            threading.Thread(target=self._run, args=(seed * 1000 + number,), daemon=True)
            for number in range(CLIENTS)
        ]
        for thread in self._threads:
            thread.start()

    def wait(self) -> None:
        """Until all is asked."""
        for thread in self._threads:
            thread.join()

    def _run(self, seed: int) -> None:
        chooser = random.Random(seed)
        statuses: Counter[int] = Counter()
        damaged: Counter[str] = Counter()
        wrong: list[str] = []
        with Connection(self._port) as connection:
            for _ in range(self._total // CLIENTS):
                if chooser.random() < MALFORMED:
                    request = malformed(chooser, self._pool)
                    status, problem = judged(exchange(self._port, request))
                    damaged[status] += 1
                else:
                    request = chooser.choice(self._pool)
                    try:
                        answer = connection.send(request)
                        statuses[answer.status] += 1
                        problem = Mix.check(answer)
                    except OSError as error:
                        problem = f"{type(error).__name__}: {error}"
                if problem:
                    wrong.append(f"{problem} to {request[:300]!r}")
                self.done += 1
        with self._lock:
            self.statuses += statuses
            self.damaged += damaged
            self.wrong += wrong


def judged(received: bytes) -> tuple[str, str | None]:
    """The statuses of what came back, in one word, and what is wrong with it."""
    if not received:
        return "closed", None
    status = received[9:12].decode("latin-1")
    if not received.startswith(b"HTTP/1.") or not status.isdigit():
        return "?", f"no answer of HTTP: {received[:200]!r}"
    if b"Traceback" in received or b'File "/' in received:
        return status, f"a traceback: {received[-500:]!r}"
    if int(status) >= 500 and status != "503":
        return status, f"status {status}: {received[:300]!r}"
    return status, None


def fuzz(service: Replica, total: int, seed: int = 1) -> Report:
    """That many requests; memory is compared after a fifth of them and at the end."""
    workers = service.workers
    # A worker takes memory for its tables with its first search: have that behind.
    boards = random.Random(seed)
    searches = Only([best_move(large(boards), time_ms=50) for _ in range(50)])
    Crowd(service.port, searches, size=CLIENTS, seconds=2).start().wait()
    fuzzers = Fuzzers(service.port, total, seed)
    while fuzzers.done < total // 5:
        time.sleep(0.05)
    early = service.resident()
    fuzzers.wait()
    late = service.resident()
    growth = [after - before for before, after in zip(early, late, strict=True)]
    with Connection(service.port) as connection:
        alive = connection.get("/healthz").status == 200
    log = service.log.read_text("utf-8", errors="replace")
    report = Report(f"{total} requests, a tenth of them malformed")
    report.figures = {
        "in order": dict(sorted(fuzzers.statuses.items())),
        "malformed": dict(sorted(fuzzers.damaged.items())),
        "resident after a fifth (MB)": [round(size / 1e6, 1) for size in early],
        "growth to the end (MB)": [round(size / 1e6, 1) for size in growth],
        "tracebacks in the log": log.count("Traceback"),
    }
    report.require(not fuzzers.wrong, f"{len(fuzzers.wrong)} wrong: {fuzzers.wrong[:3]}")
    report.require(service.workers == workers, "a worker died")
    report.require(max(growth) <= GROWTH_BYTES, f"memory grew by {max(growth)} bytes")
    report.require(alive, "it does not answer any more")
    report.require("Traceback" not in log, "there are tracebacks in the log")
    return report


def main() -> int:
    """Run it in full."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        replica(Path(folder), workers=2, log_level="warning") as service,
    ):
        report = fuzz(service, given.requests, given.seed)
    print(report)
    print(f"in {time.monotonic() - started:.0f} s")
    return 1 if report.broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
