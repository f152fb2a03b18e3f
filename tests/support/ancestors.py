"""The engines that this project grew out of, each as one call of a search in `algorithms`.

They are kept for comparison: as opponents, and as examples of a search with its evaluation and
order of moves.
"""

from __future__ import annotations

from typing import Final

from bestmove.game import Board
from bestmove.search.textbook.algorithms import alpha_beta, minimax, negamax
from bestmove.search.textbook.board_game import BoardGame
from bestmove.search.textbook.evaluations import (
    five_utility,
    neighbors_around_last,
    open_lines,
    open_lines_utility,
    shapes,
    ten_less_depth,
)
from bestmove.search.textbook.game import Result

GUESS_DEPTH: Final = 2
FIVE_IN_A_ROW_DEPTH: Final = 3


def plain_minimax(board: Board) -> int:
    """The first best move along the rows, by minimax to the end of the game.

    Takes half a second on an empty 3×3 board, and does not end on much larger ones.
    """
    return minimax(BoardGame(board)).pv[0]


def guess(board: Board, depth: int = GUESS_DEPTH) -> tuple[float, Board]:
    """The value for X and the resulting board, by open lines after `depth` plies of alpha-beta.

    A value of 1,000 or more on 3×3 is a win for X, of -1,000 or less one for O.
    """
    root = BoardGame(board, utility=open_lines_utility)
    result = alpha_beta(root, depth, open_lines)
    return result.value, board.play(result.pv[0])


def five_in_a_row(
    board: Board, last: int | None = None, depth: int = FIVE_IN_A_ROW_DEPTH
) -> Result:
    """Negamax over the cells next to a mark, those next to the last one first, by shapes.

    The value is for X; `counts` has the nodes searched and the cuts made. The shapes mean five in
    a row, on a board of any size.

    Args:
        board: the position.
        last: the last move, if it is known.
        depth: plies to look ahead.
    """
    root = BoardGame(board, utility=five_utility, order=neighbors_around_last, last=last)
    return negamax(root, depth, shapes)


def quick_wins(board: Board) -> Result:
    """Alpha-beta to the end of the game with 10 less the depth for a win: the sooner the better.

    For boards of fewer than ten empty cells.
    """
    return alpha_beta(BoardGame(board, utility=ten_less_depth))
