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
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Final, NamedTuple, Protocol, cast

from bestmove.errors import InvalidRules
from bestmove.game import EMPTY, PRESETS, Board, Rules
from bestmove.game.rules import DEFAULT_K
from bestmove.search.at_sight import Draw, draw_of
from bestmove.search.cancellation import Cancellation
from bestmove.search.curves import FEW, Curve, curve_of, expected_result
from bestmove.search.engine import (
    Every,
    Make,
    Memory,
    Searcher,
    Task,
    after_share,
    encoded,
    searchers,
)
from bestmove.search.engines.connect4 import book as drop_book
from bestmove.search.engines.connect4 import solver as connect4
from bestmove.search.engines.general import engine as general
from bestmove.search.engines.gomoku import driver, network, patterns, policy, weights
from bestmove.search.engines.solver import proof
from bestmove.search.engines.solver.parameters import CELLS
from bestmove.search.levels import dice
from bestmove.search.limits import DEFAULT_TIME_MS, NODES_PER_MS, RATES, Limits, SearchLimits
from bestmove.search.results import Found, Moves, Report
from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES
from bestmove.search.symmetry import Symmetry
from bestmove.words import EXACT_CELLS

PROOF_SEARCH: Final = "proof-search"
PRINCIPAL_VARIATION_SEARCH: Final = "principal-variation-search"

_CERTAIN: Final = MAX_ESTIMATE - 2 * MAX_PLIES
"""An estimate of at least `_CERTAIN` means a win that the search found but did not prove."""

_SHARED_PATTERNS: Final = ((DEFAULT_K, True), (DEFAULT_K, False), (DEFAULT_K + 1, True))
"""The pairs (k, `overline`) whose pattern tables take longest to build."""

PROOF_SHARE: Final = 0.6

_LEAST_MS: Final = 15
"""In the first search of a process, loading the engines may use up `time_ms`. The search then still
gets `_LEAST_MS` milliseconds, or `time_ms` if that is less."""

_DROP_SHARE: Final = 0.85
"""The prover's part of the time with gravity. The part is larger than `PROOF_SHARE`, because the
player's estimates are less useful with gravity."""

_LEAST_SHARE: Final = 0.25
"""In a repeatable search, the player gets at least this part of the budget, whatever the prover has
spent."""

_BEST_SHARE: Final = 0.5
_BEST_SHARE_OF_LINES: Final = 0.85
"""In an analysis, the player first searches for the best move alone. This search gets `_BEST_SHARE`
of the remaining time. If `Limits.lines` is given, the search gets `_BEST_SHARE_OF_LINES`."""

_SLOWLY_PROVEN_CELLS: Final = 36
_SLOWER: Final = 4
"""The general engine needs `_SLOWER` times as long for a node as the solver. On boards of more than
`_SLOWLY_PROVEN_CELLS` cells, a proof by the general engine gets `1 / _SLOWER` of the solver's
nodes."""

_GLANCE_NODES: Final = 200
"""The least node limit for a proof by the general engine. Visiting 200 nodes takes about a
millisecond, and suffices to prove that no line fits on the board."""

_LOSS_NODES: Final = 200_000
_LOSS_LINE_NODES: Final = 6_000_000
_LOSS_GRACE: Final = 0.015
"""If the best move is proven to lose, an analysis tries to prove that the other moves lose, too.

- `_LOSS_NODES`: the least node limit for these proofs.
- `_LOSS_LINE_NODES`: with gravity, the least node limit for the search for variations.
- `_LOSS_GRACE`: for how many seconds after the deadline these proofs may continue.
"""

_DEEP: Final = 8
"""A search to depth `_DEEP` visits about 20,000 nodes. Searches to smaller depths use the curves
for `FEW` nodes."""

_SMALL: Final = 100
_MEDIUM: Final = 225

CONNECT_FOUR: Final = PRESETS["connect-four"].rules


def in_book(board: Board) -> bool:
    marks = board.rules.size - board.cells.count(EMPTY)
    return board.rules == CONNECT_FOUR and marks <= drop_book.DISCS and not board.is_over


