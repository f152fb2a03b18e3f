"""Makes a board from the valid fields of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bestmove.api.problems import Faults
from bestmove.api.schemas import REQUIRED
from bestmove.errors import InvalidInput, InvalidNotation, InvalidRules
from bestmove.game import MAX_SIDE, Board, X, notation
from bestmove.game.moves import require_cells
from bestmove.game.reachability import require_turns
from bestmove.game.rules import SWITCHES

_SIZE: Final = ("game", "rows", "columns")
"""Fields that give the size of the board."""

_SHAPING: Final = frozenset({*_SIZE, "k", "first", *SWITCHES})
"""Fields that a position depends on."""

_BOTH: Final = "give board or moves, not both"
_MISSING: Final = f"board {REQUIRED}: give it, or moves, or a game"


def board_of(board: Any, fields: Mapping[str, Any]) -> Board:
    """The board under the rules in `fields`.

    Raises:
        InvalidInput: `board` is invalid.
    """
    if isinstance(board, list) and _is_huge(board):
        raise InvalidNotation(f"the board has more items than {MAX_SIDE}×{MAX_SIDE} cells")
    return Board.parse(board, **_rules_in(fields))


def position(fields: Mapping[str, Any]) -> Board:
    """The board of the field `board` or `moves`, or the empty board of the game.

    Raises:
        InvalidInput: the board is invalid, or no field gives one.
    """
    if "board" in fields and "moves" in fields:
        raise InvalidInput(_BOTH, "moves")
    if "board" in fields:
        return board_of(fields["board"], fields)
    if "moves" in fields:
        return Board.from_moves(fields["moves"], **_rules_in(fields))
    if not any(name in fields for name in _SIZE):
        raise InvalidInput(_MISSING)
    return Board.empty(**_rules_in(fields))


def _rules_in(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in _SHAPING if name in fields}


def _is_huge(board: list[Any]) -> bool:
    """Whether an array is too long to be a board; then its cells are not read."""
    most = MAX_SIDE * MAX_SIDE
    return len(board) > most or any(isinstance(row, list) and len(row) > most for row in board)


def board_in(fields: Mapping[str, Any], faults: Faults) -> Board | None:
    """The request's board; None if it is invalid. Adds faults to `faults`."""
    wrong = frozenset(fault.where.strip("/") for fault in faults.found)
    if not wrong.isdisjoint(("board", "moves")):
        return None
    if wrong.isdisjoint(_SHAPING):
        try:
            return position(fields)
        except InvalidInput as error:
            faults.add_error(error)
            if not isinstance(error, InvalidRules):
                return None
            wrong = wrong.union(one.field for one in error.each())
    try:
        _find_other_faults(fields, wrong)
    except InvalidInput as error:
        faults.add_error(error)
    return None


def _find_other_faults(fields: Mapping[str, Any], wrong: frozenset[str]) -> None:
    """Find faults of the board or the moves when fields that they depend on are wrong too.

    Omits faults that may be consequences of the wrong fields.

    Raises:
        InvalidInput: the faults.
    """
    if "board" in fields and "moves" in fields:
        raise InvalidInput(_BOTH, "moves")
    sized = wrong.isdisjoint(_SIZE)
    size = {name: fields[name] for name in _SIZE if name in fields}
    if "board" in fields:
        board = fields["board"]
        if isinstance(board, list) and _is_huge(board):
            board_of(board, {})
        if sized:
            notation.parse(board, k=1, **size)
        cells = notation.cells_of(board)
        if "first" not in wrong:
            require_turns(cells, fields.get("first", X))
    elif "moves" in fields:
        if sized and "gravity" not in wrong:
            rules = Board.empty(**size, k=1, gravity=fields.get("gravity")).rules
            require_cells(fields["moves"], rules)
    elif not wrong.union(fields).intersection(_SIZE):
        raise InvalidInput(_MISSING)
