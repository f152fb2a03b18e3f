"""Are there as many slots as fit? Twice the searches that can be made: in time, or refused at once.

python -m benchmarks.load.overload --seconds 30
"""

from __future__ import annotations

import json
import random
import threading
import time
from dataclasses import dataclass, field
from itertools import count

from benchmarks.load.report import Report, run, service
from bestmove.api.cpus import available_cpus
from bestmove.game import Board
from tests.support.connection import Answer, Connection, encode
from tests.support.crowd import Crowd, quantile
from tests.support.positions import large, small
from tests.support.questions import Only, best_move

WORKERS = 2
SEARCHES = available_cpus()
"""At the same time: the service has a slot for each processor."""

BUDGET_MS = 500
TWICE, FAR_TOO_MUCH = 2, 12
"""Times the searches of full length that fit: at twice as many they get shorter, far beyond that
most are refused."""


@dataclass
class Searches:
    """What came of the searches: seconds of the answers and refusals, and what was wrong."""

    answered: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def wrong_with(board: Board, answer: Answer) -> str | None:
    """What is wrong with an answer to a search on an unfinished board."""
    if answer.status == 503:
        return None if answer.headers.get("retry-after", "").isdigit() else "503, no Retry-After"
    if answer.status != 200:
        return f"status {answer.status}: {answer.body[:200]!r}"
    document = json.loads(answer.body)
    move = document["move"]["index"]
    if move not in board.moves:
        return f"an illegal move: {move}"
    if document["board_after"] != str(board.play(move)) or document["pv"][0] != move:
        return "a board or line that does not go with the move"
    if document["exact"] is False and not -1 < document["score"] < 1:
        return f"an estimate of {document['score']}"
    return None


class Stream:
    """Searches sent at a steady rate, whether or not the earlier ones are answered."""

    def __init__(self, port: int, rate: float, seconds: float) -> None:
        self.result = Searches()
        self._port, self._rate, self._total = port, rate, int(rate * seconds)
        self._numbers = count()
        self._lock = threading.Lock()
        self._started = time.monotonic() + 0.1
        size = int(rate * BUDGET_MS / 1000) + 8
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(size)]
        for thread in self._threads:
            thread.start()

    def wait(self) -> Searches:
        """Until all are answered."""
        for thread in self._threads:
            thread.join()
        return self.result

    def _run(self) -> None:
        with Connection(self._port) as connection:
            while (number := next(self._numbers)) < self._total:
                board = large(random.Random(number))
                request = best_move(board, time_ms=BUDGET_MS)
                due = self._started + number / self._rate
                time.sleep(max(0.0, due - time.monotonic()))
                try:
                    answer = connection.send(request)
                    wrong = wrong_with(board, answer)
                except OSError as error:
                    answer, wrong = None, f"no answer: {error}"
                with self._lock:
                    if wrong or answer is None:
                        self.result.wrong.append(str(wrong))
                    elif answer.status == 200:
                        self.result.answered.append(answer.seconds)
                    else:
                        self.result.refused.append(answer.seconds)


@dataclass(frozen=True)
class Bounds:
    """Seconds: of a search over its budget, of a refusal, and of a 3×3 look-up beside them."""

    late: float = 0.25
    refusal: float = 0.1
    lookup: float = 0.1


def overload(seconds: float, bounds: Bounds, times: int = TWICE) -> Report:
    """The searches, with 3×3 positions and the liveness probe asked beside them."""
    rate = times * SEARCHES / (BUDGET_MS / 1000)
    chooser = random.Random(3)
    lookups = Only([best_move(small(chooser)) for _ in range(200)])
    with service(workers=WORKERS) as running:
        stream = Stream(running.port, rate, seconds)
        beside = Crowd(running.port, lookups, size=2, pause=0.02).start()
        probe = Crowd(running.port, Only([encode("/healthz")]), size=1, pause=0.1).start()
        searches = stream.wait()
        asked, probed = beside.stop(), probe.stop()

    budget = BUDGET_MS / 1000
    slowest = max(searches.answered, default=0.0)
    slowest_refusal = max(searches.refused, default=0.0)
    report = Report(f"{rate:.0f} searches of {BUDGET_MS} ms a second for {seconds:.0f} s on 15×15")
    report.figures = {
        "capacity, searches a second": round(rate / times, 1),
        "answered": len(searches.answered),
        "refused": len(searches.refused),
        "answer: 99 %, slowest (s)": _two(quantile(searches.answered, 0.99), slowest),
        "refusal: 99 %, slowest (s)": _two(quantile(searches.refused, 0.99), slowest_refusal),
        "3×3 answers": dict(asked.statuses),
        "3×3: 50 %, 99 % (s)": _two(asked.quantile(0.5), asked.quantile(0.99)),
        "/healthz": dict(probed.statuses),
        "/healthz: 99 % (s)": round(probed.quantile(0.99), 4),
    }
    report.require(not searches.wrong, f"wrong: {searches.wrong[:3]}")
    report.require(bool(searches.answered), "no search was answered")
    if times == FAR_TOO_MUCH:
        report.require(bool(searches.refused), "no search was refused")
    report.require(slowest <= budget + bounds.late, f"an answer took {slowest:.3f} s")
    report.require(slowest_refusal <= bounds.refusal, f"a refusal took {slowest_refusal:.3f} s")
    report.require(asked.quantile(0.99) <= bounds.lookup, "3×3 answers took too long")
    for name, tally in (("3×3", asked), ("/healthz", probed)):
        report.require(set(tally.statuses) == {200}, f"{name} answered {dict(tally.statuses)}")
        report.require(not tally.failures, f"{name} failed: {tally.failures[:3]}")
    return report


def _two(first: float, second: float) -> str:
    return f"{first:.3f}, {second:.3f}"


def everything(seconds: float) -> list[Report]:
    """With the bounds that the service promises."""
    return [
        overload(seconds, Bounds()),
        overload(seconds / 3, Bounds(), FAR_TOO_MUCH),
    ]


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, seconds=30))