class Budget:
    """Divides the budget of one search between the prover and the player.

    Attributes:
        deadline: when the search must stop, in `time.monotonic()` seconds; None means no deadline.
        counted: whether the search is repeatable, and limited by nodes or depth instead of time.
        counts_time: whether the search is repeatable, and its node limits are made from `time_ms`.
        proves: whether the search may try a full proof. `engine_nodes` forbids a full proof,
            because the search should be weak. On boards of more than EXACT_CELLS cells, `depth`
            forbids a full proof, because the proof would look further than `depth`.
    """

    def __init__(self, board: Board, limits: SearchLimits) -> None:
        self._board, self._limits = board, limits
        self._engines = engines_for(board.rules)
        self.counted = limits.is_repeatable
        self.deadline = limits.due()
        if self.deadline is not None and limits.time_ms is not None and not self.counted:
            least = min(limits.time_ms, _LEAST_MS) / 1000
            self.deadline = max(self.deadline, time.monotonic() + least)
        self.proof_deadline = self.deadline
        self._is_exact = board.rules.size <= EXACT_CELLS
        self._time_ms = limits.time_ms or DEFAULT_TIME_MS
        if limits.nodes is not None:
            self._time_ms = max(1, limits.nodes // NODES_PER_MS)
        self._nodes = limits.engine_nodes or limits.nodes
        self.proves = limits.engine_nodes is None and (limits.depth is None or self._is_exact)
        # If only `depth` limits the search, there is no node limit.
        is_limited = limits.time_ms is not None or limits.depth is None
        self.counts_time = self.counted and self._nodes is None and is_limited
        if not self.counted and not self._is_exact and limits.engine_nodes is None:
            self.proof_deadline = after_share(self.deadline, self._engines.prover_share)

    def solver_nodes(self) -> int:
        """Return the node limit of a proof on a board without gravity; 0 means no proof."""
        rules, limits = self._board.rules, self._limits
        if not self.proves and (limits.engine_nodes is None or limits.depth is not None):
            return 0
        empty = self._board.cells.count(EMPTY)
        nodes = proof.nodes_for_proof(rules.rows, rules.columns, rules.k, empty, self._time_ms)
        if not rules.overline:
            if rules.size > _SLOWLY_PROVEN_CELLS:
                nodes //= _SLOWER
            nodes = max(nodes, _GLANCE_NODES)
        if limits.engine_nodes is not None:
            return min(nodes, limits.engine_nodes)
        if limits.nodes is not None and self._is_exact:
            return min(nodes, limits.nodes)
        if self.counted and not self._is_exact:
            return min(nodes, int(PROOF_SHARE * (limits.nodes or self._prover_nodes())))
        return nodes

    def drop_nodes(self) -> int | None:
        """Return the node limit of a proof on a board with gravity.

        0 means no proof; None means no limit.
        """
        if not self.proves and not in_book(self._board):
            return 0
        if self.counts_time:
            return int(_DROP_SHARE * self._prover_nodes())
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(1, int(PROOF_SHARE * self._nodes))

    def nodes_left(self, spent: float) -> int | None:
        """Return how many nodes the player may visit; None means no limit.

        Args:
            spent: the cost of the earlier searches, as `Budget.spent` returns it.
        """
        if self.counts_time:
            left = max(_LEAST_SHARE * self._time_ms, self._time_ms - spent)
            return max(1, int(left * self._engines.player_rate(self._board.rules)))
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(int(_LEAST_SHARE * self._nodes), int(self._nodes - spent))

    def spent(self, nodes: int, *, by_prover: bool) -> float:
        """Return the cost of a search: milliseconds if `counts_time` is true, otherwise nodes."""
        engines, rules = self._engines, self._board.rules
        if self.counts_time:
            return nodes / (engines.prover_rate if by_prover else engines.player_rate)(rules)
        return nodes if by_prover and engines.pays_for_proof else 0

    def proof_nodes_left(self, nodes: int | None, spent: int) -> int | None:
        """Return the node limit for the proofs of all moves.

        Args:
            nodes: the node limit for the earlier proof of the best move.
            spent: how many nodes the earlier proof visited.
        """
        if nodes is None or not self.counts_time or self._is_exact:
            return nodes
        return max(1, nodes - spent)

    def loss_nodes(self, *, by_prover: bool) -> int | None:
        """Return the node limit for proving that all moves lose; None means no limit."""
        if not self.counted:
            return None
        nodes = self._nodes
        if self.counts_time:
            engines = self._engines
            rate = engines.prover_rate if by_prover else engines.player_rate
            nodes = self._time_ms * rate(self._board.rules)
        return None if nodes is None else max(_LOSS_NODES, nodes)

    def line_nodes(self, least: int = 0) -> int | None:
        """Return the node limit for variations, at least `least`; None means no limit."""
        return max(least, self._prover_nodes()) if self.counts_time else None

    def loss_deadline(self) -> float | None:
        if self.counted or self.deadline is None:
            return self.deadline
        return self.deadline + _LOSS_GRACE

    def _prover_nodes(self) -> int:
        return self._time_ms * self._engines.prover_rate(self._board.rules)

    def early(self) -> float | None:
        """Return the deadline of the search for the best move in an analysis."""
        if self.counted:
            return self.deadline
        is_of_all = self._limits.lines is None
        return after_share(self.deadline, _BEST_SHARE if is_of_all else _BEST_SHARE_OF_LINES)


class Engines(NamedTuple):
    """The engines for certain rules.

    Attributes:
        switches: the switches that the engines understand.
        fits: whether the engines support the rules, if they understand the switches.
        player: makes the engine that always returns a move.
        prover: makes the engine that returns only proven results. None means that the player tries
            to prove its own results.
        player_rate, prover_rate: the nodes per millisecond.
        proof_nodes: the prover's node limit; 0 means no proof, None no limit.
        prover_share: the prover's part of the time.
        pays_for_proof: whether the prover's nodes are subtracted from the player's node limit.
        moves_are_symmetric: whether a symmetric move of lower index may replace a proven move.
        player_proves: whether an analysis by the player is reported as a proof search, if all moves
            are proven.
        lines_follow: whether an analysis first proves the values of all moves, and then searches
            for their variations.
    """

    switches: frozenset[str]
    fits: Callable[[Rules], bool]
    player: Make
    player_rate: Callable[[Rules], int]
    prover: Make | None = None
    prover_rate: Callable[[Rules], int] = lambda _: 1
    proof_nodes: Callable[[Budget], int | None] = lambda _: 0
    prover_share: float = PROOF_SHARE
    takes_threads: bool = False
    pays_for_proof: bool = False
    moves_are_symmetric: bool = True
    player_proves: bool = True
    lines_follow: bool = False

    def takes(self, rules: Rules) -> bool:
        """Return True if the engines support the rules."""
        return rules.are_known(self.switches) and self.fits(rules)


def _fits_drops(rules: Rules) -> bool:
    return rules.gravity and connect4.fits(rules.rows, rules.columns)


def _fits_gomoku(rules: Rules) -> bool:
    # If more than k in a row do not win, the general engine solves the smallest boards. It finds
    # the exact number of plies to the end.
    is_small = not rules.overline and rules.size <= EXACT_CELLS
    return patterns.fits(rules.k, rules.overline) and not is_small


def _gomoku(rules: Rules) -> Searcher:
    return driver.GomokuEngine(rules.rows, rules.columns, rules.k, overline=rules.overline)


def _solver(rules: Rules) -> Searcher:
    return proof.Solver(rules.rows, rules.columns, rules.k)


def _drop_solver(rules: Rules) -> Searcher:
    return connect4.DropSolver(rules.rows, rules.columns, rules.k, overline=rules.overline)


def _drop_player(rules: Rules) -> Searcher:
    return connect4.DropPlayer(rules.rows, rules.columns, rules.k, overline=rules.overline)


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
    _gomoku,
    _gomoku_rate,
    _solver,
    lambda _: RATES["solver"],
    Budget.solver_nodes,
    takes_threads=True,
    pays_for_proof=True,
    moves_are_symmetric=False,
    player_proves=False,
)

