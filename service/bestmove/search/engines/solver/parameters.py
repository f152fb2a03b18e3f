"""The constants of the solver's kernel."""

from __future__ import annotations

from typing import Final

from bestmove.search import declared

CELLS: Final = declared.constants(__file__)["CELLS"]
"""A board may have at most this many cells, because a set of cells is one 64-bit word."""

ATTACKER_TURN: Final = 0
DEFENDER_TURN: Final = 1

FOREVER: Final = 127
"""The number of plies that means "no limit". A table entry can store no larger number."""

NEVER: Final = -1

STOPPED: Final = -2

ONE: Final = 1 << 50
"""The weight of a completed line. A line with c empty cells weighs ONE * 2^-c.

The weight is 0 if c is 51 to 63. This does no harm: a board with such lines has one row or one
column, and one mark of the defender can block all its lines."""

# The two values below were tuned for speed on empty boards and random positions.
NULL_PLIES: Final = 3
"""After a null move, the search goes at most this many plies deep."""

SYMMETRIC_PLIES: Final = 8
"""The last ply at which symmetric positions share a table entry."""
