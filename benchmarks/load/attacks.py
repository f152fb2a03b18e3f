"""Can one client stop a service that has no nginx in front of it, and may its workers be killed,
reloaded and stopped under full load? Attacks the service while other clients send probes and
look-ups.

python -m benchmarks.load.attacks --seconds 30
python -m benchmarks.load.attacks --seconds 3600 --only bred

With `--only bred`, only the attack "bred requests" runs. At the end, a table is printed.
"""

import contextlib
import json
import os
import random
import re
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.load.beside import beside, gauge
from benchmarks.load.overload import CROWD, overload
from benchmarks.load.report import Report, service
from benchmarks.load.restarts import restarts, stop
from benchmarks.load.sweep import Breeder
from benchmarks.options import asked
from tests.support.connection import LOOPBACK, Answer, Connection, encode
from tests.support.crowd import Ask, Crowd
from tests.support.positions import OPEN_15, random_board
from tests.support.questions import Only
from tests.support.replicas import Replica

ATTACKERS = 24
MANY = 300
"""How many clients send requests at once: more than the service has threads."""

SLOW_CLIENTS = 64
COMMAND = (sys.executable, "-m", "bestmove", "serve")
FEW_DESCRIPTORS = 256
SILENT_CLIENTS = 260
KEPT_CLIENTS = 8
CLOSED_SHARE = 0.1
"""The share of probes that may get no answer. If busy clients use all descriptors, the worker may
close new connections that have sent nothing yet."""

STRIPES = "OOOXOXXXOXXXOOXXOXOO"
"""Each letter fills a row of 20 cells. If exactly 8 in a row win, such a board is expensive to
validate."""

LARGE: Sequence[tuple[str, tuple[int, int, int], int, dict[str, object]]] = (
    ("/analyze", (20, 20, 20), 100, {}),  # each of 300 moves has a line of 300 cells
    ("/analyze", (15, 15, 5), 40, {}),
    ("/best-move", (20, 20, 5), 60, {}),
    ("/analyze", (8, 8, 4), 4, {}),
    ("/analyze", (8, 7, 4), 4, {"gravity": True}),
    ("/analyze", (20, 20, 5), 10, {"misere": True}),
    ("/proof", (6, 6, 4), 3, {}),
    ("/proof", (20, 20, 10), 200, {"misere": True}),
    ("/best-move", (4, 4, 4), 4, {"algorithm": "memoized-alpha-beta"}),
)
"""Questions that take much memory, with every engine: path; rows, columns and k; random moves
before the question; other fields."""

GONE_AFTER = 0.5

PATIENCE = 30.0

CHUNKED = b"\r\nTransfer-Encoding: chunked\r\n\r\n"


def costly_batch(seed: int) -> bytes:
    chooser = random.Random(seed)
    boards = []
    for _ in range(1000):
        rows = chooser.sample(STRIPES, len(STRIPES))
        boards.append("/".join(mark * 20 for mark in rows))
    return encode("/best-moves", {"boards": boards, "k": 8, "overline": False, "time_ms": 10_000})


def tree(leaves: int, **options: str) -> bytes:
    body = {**options, "tree": [[1, 2]] * leaves}
    return encode("/game-tree", json.dumps(body, separators=(",", ":")).encode())


def bred(count: int, seed: int) -> tuple[bytes, ...]:
    breeder = Breeder(seed)
    requests = []
    for _ in range(count):
        request = breeder.changed(breeder.new())
        if request.method == "GET":
            requests.append(encode(f"{request.path}?{request.text()}"))
        else:
            requests.append(encode(request.path, request.text().encode()))
    return tuple(requests)


def large(count: int, seed: int) -> tuple[bytes, ...]:
    chooser = random.Random(seed)
    requests = []
    for _ in range(count):
        path, (rows, columns, k), plies, others = chooser.choice(LARGE)
        switches = {name: True for name, value in others.items() if value is True}
        board = random_board(chooser, rows, columns, k, plies, **switches)
        requests.append(encode(path, {"board": str(board), "k": k, "time_ms": 400, **others}))
    return tuple(requests)