_DROPS: Final = Engines(
    frozenset({"gravity", "overline"}),
    _fits_drops,
    _drop_player,
    _drop_rate,
    _drop_solver,
    _drop_rate,
    Budget.drop_nodes,
    _DROP_SHARE,
    lines_follow=True,
)

_TABLE: Final = (
    _DROPS,
    _GOMOKU,
    _GOMOKU._replace(
        switches=frozenset({"overline"}),
        prover=lambda rules: general.Prover(general.Player(rules)),
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
    report: Callable[[Found], None] | None = None,
    cancellation: Cancellation | None = None,
) -> tuple[Found, str]:
    """Return the best move found within the budget, and the algorithm that found it.

    `report` is called with the best move so far, but not during a proof.
    """
    asked = _Asked(board, limits, cancellation)
    found, spent = asked.prove()
    if found is not None:
        return found, PROOF_SEARCH
    with searchers.lend(asked.engines.player, board.rules, cancellation) as player:
        found = asked.play(player, spent, report, threads=limits.threads or 1)
    proves = found.exact and asked.engines.prover is None
    return found, PROOF_SEARCH if proves else PRINCIPAL_VARIATION_SEARCH


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
    asked = _Asked(board, limits, cancellation)
    symmetry, budget = asked.symmetry, asked.budget
    best: Found | None = None
    proven: dict[int, Found] = {}
    at_sight: list[Found] = []
    lines = 0
    player_proves = asked.engines.player_proves
    algorithm = PRINCIPAL_VARIATION_SEARCH if player_proves else PROOF_SEARCH

    def moves_of(found: list[Found], complete: bool, lines: int) -> Moves:
        found = [proven.get(move.pv[0], move) for move in found]
        known = None
        if best is not None and not best.exact and limits.depth is None:
            known = proven.get(symmetry.first(best))
        exact = all(move.exact for move in found)
        exact = exact and (best is None or best.exact or known is not None)
        by = PROOF_SEARCH if exact and player_proves else algorithm
        if best is None:
            return Moves(symmetry.of_all(found), complete, by)
        if known is not None or (_is_loss(best) and not exact):
            return Moves(symmetry.of_all(_with(known or best, found)), exact, by)
        first = best
        if not best.exact and limits.depth is None:
            # If a move is proven to be at least as good as the estimate of `best`, that move comes
            # first.
            complete = False
            better = [move for move in found if move.exact and move.value >= best.value]
            first = max(better, key=lambda move: (move.value, -move.pv[0]), default=best)
        curve = curve_for(board.rules, limits)
        every = symmetry.of_all(_led_by(first, _with(best, found), lines, curve))
        return Moves(every, complete, by, first.pv[0])

    def report_moves(found: list[Found], complete: bool) -> None:
        assert report is not None
        report(moves_of(found, complete, lines))

    def report_best(found: Found) -> None:
        nonlocal best, lines
        best = symmetry.lowest(found)
        if player_proves:
            lines = asked.lines_beside(best)
        first = symmetry.first(found)
        report_moves([move for move in at_sight if move.pv[0] != first], False)

    if report is not None and in_book(board):
        report_moves(asked.look_up(), True)
    # A repeatable analysis finds the best move and its variation in one search, as `search` does.
    lines_follow = asked.engines.lines_follow and not budget.counted
    best, spent_on_best = asked.prove(to_the_end=not lines_follow)
    answers, spent = asked.prove_moves(best, spent_on_best, report and report_moves)
    proven = {found.pv[0]: found for found in answers.found}
    if best is not None:
        known = proven.get(symmetry.first(best))
        if known is not None and lines_follow:
            best = asked.lowest(known)
        lines = asked.lines_beside(best)
        if answers.complete:
            return moves_of(answers.found, True, lines)
    algorithm = PRINCIPAL_VARIATION_SEARCH
    with searchers.lend(asked.engines.player, board.rules, cancellation) as player:
        memory = Memory.NOTHING
        if best is None:
            memory = Memory.POSITION
            if report is not None:
                at_sight = player.every(asked.at_sight()).found
            until = budget.early()
            best = asked.play(
                player,
                spent_on_best,
                report and report_best,
                until=until,
                threads=limits.threads or 1,
            )
            spent += budget.spent(player.nodes, by_prover=False)
            lines = asked.lines_beside(best)
            if asked.draw is not None:
                drawn = [asked.draw.of(move) for move in symmetry.moves if move in asked.draw.kept]
                if len(drawn) == len(symmetry.moves):
                    return moves_of(drawn, True, lines)
                proven = {found.pv[0]: found for found in drawn}
            if best.exact and best.value < 0:
                proven = {}  # the player has proven that all moves lose
            elif answers.complete:
                if not best.exact:
                    best = max(answers.found, key=lambda move: (move.value, -move.pv[0]))
                return moves_of(answers.found, True, lines)
        first = symmetry.first(best)
        task = asked.task._replace(
            nodes=budget.nodes_left(spent),
            moves=[move for move in symmetry.moves if move != first],
            lines=None if limits.lines is None else lines,
            memory=memory,
            report=report and report_moves,
        )
        if _is_loss(best) and memory is Memory.POSITION:
            nodes = budget.loss_nodes(by_prover=False)
            task = task._replace(deadline=budget.loss_deadline(), nodes=nodes, lines=None)
        return moves_of(*player.every(task))


def _is_loss(found: Found | None) -> bool:
    return found is not None and found.exact and found.value < 0


def _drawn_order(board: Board, limits: SearchLimits) -> list[int] | None:
    """Shuffle the legal moves by the seed.

    Return None if the seed does not choose the answer (see `Limits.seed`).
    """
    rules = board.rules
    if limits.seed is None or (rules.size > EXACT_CELLS and rules != CONNECT_FOUR):
        return None
    moves = list(board.moves)
    dice(board, limits).shuffle(moves)
    return moves


class _Asked:
    """One search, with its engines and their budget."""

    def __init__(
        self, board: Board, limits: SearchLimits, cancellation: Cancellation | None
    ) -> None:
        self.engines = engines_for(board.rules)
        self.budget = budget = Budget(board, limits)
        self.symmetry = Symmetry(board)
        self._board, self._rules, self._limits = board, board.rules, limits
        cells, mover = encoded(board.cells, board.turn)
        proves_itself = self.engines.prover is None and budget.proves
        self.task = Task(
            cells,
            mover,
            budget.deadline,
            depth=None if proves_itself else limits.depth,
            counted=budget.counted,
            cancellation=cancellation,
            order=_drawn_order(board, limits),
            line_nodes=budget.line_nodes(),
        )
        self._proof_nodes = self.engines.proof_nodes(budget)
        self._proved = 0
        self.draw: Draw | None = None

    def at_sight(self) -> Task:
        return Task(self.task.cells, self.task.mover, depth=0, moves=self.symmetry.moves)

    def _proof(self, *, to_the_end: bool = True) -> Task:
        limits, budget = self._limits, self.budget
        # Levels below 10 set both a depth and `engine_nodes`. They need no full variation.
        needs_line = limits.pv and (limits.depth is None or limits.engine_nodes is None)
        return self.task._replace(
            deadline=budget.proof_deadline,
            due=budget.deadline,
            nodes=self._proof_nodes,
            depth=None,
            pv=limits.pv,
            to_the_end=to_the_end and needs_line,
        )

    def prove(self, *, to_the_end: bool = True) -> tuple[Found | None, float]:
        """Return the proven best move or None, and the cost of the proof (`Budget.spent`)."""
        if self.engines.prover is None or self._proof_nodes == 0:
            return None, 0
        with searchers.lend(self.engines.prover, self._rules, self.task.cancellation) as prover:
            found, nodes = prover.best(self._proof(to_the_end=to_the_end)), prover.nodes
        self._proved = nodes
        return found and self.lowest(found), self.budget.spent(nodes, by_prover=True)

    def lowest(self, proven: Found) -> Found:
        if self.task.order is None and self.engines.moves_are_symmetric:
            return self.symmetry.lowest(proven)
        return proven

    def look_up(self) -> list[Found]:
        """Return the values of all moves in the prover's book."""
        assert self.engines.prover is not None
        task = self._proof(to_the_end=False)._replace(nodes=0, moves=self.symmetry.moves)
        with searchers.lend(self.engines.prover, self._rules, self.task.cancellation) as prover:
            return prover.every(task).found

    def prove_moves(
        self, best: Found | None, spent: float, report: Report | None
    ) -> tuple[Every, float]:
        """Return the moves that the prover proves, and the cost of the proofs (`Budget.spent`)."""
        budget = self.budget
        if self.engines.prover is None or self._proof_nodes == 0:
            return Every([], False), spent
        nodes = budget.proof_nodes_left(self._proof_nodes, self._proved)
        task = self._proof()._replace(nodes=nodes, moves=self.symmetry.moves, report=report)
        if _is_loss(best):
            until = budget.loss_deadline()
            nodes = budget.loss_nodes(by_prover=True)
            lines = budget.line_nodes(_LOSS_LINE_NODES)
            due = budget.deadline if self.engines.lines_follow else until
            task = task._replace(deadline=until, due=due, nodes=nodes, line_nodes=lines)
        with searchers.lend(self.engines.prover, self._rules, self.task.cancellation) as prover:
            answers, nodes = prover.every(task), prover.nodes
        more = budget.spent(nodes, by_prover=True)
        # A budget in nodes does not count the proof of the best move.
        return answers, spent + more if budget.counts_time else more

    def lines_beside(self, best: Found) -> int:
        """Return how many moves to search as thoroughly as `best` was searched.

        `Limits.lines` also counts `best` and the moves symmetric to `best`.
        """
        return max(0, (self._limits.lines or 0) - self.symmetry.count(best))

    def play(
        self,
        player: Searcher,
        spent: float,
        report: Callable[[Found], None] | None,
        *,
        until: float | None = None,
        threads: int = 1,
    ) -> Found:
        limits, task = self._limits, self.task

        def report_best(found: list[Found], _: bool) -> None:
            assert report is not None
            report(found[0])

        self.draw = self._draw_at_sight()
        found = player.best(
            task._replace(
                deadline=task.deadline if until is None else until,
                due=task.deadline,
                nodes=self.budget.nodes_left(spent),
                memory=Memory.GAME if limits.in_game and not task.counted else Memory.NOTHING,
                threads=threads,
                report=report and report_best,
            )
        )
        assert found is not None, "a player always answers"
        if not (found.exact and task.order is not None):
            found = self.symmetry.lowest(found)
        return self.draw.best(found) if self.draw is not None and not found.exact else found

    def _draw_at_sight(self) -> Draw | None:
        # On the smallest boards, a search must find the best move of lowest index.
        if not self.budget.proves or self._rules.size <= EXACT_CELLS:
            return None
        until, cancellation = self.budget.deadline, self.task.cancellation

        def look() -> None:
            is_late = until is not None and time.monotonic() >= until
            if is_late or (cancellation is not None and cancellation.is_cancelled):
                raise _Late

        try:
            return draw_of(self._board, look)
        except _Late:
            return None


class _Late(Exception):
    """Raised when the time is over or the search is cancelled."""


# The functions below merge the results of deep and shallow searches into one list. Estimates of
# different depths cannot be compared. So the moves of the deeper search come first. The other
# moves' estimates are lowered below the estimates of the deeper search.


def _with(best: Found, found: Sequence[Found]) -> list[Found]:
    return [best, *(move for move in found if move.pv[0] != best.pv[0])]


def _led_by(best: Found, found: Sequence[Found], lines: int, curve: Curve) -> list[Found]:
    """List the best move, then the deeply searched moves, then the rest. Lower the estimates of
    each group below the estimates of the group before.

    Of two proven wins, the quicker win may come later, because the plies of a proven win are only
    an upper bound.

    Args:
        found: the results of all moves, best first.
        lines: how many moves, besides the best move, were searched deeply.
    """
    _, *others = _with(best, found)
    leading = [best, *_under(best, others[:lines], curve)]
    # The rest must score less than the lowest of the leading moves. A proven loss does not count,
    # because no estimate is lower.
    last = min(
        (move for move in leading if not move.exact or move.value >= 0),
        key=lambda move: move.value,
        default=best,
    )
    return [*leading, *_under(last, others[lines:], curve)]


def _under(above: Found, moves: Sequence[Found], curve: Curve) -> list[Found]:
    """Lower the moves' values until each estimate has a lower expected result than `above`.

    One amount is subtracted from all estimates, because estimates of two depths differ mostly by a
    constant.
    """
    top = _just_under(above.value, curve)
    estimates = [move.value for move in moves if not move.exact and move.value < _CERTAIN]
    surplus = max(0, max(estimates, default=top) - top)
    lowered = []
    for move in moves:
        if not move.exact:
            value = max(-MAX_ESTIMATE, min(top, move.value - surplus))
            if value != move.value:
                move = move._replace(value=value)
        elif not above.exact and move.value >= above.value:
            move = move._replace(value=top, exact=False)
        lowered.append(move)
    return lowered


def _just_under(value: int, curve: Curve) -> int:
    """Return the highest estimate that gets a lower score than `value`."""
    if value > MAX_ESTIMATE:
        return MAX_ESTIMATE
    score = expected_result(value, curve)
    estimates = range(-MAX_ESTIMATE, MAX_ESTIMATE + 1)
    return estimates[
        max(0, bisect_left(estimates, score, key=partial(expected_result, curve=curve)) - 1)
    ]


def _adviser(rules: Rules) -> Make:
    """Choose the engine that proves the most wins and draws."""
    if not rules.changed and rules.size <= CELLS:
        return _solver
    if _GOMOKU.takes(rules):
        return _gomoku
    return _drop_solver if _DROPS.takes(rules) else general.Player


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
