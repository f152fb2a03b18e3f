"""Finds pairing strategies, by which a defender prevents every line.

A pairing strategy is a set of disjoint pairs of cells. Each window that the attacker can still fill
contains a pair. When the attacker marks one cell of a pair, the defender marks the other cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Final

from bestmove.game import Rules
from bestmove.game.geometry import DIRECTIONS, OFF, cells_of

_STEPS: Final = 60
"""How many pairs the search tries before it gives up."""

_PAIR: Final = 2

Look = Callable[[], None]
"""A search calls this function often. The function may raise an error to end the search."""

PERIOD: Final = 8
"""`_PATTERN` repeats after this many rows and columns. In each direction, any PERIOD + 1
consecutive cells contain a pair of the pattern."""
_PATTERN: Final = (
    ((0, 1), (1, 2), (2, 5), (3, 0), (4, 7), (5, 6), (6, 0), (7, 1)),
    ((0, 5), (1, 0), (1, 1), (2, 2), (2, 3), (2, 4), (2, 7), (6, 6)),
    ((0, 3), (0, 6), (3, 5), (4, 3), (5, 2), (6, 2), (6, 7), (7, 7)),
    ((0, 7), (3, 6), (4, 1), (4, 2), (4, 4), (5, 5), (6, 5), (7, 5)),
)
"""For each of `DIRECTIONS`, the first cells (row, column) of the pairs. A pair's second cell is the
next cell in that direction. No cell is in two pairs. A search found the pattern; Hales and Jewett
(1963) proved that such a pattern exists."""


def pairing(rules: Rules, windows: Sequence[int], look: Look) -> list[tuple[int, int]] | None:
    """Return disjoint pairs of cells with a pair in each window; None if the search finds none.

    Args:
        windows: the empty cells of each window that the attacker can still fill.
    """
    free = _free(windows)
    if _are_too_many(rules, windows, free) or any(w & (w - 1) == 0 for w in windows):
        return None
    quickly = matching(rules, windows, look)
    if quickly is not None:
        return quickly
    found: list[tuple[int, int]] = []
    used = 0
    if rules.k > PERIOD:
        found = _pattern(rules, free)
        used = sum(1 << first | 1 << second for first, second in found)
        pairs = [1 << first | 1 << second for first, second in found]
        windows = [window for window in windows if not any(pair & ~window == 0 for pair in pairs)]
    windows = _least(windows, look)
    if _needs_too_many(windows, used, look):
        return None
    rest = _searched(windows, used, look)
    return None if rest is None else found + rest


def matching(rules: Rules, windows: Sequence[int], look: Look) -> list[tuple[int, int]] | None:
    """Find pairs faster than `pairing`, but in fewer positions.

    A group is a series of windows in one row, column or diagonal. All windows of a group share at
    least two cells. Each group gets a pair of the shared cells. Augmenting paths match the cells to
    the groups (Hales and Jewett 1963).

    Args:
        windows: the empty cells of each window that the attacker can still fill. The windows of one
            row, column or diagonal are in order.
    """
    if _are_too_many(rules, windows, _free(windows)):
        return None
    lanes = rules.geometry.lanes_through
    lines: dict[int, list[int]] = {}
    for window in windows:
        lowest = window & -window
        rest = window ^ lowest
        if not rest:
            return None
        first, second = lowest.bit_length() - 1, (rest & -rest).bit_length() - 1
        groups = lines.setdefault(lanes[first] & lanes[second], [])
        if groups and (both := groups[-1] & window) & (both - 1):
            groups[-1] = both
        else:
            groups.append(window)
    every = [group for groups in lines.values() for group in groups]
    every.sort(key=int.bit_count)
    taken: dict[int, int] = {}
    seen = 0

    def gives(group: int) -> bool:
        nonlocal seen
        while free := every[group] & ~seen:
            cell = free & -free
            seen |= cell
            if cell not in taken or gives(taken[cell]):
                taken[cell] = group
                return True
        return False

    for group in [*range(len(every))] * _PAIR:
        look()
        seen = 0
        if not gives(group):
            return None
    pairs: list[list[int]] = [[] for _ in every]
    for cell, group in taken.items():
        pairs[group].append(cell.bit_length() - 1)
    return [(first, second) for first, second in map(sorted, pairs)]


def _free(windows: Sequence[int]) -> int:
    return reduce(or_, windows, 0)


def _are_too_many(rules: Rules, windows: Sequence[int], free: int) -> bool:
    # A pair of cells is in at most k - 1 windows.
    return len(windows) > (rules.k - 1) * (free.bit_count() // _PAIR)


def _pattern(rules: Rules, free: int) -> list[tuple[int, int]]:
    found = []
    for direction, starts in zip(DIRECTIONS, _PATTERN, strict=True):
        for cell in cells_of(free):
            row, column = rules.coordinates(cell)
            if (row % PERIOD, column % PERIOD) in starts:
                beside = rules.geometry.beside(cell, *direction)
                if beside != OFF and free >> beside & 1:
                    found.append((cell, beside))
    return found


def _needs_too_many(windows: Sequence[int], used: int, look: Look) -> bool:
    apart: list[int] = []
    for window in windows:
        look()
        if all((window & other).bit_count() < _PAIR for other in apart):
            apart.append(window)
    return _PAIR * len(apart) > (_free(windows) & ~used).bit_count()


def _least(windows: Sequence[int], look: Look) -> list[int]:
    """Leave out each window that contains another window, because the smaller window's pair is
    enough for both."""
    least: list[int] = []
    for window in sorted(set(windows), key=int.bit_count):
        look()
        if all(other & ~window for other in least):
            least.append(window)
    return least


def _searched(windows: list[int], used: int, look: Look) -> list[tuple[int, int]] | None:
    # For each depth: the windows without a pair, the cells in use, and the pairs still to try.
    levels = [(windows, used, _candidates(windows, used, look))]
    chosen: list[int] = []
    for _ in range(_STEPS):
        while not levels[-1][0] or not levels[-1][2]:
            if not levels[-1][0]:
                return [(first, second) for first, second in map(cells_of, chosen)]
            levels.pop()
            if not chosen:
                return None
            chosen.pop()
        windows, used, candidates = levels[-1]
        pair = candidates.pop(0)
        chosen.append(pair)
        rest = [window for window in windows if pair & ~window]
        used |= pair
        levels.append((rest, used, _candidates(rest, used, look)))
    return None


def _candidates(windows: Sequence[int], used: int, look: Look) -> list[int]:
    """Choose the window that has the fewest free cells, and return its pairs. The pair that is in
    the most windows comes first."""
    if not windows:
        return []
    free = min((window & ~used for window in windows), key=int.bit_count)
    if free & (free - 1) == 0:
        return []
    pairs = [1 << first | 1 << second for first, second in combinations(cells_of(free), 2)]
    serves = {}
    for pair in pairs:
        look()
        serves[pair] = sum(pair & ~window == 0 for window in windows)
    return sorted(pairs, key=lambda pair: -serves[pair])
