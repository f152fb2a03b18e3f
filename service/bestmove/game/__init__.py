"""The game: rules, boards, notation and named games. These modules use no third-party package."""

from bestmove.game.board import Board, Status
from bestmove.game.presets import PRESETS, Preset
from bestmove.game.rules import EMPTY, MAX_SIDE, O, Rules, X, other

__all__ = ["EMPTY", "MAX_SIDE", "PRESETS", "Board", "O", "Preset", "Rules", "Status", "X", "other"]
