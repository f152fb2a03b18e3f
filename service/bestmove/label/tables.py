"""Reads and writes files of tables, piece by piece.

The ending of a file's name determines the format. A text file may have a second ending for its
compression.
"""

from __future__ import annotations

import csv
import io
import lzma
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Protocol
from urllib.parse import unquote
from zipfile import BadZipFile

import pyarrow as pa
import pyarrow.parquet as pq

from bestmove.errors import InvalidInput
from bestmove.label.arrays import Arrays, write_arrays
from bestmove.label.labelling import IN_PATH
from bestmove.label.texts import (
    FOUND_FORM,
    PIECE,
    TAB,
    Csv,
    JsonObjects,
    Open,
    TextFile,
    TextForm,
    unpacked,
    write_csv,
    write_json,
)

_ROW_GROUP: Final = 65_536

_COMPRESSIONS: Final = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".xz": "xz"}

_DAMAGED: Final = (csv.Error, pa.ArrowException, lzma.LZMAError, BadZipFile, zlib.error)

_NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"
"""Hive's name for a missing value, in the name of a folder."""

_WRITTEN_AS: Final = {"txt": ".csv", "npy": ".npz", "data": ".csv"}
"""These formats can be read, but not written. The result for `a.txt` is written as `a.txt.csv`."""


def format_of(name: str, *, written: bool = False) -> tuple[str, str | None]:
    """Return a file's format and compression, such as ("csv", "gzip").

    Args:
        written: whether the file will be written.

    Raises:
        InvalidInput: the format is unknown.
    """
    name = name.lower()
    stem, compression = name, None
    for ending, codec in _COMPRESSIONS.items():
        if name.endswith(ending):
            stem, compression = name.removesuffix(ending), codec
    ending = stem.rpartition(".")[2] if "." in stem else ""
    known = [each for each in _FORMATS if not (written and each in _WRITTEN_AS)]
    if ending not in known or (ending not in _TEXTS and compression):
        raise InvalidInput(
            f"the ending of {name} is not a format: use one of .{', .'.join(known)}; a text format "
            f"may have a second ending, one of {', '.join(_COMPRESSIONS)}",
            "output" if written else "input",
        )
    return ending, compression


def written_name(name: str, folder: str) -> str:
    """Return the name of the result for a file. A folder such as `labelled.parquet` has results in
    the format of its own name."""
    try:
        ending, _ = format_of(folder, written=True)
    except InvalidInput:
        return name + _WRITTEN_AS.get(format_of(name)[0], "")
    whole = f".{ending}{folder.lower().rpartition(f'.{ending}')[2]}"
    return name if name.lower().endswith(whole) else name + whole


class TableReader(Protocol):
    schema: pa.Schema
    rows: int

    def tables(self) -> Iterator[pa.Table]:
        """Yield all rows in order."""


class Partition:
    """A table, and for each wanted field in its path, such as `game=gomoku/part-0.parquet`, a
    column."""

    def __init__(self, path: str, table: TableReader, wanted: Collection[str]) -> None:
        self._table, self._values = table, list[str | None]()
        self.rows, self.schema = table.rows, table.schema
        for folder in path.split("/")[:-1]:
            name, equals, value = folder.partition("=")
            if equals and name in wanted and name not in self.schema.names:
                self.schema = self.schema.append(pa.field(name, pa.string(), metadata=IN_PATH))
                self._values.append(None if value == _NO_VALUE else unquote(value))

    def tables(self) -> Iterator[pa.Table]:
        for table in self._table.tables():
            added = [pa.array([value] * len(table), pa.string()) for value in self._values]
            yield pa.table([*table.columns, *added], schema=self.schema)


def reader(
    name: str, opened: Open, form: TextForm = FOUND_FORM, rules: Mapping[str, Any] | None = None
) -> TableReader:
    """Return a reader for the file with this name.

    Args:
        rules: fields such as `game`, for boards that do not say otherwise.

    Raises:
        InvalidInput: the file is not a readable table.
    """
    ending, compression = format_of(name)
    with reading(name):
        if ending in _TEXTS:
            return _TEXTS[ending](TextFile(opened, compression, form))
        return _Parquet(opened) if ending == "parquet" else Arrays(opened, rules or {})


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Raise `InvalidInput` if the `with` block cannot read the file."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{name} cannot be read: {error}; give its encoding, such as --encoding latin-1",
            "input",
        ) from error
    except (*_DAMAGED, ValueError, OSError, EOFError, RecursionError, MemoryError) as error:
        why = str(error) or "there is not enough memory"
        raise InvalidInput(f"{name} cannot be read: {why}", "input") from error


class _Parquet:
    def __init__(self, opened: Open) -> None:
        self._opened = opened
        with opened() as file:
            found = pq.ParquetFile(file)
            self.schema: pa.Schema = found.schema_arrow
            self.rows: int = found.metadata.num_rows

    def tables(self) -> Iterator[pa.Table]:
        with self._opened() as file:
            found = pq.ParquetFile(file)
            yield from map(pa.table, found.iter_batches(PIECE, use_threads=False))


_TEXTS: Final[dict[str, Callable[[TextFile], TableReader]]] = {
    "csv": Csv,
    "data": Csv,  # the UCI Machine Learning Repository uses this ending for CSV
    "tsv": partial(Csv, delimiter=TAB),
    "jsonl": JsonObjects,
    "ndjson": JsonObjects,
    "json": partial(JsonObjects, may_be_array=True),
    "txt": partial(Csv, delimiter="\x1f", names=("board",)),  # a character that no board has
}

_FORMATS: Final = ("parquet", *_TEXTS, "npy", "npz")


class Cutter:
    def __init__(self, tables: Iterable[pa.Table]) -> None:
        self._tables = iter(tables)
        self._held: list[pa.Table] = []
        self._rows = 0

    def take(self, rows: int) -> pa.Table | None:
        """Return the next rows: fewer than `rows` at the end, and None after the end."""
        while self._rows < rows:
            table = next(self._tables, None)
            if table is None:
                break
            self._held.append(table)
            self._rows += len(table)
        if not self._rows:
            return None
        whole = pa.concat_tables(self._held)
        piece, rest = whole.slice(0, rows), whole.slice(rows)
        self._held, self._rows = [rest], len(rest)
        return piece


def write(name: str, file: Any, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    """Write a table to an open file. The ending of `name` determines the format."""
    ending, compression = format_of(name, written=True)
    cutter = Cutter(tables)
    pieces = iter(lambda: cutter.take(_ROW_GROUP), None)
    if ending == "parquet":
        with pq.ParquetWriter(file, schema) as writer:
            for table in pieces:
                writer.write_table(table, row_group_size=_ROW_GROUP)
    elif ending == "npz":
        write_arrays(file, schema, pieces)
    else:
        with unpacked(file, compression, "w") as data, io.TextIOWrapper(data, newline="") as text:
            if ending in ("csv", "tsv"):
                write_csv(text, schema, pieces, TAB if ending == "tsv" else ",")
            else:
                write_json(text, schema, pieces, in_array=ending == "json")
