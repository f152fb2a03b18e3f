"""Stores the finished parts of a job and its manifest. Each file appears only when it is
complete."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Final
from weakref import finalize

import pyarrow as pa

from bestmove.cluster import require_same_job
from bestmove.errors import InvalidInput
from bestmove.label.places import Place
from bestmove.label.tables import reading
from bestmove.label.tally import Tally

_NAME: Final = re.compile(r"([0-9]{5})-([0-9]{12})-([0-9]{6})\.arrow\Z")
"""A part's name has the number of its table, its first row and its number of rows."""

_TALLY: Final = b"bestmove:tally"

_MANIFEST: Final = "manifest.json"
_LOCK: Final = "lock"

_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=False)
"""Compression makes parts three to five times smaller. It takes at most two microseconds a row."""


class Parts:
    """The parts of one job, in the folder `OUTPUT.parts`.

    In the methods, `number` is the number of a table in the job.
    """

    def __init__(self, output: Place) -> None:
        self.folder = Place(output.fs, f"{output.path}.parts")
        self._output = output
        self.release: Callable[[], object] = lambda: None

    def begin(self, manifest: dict[str, Any]) -> None:
        """Begin or resume the job of this manifest.

        Raises:
            InvalidInput: the folder has another job's parts, or the output exists.
            BlockingIOError: another command is doing the job.
        """
        kept = self.folder.below(_MANIFEST)
        if kept.exists():
            require_same_job(self.folder.path, json.loads(kept.read()), manifest)
            self._lock()
            return
        if self._output.exists() and (self._output.names() or not self._output.is_folder()):
            raise InvalidInput(
                f"{self._output.path} already exists: remove it, or choose another output",
                "output",
            )
        self._lock()
        for name in self.folder.names():  # left by an interrupted end of a job
            if name != _LOCK:
                self.folder.below(name).remove()
        with kept.written(self.folder) as file:
            file.write(json.dumps(manifest, indent=1, default=str).encode())

    def _lock(self) -> None:
        try:
            descriptor = self.folder.below(_LOCK).lock()
        except BlockingIOError as error:
            raise BlockingIOError(
                error.errno,
                "another command is writing it: wait for its end, or stop it",
                self._output.path,
            ) from None
        if descriptor is not None:
            self.release = finalize(self, os.close, descriptor)

    def done(self) -> dict[int, dict[int, int]]:
        """Return for each table the first row of each finished part, with its number of rows."""
        found: dict[int, dict[int, int]] = {}
        for name in filter(None, map(_NAME.match, self.folder.names())):
            number, start, rows = map(int, name.groups())
            usable = found.setdefault(number, {})
            # Another command, running at the same time, may have written overlapping parts.
            if start >= max(map(sum, usable.items()), default=0):
                usable[start] = rows
        return found

    def write(self, number: int, start: int, table: pa.Table, tally: Tally) -> None:
        metadata = {**(table.schema.metadata or {}), _TALLY: json.dumps(asdict(tally)).encode()}
        place = self._part(number, start, len(table))
        with (
            place.written(self.folder) as file,
            pa.ipc.new_stream(
                file, table.schema.with_metadata(metadata), options=_COMPRESSED
            ) as writer,
        ):
            writer.write_table(table)

    def tally(self, number: int, start: int, rows: int) -> Tally:
        with self._opened(number, start, rows) as reader:
            return Tally(**json.loads(reader.schema.metadata[_TALLY]))

    def tables(self, number: int, parts: Iterable[tuple[int, int]]) -> Iterator[pa.Table]:
        """Yield the parts of a table. `parts`: the first row and the number of rows of each
        part."""
        for start, rows in parts:
            with self._opened(number, start, rows) as reader:
                yield reader.read_all()

    @contextmanager
    def _opened(self, number: int, start: int, rows: int) -> Iterator[Any]:
        place = self._part(number, start, rows)
        with reading(place.path), place.open() as file, pa.ipc.open_stream(file) as reader:
            yield reader

    def _part(self, number: int, start: int, rows: int) -> Place:
        return self.folder.below(f"{number:05}-{start:012}-{rows:06}.arrow")
