"""Finds fours and open threes: groups of marks that threaten to become a line.

The names come from five in a row. For any k, a four has k - 1 marks, and a three has k - 2 marks.

Only the marks matter. With gravity, a cell counts even if no mark can be played there yet. In
misère, a threat counts although a completed line loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from bestmove.answers import Threat, ThreatKind
from bestmove.game import EMPTY, Board, O, X

OPEN_FOUR: Final = "open-four"
FOUR: Final = "four"
OPEN_THREE: Final = "open-three"

KINDS: Final = get_args(ThreatKind)


def threats(board: Board) -> dict[str, tuple[Threat, ...]]:
    """Return the threats of X and of O, strongest first; none when the game is over."""
    found: dict[str, list[Threat]] = {X: [], O: []}
    rules = board.rules
    # If k is 1, the first mark ends the game.
    if not board.is_over and rules.k > 1:
        for lane in rules.geometry.lanes:
            marks = "".join([board.cells[cell] for cell in lane])
            for mark, listed in found.items():
                for kind, own, free in _along(marks, mark, rules.k, rules.overline):
                    cells = tuple(sorted(lane[at] for at in own))
                    listed.append(Threat(kind, cells, tuple(sorted(lane[at] for at in free))))
    return {
        mark: tuple(
            sorted(listed, key=lambda threat: (KINDS.index(threat.kind), threat.cells, threat.open))
        )
        for mark, listed in found.items()
    }


def _along(
    marks: str, mark: str, k: int, overline: bool
) -> Iterator[tuple[ThreatKind, tuple[int, ...], set[int]]]:
    """Yield a side's threats in one row, column or diagonal: the kind, the places of the threat's
    marks, and the places where a mark stops the threat."""
    if marks.count(mark) < max(1, k - 2):
        return
    fours: dict[tuple[int, ...], set[int]] = {}
    for start in range(len(marks) - k + 1):
        window = marks[start : start + k]
        if window.count(mark) == k - 1 and EMPTY in window:
            if not overline and mark in _beside(marks, start, k):
                continue
            own = _places(window, mark, start)
            fours.setdefault(own, set()).add(start + window.index(EMPTY))
    for own, free in fours.items():
        yield OPEN_FOUR if len(free) > 1 else FOUR, own, free
    threes: dict[tuple[int, ...], set[int]] = {}
    for start in range(len(marks) - k):
        # Both end cells and one inner cell are empty. A mark on the inner cell makes an open four.
        window = marks[start : start + k + 1]
        if window[0] == window[-1] == EMPTY and window.count(EMPTY) == 3:
            if window.count(mark) < max(1, k - 2):
                continue
            if not overline and mark in _beside(marks, start, k + 1):
                continue
            own = _places(window, mark, start)
            answers = set(_places(window, EMPTY, start))
            threes[own] = threes.get(own, answers) & answers
    for own, free in threes.items():
        yield OPEN_THREE, own, free


def _beside(marks: str, start: int, length: int) -> str:
    return marks[max(0, start - 1) : start] + marks[start + length : start + length + 1]


def _places(window: str, mark: str, start: int) -> tuple[int, ...]:
    return tuple(start + at for at, found in enumerate(window) if found == mark)
