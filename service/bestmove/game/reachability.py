"""Which positions a game can reach: what `Board` refuses, and why.

Without gravity, and where more than k in a row count too, a position is reachable when the counts
are right and some last move explains every line: a position without a line has none in any part of
it, so the other marks can have come in any order.

With gravity the marks of each column came from the bottom up, in turns over the whole board.
Where exactly k count, a longer run must have been joined from shorter ones without ever being k
long. Both are searched backwards from the position, mark by mark. `MOST_WORK` bounds that search;
it is enough for every position of up to 16 cells and for nearly all others. A position on which it
runs out is taken for reachable.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bestmove.errors import InvalidPosition
from bestmove.game.rules import EMPTY, O, Rules, X, other

MOST_WORK: Final = 40_000
"""Columns and lines that are looked at on the way back: a few milliseconds at the most. 4×4 has at
most 625 ways to fill its columns, each of 4 columns and 42 lines."""


def require_reachable(cells: str, rules: Rules, first: str) -> list[tuple[int, ...]]:
    """The full lines of a position that a game can reach, none of a game in progress.

    Raises:
        InvalidPosition: no game reaches the position.
    """
    second = other(first)
    ahead = cells.count(first) - cells.count(second)
    if ahead not in (0, 1):
        raise InvalidPosition(
            f"{cells.count(X)} X and {cells.count(O)} O: {first} moved first, so there "
            f"must be as many {first} as {second}, or one more"
        )
    if rules.gravity:
        _require_no_gap(cells, rules)
    last = first if ahead else second
    lines = rules.full_lines(cells)
    if lines:
        _require_one_winner(cells, lines, last)
    if rules.overline and not rules.gravity:
        if lines and not set(lines[0]).intersection(*lines[1:]):
            raise InvalidPosition(_TOO_MANY_LINES.format(cells[lines[0][0]]))
        return lines
    _require_history(cells, rules, last, lines)
    return lines


_TOO_MANY_LINES: Final = "{} has lines that share no cell: one move cannot have made them all"


def _require_no_gap(cells: str, rules: Rules) -> None:
    for index, mark in enumerate(cells[: -rules.columns]):
        below = index + rules.columns
        if mark != EMPTY and cells[below] == EMPTY:
            row, column = rules.coordinates(index)
            raise InvalidPosition(
                f"cell {index} (row {row}, column {column}) is above an empty cell: with gravity "
                "a mark falls to the lowest empty cell of its column"
            )


def _require_one_winner(cells: str, lines: list[tuple[int, ...]], last: str) -> None:
    makers = {cells[line[0]] for line in lines}
    if len(makers) == 2:
        raise InvalidPosition("X and O both have a line: the game ended with the first of them")
    (maker,) = makers
    if maker != last:
        raise InvalidPosition(
            f"{maker} has a line, but {last} moved last: the game ended with {maker}'s line"
        )


def _require_history(cells: str, rules: Rules, last: str, lines: list[tuple[int, ...]]) -> None:
    """Refuse a position that no order of moves leads to."""
    if EMPTY * rules.size == cells:
        return
    long_runs = not rules.overline and _has_long_run(cells, rules)
    if rules.gravity:
        explained = _Drops(rules, long_runs).lead_to(cells, last, lines)
    else:
        explained = not long_runs or _Joins(rules).lead_to(cells, last, lines)
    if explained:
        return
    if lines:
        raise InvalidPosition(
            f"no order of moves leads here without {cells[lines[0][0]]} having a line earlier"
        )
    why = "from the bottom up, in turns" if rules.gravity else "without a line on the way"
    raise InvalidPosition(f"no order of moves leads here {why}")


def _has_long_run(cells: str, rules: Rules) -> bool:
    """Whether one side has k or more in a row somewhere."""
    return bool(_freely(rules).full_lines(cells))


def _freely(rules: Rules) -> Rules:
    return Rules.of(rules.rows, rules.columns, rules.k)


def _without(cells: str, index: int) -> str:
    return cells[:index] + EMPTY + cells[index + 1 :]


class _Drops:
    """Takes marks off the columns' tops, in turns, until the board is empty.

    A position on the way is the number of marks left in each column.
    """

    def __init__(self, rules: Rules, long_runs: bool) -> None:
        self._rules = rules
        # Where no run is k long, no part of the position has a line either.
        self._may_have_lines = long_runs
        self._work = 0

    def lead_to(self, cells: str, last: str, lines: list[tuple[int, ...]]) -> bool:
        """Whether some order of drops ends in these cells, `last` having moved last."""
        width = self._rules.columns
        # Each column from the bottom up.
        stacks = [cells[column::width].lstrip(EMPTY)[::-1] for column in range(width)]
        heights = tuple(map(len, stacks))
        seen: set[tuple[int, ...]] = set()
        waiting = [
            (before, other(last)) for before in self._before(stacks, heights, last, bool(lines))
        ]
        while waiting:
            heights, mover = waiting.pop()
            if heights in seen:
                continue
            seen.add(heights)
            self._work += width
            if self._work > MOST_WORK or not any(heights):
                return True
            for before in self._before(stacks, heights, mover, False):
                waiting.append((before, other(mover)))
        return False

    def _before(
        self, stacks: list[str], heights: tuple[int, ...], mover: str, ended: bool
    ) -> Iterable[tuple[int, ...]]:
        """The unfinished positions one move earlier, that from the highest column last."""
        tops = [
            column
            for column, height in enumerate(heights)
            if height and stacks[column][height - 1] == mover
        ]
        for column in sorted(tops, key=heights.__getitem__):
            before = (*heights[:column], heights[column] - 1, *heights[column + 1 :])
            if (ended or self._may_have_lines) and self._has_line(stacks, before):
                continue
            yield before

    def _has_line(self, stacks: list[str], heights: tuple[int, ...]) -> bool:
        rules = self._rules
        self._work += len(rules.lines)
        full = [
            stack[:height].ljust(rules.rows, EMPTY)
            for stack, height in zip(stacks, heights, strict=True)
        ]
        rows = ("".join(marks) for marks in zip(*full, strict=True))  # the bottom row first
        return bool(rules.full_lines("".join(reversed(list(rows)))))


class _Joins:
    """Takes marks out of runs of k and more, each side by itself, so that none is ever k long.

    Whose turn it was does not matter: without gravity the orders of the two sides can be
    interleaved in any way. Marks in no long run can have come before all others.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._work = 0

    def lead_to(self, cells: str, last: str, lines: list[tuple[int, ...]]) -> bool:
        """Whether some order of moves ends in these cells, `last` having moved last."""
        if not self._leads_to(self._alone(cells, other(last)), other(last)):
            return False
        mine = self._alone(cells, last)
        # One mark came last of all, and only that one can have made the lines there are.
        return any(
            not self._rules.full_lines(before := _without(mine, index))
            and self._leads_to(before, last)
            for index in _marks(mine if lines else self._alone(cells, last, whole=True), last)
        )

    def _alone(self, cells: str, side: str, whole: bool = False) -> str:
        """A side's marks in runs of k and more, or all of them."""
        keep = set(range(len(cells)))
        if not whole:
            keep = {cell for line in _freely(self._rules).full_lines(cells) for cell in line}
        return "".join(
            mark if mark == side and index in keep else EMPTY for index, mark in enumerate(cells)
        )

    def _leads_to(self, cells: str, side: str) -> bool:
        seen: set[str] = set()
        waiting = [cells]
        while waiting:
            position = waiting.pop()
            if position in seen:
                continue
            seen.add(position)
            self._work += len(self._rules.lines)
            if self._work > MOST_WORK or not _freely(self._rules).full_lines(position):
                return True
            for index in _marks(position, side):
                before = _without(position, index)
                if not self._rules.full_lines(before):
                    waiting.append(before)
        return False


def _marks(cells: str, side: str) -> list[int]:
    return [index for index, mark in enumerate(cells) if mark == side]
