"""Reads and writes files of tables, piece by piece.

The ending determines the format: `.parquet`, `.csv`, `.tsv` (separated by tabs) or `.jsonl`
(`.ndjson`), in small or capital letters. A text may have a second ending, `.gz`, `.bz2` or `.zst`.
"""

from __future__ import annotations

import csv
import io
import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from math import isfinite
from typing import Any, Final, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from bestmove.errors import InvalidInput
from bestmove.label.labelling import JSON_TEXT, UNREAD, values_of

_PIECE: Final = 4096
"""How many rows are read at once."""

_ROW_GROUP: Final = 65_536
"""How many rows a row group in Parquet has, independently of the parts of the job."""

_COMPRESSIONS: Final = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}

_TAB: Final = "\t"
_LONGEST_FIELD: Final = 64 << 20
"""The most characters of a field of text."""

_SAFE_INTEGER: Final = 2**53
"""A 64-bit float represents every integer up to this one exactly."""

_MOST_INTEGER: Final = 2**63 - 1

Open = Callable[[], AbstractContextManager[Any]]
"""Opens a file to read its bytes from the beginning."""


def format_of(name: str) -> tuple[str, str | None]:
    """The format that a file's name ends in, without the dot, and the compression.

    Raises:
        InvalidInput: the format is unknown.
    """
    name = name.lower()
    stem, compression = name, None
    for ending, codec in _COMPRESSIONS.items():
        if name.endswith(ending):
            stem, compression = name.removesuffix(ending), codec
    ending = stem.rpartition(".")[2] if "." in stem else ""
    if ending not in _READERS or (ending == "parquet" and compression):
        known = ", ".join(f".{ending}" for ending in _READERS)
        raise InvalidInput(
            f"the ending of {name} is not a format: use one of {known}; a text format may have a "
            f"second ending, one of {', '.join(_COMPRESSIONS)}",
            "input",
        )
    return ending, compression


class TableReader(Protocol):
    """A table in a file, read in pieces."""

    schema: pa.Schema
    rows: int

    def tables(self) -> Iterator[pa.Table]:
        """All rows in order."""


