"""Asks a service for more searches than it has processors for."""

import random
import time
from threading import Barrier
from typing import Any

from benchmarks.load.beside import beside, pair
from benchmarks.load.report import Report
from bestmove.api.tickets import LEAST_S
from bestmove.cpus import available_cpus
from tests.support.connection import Answer, Connection
from tests.support.crowd import Crowd
from tests.support.positions import OPENING
from tests.support.questions import Mix, best_move
from tests.support.replicas import Replica

BUDGET_MS = 1000
CLASS, CROWD = 20, 64
"""The number of clients who ask at the same time. A class shares its time equally, and nobody is
refused. In a crowd, the shares are the shortest that there are, and some answers are late."""

AT_WORK = 0.85
"""The share of the processors' time that is spent searching."""

EQUAL = 1.5
"""In a class, the longest share is at most so many times the shortest."""


def overload(
    service: Replica,
    seconds: float,
    late: float = 0.25,
    *,
    clients: int = CLASS,
    exact: bool = True,
) -> Report:
    """Let clients ask for searches of BUDGET_MS, all at the same time and again and again.

    Args:
        exact: whether the shares and the processors' time must be as promised, too: only a machine
            without other work shows that.
    """
    found: list[dict[str, Any]] = []

    together = Barrier(clients)

    def ask(connection: Connection, number: int) -> Answer:
        board = OPENING.play(random.Random(number).choice(OPENING.moves))
        together.wait()
        answer = connection.send(best_move(board, time_ms=BUDGET_MS))
        if answer.status == 200:
            found.append(answer.json()["search"])
        return answer

    started, rounds = time.monotonic(), max(1, int(seconds))
    crowd = Crowd(service.port, ask, size=clients, count=clients * rounds, check=Mix.check).start()
    report = beside(service, f"{clients} clients with searches of {BUDGET_MS} ms", seconds, late)
    tally = crowd.wait()
    share = sum(each["elapsed_ms"] for each in found) / 1000 / available_cpus()
    share /= time.monotonic() - started
    granted = sorted(each["granted_ms"] for each in found if "granted_ms" in each)
    refused, slowest = tally.statuses[503], tally.quantile(1)
    report.figures["answered, refused"] = f"{tally.statuses[200]}, {refused}"
    report.figures["answer: 50 %, 99 % (s)"] = pair(tally.quantile(0.5), tally.quantile(0.99))
    report.figures["least depth"] = min((each["depth"] for each in found), default=0)
    report.figures["granted (ms)"] = f"{granted[:1]} to {granted[-1:]}"
    report.figures["processors' time in searches"] = f"{share:.0%}"
    report.require(not tally.problems, f"wrong: {tally.problems[:3]}")
    report.require(not tally.failures, f"no answer: {tally.failures[:3]}")
    report.require(bool(granted), "no search ended for another")
    report.require(clients > CLASS or not refused, f"{refused} were refused")
    due = max(BUDGET_MS / 1000, clients * LEAST_S / available_cpus())
    report.require(slowest <= 1.1 * due + late, f"an answer took {slowest:.3f} s")
    if exact and granted:
        report.require(share >= AT_WORK, f"searches had {share:.0%} of the processors")
        longest = EQUAL * granted[0] if clients <= CLASS else BUDGET_MS
        report.require(granted[-1] <= longest, "the shares were not equal")
    return report
