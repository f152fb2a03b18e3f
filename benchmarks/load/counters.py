"""Can alerts rely on /metrics? Compares the metrics with the answers that clients got, also after a
worker was killed.

python -m benchmarks.load.counters --seconds 10
"""

import random
import time
from collections import Counter

from prometheus_client.parser import text_string_to_metric_families

from benchmarks.load.report import Report, alone, run
from tests.support.connection import Answer, Connection, encode
from tests.support.crowd import Crowd
from tests.support.positions import large, small
from tests.support.questions import best_move, best_move_link
from tests.support.replicas import Replica, wait_until

WORKERS = 4
SETTLE_SECONDS = 20

Counts = Counter[tuple[str, str, int]]


def requests(count: int) -> list[tuple[str, str, bytes]]:
    chooser = random.Random(11)
    made = []
    for _ in range(count):
        board = small(chooser)
        made.append(
            chooser.choice(
                [
                    ("/best-move", "POST", best_move(board)),
                    ("/best-move", "GET", best_move_link(board)),
                    ("/best-move", "POST", best_move(large(chooser), time_ms=20)),
                    ("/best-move", "POST", encode("/best-move", {"board": "XXXX....."})),
                    ("/best-move", "POST", encode("/best-move", b"{")),
                    ("/best-move", "DELETE", encode("/best-move", method="DELETE")),
                    ("/analyze", "POST", encode("/analyze", {"board": str(board)})),
                    ("/healthz", "GET", encode("/healthz")),
                    ("unmatched", "GET", encode("/nowhere")),
                ]
            )
        )
    return made


def reported(port: int) -> tuple[Counts, Counts]:
    """Read two counts of answers from /metrics: from the counter, by route, method and status; from
    the histogram, by route."""
    with Connection(port) as connection:
        text = connection.get("/metrics").body.decode()
    counted: Counts = Counter()
    timed: Counts = Counter()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = sample.labels
            if sample.name == "bestmove_http_requests_total":
                key = labels["route"], labels["method"], int(labels["status"])
                counted[key] += int(sample.value)
            elif sample.name == "bestmove_http_request_duration_seconds_count":
                timed[labels["route"], "", 0] += int(sample.value)
    return counted, timed


def without_own(counts: Counts) -> Counts:
    return Counter({key: n for key, n in counts.items() if key[0] not in ("/metrics", "/readyz")})


def settled(port: int, seen: Counts) -> tuple[Counts, Counts]:
    """Return the service's counts as soon as they include all answers that clients saw.

    Wait at most SETTLE_SECONDS. The service counts an answer a moment after sending the answer.
    """
    give_up = time.monotonic() + SETTLE_SECONDS
    while True:
        counted, timed = reported(port)
        told = min(without_own(counts).total() for counts in (counted, timed))
        if told >= seen.total() or time.monotonic() > give_up:
            return counted, timed
        time.sleep(0.05)


def counted(running: Replica, seconds: float) -> Report:
    seen: Counts = Counter()
    asked = requests(300)

    def half() -> int:
        outcomes: list[tuple[str, str, int]] = []

        def ask(connection: Connection, question: int) -> Answer:
            route, method, request = asked[question % len(asked)]
            answer = connection.send(request)
            outcomes.append((route, method, answer.status))  # `append` is atomic
            return answer

        tally = Crowd(running.port, ask, size=8, seconds=seconds / 2).start().wait()
        seen.update(outcomes)
        return len(tally.failures)

    failures = half()
    before, _ = settled(running.port, seen)
    victim = running.kill_worker()
    wait_until(
        lambda: victim not in running.workers and len(running.workers) == WORKERS,
        30,
        "a new worker",
    )
    after_kill, _ = reported(running.port)
    failures += half()
    after, timed = settled(running.port, seen)

    told = without_own(after)
    report = Report(f"{WORKERS} workers, one killed in between, {seconds:.0f} s of load")
    report.figures = {
        "answers seen": seen.total(),
        "answers reported": told.total(),
        "kinds of answers": len(seen),
        "failures": failures,
    }
    report.require(failures == 0, "requests failed although none was in flight at the kill")
    report.require(told == seen, f"not reported: {seen - told}; not seen: {told - seen}")
    shrunk = without_own(before) - without_own(after_kill)
    report.require(not shrunk, f"the counts of the killed worker are missing: {shrunk}")
    by_route = Counter[str]()
    for (route, _, _), number in seen.items():
        by_route[route] += number
    histogram = Counter({key[0]: number for key, number in without_own(timed).items()})
    report.require(histogram == by_route, f"the histogram has {histogram}, not {by_route}")
    return report


if __name__ == "__main__":
    raise SystemExit(run(__doc__, alone(counted, workers=WORKERS), seconds=10.0))
