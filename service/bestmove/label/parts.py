"""Stores the finished parts of a job and its manifest. Each file appears only when it is
complete."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from weakref import finalize

import pyarrow as pa

from bestmove.cluster import require_same_job
from bestmove.errors import InvalidInput
from bestmove.label.places import Place
from bestmove.label.tables import reading

_NAME: Final = re.compile(r"([0-9]{5})-([0-9]{12})-([0-9]{6})\.arrow\Z")
"""A part's name has the number of its table, its first row and its number of rows."""

_TALLY: Final = b"bestmove:tally"

_MOST_KINDS: Final = 1000
"""Further problems are counted together."""

_VARYING: Final = re.compile(r"'[^']*'|\b[a-t]?[0-9]+\b")

_MANIFEST: Final = "manifest.json"
_LOCK: Final = "lock"

_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=False)
"""Compression makes parts three to five times smaller. It takes at most two microseconds a row."""


@dataclass
class Tally:
    """Counts of results.

    Attributes:
        exact: rows with a proven result.
        kinds: the rows without an answer, by kind of problem: problems that differ only in numbers,
            squares and quoted words are of one kind. For each kind: the number of rows, and the
            first row: the number of its table, its own number (from 1), and its problem.
    """

    rows: int = 0
    exact: int = 0
    kinds: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def problems(self) -> int:
        return sum(count for count, *_ in self.kinds.values())

    def add(self, other: Tally) -> None:
        self.rows += other.rows
        self.exact += other.exact
        for kind, found in other.kinds.items():
            if len(self.kinds) >= _MOST_KINDS and kind not in self.kinds:
                kind = ""
            known = self.kinds.get(kind, [0, *found[1:]])
            self.kinds[kind] = [known[0] + found[0], *min(known[1:], found[1:])]


def tally_of(problems: Sequence[str | None], exact: int, number: int, start: int) -> Tally:
    tally = Tally(len(problems), exact)
    for row, problem in enumerate(problems, start + 1):
        if problem is not None:
            kind = _VARYING.sub("", problem)
            tally.add(Tally(kinds={kind: [1, number, row, problem]}))
    return tally


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
