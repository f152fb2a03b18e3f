"""Chooses the engines for a position and divides the budget between them.

The prover searches first, and returns only proven results. If the prover proves nothing, the player
searches. The player always returns a move.

A repeatable search converts `time_ms` to nodes, so that equal searches find equal answers.

Without gravity the usual prover is the solver. The solver assumes that an extra mark never hurts
its owner. If more than k in a row do not win, an extra mark can make a row too long. Then the
general engine is the prover.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, lru_cache, partial
from typing import Any, Final, Protocol, cast

from bestmove.errors import InvalidRules
from bestmove.game import Board, Rules
from bestmove.game.rules import DEFAULT_K
from bestmove.search.at_sight import Draw, draw_of
from bestmove.search.budget import Budget, Share
from bestmove.search.cancellation import Cancellation
from bestmove.search.curves import FEW, Curve, curve_of
from bestmove.search.defences import defences, takes_lowest
from bestmove.search.engine import Engines, Make, Memory, Searcher, Task, encoded, searchers
from bestmove.search.engines.connect4 import book as drop_book
from bestmove.search.engines.connect4 import solver as connect4
from bestmove.search.engines.general import engine as general
from bestmove.search.engines.gomoku import driver, network, patterns, policy, weights
from bestmove.search.engines.solver import proof
from bestmove.search.engines.solver.parameters import CELLS
from bestmove.search.ledger import Ledger
from bestmove.search.levels import dice
from bestmove.search.limits import DEFAULT_TIME_MS, RATES, Limits, SearchLimits
from bestmove.search.results import Found, Moves, Report, algorithm_of
from bestmove.search.symmetry import Symmetry
from bestmove.words import EXACT_CELLS

_SHARED_PATTERNS: Final = ((DEFAULT_K, True), (DEFAULT_K, False), (DEFAULT_K + 1, True))
"""The pairs (k, `overline`) whose pattern tables take longest to build."""

_DEEP: Final = 8
"""A search to depth `_DEEP` visits about 20,000 nodes. Searches to smaller depths use the curves
for `FEW` nodes."""

_SMALL: Final = 100
_MEDIUM: Final = 225


def _fits_drops(rules: Rules) -> bool:
    return rules.gravity and connect4.fits(rules.rows, rules.columns)


def _fits_gomoku(rules: Rules) -> bool:
    # If more than k in a row do not win, the general engine solves the smallest boards. It finds
    # the exact number of plies to the end.
    is_small = not rules.overline and rules.size <= EXACT_CELLS
    return patterns.fits(rules.k, rules.overline) and not is_small


def _by_shape(kind: Callable[..., Searcher]) -> Make:
    return lambda rules: kind(rules.rows, rules.columns, rules.k, overline=rules.overline)


def _drop_rate(rules: Rules) -> int:
    return RATES["drops-of-four" if rules.k == drop_book.K and rules.overline else "drops"]


def _gomoku_rate(rules: Rules) -> int:
    is_tabulated = patterns.is_tabulated(rules.k, rules.overline)
    return RATES["gomoku" if is_tabulated else "gomoku-long"]


def _general_rate(rules: Rules) -> int:
    if rules.gravity or rules.size <= _SMALL:
        return RATES["general-small"]
    return RATES["general-medium" if rules.size <= _MEDIUM else "general-large"]


_GOMOKU: Final = Engines(
    frozenset(),
    _fits_gomoku,
    _by_shape(driver.GomokuEngine),
    _gomoku_rate,
    lambda rules: proof.Solver(rules.rows, rules.columns, rules.k),
    lambda _: RATES["solver"],
    takes_threads=True,
)

_DROPS: Final = Engines(
    frozenset({"gravity", "overline"}),
    _fits_drops,
    _by_shape(connect4.DropPlayer),
    _drop_rate,
    _by_shape(connect4.DropSolver),
    _drop_rate,
)

_TABLE: Final = (
    _DROPS,
    _GOMOKU,
    _GOMOKU._replace(
        switches=frozenset({"overline"}),
        prover=general.Prover,
        prover_rate=_general_rate,
    ),
    Engines(
        frozenset({"gravity", "overline", "misere"}), lambda _: True, general.Player, _general_rate
    ),
)


@lru_cache
def engines_for(rules: Rules) -> Engines:
    """Return the engines for these rules.

    Raises:
        InvalidRules: no engine understands the switches.
    """
    for row in _TABLE:
        if row.takes(rules):
            return row
    raise InvalidRules(f"no engine plays with {' and '.join(rules.changed)}: leave one out")


def milliseconds(rules: Rules, nodes: int) -> float:
    """Estimate the milliseconds that the slower of prover and player needs to visit `nodes`."""
    engines = engines_for(rules)
    rate = engines.player_rate(rules)
    if engines.prover is not None:
        rate = min(rate, engines.prover_rate(rules))
    return nodes / rate


def curve_for(rules: Rules, limits: Limits) -> Curve:
    """Return the curve that turns estimates into scores.

    The curve depends only on the rules and limits. So `best_move` and `analyze` show equal scores
    for equal estimates.
    """
    if limits.algorithm != "auto" or (limits.depth is not None and limits.depth < _DEEP):
        return curve_of(rules, FEW)
    if limits.nodes is not None:
        return curve_of(rules, limits.nodes)
    return curve_of(
        rules, (limits.time_ms or DEFAULT_TIME_MS) * engines_for(rules).player_rate(rules)
    )


class Adviser(Protocol):
    """An engine that chooses the moves in a certificate (docs/proofs.md).

    The methods take these arguments:

    - `cells`: a byte for each cell: 0 empty, 1 X, 2 O.
    - `to_move`: 1 for X, 2 for O. The number of marks need not fit the side to move.
    - `plies`: plies counted from `cells`; None means to the end of the game.

    Attributes:
        keeps_plies: whether the win of `winning_move` takes at most `plies`.
    """

    keeps_plies: bool

    def consult(self, task: Task) -> None:
        """Set the deadline and the node limit for all later calls together."""

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """Return a move that is proven to win; None if the engine finds no proof."""

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """Return a move that is proven to keep the other side from winning within `plies`.

        Return None if the engine finds no proof.
        """


def prepare() -> None:
    """Build the tables that all searches share, so that the first search is not slower."""
    weights.cell_tables()
    patterns.combination_numbers()
    network.network()
    policy.own()
    policy.foe()
    policy.together()
    drop_book.opening()
    drop_book.twelve_discs()
    for k, overline in _SHARED_PATTERNS:
        patterns.window_table(k, overline)


def search(
    board: Board,
    limits: SearchLimits,
    report: Report | None = None,
    cancellation: Cancellation | None = None,
) -> tuple[Found, str]:
    """Return the best move found within the budget, and the algorithm that found it.

    `report` is called with the best move so far, but not during a proof.
    """
    asked = _Plan(board, limits, cancellation)
    found: Found | None = None
    if asked.prover is not None:
        with asked.lent(asked.prover) as prover:
            found = asked.prove(prover)
    if found is None:
        with asked.lent(asked.engines.player) as player:
            found = asked.play(player, report)
    return found, algorithm_of(found.exact)


def search_moves(
    board: Board,
    limits: SearchLimits,
    report: Callable[[Moves], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Moves:
    """Return every legal move with its own value.

    The engines search for the best move first, as in `search`, and then search the other moves.
    `limits.lines` says how many moves to search more deeply than the rest. Only one of several
    symmetric moves is searched.

    The first move and value are those of `search` if `search` proves them, or if only `depth`
    limits the search.
    """
    asked = _Plan(board, limits, cancellation)
    curve = curve_for(board.rules, limits)
    ledger = Ledger(asked.symmetry, curve, report, is_bounded=limits.depth is not None)
    if asked.prover is not None:
        with asked.lent(asked.prover) as prover:
            asked.prove_moves(prover, ledger)
    if ledger.choice is None or ledger.open_moves:
        with asked.lent(asked.engines.player) as player:
            asked.play_moves(player, ledger)
    return ledger.moves()


class _Plan:
    """One search: its engines, and the tasks that they get."""

    def __init__(
        self, board: Board, limits: SearchLimits, cancellation: Cancellation | None
    ) -> None:
        self._board, self._limits = board, limits
        self.engines = engines_for(board.rules)
        self.symmetry = Symmetry(board)
        self._budget = budget = Budget(board, limits, self.engines)
        self.prover = self.engines.prover if budget.proof_nodes != 0 else None
        self._draw: Draw | None = None
        cells, mover = encoded(board.cells, board.turn)
        proves_itself = self.engines.prover is None and budget.proves
        self._task = Task(
            cells,
            mover,
            depth=None if proves_itself else limits.depth,
            counted=budget.counted,
            memory=Memory.GAME if limits.in_game and not budget.counted else Memory.NOTHING,
            cancellation=cancellation,
            order=_drawn_order(board, limits),
            defences=None if takes_lowest(board.rules) else cache(partial(defences, board)),
        )

    def lent(self, make: Make) -> AbstractContextManager[Searcher]:
        return searchers.lend(make, self._board.rules, self._task.cancellation)

    def _with(self, share: Share, **more: Any) -> Task:
        return self._task._replace(**share._asdict(), **more)

    def _proof(self, share: Share, *, to_the_end: bool = True) -> Task:
        limits = self._limits
        # Levels below 10 set both a depth and `engine_nodes`. They need no full variation.
        needs_line = limits.pv and (limits.depth is None or limits.engine_nodes is None)
        return self._with(share, depth=None, pv=limits.pv, to_the_end=to_the_end and needs_line)

    def prove(self, prover: Searcher, *, to_the_end: bool = True) -> Found | None:
        found = prover.best(self._proof(self._budget.for_proof(), to_the_end=to_the_end))
        self._budget.charge_prover(prover.nodes)
        return found and self._lowest(found)

    def prove_moves(self, prover: Searcher, ledger: Ledger) -> None:
        """Prove the best move, and then as many moves as possible."""
        budget, moves = self._budget, self.symmetry.moves
        if ledger.is_watched and drop_book.covers(self._board):
            look_up = self._proof(budget.for_proof(), to_the_end=False)
            ledger.report(prover.every(look_up._replace(nodes=0, moves=moves)).found)
        # A repeatable analysis finds the best move and its variation in one search, as `search`
        # does. With gravity, an analysis by the clock proves all values before any variation.
        lines_follow = self._board.rules.gravity and not budget.counted
        best = self.prove(prover, to_the_end=not lines_follow)
        if best is not None:
            ledger.choose(best)
        task = self._proof(budget.for_proofs(are_losses=ledger.is_lost))
        ledger.learn(prover.every(task._replace(moves=moves, report=ledger.report)).found)
        budget.charge_prover(prover.nodes, of_all=True)
        if lines_follow:
            ledger.confirm()

    def play(self, player: Searcher, report: Report | None, *, of_all: bool = False) -> Found:
        """Search for the best move. `of_all`: the other moves are to follow."""
        draw = self._draw = self._draw_at_sight()
        share = self._budget.for_best(of_all=of_all)
        threads = self._limits.threads or 1
        found = player.best(self._with(share, threads=threads, report=report))
        assert found is not None, "a player always answers"
        self._budget.charge_player(player.nodes)
        found = self._lowest(found)
        return found if draw is None or found.exact else draw.best(found)

    def play_moves(self, player: Searcher, ledger: Ledger) -> None:
        """Search for the best move if none is proven, and then search the other moves."""
        task, moves = self._task, self.symmetry.moves
        memory = task.memory
        if ledger.choice is None:
            if ledger.is_watched:
                at_sight = Task(task.cells, task.mover, depth=0, memory=memory, moves=moves)
                ledger.learn(player.every(at_sight).found)
            ledger.choose(self.play(player, ledger.report_best, of_all=True))
            kept = self._draw.kept if self._draw else []
            ledger.learn([Found(0, True, (move,)) for move in kept])
            memory = Memory.POSITION
        assert ledger.choice is not None
        if not ledger.open_moves:
            return
        are_losses = ledger.is_lost and memory is Memory.POSITION
        lines = self._limits.lines
        if lines is not None:
            # `Limits.lines` also counts the best move and its images.
            lines = None if are_losses else max(0, lines - self.symmetry.count(ledger.choice))
        task = self._with(
            self._budget.for_moves(are_losses=are_losses),
            memory=memory,
            moves=ledger.open_moves,
            lines=lines,
            report=partial(ledger.report, lines=lines or 0),
        )
        every = player.every(task)
        ledger.learn(every.found, every.lines, are_alike=every.complete)

    def _lowest(self, found: Found) -> Found:
        is_drawn = found.exact and self._task.order is not None
        return found if is_drawn else self.symmetry.lowest(found)

    def _draw_at_sight(self) -> Draw | None:
        # On the smallest boards, a search must find the best move of lowest index.
        if not self._budget.proves or self._board.rules.size <= EXACT_CELLS:
            return None
        until, cancellation = self._budget.deadline, self._task.cancellation

        def look() -> None:
            is_late = until is not None and time.monotonic() >= until
            if is_late or (cancellation is not None and cancellation.is_cancelled):
                raise _Late

        try:
            return draw_of(self._board, look)
        except _Late:
            return None


def _drawn_order(board: Board, limits: SearchLimits) -> list[int] | None:
    """Shuffle the legal moves by the seed.

    Return None if the seed does not choose the answer (see `Limits.seed`).
    """
    if limits.seed is None or not takes_lowest(board.rules):
        return None
    moves = list(board.moves)
    dice(board, limits).shuffle(moves)
    return moves


class _Late(Exception):
    """Raised when the time is over or the search is cancelled."""


def _adviser(rules: Rules) -> Make:
    """Choose the engine that proves the most wins and draws."""
    engine: Make | None = None
    if not rules.changed and rules.size <= CELLS:
        engine = _GOMOKU.prover
    elif _GOMOKU.takes(rules):
        engine = _GOMOKU.player
    elif _DROPS.takes(rules):
        engine = _DROPS.prover
    return engine or general.Player


@contextmanager
def consulted(
    board: Board,
    deadline: float | None,
    nodes: int | None,
    cancellation: Cancellation | None = None,
) -> Iterator[Adviser]:
    """Provide an engine that chooses the moves in a certificate.

    Args:
        board: any position of the game. Each call of the engine passes its own position.
        deadline: when the engine stops choosing moves, in `time.monotonic()` seconds.
        nodes: the node limit for all calls together.
    """
    cells, mover = encoded(board.cells, board.turn)
    with searchers.lend(_adviser(board.rules), board.rules, cancellation) as engine:
        adviser = cast(Adviser, engine)
        adviser.consult(Task(cells, mover, deadline, nodes, cancellation=cancellation))
        yield adviser
