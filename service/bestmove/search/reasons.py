"""Why a move was chosen: every claim made here can be replayed on the board."""

from __future__ import annotations

from bestmove.game import Board, other
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
    cell_first = cell.capitalize()
    wins = not board.rules.misere  # completing a line wins, and so can threats
    if level < BEST_LEVEL:
        text = f"Level {level} plays below its best on purpose: {cell}."
        return Reason("weakened", text, (move,))
    if wins and (line := board.rules.line_completed(board.cells, move, mover)):
        return Reason("wins", f"{cell_first} completes the line {_join(line)} and wins.", line)
    if len(board.moves) == 1:
        only = "legal move" if board.rules.gravity else "empty cell"
        return Reason("only-move", f"{cell_first} is the only {only}.", (move,))
    if wins and outcome == "win" and not _can_win_at_once(board, move, opponent):
        threats = _winning_cells(board, move, mover)
        if len(threats) > 1:
            text = (
                f"{cell_first} makes two threats at once: the cells {_join(threats)} would each "
                "win, and only one can be blocked."
            )
            return Reason("forks", text, threats)
    if outcome == "loss":
        text = f"Every move loses; {cell} holds out for {_distance(board, plies)}."
        return Reason("delays-loss", text, (move,))
    if wins and board.rules.completes_line(board.cells, move, opponent):
        return Reason("blocks", f"{opponent} would have won on {cell}.", (move,))
    if outcome == "win":
        text = f"{cell_first} wins by force in {_distance(board, plies)}."
        return Reason("forces-win", text, (move,))
    if wins and len(threats := _winning_cells(board, move, opponent)) > 1:
        text = f"{opponent} on {cell} would have threatened to win on the cells {_join(threats)}."
        return Reason("blocks-fork", text, threats)
    if outcome == "draw":
        text = f"With best play it is a draw, and {cell} holds it."
        return Reason("holds-draw", text, (move,))
    return Reason(
        "best-estimate", f"{cell_first} has the best estimate within the budget.", (move,)
    )


def _name(board: Board, index: int) -> str:
    row, column = board.rules.coordinates(index)
    return f"cell {index} (row {row}, column {column})"


def _distance(board: Board, plies: int | None) -> str:
    # On larger boards a distance is what nobody can exceed, not what both would choose.
    rules = board.rules
    exact = rules.size <= EXACT_CELLS or rules.gravity or rules.misere
    at_most = "" if exact else "at most "
    return f"{at_most}{plies} {'ply' if plies == 1 else 'plies'}"


def _join(cells: tuple[int, ...]) -> str:
    return ", ".join(map(str, cells[:-1])) + f" and {cells[-1]}" if cells[1:] else str(cells[0])


def _winning_cells(board: Board, move: int, mark: str) -> tuple[int, ...]:
    """The cells on which `mark`, having played `move`, would win next, ascending."""
    after = board.cells[:move] + mark + board.cells[move + 1 :]
    return board.rules.completing(after, mark)


def _can_win_at_once(board: Board, move: int, mark: str) -> bool:
    """Whether `mark` has a winning cell once the other side has played the cell `move`."""
    after = board.play(move)
    return not after.is_over and bool(after.rules.completing(after.cells, mark))
