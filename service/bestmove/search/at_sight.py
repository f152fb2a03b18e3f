"""Finds reasons why a side cannot win, without searching moves. If neither side can win, the game
is a draw.

docs/proofs.md describes and proves the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from bestmove.game import EMPTY, Board, Rules, other
from bestmove.game.geometry import cells_of, cells_with
from bestmove.search.pairs import PERIOD, Look, matching, pairing
from bestmove.search.results import Found


class Leaf(NamedTuple):
    """A reason why a side cannot win.

    Attributes:
        kind: one of

            - "lines": too few turns are left to fill a line.
            - "pairs": each possible line contains a pair of cells, and the opponent can take a cell
              of every pair.
            - "sum": the possible lines weigh too little (see `is_light`).
    """

    kind: Literal["lines", "pairs", "sum"]
    pairs: Sequence[tuple[int, int]] = ()


PAIRED: Final = frozenset({"overline"})
"""The arguments by pairs and by weights hold under these switches."""

_LINES: Final = Leaf("lines")
_SUM: Final = Leaf("sum")


Find = Callable[[Rules, Sequence[int], Look], Sequence[tuple[int, int]] | None]


def leaf_of(
    rules: Rules,
    cells: str,
    side: str,
    mover: str,
    plies: int | None,
    look: Look,
    find: Find = pairing,
) -> Leaf | None:
    """Return a reason why `side` cannot win; None if no reason is found.

    Args:
        cells: a position of a game in progress, as text.
        plies: the reason must rule out a win within this many plies, at least 1. None means to the
            end of the game.
    """
    filler = other(side) if rules.misere else side
    windows = rules.geometry.left(cells_with(cells, filler), cells_with(cells, other(filler)))
    empty = cells.count(EMPTY)
    turns = (empty if plies is None else min(empty, plies)) + (mover == filler) >> 1
    if all(window.bit_count() > turns for window in windows):
        return _LINES
    if not rules.are_known(PAIRED):
        return None
    if is_light(rules, windows, before_side=mover == side):
        return _SUM
    pairs = find(rules, windows, look)
    return None if pairs is None else Leaf("pairs", pairs)


def is_light(rules: Rules, windows: Sequence[int], *, before_side: bool) -> bool:
    """Return True if the windows weigh so little that the side cannot win.

    A window with n empty cells weighs 2^(k - n).

    Args:
        windows: the empty cells of each window that the side can still fill.
        before_side: whether it is the side's turn.
    """
    whole = 1 << rules.k
    weight = sum(whole >> window.bit_count() for window in windows)
    return weight < (whole >> 1 if before_side else whole)


class Draw:
    """A draw that is found without a search.

    Attributes:
        kept: the moves after which the draw can still be found without a search.
    """

    def __init__(self, board: Board, leaf: Leaf) -> None:
        """`leaf` says why the opponent of the side to move cannot win."""
        self.kept = list(board.moves)
        if leaf.kind == "sum":
            # A proof by lines or pairs holds after every move. A proof by weights may fail after
            # some moves.
            mover = board.turn or ""
            own, foes = (cells_with(board.cells, side) for side in (mover, other(mover)))
            windows = board.rules.geometry.left(foes, own)
            self.kept = _lowering(self.kept, windows, 1 << board.rules.k)

    def best(self, found: Found) -> Found:
        """Turn `found` into a draw. Replace a move that might lose the draw."""
        pv = found.pv if found.pv[0] in self.kept else (self.kept[0],)
        return found._replace(value=0, exact=True, pv=pv)


def _lowering(moves: Sequence[int], windows: Sequence[int], whole: int) -> list[int]:
    """Return the moves that keep the foe's windows light (see `is_light`) after every reply.

    A reply doubles the weight of each window that contains the reply's cell. If the windows are
    light before the move, at least one move is returned.
    """
    weights = dict.fromkeys(moves, 0)
    total = 0
    for window in windows:
        weight = whole >> window.bit_count()
        total += weight
        for cell in cells_of(window):
            weights[cell] += weight
    first, second = [*sorted(weights.values(), reverse=True), 0][:2]
    kept = []
    for move in moves:
        rest = total - weights[move]
        heaviest = second if weights[move] == first else first
        if rest + min(rest, heaviest) < whole:
            kept.append(move)
    return kept


def draw_of(board: Board, look: Look) -> Draw | None:
    """Return a draw if `leaf_of` finds that neither side can win; otherwise None."""
    assert board.turn is not None
    rules, cells, mover = board.rules, board.cells, board.turn
    # Every search calls this function. `pairing` is fast enough only if k > PERIOD, because a fixed
    # pattern then supplies the pairs.
    find = pairing if rules.k > PERIOD else matching
    leaf = leaf_of(rules, cells, other(mover), mover, None, look, find)
    if leaf is None or leaf_of(rules, cells, mover, mover, None, look, find) is None:
        return None
    return Draw(board, leaf)
