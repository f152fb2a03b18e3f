"""The results of engines, as values for the side to move, and their conversion to answers.

The classes of answers, with scores for X, are in `bestmove.answers`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from bestmove.answers import MoveEvaluation
from bestmove.game import EMPTY, Board, X
from bestmove.search.curves import FEW, Curve, curve_of, expected_result
from bestmove.search.scores import MAX_PLIES, WIN
from bestmove.words import Outcome


class Found(NamedTuple):
    """What an engine, the 3×3 table or a textbook search found out about a position.

    Attributes:
        value: the value for the side to move, an integer as described in `scores`.
        exact: whether `value` is proven. With `exact`, 0 is a proven draw.
        pv: cell indices, the best move first; empty if nothing was searched. In a proven win or
            loss, `pv` goes to the end of the game, if the limits of the search allowed that.
        nodes, cutoffs, table_hits: as in `SearchStats`, counted from the start of the search.
        threads: how many threads searched.
        evaluated: the value for X that a textbook search found, in the unit of its evaluation.
        is_weakened: whether a level below 10 chose another move than the best that it found.
    """

    value: int
    exact: bool
    pv: tuple[int, ...]
    depth: int = 0
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    threads: int = 1
    evaluated: float | None = None
    is_weakened: bool = False


LONGEST_DRAW: Final = 42
"""The most plies of a proven draw that an answer shows: the number of Connect Four's cells. Without
this limit, 300 drawn moves with 300 plies each would be half a megabyte of arbitrary moves."""

Report = Callable[[list[Found]], None]
"""Called during a search with the findings so far."""


class Moves(NamedTuple):
    """The results of every legal move.

    Attributes:
        found: one result for each move, best first.
        complete: whether all moves were searched to the same depth.
        algorithm: the search that found the results.
    """

    found: list[Found]
    complete: bool
    algorithm: str


def algorithm_of(is_proven: bool) -> str:
    """Return the algorithm of a search by `auto`: whether everything that was asked is proven."""
    return "proof-search" if is_proven else "principal-variation-search"


def cost_of(found: Sequence[Found]) -> dict[str, Any]:
    """Return the cost of a search, given its results: the counts that `Found` and `SearchStats`
    share. Each result counts from the start of the search, so the largest count is the total."""
    names = ("nodes", "cutoffs", "table_hits", "depth")
    return {name: max(getattr(one, name) for one in found) for name in names}


def verdict(
    board: Board, found: Found, curve: Curve | None = None
) -> tuple[float, Outcome, int | None]:
    """Return the score for X, the outcome for the side to move and the plies of a result.

    `curve` turns an estimate into a score; None means the curve for `FEW` nodes.
    """
    sign = 1 if board.turn == X else -1
    value = found.value
    if not found.exact:
        curve = curve or curve_of(board.rules, FEW)
        return expected_result(sign * value, curve), "unknown", None
    if not value:
        return 0, "draw", board.cells.count(EMPTY)
    plies = WIN - abs(value)
    assert plies <= MAX_PLIES, f"{value} is not a proven win or loss"
    return (sign, "win", plies) if value > 0 else (-sign, "loss", plies)


def variation(found: Found) -> tuple[int, ...]:
    """Return the principal variation for an answer; for a proven draw, only its beginning."""
    return found.pv[:LONGEST_DRAW] if found.exact and not found.value else found.pv


def evaluation(board: Board, found: Found, curve: Curve | None) -> MoveEvaluation:
    """Convert a result to the evaluation of its move, the first of `found.pv`."""
    index = found.pv[0]
    score, outcome, plies = verdict(board, found, curve)
    return MoveEvaluation(
        index,
        *board.rules.coordinates(index),
        board.rules.squares[index],
        score,
        found.exact,
        outcome,
        plies,
        variation(found),
        found.depth if plies is None else plies,
    )
