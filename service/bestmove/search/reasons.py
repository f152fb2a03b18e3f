"""Explains why a move was chosen, in claims that can be checked on the board."""

from __future__ import annotations

from bestmove import words
from bestmove.answers import Reason
from bestmove.game import Board, X
from bestmove.game.geometry import cells_of
from bestmove.search.limits import BEST_LEVEL
from bestmove.words import Outcome, ReasonCode


def explain(
    board: Board, move: int, outcome: Outcome, plies: int | None, level: int = BEST_LEVEL
) -> Reason:
    """Return the reason for playing the cell `move`, given its `outcome`.

    The codes:

    - `weakened`: a level below 10 chose the move, which may not be the best.
    - `wins`: the move completes a line.
    - `only-move`: there is no other legal move.
    - `forks`: after the move, the mover can win at once on two or more cells, and the opponent
      cannot win first.
    - `delays-loss`: every move loses, and none is known to lose later.
    - `blocks`: the opponent could have won at once on that cell.
    - `forces-win`: the win is proven.
    - `blocks-fork`: the opponent could have forked on that cell.
    - `holds-draw`: the draw is proven.
    - `best-estimate`: nothing is proven.
    """
    rules = board.rules
    x, o, empty = board.bits
    own, theirs = (x, o) if board.turn == X else (o, x)
    geometry = rules.geometry
    played = 1 << move
    wins = not rules.misere  # in misère, completing a line loses
    cells: tuple[int, ...] = (move,)
    code: ReasonCode
    if level < BEST_LEVEL:
        code = "weakened"
    elif wins and (lines := geometry.full_lines(own | played)):
        code, cells = "wins", lines[0].cells
    elif rules.playable(empty) == played:
        code = "only-move"
    elif (
        wins
        and outcome == "win"
        and (threats := geometry.gaps(own | played, empty ^ played)).bit_count() > 1
        and not geometry.gaps(theirs, empty ^ played)
    ):
        code, cells = "forks", tuple(cells_of(threats))
    elif outcome == "loss":
        code = "delays-loss"
    elif wins and geometry.full_lines(theirs | played):
        code = "blocks"
    elif outcome == "win":
        code = "forces-win"
    elif wins and (threats := geometry.gaps(theirs | played, empty ^ played)).bit_count() > 1:
        code, cells = "blocks-fork", tuple(cells_of(threats))
    else:
        code = "holds-draw" if outcome == "draw" else "best-estimate"
    return Reason(code, cells, words.why(code, cells, move, board, outcome, plies, level))
