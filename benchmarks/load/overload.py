"""Asks a service for more searches than it has slots for."""

import random
import time

from benchmarks.load.beside import beside, pair
from benchmarks.load.report import Report
from bestmove.cpus import available_cpus
from tests.support.connection import Answer, Connection
from tests.support.crowd import Ask, Crowd
from tests.support.positions import large
from tests.support.questions import Mix, best_move
from tests.support.replicas import Replica

SEARCHES = available_cpus()
"""The service's slots for searches: one for each processor."""

BUDGET_MS = 500
TWICE, FAR_TOO_MUCH = 2, 12
"""The number of searches sent per slot. TWICE makes searches shorter; with FAR_TOO_MUCH, most are
refused."""


def steadily(rate: float) -> Ask:
    """Return a function that asks for searches at a steady rate, without waiting for earlier
    answers."""
    started = time.monotonic() + 0.1

    def ask(connection: Connection, number: int) -> Answer:
        request = best_move(large(random.Random(number)), time_ms=BUDGET_MS)
        time.sleep(max(0.0, started + number / rate - time.monotonic()))
        return connection.send(request)

    return ask


def overload(service: Replica, seconds: float, late: float = 0.25, *, times: int = TWICE) -> Report:
    """Ask for more searches than the service has slots for. No answer or refusal may be late."""
    rate = times * SEARCHES / (BUDGET_MS / 1000)
    stream = Crowd(
        service.port,
        steadily(rate),
        size=int(rate * BUDGET_MS / 1000) + 8,
        count=int(rate * seconds),
        check=Mix.check,
    ).start()
    report = beside(service, f"{rate:.0f} searches of {BUDGET_MS} ms a second", seconds, late)
    searches = stream.wait()
    slowest, slowest_refusal = searches.quantile(1), searches.quantile(1, 503)
    report.figures["answered, refused"] = f"{searches.statuses[200]}, {searches.statuses[503]}"
    report.figures["answer: 99 %, slowest (s)"] = pair(searches.quantile(0.99), slowest)
    report.figures["refusal: 99 %, slowest (s)"] = pair(
        searches.quantile(0.99, 503), slowest_refusal
    )
    report.require(not searches.problems, f"wrong: {searches.problems[:3]}")
    report.require(not searches.failures, f"no answer: {searches.failures[:3]}")
    report.require(searches.statuses[200] > 0, "no search was answered")
    if times == FAR_TOO_MUCH:
        report.require(searches.statuses[503] > 0, "no search was refused")
    report.require(slowest <= BUDGET_MS / 1000 + late, f"an answer took {slowest:.3f} s")
    report.require(slowest_refusal <= late, f"a refusal took {slowest_refusal:.3f} s")
    return report
