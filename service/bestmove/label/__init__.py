"""Adds answers to tables of positions. It needs the extra `label`."""

from bestmove.extras import needs_extra

with needs_extra("label"):
    from bestmove.label.labelling import label
    from bestmove.label.options import Options

__all__ = ["Options", "label"]
