"""What the solver's kernel is asked with and answers, and the numbers that steer its search."""

from __future__ import annotations

from typing import Final

CELLS: Final = 64
"""The cells of the largest board; a set of cells is one 64-bit word."""

ATTACKER_TURN: Final = 0
DEFENDER_TURN: Final = 1
"""Whose turn it is; also the two sides' numbers."""

FOREVER: Final = 127
"""As a number of plies: without a limit. The most that the table's 7 bits hold."""

NEVER: Final = -1
"""The answer that the attacker does not win in any number of plies."""

STOPPED: Final = -2
"""The answer that the budget ran out."""

LINES: Final = 256
"""Room for lines: a board of up to 64 cells has 210 at most, 8×8 with k = 2."""

PLIES: Final = 68
"""The 64 moves of a full board; a pass or a move tried ahead, which adds no more than one ply, as
the search after it ends at once; the position after the last; one to spare."""

ONE: Final = 1 << 50
"""The weight of a completed line; one that lacks c cells weighs 2^-c of it, exact up to c = 50. A
line that lacks more weighs nothing: it fits a board of a single row only, where all lines that long
share a cell, and one mark spoils them all."""

# Chosen by the nodes and the time that the empty boards and random positions took.
NULL_PLIES: Final = 3
"""The null move looks for a win within so many plies."""

SYMMETRIC_PLIES: Final = 8
"""Images of a position are compared this near the root."""
