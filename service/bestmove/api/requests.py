"""From a request to a position and its limits, with everything that is wrong with it at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from marshmallow import Schema, ValidationError

from bestmove.api.problems import Faults, pointer_part
from bestmove.api.schemas import UNKNOWN, Integer
from bestmove.errors import IllegalMove, InvalidInput, InvalidNotation
from bestmove.game import MAX_SIDE, Board, notation
from bestmove.search.analysis import check
from bestmove.search.limits import Limits

LONGEST_POINTER: Final = 100
"""Characters of an unknown field's name that are repeated to the client."""

MOST_FIELDS: Final = 200
"""Fields of a request that are looked at one by one; the largest request has eleven."""

_SHAPING: Final = frozenset({"rows", "columns", "k", "first"})
"""Fields without which a board cannot be judged."""

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,30})\Z")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a position, and what the search may spend on it."""

    board: Board
    limits: Limits


def load(schema: Schema, value: Any) -> tuple[dict[str, Any], Faults]:
    """The fields that are in order, and what is wrong with the others.

    Raises:
        Problem: 422 when the value is no object at all.
    """
    faults = Faults()
    if not isinstance(value, dict):
        faults.add(None, "the request must be a JSON object")
    elif len(value) > MOST_FIELDS:
        faults.add(None, f"the request has {len(value)} fields, which are far too many")
    faults.raise_any()
    return _load(schema, value, faults), faults


def load_query(schema: Schema, query: bytes) -> tuple[dict[str, Any], Faults]:
    """As `load`, for the parameters of a query. Bytes that are not UTF-8 become U+FFFD."""
    faults = Faults(in_query=True)
    values: dict[str, Any] = {}
    parameters: dict[str, list[str]] = {}
    for name, text in parse_qsl(query.decode("utf-8", "replace"), keep_blank_values=True):
        parameters.setdefault(name, []).append(text)
    for name, given in parameters.items():
        if len(given) > 1:
            faults.add(name[:LONGEST_POINTER], f"is given {len(given)} times")
        elif isinstance(schema.fields.get(name), Integer) and _INTEGER.match(given[0]):
            values[name] = int(given[0])
        else:
            values[name] = given[0]
    loaded = _load(schema, values, faults, repeated={fault.where for fault in faults.found})
    return loaded, faults


def _load(
    schema: Schema,
    values: Mapping[str, Any],
    faults: Faults,
    repeated: Collection[str] = (),
) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(values)
    except ValidationError as error:
        messages = dict(error.messages_dict)
        for name in repeated:
            messages.pop(name, None)  # "is missing" would be wrong: it is there twice
        _add_messages(messages, faults)
        loaded = error.valid_data if isinstance(error.valid_data, dict) else {}
    return loaded


def _add_messages(messages: Mapping[str, Any], faults: Faults, below: str = "") -> None:
    for name, found in messages.items():
        if len(name) > LONGEST_POINTER:
            faults.add(below.rstrip("/") or None, f"{name[:LONGEST_POINTER]}… {UNKNOWN}")
            continue
        where = name if faults.in_query else below + pointer_part(name)
        if isinstance(found, Mapping):
            _add_messages(found, faults, where + "/")
        else:
            for message in found:
                faults.add(where, f"{name} {message}" if name else f'"" {message}')


def limits_of(options: Mapping[str, Any], default_time_ms: int, arrived: float) -> Limits:
    """The limits of a request that arrived at `arrived` (`time.monotonic()` seconds)."""
    time_ms = options.get("time_ms", default_time_ms)
    return Limits(
        time_ms=time_ms,
        depth=options.get("depth"),
        level=options.get("level", 10),
        seed=options.get("seed"),
        algorithm=options.get("algorithm", "auto"),
        deadline=arrived + time_ms / 1000,
    )


def board_of(board: Any, options: Mapping[str, Any]) -> Board:
    """The board under the options of its request.

    Raises:
        InvalidInput: it is no board.
    """
    if isinstance(board, list) and _is_huge(board):
        raise InvalidNotation(f"the board has more items than any of {MAX_SIDE}×{MAX_SIDE} cells")
    return Board.parse(
        board,
        options.get("rows"),
        options.get("columns"),
        options.get("k"),
        options.get("first", "X"),
    )


def _is_huge(board: list[Any]) -> bool:
    """Whether an array is too long to be worth a look at its cells."""
    most = MAX_SIDE * MAX_SIDE
    return len(board) > most or any(isinstance(row, list) and len(row) > most for row in board)


def board_in(loaded: Mapping[str, Any], faults: Faults) -> Board | None:
    """The request's board, or None with what is wrong with it noted."""
    if "board" not in loaded:
        return None
    wrong = {fault.where.strip("/") for fault in faults.found}
    try:
        if not wrong & _SHAPING:
            return board_of(loaded["board"], loaded)
        _find_faults_of_board(loaded, wrong)
    except InvalidInput as error:
        faults.add_error(error)
    return None


def question(
    board: Board | None,
    loaded: Mapping[str, Any],
    faults: Faults,
    default_time_ms: int,
    arrived: float,
) -> Question:
    """The position and the limits, if everything is in order.

    Raises:
        Problem: 422 with all that is wrong.
    """
    limits = limits_of(loaded, default_time_ms, arrived)
    if board is not None:
        try:
            check(board, limits)
        except InvalidInput as error:
            faults.add_error(error)
    faults.raise_any()
    assert board is not None
    return Question(board, limits)


def played(board: Board, move: int | tuple[int, int]) -> Board:
    """The board after the caller's move.

    Raises:
        IllegalMove: no empty cell of a game in progress.
    """
    if isinstance(move, tuple):
        rules = board.rules
        sides = (("row", "rows", rules.rows), ("column", "columns", rules.columns))
        for place, (name, plural, side) in zip(move, sides, strict=True):
            if place >= side:
                raise IllegalMove(
                    f"{name} {place} is not on the board, whose {plural} are 0 to {side - 1}",
                    f"move/{name}",
                )
        move = rules.index(*move)
    return board.play(move)


def _find_faults_of_board(loaded: Mapping[str, Any], wrong: Collection[str]) -> None:
    """What is wrong with the board itself, though fields that shape it are wrong as well.

    A complaint that a field at fault may be the cause of would only mislead.
    """
    board = loaded["board"]
    if isinstance(board, list) and _is_huge(board):
        board_of(board, {})
    elif "rows" not in wrong and "columns" not in wrong:
        notation.parse(board, loaded.get("rows"), loaded.get("columns"))
    else:
        try:
            notation.parse(board)
        except InvalidInput as error:
            # As one row every text has a shape: what is wrong then, is wrong with a mark.
            try:
                notation.parse(board, 1)
            except InvalidInput as again:
                if str(again) == str(error):
                    raise
