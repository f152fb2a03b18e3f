"""Labels a table of positions: adds columns with the answers."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final
from warnings import warn

import pyarrow as pa

from bestmove.errors import InvalidInput
from bestmove.game import Board
from bestmove.game.notation import is_array
from bestmove.label.options import Options
from bestmove.label.positions import COLUMNS, board_of, is_board
from bestmove.label.tally import tally_of
from bestmove.search.analysis import analyze, find
from bestmove.search.limits import SearchLimits
from bestmove.search.reasons import explain

_REMEMBERED: Final = 16_384
"""How many answers a process remembers for later parts of a job. An answer takes about 1 kB."""

_LIKELY: Final = frozenset({"board", "fen", "position", "state", "grid", "squares", "cells"})
"""Names of columns that may hold the board, in lower case."""

UNREAD: Final = "bestmove:unread"
"""Readers of files may add this column. It holds null, or the reason why a row could not be read.
The reason becomes the row's problem, and the column is dropped."""

IN_PATH: Final = {b"bestmove": b"path"}
"""Metadata of a column that the path of the table's file has, not the file. Results have such a
column only if `Options.keep` names it."""

JSON_TEXT: Final = {b"bestmove": b"json"}
"""Metadata of a column that contains JSON as text."""

_FOUND: Final = {
    "turn": pa.string(),
    "status": pa.string(),
    "move": pa.int16(),
    "score": pa.float64(),
    "exact": pa.bool_(),
    "outcome": pa.string(),
    "plies": pa.int16(),
    "nodes": pa.int64(),
    "problem": pa.string(),
}


def label(table: Any, options: Options | None = None, **more: Any) -> pa.Table:
    """Return the table with added columns: the answer for the position in each row.

    Each row gets the answer of `best_move`; with `all_moves` that of `analyze`, which may prove
    more. An answer does not depend on the other rows. Equal positions are searched once. The
    function starts no processes and opens no files.

    Args:
        table: a table of Arrow, pandas, Polars or DuckDB, or a stream of Arrow batches, which is
            read whole. The table has a column `board` or `moves`, and may have the other `COLUMNS`.
            A Series, an array of NumPy or a list is the column `board`; an array or a list of one
            board is a table of one row, and a dict in a list is a row. In a column of pandas, NaN
            is a missing value; in a board it is refused. Boards of several types, such as text and
            lists, become a column of JSON text.
        options: what to find, and the budget.
        more: fields of `Options`, such as `game`; they override those of `options`.

    Returns:
        The columns in `options.keep`, or by default all columns of the table and all added columns.
        The index of pandas stays. If a row has a `problem`, its other added columns are null. A
        warning says which sizes the boards have, if there are several or another than the game's.

    Raises:
        InvalidInput: the table lacks a column, or has a column with the name of an added column, or
            a column that Arrow cannot hold, such as one of mixed objects.
        TypeError: `table` is not a table, `options` is not an `Options`, or has no such field.

    >>> table = pa.table({"id": [7, 8], "board": ["XX..O....", "XXXX....."]})
    >>> found = label(table, keep=("id", "move", "problem")).to_pylist()
    >>> found[0]
    {'id': 7, 'move': 2, 'problem': None}
    >>> found[1]["move"] is None, found[1]["problem"]
    (True, '4 X and 0 O: X moved first, so there must be as many X as O, or one more')
    """
    if not isinstance(options, Options | None):
        raise TypeError(f"options must be bestmove.label.Options, not {type(options).__name__}")
    names = Options.__dataclass_fields__
    for name in more.keys() - names.keys():
        raise TypeError(f"label has no option {name}; its options are {', '.join(names)}")
    options = replace(options or Options(), **more)
    table = _read(table, options)
    result_schema(table.schema, options)  # fails before the searches begin
    found, boards = labels(table, options)
    if not read_from(table.schema, options).keys() & {"game", "rows", "columns"}:
        sizes = tally_of(boards, 0, 0, -1).odd_sizes(options, lambda _, row: f"index {row}")
        if sizes:
            warn(f"{sizes}; give rows and columns to refuse others", stacklevel=2)
    return joined(table, found, options)


def _read(table: Any, options: Options) -> pa.Table:
    if hasattr(table, "to_frame"):  # a Series of pandas or Polars
        table = table.to_frame("board")
    elif isinstance(table, list | tuple) and table and isinstance(table[0], dict):
        rows = [row if isinstance(row, dict) else {} for row in table]
        names = dict.fromkeys(name for row in rows for name in row)
        return _table({name: [row.get(name) for row in rows] for name in names})
    elif is_array(table) or isinstance(table, list | tuple):
        return _table({"board": _boards(table, options)})
    elif not any(hasattr(table, f"__arrow_c_{each}__") for each in ("stream", "array")):
        kind = type(table).__name__
        hints = {"LazyFrame": "call its method collect()", "str": "for one board give [board]"}
        raise TypeError(
            "table must be a list of boards, a NumPy array, a Series, or a table of Arrow, pandas, "
            f"Polars or DuckDB, not {kind}: {hints.get(kind, 'make one with pyarrow.table()')}"
        )
    try:
        if type(table).__module__.startswith("polars."):
            # Of lists with Polars' newest type of text, Arrow can make no column of pandas.
            table = table.to_arrow(compat_level=import_module("polars").CompatLevel.oldest())
        board = dict(options.sources).get("board", "board")
        return _of_pandas(table, board) if hasattr(table, "iloc") else pa.table(table)
    except pa.ArrowException as error:
        # The last argument of an error of pandas names the column.
        why = ": ".join(map(str, reversed(error.args)))
        raise InvalidInput(
            f"{why}; give all values of a column one type, such as text or (nested) lists",
            "columns",
        ) from error


