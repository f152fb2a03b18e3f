"""Makes a board from the valid fields of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bestmove.api.problems import Faults
from bestmove.api.schemas import REQUIRED
from bestmove.errors import InvalidInput, InvalidRules
from bestmove.game import Board, X, notation
from bestmove.game.inputs import RULES, position_of
from bestmove.game.moves import require_cells
from bestmove.game.reachability import require_turns

_SIZE: Final = ("game", "rows", "columns")
"""The fields that give the board's size."""

_SHAPING: Final = frozenset(RULES)
"""The fields that, besides `board` and `moves`, determine a position."""


def board_in(fields: Mapping[str, Any], faults: Faults) -> Board | None:
    """Return the board that the fields describe. If there are faults, add them to `faults` and
    return None.

    The fields must include `board`, `moves` or one of `_SIZE`. A size alone gives an empty board.
    """
    wrong = {fault.where.strip("/") for fault in faults.found} if faults.found else set()
    if not wrong.isdisjoint(("board", "moves")):
        return None
    board = fields.get("board")
    try:
        if board is not None and "moves" in fields:
            raise InvalidInput("give board or moves, not both", "moves")
        if board is None and "moves" not in fields and wrong.union(fields).isdisjoint(_SIZE):
            raise InvalidInput(f"board {REQUIRED}: give board, moves or game")
        if wrong.isdisjoint(_SHAPING):
            try:
                return position_of(board, fields)
            except InvalidRules as error:
                faults.add_error(error)
                wrong.update(one.field for one in error.each())
        _find_other_faults(fields, wrong)
    except InvalidInput as error:
        faults.add_error(error)
    return None


def _find_other_faults(fields: Mapping[str, Any], wrong: set[str]) -> None:
    """Check `board` or `moves` as far as possible without the fields in `wrong`.

    Raises:
        InvalidInput: the faults found.
    """
    sized = wrong.isdisjoint(_SIZE)
    size = {name: fields[name] for name in _SIZE if name in fields}
    if "board" in fields:
        board = fields["board"]
        if sized:
            notation.parse(board, k=1, **size)
        cells = notation.cells_of(board)
        if "first" not in wrong:
            require_turns(cells, fields.get("first", X))
    elif "moves" in fields and sized and "gravity" not in wrong:
        rules = Board.empty(**size, k=1, gravity=fields.get("gravity")).rules
        require_cells(fields["moves"], rules)
