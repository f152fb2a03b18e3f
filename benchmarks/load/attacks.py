"""Can one client stop a service that has no nginx in front of it, and may its workers be killed,
reloaded and stopped under full load? Attacks the service while other clients send probes and
look-ups.

python -m benchmarks.load.attacks --seconds 30
python -m benchmarks.load.attacks --seconds 3600 --only mixed
python -m benchmarks.load.attacks --seconds 10 --classes own,gthread/64,gthread/512

With `--only mixed`, only the attack "mixed requests" runs. With `--classes`, gunicorn's worker
classes ("own" is the service's; "/64" sets the number of threads) answer probes beside clients that
hold connections: each attack twice, the classes in turn. At the end, a table is printed.
"""

import contextlib
import json
import random
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.load.beside import beside, peak_mb, probe
from benchmarks.load.overload import CROWD, overload
from benchmarks.load.report import Report, service
from benchmarks.load.restarts import restarts, stop
from benchmarks.options import asked
from tests.support.connection import LOOPBACK, Answer, Connection, encode
from tests.support.crowd import Ask, Crowd
from tests.support.positions import OPEN_15, random_board
from tests.support.questions import Mix, Only
from tests.support.replicas import COMMAND as GUNICORN
from tests.support.replicas import Replica

ATTACKERS = 24
MANY = 300
"""How many clients send requests at once: more than the service has threads."""

COMMAND = (sys.executable, "-m", "bestmove", "serve")
FEW_DESCRIPTORS = 256
PROBE_TIMEOUT = 5.0
BUSY_CLIENTS = 260
CLOSED_SHARE = 0.1
"""The share of probes that may get no answer. If busy clients use all descriptors, the worker may
close new connections that have sent nothing yet."""

STRIPES = "OOOXOXXXOXXXOOXXOXOO"
"""Each letter fills a row of 20 cells. If exactly 8 in a row win, such a board is expensive to
validate."""

FALLEN = "OOOOOOOOXXXXXXXOOOOOOOOXXXXXXXXX"
"""The marks of `drops`."""

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


def drops(seed: int) -> bytes:
    """Return a small batch of boards that are expensive to validate, because marks fall."""
    chooser = random.Random(seed)
    boards = ["".join(chooser.sample(FALLEN, len(FALLEN))) for _ in range(50)]
    rules = {"rows": 4, "columns": 8, "k": 3, "gravity": True, "overline": False}
    return encode("/best-moves", {"boards": boards, "time_ms": 1, **rules})


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

MIXED = (*Mix(1, time_ms=1, searches=0.4).requests, *map(drops, range(20)))


def damaged(connection: Connection, number: int) -> Answer:
    """Send a request some of whose bytes are replaced, removed or inserted."""
    chooser = random.Random(number)
    request = bytearray(chooser.choice(MIXED))
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
    "mixed requests": Only(MIXED),
    "damaged requests": damaged,
}


class Holding(NamedTuple):
    """Clients that hold connections and do not read answers: each sends `first` at once, then
    `step` bytes of `rest` every `pause` seconds. `files`: how many files a worker may open."""

    clients: int
    first: bytes = b""
    rest: bytes = b""
    step: int = 1
    pause: float = 1.0
    files: int | None = None


_LARGE = b"POST /best-move HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
HELD = {
    "500 silent connections": Holding(500),
    "2,500 silent connections": Holding(2500),
    "300 slow bodies": Holding(300, _LARGE, b"[" * 1000),
    "2,500 slow bodies": Holding(2500, _LARGE, b"[" * 1000),
    "300 slow readers": Holding(300, encode("/openapi.json") * 40),
    "500 unfinished bodies of 900 kB": Holding(500, _LARGE, b"[" * 900_000, 65536, 0.01),
    "256 descriptors, 600 silent": Holding(600, files=FEW_DESCRIPTORS),
}


