"""Short forms of the scenarios in benchmarks/load. They check the same claims, in seconds instead
of a minute.

The bounds on time are wide here, so that no test fails on a busy machine. The full scenarios (such
as `python -m benchmarks.load.overload`) check the bounds that the service promises.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.load import attacks, chaos, counters, fuzz, overload, scale
from benchmarks.load.report import Report, service
from tests.support.needs import LONG, NGINX
from tests.support.replicas import Replica

pytestmark = [pytest.mark.slow, LONG]

LATE = 2.0
"""How many seconds late an answer may be."""

WIDE = overload.Bounds(late=LATE, refusal=1.0, lookup=1.0)

Scenario = Callable[[Replica], Report]
ON_A_SERVICE: dict[str, tuple[int, Scenario]] = {
    "a worker is killed": (4, lambda running: chaos.kills(running, seconds=7, every=2)),
    "a reload": (2, lambda running: chaos.reloads(running, seconds=4)),
    "a stop": (2, lambda running: chaos.stop(running, seconds=2)),
    "malformed bytes": (2, lambda running: fuzz.fuzz(running, requests=6000, seed=3)),
    "counters": (counters.WORKERS, lambda running: counters.counted(running, seconds=3)),
}
"""Each scenario, with the number of workers that it needs."""


OTHER_ATTACKS: dict[str, Callable[..., Report]] = {
    "clients that hang up": attacks.gone,
    "many clients": attacks.many,
    "slow clients": attacks.drip,
}


def assert_holds(report: Report) -> None:
    print(report)
    assert not report.broken, str(report)


@pytest.mark.parametrize("name", ON_A_SERVICE)
def test_the_claims_of_the_scenario_hold(name: str) -> None:
    workers, scenario = ON_A_SERVICE[name]
    with service(workers=workers, log_level="info") as running:
        assert_holds(scenario(running))


@pytest.mark.parametrize("times", [overload.TWICE, overload.FAR_TOO_MUCH])
def test_too_many_searches_are_on_time_or_refused_and_look_ups_continue(times: int) -> None:
    assert_holds(overload.overload(seconds=4, bounds=WIDE, times=times))


@NGINX
def test_two_replicas_search_more_than_one(tmp_path: Path) -> None:
    assert_holds(scale.searches(tmp_path, seconds=2, least=1.2))


@NGINX
def test_the_cache_answers_most_questions_of_people_who_play(tmp_path: Path) -> None:
    assert_holds(scale.cache(tmp_path, count=1500))


def test_more_silent_clients_than_descriptors_stop_nobody() -> None:
    with service(command=attacks.with_few_descriptors(), workers=1) as running:
        assert_holds(attacks.silent(running, seconds=3, late=LATE))


def test_more_busy_clients_than_descriptors_stop_nobody() -> None:
    with service(command=attacks.with_few_descriptors(), workers=1) as running:
        assert_holds(attacks.busy(running, seconds=3, late=LATE))


def test_a_log_that_nobody_reads_stops_nobody(tmp_path: Path) -> None:
    command = attacks.with_a_log_that_nobody_reads(tmp_path)
    with service(command=command, workers=1, log_level="info") as running:
        assert_holds(attacks.unread(running, seconds=8, late=LATE))


@pytest.fixture(scope="module")
def attacked() -> Iterator[Replica]:
    """Yield a service. It must survive all attacks, one after another."""
    with service(command=attacks.COMMAND, workers=1) as running:
        yield running


@pytest.mark.parametrize("name", attacks.FLOODS)
def test_a_flood_stops_neither_probes_nor_look_ups(attacked: Replica, name: str) -> None:
    assert_holds(attacks.flood(attacked, name, seconds=2, late=LATE))


@pytest.mark.parametrize("name", OTHER_ATTACKS)
def test_other_clients_stop_neither_probes_nor_look_ups(attacked: Replica, name: str) -> None:
    report = OTHER_ATTACKS[name](attacked, seconds=3, late=LATE)
    assert_holds(report)
    assert attacks.table([report]).splitlines()[-1].endswith("| 0 |")
