"""From a request's valid fields to the position that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bestmove.api.problems import Faults
from bestmove.api.schemas import REQUIRED
from bestmove.errors import InvalidInput, InvalidNotation
from bestmove.game import MAX_SIDE, Board, notation
from bestmove.game.rules import SWITCHES

_SIZE: Final = ("game", "rows", "columns")
"""Fields that say which board it is."""

_SHAPING: Final = frozenset({*_SIZE, "k", "first", *SWITCHES})
"""Fields without which a position cannot be judged."""

_MISSING: Final = f"board {REQUIRED}: give it, or moves, or a game"


def board_of(board: Any, fields: Mapping[str, Any]) -> Board:
    """The board under the rules that its request names.

    Raises:
        InvalidInput: it is no board.
    """
    if isinstance(board, list) and _is_huge(board):
        raise InvalidNotation(f"the board has more items than any of {MAX_SIDE}×{MAX_SIDE} cells")
    return Board.parse(board, **_rules_in(fields))


def position(given: Mapping[str, Any], fields: Mapping[str, Any]) -> Board:
    """The board that `board` or `moves` of what is given describes; without both, the empty one
    of the game.

    Raises:
        InvalidInput: there is no such board, or nothing says which it is.
    """
    if "board" in given and "moves" in given:
        raise InvalidInput("moves is given beside board: leave one of them out", "moves")
    if "board" in given:
        return board_of(given["board"], fields)
    if "moves" in given:
        return Board.from_moves(given["moves"], **_rules_in(fields))
    if not any(name in fields for name in _SIZE):
        raise InvalidInput(_MISSING)
    return Board.empty(**_rules_in(fields))


def _rules_in(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in _SHAPING if name in fields}


def _is_huge(board: list[Any]) -> bool:
    """Whether an array is too long to be worth a look at its cells."""
    most = MAX_SIDE * MAX_SIDE
    return len(board) > most or any(isinstance(row, list) and len(row) > most for row in board)


def board_in(fields: Mapping[str, Any], faults: Faults) -> Board | None:
    """The request's board, or None with what is wrong with it noted."""
    wrong = frozenset(fault.where.strip("/") for fault in faults.found)
    if not wrong.isdisjoint(("board", "moves")):
        return None
    try:
        if wrong.isdisjoint(_SHAPING):
            return position(fields, fields)
        if "board" in fields:
            _find_faults_of_board(fields, wrong)
        elif not wrong.union(fields).intersection(("moves", *_SIZE)):
            raise InvalidInput(_MISSING)
    except InvalidInput as error:
        faults.add_error(error)
    return None


def _find_faults_of_board(fields: Mapping[str, Any], wrong: frozenset[str]) -> None:
    """What is wrong with the board itself, though fields that shape it are wrong as well.

    A complaint that a field at fault may be the cause of would only mislead.
    """
    board = fields["board"]
    if isinstance(board, list) and _is_huge(board):
        board_of(board, {})
    elif wrong.isdisjoint(_SIZE):
        notation.parse(board, **{name: fields[name] for name in _SIZE if name in fields})
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
