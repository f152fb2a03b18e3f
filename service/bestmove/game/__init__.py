"""What the game is: boards, rules and notation. Standard library only."""

from bestmove.game.board import Board, Status
from bestmove.game.rules import EMPTY, MAX_SIDE, O, Rules, X, other

__all__ = ["EMPTY", "MAX_SIDE", "Board", "O", "Rules", "Status", "X", "other"]
