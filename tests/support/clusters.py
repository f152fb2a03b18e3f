"""Starts clusters of threads, clusters of processes that a test can kill, and a Dask scheduler."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from bestmove.cluster import Cluster
from tests.support.programs import hear_ctrl_c


@pytest.fixture(scope="session")
def workers() -> Iterator[Cluster]:
    """Provide a cluster of two threads, which start faster than processes."""
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield Cluster(client)


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


def kill_command(process: subprocess.Popen[str]) -> None:
    process.kill()


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