def blanks() -> tuple[bytes, ...]:
    found = [encode("/best-move?board=.........", headers={"Accept": f"a/b{' ' * 8000}c"})]
    for name in ("Content-Length", "Expect", "Origin"):
        found.append(encode("/healthz", headers={name: f"{' ' * 60_000}\rx"}))
    return tuple(found)


MINIMAX = {"board": ".........", "algorithm": "minimax"}
"""A request whose search takes 0.8 s of processor time."""

BRED = bred(2000, 1)


def damaged(connection: Connection, number: int) -> Answer:
    """Send a request some of whose bytes are replaced, removed or inserted."""
    chooser = random.Random(number)
    request = bytearray(chooser.choice(BRED))
    for _ in range(chooser.randint(1, 3)):
        start = chooser.randint(0, len(request))
        new = chooser.randbytes(chooser.choice((0, 1, 1, 300)))
        request[start : start + chooser.choice((0, 1, 1, 300))] = new
    received = b""
    with (
        socket.create_connection((LOOPBACK, connection.port), 15) as opened,
        # The service may close the connection before it has read everything.
        contextlib.suppress(ConnectionError),
    ):
        opened.sendall(request)
        opened.shutdown(socket.SHUT_WR)
        while more := opened.recv(65536):
            received += more
    found = re.match(rb"HTTP/1\.[01] (\d{3}) ", received)
    # Without a response, the status is 0. Bytes that are not HTTP are as bad as an internal error.
    return Answer(int(found[1]) if found else 500 if received else 0, {}, received, 0)


FLOODS: dict[str, Ask] = {
    "textbook searches of 1 ms": Only([encode("/best-move", {**MINIMAX, "time_ms": 1})]),
    "textbook searches": Only([encode("/best-move", MINIMAX)]),
    # The first tree is valid, the second has far too many nodes.
    "trees": Only([tree(3300, algorithm="minimax"), tree(33_000)]),
    "batches": Only(
        [encode("/best-moves", {"boards": ["/".join(["." * 19] * 19)] * 1000, "k": 5})]
    ),
    "batches of faults": Only(
        [encode("/best-moves", {"boards": ["XX" + "." * 359] * 1000, "rows": 19})]
    ),
    "small trees": Only([tree(80)]),  # a little smaller than a tree that needs a slot
    "headers of blanks": Only(blanks()),
    "searches by GET": Only(
        [
            encode(f"/best-move?board={OPEN_15}&time_ms=5000"),
            encode("/analyze?game=connect-four&moves=4444427&time_ms=5000"),
            encode("/analyze?rows=20&columns=20&k=19&time_ms=5000"),
        ]
    ),
    "large searches": Only(large(500, 1)),
    "bred requests": Only(BRED),
    "damaged requests": damaged,
}


class Slow(NamedTuple):
    """A slow client: its connection, and the bytes that it sends one by one."""

    connection: socket.socket
    rest: bytes


def crawling(port: int, number: int) -> Slow:
    """Open the connection of a slow client, which sends its request slowly or does not read the
    answer."""
    connection = socket.create_connection((LOOPBACK, port), 5)
    request = encode("/best-move", {"board": "X...O....", "time_ms": 1000})
    head, _, body = request.partition(b"\r\n\r\n")
    match number % 4:
        case 0:
            return Slow(connection, request)
        case 1:
            connection.sendall(head + b"\r\n\r\n")
            return Slow(connection, body)
        case 2:
            connection.sendall(head.replace(b"Content-Length:", b"X-Length:") + CHUNKED)
            return Slow(connection, b"1\r\n{\r\n" * 1000)
        case _:
            connection.sendall(encode("/openapi.json") * 40)
            return Slow(connection, b"GET" * 1000)


