"""How other programs play with the engine: in process, and by their own protocols."""

from bestmove.bots.engine import Engine

__all__ = ["Engine"]
