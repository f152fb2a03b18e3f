"""One list of moves from several searches: none above another that was searched further.

What a shallow search says of a move does not compare with what a deep one says of another. Where
the two disagree the shallow estimate gives way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, expected_result


class Moves(NamedTuple):
    """What was found out about every legal move.

    Attributes:
        found: one for each move.
        complete: whether all were searched alike.
        algorithm: what searched them.
        best: the move that `search` answers, which is to come first; None where that is not
            known, or where the values are exact and tell it.
    """

    found: list[Found]
    complete: bool
    algorithm: str
    best: int | None = None


def led_by(best: Found, found: Sequence[Found], lines: int = 0) -> list[Found]:
    """The best move with its own value, and after it the others, with values no better.

    Args:
        best: what the search for the best move has found.
        found: the other moves, and maybe that one again; the best first.
        lines: so many of the others come before the rest.

    Returns:
        A value that is too good becomes an estimate just below what it must not reach; but of two
        that are proven, which may be wins with different bounds, both stay.
    """
    others = [move for move in found if move.pv[0] != best.pv[0]]
    leading = [best, *(_under(best, move) for move in others[:lines])]
    # Under a proven loss there is no room for estimates.
    last = min(
        (move for move in leading if not move.exact or move.value >= 0),
        key=lambda move: move.value,
        default=best,
    )
    return [*leading, *(_under(last, move) for move in others[lines:])]


def joined(
    best: Found | None, found: Sequence[Found], lines: int, *, keeps_best: bool
) -> tuple[list[Found], Found | None]:
    """All moves in one list, and the one that comes before all in any case.

    Args:
        best, found, lines: as of `led_by`; without a best move the list stays as it is.
        keeps_best: whether the best move stays the first even where another is proven to be better
            than what it is estimated to be.
    """
    if best is None:
        return list(found), None
    better = [move for move in found if move.exact and move.value > best.value]
    if better and not best.exact and not keeps_best:
        head = max(better, key=lambda move: move.value)
        return led_by(head, [best, *found], lines), head
    return led_by(best, found, lines), best


def _under(above: Found, move: Found) -> Found:
    """A move as it may stand after another, whose score is told in as many places."""
    most = expected_result(max(-MAX_ESTIMATE, min(above.value, MAX_ESTIMATE)))
    if (move.exact and (above.exact or move.value <= above.value)) or (
        not move.exact and expected_result(move.value) < most
    ):
        return move
    value, step = max(-MAX_ESTIMATE, min(move.value, above.value, MAX_ESTIMATE)), 1
    while value > -MAX_ESTIMATE and expected_result(value) >= most:
        value = max(-MAX_ESTIMATE, value - step)
        step *= 2
    return replace(move, value=value, exact=False)