@contextlib.contextmanager
def holding(port: int, attack: Holding) -> Iterator[None]:
    """Hold connections. If the service closes a connection, its client connects again."""
    stop = threading.Event()

    def connect() -> socket.socket:
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(PROBE_TIMEOUT)
        with contextlib.suppress(OSError):  # the service is at its limit
            sock.connect((LOOPBACK, port))
            sock.setblocking(False)
            sock.send(attack.first)
        return sock

    def send() -> None:
        while not stop.wait(attack.pause):
            for number, (sock, rest) in enumerate(clients):
                try:
                    clients[number] = sock, rest[sock.send(rest[: attack.step]) :]
                except BlockingIOError:
                    continue
                except OSError:
                    sock.close()
                    clients[number] = connect(), attack.rest

    clients = [(connect(), attack.rest) for _ in range(attack.clients)]
    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield
    finally:
        stop.set()
        sender.join()
        for sock, _ in clients:
            sock.close()


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


def held(service: Replica, name: str, seconds: float, late: float = 0.25) -> Report:
    with holding(service.port, HELD[name]):
        return beside(service, name, seconds, late)


def busy(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Send look-ups from more clients than the service has file descriptors.

    Half of the clients keep their connections. The others open a connection for each look-up.
    """
    before = service.workers
    look_up = encode("/best-move", {"board": "........."})

    def on_a_new_connection(connection: Connection, _: int) -> Answer:
        connection.close()
        return connection.send(look_up)

    size = BUSY_CLIENTS * len(before) // 2
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


def everything(seconds: float, only: str) -> Iterator[Report]:
    for count in (1, 2):
        with service(command=COMMAND, workers=count) as running:
            for name in FLOODS:
                if only in name:
                    yield flood(running, name, seconds)
            if only:
                continue
            yield flood(running, "mixed requests", seconds, size=MANY)
            yield gone(running, seconds)
            yield held(running, "300 slow bodies", seconds)
            yield held(running, "300 slow readers", seconds)
            yield overload(running, seconds)
            yield overload(running, seconds, clients=CROWD)
        with service(command=COMMAND, workers=count, open_files=FEW_DESCRIPTORS) as running:
            yield busy(running, seconds)
    if not only:
        with service(workers=4) as running:
            yield restarts(running, seconds, kill=True)
            yield restarts(running, seconds, kill=False)
            yield stop(running, min(seconds, 10))


def compare(classes: Sequence[str], seconds: float) -> Iterator[str]:
    """Yield the rows of a table: the p99 of probes (ms), the lost probes and the largest worker's
    memory (MiB), with each worker class."""
    yield f"| attack | {' | '.join(classes)} |"
    yield "| --- |" + " --- |" * len(classes)
    for name, attack in HELD.items():
        runs = [[_probed(each, attack, seconds) for each in classes] for _ in range(2)]
        yield f"| {name} | {' | '.join(min(pair)[2] for pair in zip(*runs, strict=True))} |"
    stops = []
    for each in classes:
        with service(command=_with_class(each), workers=2) as running:
            stops.append(str(stop(running, seconds).figures["lost"]))
    yield f"| stop under load, two streams | {' | '.join(stops)} |"


def _with_class(name: str) -> Sequence[str]:
    kind, _, threads = name.partition("/")
    options = () if name == "own" else ("--worker-class", kind, "--threads", threads)
    return (*GUNICORN, *options)


def _probed(name: str, attack: Holding, seconds: float) -> tuple[int, float, str]:
    """Return the number of lost probes, their p99 in seconds, and the table's cell."""
    with (
        service(command=_with_class(name), workers=2, open_files=attack.files) as running,
        holding(running.port, attack),
    ):
        before = running.workers
        probes = Crowd(running.port, probe, size=1, pause=0.02, timeout=PROBE_TIMEOUT).start()
        time.sleep(seconds)
        tally = probes.stop()
        has_ended = running.workers != before
        most = max(map(peak_mb, running.workers))
        running.end()  # a worker without a free thread takes long to stop
    lost, p99 = len(tally.failures), tally.quantile(0.99)
    cell = f"{p99 * 1000:.0f} / {lost} / {most:.0f}" if tally.answered else "no answer"
    return lost, p99, "workers end" if has_ended else cell


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
    given = asked(__doc__, seconds=30.0, only="", classes="")
    if given.classes:
        for row in compare(given.classes.split(","), given.seconds):
            print(row, flush=True)
        return 0
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
