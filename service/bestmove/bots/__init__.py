"""Bots for other programs, in process and by their protocols."""

from bestmove.bots.engine import Engine

__all__ = ["Engine"]
