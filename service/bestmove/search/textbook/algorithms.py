"""The textbook searches of two-player zero-sum games, one function for each.

Each search looks `depth` plies ahead, or to the end, and calls `evaluate` at the horizon. Of
equally good moves, the first in the game's order is kept.

Sources: Shannon 1950 (minimax with a horizon); Knuth and Moore 1975, "An Analysis of Alpha-Beta
Pruning" (alpha-beta, the negamax form; their F2 is fail-hard); Fishburn 1983 (fail-soft);
Greenblatt 1967 and Slate and Atkin 1977 (the transposition table and its bounds).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import comb, inf, perm, prod
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol, Self, TypeVar

from bestmove.errors import InvalidLimits, OutOfTime, PositionTooLarge
from bestmove.game import EMPTY, Board
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import Limits, SearchLimits
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN
from bestmove.search.textbook import evaluations
from bestmove.search.textbook.board_game import BoardGame, bare_utility, index_order


class SearchedGame(Protocol):
    """An immutable position of a game."""

    @property
    def maximizing(self) -> bool:
        """True if the side to move wants the larger value. The sides take turns."""

    def is_over(self) -> bool:
        """Return True if the game has ended here."""

    def utility(self) -> float:
        """Return the value of a finished position for the maximiser."""

    def moves(self) -> Sequence[int]:
        """Return one or more moves of an unfinished game. The search tries the moves in order."""

    def play(self, move: int) -> Self:
        """Return the position after a move."""

    def key(self) -> Hashable:
        """Return a key that is the same for equal positions."""


G = TypeVar("G", bound=SearchedGame)

Variation = tuple[int, ...]

Evaluate = Callable[[G], float]

Visit = Callable[..., tuple[float, Variation]]
"""The function that searches a node. Its arguments are the position, the depth and, but for
minimax, alpha and beta."""

Trace = Callable[[Visit], Visit]
"""Wraps a `Visit`, to see what each node is searched with and what is found."""


def untraced(visit: Visit) -> Visit:
    return visit


@dataclass(slots=True)
class Counts:
    """What a search counts."""

    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    horizon_met: bool = False

    def leaf(self, position: G, evaluate: Callable[[G], float]) -> float:
        self.leaves += 1
        if position.is_over():
            return position.utility()
        self.horizon_met = True
        return evaluate(position)

    def cut(self, move: int, moves: Sequence[int]) -> None:
        """Count a cutoff after `move`, if later moves are left to cut off."""
        self.cutoffs += move != moves[-1]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        value: for the maximiser.
        pv: the principal variation, to the end or the horizon.
    """

    value: float
    pv: Variation
    counts: Counts = field(default_factory=Counts)


def zero(_position: SearchedGame) -> float:
    return 0.0


def minimax(
    position: G, depth: int | None = None, evaluate: Evaluate[G] = zero, trace: Trace = untraced
) -> SearchResult:
    """Search every move at every node."""
    counts = Counts()

    @trace
    def visit(position: G, depth: float) -> tuple[float, Variation]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return counts.leaf(position, evaluate), ()
        maximizing = position.maximizing
        best = -inf if maximizing else inf
        pv: Variation = ()
        for move in position.moves():
            value, line = visit(position.play(move), depth - 1)
            if value > best if maximizing else value < best:
                best, pv = value, (move, *line)
        return best, pv

    return SearchResult(*visit(position, _plies(depth)), counts)


def alpha_beta(
    position: G, depth: int | None = None, evaluate: Evaluate[G] = zero, trace: Trace = untraced
) -> SearchResult:
    """Leave a node as soon as alpha reaches beta.

    The maximiser is sure of at least alpha, the minimiser of at most beta. The search is fail-soft:
    a value outside a node's window is a bound.
    """
    counts = Counts()

    @trace
    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Variation]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return counts.leaf(position, evaluate), ()
        maximizing = position.maximizing
        best = -inf if maximizing else inf
        pv: Variation = ()
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

    return SearchResult(*visit(position, _plies(depth), -inf, inf), counts)


def alpha_beta_fail_hard(
    position: G, depth: int | None = None, evaluate: Evaluate[G] = zero, trace: Trace = untraced
) -> SearchResult:
    """Alpha-beta whose values are clamped to the window.

    A value of alpha means "at most alpha", and a value of beta means "at least beta".
    """
    counts = Counts()

    @trace
    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Variation]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return min(max(alpha, counts.leaf(position, evaluate)), beta), ()
        pv: Variation = ()
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

    return SearchResult(*visit(position, _plies(depth), -inf, inf), counts)


def negamax(
    position: G, depth: int | None = None, evaluate: Evaluate[G] = zero, trace: Trace = untraced
) -> SearchResult:
    """Fail-soft alpha-beta with the same code for both sides.

    Inside the search, all values are for the side to move. The result is for the maximiser.
    """
    counts = Counts()

    @trace
    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Variation]:
        counts.nodes += 1
        if depth == 0 or position.is_over():
            return _sign(position) * counts.leaf(position, evaluate), ()
        best = -inf
        pv: Variation = ()
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

    value, pv = visit(position, _plies(depth), -inf, inf)
    return SearchResult(_sign(position) * value, pv, counts)