def _boards(found: Any, options: Options) -> list[Any]:
    """Return a list of boards. One board may be given instead: its cells or its rows."""
    boards = list(map(_as_list, _as_list(found)))
    first = next((board for board in boards if board is not None), "....")
    return boards if is_board(first, options.position) else [boards]


def _as_list(value: Any) -> Any:
    return value.tolist() if is_array(value) else value


def _table(columns: Mapping[Any, list[Any]]) -> pa.Table:
    """Return a table. A column of several types, which Arrow refuses, has JSON as text."""
    fields, arrays = [], []
    for name, values in columns.items():
        metadata = None
        try:
            array = pa.array(values)
        except pa.ArrowException:
            texts = [None if value is None else json.dumps(value, default=repr) for value in values]
            array, metadata = pa.array(texts), JSON_TEXT
        fields.append(pa.field(str(name), array.type, metadata=metadata))
        arrays.append(array)
    return pa.table(arrays, pa.schema(fields))


def _of_pandas(frame: Any, name: str) -> pa.Table:
    """Convert a table of pandas. `name`: the column of boards. In lists, pandas itself would make
    NaN a missing value, and it refuses arrays of several dimensions."""
    frame = frame.rename(columns=str)  # pandas would expect numbers as the names of all columns
    _require_distinct(list(frame.columns))
    if name not in frame or frame[name].dtype != object:
        return pa.table(frame)
    table = pa.table(frame.assign(**{name: None}))
    column = _table({name: list(map(_as_list, frame[name].where(frame[name].notna(), None)))})
    place = table.schema.get_field_index(name)
    return table.set_column(place, column.schema.field(0), column.column(0))


def joined(table: pa.Table, found: pa.Table, options: Options) -> pa.Table:
    schema = result_schema(table.schema, options)
    names = set(found.schema.names)
    columns = [found[name] if name in names else table[name] for name in schema.names]
    return pa.table(columns, schema=schema)


def types_of(options: Options) -> dict[str, pa.DataType]:
    types = dict(_FOUND)
    if options.all_moves:
        types |= {"scores": pa.list_(pa.float64()), "scores_exact": pa.list_(pa.bool_())}
    if options.pv:
        types["pv"] = pa.list_(pa.int16())
    if options.reason:
        types["reason"] = pa.string()
    return types


def result_schema(schema: pa.Schema, options: Options, dash: str = "") -> pa.Schema:
    """Return the result's columns for a table with this schema.

    Args:
        dash: what errors put before the names of options: nothing, or `--` for the command.

    Raises:
        InvalidInput: the table lacks a column, or two columns have the same name.
    """
    names = [name for name in schema.names if name != UNREAD]
    _require_distinct(names)
    read_from(schema, options, dash)
    found = [pa.field(options.prefix + name, kind) for name, kind in types_of(options).items()]
    fields = {name: schema.field(name) for name in names} | {field.name: field for field in found}
    kept = list(options.keep or ())
    if options.keep is None:
        kept = [name for name, field in fields.items() if field.metadata != IN_PATH]
    index = (schema.pandas_metadata or {}).get("index_columns", ())
    kept += [name for name in index if name in names and name not in kept]
    for name in kept:
        if name not in fields:
            raise InvalidInput(
                f"there is no column {name} to keep; there are {', '.join(fields)}", "keep"
            )
        if name in names and fields[name] in found:
            raise InvalidInput(
                f"the table already has a column {name}: name the added columns with {dash}prefix, "
                f"or choose the columns to write with {dash}keep",
                "columns",
            )
    return pa.schema([fields[name] for name in kept], schema.metadata)


def _require_distinct(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"the table has two columns named {name}: rename one", "names")


def read_from(schema: pa.Schema, options: Options, dash: str = "") -> dict[str, list[str]]:
    """Return for each field of a position the columns that hold it: usually one, but for a board
    perhaps one for each cell.

    Raises:
        InvalidInput: the table lacks a column.
    """
    names = [name for name in schema.names if name != UNREAD]
    named, found = dict(options.sources), {}
    for field in COLUMNS:
        column = named.get(field, field)
        if field in named and column not in names:
            raise _missing(column, names)
        is_other = field in options.ignore or field in named.values()
        if column in names and (field in named or not is_other):
            found[field] = [column]
    if options.cells:
        found["board"] = list(_cells(names, options.cells))
        if "moves" not in named:
            found.pop("moves", None)
    if not {"board", "moves"} & found.keys():
        likely = next((name for name in names if name.strip().lower() in _LIKELY), "COLUMN")
        flag = f"--from {shlex.quote(f'board={likely}')}"
        source = flag if dash else f"sources={{'board': {likely!r}}}"
        hint = f": name it with {source}, or the columns of its cells with {dash}cells"
        raise _missing("named board or moves", names, hint)
    return found


