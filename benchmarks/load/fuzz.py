"""Can the parser face the internet? Sends 100,000 requests, one in ten of them malformed.

python -m benchmarks.load.fuzz --requests 100000

No answer may be a 5xx except 503, and memory must not grow. Every line of the log must be JSON. For
each status, the number of lines in the log must be the number of answers in the metrics.
"""

import contextlib
import json
import random
import re
import socket
from collections import Counter

from benchmarks.load.report import Report, alone, run
from tests.support.connection import LOOPBACK, Answer, Connection, encode
from tests.support.crowd import Crowd
from tests.support.positions import large
from tests.support.questions import Mix, Only, best_move
from tests.support.replicas import Replica, answers, wait_until

CLIENTS = 8
MALFORMED = 0.1
DAMAGED = 0
"""The status under which the tally counts all malformed requests."""

GROWTH_BYTES = 8 * 2**20
"""How much a worker's memory may grow after the first fifth of the requests."""

SETTLE_S = 10.0
"""The most seconds between sending an answer and counting it in the log and the metrics."""

_COUNTED = re.compile(
    r'(?m)^bestmove_http_requests_total{(?!.*route="/metrics").*status="(\d+)".*} (\S+)$'
)

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
    """Return a malformed request. By chance, a few of these requests are valid."""
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
    received = b""
    with socket.create_connection((LOOPBACK, port), 15) as opened:
        try:
            opened.sendall(request)
            opened.shutdown(socket.SHUT_WR)
            while more := opened.recv(65536):
                received += more
        except OSError:
            pass  # the service may close the connection after bytes that are not HTTP
    return received


class Fuzzer:
    def __init__(self, seed: int) -> None:
        self.damaged: list[str] = []
        self.wrong: list[str] = []
        self._seed = seed
        self._pool = Mix(seed, time_ms=20, searches=0.005).requests

    def __call__(self, connection: Connection, number: int) -> Answer:
        chooser = random.Random(f"{self._seed} {number}")
        if chooser.random() < MALFORMED:
            request = malformed(chooser, self._pool)
            received = exchange(connection.port, request)
            status, problem = judged(received)
            self.damaged.append(status)
            answer = Answer(DAMAGED, {}, received, 0)
        else:
            request = chooser.choice(self._pool)
            answer = connection.send(request)
            problem = Mix.check(answer)
        if problem:
            self.wrong.append(f"{problem} to {request[:300]!r}")
        return answer


def judged(received: bytes) -> tuple[str, str | None]:
    """Return the status of a response (or "closed" or "?"), and what is wrong with it (or None)."""
    if not received:
        return "closed", None
    status = received[9:12].decode("latin-1")
    if not received.startswith(b"HTTP/1.") or not status.isdigit():
        return "?", f"not an HTTP response: {received[:200]!r}"
    if b"Traceback" in received or b'File "/' in received:
        return status, f"a traceback: {received[-500:]!r}"
    if int(status) >= 500 and status != "503":
        return status, f"status {status}: {received[:300]!r}"
    return status, None


def fuzz(running: Replica, requests: int, seed: int = 1) -> Report:
    """Send the requests. Compare the memory after a fifth of them with that at the end."""
    workers = running.workers
    # A worker's first search reserves memory for tables. Before memory is measured, many
    # connections make every worker search.
    boards = random.Random(seed)
    searches = Only([best_move(large(boards), time_ms=20) for _ in range(50)])

    def search(connection: Connection, number: int) -> Answer:
        connection.close()
        return searches(connection, number)

    Crowd(running.port, search, size=CLIENTS, count=200).start().wait()
    fuzzers = Fuzzer(2 * seed), Fuzzer(2 * seed + 1)
    tally = Crowd(running.port, fuzzers[0], size=CLIENTS, count=requests // 5).start().wait()
    early = running.resident()
    rest = Crowd(running.port, fuzzers[1], size=CLIENTS, count=requests - requests // 5)
    tally.merge(rest.start().wait())
    growth = [after - before for before, after in zip(early, running.resident(), strict=True)]
    del tally.statuses[DAMAGED]
    wrong = fuzzers[0].wrong + fuzzers[1].wrong
    alive = answers(running.port, "/healthz")

    def log_and_metrics_agree() -> bool:
        return logged(log_of(running))[0] == counts(running.port)

    with contextlib.suppress(TimeoutError):  # the report shows a lasting difference
        wait_until(log_and_metrics_agree, SETTLE_S, "the log")
    counted = counts(running.port)
    log = log_of(running)
    lines, odd = logged(log)
    report = Report(f"{requests} requests, a tenth of them malformed")
    report.figures = {
        "well-formed": dict(sorted(tally.statuses.items())),
        "malformed": dict(sorted(Counter(fuzzers[0].damaged + fuzzers[1].damaged).items())),
        "resident after a fifth (MB)": [round(size / 1e6, 1) for size in early],
        "growth to the end (MB)": [round(size / 1e6, 1) for size in growth],
        "tracebacks in the log": log.count("Traceback"),
        "answers by the metrics": dict(sorted(counted.items())),
    }
    report.require(not tally.failures, f"no answer: {tally.failures[:3]}")
    report.require(not wrong, f"{len(wrong)} wrong: {wrong[:3]}")
    report.require(running.workers == workers, "a worker ended")
    report.require(max(growth) <= GROWTH_BYTES, f"memory grew by {max(growth)} bytes")
    report.require(alive, "the service no longer answers")
    report.require("Traceback" not in log, "there are tracebacks in the log")
    report.require(not odd, f"{len(odd)} lines are not JSON: {odd[:3]}")
    report.require(lines == counted, f"the log has {dict(lines)}, the metrics {dict(counted)}")
    return report


def log_of(running: Replica) -> str:
    return running.log.read_text("utf-8", errors="replace")


def counts(port: int) -> Counter[str]:
    """Return the number of answers by status, as /metrics counts them. Answers to /metrics do not
    count."""
    with Connection(port) as connection:
        text = connection.get("/metrics").body.decode()
    found: Counter[str] = Counter()
    for status, count in _COUNTED.findall(text):
        found[status] += int(float(count))
    return found


def logged(log: str) -> tuple[Counter[str], list[str]]:
    """Return the number of answers by status in a log, and the lines that are not JSON. Answers to
    /metrics do not count."""
    found: Counter[str] = Counter()
    odd = []
    for line in log.splitlines():
        try:
            fields = json.loads(line)
        except ValueError:
            odd.append(line)
            continue
        if "status" in fields and fields["route"] != "/metrics":
            found[str(fields["status"])] += 1
    return found, odd


if __name__ == "__main__":
    raise SystemExit(
        run(__doc__, alone(fuzz, workers=2, log_level="info"), requests=100_000, seed=1)
    )