class Bound(Enum):
    """What an entry's value says about the true value."""

    EXACT = "the value is this"
    LOWER = "the value is at least this"
    UPPER = "the value is at most this"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the transposition table. `value` is for the maximiser."""

    value: float
    bound: Bound
    pv: Variation


def memoized_alpha_beta(
    position: G, depth: int | None = None, evaluate: Evaluate[G] = zero, trace: Trace = untraced
) -> SearchResult:
    """Fail-soft alpha-beta with a transposition table.

    A bound from the table is used only if the bound is outside the window, so the principal
    variation uses only exact entries. Each entry stores a variation, so the principal variation is
    complete.
    """
    counts = Counts()
    table: dict[tuple[Hashable, float], Entry] = {}  # by the key and the remaining depth

    @trace
    def visit(position: G, depth: float, alpha: float, beta: float) -> tuple[float, Variation]:
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
        pv: Variation = ()
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

    return SearchResult(*visit(position, _plies(depth), -inf, inf), counts)


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


def _sign(position: SearchedGame) -> int:
    return 1 if position.maximizing else -1


MAX_NODES: Final = 1_000_000
"""The most nodes of a searched tree. The tree of the empty 3×3 board has at most 986,410 nodes."""

MAX_POSITIONS: Final = 250_000


SEARCHES: Final[Mapping[str, Callable[..., SearchResult]]] = {
    "minimax": minimax,
    "alpha-beta": alpha_beta,
    "alpha-beta-fail-hard": alpha_beta_fail_hard,
    "negamax": negamax,
    "memoized-alpha-beta": memoized_alpha_beta,
}
"""The textbook searches by name. `game.inputs.Algorithm` lists the same names."""


class Heuristic(NamedTuple):
    """How a search values positions, and which moves it tries.

    Attributes:
        utility: returns the value of a finished game for X.
        evaluate: returns the value at the horizon for X.
        switches: the switches of the rules that it understands.
        order: returns the moves to try, in order.
    """

    utility: Callable[[BoardGame], float]
    evaluate: Callable[[BoardGame], float]
    switches: frozenset[str]
    order: Callable[[BoardGame], Sequence[int]] = index_order


HEURISTICS: Final[Mapping[str, Heuristic]] = {
    "bare": Heuristic(
        bare_utility,
        lambda position: _estimate(position) / WIN,
        frozenset({"gravity", "overline", "misere"}),
    ),
    "lines": Heuristic(
        evaluations.open_lines_utility, evaluations.open_lines, frozenset({"gravity", "overline"})
    ),
    "shapes": Heuristic(
        evaluations.five_utility,
        evaluations.shapes,
        frozenset({"overline"}),
        evaluations.neighbors_around_last,
    ),
    "ten-less-depth": Heuristic(
        evaluations.ten_less_depth, zero, frozenset({"gravity", "overline"})
    ),
}
_SHAPE_UNIT: Final = 100
"""This many points of `shapes` make one unit of `Found.value`."""


def run(board: Board, limits: SearchLimits, cancellation: Cancellation | None = None) -> Found:
    """Search a board by one of `SEARCHES`, to the end or to `limits.depth` plies.

    - A win in one move is always proven, and with `shapes` nothing else is. With any other
      evaluation, a result is proven if the search never reached the horizon. With `bare` and
      `ten-less-depth`, a win or loss is proven even if it did.
    - Only `ten-less-depth` prefers quick wins. With the other evaluations, a second search finds
      best play after the first move of a proven win or loss. The counts do not include the second
      search.

    Raises:
        InvalidLimits, PositionTooLarge: see `require_affordable`.
        OutOfTime: the deadline was reached, or `cancellation` was used.
    """
    require_affordable(board, limits)
    depth, evaluation = limits.depth, limits.evaluation
    utility, evaluate, _, order = HEURISTICS[evaluation]
    require = _until(limits.deadline, cancellation)
    root = BoardGame(board, utility, require(order))
    result = SEARCHES[limits.algorithm](root, depth=depth, evaluate=require(evaluate))
    counts, value, pv = result.counts, result.value, result.pv
    wins = len(pv) == 1 and board.play(pv[0]).winner == board.turn
    if evaluation == "shapes":
        decisive = exact = wins
        estimate = round(value / _SHAPE_UNIT)
    elif evaluation == "lines":
        exact, estimate = wins or not counts.horizon_met, round(value)
        decisive = exact and value != 0
    else:
        decisive = abs(value) == 1 if evaluation == "bare" else value != 0
        exact, estimate = decisive or not counts.horizon_met, round(value * WIN)
        if not decisive:
            value = estimate
    if decisive:
        if evaluation != "ten-less-depth":
            pv = _best_play(board, pv[0], depth, require)
        estimate = WIN - len(pv) if value > 0 else len(pv) - WIN
    elif not exact:
        estimate = max(-MAX_ESTIMATE, min(MAX_ESTIMATE, estimate))
    return Found(
        value=_sign(root) * estimate,
        exact=exact,
        pv=pv,
        depth=_depth(board, depth),
        nodes=counts.nodes,
        cutoffs=counts.cutoffs,
        table_hits=counts.table_hits,
        evaluated=value + 0.0 if value % 1 else int(value),
    )


def _best_play(board: Board, move: int, depth: int | None, require: Guard[Any]) -> Variation:
    """Return `move`, then the winner's quickest win against the longest defence."""
    after = BoardGame(board.play(move), sooner_is_more, require(index_order))
    result = memoized_alpha_beta(after, None if depth is None else depth - 1)
    return (move, *result.pv)


