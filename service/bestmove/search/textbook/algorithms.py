"""The textbook searches of two-player zero-sum games, one readable function each.

Each looks `depth` plies ahead, or to the end, calls `evaluate` at the horizon, tries moves in the
game's order, keeps the first of equally good ones, and counts what it does. `Result.value` is
always from the maximiser's point of view.

Sources: Shannon 1950 (minimax with a horizon); Knuth and Moore 1975, "An Analysis of Alpha-Beta
Pruning" (alpha-beta, the negamax form; their F2 is fail-hard); Fishburn 1983 (fail-soft);
Greenblatt 1967 and Slate and Atkin 1977 (the transposition table and its bounds).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import comb, inf, perm
from time import monotonic
from types import MappingProxyType
from typing import Final, Protocol, Self, TypeVar

from bestmove.errors import InvalidLimits, OutOfTime, PositionTooLarge
from bestmove.game import EMPTY, Board
from bestmove.search.cancellation import Cancellation
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN
from bestmove.search.textbook.board_game import BoardGame, index_order
from bestmove.search.textbook.evaluations import open_lines


class Game(Protocol):
    """An immutable position of a game."""

    @property
    def maximizing(self) -> bool:
        """Whether the side to move wants the larger value. The sides take turns."""

    def is_over(self) -> bool:
        """Whether the game has ended here."""

    def utility(self) -> float:
        """The value of a position where the game has ended, for the maximiser."""

    def moves(self) -> Sequence[int]:
        """The moves in the order to try them, at least one; only called in a game in progress."""

    def play(self, move: int) -> Self:
        """The position after a move."""

    def key(self) -> Hashable:
        """A key that is equal for equal positions, however they were reached."""


G = TypeVar("G", bound=Game)

Line = tuple[int, ...]
"""A sequence of moves."""


@dataclass(slots=True)
class Counts:
    """What a search did.

    Attributes:
        nodes: calls of the search, including the root.
        leaves: nodes at the end of the game or at the horizon.
        cutoffs: nodes left before their last move because alpha reached beta.
        table_hits: nodes answered by the transposition table.
        horizon_met: whether any value is an estimate.
    """

    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    horizon_met: bool = False

    def leaf(self, position: G, evaluate: Callable[[G], float]) -> float:
        """Count a leaf, and return its value."""
        self.leaves += 1
        if position.is_over():
            return position.utility()
        self.horizon_met = True
        return evaluate(position)

    def cut(self, move: int, moves: Sequence[int]) -> None:
        """Count a cutoff after `move`, unless it was the last move."""
        self.cutoffs += move != moves[-1]


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    Attributes:
        value: the value for the maximiser. A value of at most `alpha` is only an upper bound, and
            one of at least `beta` only a lower bound.
        pv: the principal variation, best move first. If the value is between `alpha` and `beta`,
            the variation goes to the end of the game or to the horizon.
        counts: what the search did.
    """

    value: float
    pv: Line
    counts: Counts = field(default_factory=Counts)


def zero(_position: Game) -> float:
    """An evaluation that is always 0."""
    return 0.0


def minimax(position: G, depth: int | None = None, evaluate: Callable[[G], float] = zero) -> Result:
    """Search every move at every node."""
    counts = Counts()

    def visit(position: G, depth: float) -> tuple[float, Line]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return counts.leaf(position, evaluate), ()
        maximizing = position.maximizing
        best = -inf if maximizing else inf
        pv: Line = ()
        for move in position.moves():
            value, line = visit(position.play(move), depth - 1)
            if value > best if maximizing else value < best:
                best, pv = value, (move, *line)
        return best, pv

    return Result(*visit(position, _plies(depth)), counts)


def alpha_beta(
    position: G,
    depth: int | None = None,
    evaluate: Callable[[G], float] = zero,
    alpha: float = -inf,
    beta: float = inf,
) -> Result:
    """Leave a node as soon as the value that the maximiser is sure of, alpha, reaches beta.

    Beta is the value that the minimiser is sure of. Fail-soft: a value outside the window is
    returned unchanged, and is a bound on the true value.
    """
    counts = Counts()

    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Line]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return counts.leaf(position, evaluate), ()
        maximizing = position.maximizing
        best = -inf if maximizing else inf
        pv: Line = ()
        moves = position.moves()
        for move in moves:
            value, line = visit(position.play(move), depth - 1, alpha, beta)
            if value > best if maximizing else value < best:
                best, pv = value, (move, *line)
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if beta <= alpha:
                counts.cut(move, moves)
                break
        return best, pv

    return Result(*visit(position, _plies(depth), alpha, beta), counts)


