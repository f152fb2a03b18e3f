"""Bots for other programs and their protocols."""

from bestmove.bots.engine import Engine

__all__ = ["Engine"]
