"""What the engines know of each move, and the order of the moves that follows from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bestmove.game import Board
from bestmove.search.curves import Curve
from bestmove.search.results import Found, verdict
from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES
from bestmove.search.symmetry import Symmetry

_CERTAIN: Final = MAX_ESTIMATE - 2 * MAX_PLIES
"""An estimate of at least `_CERTAIN` means a win that the search found but did not prove."""


def order(
    board: Board,
    curve: Curve,
    known: Mapping[int, Found],
    choice: Found | None,
    led: Collection[int] = (),
    *,
    is_bounded: bool = False,
) -> list[Found]:
    """List every move with what is known of it: best first, equal scores in order of index.

    `choice` comes first. If `choice` is an estimate, a proof may be worth more: a proof of the same
    move replaces `choice`, and another move that is proven to be at least as good comes first.

    Args:
        known: the result of one move from each set of symmetric moves, by index. The set of
            `choice` may be missing.
        choice: the answer of `best_move`; None if it is not known.
        led: the moves of `known` that were searched as thoroughly as `choice`.
        is_bounded: whether a depth limits all searches. Then an estimate, too, keeps its place
            unless all moves are proven.
    """
    symmetry = Symmetry(board)
    claims, first = dict(known), choice
    if choice is not None:
        proven = {move: found for move, found in known.items() if found.exact}
        own = symmetry.first(choice)
        if choice.exact or own not in proven or (is_bounded and len(proven) < len(known)):
            claims[own] = choice
        else:
            first = None
        if first is not None and not (choice.exact or is_bounded):
            better = [found for found in proven.values() if found.value >= choice.value]
            first = max(better, key=lambda found: (found.value, -found.pv[0]), default=choice)
        if choice.exact and choice.value < 0:
            # No move is better, so each loses within as many plies.
            claims = {
                move: found if found.exact else choice._replace(pv=(move,))
                for move, found in claims.items()
            }
    listed = list(claims.values())
    if first is not None:
        leads = {*led, choice and choice.pv[0]}
        others = [found for found in listed if found is not first]
        listed = [first, *_under(first, others, leads)]

    def place(found: Found) -> tuple[bool, float, bool, int, int]:
        score, outcome, plies = verdict(board, found, curve)
        distance = {"win": 1, "loss": -1}.get(outcome, 0) * (plies or 0)
        for_mover = score if board.turn == "X" else -score
        return found is not first, -for_mover, not found.exact, distance, found.pv[0]

    return sorted(symmetry.of_all(listed), key=place)


def _under(first: Found, others: Sequence[Found], led: Collection[int | None]) -> list[Found]:
    """Lower the estimates of the moves in `led` below `first`, and those of the rest below `led`.

    Estimates of different depths cannot be compared, so the moves of the deeper search come first.
    """
    if not first.exact:
        others = [
            found._replace(exact=False) if found.value >= first.value else found for found in others
        ]
    leading = _below(first.value, [found for found in others if found.pv[0] in led])
    # The rest must be worth less than the lowest of the leading moves. A proven loss does not
    # count, because no estimate is lower.
    counting = [found.value for found in leading if not found.exact or found.value >= 0]
    rest = [found for found in others if found.pv[0] not in led]
    return [*leading, *_below(min([first.value, *counting]), rest)]


def _below(value: int, moves: Sequence[Found]) -> list[Found]:
    """Lower the estimates below `value`.

    One amount is subtracted from all, because estimates of two depths differ mostly by a constant.
    """
    top = min(MAX_ESTIMATE, value - 1)
    estimates = [found.value for found in moves if not found.exact and found.value < _CERTAIN]
    surplus = max(0, max(estimates, default=top) - top)
    return [
        found
        if found.exact
        else found._replace(value=max(-MAX_ESTIMATE, min(top, found.value - surplus)))
        for found in moves
    ]
