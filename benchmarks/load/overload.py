"""Is the number of slots right? Asks for twice as many searches as there are slots; no answer may
be late.

python -m benchmarks.load.overload --seconds 30
"""

import json
import random
import time
from dataclasses import dataclass

from benchmarks.load.report import Report, pair, run, service
from bestmove.cpus import available_cpus
from bestmove.game import Board
from tests.support.connection import Answer, Connection, encode
from tests.support.crowd import Crowd
from tests.support.positions import large, small
from tests.support.questions import Only, best_move

WORKERS = 2
SEARCHES = available_cpus()
"""The service's slots for searches: one for each processor."""

BUDGET_MS = 500
TWICE, FAR_TOO_MUCH = 2, 12
"""The number of searches sent per slot. TWICE makes searches shorter; with FAR_TOO_MUCH, most are
refused."""


def wrong_with(board: Board, answer: Answer) -> str | None:
    if answer.status == 503:
        return None if answer.headers.get("retry-after", "").isdigit() else "503, no Retry-After"
    if answer.status != 200:
        return f"status {answer.status}: {answer.body[:200]!r}"
    document = json.loads(answer.body)
    move = document["move"]["index"]
    if move not in board.moves:
        return f"an illegal move: {move}"
    if document["after"]["board"] != str(board.play(move)) or document["pv"][0] != move:
        return "a board or line that does not match the move"
    if document["exact"] is False and not -1 < document["score"] < 1:
        return f"an estimate that is not between -1 and 1: {document['score']}"
    return None


class Steadily:
    """Asks for searches at a steady rate, without waiting for earlier answers."""

    def __init__(self, rate: float) -> None:
        self.wrong: list[str] = []
        self._rate = rate
        self._started = time.monotonic() + 0.1

    def __call__(self, connection: Connection, number: int) -> Answer:
        board = large(random.Random(number))
        request = best_move(board, time_ms=BUDGET_MS)
        due = self._started + number / self._rate
        time.sleep(max(0.0, due - time.monotonic()))
        answer = connection.send(request)
        if wrong := wrong_with(board, answer):
            self.wrong.append(wrong)
        return answer


@dataclass(frozen=True)
class Bounds:
    """The most seconds that a search may be late, and that a refusal or a 3×3 look-up may take."""

    late: float = 0.25
    refusal: float = 0.1
    lookup: float = 0.1


def overload(seconds: float, bounds: Bounds, times: int = TWICE) -> Report:
    rate = times * SEARCHES / (BUDGET_MS / 1000)
    chooser = random.Random(3)
    lookups = Only([best_move(small(chooser)) for _ in range(200)])
    with service(workers=WORKERS) as running:
        ask, size = Steadily(rate), int(rate * BUDGET_MS / 1000) + 8
        stream = Crowd(running.port, ask, size=size, count=int(rate * seconds)).start()
        beside = Crowd(running.port, lookups, size=2, pause=0.02).start()
        probe = Crowd(running.port, Only([encode("/healthz")]), size=1, pause=0.1).start()
        searches = stream.wait()
        asked, probed = beside.stop(), probe.stop()

    budget = BUDGET_MS / 1000
    slowest, slowest_refusal = searches.quantile(1), searches.quantile(1, 503)
    report = Report(f"{rate:.0f} searches of {BUDGET_MS} ms a second for {seconds:.0f} s on 15×15")
    report.figures = {
        "capacity, searches a second": round(rate / times, 1),
        "answered, refused": f"{searches.statuses[200]}, {searches.statuses[503]}",
        "answer: 99 %, slowest (s)": pair(searches.quantile(0.99), slowest),
        "refusal: 99 %, slowest (s)": pair(searches.quantile(0.99, 503), slowest_refusal),
        "3×3 answers": dict(asked.statuses),
        "3×3: 50 %, 99 % (s)": pair(asked.quantile(0.5), asked.quantile(0.99)),
        "/healthz": dict(probed.statuses),
        "/healthz: 99 % (s)": round(probed.quantile(0.99), 4),
    }
    report.require(not ask.wrong, f"wrong: {ask.wrong[:3]}")
    report.require(not searches.failures, f"no answer: {searches.failures[:3]}")
    report.require(searches.statuses[200] > 0, "no search was answered")
    if times == FAR_TOO_MUCH:
        report.require(searches.statuses[503] > 0, "no search was refused")
    report.require(slowest <= budget + bounds.late, f"an answer took {slowest:.3f} s")
    report.require(slowest_refusal <= bounds.refusal, f"a refusal took {slowest_refusal:.3f} s")
    report.require(asked.quantile(0.99) <= bounds.lookup, "3×3 answers took too long")
    for name, tally in (("3×3", asked), ("/healthz", probed)):
        report.require(set(tally.statuses) == {200}, f"{name} answered {dict(tally.statuses)}")
        report.require(not tally.failures, f"{name} failed: {tally.failures[:3]}")
    return report


def everything(seconds: float) -> list[Report]:
    return [overload(seconds, Bounds()), overload(seconds / 3, Bounds(), FAR_TOO_MUCH)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, seconds=30.0))
