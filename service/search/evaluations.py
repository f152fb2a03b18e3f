"""What a position is worth that no search has followed to its end, and which moves to try first."""

from __future__ import annotations

from service.search.boardgame import BoardGame


def open_lines(position: BoardGame) -> int:
    """The sum over all lines of 10 to the number of marks in it, where one side has all of them.

    X's lines count for, O's against; a line without a mark or with both counts nothing. On 3×3 a
    full line is 1,000 and at most eight lines have two marks, so that only a win reaches 1,000.
    """
    x, o = position.x, position.o
    total = 0
    for line in position.masks.lines:
        total += _line(x & line, o & line)
    return total


def _line(x: int, o: int) -> int:
    if x:
        return 0 if o else 10 ** x.bit_count()
    return -(10 ** o.bit_count()) if o else 0
