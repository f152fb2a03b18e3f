"""The engine in both builds, and positions for its tests drawn as text or by chance."""

from __future__ import annotations

import random
from types import ModuleType

from tests.support.builds import interpreted

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def interpreted_engine() -> ModuleType:
    """The engine's driver with the search run as plain Python, even where it is compiled."""
    return interpreted("bestmove.search.gomoku.driver")


def parse(text: str) -> tuple[int, int, bytes]:
    """Rows, columns and cells of a board drawn as text."""
    rows = text.split()
    return len(rows), len(rows[0]), bytes(".XO".index(mark) for mark in "".join(rows))


def line_lengths(cells: bytes, rows: int, columns: int, index: int) -> list[int]:
    """Marks in each of the four lines through a marked cell."""
    row, column = divmod(index, columns)
    lengths = []
    for down, right in DIRECTIONS:
        marks = 1
        for way in (1, -1):
            r, c = row + way * down, column + way * right
            while 0 <= r < rows and 0 <= c < columns and cells[r * columns + c] == cells[index]:
                marks += 1
                r, c = r + way * down, c + way * right
        lengths.append(marks)
    return lengths


def has_line(cells: bytes, rows: int, columns: int, k: int, overline: bool = True) -> bool:
    return any(
        mark and in_line(cells, rows, columns, k, index, overline)
        for index, mark in enumerate(cells)
    )


def in_line(
    cells: bytes, rows: int, columns: int, k: int, index: int, overline: bool = True
) -> bool:
    """Whether a marked cell is in a line that wins."""
    lengths = line_lengths(cells, rows, columns, index)
    return max(lengths) >= k if overline or k == 1 else k in lengths


def scattered(rng: random.Random, rows: int, columns: int, k: int, marks: int) -> bytes | None:
    """Marks of both sides by turns on a middle part of the board; None when they make a line."""
    height, width = min(rows, 9), min(columns, 9)
    top, left = (rows - height) // 2, (columns - width) // 2
    inner = [(top + i) * columns + left + j for i in range(height) for j in range(width)]
    cells = bytearray(rows * columns)
    for number, index in enumerate(rng.sample(inner, min(marks, len(inner) - 1))):
        cells[index] = 1 + number % 2
    return None if has_line(bytes(cells), rows, columns, k) else bytes(cells)


def plays_out(
    cells: bytes,
    rows: int,
    columns: int,
    k: int,
    turn: int,
    pv: tuple[int, ...],
    overline: bool = True,
) -> int:
    """Check that a line is legal; the side that completes k in a row with its last move, or 0."""
    board = bytearray(cells)
    for step, index in enumerate(pv):
        assert board[index] == 0
        board[index] = turn
        if in_line(bytes(board), rows, columns, k, index, overline):
            assert step == len(pv) - 1
            return turn
        turn = 3 - turn
    return 0
