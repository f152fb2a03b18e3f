"""Best Move: handed a board, it answers with the best move.

>>> from service import Board, best_move
>>> board = Board.parse("XX..O....")
>>> best_move(board).move
2
"""

from service.game import Board, Rules
from service.search.analysis import Analysis, BestMove, MoveEvaluation, analyze, best_move
from service.search.limits import Limits
from service.version import __version__

__all__ = [
    "Analysis",
    "BestMove",
    "Board",
    "Limits",
    "MoveEvaluation",
    "Rules",
    "__version__",
    "analyze",
    "best_move",
]
