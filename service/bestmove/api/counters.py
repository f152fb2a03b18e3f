"""The files in which the processes of a service keep their counters, for prometheus-client.

prometheus-client writes to the files through mapped memory. If the file system is full, such a
write kills the process with SIGBUS. So each process first reserves space for all its counters.

Each process has a number, which is in the names of its files: `counter_3.db`. When it has ended, a
new process takes the number and continues the counters. So no count is lost, and the number of
files stays the same.
"""

from __future__ import annotations

import fcntl
import os
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from prometheus_client import values
from prometheus_client.multiprocess import mark_process_dead

DIRECTORY: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the files' folder. If it is unset, each process has its own
counters.
"""

SIZES: Final = {
    "counter": 1 << 19,
    "histogram": 1 << 17,
    "gauge_livesum": 1 << 12,
    "gauge_max": 1 << 12,
}
"""The size of each file in bytes: enough for every combination of labels."""


def keep_in_files() -> None:
    """Make prometheus-client keep the metrics that are created from now on in numbered files.

    Raises:
        OSError: the folder is missing or full. A metric raises it, too, when a forked process first
            counts.
    """
    values.ValueClass = values.MultiProcessValue(_number)  # type: ignore[no-untyped-call]


def _number() -> int:
    return _number_of(os.getpid())


@cache
def _number_of(process: int) -> int:  # noqa: ARG001 # a forked process takes another number
    """Take the lowest free number, and reserve the space of its files.

    A file lock marks a number as taken. When the process ends, the kernel releases the lock.
    """
    folder = Path(os.environ[DIRECTORY])
    for number in count():
        lock = os.open(folder / f"{number}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        mark_process_dead(number)  # type: ignore[no-untyped-call] # removes the gauges in use
        for kind, size in SIZES.items():
            _reserve(folder / f"{kind}_{number}.db", size)
        break
    return number


def _reserve(path: Path, size: int) -> None:
    with path.open("ab") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError:
            if not os.fstat(file.fileno()).st_size:
                path.unlink()  # prometheus-client fails on an empty file
            raise
