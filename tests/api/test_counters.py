"""The counters' files when the disk is full, and when a process ends."""

import errno
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bestmove.api import counters
from bestmove.api.counters import ReservedDict, exposition, forget
from tests.api.conftest import MakeApi
from tests.api.test_metrics import samples

KEY = '["bestmove_things_total", "bestmove_things_total", {"of": "a"}, "Things."]'
PEAK = '["bestmove_peak", "bestmove_peak", {}, "The peak."]'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(counters.DIRECTORY, str(tmp_path))
    return tmp_path


def write(file: Path, key: str, value: float) -> None:
    found = ReservedDict(str(file))
    found.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]
    found.close()  # type: ignore[no-untyped-call]


def test_the_files_of_ended_processes_become_one_of_each_kind(folder: Path) -> None:
    for process in range(1, 31):
        write(folder / f"counter_{process}.db", KEY, process)
        write(folder / f"gauge_max_{process}.db", PEAK, 40 - process)
        write(folder / f"gauge_livesum_{process}.db", KEY.replace("things", "now"), 1)
    before = samples(exposition().decode())
    assert before["bestmove_things_total{of=a}"] == sum(range(1, 31))
    assert before["bestmove_peak{}"] == 39
    for process in range(1, 31):
        forget(process)
    after = samples(exposition().decode())
    assert sorted(file.name for file in folder.iterdir()) == [
        "counter_ended.db",
        "gauge_max_ended.db",
        "lock",
    ]
    del before["bestmove_now_total{of=a}"]
    assert after == before


def test_space_is_taken_before_it_is_written_to(folder: Path) -> None:
    file = ReservedDict(str(folder / "counter_1.db"))
    for number in range(2000):
        file.write_value(KEY.replace('"a"', f'"{number}"'), 1.0, 0.0)  # type: ignore[no-untyped-call]
        stat = os.stat(folder / "counter_1.db")
        assert stat.st_blocks * 512 >= stat.st_size >= file._capacity
    file.close()  # type: ignore[no-untyped-call]


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_folder_leaves_nothing_that_cannot_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "counter_1.db", KEY, 3)
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        ReservedDict(str(folder / "counter_2.db"))
    with pytest.raises(OSError, match="No space left"):
        forget(1)
    assert samples(exposition().decode()) == {"bestmove_things_total{of=a}": 3}


def test_a_service_whose_metrics_are_lost_goes_on_without_them(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    api = make_api()
    metrics = api.app.extensions["bestmove.metrics"]
    monkeypatch.setattr(metrics, "_request_child", full)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            assert api.best_move("X...O....")["move"]["index"] == 1
    assert [record.message for record in caplog.records] == [
        "the metrics cannot be kept, so the service goes on without them: "
        "[Errno 28] No space left on device"
    ]
    assert api.get("/metrics").status_code == 503
    assert api.get("/healthz").status_code == 200


def test_a_process_that_finds_no_folder_starts_without_metrics() -> None:
    program = (
        "from bestmove.api.app import create_app\n"
        "client = create_app().test_client()\n"
        "print(client.get('/healthz').status_code, client.get('/metrics').status_code)"
    )
    environment = os.environ | {counters.DIRECTORY: "/nonexistent/metrics"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "200 503"
    assert (
        done.stdout.count("the metrics cannot be kept") + done.stderr.count("cannot be kept") == 1
    )