def alpha_beta_fail_hard(
    position: G,
    depth: int | None = None,
    evaluate: Callable[[G], float] = zero,
    alpha: float = -inf,
    beta: float = inf,
) -> Result:
    """Alpha-beta whose values are clamped to the window.

    A value equal to `alpha` only means that the true value is at most alpha; a value equal to
    `beta` only means that it is at least beta. In return, a node needs only these two variables.
    """
    counts = Counts()

    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Line]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return min(max(alpha, counts.leaf(position, evaluate)), beta), ()
        pv: Line = ()
        moves = position.moves()
        for move in moves:
            value, line = visit(position.play(move), depth - 1, alpha, beta)
            if position.maximizing and value > alpha:
                alpha, pv = value, (move, *line)
            elif not position.maximizing and value < beta:
                beta, pv = value, (move, *line)
            if beta <= alpha:
                counts.cut(move, moves)
                break
        return (alpha if position.maximizing else beta), pv

    return Result(*visit(position, _plies(depth), alpha, beta), counts)


def negamax(
    position: G,
    depth: int | None = None,
    evaluate: Callable[[G], float] = zero,
    alpha: float = -inf,
    beta: float = inf,
) -> Result:
    """Alpha-beta without a case for each side: the value for me is minus the value for you.

    Fail-soft. Inside the search, values and window are from the point of view of the side to move;
    the arguments and the result are the maximiser's.
    """
    counts = Counts()

    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Line]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return _sign(position) * counts.leaf(position, evaluate), ()
        best = -inf
        pv: Line = ()
        moves = position.moves()
        for move in moves:
            value, line = visit(position.play(move), depth - 1, -beta, -alpha)
            if -value > best:
                best, pv = -value, (move, *line)
            alpha = max(alpha, best)
            if beta <= alpha:
                counts.cut(move, moves)
                break
        return best, pv

    window = (alpha, beta) if position.maximizing else (-beta, -alpha)
    value, pv = visit(position, _plies(depth), *window)
    return Result(_sign(position) * value, pv, counts)


class Bound(Enum):
    """How the value in an entry relates to the position's true value."""

    EXACT = "the value is this"
    LOWER = "the value is at least this"
    UPPER = "the value is at most this"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the transposition table: value and variation, for the maximiser."""

    value: float
    bound: Bound
    pv: Line


Table = dict[tuple[Hashable, float], Entry]
"""Entries by the position's key and the remaining depth."""


def memoized_alpha_beta(
    position: G,
    depth: int | None = None,
    evaluate: Callable[[G], float] = zero,
    alpha: float = -inf,
    beta: float = inf,
    table: Table | None = None,
) -> Result:
    """Fail-soft alpha-beta with a transposition table.

    A stored value is exact if it was inside the window when it was found. Otherwise it is a bound,
    which answers a later visit if it is outside that visit's window. Each entry stores its
    variation, so the principal variation is complete: the values of its positions are inside the
    window, where only exact entries can answer.

    Args:
        table: entries of earlier searches of the same game with the same `evaluate`; this search
            adds its own. Estimates in it do not set `horizon_met`.
    """
    counts = Counts()
    table = {} if table is None else table

    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Line]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return counts.leaf(position, evaluate), ()
        key = position.key(), depth
        known = table.get(key)
        if known and _answers(known, alpha, beta):
            counts.table_hits += 1
            return known.value, known.pv

        maximizing = position.maximizing
        best = -inf if maximizing else inf
        pv: Line = ()
        window = alpha, beta
        moves = position.moves()
        for move in moves:
            value, line = visit(position.play(move), depth - 1, alpha, beta)
            if value > best if maximizing else value < best:
                best, pv = value, (move, *line)
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if beta <= alpha:
                counts.cut(move, moves)
                break
        table[key] = Entry(best, _bound(best, *window), pv)
        return best, pv

    return Result(*visit(position, _plies(depth), alpha, beta), counts)


def _bound(value: float, alpha: float, beta: float) -> Bound:
    if value <= alpha:
        return Bound.UPPER
    return Bound.LOWER if value >= beta else Bound.EXACT


def _answers(known: Entry, alpha: float, beta: float) -> bool:
    if known.bound is Bound.EXACT:
        return True
    return known.value >= beta if known.bound is Bound.LOWER else known.value <= alpha


def _plies(depth: int | None) -> float:
    return inf if depth is None else depth


def _sign(position: Game) -> int:
    return 1 if position.maximizing else -1


class TextbookSearch(Protocol):
    """Any of the searches above."""

    def __call__(
        self, position: G, depth: int | None = None, evaluate: Callable[[G], float] = zero
    ) -> Result: ...


SEARCHES: Final[Mapping[str, TextbookSearch]] = MappingProxyType(
    {
        "minimax": minimax,
        "alpha-beta": alpha_beta,
        "alpha-beta-fail-hard": alpha_beta_fail_hard,
        "negamax": negamax,
        "memoized-alpha-beta": memoized_alpha_beta,
    }
)
"""The searches by their names in requests and answers."""

