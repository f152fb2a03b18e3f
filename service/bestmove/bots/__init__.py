"""Bots that play inside other programs, such as Kaggle and Gomocup managers."""

from bestmove.bots.engine import Engine

__all__ = ["Engine"]
