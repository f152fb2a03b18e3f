"""Runs a labelling job: the workers of a cluster label the tables, part by part."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import pyarrow as pa

from bestmove.cluster import Cluster, build
from bestmove.errors import InvalidInput
from bestmove.game.inputs import given
from bestmove.label.labelling import UNREAD, joined, labels, read_from, result_schema
from bestmove.label.options import Options
from bestmove.label.parts import Parts
from bestmove.label.places import Place, tables_in
from bestmove.label.positions import COLUMNS
from bestmove.label.tables import (
    Cutter,
    Partition,
    TableReader,
    format_of,
    reader,
    reading,
    write,
    written_name,
)
from bestmove.label.tally import Tally, tally_of
from bestmove.label.texts import FOUND_FORM, Csv, TextForm

_PART_S: Final = 2.0
"""Seconds that a part should take. Longer parts would lose more work when a worker is killed."""

_FIRST_ROWS: Final = 32

_LEAST_ROWS: Final = 16
_MOST_ROWS: Final = 32_768
_GROWTH: Final = 4


@dataclass(frozen=True)
class Part:
    """Rows of the file with the number `file`, from the row `start`. Both count from 0."""

    file: int
    start: int
    table: pa.Table
    options: Options

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the columns that describe positions."""
        wanted = {UNREAD}.union(*read_from(self.table.schema, self.options).values())
        # The worker resolves `a*` again, so the columns keep their order.
        names = [name for name in self.table.schema.names if name in wanted]
        # Copy the rows: a pickled slice would contain the whole table.
        sink = pa.BufferOutputStream()
        positions = self.table.select(names)
        with pa.ipc.new_stream(sink, positions.schema) as writer:
            writer.write_table(positions)
        copy = pa.ipc.open_stream(sink.getvalue()).read_all()
        return Part, (self.file, self.start, copy, self.options)


@dataclass
class File:
    """A table of the job.

    Attributes:
        number: the file's number in the job, from 0.
        name: the file's path in the folder.
        tally: counts of the finished rows.
        parts: the first row of each finished part, with the part's number of rows.
    """

    number: int
    name: str
    source: TableReader
    output: Place
    tally: Tally = field(default_factory=Tally)
    parts: dict[int, int] = field(default_factory=dict)

    @property
    def is_finished(self) -> bool:
        return self.tally.rows >= self.source.rows


class LabelJob:
    """Reads a table, or a folder of tables, and writes it with labels.

    Args:
        source: the address of the input.
        output: the address of the output: a file or a folder, like the input.
        options: what to find, and the budget.
        form: the form of text files.

    Raises:
        InvalidInput: the input is not readable or lacks a column, or the output is not allowed.
    """

    def __init__(
        self, source: str, output: str, options: Options, form: TextForm = FOUND_FORM
    ) -> None:
        place, target = Place.at(source), Place.at(output)
        if target == place:
            raise InvalidInput("input and output are the same", "output")
        is_folder = place.is_folder()
        if is_folder and target.path.startswith(f"{place.path}/"):
            raise InvalidInput(f"{output} is inside the input: choose a folder elsewhere", "output")
        found = tables_in(place)
        self.options = options
        wanted = {*COLUMNS, *dict(options.sources).values(), *(options.keep or ())}
        self.files: list[File] = []
        for name, each in found.items():
            table = reader(name, each.open, form, options.position)
            partition = Partition(name, table, wanted)
            result = target.below(written_name(name, target.name)) if is_folder else target
            self.files.append(File(len(self.files), name, partition, result))
            try:
                result_schema(partition.schema, options, dash="--")
            except InvalidInput as error:
                has_names = error.field != "names" or form.names or not isinstance(table, Csv)
                hint = "" if has_names else "; if no line has the names, give them with --names"
                raise InvalidInput(f"{name}: {error}{hint}", error.field) from None
        if not is_folder:
            if target.is_folder():
                raise InvalidInput(f"{output} is a folder, but the input is a file", "output")
            format_of(target.name, written=True)
        self._manifest: dict[str, Any] = {
            **build(),
            "input": [{"name": name, **each.stamp()} for name, each in found.items()],
            "options": given(asdict(options) | asdict(form)),
        }
        self._parts = Parts(target)

    @property
    def rows(self) -> int:
        return sum(file.source.rows for file in self.files)

    def begin(self) -> Tally:
        """Begin or resume the job. Return the tally of the rows that are already finished.

        Raises:
            InvalidInput: the folder has another job's parts, or the output exists.
        """
        self._parts.begin(self._manifest)
        whole, done = Tally(), self._parts.done()
        for file in self.files:
            file.parts = done.get(file.number, {})
            for start, rows in file.parts.items():
                file.tally.add(self._parts.tally(file.number, start, rows))
            whole.add(file.tally)
        return whole

    def run(self, cluster: Cluster, progress: Callable[[Tally], None]) -> None:
        try:
            for file in [one for one in self.files if one.is_finished and not one.output.exists()]:
                self._write(file)
            pace = _Pace(cluster)
            for part, (found, tally, seconds) in cluster.results(_labelled, self._tasks(pace)):
                file = self.files[part.file]
                pace.note(len(found), seconds)
                result = joined(part.table, found, self.options)
                self._parts.write(part.file, part.start, result, tally)
                file.parts[part.start] = len(found)
                file.tally.add(tally)
                progress(tally)
                if file.is_finished:
                    self._write(file)
            self._parts.folder.remove()
        finally:
            self._parts.release()

    def _tasks(self, pace: _Pace) -> Iterator[Part]:
        left = sum(file.source.rows - file.tally.rows for file in self.files)
        for file in self.files:
            if file.is_finished:
                continue
            done = dict(file.parts)
            cutter, start = Cutter(file.source.tables()), 0
            while start < file.source.rows:
                until = min((at for at in done if at > start), default=file.source.rows)
                rows = done.get(start) or min(pace.rows(left), until - start)
                with reading(file.name):
                    table = cutter.take(rows)
                if table is None:
                    raise InvalidInput(f"{file.name} changed while it was read", "input")
                if start not in done:
                    yield Part(file.number, start, table, self.options)
                    left -= len(table)
                start += len(table)

    def _write(self, file: File) -> None:
        schema = result_schema(file.source.schema, self.options)
        with file.output.written(self._parts.folder) as written:
            tables = self._parts.tables(file.number, sorted(file.parts.items()))
            write(file.output.name, written, schema, tables)


class _Pace:
    """Chooses how many rows a part gets, so that the part takes `_PART_S` seconds."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._rows = _FIRST_ROWS

    def rows(self, left: int) -> int:
        """Return the size of the next part. The last parts are small, so that every processor gets
        some."""
        share = left // (2 * max(1, self._cluster.processors))
        return max(_LEAST_ROWS, min(self._rows, share))

    def note(self, rows: int, seconds: float) -> None:
        wanted = int(rows * _PART_S / max(seconds, 1e-6))
        self._rows = max(_LEAST_ROWS, min(wanted, _GROWTH * rows, _MOST_ROWS))


def _labelled(part: Part) -> tuple[pa.Table, Tally, float]:
    started = time.perf_counter()
    found, boards = labels(part.table, part.options)
    exact = sum(map(bool, found[f"{part.options.prefix}exact"].to_pylist()))
    tally = tally_of(boards, exact, part.file, part.start)
    return found, tally, time.perf_counter() - started
