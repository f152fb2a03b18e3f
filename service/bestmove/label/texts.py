"""Tables in files of text: CSV, JSON, and lines of boards."""

from __future__ import annotations

import codecs
import csv
import io
import json
import lzma
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from math import isfinite
from typing import Any, Final

import pyarrow as pa

from bestmove.errors import InvalidInput
from bestmove.label.labelling import JSON_TEXT, UNREAD, values_of

PIECE: Final = 4096

TAB: Final = "\t"
_DELIMITERS: Final = (",", ";", TAB, "|")
"""The first of these characters that is in the header separates the fields."""

_QUOTED: Final = re.compile(r'"[^"]*"')

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Matches half of a surrogate pair, which JSON may contain, but Unicode text may not."""

_LONGEST_FIELD: Final = 64 << 20

_LONGEST_LINE: Final = 256 << 20
"""The most characters of a line, or of a JSON array."""

_SAFE_INTEGER: Final = 2**53
"""64-bit floats represent every integer up to this limit exactly."""

_MOST_INTEGER: Final = 2**63 - 1

Open = Callable[[], AbstractContextManager[Any]]
"""Opens a file to read its bytes from the beginning."""


@dataclass(frozen=True)
class TextForm:
    """Encoding, delimiter and column names of text files. None: each file determines the value.

    Attributes:
        encoding: a name that Python knows. The default is UTF-16 for a file with the byte order
            mark of UTF-16, and otherwise UTF-8.
        delimiter: the character between the fields of CSV. The default is a tab in `.tsv`, and
            otherwise the first of `, ; tab |` that occurs in the first line.
        names: the names of the columns, for CSV without a header.

    Raises:
        InvalidInput: there is no such encoding, or the delimiter is not one character.
    """

    encoding: str | None = None
    delimiter: str | None = None
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        try:
            "".encode(self.encoding or "utf-8")
        except LookupError:
            raise InvalidInput(
                f"{self.encoding} is no encoding: use a name such as latin-1 or utf-16", "encoding"
            ) from None
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise InvalidInput("delimiter must be one character, such as ;", "delimiter")


FOUND_FORM: Final = TextForm()


class _LimitedText(io.TextIOWrapper):
    """A text without a line that would fill the memory."""

    def __next__(self) -> str:  # type: ignore[override] # as in typeshed
        if line := _limited(self.readline(_LONGEST_LINE)):
            return line
        raise StopIteration


def _limited(text: str) -> str:
    if len(text) == _LONGEST_LINE:
        raise ValueError(f"a line, or the JSON array, has {_LONGEST_LINE:,} characters or more")
    return text


class TextFile:
    def __init__(self, opened: Open, compression: str | None, form: TextForm) -> None:
        self._opened, self._compression = opened, compression
        self.delimiter, self.names = form.delimiter, form.names
        self._encoding = form.encoding or self._marked()

    def _marked(self) -> str:
        with self._opened() as file, unpacked(file, self._compression, "r") as data:
            is_utf16 = data.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        return "utf-16" if is_utf16 else "utf-8-sig"

    @contextmanager
    def text(self) -> Iterator[_LimitedText]:
        with (
            self._opened() as file,
            unpacked(file, self._compression, "r") as data,
            _LimitedText(data, self._encoding, newline="") as text,
        ):
            yield text


def unpacked(file: Any, compression: str | None, mode: str) -> Any:
    """Return a file that decompresses while reading (`r`), or compresses while writing (`w`)."""
    if compression is None:
        return file
    if compression == "xz":  # Arrow cannot read or write xz.
        return lzma.open(file, f"{mode}b")
    kind = pa.CompressedInputStream if mode == "r" else pa.CompressedOutputStream
    return kind(file, compression)


class Csv:
    """A delimited text. The column names are `names`, else `TextForm.names`, else in the first
    line."""

    def __init__(
        self, file: TextFile, delimiter: str | None = None, names: Sequence[str] = ()
    ) -> None:
        self._file, self._given = file, names or file.names
        self._delimiter = file.delimiter or delimiter or self._found()
        csv.field_size_limit(_LONGEST_FIELD)
        with self._lines() as lines:
            self._names = self._given or next(lines, [])
            self.rows = sum(1 for line in lines if line)
        names = [pa.field(name, pa.string()) for name in self._names]
        self.schema = pa.schema([*names, pa.field(UNREAD, pa.string())])

    def tables(self) -> Iterator[pa.Table]:
        with self._lines() as lines:
            if not self._given:
                next(lines, None)
            for piece in _pieces(filter(None, lines)):
                yield self._table(piece)

    def _table(self, lines: list[list[str]]) -> pa.Table:
        width = len(self._names)
        unread: list[str | None] = [None] * len(lines)
        for number, line in enumerate(lines):
            if len(line) != width:
                unread[number] = f"the line has {len(line)} fields, but there are {width} names"
                lines[number] = (line + [""] * width)[:width]
        columns = [pa.array(values, pa.string()) for values in zip(*lines, strict=True)]
        return pa.table([*columns, pa.array(unread, pa.string())], schema=self.schema)

    def _found(self) -> str:
        with self._file.text() as text:
            header = _QUOTED.sub("", next(text, ""))
        return next((each for each in _DELIMITERS if each in header), _DELIMITERS[0])

    @contextmanager
    def _lines(self) -> Iterator[Iterator[list[str]]]:
        with self._file.text() as text:
            lines = csv.reader(text, strict=True, delimiter=self._delimiter)
            try:
                yield lines
            except csv.Error as error:
                raise csv.Error(f"line {lines.line_num}: {error}") from None


class JsonObjects:
    """A text of JSON objects: one on each line, or all in an array.

    An array is read into memory. All names in the objects become columns. A column of arrays,
    objects or mixed types contains JSON as text.
    """

    def __init__(self, file: TextFile, may_be_array: bool = False) -> None:
        self._file, self._may_be_array = file, may_be_array
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
        with self._file.text() as text:
            lines = filter(str.strip, text)
            first = next(lines, "")
            if self._may_be_array and first.lstrip().startswith("["):
                for value in json.loads(first + _limited(text.read(_LONGEST_LINE))):
                    yield _object_of(value, "the item")
                return
            for line in filter(None, chain([first], lines)):
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError) as error:
                    yield {}, f"the line is not JSON: {error}"
                else:
                    yield _object_of(value, "the line")


def _object_of(value: object, what: str) -> tuple[dict[str, Any], str | None]:
    if isinstance(value, dict):
        return value, None
    return {}, f"{what} is not a JSON object"


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool | float):
        return type(value).__name__
    if isinstance(value, int):
        size = abs(value)
        return "int" if size <= _SAFE_INTEGER else "long" if size <= _MOST_INTEGER else "json"
    return "text" if isinstance(value, str) and not _SURROGATE.search(value) else "json"


def _json_field(name: str, kinds: set[str]) -> pa.Field:
    kinds = kinds - {"NoneType"}
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


def write_csv(
    file: io.TextIOBase, schema: pa.Schema, tables: Iterable[pa.Table], delimiter: str = ","
) -> None:
    writer = csv.writer(file, lineterminator="\n", delimiter=delimiter)
    writer.writerow(schema.names)
    for table in tables:
        writer.writerows(zip(*(_csv_column(column) for column in table.columns), strict=True))


def _csv_column(column: pa.ChunkedArray) -> list[Any]:
    values = values_of(column, pa.field("", column.type))
    if pa.types.is_boolean(column.type):
        return [None if value is None else str(value).lower() for value in values]
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        return as_text(values)
    return values


def as_text(values: list[Any]) -> list[str | None]:
    return [None if plain is None else _text(plain) for plain in map(_plain, values)]


def _text(plain: object) -> str:
    return json.dumps(plain, default=str) if isinstance(plain, list | dict) else str(plain)


def write_json(
    file: io.TextIOBase, schema: pa.Schema, tables: Iterable[pa.Table], in_array: bool = False
) -> None:
    before, between = ("[\n", ",\n") if in_array else ("", "\n")
    for table in tables:
        columns = [
            values_of(column, field) for field, column in zip(schema, table.columns, strict=True)
        ]
        for values in zip(*columns, strict=True):
            row = dict(zip(schema.names, map(_plain, values), strict=True))
            file.write(f"{before}{json.dumps(row, default=str, allow_nan=False)}")
            before = between
    if in_array:
        file.write("[]\n" if before == "[\n" else "\n]\n")
    elif before:
        file.write("\n")


def _plain(value: Any) -> Any:
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
    rest = iter(items)
    return iter(lambda: list(islice(rest, PIECE)), [])
