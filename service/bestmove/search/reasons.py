"""Why a move was chosen, in claims that can be checked on the board."""

from __future__ import annotations

from bestmove import words
from bestmove.answers import Reason
from bestmove.game import Board, other
from bestmove.search.limits import BEST_LEVEL
from bestmove.words import Outcome, ReasonCode


def explain(
    board: Board, move: int, outcome: Outcome, plies: int | None, level: int = BEST_LEVEL
) -> Reason:
    """The reason for playing the cell `move`, given its `outcome`.

    The codes, and what each means:

    - `weakened`: a level below 10 chose the move, which may not be the best.
    - `wins`: the move completes a line.
    - `only-move`: there is no other legal move.
    - `forks`: after the move, the mover can win at once on two or more cells, and the opponent
      cannot win first.
    - `delays-loss`: every move loses; as far as is known, none loses later than this one.
    - `blocks`: the opponent would have won on that cell.
    - `forces-win`: the win is proven.
    - `blocks-fork`: the opponent would have forked on that cell.
    - `holds-draw`: the draw is proven.
    - `best-estimate`: nothing is proven.
    """
    mover = board.turn or ""
    opponent = other(mover)
    wins = not board.rules.misere  # completing a line wins
    cells: tuple[int, ...] = (move,)
    code: ReasonCode
    if level < BEST_LEVEL:
        code = "weakened"
    elif wins and (line := board.rules.line_completed(board.cells, move, mover)):
        code, cells = "wins", line
    elif len(board.moves) == 1:
        code = "only-move"
    elif (
        wins
        and outcome == "win"
        and len(own := _winning_cells(board, move, mover, mover)) > 1
        and not _winning_cells(board, move, mover, opponent)
    ):
        code, cells = "forks", own
    elif outcome == "loss":
        code = "delays-loss"
    elif wins and board.rules.completes_line(board.cells, move, opponent):
        code = "blocks"
    elif outcome == "win":
        code = "forces-win"
    elif wins and len(theirs := _winning_cells(board, move, opponent, opponent)) > 1:
        code, cells = "blocks-fork", theirs
    else:
        code = "holds-draw" if outcome == "draw" else "best-estimate"
    text = words.why(code, cells, move, board, outcome, plies, level=f"Level {level}")
    assert text is not None
    return Reason(code, cells, text)


def _winning_cells(board: Board, move: int, mover: str, mark: str) -> tuple[int, ...]:
    """The cells on which `mark` could win at once after `mover` has played `move`, ascending."""
    after = board.cells[:move] + mover + board.cells[move + 1 :]
    return board.rules.completing(after, mark)
