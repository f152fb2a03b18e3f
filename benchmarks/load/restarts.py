"""Kills, reloads and stops the workers of a service under full load."""

import contextlib
import random
import re
import time
from collections import Counter

from benchmarks.load.report import Report
from bestmove.client import Client
from bestmove.errors import ServiceError
from tests.support.connection import LOOPBACK, Answer, Connection, encode
from tests.support.crowd import Crowd
from tests.support.positions import OPEN_15, small
from tests.support.questions import Mix, Only
from tests.support.replicas import Replica, wait_until

CLIENTS = 24
TIME_MS = 100
RESTART_EVERY = 2.0
SLACK = 0.25
"""The most seconds between sending a signal and its arrival, on a busy machine."""

COUNTED = re.compile(
    r'(?m)^bestmove_http_requests_total{(?!.*route="/(?:metrics|readyz)").*status="(\d+)".*} (\S+)$'
)

SETTLE_S = 10.0
"""The most seconds between sending an answer and counting it in the metrics."""


STREAM = encode(
    "/best-move", {"board": OPEN_15, "time_ms": 5000}, headers={"Accept": "text/event-stream"}
)


def patiently(connection: Connection, number: int) -> Answer:
    """Ask about a 3×3 position with the project's client, which retries."""
    url = f"http://{LOOPBACK}:{connection.port}"
    try:
        with Client(url, retries=5, backoff=0.1) as client:
            answer = client.best_move(str(small(random.Random(number))))
    except ServiceError as error:
        raise OSError(f"{type(error).__name__}: {error}") from error
    return Answer(200 if answer.exact else 0, {}, b"", 0)


def counts(port: int) -> Counter[int]:
    """Return how many answers /metrics counts, by status."""
    with Connection(port) as connection:
        text = connection.get("/metrics").body.decode()
    found: Counter[int] = Counter()
    for status, count in COUNTED.findall(text):
        found[int(status)] += int(float(count))
    return found


def restarts(service: Replica, seconds: float, *, kill: bool) -> Report:
    """Kill a worker again and again under full load, or reload the service.

    Only requests in flight at a kill may be lost, and only their answers may be missing in
    /metrics. A client that retries loses nothing.
    """
    size, before, times = len(service.workers), counts(service.port), 0
    kills: list[float] = []
    load = Crowd(service.port, Mix(5, TIME_MS), size=CLIENTS, check=Mix.check).start()
    patient = Crowd(service.port, patiently, size=2, pause=0.02).start()
    ends = time.monotonic() + seconds
    while time.monotonic() + RESTART_EVERY < ends:
        time.sleep(RESTART_EVERY)
        gone = {*service.workers}
        if kill:
            gone = {service.kill_worker()}
            kills.append(time.monotonic())
        else:
            service.reload()
        wait_until(
            lambda gone=gone: len(service.workers) == size and gone.isdisjoint(service.workers),
            40,
            "the new workers",
        )
        times += 1
    tally, kept = load.stop(), patient.stop()
    seen = before + tally.statuses + kept.statuses
    with contextlib.suppress(TimeoutError):  # the report shows a lasting difference
        wait_until(lambda: counts(service.port) >= seen, SETTLE_S, "the metrics")
    told = counts(service.port)
    stray = [
        failure
        for failure in tally.failures
        if not any(failure.sent - SLACK <= moment <= failure.ended + SLACK for moment in kills)
    ]
    report = Report(f"{times} {'kills of a worker' if kill else 'reloads'}, {seconds:.0f} s")
    report.figures["answers"] = dict(tally.statuses)
    report.figures["lost"] = len(tally.failures)
    report.figures["counted by /metrics and not seen, seen and not counted"] = (
        f"{(told - seen).total()}, {(seen - told).total()}"
    )
    in_flight = len(kills) * (CLIENTS + 2)
    report.require(times > 0 and tally.statuses[200] > 0, "there was no load")
    report.require(not stray, f"requests failed that were not in flight at a kill: {stray[:3]}")
    report.require(len(tally.failures) <= in_flight, "more requests failed than were in flight")
    report.require(not tally.problems, f"wrong answers: {tally.problems[:3]}")
    report.require(not kept.failures, f"clients that retry failed: {kept.failures[:3]}")
    report.require(set(kept.statuses) == {200}, "not all answers after retries were exact")
    wrong = (told - seen).total() + (seen - told).total()
    report.require(wrong <= in_flight, f"/metrics counts {dict(told)}, not {dict(seen)}")
    return report


def _last_event(answer: Answer) -> str | None:
    whole = b"event: answer" in answer.body or answer.status == 503
    return None if whole else "a stream ended without an answer"


def stop(service: Replica, seconds: float) -> Report:
    """Stop the service under full load. Two streams and the requests sent before the signal must be
    answered. "Reset": connections after the signal that were accepted and lost, instead of refused.
    """
    mix = Mix(6, 5 * TIME_MS, searches=0.3)
    streams = Crowd(service.port, Only([STREAM]), size=2, count=2, check=_last_event).start()
    load = Crowd(service.port, mix, size=CLIENTS, check=Mix.check, timeout=10).start()
    time.sleep(seconds)
    moment = time.monotonic()
    status = service.stop()
    took = time.monotonic() - moment
    tally = load.stop()
    tally.merge(streams.wait())
    lost = [failure for failure in tally.failures if failure.sent < moment]
    refused = [failure for failure in tally.failures if "Refused" in failure.why]
    report = Report(f"SIGTERM after {seconds:.0f} s of full load")
    report.figures["answers"] = dict(tally.statuses)
    report.figures["lost"] = f"{len(lost)}, {len(tally.failures) - len(lost + refused)} reset"
    report.figures["seconds to stop, exit status"] = f"{took:.2f}, {status}"
    report.require(status == 0, f"it ended with {status}")
    report.require(tally.statuses[200] > 0, "there was no load")
    report.require(not lost, f"requests were not answered: {lost[:3]}")
    report.require(not tally.problems, f"wrong answers: {tally.problems[:3]}")
    return report
