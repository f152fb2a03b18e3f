"""Evaluations of boards, and orders of moves, for `algorithms`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bestmove.game import MAX_SIDE
from bestmove.game.geometry import cells_of
from bestmove.search.textbook.board_game import BoardGame, Masks, bare_utility

_POWERS: Final[tuple[int, ...]] = tuple(10**marks for marks in range(MAX_SIDE + 1))


def open_lines(position: BoardGame) -> int:
    """Add 10^marks over all lines in which only X has marks, and subtract the same sum for O.

    On 3×3 only a win reaches 1,000, because at most eight lines can have two marks.
    """
    if position.open_lines is None:
        position.open_lines = (
            _all_open_lines(position)
            if position.parent is None
            else open_lines(position.parent) + _opened_by_last_move(position)
        )
    return position.open_lines


def _all_open_lines(position: BoardGame) -> int:
    movers, others = position.movers, position.others
    x, o = (movers, others) if position.maximizing else (others, movers)
    total = 0
    for _, line, _, _ in position.masks.rules.geometry.lines:
        if not o & line:
            total += _points(x & line)
        elif not x & line:
            total -= _points(o & line)
    return total


def _opened_by_last_move(position: BoardGame) -> int:
    assert position.last is not None
    mine, yours = position.others, position.movers
    move = 1 << position.last
    gained = 0
    for line, _ in position.masks.lines_through[position.last]:
        marks = mine & line
        if not yours & line:
            gained += _points(marks) - _points(marks ^ move)
        elif marks == move:
            gained += _points(yours & line)
    return -gained if position.maximizing else gained


def _points(marks: int) -> int:
    return _POWERS[marks.bit_count()] if marks else 0


def open_lines_utility(position: BoardGame) -> int:
    """Evaluate a finished game: a draw is worth 0, and a win at least 10^k.

    A larger win counts by `open_lines`. Without the minimum, the loser's open lines could hide the
    win. For a draw, `open_lines` could count lines inside a row that is too long.
    """
    if not position.is_won:
        return 0
    win = _POWERS[position.masks.rules.k]
    return (
        min(open_lines(position), -win) if position.maximizing else max(open_lines(position), win)
    )


def ten_less_depth(position: BoardGame) -> int:
    """Return 10 minus the plies since the root if X has won, the negative of this if O has won.

    A draw is worth 0. For up to 9 plies, quick wins are worth more than slow wins.
    """
    return (10 - position.ply) * bare_utility(position)


FIVE: Final = 99_999_999

_SHAPES_ONE_WAY: Final = (
    ("11111", FIVE),
    ("011110", 50_000),
    ("11101", 5_000),
    ("11011", 5_000),
    ("11110", 5_000),
    ("01110", 5_000),
    ("010110", 5_000),
    ("00111", 500),
    ("11010", 200),
    ("00110", 50),
)

SHAPES: Final = tuple(
    (pattern, points)
    for forward, points in _SHAPES_ONE_WAY
    for pattern in dict.fromkeys((forward, forward[::-1]))
)
"""Patterns and their points, the most points first. In a pattern, 1 is a mark of the side whose
shapes are counted, and 0 is an empty cell."""


def five_utility(position: BoardGame) -> int:
    return FIVE * bare_utility(position)


def shapes(position: BoardGame) -> float:
    """Return the points of the side to move, minus a tenth of the opponent's points.

    If O is to move, the sign is reversed. In every row, column and diagonal, the best shape of each
    mark counts, unless the mark is already in a counted shape. Wherever two shapes cross in a mark,
    the points of both shapes are added once more.
    """
    mine = _points_of_shapes(position.masks, position.movers, position.others)
    yours = _points_of_shapes(position.masks, position.others, position.movers)
    value = mine - yours / 10
    return value if position.maximizing else -value


def _points_of_shapes(masks: Masks, mine: int, yours: int) -> int:
    total = 0
    found: list[tuple[int, int, int]] = []
    for number, (line, cells) in enumerate(masks.long_lines):
        marks = mine & line
        if not marks & marks - 1:  # fewer than two marks
            continue
        for bits, points in _shapes_in_line(cells, marks, yours & line):
            total += points
            for crossed, crossing, its_points in found:
                if crossed != number and crossing & bits:
                    total += points + its_points
            found.append((number, bits, points))
    return total


@lru_cache(maxsize=1 << 16)
def _shapes_in_line(cells: tuple[int, ...], mine: int, yours: int) -> tuple[tuple[int, int], ...]:
    text = "".join("1" if mine >> cell & 1 else "2" if yours >> cell & 1 else "0" for cell in cells)
    taken = 0
    found = []
    for place, mark in enumerate(text):
        if mark == "1" and not taken >> cells[place] & 1:
            shape = _best_shape_at(text, place)
            if shape is not None:
                start, pattern, points = shape
                bits = sum(
                    1 << cells[start + step] for step, what in enumerate(pattern) if what == "1"
                )
                taken |= bits
                found.append((bits, points))
    return tuple(found)


def _best_shape_at(text: str, place: int) -> tuple[int, str, int] | None:
    for pattern, points in SHAPES:
        for start in range(max(place - len(pattern) + 1, 0), place + 1):
            if text.startswith(pattern, start):
                return start, pattern, points
    return None


def neighbors_around_last(position: BoardGame) -> Sequence[int]:
    """Return the empty cells next to the last mark, then those next to other marks.

    On the empty board, return the middle cell.
    """
    taken = position.movers | position.others
    near = 0
    for index in cells_of(taken):
        near |= position.masks.neighbors[index]
    near &= ~taken
    around_last = 0 if position.last is None else near & position.masks.neighbors[position.last]
    if not taken:
        rules = position.masks.rules
        return [rules.index(rules.rows // 2, rules.columns // 2)]
    return [*cells_of(around_last), *cells_of(near & ~around_last)]
