"""Tables in NumPy's files: boards in `.npy`, or an array for each column in `.npz`.

In an array of boards, each item is a board: an array of cells, or of rows, or two planes of 0 and 1
(see `bestmove.bots.arrays`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import pyarrow as pa

from bestmove.errors import InvalidInput
from bestmove.label.positions import is_board
from bestmove.label.texts import PIECE, Open, as_text

_MOST_BYTES: Final = 2 << 30
"""A small file can be unpacked to arrays that are larger than the memory."""


class Arrays:
    def __init__(self, opened: Open, position: Mapping[str, Any]) -> None:
        self._opened, self._position = opened, position
        arrays = self._arrays()
        lengths = {name: len(array) for name, array in arrays.items()}
        if len({*lengths.values()}) > 1:
            shown = ", ".join(f"{name} {rows}" for name, rows in lengths.items())
            raise InvalidInput(f"its arrays have different numbers of rows ({shown})", "input")
        self.rows: int = next(iter(lengths.values()), 0)
        fields = [(name, _column(array[:0]).type) for name, array in arrays.items()]
        self.schema = pa.schema(fields)

    def tables(self) -> Iterator[pa.Table]:
        arrays = self._arrays()
        for start in range(0, self.rows, PIECE):
            columns = [_column(array[start : start + PIECE]) for array in arrays.values()]
            yield pa.table(columns, schema=self.schema)

    def _arrays(self) -> dict[str, Any]:
        numpy = _numpy()
        with self._opened() as file:
            found = numpy.load(file)
            if isinstance(found, numpy.ndarray):
                item = found[0].tolist() if found.ndim and len(found) else "...."
                named = {"board": found if is_board(item, self._position) else found[None]}
            else:
                if sum(each.file_size for each in found.zip.infolist()) > _MOST_BYTES:
                    raise ValueError("its arrays have more than 2 GiB: make several files of it")
                named = {name: _member(found, name) for name in found.files}
        if "boards" in named and "board" not in named:  # other projects name it so
            named["board"] = named.pop("boards")
        return {name: array for name, array in named.items() if getattr(array, "ndim", 0)}


def _member(found: Any, name: str) -> Any:
    if ".." in re.split(r"[/\\]", name):  # whoever unpacks the result would write elsewhere
        raise ValueError(f"{name} is a path out of its folder, not a name")
    try:
        return found[name]
    except (ValueError, MemoryError) as error:
        raise ValueError(f"{name}: {error}") from error


def write_arrays(file: Any, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    """Write an array for each column. All tables are held in memory.

    A missing value becomes NaN (float), -1 (integer), False (boolean) or an empty text. Short lists
    are padded with missing values.
    """
    numpy = _numpy()
    table = pa.concat_tables([schema.empty_table(), *tables])
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for field, column in zip(schema, table.columns, strict=True):
            array = _array(column.to_pylist(), field.type)
            with packed.open(f"{field.name}.npy", "w", force_zip64=True) as entry:
                numpy.lib.format.write_array(entry, array, allow_pickle=False)


def _column(array: Any) -> pa.Array:
    if array.ndim == 1:
        return pa.array(array)
    width, rest = array.shape[1], array.shape[2:]
    items = _column(array.reshape(len(array) * width, *rest))
    return pa.FixedSizeListArray.from_arrays(items, width)


def _array(values: list[Any], kind: pa.DataType) -> Any:
    numpy, types = _numpy(), pa.types
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        lists = [value or [] for value in values]
        width = max(map(len, lists), default=0)
        items = [item for each in lists for item in [*each, *[None] * (width - len(each))]]
        inner = _array(items, kind.value_type)
        return inner.reshape(len(lists), width, *inner.shape[1:])
    missing: float | bool | str
    if types.is_floating(kind):
        missing, dtype = float("nan"), kind.to_pandas_dtype()
    elif types.is_integer(kind):
        missing, dtype = -1, kind.to_pandas_dtype() if types.is_signed_integer(kind) else "int64"
    elif types.is_boolean(kind):
        missing, dtype = False, "bool"
    else:
        values, missing, dtype = as_text(values), "", "str"
    return numpy.array([missing if value is None else value for value in values], dtype)


def _numpy() -> Any:
    try:
        return import_module("numpy")
    except ModuleNotFoundError:
        command = f"{sys.executable} -m pip install numpy"
        raise InvalidInput(f"files of arrays need NumPy: {command}", "input") from None
