"""How other programs play with the engine: in process, and by their own protocols."""

from service.bots.engine import Engine

__all__ = ["Engine"]