def sooner_is_more(position: BoardGame) -> int:
    """Return the value of a finished game for X: quick wins are worth more than slow wins."""
    return (WIN - position.ply) * bare_utility(position)


def require_time(deadline: float | None, cancellation: Cancellation | None) -> None:
    """Raise `OutOfTime` if the search was cancelled, or if the deadline has passed."""
    if cancellation is not None and cancellation.is_cancelled:
        raise OutOfTime("The textbook search was cancelled.")
    if deadline is not None and monotonic() >= deadline:
        raise OutOfTime(
            "The textbook search did not finish in time: give more time_ms or a smaller depth."
        )


T = TypeVar("T")

Guard = Callable[[Callable[[BoardGame], T]], Callable[[BoardGame], T]]
"""Wraps a function so that each call first checks the limits."""


def _until(deadline: float | None, cancellation: Cancellation | None) -> Guard[Any]:
    def guarded(function: Callable[[BoardGame], T]) -> Callable[[BoardGame], T]:
        def checked(position: BoardGame) -> T:
            require_time(deadline, cancellation)
            return function(position)

        return checked

    return guarded


def require_affordable(board: Board, limits: Limits) -> None:
    """Refuse a search that could take too long.

    With n empty cells, the tree has at most n!/(n-d)! nodes at ply d. A memoised search stores at
    most C(n, d)·C(d, d/2) positions of this ply. `shapes` tries only empty cells next to marks.
    Each move adds at most `_NEW_NEIGHBORS` such cells.

    Raises:
        InvalidLimits: the evaluation is for another game.
        PositionTooLarge: the search could visit more than `MAX_NODES` nodes. A memoised search is
            also allowed if it stores at most `MAX_POSITIONS` positions.
    """
    algorithm, depth, evaluation = limits.algorithm, limits.depth, limits.evaluation
    _require_game(board, depth, evaluation)
    empty = 0 if board.is_over else board.cells.count(EMPTY)
    plies = range(_depth(board, depth) + 1)
    rules = board.rules
    if evaluation == "shapes" and empty:
        near = len(evaluations.neighbors_around_last(BoardGame(board)))
        tried = [min(near + _NEW_NEIGHBORS * ply, empty - ply) for ply in plies]
        nodes = sum(prod(tried[:ply]) for ply in plies)
    else:
        nodes = sum(
            min(perm(empty, ply), rules.columns**ply) if rules.gravity else perm(empty, ply)
            for ply in plies
        )
    if nodes <= MAX_NODES:
        return
    most, what = MAX_NODES, "nodes"
    if SEARCHES[algorithm] is memoized_alpha_beta:
        nodes = sum(comb(empty, ply) * comb(ply, ply // 2) for ply in plies)
        most, what = MAX_POSITIONS, "positions"
    if nodes > most:
        raise PositionTooLarge(
            f"{algorithm} could visit more than {most:,} {what} with {empty} empty cells"
            f"{'' if depth is None else f' and depth {depth}'}: give a smaller depth, or leave "
            "the algorithm to auto"
        )


_NEW_NEIGHBORS: Final = 7
"""With each move, at most eight cells become neighbours of marks, and one neighbour is filled."""

_MOST_PLIES: Final = 9
"""At ply 10, `ten-less-depth` gives a win the value of a draw."""


def _require_game(board: Board, depth: int | None, evaluation: str) -> None:
    rules = board.rules
    message = ""
    unknown = ", ".join(rules.changed.keys() - HEURISTICS[evaluation].switches)
    if unknown:
        message = f'the evaluation "{evaluation}" does not know {unknown}: leave one of them out'
    elif evaluation == "shapes" and rules.k != 5:
        message = 'the evaluation "shapes" is for five in a row: give "k": 5'
    elif evaluation == "ten-less-depth" and _depth(board, depth) > _MOST_PLIES:
        message = (
            f'the evaluation "ten-less-depth" is for at most {_MOST_PLIES} plies: '
            f'give a "depth" of {_MOST_PLIES} or less'
        )
    if message:
        raise InvalidLimits(message, "evaluation")


def _depth(board: Board, depth: int | None) -> int:
    empty = 0 if board.is_over else board.cells.count(EMPTY)
    return empty if depth is None else min(depth, empty)


def _estimate(position: BoardGame) -> int:
    # An estimate must be smaller than a win and larger than a loss.
    return max(-MAX_ESTIMATE, min(MAX_ESTIMATE, evaluations.open_lines(position)))
