"""The engines behind the door: who proves and who plays a position, with what share of the budget.

A prover comes first, for as many nodes as a proof is likely to take; what it cannot prove goes to
the player.

Where exactly k win, the general engine stands in for the solver, whose null moves, zones and
dominated cells rest on monotony: that an extra mark never hurts its owner. There it may, by turning
k in a row into more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, NamedTuple, Protocol, cast

from bestmove.game import Board, Rules
from bestmove.game.rules import DEFAULT_K
from bestmove.search.budget import Budget
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import Engine, Every, Memory, Task, encoded
from bestmove.search.engines.connect4 import solver as connect4
from bestmove.search.engines.general import engine as general
from bestmove.search.engines.gomoku import book, driver, network, patterns, weights
from bestmove.search.engines.solver import proof
from bestmove.search.engines.solver.parameters import CELLS
from bestmove.search.limits import Limits
from bestmove.search.pool import Make, searchers
from bestmove.search.results import Found, Moves, Report
from bestmove.search.scores import EXACT_CELLS, MAX_ESTIMATE, MAX_PLIES, expected_result
from bestmove.search.symmetry import Symmetry

PROOF_SEARCH: Final = "proof-search"
PRINCIPAL_VARIATION_SEARCH: Final = "principal-variation-search"

_CERTAIN: Final = MAX_ESTIMATE - 2 * MAX_PLIES
"""Estimates beyond it are as good as won, and say nothing of how others compare."""

_SHARED_PATTERNS: Final = ((DEFAULT_K, True), (DEFAULT_K, False), (DEFAULT_K + 1, True))
"""The longest lines, k and whether more than k win: only their patterns take long to build."""


class Room(NamedTuple):
    """Who takes the positions of some rules.

    Attributes:
        takes: the rules, of those that no room before it takes.
        player: makes what always answers.
        prover: makes what is asked first, where there is one; else the player proves what it can.
        proof_nodes: the prover's share of nodes; 0: do not try, None leaves only the clock.
    """

    takes: Callable[[Rules], bool]
    player: Make
    prover: Make | None = None
    proof_nodes: Callable[[Budget], int | None] = lambda _: 0

    @property
    def is_gomoku(self) -> bool:
        """Whether the player is gomoku's.

        It takes threads, the nodes of a proof are taken off its share, what its prover finds is
        told as it is, and a list of moves is a proof only where the prover made it; elsewhere what
        is proven is told of the lowest of equal moves, whoever proved it.
        """
        return self.player is _gomoku


def _general(rules: Rules) -> general.Engine:
    return general.Engine(
        rules.rows,
        rules.columns,
        rules.k,
        gravity=rules.gravity,
        overline=rules.overline,
        misere=rules.misere,
    )


def _takes_drops(rules: Rules) -> bool:
    plain = rules.overline and not rules.misere
    return rules.gravity and plain and connect4.fits(rules.rows, rules.columns)


def _takes_gomoku(rules: Rules) -> bool:
    """Where exactly k win, the smallest boards, whose distances must be exact, are left to the
    general engine: it proves them all."""
    if rules.gravity or rules.misere or not patterns.fits(rules.k, rules.overline):
        return False
    return rules.overline or rules.size > EXACT_CELLS


def _gomoku(rules: Rules) -> Engine:
    return driver.Engine(rules.rows, rules.columns, rules.k, overline=rules.overline)


def _without_switches(kind: Callable[[int, int, int], Engine]) -> Make:
    return lambda rules: kind(rules.rows, rules.columns, rules.k)


_solver: Final = _without_switches(proof.Solver)
_drop_solver: Final = _without_switches(connect4.Solver)


_ROOMS: Final = (
    Room(
        _takes_drops,
        _without_switches(connect4.Player),
        _drop_solver,
        Budget.drop_nodes,
    ),
    Room(
        lambda rules: rules.overline and _takes_gomoku(rules),
        _gomoku,
        _solver,
        Budget.solver_nodes,
    ),
    Room(
        _takes_gomoku,
        _gomoku,
        lambda rules: general.Prover(_general(rules)),
        Budget.solver_nodes,
    ),
    Room(lambda _: True, _general),
)


def room_of(rules: Rules) -> Room:
    """Who takes the positions of these rules."""
    return next(room for room in _ROOMS if room.takes(rules))


class Adviser(Protocol):
    """An engine that is asked for one move after another, each question helped by the last.

    Positions are a byte a cell (0 empty, 1 X, 2 O); `to_move` is 1 or 2, whatever the counts of
    marks. An answer is proven, or None.

    Attributes:
        keeps_plies: whether a win within so many plies is found as such, not any win.
    """

    keeps_plies: bool

    def consult(self, task: Task) -> None:
        """Begin a row of questions, within a task's limits."""

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """A move that wins, where it can be within `plies`."""

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """A move after which the other side does not win, or not within `plies` from here."""


