"""Runs tasks with Dask: in processes on this machine, or on the workers of a scheduler."""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from socket import getaddrinfo
from typing import Any, Final, TypeVar

import dask
from distributed import Client, LocalCluster, as_completed, get_worker
from distributed.comm.addressing import get_address_host_port
from distributed.scheduler import KilledWorker

from bestmove.cpus import available_cpus
from bestmove.errors import ClusterFailed, InvalidInput

Piece = TypeVar("Piece")
JobResult = TypeVar("JobResult")

_AHEAD: Final = 3
"""Tasks sent to each processor. If more than five seconds of work wait for a processor, Dask adds
workers. Three tasks, each a part of a table, are six seconds of work."""

_WAIT_S: Final = 30
"""Seconds to wait for a scheduler's first answer."""

_DEATHS: Final = 20
"""A task fails after this many workers were killed while running it. The number is large, because
the task need not be the cause."""

_MESSAGES: Final = 10
"""Dask keeps this many messages of each connection for debugging. Dask's default is 1,000, which
would take much memory: a message contains a part of a table."""

_ENGINE: Final = ("game", "search", "label")
"""The folders whose files affect the answers."""


@cache
def build() -> dict[str, str]:
    """Return the version, whether the engine is compiled, and a hash of the sources."""
    from bestmove.search.engines.connect4 import kernel as dropper
    from bestmove.search.engines.gomoku import search
    from bestmove.search.engines.solver import kernel
    from bestmove.version import __version__

    digest = sha256()
    package = Path(__file__).parent
    for folder in _ENGINE:
        for path in sorted((package / folder).rglob("*")):
            if path.suffix in (".py", ".pxd", ".bin", ".json"):
                digest.update(path.relative_to(package).as_posix().encode())
                digest.update(path.read_bytes())
    compiled = search.compiled and kernel.compiled and dropper.compiled
    return {
        "version": __version__,
        "engine": "compiled" if compiled else "plain Python",
        "sources": digest.hexdigest()[:16],
    }


class Cluster:
    """Workers that run the tasks of one program. A worker may join and leave at any time.

    Attributes:
        processors: how many processors the workers had at the last `count`.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self.processors = 0
        for address, found in client.run(build, on_error="return").items():
            if isinstance(found, BaseException):
                raise ClusterFailed(f"worker {address} cannot load bestmove.label: {found}")
            _require_same(address, found, build())
        self.count()

    def count(self) -> None:
        """Ask the scheduler how many processors the workers have."""
        with suppress(OSError):  # if the connection is lost, the tasks report it
            self.processors = sum(self._client.nthreads().values())

    def results(
        self, function: Callable[[Piece], JobResult], tasks: Iterable[Piece]
    ) -> Iterator[tuple[Piece, JobResult]]:
        """Run the tasks. Whenever a task ends, yield the task with the function's result.

        - A task is taken from `tasks` only when a worker needs one.
        - If a worker is killed, another worker repeats its task.
        - While there is no worker, the tasks wait.

        Args:
            function: the function to call for each task.
            tasks: the arguments of `function`, one for each call.

        Raises:
            ClusterFailed: a worker with another build joined, too many workers were killed while
                running one task, or the connection to the scheduler was lost.
        """
        waiting = iter(tasks)
        sent: dict[Any, Piece] = {}
        done = as_completed(loop=self._client.loop)

        def send() -> None:
            self.count()
            while len(sent) < _AHEAD * max(1, self.processors):
                task = next(waiting, None)
                if task is None:
                    return
                future = self._client.submit(_run, function, task, build(), pure=False)
                sent[future.key] = task
                done.add(future)

        send()
        for future in done:
            try:
                result = future.result()
            except KilledWorker as error:
                raise ClusterFailed(f"{_DEATHS} workers died during one task: {error}") from None
            except CancelledError:
                raise ClusterFailed(
                    "the connection to the scheduler was lost: run the same command again to resume"
                ) from None
            task = sent.pop(future.key)
            future.release()
            yield task, result
            send()


def require_same_job(folder: str, before: object, now: object) -> None:
    """Check that two manifests are the same.

    Raises:
        InvalidInput: they differ; the message names the differences.
    """
    differing = [*_differences("", before, json.loads(json.dumps(now, default=str)))]
    if differing:
        raise InvalidInput(
            f"{folder} has the parts of another job ({'; '.join(differing)}): "
            "repeat that command, or remove the folder",
            "output",
        )


def _differences(where: str, before: Any, now: Any) -> Iterable[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted({*before, *now}):
            place = f"{where}.{name}" if where else name
            yield from _differences(place, before.get(name), now.get(name))
    elif before != now:
        shown = (
            "not given" if value is None else json.dumps(value, ensure_ascii=False)
            for value in (before, now)
        )
        yield f"{where}: {' instead of '.join(shown)}"


@contextmanager
def cluster(jobs: int | None = None, scheduler: str | None = None) -> Iterator[Cluster]:
    """Run a cluster: processes on this machine, or the workers of a scheduler.

    Args:
        jobs: the number of processes; by default one for each processor that the container may use.
        scheduler: an address such as `tcp://host:8786`, to use its workers instead of processes.

    Raises:
        ClusterFailed: the scheduler does not answer, or one of its workers has another build.
    """
    # Dask must not log the errors of workers: this module reports them.
    for logger in ("distributed", "distributed.client"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    settings = {
        "distributed.scheduler.allowed-failures": _DEATHS,
        "distributed.admin.low-level-log-length": _MESSAGES,
        "distributed.admin.large-graph-warning-threshold": "1GB",
        # The profiler interrupts a worker every 10 ms, and nobody reads the profiles.
        "distributed.worker.profile.enabled": False,
    }
    with dask.config.set(settings):
        if scheduler is not None:
            try:
                # Without this check, Dask would try an unknown host name until its time limit.
                getaddrinfo(*get_address_host_port(scheduler))
                client = Client(scheduler, timeout=_WAIT_S, set_as_default=False)
            except (OSError, ValueError) as error:
                raise ClusterFailed(f"no scheduler at {scheduler}: {error}") from None
            with client:
                yield Cluster(client)
            return
        with (
            LocalCluster(
                n_workers=jobs or available_cpus(),
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # with None, Dask would listen on all interfaces
                memory_limit=0,
                preload=[__name__],
                silence_logs=logging.CRITICAL,
            ) as local,
            Client(local, set_as_default=False) as client,
        ):
            yield Cluster(client)


def dask_setup(_: object) -> None:
    """Ignore Ctrl-C, which the main process handles. Dask calls this in each process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(
    function: Callable[[Piece], JobResult], task: Piece, expected: dict[str, str]
) -> JobResult:
    # The worker may have joined after the check at the start.
    _require_same(get_worker().address, build(), expected)
    return function(task)


def _require_same(address: str, found: dict[str, str], expected: dict[str, str]) -> None:
    for name, value in expected.items():
        if found.get(name) != value:
            raise ClusterFailed(
                f"worker {address} has {name} {found.get(name)}, but this command has {value}: "
                "install the same bestmove on both"
            )
