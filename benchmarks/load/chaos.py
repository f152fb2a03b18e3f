"""Can the service be deployed at any time? Kills, reloads and stops its workers under full load.

python -m benchmarks.load.chaos --seconds 60
"""

import random
import time
from collections.abc import Callable

from benchmarks.load.report import Report, run, service
from bestmove.client import Client
from bestmove.errors import ServiceError
from tests.support.connection import LOOPBACK, Answer, Connection
from tests.support.crowd import Crowd, Failure, Tally
from tests.support.positions import small
from tests.support.questions import Mix
from tests.support.replicas import Replica, wait_until

CLIENTS = 16
TIME_MS = 100
SLACK = 0.25
"""The most seconds between sending a signal and its arrival, on a busy machine."""


def patiently(connection: Connection, number: int) -> Answer:
    """Ask about a 3×3 position with the project's client, which retries."""
    board = small(random.Random(number))
    url = f"http://{LOOPBACK}:{connection.port}"
    try:
        with Client(url, retries=5, backoff=0.1) as client:
            answer = client.best_move(str(board))
    except ServiceError as error:
        raise OSError(f"{type(error).__name__}: {error}") from error
    return Answer(200 if answer.exact else 0, {}, b"", 0)


def under_load(
    port: int, seconds: float, meanwhile: Callable[[float], None]
) -> tuple[Tally, Tally]:
    """Load the service fully for `seconds`, while `meanwhile(end)` disturbs the service.

    Return the tallies of the load and of the clients that retry.
    """
    mix = Mix(seed=5, time_ms=TIME_MS)
    patient = Crowd(port, patiently, size=2, pause=0.02).start()
    crowd = Crowd(port, mix, size=CLIENTS, check=Mix.check).start()
    try:
        meanwhile(time.monotonic() + seconds)
    finally:
        tally = crowd.stop()
        kept = patient.stop()
    return tally, kept


def nobody_lost(report: Report, tally: Tally, patient: Tally) -> None:
    report.require(not tally.problems, f"wrong answers: {tally.problems[:3]}")
    report.require(not patient.failures, f"clients that retry failed: {patient.failures[:3]}")
    report.require(set(patient.statuses) == {200}, "not all answers after retries were exact")


def in_flight(failure: Failure, moments: list[float]) -> bool:
    """Return True if the failed request was waiting for its answer at one of `moments`."""
    return any(failure.sent - SLACK <= moment <= failure.ended + SLACK for moment in moments)


def kills(running: Replica, seconds: float, every: float) -> Report:
    moments: list[float] = []
    size = len(running.workers)

    def kill(end: float) -> None:
        while time.monotonic() + every <= end:
            time.sleep(every)
            victim = running.kill_worker()
            moments.append(time.monotonic())
            wait_until(
                lambda killed=victim: (
                    len(running.workers) >= size and killed not in running.workers
                ),
                30,
                "a new worker",
            )

    tally, patient = under_load(running.port, seconds, kill)
    stray = [failure for failure in tally.failures if not in_flight(failure, moments)]
    report = Report(f"one of {size} workers killed {len(moments)} times in {seconds:.0f} s")
    report.figures = {
        "answers": dict(tally.statuses),
        "failures": len(tally.failures),
        "failures per kill": round(len(tally.failures) / max(1, len(moments)), 1),
        "failures not in flight at a kill": len(stray),
        "clients that retry: answers": patient.answered,
        "clients that retry: failures": len(patient.failures),
    }
    report.require(bool(moments) and tally.statuses[200] > 0, "there was no load")
    report.require(not stray, f"requests failed that were not in flight at a kill: {stray[:3]}")
    report.require(
        len(tally.failures) <= len(moments) * CLIENTS, "more requests failed than were in flight"
    )
    nobody_lost(report, tally, patient)
    return report


def reloads(running: Replica, seconds: float, times: int = 1) -> Report:
    before = set(running.workers)
    between = seconds / (times + 1)

    def reload(_: float) -> None:
        for _each in range(times):
            time.sleep(between)
            old = set(running.workers)
            running.reload()
            wait_until(
                lambda old=old: running.workers and not old & set(running.workers),
                40,
                "new workers",
            )
        time.sleep(between)

    tally, patient = under_load(running.port, seconds, reload)
    report = Report(f"{times} reload{'s' * (times != 1)} in {seconds:.0f} s of full load")
    report.figures = {
        "answers": dict(tally.statuses),
        "failures": len(tally.failures),
        "clients that retry: answers": patient.answered,
        "clients that retry: failures": len(patient.failures),
    }
    report.require(not before & set(running.workers), "old workers are still running")
    report.require(tally.statuses[200] > 0, "there was no load")
    report.require(not tally.failures, f"requests failed: {tally.failures[:3]}")
    nobody_lost(report, tally, patient)
    return report


def stop(running: Replica, seconds: float) -> Report:
    mix = Mix(seed=6, time_ms=TIME_MS * 5, searches=0.3)
    crowd = Crowd(running.port, mix, size=CLIENTS, check=Mix.check, timeout=10).start()
    time.sleep(seconds)
    moment = time.monotonic()
    status = running.stop()
    took = time.monotonic() - moment
    tally = crowd.stop()
    # Requests sent before the signal must be answered. Later requests may find the port closed.
    unanswered = [failure for failure in tally.failures if failure.sent < moment]
    report = Report(f"SIGTERM after {seconds:.0f} s of full load")
    report.figures = {
        "answers": dict(tally.statuses),
        "accepted and not answered": len(unanswered),
        "seconds to stop": round(took, 2),
        "exit status": status,
    }
    report.require(status == 0, f"it ended with {status}")
    report.require(tally.statuses[200] > 0, "there was no load")
    report.require(not unanswered, f"accepted requests were not answered: {unanswered[:3]}")
    report.require(not tally.problems, f"wrong answers: {tally.problems[:3]}")
    return report


def everything(seconds: float) -> list[Report]:
    reports = []
    with service(workers=4) as running:
        reports.append(kills(running, seconds, every=5))
    with service(workers=2) as running:
        reports.append(reloads(running, seconds))
    with service(workers=2) as running:
        reports.append(stop(running, min(seconds, 10)))
    return reports


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, seconds=60.0))
