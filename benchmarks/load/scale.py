"""By how much do a second replica and nginx's cache reduce the load of a replica?

python -m benchmarks.load.scale --seconds 10
"""

import contextlib
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.load.report import Report, run
from bestmove.game import Board
from bestmove.search.analysis import best_move as play_best
from tests.support.connection import Answer, Connection
from tests.support.crowd import Crowd, Tally, quantile
from tests.support.positions import large
from tests.support.questions import Only, best_move, best_move_link
from tests.support.replicas import nginx, replica

SEARCH_MS = 200


def addresses(count: int) -> list[str]:
    """Return a loopback address for each client, because nginx limits the requests of an
    address."""
    return [f"127.0.{4 + number // 250}.{1 + number % 250}" for number in range(count)]


def behind_nginx(
    folder: Path, ports: list[int], ask: Only, size: int, seconds: float, pause: float = 0
) -> Tally:
    with nginx(folder, ports) as port:
        crowd = Crowd(port, ask, size=size, seconds=seconds, pause=pause, sources=addresses(size))
        return crowd.start().wait()


def searches(folder: Path, seconds: float, least: float = 1.5) -> Report:
    """Measure how many more searches two replicas answer than one.

    Each replica runs one search at a time. No search waits for a slot, because waiting makes
    searches shorter.
    """
    chooser = random.Random(21)
    ask = Only([best_move(large(chooser), time_ms=SEARCH_MS) for _ in range(100)])
    settings: dict[str, Any] = {"workers": 1, "search_slots": 1, "search_queue": 0}
    with (
        replica(folder, **settings) as first,
        replica(folder, **settings) as second,
    ):
        one = behind_nginx(folder / "one", [first.port], ask, 6, seconds, 0.05)
        two = behind_nginx(folder / "two", [first.port, second.port], ask, 6, seconds, 0.05)
    return compared(f"searches of {SEARCH_MS} ms", one, two, seconds, least)


def compared(what: str, one: Tally, two: Tally, seconds: float, least: float) -> Report:
    rates = [tally.statuses[200] / seconds for tally in (one, two)]
    report = Report(f"{what}: two replicas against one")
    report.figures = {
        "one, answers a second": round(rates[0], 1),
        "two, answers a second": round(rates[1], 1),
        "ratio": round(rates[1] / max(rates[0], 0.001), 2),
        "refused by one, by two": f"{one.statuses[503]}, {two.statuses[503]}",
        "99 % (s)": f"{one.quantile(0.99):.3f}, {two.quantile(0.99):.3f}",
    }
    for tally in (one, two):
        report.require(set(tally.statuses) <= {200, 503}, f"answers {dict(tally.statuses)}")
        report.require(not tally.failures, f"failures {tally.failures[:3]}")
    report.require(rates[1] >= least * rates[0], f"two do not answer {least} times as many")
    return report


def games(seed: int, count: int, searched: float) -> Iterator[tuple[str, bytes]]:
    """Yield the questions of people who play 3×3 and ask after each of their own moves.

    They prefer good cells. The service begins half of the games. With the probability `searched`, a
    search on 15×15 follows a question.
    """
    chooser = random.Random(seed)
    asked = 0
    while asked < count:
        board = Board.empty()
        if chooser.random() < 0.5:
            board = board.play(play_best(board).move or 0)
        while not board.is_over and asked < count:
            weights = [3 if cell == 4 else 2 if cell % 2 == 0 else 1 for cell in board.moves]
            board = board.play(chooser.choices(board.moves, weights)[0])
            yield "3×3", best_move_link(board)
            asked += 1
            if not board.is_over:
                board = board.play(play_best(board).move)
            if chooser.random() < searched:
                yield "15×15", best_move_link(large(chooser), time_ms=20)
                asked += 1


def cache(folder: Path, count: int) -> Report:
    """Measure how much of a realistic mix of questions nginx answers from its cache."""
    hits: Counter[tuple[str, str]] = Counter()
    seconds: dict[str, list[float]] = {"HIT": [], "MISS": []}
    with (
        replica(folder, workers=2) as service,
        nginx(folder / "cache", [service.port]) as port,
        contextlib.ExitStack() as stack,
    ):
        sources = addresses(40)
        clients = [stack.enter_context(Connection(port, source=source)) for source in sources]
        refused = 0
        for number, (kind, request) in enumerate(games(23, count, searched=0.05)):
            answer: Answer = clients[number % len(clients)].send(request)
            refused += answer.status != 200
            state = answer.headers.get("x-cache-status", "none")
            hits[kind, state] += 1
            if kind == "3×3" and state in seconds:
                seconds[state].append(answer.seconds)
        reached = sum(
            '"route": "/best-move"' in line for line in service.log.read_text().splitlines()
        )
    total = hits.total()
    small_total = sum(n for (kind, _), n in hits.items() if kind == "3×3")
    report = Report(f"{total} GETs of people who play, one in twenty a search")
    report.figures = {
        "answered by the cache": f"{hits['3×3', 'HIT'] / total:.1%}",
        "of the 3×3 positions": f"{hits['3×3', 'HIT'] / small_total:.1%}",
        "reached a replica": reached,
        "searches answered by the cache": hits["15×15", "HIT"],
        "median of a hit, of a miss (ms)": ", ".join(
            f"{1000 * quantile(values, 0.5):.2f}" for values in seconds.values()
        ),
    }
    report.require(refused == 0, f"{refused} were not answered with 200")
    report.require(hits["3×3", "HIT"] > small_total / 2, "the cache answers less than half of 3×3")
    report.require(reached == total - hits["3×3", "HIT"] - hits["15×15", "HIT"], "replica got hits")
    return report


def everything(seconds: float) -> list[Report]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [searches(folder, seconds), cache(folder, 5000)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, seconds=10.0))
