"""The files in which the processes of a service keep their counters, for prometheus-client.

prometheus-client writes to the files through mapped memory. If the file system is full, such a
write kills the process with SIGBUS. So this module first reserves the space; if there is none, it
raises `OSError`.

For each kind of metric, one file holds the sums of all ended processes. The files of an ended
process are removed.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest, mmap_dict, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

DIRECTORY: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the files' folder. If it is unset, each process has its own
counters.
"""

_FIRST_BYTES: Final = 1 << 16
"""The size of a new file in bytes. prometheus-client uses the same size."""

_LONGEST_ENTRY: Final = 4096
"""The maximum size of a counter's entry (name, labels and help text) in bytes."""

_ENDED: Final = "ended"
"""`counter_ended.db` has the counts of all ended processes. A running process 123 has the file
`counter_123.db`."""


class ReservedDict(mmap_dict.MmapedDict):
    """A file of counters. Reserves space in the file before it writes."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        if not read_mode:
            with open(filename, "ab") as file:
                size = os.fstat(file.fileno()).st_size
                try:
                    os.posix_fallocate(file.fileno(), 0, max(size, _FIRST_BYTES))
                except OSError:
                    if not size:
                        os.unlink(filename)  # prometheus-client fails on an empty file
                    raise
        super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]

    def _init_value(self, key: str) -> None:
        if self._used + _LONGEST_ENTRY > self._capacity:
            os.posix_fallocate(self._f.fileno(), 0, 2 * self._capacity)
        super()._init_value(key)  # type: ignore[no-untyped-call]


setattr(values, "MmapedDict", ReservedDict)  # noqa: B010 # there is no other way to name it


def exposition() -> bytes:
    """Return the counters of all processes in Prometheus's text format.

    Raises:
        OSError: a file cannot be read.
    """
    registry = CollectorRegistry()
    with _lock(fcntl.LOCK_SH):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def forget(process: int) -> None:
    """Add the counters of an ended process to the sums, and remove its files.

    Raises:
        OSError: the disk is full; the process's files stay.
    """
    folder = Path(os.environ[DIRECTORY])
    if not folder.is_dir():  # somebody has removed the folder
        return
    mark_process_dead(process)  # type: ignore[no-untyped-call]
    with _lock(fcntl.LOCK_EX):
        for file in folder.glob(f"*_{process}.db"):
            kind = file.name.removesuffix(f"_{process}.db")
            total = ReservedDict(str(folder / f"{kind}_{_ENDED}.db"))
            try:
                for key, value, *_ in mmap_dict.MmapedDict.read_all_values_from_file(file):  # type: ignore[no-untyped-call]
                    before, _ = total.read_value(key)  # type: ignore[no-untyped-call]
                    both = max(before, value) if kind == "gauge_max" else before + value
                    total.write_value(key, both, 0.0)  # type: ignore[no-untyped-call]
            finally:
                total.close()  # type: ignore[no-untyped-call]
            file.unlink()


@contextmanager
def _lock(kind: int) -> Iterator[Any]:
    with open(Path(os.environ[DIRECTORY]) / "lock", "ab") as file:
        fcntl.flock(file, kind)
        yield file
