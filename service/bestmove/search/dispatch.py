"""The engines behind the door: who searches a position, with what share of the budget.

A board of few cells goes to the solver first, for as many nodes as a proof there is likely to
take; what it cannot prove goes to the gomoku engine, which plays. Shares are counted in nodes,
never by the clock, so that equal searches find equal answers. What is to be repeatable has a count
of nodes for its time, and no clock but the latest there is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from bestmove.game import EMPTY, Board, O, Rules, X
from bestmove.game.rules import DEFAULT_K
from bestmove.search.gomoku import patterns, weights
from bestmove.search.gomoku.defence import LongestDefence
from bestmove.search.gomoku.driver import Engine
from bestmove.search.gomoku.search import compiled
from bestmove.search.limits import DEFAULT_TIME_MS, Limits
from bestmove.search.results import Found
from bestmove.search.scores import EXACT_CELLS, MAX_ESTIMATE
from bestmove.search.solver import proof

PROOF_SEARCH: Final = "proof-search"
PRINCIPAL_VARIATION_SEARCH: Final = "principal-variation-search"

NODES_PER_MS: Final = 100 if compiled else 1
"""What a millisecond is worth when the budget is counted in nodes, of either searcher. On one core
of a server they make 800 to 1,600 in it, uncompiled about 10: with an eighth of that there is time
left."""

_SOLVER_SHARE: Final = 0.6
"""The part of the budget, time or nodes, after which the solver must give way."""

_LEAST_SHARE: Final = 0.25
"""Of a count of nodes, what is left to the engine whatever the solver spent."""

_BEST_SHARE: Final = 0.25
"""Of the time for all moves, the part in which the best is searched for by itself: a forced win is
mostly found at once."""

_IDLE_SEARCHERS: Final = 2
"""Searchers of each kind kept for the next request, each with its table."""

_TO_CODE: Final = str.maketrans({EMPTY: "\0", X: "\1", O: "\2"})
_CODES: Final = {X: 1, O: 2}


def encoded(cells: str, mover: str | None) -> tuple[bytes, int]:
    """A position as the solver and the engine take it: a byte a cell, and whose turn it is.

    0 is empty, 1 X, 2 O; without a mover it is X's turn.
    """
    return cells.translate(_TO_CODE).encode("ascii"), _CODES[mover or X]


class _Searcher(Protocol):
    def cancel(self) -> None: ...


_S = TypeVar("_S", bound=_Searcher)


class _Pool(Generic[_S]):
    """Idle searchers by rules, each lent to one search at a time; the longest idle goes first."""

    def __init__(self, make: Callable[[int, int, int], _S]) -> None:
        self._make = make
        self._idle: list[tuple[Rules, _S]] = []
        self._lent: list[_S] = []
        self._lock = Lock()

    @contextmanager
    def borrow(self, rules: Rules) -> Iterator[_S]:
        with self._lock:
            place = next((at for at, (kept, _) in enumerate(self._idle) if kept == rules), None)
            searcher = None if place is None else self._idle.pop(place)[1]
        if searcher is None:
            searcher = self._make(rules.rows, rules.columns, rules.k)
        with self._lock:
            self._lent.append(searcher)
        try:
            yield searcher
        finally:
            with self._lock:
                self._lent.remove(searcher)
                self._idle.append((rules, searcher))
                del self._idle[:-_IDLE_SEARCHERS]

    def cancel(self) -> None:
        with self._lock:
            for searcher in self._lent:
                searcher.cancel()


_engines = _Pool(lambda *shape: Engine(*shape))
_solvers = _Pool(lambda *shape: proof.Solver(*shape))


def cancel() -> None:
    """From another thread: end the searches in progress, which answer with what they have.

    A search that is about to begin is not reached: repeat until the answer is there.
    """
    _solvers.cancel()
    _engines.cancel()


def prepare() -> None:
    """Build the tables that all searches share, so that the first search finds them built."""
    weights.cell_tables()
    patterns.line_table(DEFAULT_K)


def search(board: Board, limits: Limits) -> tuple[Found, str]:
    """The best move that the budget finds, and the algorithm that found it."""
    budget = _Budget(board, limits)
    if budget.solver_nodes:
        with _solvers.borrow(board.rules) as searcher:
            proven = _solved(searcher, budget)
            spent = searcher.nodes
        if proven is not None:
            return proven, PROOF_SEARCH
    else:
        spent = 0
    with _engines.borrow(board.rules) as engine:
        found, _ = _searched(limits, engine, budget, budget.deadline, spent)
    return found, PRINCIPAL_VARIATION_SEARCH


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


def search_moves(board: Board, limits: Limits) -> Moves:
    """Every legal move with its own value.

    Where that of `search` is proven, or bounded by depth alone, its move and value are the best
    here, too: it is searched for by itself, and then every move.
    """
    budget = _Budget(board, limits)
    best: Found | None = None
    proven: dict[int, Found] = {}
    spent_on_best = spent = 0
    if budget.solver_nodes:
        with _solvers.borrow(board.rules) as searcher:
            if not budget.is_exact:
                best = _solved(searcher, budget)
                spent_on_best = searcher.nodes
            answers = searcher.solve_moves(
                budget.cells,
                budget.mover,
                deadline=budget.solver_deadline,
                nodes=budget.solver_nodes,
            )
            spent = searcher.nodes
        proven = {found.pv[0]: found for found in answers if found is not None}
        if len(proven) == len(board.moves):
            return _led_by(best, list(proven.values()), True, PROOF_SEARCH)
    with _engines.borrow(board.rules) as engine:
        if best is None and limits.nodes is None:
            best, played = _searched(limits, engine, budget, budget.early(), spent_on_best)
            if not best.exact and limits.depth is None:
                best = None
            elif best.exact and best.value < 0:
                # Every move has been proven to lose.
                lost = [
                    played.confirmed(budget.mover - 1, replace(best, pv=(move,)), is_best=False)
                    for move in board.moves
                ]
                return _led_by(best, lost, True, PRINCIPAL_VARIATION_SEARCH)
        found, complete = engine.evaluate_moves(
            budget.cells,
            budget.mover,
            deadline=budget.deadline,
            nodes=budget.engine_nodes(spent),
            depth=limits.depth,
            counted=budget.counted,
        )
        played = _played_out(engine, budget)
        found = [
            proven.get(move.pv[0]) or played.confirmed(budget.mover - 1, move, is_best=False)
            for move in found
        ]
    return _led_by(best, found, complete, PRINCIPAL_VARIATION_SEARCH)


def _solved(searcher: proof.Solver, budget: _Budget) -> Found | None:
    return searcher.solve(
        budget.cells,
        budget.mover,
        deadline=budget.solver_deadline,
        nodes=budget.solver_nodes,
    )


def _searched(
    limits: Limits, engine: Engine, budget: _Budget, deadline: float | None, spent: int
) -> tuple[Found, LongestDefence]:
    """The engine's best move, its plies confirmed, and what confirmed them."""
    found = engine.search(
        budget.cells,
        budget.mover,
        deadline=deadline,
        nodes=budget.engine_nodes(spent),
        depth=limits.depth,
        counted=budget.counted,
    )
    played = _played_out(engine, budget)
    return played.confirmed(budget.mover - 1, found, is_best=True), played


