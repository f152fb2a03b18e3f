"""The measurements of `bestmove bench`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from bestmove.cli import words
from bestmove.game import Board, Rules
from bestmove.game.rules import Variant
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import ALGORITHMS, Limits

_LOOKUPS: Final = 5_000
_COUNTABLE: Final = 1_000
"""The speed is shown only for a search of at least this many nodes."""

_SOLVED: Final = ((3, 4, 3), (4, 4, 4), (4, 5, 4), (5, 5, 4), (5, 6, 4), (5, 5, 5))
"""Rows, columns and k of the empty boards to solve."""

_MIDDLE_GAME: Final = (112, 97, 113, 111, 128, 96, 98)
"""The cells of an opening on 15×15, in the order of the moves."""

_SIGNED_LINES: Final = 2
_GRAVITY: Final[Variant] = {"gravity": True}
_EXACTLY: Final[Variant] = {"overline": False}
_MISERE: Final[Variant] = {"misere": True}
_SIGNED: Final[tuple[tuple[tuple[int, int, int], Variant, tuple[int, ...], int, int], ...]] = (
    ((3, 4, 3), {}, (), 1, 1),
    ((5, 4, 4), {}, (9, 6, 5), 1, 1),
    ((4, 5, 4), _EXACTLY, (7, 12, 6), 1, 1),
    ((4, 5, 4), _GRAVITY, (17, 18, 12, 13, 19), 1, 1),
    ((4, 4, 3), _MISERE, (5, 6, 9, 0, 15), 1, 1),
    ((5, 5, 4), {}, (12, 6), 4, 3),
    ((6, 6, 5), {}, (14, 21, 15), 5, 3),
    ((6, 7, 5), _GRAVITY, (38, 31), 4, 3),
    ((7, 7, 4), _MISERE, (24,), 4, 3),
    ((9, 7, 5), {}, (31, 24, 30, 32), 6, 2),
    ((9, 9, 5), _EXACTLY, (40, 41), 4, 2),
    ((12, 12, 6), {}, (65, 66, 78, 54, 53), 5, 1),
    ((15, 15, 5), {}, _MIDDLE_GAME, 8, 4),
    ((15, 15, 5), {}, (51, 21, 65, 98, 67, 115, 69, 139), 4, 1),
    ((15, 15, 5), _EXACTLY, (66, 39, 67, 115, 80, 130, 100, 160), 4, 1),
    ((19, 19, 5), {}, (180, 160, 162, 198, 161), 5, 1),
)
"""The positions that `signature` searches, each with

- rows, columns and k,
- the other rules,
- the cells of the moves so far,
- the depths of a search and of an analysis.

The searches are limited by depth, because their nodes are counted.
"""


@dataclass(frozen=True)
class Figure:
    """A measurement.

    Attributes:
        result: what the search found, in a few words.
        ms: wall-clock milliseconds.
        cpu_ms: milliseconds of processor time.
    """

    what: str
    result: str
    nodes: int
    ms: float
    cpu_ms: float

    @property
    def nodes_per_second(self) -> int:
        """The nodes per second of processor time; 0 if there are too few nodes."""
        return round(self.nodes / self.cpu_ms * 1000) if self.nodes >= _COUNTABLE else 0


def signature() -> int:
    """Count the nodes of fixed searches and analyses. They are small enough for plain Python.

    The number is the same whether the engine is compiled or not. A test compares it with a fixed
    number, and so notices every change of the search.
    """
    total = 0
    for size, variant, marked, depth, analysis_depth in _SIGNED:
        board = Board.empty(*size, **variant)
        for cell in marked:
            board = board.play(cell)
        total += best_move(board, Limits(time_ms=None, depth=depth)).search.nodes
        limits = Limits(time_ms=None, depth=analysis_depth, lines=_SIGNED_LINES)
        total += analyze(board, limits).search.nodes
    return total


def tasks(board: Board | None, time_ms: int) -> list[Callable[[], Figure]]:
    """Return the measurements for a board. Without a board, return the standard measurements."""
    if board is None:
        return list(_usual_tasks(time_ms))
    return [partial(_searched, _named(board.rules), board, Limits(time_ms=time_ms))]


def _usual_tasks(time_ms: int) -> Iterator[Callable[[], Figure]]:
    yield _lookup
    for name in ALGORITHMS[1:]:
        yield partial(_searched, f"3x3, {name}", Board.empty(), Limits(algorithm=name))
    board = Board.empty(15, 15)
    for cell in _MIDDLE_GAME:
        board = board.play(cell)
    yield partial(_searched, "15x15 k5, opening", board, Limits(time_ms=min(time_ms, 1000)))
    for rows, columns, k in _SOLVED:
        empty = Board.empty(rows, columns, k)
        yield partial(_searched, _named(empty.rules), empty, Limits(time_ms=time_ms))


def _named(rules: Rules) -> str:
    return f"{rules.rows}x{rules.columns} k{rules.k}{words.flags(rules)}"


def _lookup() -> Figure:
    board = Board.parse("X...O....")
    best_move(board)
    started, cpu = time.perf_counter(), time.process_time()
    for _ in range(_LOOKUPS):
        answer = best_move(board)
    ms = (time.perf_counter() - started) * 1000 / _LOOKUPS
    cpu_ms = (time.process_time() - cpu) * 1000 / _LOOKUPS
    return Figure("3x3, look-up", str(answer.outcome), 1, round(ms, 4), round(cpu_ms, 4))


def _searched(what: str, board: Board, limits: Limits) -> Figure:
    started, cpu = time.perf_counter(), time.process_time()
    answer = best_move(board, limits)
    ms = (time.perf_counter() - started) * 1000
    cpu_ms = (time.process_time() - cpu) * 1000
    depth = answer.search.depth
    distance = "" if answer.outcome == "draw" else f" in {answer.plies} plies"
    result = f"{answer.outcome}{distance}" if answer.exact else f"unproven, depth {depth}"
    return Figure(what, result, answer.search.nodes, round(ms, 3), round(cpu_ms, 3))