def prepare() -> None:
    """Build the tables that all searches share, so that the first search finds them built."""
    weights.cell_tables()
    network.network()
    for k, overline in _SHARED_PATTERNS:
        patterns.window_table(k, overline)
    book.opening()
    book.images()


def search(
    board: Board,
    limits: Limits,
    report: Callable[[Found], None] | None = None,
    cancellation: Cancellation | None = None,
) -> tuple[Found, str]:
    """The best move that the budget finds, and the algorithm that found it.

    Args:
        board: a game in progress.
        limits: the budget.
        report: takes the estimates on the way, by `PRINCIPAL_VARIATION_SEARCH`.
        cancellation: ends it.
    """
    asked = _Search(board, limits, cancellation)
    found, spent = asked.prove()
    if found is not None:
        return found, PROOF_SEARCH
    with searchers.lend(asked.room.player, board.rules, cancellation) as player:
        found = asked.play(player, spent, report, threads=limits.threads or 1)
    proves = found.exact and asked.room.prover is None
    return found, PROOF_SEARCH if proves else PRINCIPAL_VARIATION_SEARCH


def search_moves(
    board: Board,
    limits: Limits,
    report: Callable[[Moves], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Moves:
    """Every legal move with its own value; `report` takes what is known on the way.

    The best move is searched for by itself, as by `search`, and then every move, or those that
    `lines` asks for and the others. Where that of `search` is proven, or bounded by depth alone,
    its move and value are the best here, too. Of moves that are each other's images one is
    searched.
    """
    asked = _Search(board, limits, cancellation)
    symmetry, budget = asked.symmetry, asked.budget
    best, spent_on_best = asked.prove()
    proven: dict[int, Found] = {}
    at_sight: list[Found] = []
    lines = 0
    algorithm = PROOF_SEARCH if asked.room.is_gomoku else PRINCIPAL_VARIATION_SEARCH

    def moves_of(found: list[Found], complete: bool, lines: int) -> Moves:
        found = [proven.get(move.pv[0], move) for move in found]
        exact = all(move.exact for move in found) and (best is None or best.exact)
        by = PROOF_SEARCH if exact and not asked.room.is_gomoku else algorithm
        if best is None:
            return Moves(symmetry.of_all(found), complete, by)
        first = best
        if not best.exact and limits.depth is None:
            # Nothing else bounds it: another one leads that is proven to be better.
            complete = False
            better = [move for move in found if move.exact and move.value >= best.value]
            first = max(better, key=lambda move: (move.value, -move.pv[0]), default=best)
        every = symmetry.of_all(_led_by(first, [best, *found], lines))
        return Moves(every, complete, by, first.pv[0])

    def report_moves(found: list[Found], complete: bool) -> None:
        assert report is not None
        report(moves_of(found, complete, lines))

    def report_best(found: Found) -> None:
        nonlocal best, lines
        best = symmetry.lowest(found)
        if not asked.room.is_gomoku:
            lines = asked.lines_beside(best)
        first = symmetry.first(found)
        report_moves([move for move in at_sight if move.pv[0] != first], False)

    answers, spent = asked.prove_moves(report and report_moves)
    proven = {found.pv[0]: found for found in answers.found}
    if best is not None:
        lines = asked.lines_beside(best)
        if answers.complete:
            return moves_of(answers.found, True, lines)
    algorithm = PRINCIPAL_VARIATION_SEARCH
    with searchers.lend(asked.room.player, board.rules, cancellation) as player:
        memory = Memory.NOTHING
        if best is None:
            memory = Memory.POSITION
            if report is not None:
                at_sight = player.every(asked.at_sight).found
            until = budget.early()
            best = asked.play(
                player,
                spent_on_best,
                report and report_best,
                until=until,
                threads=limits.threads or 1,
            )
            lines = asked.lines_beside(best)
            if best.exact and best.value < 0:
                proven = {}  # the player has proven that every move loses
            elif answers.complete:
                if not best.exact:
                    best = max(answers.found, key=lambda move: (move.value, -move.pv[0]))
                return moves_of(answers.found, True, lines)
        first = symmetry.first(best)
        task = replace(
            asked.task,
            nodes=budget.nodes_left(spent),
            moves=[move for move in symmetry.moves if move != first],
            lines=None if limits.lines is None else lines,
            memory=memory,
            report=report and report_moves,
        )
        return moves_of(*player.every(task))


class _Search:
    """One search: who takes it, and what it may spend.

    Attributes:
        task: for a player, but for its nodes.
        at_sight: values all moves without a search.
    """

    def __init__(self, board: Board, limits: Limits, cancellation: Cancellation | None) -> None:
        self.room = room_of(board.rules)
        self.budget = budget = Budget(board, limits)
        self.symmetry = Symmetry(board)
        self._rules, self._limits = board.rules, limits
        cells, mover = encoded(board.cells, board.turn)
        proves_itself = self.room.prover is None and budget.proves
        self.task = Task(
            cells,
            mover,
            budget.deadline,
            depth=None if proves_itself else limits.depth,
            counted=budget.counted,
            cancellation=cancellation,
        )
        self.at_sight = Task(cells, mover, depth=0, moves=self.symmetry.moves)
        self._proof_nodes = self.room.proof_nodes(budget)
        self._proof = replace(
            self.task,
            deadline=budget.proof_deadline,
            due=budget.deadline,
            nodes=self._proof_nodes,
            depth=None,
            moves=self.symmetry.moves,
            # A level's search has both a depth and nodes, and goes without the line.
            to_the_end=limits.depth is None or limits.engine_nodes is None,
        )

    def prove(self) -> tuple[Found | None, int]:
        """The best move if it can be proven, and the nodes that are taken off the player's."""
        if self.room.prover is None or self._proof_nodes == 0:
            return None, 0
        with searchers.lend(self.room.prover, self._rules, self.task.cancellation) as prover:
            found, spent = prover.best(self._proof), prover.nodes
        if self.room.is_gomoku:
            return found, spent
        return found and self.symmetry.lowest(found), 0

    def prove_moves(self, report: Report | None) -> tuple[Every, int]:
        """The same of every move, where it can be proven."""
        if self.room.prover is None or self._proof_nodes == 0:
            return Every([], False), 0
        with searchers.lend(self.room.prover, self._rules, self.task.cancellation) as prover:
            answers = prover.every(replace(self._proof, report=report))
            return answers, prover.nodes if self.room.is_gomoku else 0

    def lines_beside(self, best: Found) -> int:
        """How many moves beside the best and its images are searched further than the rest."""
        return max(0, (self._limits.lines or 0) - self.symmetry.count(best))

    def play(
        self,
        player: Engine,
        spent: int,
        report: Callable[[Found], None] | None,
        *,
        until: float | None = None,
        threads: int = 1,
    ) -> Found:
        """The player's best move, after a proof was tried for so many nodes."""
        limits, task = self._limits, self.task

        def report_best(found: list[Found], _: bool) -> None:
            assert report is not None
            report(found[0])

        found = player.best(
            replace(
                task,
                deadline=task.deadline if until is None else until,
                due=task.deadline,
                nodes=self.budget.nodes_left(spent),
                memory=Memory.GAME if limits.in_game and not task.counted else Memory.NOTHING,
                from_book=limits.depth is None and limits.engine_nodes is None,
                threads=threads,
                report=report and report_best,
            )
        )
        assert found is not None, "a player always answers"
        return self.symmetry.lowest(found)


# One list of moves from several searches. What a shallow search says of a move does not compare
# with what a deep one says of another: where the two disagree the shallow estimate gives way.


def _led_by(best: Found, found: Sequence[Found], lines: int) -> list[Found]:
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


def _adviser(rules: Rules) -> Make:
    """Who knows most of the wins and draws by these rules."""
    if rules.is_plain and rules.size <= CELLS:
        return _solver
    if rules.is_plain and _takes_gomoku(rules):
        return _gomoku
    return _drop_solver if _takes_drops(rules) else _general


@contextmanager
def consulted(
    board: Board,
    deadline: float | None,
    nodes: int | None,
    cancellation: Cancellation | None = None,
) -> Iterator[Adviser]:
    """The engine that knows most of a game's wins and draws, to be asked for move after move.

    Args:
        board: says which game; the questions bring their own positions.
        deadline: `time.monotonic()` seconds at which it stops to answer.
        nodes: the most that all questions together may visit.
        cancellation: ends it.
    """
    cells, mover = encoded(board.cells, board.turn)
    with searchers.lend(_adviser(board.rules), board.rules, cancellation) as engine:
        adviser = cast(Adviser, engine)
        adviser.consult(Task(cells, mover, deadline, nodes, cancellation=cancellation))
        yield adviser
