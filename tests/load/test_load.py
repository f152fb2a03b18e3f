"""Short forms of the scenarios in benchmarks/load. They check the same claims, in seconds instead
of a minute.

The bounds on time are wide here, so that no test fails on a busy machine. The full scenarios
(`python -m benchmarks.load.attacks`) check the bounds that the service promises.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from benchmarks.load import attacks, overload, restarts
from benchmarks.load.report import Report, service
from tests.support.needs import LONG
from tests.support.replicas import Replica

pytestmark = [pytest.mark.slow, LONG]

LATE = 2.0
"""How many seconds late an answer may be."""

OTHER_ATTACKS: dict[str, Callable[..., Report]] = {
    "clients that hang up": attacks.gone,
    "many clients": partial(attacks.flood, name="mixed requests", size=attacks.MANY),
    "slow bodies": partial(attacks.held, name="300 slow bodies"),
    "a class": partial(overload.overload, exact=False),
    "a crowd": partial(overload.overload, clients=overload.CROWD, exact=False),
}


def assert_holds(report: Report) -> None:
    print(report)
    assert not report.broken, str(report)


@pytest.mark.parametrize("kill", [True, False], ids=["kills", "reloads"])
def test_new_workers_replace_old_ones_and_no_other_request_is_lost(kill: bool) -> None:
    with service(workers=4 if kill else 2) as running:
        assert_holds(restarts.restarts(running, seconds=7, kill=kill))


def test_a_stop_answers_what_was_sent_before() -> None:
    with service(workers=2) as running:
        assert_holds(restarts.stop(running, seconds=2))


def test_worker_classes_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: attacks.HELD[name] for name in ("300 slow readers", "256 descriptors, 600 silent")}
    monkeypatch.setattr(attacks, "HELD", few)
    _, _, readers, silent, stopped = attacks.compare(["own"], seconds=1)
    for row in (readers, silent):
        assert re.search(r"\| \d+ / 0 / \d+ \|$", row)
    assert re.search(r"\| 0, \d+ reset \|$", stopped)


def test_more_busy_clients_than_descriptors_stop_nobody() -> None:
    few = attacks.FEW_DESCRIPTORS
    with service(command=attacks.COMMAND, workers=1, open_files=few) as running:
        assert_holds(attacks.busy(running, seconds=3, late=LATE))


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