def flood(
    service: Replica, name: str, seconds: float, late: float = 0.25, *, size: int = ATTACKERS
) -> Report:
    """Send one of `FLOODS` for `seconds`, from clients that do not pause between requests."""
    workers = service.workers
    attack = Crowd(service.port, FLOODS[name], size=size, timeout=60).start()
    what = f"{size} clients, {name}"
    report = beside(service, what, seconds, late, lookups_wait=size > ATTACKERS)
    tally = attack.stop()
    report.figures["attackers' answers"] = dict(tally.statuses)
    report.require(tally.answered > 0, "no attacker got an answer")
    report.require(not tally.failures, f"attackers got no answer: {tally.failures[:3]}")
    faults = {status for status in tally.statuses if status >= 500} - {503}
    report.require(not faults, f"internal errors: {faults}")
    report.require(service.workers == workers, "a worker ended")
    log = service.log.read_text("utf-8", errors="replace").splitlines()
    odd = [line for line in log if not line.startswith("{") or "Traceback" in line]
    report.require(not odd, f"the log has tracebacks or lines that are not JSON: {odd[:3]}")
    return report


def gone(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Send costly batches again and again, from clients that hang up."""
    requests = [costly_batch(number) for number in range(2)]
    ends = time.monotonic() + seconds
    waits: list[float] = []

    def attack() -> None:
        while time.monotonic() < ends:
            clients = [socket.create_connection((LOOPBACK, service.port), 5) for _ in requests]
            for client, request in zip(clients, requests, strict=True):
                client.sendall(request)
            time.sleep(GONE_AFTER)
            for client in clients:
                client.close()
            waits.append(_until_searched(service.port))

    attacker = threading.Thread(target=attack)
    attacker.start()
    report = beside(service, "2 batches whose clients hang up", seconds, late)
    attacker.join()
    report.figures["times that the clients hung up"] = len(waits)
    report.figures["until the next search is answered: worst (s)"] = f"{max(waits):.3f}"
    report.require(max(waits) <= 4 * late, "a search waited for batches whose clients were gone")
    return report


def _until_searched(port: int) -> float:
    started = time.monotonic()
    with Connection(port, timeout=PATIENCE) as connection:
        body = {"board": OPEN_15, "time_ms": 100}
        while connection.post("/best-move", body).status != 200:
            if time.monotonic() > started + PATIENCE:
                break
            time.sleep(0.02)
    return time.monotonic() - started


def drip(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Send one byte a second from each client. A client that the service closed connects again."""
    clients = [(crawling(service.port, number), 0) for number in range(SLOW_CLIENTS)]
    statuses: Counter[bytes] = Counter()
    stop = threading.Event()
    sent = 0

    def crawl() -> None:
        nonlocal sent
        while not stop.wait(1):
            for number, (slow, position) in enumerate(clients):
                try:
                    sent += slow.connection.send(slow.rest[position : position + 1])
                    clients[number] = slow, position + 1
                except OSError:
                    with contextlib.suppress(OSError):
                        statuses[slow.connection.recv(12)[9:]] += 1
                    slow.connection.close()
                    clients[number] = crawling(service.port, number), 0

    sender = threading.Thread(target=crawl)
    sender.start()
    report = beside(service, f"{SLOW_CLIENTS} slow clients", seconds, late)
    stop.set()
    sender.join()
    for slow, _ in clients:
        slow.connection.close()
    report.figures["bytes sent"] = sent
    report.figures["statuses"] = dict(statuses)
    report.require(sent >= SLOW_CLIENTS * (seconds - 2) / 2, "slow clients sent too little")
    if seconds > 25:
        report.require(statuses[b"408"] > 0, "no slow client got a 408")
    return report


def with_a_log_that_nobody_reads(folder: Path) -> tuple[str, ...]:
    pipe = folder / "unread"
    os.mkfifo(pipe)
    return ("/bin/sh", "-c", 'pipe=$1; shift; exec "$@" 1<>"$pipe" 2>&1', "sh", str(pipe), *COMMAND)


def silent(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Keep more silent connections open than the service has file descriptors."""
    before = service.workers
    kept = [Connection(service.port, timeout=10) for _ in range(KEPT_CLIENTS)]
    for connection in kept:
        connection.get("/healthz")
    quiet = [
        socket.create_connection((LOOPBACK, service.port), 5)
        for _ in range(SILENT_CLIENTS * len(before))
    ]
    report = beside(service, f"{len(quiet)} silent clients", seconds, late)
    given_up = gauge(service.port, "connections_given_up_total")
    report.figures["connections given up"] = given_up
    report.require(given_up > 0, "the silent clients were too few")
    report.require(service.workers == before, "a worker ended")
    for connection in kept:
        report.require(connection.get("/healthz").status == 200, "a kept connection was lost")
        connection.close()
    for sock in quiet:
        sock.close()
    return report


def busy(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Send look-ups from more clients than the service has file descriptors.

    Half of the clients keep their connections. The others open a connection for each look-up.
    """
    before = service.workers
    look_up = encode("/best-move", {"board": "........."})

    def on_a_new_connection(connection: Connection, _: int) -> Answer:
        connection.close()
        return connection.send(look_up)

    size = SILENT_CLIENTS * len(before) // 2
    crowds = [
        Crowd(service.port, ask, size=size, pause=0.05, timeout=60).start()
        for ask in (Only([look_up]), on_a_new_connection)
    ]
    what = f"{2 * size} busy clients, few descriptors"
    report = beside(service, what, seconds, late, lookups_wait=True, lost=CLOSED_SHARE)
    tallies = [crowd.stop() for crowd in crowds]
    report.figures["attackers' answers"] = [dict(tally.statuses) for tally in tallies]
    report.require(service.workers == before, "a worker ended")
    return report


def unread(service: Replica, seconds: float, late: float = 0.25) -> Report:
    report = beside(service, "a log that nobody reads", seconds, late)
    dropped = gauge(service.port, "log_lines_dropped_total")
    report.figures["lines dropped"] = dropped
    report.require(dropped > 0, "the log's pipe was not full")
    return report


def everything(seconds: float, only: str) -> Iterator[Report]:
    for count in (1, 2):
        with service(command=COMMAND, workers=count) as running:
            for name in FLOODS:
                if only in name:
                    yield flood(running, name, seconds)
            if only:
                continue
            yield flood(running, "bred requests", seconds, size=MANY)
            yield gone(running, seconds)
            yield drip(running, seconds)
            yield overload(running, seconds)
            yield overload(running, seconds, clients=CROWD)
        with service(command=COMMAND, workers=count, open_files=FEW_DESCRIPTORS) as running:
            yield silent(running, seconds)
            yield busy(running, seconds)
        with tempfile.TemporaryDirectory() as folder:
            command = with_a_log_that_nobody_reads(Path(folder))
            with service(command=command, workers=count, log_level="info") as running:
                yield unread(running, seconds)
    if not only:
        with service(workers=4) as running:
            yield restarts(running, seconds, kill=True)
            yield restarts(running, seconds, kill=False)
            yield stop(running, min(seconds, 10))


_COLUMNS = (
    "/healthz: 99 %, worst (s)",
    "3×3: 99 %, worst (s)",
    "idle process: 99 %, worst (s)",
    "lost",
)


def table(reports: Sequence[Report]) -> str:
    lines = [f"| attack | {' | '.join(_COLUMNS)} |", "| --- |" + " ---: |" * len(_COLUMNS)]
    for report in reports:
        cells = [report.title, *(str(report.figures.get(name, "")) for name in _COLUMNS)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    given = asked(__doc__, seconds=30.0, only="")
    reports = []
    for report in everything(given.seconds, given.only):
        reports.append(report)
        print(report, flush=True)
    print(table(reports))
    broken = sum(len(report.broken) for report in reports)
    print(f"{broken} BROKEN" if broken else "fine")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