def _cells(names: list[str], patterns: Sequence[str]) -> Iterator[str]:
    for pattern in patterns:
        form = re.escape(pattern).replace(r"\*", ".*")
        found = [name for name in names if re.fullmatch(form, name, re.DOTALL)]
        if not found:
            raise _missing(pattern, names)
        yield from found


def _missing(name: str, names: list[str], hint: str = "") -> InvalidInput:
    shown = ", ".join(names[:20]) or "none"
    return InvalidInput(f"the table has no column {name} (its columns: {shown}){hint}", "names")


def labels(table: pa.Table, options: Options) -> tuple[pa.Table, list[Board | str]]:
    """Return the added columns, and for each row its board or the text of its problem."""
    boards, places = positions(table, options)
    limits = cache(options.limits)
    answers: list[Mapping[str, Any]] = [
        {"problem": board}
        if isinstance(board, str)
        else answer(board, limits(board.rules), options.all_moves, options.reason)
        for board in boards
    ]
    distinct = pa.Table.from_pylist(answers, pa.schema(types_of(options)))
    found = distinct.take(pa.array(places, pa.int64()))
    named = found.rename_columns([options.prefix + name for name in distinct.schema.names])
    return named, [boards[place] for place in places]


def positions(table: pa.Table, options: Options) -> tuple[list[Board | str], list[int]]:
    """Return the distinct positions, and each row's index into them.

    A row without a valid position has the text of its problem instead.
    """
    fields = read_from(table.schema, options)
    distinct: dict[Any, int] = {}
    keys, spelt = _spellings(table, list(fields.values()))
    known: dict[Board | str, int] = {}
    cells = fields.get("board", [])
    for key, row in zip(keys, spelt, strict=True):
        if key not in distinct:
            found = row[-1] or _position(dict(zip(fields, row, strict=False)), options, cells)
            distinct[key] = known.setdefault(found, len(known))
    return list(known), [distinct[key] for key in keys]


def _spellings(table: pa.Table, read: Sequence[list[str]]) -> tuple[list[Any], Iterator[Any]]:
    """Return a key and the values of each row. Equal rows have equal keys.

    A row's last value is the reason why it could not be read, or None.

    Args:
        read: the columns of each field. The values of several columns become a tuple.
    """
    unread = table[UNREAD].to_pylist() if UNREAD in table.schema.names else [None] * len(table)
    columns, hashable = [], []
    for names in read:
        found = [values_of(table[name], table.schema.field(name)) for name in names]
        kinds = [table.schema.field(name) for name in names]
        has_lists = any(pa.types.is_nested(each.type) or each.metadata for each in kinds)
        values = found[0] if len(names) == 1 else list(zip(*found, strict=True))
        columns.append(values)
        hashable.append(list(map(repr, values)) if has_lists else values)
    keys = list(zip(*hashable, unread, strict=True))
    return keys, zip(*columns, unread, strict=True)


def values_of(column: pa.ChunkedArray, field: pa.Field) -> list[Any]:
    if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
        # Without pandas, Arrow cannot convert nanoseconds to Python.
        column = column.cast(pa.string())
    values: list[Any] = column.to_pylist()
    if field.metadata == JSON_TEXT:
        return [None if value is None else json.loads(value) for value in values]
    return values


def _position(row: Mapping[str, Any], options: Options, cells: Sequence[str]) -> Board | str:
    try:
        return board_of(row, options.position, options.order, options.move_lists, cells)
    except InvalidInput as error:
        return str(error)


@lru_cache(_REMEMBERED)
def answer(board: Board, limits: SearchLimits, all_moves: bool, reason: bool) -> Mapping[str, Any]:
    """Answer a position. Return the values of the added columns; a missing value is null."""
    columns: dict[str, Any] = {"turn": board.turn, "status": board.status, "exact": True}
    analysis = analyze(board, limits) if all_moves else None
    if board.is_over:
        columns |= {"score": board.utility, "plies": 0, "nodes": 0, "pv": ()}
    else:
        # What is proven of the other moves may say more of the best. So `scores` never contradicts
        # the other columns.
        if analysis is None:
            best, nodes = find(board, limits)
        else:
            best, nodes = analysis.moves[0], analysis.search.nodes
        columns |= {"move": best.index, "score": best.score, "exact": best.exact}
        columns |= {"outcome": best.outcome, "plies": best.plies, "nodes": nodes, "pv": best.pv}
        if reason:
            after = board.after(best.index)
            columns["reason"] = explain(board, best.index, after, best.outcome, best.plies).text
    if analysis is not None:
        known = {move.index: move for move in analysis.moves}
        moves = [known.get(cell) for cell in range(board.rules.size)]
        columns["scores"] = [move and move.score for move in moves]
        columns["scores_exact"] = [move and move.exact for move in moves]
    return columns
