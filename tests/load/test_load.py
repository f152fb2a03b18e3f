"""The load and failure scenarios in short: the same claims, for seconds instead of a minute.

Bounds on time are wide here, to tell what is broken and not how busy the machine is; the scenarios
run by themselves (`python -m benchmarks.load.overload`) hold the service to what it promises.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.load import (
    attacks,
    chaos,
    counters,
    fuzz,
    overload,
    repeatable,
    scale,
    slow_clients,
)
from benchmarks.load.report import Report
from tests.support.needs import LONG, NGINX
from tests.support.replicas import replica

pytestmark = [pytest.mark.slow, LONG]

WIDE = overload.Bounds(late=2.0, refusal=1.0, lookup=1.0)


def assert_holds(report: Report) -> None:
    print(report)
    assert not report.broken, str(report)


def test_a_killed_worker_costs_only_what_it_had_and_a_client_with_retries_nothing(
    tmp_path: Path,
) -> None:
    with replica(tmp_path, workers=4, log_level="warning") as service:
        assert_holds(chaos.kills(service, seconds=7, every=2))


def test_a_reload_under_load_fails_nothing(tmp_path: Path) -> None:
    with replica(tmp_path, workers=2, log_level="warning") as service:
        assert_holds(chaos.reloads(service, seconds=4))


def test_a_stop_answers_every_request_it_accepted(tmp_path: Path) -> None:
    with replica(tmp_path, workers=2, log_level="warning") as service:
        assert_holds(chaos.stop(service, seconds=2))


@NGINX
def test_behind_nginx_a_replica_can_be_stopped_unnoticed(tmp_path: Path) -> None:
    assert_holds(chaos.rolling(tmp_path, seconds=4))


@pytest.mark.parametrize("times", [overload.TWICE, overload.FAR_TOO_MUCH])
def test_too_many_searches_are_answered_in_time_or_refused_and_look_ups_go_on(times: int) -> None:
    assert_holds(overload.overload(seconds=4, bounds=WIDE, times=times))


@NGINX
def test_two_hundred_slow_clients_behind_nginx_hold_up_nobody() -> None:
    assert_holds(slow_clients.slow(seconds=5))


def test_malformed_bytes_never_make_an_internal_error_and_memory_stays_flat(
    tmp_path: Path,
) -> None:
    with replica(tmp_path, workers=2, log_level="warning") as service:
        assert_holds(fuzz.fuzz(service, total=6000, seed=3))


def test_counters_seen_from_outside_are_those_reported_though_a_worker_is_killed(
    tmp_path: Path,
) -> None:
    with replica(tmp_path, workers=counters.WORKERS, log_level="warning") as service:
        assert_holds(counters.counted(service, seconds=3))


def test_equal_questions_get_equal_answers_on_a_busy_machine(tmp_path: Path) -> None:
    with replica(tmp_path, workers=2, log_level="warning") as service:
        assert_holds(repeatable.repeatable(service, 20, seconds=90))


@NGINX
def test_two_replicas_search_more_than_one(tmp_path: Path) -> None:
    assert_holds(scale.searches(tmp_path, seconds=2, least=1.2))


@NGINX
def test_the_cache_answers_most_of_what_people_who_play_ask(tmp_path: Path) -> None:
    assert_holds(scale.cache(tmp_path, count=1500))


def test_more_silent_clients_than_descriptors_stop_nobody(tmp_path: Path) -> None:
    with replica(tmp_path, command=attacks.with_few_descriptors(), workers=1) as service:
        assert_holds(attacks.silent(service, seconds=3, late=2.0))


def test_a_log_that_nobody_reads_stops_nobody(tmp_path: Path) -> None:
    command = attacks.with_a_log_that_nobody_reads(tmp_path)
    with replica(tmp_path, command=command, workers=1) as service:
        assert_holds(attacks.unread(service, seconds=8, late=2.0))


@pytest.mark.parametrize("name", [*attacks.FLOODS, "batches left alone", "slow clients"])
def test_one_clients_attack_stops_neither_probes_nor_look_ups(tmp_path: Path, name: str) -> None:
    with replica(tmp_path, command=attacks.COMMAND, workers=1, log_level="warning") as service:
        if name in attacks.FLOODS:
            assert_holds(attacks.flood(service, name, seconds=3, late=2.0))
        else:
            attack = attacks.drip if name == "slow clients" else attacks.gone
            report = attack(service, seconds=4, late=2.0)
            assert_holds(report)
            assert attacks.table([report]).splitlines()[-1].endswith("| 0 |")