def _played_out(engine: Engine, budget: _Budget) -> LongestDefence:
    return LongestDefence(
        engine.kernel,
        budget.cells,
        budget.deadline,
        counted=budget.counted,
        only_exact=budget.is_exact,
    )


def _led_by(best: Found | None, found: list[Found], complete: bool, algorithm: str) -> Moves:
    """The moves, with the best one's own value, and none that was searched otherwise above it."""
    if best is None:
        return Moves(found, complete, algorithm)
    moves = [best]
    for move in found:
        if move.pv[0] == best.pv[0]:
            continue
        # Two proven wins may have different bounds; all else above the best is an estimate of
        # another search, or becomes one.
        if move.value > best.value and not (move.exact and best.exact):
            most = max(-MAX_ESTIMATE, min(best.value, MAX_ESTIMATE))
            move = replace(move, value=most, exact=False)
        moves.append(move)
    return Moves(moves, complete, algorithm, best.pv[0])


class _Budget:
    """The shares of one search.

    Attributes:
        cells: one byte a cell: 0 empty, 1 X, 2 O.
        mover: 1 or 2, whose turn it is.
        deadline: `time.monotonic()` seconds, or None.
        counted: whether nodes alone bound the search, and the clock must have no say in it.
        is_exact: whether a proven distance must be the exact one.
        solver_nodes: nodes for the solver; 0 where a proof is out of reach.
    """

    def __init__(self, board: Board, limits: Limits) -> None:
        rules = board.rules
        self.cells, self.mover = encoded(board.cells, board.turn)
        self.deadline = limits.due()
        self.solver_deadline = self.deadline
        time_ms = limits.time_ms or DEFAULT_TIME_MS
        self.counted = limits.is_repeatable
        self.is_exact = rules.size <= EXACT_CELLS
        self.solver_nodes = 0
        # A search to a given depth is asked for that depth, not for a proof; but where a proof
        # costs next to nothing it gives the exact distance. One limited to nodes, too, is meant
        # to be weak: the levels' are.
        if limits.depth is None or (self.is_exact and limits.nodes is None):
            self.solver_nodes = proof.nodes_for_proof(
                rules.rows, rules.columns, rules.k, board.cells.count(EMPTY), time_ms
            )
        self._nodes = limits.nodes
        if limits.nodes is not None:
            self.solver_nodes = min(self.solver_nodes, limits.nodes)
        elif self.counted:
            # To a depth alone, as deep as it is.
            if limits.time_ms is not None or limits.depth is None:
                self._nodes = time_ms * NODES_PER_MS
            if not self.is_exact:
                most = int(_SOLVER_SHARE * time_ms * NODES_PER_MS)
                self.solver_nodes = min(self.solver_nodes, most)
        elif not self.is_exact:
            self.solver_deadline = self._after(_SOLVER_SHARE)

    def engine_nodes(self, spent: int) -> int | None:
        """Nodes for the engine after the solver's; None leaves only the clock."""
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(int(_LEAST_SHARE * self._nodes), self._nodes - spent)

    def early(self) -> float | None:
        """When to end the search for the best move where every move is to be searched."""
        return self.deadline if self.counted else self._after(_BEST_SHARE)

    def _after(self, share: float) -> float | None:
        """When a share of the time that is left has gone by."""
        if self.deadline is None:
            return None
        now = time.monotonic()
        return now + share * (self.deadline - now)
