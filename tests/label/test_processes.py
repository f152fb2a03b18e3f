"""`bestmove label` with several processes: killed, interrupted, or connected by a scheduler."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bestmove import Board
from bestmove.cluster import cluster
from bestmove.label import Options, label
from tests.support.needs import COMPILED
from tests.support.positions import after_random_moves
from tests.support.programs import hear_ctrl_c

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), COMPILED]

ROWS = 600
NODES = 4_000


@contextmanager
def running(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run a Python program in its own process group. Kill the group at the end."""
    process = subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(process.pid)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "spawn_main" in line]


def kill_worker(process: subprocess.Popen[str]) -> None:
    for pid in workers_of(process)[:1]:
        os.kill(pid, signal.SIGKILL)


def kill_all(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """Yield the address of a running Dask scheduler."""
    file = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", 0, "--no-dashboard", "--scheduler-file", file)
    with running("-m", "distributed.cli.dask_scheduler", *options) as process:
        while not file.exists() or not file.read_text():
            assert process.poll() is None
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"]


def worker(address: str, *options: object) -> tuple[object, ...]:
    alone = ("--nthreads", 1, "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    return ("-m", "distributed.cli.dask_worker", address, *alone, *options)


@pytest.fixture(scope="module")
def table() -> pa.Table:
    dice = random.Random(9)
    empty = Board.empty(game="gomoku")
    boards = [str(after_random_moves(dice, empty, dice.randrange(2, 40))) for _ in range(ROWS)]
    boards[3::100] = ["bad"] * len(boards[3::100])
    boards[5::50] = ["X...O...."] * len(boards[5::50])
    return pa.table({"id": range(ROWS), "board": boards})


@pytest.fixture(scope="module")
def expected(table: pa.Table) -> pa.Table:
    with pytest.warns(UserWarning, match="sizes of boards: 15x15 58"):
        return label(table, Options(nodes=NODES))


@pytest.fixture
def source(tmp_path: Path, table: pa.Table) -> Path:
    pq.write_table(table, tmp_path / "in.parquet")
    return tmp_path / "in.parquet"


def labelling(source: Path, *options: object) -> tuple[object, ...]:
    output = source.with_name("out.parquet")
    return ("-m", "bestmove", "label", source, output, "--nodes", NODES, *options)


def finish(source: Path, *options: object) -> tuple[pa.Table, str]:
    with running(*labelling(source, *options)) as process:
        said, _ = process.communicate()
    assert process.returncode == 3, said
    return pq.read_table(source.with_name("out.parquet")), said


def wait_for_parts(source: Path, parts: int, process: subprocess.Popen[str]) -> None:
    folder = source.with_name("out.parquet.parts")
    while process.poll() is None and len([*folder.glob("*.arrow")]) < parts:
        time.sleep(0.01)


def test_the_table_is_the_same_with_one_job_and_three(source: Path, expected: pa.Table) -> None:
    found, said = finish(source, "--jobs", 1)
    assert found.equals(expected)
    assert f"Z {ROWS} rows in " in said
    assert "6 with a problem" in said
    assert "row 4: " in said
    first = source.with_name("out.parquet").read_bytes()
    source.with_name("out.parquet").unlink()
    finish(source, "--jobs", 3)
    assert source.with_name("out.parquet").read_bytes() == first


@pytest.mark.parametrize("kill", [kill_worker, subprocess.Popen.kill, kill_all])
def test_after_kills_the_table_is_complete_in_the_end(
    source: Path, expected: pa.Table, kill: Callable[[subprocess.Popen[str]], None]
) -> None:
    for parts in (1, 4, 7):
        with running(*labelling(source, "--jobs", 2)) as process:
            wait_for_parts(source, parts, process)
            workers = workers_of(process)
            kill(process)
            if kill is kill_worker:
                process.communicate()
                assert process.returncode == 3
                break
            process.wait()
            gone_by = time.monotonic() + 30
            while any(alive(pid) for pid in workers) and time.monotonic() < gone_by:
                time.sleep(0.05)
            assert not any(alive(pid) for pid in workers)
    if kill is not kill_worker:
        _, said = finish(source, "--jobs", 2)
        assert "resuming after" in said
    assert pq.read_table(source.with_name("out.parquet")).equals(expected)
    assert {path.name for path in source.parent.iterdir()} == {"in.parquet", "out.parquet"}


@pytest.mark.parametrize(
    "stop",
    [
        lambda process: os.killpg(process.pid, signal.SIGINT),
        lambda process: os.kill(process.pid, signal.SIGTERM),
    ],
    ids=["ctrl-c", "sigterm"],
)
def test_a_stop_keeps_what_is_done_and_says_so(
    source: Path, expected: pa.Table, stop: Callable[[subprocess.Popen[str]], None]
) -> None:
    with running(*labelling(source, "--jobs", 2)) as process:
        wait_for_parts(source, 2, process)
        stop(process)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert f"0 of {ROWS} rows (0%) on 2 processors" in said
    assert f"of {ROWS} rows are done: run the same command again" in said
    assert "Traceback" not in said
    found, said = finish(source)
    assert "resuming after" in said
    assert found.equals(expected)


def test_workers_join_a_scheduler_by_its_address_alone(
    tmp_path: Path, source: Path, expected: pa.Table
) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    with scheduler(place) as address, running(*worker(address)), running(*worker(address)):
        found, _ = finish(source, "--scheduler", address)
    assert found.equals(expected)


def test_a_worker_of_another_build_is_refused_by_name(tmp_path: Path, source: Path) -> None:
    preload = tmp_path / "other.py"
    preload.write_text(
        "from bestmove import cluster\n"
        "found = {**cluster.build(), 'version': '0.1'}\n"
        "cluster.build = lambda: found\n"
    )
    with (
        scheduler(tmp_path) as address,
        running(*worker(address, "--preload", preload)),
        running(*labelling(source, "--scheduler", address)) as process,
    ):
        said, _ = process.communicate()
    assert process.returncode == 1
    assert "worker tcp://127.0.0.1:" in said
    assert "has version 0.1, but this command" in said


def test_finished_tasks_do_not_stay_in_memory() -> None:
    """Dask keeps the last messages of each connection, so a few tasks may stay in memory."""
    size, count = 200_000, 100
    with cluster(1) as workers:
        tracemalloc.start()
        try:
            tasks = (bytes([number % 256]) * size for number in range(count))
            assert [found for _, found in workers.results(len, tasks)] == [size] * count
            held, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert held < count * size / 2
