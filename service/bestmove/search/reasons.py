"""Why a move was chosen: every claim made here can be replayed on the board."""

from __future__ import annotations

from bestmove.game import EMPTY, Board, other
from bestmove.search.limits import BEST_LEVEL
from bestmove.search.results import Outcome, Reason
from bestmove.search.scores import EXACT_CELLS


def explain(
    board: Board, move: int, outcome: Outcome, plies: int | None, level: int = BEST_LEVEL
) -> Reason:
    """The reason for playing the cell `move`, given the proven or unknown `outcome` of it.

    The codes, and what each promises:

    - `weakened`: a level below 10 chose, not always the best move.
    - `wins`: the move completes a line.
    - `only-move`: there is no other legal move.
    - `forks`: afterwards there are two cells, each of which would win at once, and the opponent
      cannot win first.
    - `delays-loss`: every move loses; this one loses latest as far as known.
    - `blocks`: the opponent would have won on that cell.
    - `forces-win`: the win is proven.
    - `blocks-fork`: the opponent would have forked on that cell.
    - `holds-draw`: the draw is proven.
    - `best-estimate`: nothing is proven.
    """
    mover = board.turn or ""
    opponent = other(mover)
    cell = _name(board, move)
    # On larger boards a distance is what nobody can exceed, not what both would choose.
    at_most = "" if board.rules.size <= EXACT_CELLS else "at most "
    if level < BEST_LEVEL:
        return Reason("weakened", f"Level {level} plays below its best on purpose: {cell}.")
    cell_first = cell.capitalize()
    if line := _line_completed(board, move, mover):
        return Reason("wins", f"{cell_first} completes the line {_join(line)} and wins.")
    if board.cells.count(EMPTY) == 1:
        return Reason("only-move", f"{cell_first} is the only empty cell.")
    if outcome == "win" and not _can_win_at_once(board, move, opponent):
        wins_next = _winning_cells(board, move, mover)
        if len(wins_next) > 1:
            return Reason(
                "forks",
                f"{cell_first} makes two threats at once: the cells {_join(wins_next)} would each "
                "win, and only one can be blocked.",
            )
    if outcome == "loss":
        return Reason(
            "delays-loss",
            f"Every move loses; {cell} holds out for {at_most}{plies} plies.",
        )
    if _line_completed(board, move, opponent):
        return Reason("blocks", f"{opponent} would have won on {cell}.")
    if outcome == "win":
        return Reason("forces-win", f"{cell_first} wins by force in {at_most}{plies} plies.")
    if len(threats := _winning_cells(board, move, opponent)) > 1:
        return Reason(
            "blocks-fork",
            f"{opponent} on {cell} would have threatened to win on the cells {_join(threats)}.",
        )
    if outcome == "draw":
        return Reason("holds-draw", f"With best play it is a draw, and {cell} holds it.")
    return Reason("best-estimate", f"{cell_first} has the best estimate within the budget.")


def _name(board: Board, index: int) -> str:
    row, column = board.rules.coordinates(index)
    return f"cell {index} (row {row}, column {column})"


def _join(cells: tuple[int, ...]) -> str:
    return ", ".join(map(str, cells[:-1])) + f" and {cells[-1]}" if cells[1:] else str(cells[0])


def _line_completed(board: Board, move: int, mark: str) -> tuple[int, ...] | None:
    """A line that `mark` would complete on the empty cell `move`."""
    cells, others = board.cells, board.rules.k - 1
    if cells.count(mark) < others:
        return None
    for line in board.rules.lines_through[move]:
        if [cells[cell] for cell in line].count(mark) == others:
            return line
    return None


def _winning_cells(board: Board, move: int, mark: str) -> tuple[int, ...]:
    """The cells on which `mark`, having played `move`, would win through it next, ascending."""
    cells = board.cells
    found: set[int] = set()
    for line in board.rules.lines_through[move]:
        marks = [cells[cell] for cell in line]
        # `move` itself is empty, and one cell more.
        if marks.count(EMPTY) == 2 and marks.count(mark) == len(line) - 2:
            found.update(cell for cell in line if cell != move and cells[cell] == EMPTY)
    return tuple(sorted(found))


def _can_win_at_once(board: Board, move: int, mark: str) -> bool:
    """Whether `mark` has a winning cell once the cell `move` is taken."""
    return any(
        cell != move and board.rules.completes_line(board.cells, cell, mark) for cell in board.moves
    )
