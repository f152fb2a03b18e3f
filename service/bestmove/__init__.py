"""Best Move: handed a board, it answers with the best move.

>>> from bestmove import Board, best_move
>>> board = Board.parse("XX..O....")
>>> best_move(board).move
2
"""

from typing import TYPE_CHECKING

from bestmove.game import Board, Rules
from bestmove.search.analysis import Analysis, BestMove, MoveEvaluation, analyze, best_move
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import Limits

if TYPE_CHECKING:
    from bestmove.version import __version__

__all__ = [
    "Analysis",
    "BestMove",
    "Board",
    "Cancellation",
    "Limits",
    "MoveEvaluation",
    "Rules",
    "__version__",
    "analyze",
    "best_move",
]


def __getattr__(name: str) -> object:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bestmove import version

    return version.__version__