MAX_NODES: Final = 1_000_000
"""The largest tree to search, in nodes; the tree of the empty 3×3 board has at most 986,410."""

MAX_POSITIONS: Final = 250_000
"""The largest number of positions that a memoised search may have to store."""


def run(
    board: Board,
    algorithm: str,
    depth: int | None = None,
    deadline: float | None = None,
    cancellation: Cancellation | None = None,
) -> Found:
    """Search a board by one of `SEARCHES`, in index order, to the end or to `depth` plies.

    The value of a finished game is its bare utility; that of a position at the horizon is the sum
    of its open lines. The root's value is proven if the search never reached the horizon, or if the
    value is a win or loss, as no estimate is that large. The distance is the length of the
    variation, which need not be the shortest, as the bare utility ignores distances. `deadline` is
    in `time.monotonic()` seconds.

    Raises:
        InvalidLimits: no such algorithm, or a depth below 1.
        PositionTooLarge: the search could take too long; raised before it starts.
        OutOfTime: the deadline was reached, or `cancellation` was used.
    """
    require_affordable(board, algorithm, depth)
    root = BoardGame(board, order=_until(deadline, cancellation))
    result = SEARCHES[algorithm](root, depth=depth, evaluate=_estimate)
    value = _sign(root) * round(result.value * WIN)
    decisive = abs(value) == WIN
    if decisive:
        value -= len(result.pv) if value > 0 else -len(result.pv)
    counts = result.counts
    return Found(
        value=value,
        exact=decisive or not counts.horizon_met,
        pv=result.pv,
        depth=_depth(board, depth),
        nodes=counts.nodes,
        cutoffs=counts.cutoffs,
        table_hits=counts.table_hits,
    )


def require_time(deadline: float | None) -> None:
    """Raise `OutOfTime` if the deadline, in `time.monotonic()` seconds, has passed."""
    if deadline is not None and monotonic() >= deadline:
        raise OutOfTime(
            "The textbook search did not finish in time: give more time_ms or a smaller depth."
        )


def _until(
    deadline: float | None, cancellation: Cancellation | None
) -> Callable[[BoardGame], Sequence[int]] | None:
    """A function that orders moves by index, and checks deadline and cancellation at inner nodes.

    None if there is nothing to check.
    """
    if deadline is None and cancellation is None:
        return None

    def order(position: BoardGame) -> Sequence[int]:
        require_time(deadline)
        if cancellation is not None and cancellation.is_cancelled:
            raise OutOfTime("The textbook search was cancelled.")
        return index_order(position)

    return order


def require_affordable(board: Board, algorithm: str, depth: int | None = None) -> None:
    """Refuse a search that could take too long, before it starts.

    With n empty cells the unpruned tree has at most n!/(n-d)! nodes at ply d. At most
    C(n, d)·C(d, d/2) of them are different positions, which a memoised search stores.

    Raises:
        InvalidLimits: no such algorithm, or a depth below 1.
        PositionTooLarge: more than `MAX_NODES`, or more than `MAX_POSITIONS` to store.
    """
    if algorithm not in SEARCHES:
        raise InvalidLimits(f"algorithm must be one of {', '.join(SEARCHES)}", "algorithm")
    if depth is not None and depth < 1:
        raise InvalidLimits("depth must be at least 1", "depth")
    empty = 0 if board.is_over else board.cells.count(EMPTY)
    plies = range(_depth(board, depth) + 1)
    rules = board.rules
    nodes = sum(
        min(perm(empty, ply), rules.columns**ply) if rules.gravity else perm(empty, ply)
        for ply in plies
    )
    if nodes <= MAX_NODES:
        return
    most, what = MAX_NODES, "nodes"
    if algorithm == "memoized-alpha-beta":
        nodes = sum(comb(empty, ply) * comb(ply, ply // 2) for ply in plies)
        most, what = MAX_POSITIONS, "positions"
    if nodes > most:
        raise PositionTooLarge(
            f"{algorithm} could visit more than {most:,} {what} with {empty} empty cells"
            f"{'' if depth is None else f' and depth {depth}'}: give a smaller depth, or leave "
            "the algorithm to auto"
        )


def _depth(board: Board, depth: int | None) -> int:
    empty = 0 if board.is_over else board.cells.count(EMPTY)
    return empty if depth is None else min(depth, empty)


def _estimate(position: BoardGame) -> float:
    # An estimate is strictly between the utilities of a loss and a win.
    return max(-MAX_ESTIMATE, min(MAX_ESTIMATE, open_lines(position))) / WIN
