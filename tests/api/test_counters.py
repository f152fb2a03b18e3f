"""The files of the counters: when the disk is full, and when a process ends."""

import json
import os
import sys
from pathlib import Path

import pytest

from bestmove.api import counters, metrics
from bestmove.api.app import create_app
from bestmove.api.counters import SIZES
from bestmove.api.problems import KINDS
from tests.api.test_metrics import samples
from tests.support.programs import run

ENTRY = 32
"""The bytes of an entry beside its key, at most."""

OTHER_STATUSES = 8
"""Statuses that are not errors, such as 200 and 304, and some to spare."""

REFUSALS = 3
"""The statuses of a method that a route does not allow: 405, 408 and 413."""

METRICS = """
import os, signal, sys, time
from bestmove.api.metrics import Metrics
metrics = Metrics(slots=2)
"""
"""The start of a program that counts. The program forks, as the service's master does."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(counters.DIRECTORY, str(tmp_path))
    return tmp_path


def printed(code: str) -> str:
    return run(sys.executable, "-c", METRICS + code, timeout=60).stdout


def test_a_new_process_continues_the_counters_of_an_ended_one(folder: Path) -> None:
    shown = printed("""
for number in range(1, 31):
    if os.fork() == 0:
        metrics.refused()
        metrics.searching(number)
        if number == 30:
            metrics._stale_at = time.monotonic() + 60
            assert metrics.exposition() is None, "the files are not added up again so soon"
            metrics._stale_at = 0
            print(metrics.exposition().decode(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    os.wait()
""")
    counted = samples(shown)
    assert counted["bestmove_searches_refused_total{}"] == 30
    assert counted["bestmove_searches_in_progress{}"] == 30
    assert counted["bestmove_search_slots{}"] == 2
    files = {f"{kind}_{number}.db" for kind in SIZES for number in (0, 1)}
    assert {file.name for file in folder.glob("*.db")} == files


@pytest.mark.usefixtures("folder")
def test_processes_that_run_at_the_same_time_have_files_of_their_own() -> None:
    shown = printed("""
told, tell = os.pipe()
children = []
for number in range(3):
    child = os.fork()
    if child == 0:
        metrics.searching(1)
        os.write(tell, b".")
        signal.pause()
    os.read(told, 1)
    children.append(child)
print(metrics.exposition().decode())
for child in children:
    os.kill(child, signal.SIGKILL)
""")
    assert samples(shown)["bestmove_searches_in_progress{}"] == 3


def test_space_is_taken_at_the_start(folder: Path) -> None:
    printed("")
    for kind, size in SIZES.items():
        stat = os.stat(folder / f"{kind}_0.db")
        assert stat.st_blocks * 512 >= stat.st_size == size


def test_the_space_is_enough_for_every_combination_of_labels() -> None:
    def entry(name: str, suffix: str, about: str, **labels: str) -> int:
        return len(json.dumps([name, name + suffix, labels, about])) + ENTRY

    rules = list(create_app().url_map.iter_rules())
    route = max((rule.rule for rule in rules), key=len)
    labels = {"route": route, "method": "OPTIONS", "status": "200"}
    of_requests = entry("bestmove_http_requests", "_total", "Requests answered.", **labels)
    allowed = sum(len(rule.methods or ()) for rule in rules)
    refused = len(rules) * (len(metrics._METHODS) + 1) * REFUSALS
    combinations = allowed * (len(KINDS) + OTHER_STATUSES) + refused
    assert combinations * of_requests < 0.9 * SIZES["counter"]
    name, about = (
        "bestmove_http_request_duration_seconds",
        "From a request's arrival to its answer.",
    )
    of_seconds = entry(name, "_bucket", about, route=route, le="0.00025")
    assert len(rules) * (len(metrics._LATENCIES) + 2) * of_seconds < SIZES["histogram"]


@pytest.mark.usefixtures("folder")
def test_a_process_that_finds_the_folder_full_goes_on_without_and_spoils_nothing() -> None:
    lost, _, shown = printed("""
import errno
metrics.refused()
def full(*_):
    raise OSError(errno.ENOSPC, "full")
os.posix_fallocate = full
if os.fork() == 0:
    metrics.refused()
    print(metrics.lost, flush=True)
    os._exit(0)
os.wait()
print(metrics.exposition().decode())
""").partition("\n")
    assert lost == "[Errno 28] full"
    assert samples(shown)["bestmove_searches_refused_total{}"] == 1
