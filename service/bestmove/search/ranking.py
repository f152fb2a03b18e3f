"""One list of moves from several searches: none above another that was searched further.

What a shallow search says of a move does not compare with what a deep one says of another. Where
the two disagree the shallow estimate gives way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bestmove.search.results import Found, Moves
from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES, expected_result
from bestmove.search.symmetry import Symmetry

_CERTAIN: Final = MAX_ESTIMATE - 2 * MAX_PLIES
"""Estimates beyond it are as good as won, and say nothing of how others compare."""


def led_by(best: Found, found: Sequence[Found], lines: int = 0) -> list[Found]:
    """The best move with its own value, and after it the others, with values no better.

    Args:
        best: what the search for the best move has found.
        found: the other moves, and maybe that one again; the best first.
        lines: so many of the others come before the rest.

    Returns:
        Values that are too good become estimates below what they must not reach; but of two that
        are proven, which may be wins with different bounds, both stay.
    """
    others = [move for move in found if move.pv[0] != best.pv[0]]
    leading = [best, *_under(best, others[:lines])]
    # Under a proven loss there is no room for estimates.
    last = min(
        (move for move in leading if not move.exact or move.value >= 0),
        key=lambda move: move.value,
        default=best,
    )
    return [*leading, *_under(last, others[lines:])]


def told(
    symmetry: Symmetry,
    best: Found | None,
    found: Sequence[Found],
    lines: int,
    algorithm: str,
    *,
    complete: bool,
    bounded: bool,
) -> Moves:
    """All moves in one list, each image of them, and the one that comes before all in any case.

    Args:
        symmetry: of the position.
        best, found, lines: as of `led_by`, of one move of each kind; without a best move they stay
            as they are.
        algorithm: what searched them.
        complete: whether none of those searched alike was cut short.
        bounded: whether the depth is all that bounds the search: then the best move stays the
            first. Else another one leads that is proven to be better than its estimate.
    """
    if best is None:
        return Moves(symmetry.of_all(found), complete, algorithm)
    complete = complete and (best.exact or bounded)
    better = [move for move in found if move.exact and move.value >= best.value]
    if better and not best.exact and not bounded:
        found, best = [best, *found], max(better, key=lambda move: (move.value, -move.pv[0]))
    moves = symmetry.of_all(led_by(best, found, lines))
    return Moves(moves, complete, algorithm, best.pv[0])


def _under(above: Found, moves: Sequence[Found]) -> list[Found]:
    """Moves as they may stand after another, whose scores are to be lower than its own.

    Their estimates are all lowered by what the highest of them has too much: depths differ most in
    what they make of the turn to move, and so the moves keep their order.
    """
    top = _just_under(above.value)
    estimates = [move.value for move in moves if not move.exact and move.value < _CERTAIN]
    surplus = max(0, max(estimates, default=top) - top)
    lowered = []
    for move in moves:
        if not move.exact:
            value = max(-MAX_ESTIMATE, min(top, move.value - surplus))
            if value != move.value:
                move = replace(move, value=value)
        elif not above.exact and move.value >= above.value:
            move = replace(move, value=top, exact=False)
        lowered.append(move)
    return lowered


def _just_under(value: int) -> int:
    """An estimate whose score, in as many places as it is told, is below that of another."""
    if value > MAX_ESTIMATE:
        return MAX_ESTIMATE
    score = expected_result(value)
    estimates = range(-MAX_ESTIMATE, MAX_ESTIMATE + 1)
    return estimates[max(0, bisect_left(estimates, score, key=expected_result) - 1)]
