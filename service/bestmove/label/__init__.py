"""Adds answers to tables of positions. Needs `bestmove[label]`."""

from bestmove.label.labelling import label
from bestmove.label.options import Options

__all__ = ["Options", "label"]