def reader(name: str, opened: Open) -> TableReader:
    """A reader for the table in the file with this name.

    Raises:
        InvalidInput: the file is not a readable table.
    """
    ending, compression = format_of(name)
    with reading(name):
        return _READERS[ending](opened, compression)


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn errors while reading a file into `InvalidInput`."""
    try:
        yield
    except (csv.Error, pa.ArrowException, UnicodeError, OSError, EOFError) as error:
        raise InvalidInput(f"{name} cannot be read: {error}", "input") from error


class _Parquet:
    def __init__(self, opened: Open, _: str | None) -> None:
        self._opened = opened
        with opened() as file:
            found = pq.ParquetFile(file)
            self.schema: pa.Schema = found.schema_arrow
            self.rows: int = found.metadata.num_rows

    def tables(self) -> Iterator[pa.Table]:
        with self._opened() as file:
            found = pq.ParquetFile(file)
            for batch in found.iter_batches(_PIECE, use_threads=False):
                yield pa.table(batch)


class _Csv:
    """Text with a separator; its first line has the column names, and all values stay text."""

    def __init__(self, opened: Open, compression: str | None, separator: str = ",") -> None:
        self._opened, self._compression, self._separator = opened, compression, separator
        csv.field_size_limit(_LONGEST_FIELD)
        with self._lines() as lines:
            self._names = next(lines, [])
            self.rows = sum(1 for line in lines if line)
        names = [pa.field(name, pa.string()) for name in self._names]
        self.schema = pa.schema([*names, pa.field(UNREAD, pa.string())])

    def tables(self) -> Iterator[pa.Table]:
        with self._lines() as lines:
            next(lines, None)
            for piece in _pieces(filter(None, lines)):
                yield self._table(piece)

    def _table(self, lines: list[list[str]]) -> pa.Table:
        width = len(self._names)
        unread: list[str | None] = [None] * len(lines)
        for number, line in enumerate(lines):
            if len(line) != width:
                unread[number] = f"the line has {len(line)} fields, the header has {width}"
                lines[number] = (line + [""] * width)[:width]
        columns = [pa.array(values, pa.string()) for values in zip(*lines, strict=True)]
        return pa.table([*columns, pa.array(unread, pa.string())], schema=self.schema)

    @contextmanager
    def _lines(self) -> Iterator[Iterator[list[str]]]:
        with self._opened() as file, _text(file, self._compression, "r") as text:
            lines = csv.reader(text, strict=True, delimiter=self._separator)
            try:
                yield lines
            except csv.Error as error:
                raise csv.Error(f"line {lines.line_num}: {error}") from None


class _JsonLinesFile:
    """A JSON object on each line. All names in the objects become columns; missing values are null.

    A column whose values have several types, or are arrays or objects, contains JSON as text.
    """

    def __init__(self, opened: Open, compression: str | None) -> None:
        self._opened, self._compression = opened, compression
        self.rows = 0
        kinds: dict[str, set[str]] = {}
        for row, _ in self._objects():
            self.rows += 1
            for name, value in row.items():
                kinds.setdefault(name, set()).add(_kind(value))
        self._fields = [_json_field(name, found) for name, found in kinds.items()]
        self.schema = pa.schema([*self._fields, pa.field(UNREAD, pa.string())])

    def tables(self) -> Iterator[pa.Table]:
        for piece in _pieces(self._objects()):
            columns = [
                _json_column(field, [row.get(field.name) for row, _ in piece])
                for field in self._fields
            ]
            unread = pa.array([why for _, why in piece], pa.string())
            yield pa.table([*columns, unread], schema=self.schema)

    def _objects(self) -> Iterator[tuple[dict[str, Any], str | None]]:
        with self._opened() as file, _text(file, self._compression, "r") as text:
            for line in text:
                if line.strip():
                    yield _json_object(line)


def _json_object(line: str) -> tuple[dict[str, Any], str | None]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {}, f"the line is not JSON: {error}"
    if not isinstance(value, dict):
        return {}, "the line is not a JSON object"
    return value, None


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        size = abs(value)
        return "int" if size <= _SAFE_INTEGER else "long" if size <= _MOST_INTEGER else "json"
    if isinstance(value, float):
        return "float"
    if isinstance(value, str):
        return "text" if value.isascii() or _is_unicode(value) else "json"
    return "json"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can contain
        return False
    return True


def _json_field(name: str, kinds: set[str]) -> pa.Field:
    kinds = kinds - {"null"}
    for known, kind in (
        (set(), pa.null()),
        ({"bool"}, pa.bool_()),
        ({"int", "long"}, pa.int64()),
        ({"int", "float"}, pa.float64()),
        ({"text"}, pa.string()),
    ):
        if kinds <= known:
            return pa.field(name, kind)
    return pa.field(name, pa.string(), metadata=JSON_TEXT)


def _json_column(field: pa.Field, values: list[Any]) -> pa.Array:
    if field.metadata == JSON_TEXT:
        values = [None if value is None else json.dumps(value) for value in values]
    return pa.array(values, field.type)


_READERS: Final[dict[str, Callable[[Open, str | None], TableReader]]] = {
    "parquet": _Parquet,
    "csv": _Csv,
    "tsv": partial(_Csv, separator=_TAB),
    "jsonl": _JsonLinesFile,
    "ndjson": _JsonLinesFile,
}


class Cutter:
    """Cuts tables of one schema into pieces of given sizes."""

    def __init__(self, tables: Iterable[pa.Table]) -> None:
        self._tables = iter(tables)
        self._held: list[pa.Table] = []
        self._rows = 0

    def take(self, rows: int) -> pa.Table | None:
        """The next rows, fewer at the end, and None after the end."""
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
    """Write a table to an open file; the ending of `name` determines the format."""
    ending, compression = format_of(name)
    cutter = Cutter(tables)
    pieces = iter(lambda: cutter.take(_ROW_GROUP), None)
    if ending == "parquet":
        with pq.ParquetWriter(file, schema) as writer:
            for table in pieces:
                writer.write_table(table, row_group_size=_ROW_GROUP)
        return
    with _text(file, compression, "w") as text:
        if ending in ("csv", "tsv"):
            _write_csv(text, schema, pieces, _TAB if ending == "tsv" else ",")
        else:
            _write_json(text, schema, pieces)


def _write_csv(
    file: io.TextIOBase, schema: pa.Schema, tables: Iterable[pa.Table], separator: str
) -> None:
    writer = csv.writer(file, lineterminator="\n", delimiter=separator)
    writer.writerow(schema.names)
    for table in tables:
        writer.writerows(zip(*(_csv_column(column) for column in table.columns), strict=True))


def _csv_column(column: pa.ChunkedArray) -> list[Any]:
    values = values_of(column, pa.field("", column.type))
    if pa.types.is_boolean(column.type):
        return [None if value is None else str(value).lower() for value in values]
    if pa.types.is_nested(column.type):
        plain = map(_plain, values)
        return [None if value is None else json.dumps(value, default=str) for value in plain]
    return list(map(_plain, values)) if pa.types.is_binary(column.type) else values


def _write_json(file: io.TextIOBase, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    for table in tables:
        columns = [
            values_of(column, field) for field, column in zip(schema, table.columns, strict=True)
        ]
        for values in zip(*columns, strict=True):
            row = dict(zip(schema.names, map(_plain, values), strict=True))
            file.write(f"{json.dumps(row, default=str, allow_nan=False)}\n")


def _plain(value: Any) -> Any:
    """A value as JSON can have it: a number that is none, such as NaN, becomes null, and bytes
    become text, in base64 unless they are UTF-8."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return b64encode(value).decode()
    if isinstance(value, list):
        return list(map(_plain, value))
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def _pieces(items: Iterable[Any]) -> Iterator[list[Any]]:
    piece = []
    for item in items:
        piece.append(item)
        if len(piece) == _PIECE:
            yield piece
            piece = []
    if piece:
        yield piece


@contextmanager
def _text(file: Any, compression: str | None, mode: str) -> Iterator[io.TextIOBase]:
    """A binary file as UTF-8 text, to read (`r`) or write (`w`). Reads skip a byte order mark."""
    if compression is not None:
        kind = pa.CompressedInputStream if mode == "r" else pa.CompressedOutputStream
        file = kind(file, compression)
    with io.TextIOWrapper(file, "utf-8-sig" if mode == "r" else "utf-8", newline="") as text:
        yield text
