"""What the engines know of each move, and the order of the moves that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from bestmove.game import X
from bestmove.search.curves import Curve
from bestmove.search.results import Found, Moves, algorithm_of, cost_of, verdict
from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES
from bestmove.search.symmetry import Symmetry

_CERTAIN: Final = MAX_ESTIMATE - 2 * MAX_PLIES
"""An estimate of at least `_CERTAIN` means a win that the search found but did not prove."""


class Ledger:
    """What is known of each move of a position.

    The engines write into it, from the first look to the last search. What is proven stays proven,
    and no count falls.

    Args:
        symmetry: the position's symmetries; symmetric moves share one entry.
        curve: turns estimates into scores.
        watcher: called with the list of moves after each report of an engine.
        is_bounded: whether a depth limits all searches.

    Attributes:
        choice: the answer of `best_move`; None if it is not known yet.
        is_watched: whether there is a watcher.
    """

    def __init__(
        self,
        symmetry: Symmetry,
        curve: Curve,
        watcher: Callable[[Moves], None] | None = None,
        *,
        is_bounded: bool = False,
    ) -> None:
        self.choice: Found | None = None
        self._symmetry, self._curve, self._is_bounded = symmetry, curve, is_bounded
        self._watcher, self.is_watched = watcher, watcher is not None
        self._known = {move: Found(0, False, (move,)) for move in symmetry.moves}
        self._led: Collection[int] = ()
        self._are_alike = False
        self._cost = Found(0, False, ())

    @property
    def is_lost(self) -> bool:
        """True if the choice is a proven loss."""
        return self.choice is not None and self.choice.exact and self.choice.value < 0

    @property
    def open_moves(self) -> list[int]:
        """The moves that are not proven, without the choice."""
        own = None if self.choice is None else self._symmetry.first(self.choice)
        return [move for move, found in self._known.items() if not found.exact and move != own]

    def choose(self, found: Found) -> None:
        """Enter the answer of `best_move`, or its best move so far."""
        self.choice = found
        self._count([found])

    def confirm(self) -> None:
        """Replace the choice by what is proven of the same move."""
        if self.choice is not None:
            known = self._known[self._symmetry.first(self.choice)]
            self.choice = known if known.exact else self.choice

    def learn(self, found: Sequence[Found], lines: int = 0, *, are_alike: bool = False) -> None:
        """Enter results of a search.

        Args:
            lines: how many moves at the beginning of `found` were searched as thoroughly as the
                choice.
            are_alike: whether the search is over, and no limit cut it short.
        """
        for result in found:
            known = self._known.get(result.pv[0])
            if known is None:
                continue  # an image of another move
            is_longer = len(result.pv) > len(known.pv) and result.value == known.value
            if not known.exact or (result.exact and is_longer):
                self._known[result.pv[0]] = result
        self._led = [result.pv[0] for result in found[:lines]]
        self._are_alike = are_alike
        self._count(found)

    def report(self, found: Sequence[Found], lines: int = 0) -> None:
        """Enter results of a search that continues."""
        self.learn(found, lines)
        self._tell()

    def report_best(self, found: Sequence[Found]) -> None:
        """Enter the best move so far of a search that continues."""
        self.choose(self._symmetry.lowest(found[0]))
        self._tell()

    def moves(self) -> Moves:
        """List every move, best first."""
        known, choice, is_bounded = self._known, self.choice, self._is_bounded
        every = order(self._symmetry, self._curve, known, choice, self._led, is_bounded=is_bounded)
        is_proven = all(found.exact for found in every)
        is_even = choice is not None and (choice.exact or is_bounded)
        are_alike = self._are_alike or not self.open_moves
        nodes, cutoffs, table_hits = self._cost.nodes, self._cost.cutoffs, self._cost.table_hits
        every[0] = every[0]._replace(nodes=nodes, cutoffs=cutoffs, table_hits=table_hits)
        is_complete = is_proven or (are_alike and is_even)
        return Moves(every, is_complete, algorithm_of(is_proven))

    def _tell(self) -> None:
        if self._watcher is not None:
            self._watcher(self.moves())

    def _count(self, found: Sequence[Found]) -> None:
        self._cost = self._cost._replace(**cost_of([self._cost, *found]))


def order(
    symmetry: Symmetry,
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
        known: the result of one move from each set of symmetric moves, by index.
        choice: the answer of `best_move`; None if it is not known.
        led: the moves of `known` that were searched as thoroughly as `choice`.
        is_bounded: whether a depth limits all searches. Then an estimate, too, keeps its place
            unless all moves are proven.
    """
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
        score, outcome, plies = verdict(symmetry.board, found, curve)
        distance = {"win": 1, "loss": -1}.get(outcome, 0) * (plies or 0)
        for_mover = score if symmetry.board.turn == X else -score
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
