"""Arguments and answers of the solver's kernel, and the parameters of its search."""

from __future__ import annotations

from typing import Final

from bestmove.search import declared

CELLS: Final = declared.constants(__file__)["CELLS"]
"""The most cells of a board: a set of cells is one 64-bit word."""

ATTACKER_TURN: Final = 0
DEFENDER_TURN: Final = 1
"""The numbers of the two sides. `turn` is the number of the side to move."""

FOREVER: Final = 127
"""Stands for no limit of plies. It is the largest number of plies that a table entry can hold."""

NEVER: Final = -1

STOPPED: Final = -2

ONE: Final = 1 << 50
"""The weight of a completed line. A line with c empty cells weighs ONE * 2^-c.

If c is 51 to 63, the weight is 0. That is safe: such lines fit only boards of a single row or
column. On such a board all lines share a cell, so one mark blocks all lines."""

# Tuned to need few nodes and little time on empty boards and random positions.
NULL_PLIES: Final = 3
"""After a null move, the search for a win is at most this many plies deep."""

SYMMETRIC_PLIES: Final = 8
"""The last ply at which symmetric positions share a table entry."""
