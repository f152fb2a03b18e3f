"""Gomoku's engine: the best move by iterative deepening, and the values of all moves."""

from __future__ import annotations

import time

from bestmove.search import engine
from bestmove.search.common.clock import ENDLESS
from bestmove.search.engine import BESIDE_BYTES, Every, Memory, Task
from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.every_move import EveryMove
from bestmove.search.engines.gomoku.helpers import adjust, at_work
from bestmove.search.engines.gomoku.parameters import (
    CERTAIN,
    MAX_EVALUATION,
    PROVEN,
    UNKNOWN,
    WON,
)
from bestmove.search.engines.gomoku.proofs import MOST_NODES, LongestDefence, Proofs, same_limits
from bestmove.search.engines.gomoku.search import Search, compiled
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN, before_move, is_proven
from bestmove.words import EXACT_CELLS


class GomokuEngine(engine.Searcher):
    """The engine for one (m,n,k)-board.

    Args:
        rows, columns: 1 to 20.
        k: how many marks in a row win: 1 to 19, or 1 to 18 without `overline`.
        table_bits: 4 to 28. The transposition table has 2**table_bits entries of 16 bytes.
        overline: whether more than k in a row win as well.

    Raises:
        ValueError: an argument out of range.
    """

    kernel: Search
    keeps_plies = False

    def __init__(
        self, rows: int, columns: int, k: int, table_bits: int = 20, *, overline: bool = True
    ) -> None:
        super().__init__(Search(rows, columns, k, table_bits, overline), 16 << table_bits)
        self._proofs = Proofs(self.kernel)
        self._every_move = EveryMove(self._proofs)
        self._helpers: list[Search] = []
        self._is_exact = rows * columns <= EXACT_CELLS
        self._lost: tuple[Found, LongestDefence] | None = None
        self._advice: Task | None = None
        self._consulted = 0

    @property
    def size(self) -> int:
        return super().size + BESIDE_BYTES * len(self._helpers)

    def best(self, task: Task) -> Found:
        """Find the best move. Confirm a win or loss with `LongestDefence`."""
        found = self.search(task)
        played = self._played_out(task)
        if found.pv != self._proofs.checked:
            found = played.confirmed(task.side, found, is_best=True)
        if found.exact and found.value < 0:
            self._lost = found, played
        return found

    def every(self, task: Task) -> Every:
        """Return the task's moves with their values. Confirm wins and losses as `best` does.

        If `best` has just proven a loss, return all legal moves.
        """
        complete, lines = True, 0
        if task.memory is Memory.POSITION and self._lost is not None:
            best, played = self._lost
            found = [best._replace(pv=(move,)) for move, mark in enumerate(task.cells) if not mark]
        else:
            found, complete, lines = self.search_moves(task)
            played = self._played_out(task)
        confirmed = [played.confirmed(task.side, move, is_best=False) for move in found]
        return Every(confirmed, complete, lines)

    def search(self, task: Task) -> Found:
        """Find the best move. Unlike `best`, do not confirm a win or loss."""
        self._begin(task)
        side = task.side
        found = self._without_search(side) or self._fours(side)
        if found is not None:
            return found if found.exact else self._opening(task, found)
        # Uncompiled helpers would only slow down the search, because Python has a global lock.
        adjust(self._helpers, self.kernel, task.threads - 1 if compiled else 0)
        self._proofs.helping = self._helpers
        with at_work(self._helpers, self.kernel, task.cells, side):
            return self._deepen(task)

    def search_moves(self, task: Task) -> Every:
        """Return the task's moves with their values. Do not confirm wins and losses."""
        self._begin(task)
        report = task.report

        def unconfirmed(found: list[Found]) -> None:
            assert report is not None
            report([_as_estimate(move) for move in found])

        return self._every_move.search(task, report and unconfirmed)

    # -- advice for a certificate ----------------------------------------------------------------

    def consult(self, task: Task) -> None:
        self._advice = task
        self._consulted = 0

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """Return a move that is proven to win, in any number of plies; None if none is proven."""
        del plies
        for most in parameters.ADVICE_THREAT_NODES:
            task = self._advised(cells, to_move, most)
            self._begin(task)
            found = self._without_search(task.side) or self._fours(task.side)
            if found is not None:
                return found.pv[0] if found.value >= PROVEN else None
            move: int = self.kernel.threats_win(task.side, ENDLESS)
            self._consulted += self.kernel.nodes
            if move >= 0:
                return move
            if self.kernel.disproof == 0:
                break
        found = self.search(self._advised(cells, to_move, parameters.ADVICE_NODES))
        self._consulted += self.kernel.nodes
        return found.pv[0] if found.value >= PROVEN and found.exact else None

    def _advised(self, cells: bytes, mover: int, most: int) -> Task:
        assert self._advice is not None
        nodes = self._advice.nodes
        left = most if nodes is None else min(most, max(0, nodes - self._consulted))
        return self._advice._replace(cells=cells, mover=mover, nodes=left)

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """Return None: this engine never proves that a side can avoid a loss."""
        del cells, to_move, plies
        return None

    def _begin(self, task: Task) -> None:
        self._proofs.begin(task)
        if task.memory is not Memory.POSITION:
            self._lost = None
            self.heed(task)

    def _played_out(self, task: Task) -> LongestDefence:
        deadline = task.last_call
        if deadline is not None and not task.counted:
            deadline += parameters.COMPLETION_OVERTIME
        kernel, most = self.kernel, parameters.completion_nodes(task.nodes)
        if task.nodes is not None:
            most = min(MOST_NODES, most + max(0, kernel.node_limit - kernel.nodes))
        known, is_exact = self._proofs.played, self._is_exact
        return LongestDefence(kernel, task, deadline, known, only_exact=is_exact, most_nodes=most)

    # The root.

    def _without_search(self, side: int) -> Found | None:
        kernel = self.kernel
        value = kernel.static_value(side)
        if value == UNKNOWN:
            if kernel.empty < kernel.rows * kernel.columns:
                return None
            centre = kernel.rows // 2 * kernel.columns + kernel.columns // 2
            return self._proofs.found(kernel.evaluation(side), [centre], 1)
        kernel.nodes += 1
        if value == 0:
            return self._proofs.found(0, [kernel.first_empty()], exact=True)
        return self._proofs.proven(side, value, [])

    def _opening(self, task: Task, first: Found) -> Found:
        """Return the first move on an empty board, valued by a short search of the replies."""
        if task.depth == 1:
            return first
        (move,) = first.pv
        cells = task.cells[:move] + bytes([task.mover]) + task.cells[move + 1 :]
        reply = self.search(
            task._replace(
                cells=cells,
                mover=3 - task.mover,
                depth=None if task.depth is None else task.depth - 1,
                nodes=min(task.nodes or parameters.OPENING_NODES, parameters.OPENING_NODES),
                report=None,
                threads=1,
            )
        )
        wins = reply.exact and reply.value < 0
        value = before_move(reply.value)
        if not wins:  # another first move may be better
            value = max(-MAX_ESTIMATE, min(MAX_ESTIMATE, value))
        return reply._replace(value=value, exact=wins, pv=(move, *reply.pv), depth=reply.depth + 1)

    def _fours(self, side: int) -> Found | None:
        kernel = self.kernel
        most_nodes = kernel.nodes + parameters.ROOT_VCF_NODES
        for plies in parameters.ROOT_VCF_PLIES:
            found = kernel.fours_win(side, plies, most_nodes)
            if found:
                return self._proofs.proven(side, WIN - found, kernel.line())
            if kernel.stopped or kernel.nodes >= most_nodes:
                break
        return None

    def _deepen(self, task: Task) -> Found:
        kernel, side, depth = self.kernel, task.side, task.depth
        takes_all = task.counted or task.deadline is None or task.memory is Memory.GAME
        ends_early = depth is None and not takes_all
        kernel.list_root(side)
        best = self._proofs.found(kernel.evaluation(side), [kernel.root_index(0)])
        started = time.monotonic()
        deepest = parameters.DEEPEST if depth is None else min(depth, parameters.DEEPEST)
        refutations = 0
        disproved = False
        plies = 0
        while plies < deepest:
            plies += 1
            if not disproved:
                line, disproved = self._proofs.threats(side, parameters.threat_budget(kernel.nodes))
                if line:
                    best = self._proofs.found(WIN - len(line), line)
                    break
                if kernel.stopped:
                    break
            best, value, alpha = self._iterate(best, side, plies)
            line = kernel.line()
            if kernel.stopped:
                if value > alpha and value > -CERTAIN:
                    best = self._proofs.better(best, side, value, line, plies)
                elif -UNKNOWN < value <= -CERTAIN and kernel.root_tried < kernel.root_count:
                    # All moves tried at this depth lose, so the first untried move may be better.
                    # At the depth before, no move was worth more than `best`.
                    untried = kernel.root_index(kernel.root_tried)
                    bound = min(kernel.evaluation(side), best.value)
                    best = self._proofs.found(bound, [untried], best.depth)
                break
            if (
                plies >= parameters.REFUTATION_DEPTH
                and abs(value) < PROVEN
                and refutations < kernel.root_count
                and self._proofs.is_refuted(side, line[0])
            ):
                # The table now has the refutation. Search this depth again to find another move.
                refutations += 1
                plies -= 1
                continue
            best = self._proofs.better(best, side, value, line, plies)
            if best.value > CERTAIN and not best.exact:
                best = self._try_to_prove(task, best)
            if best.exact or plies > kernel.empty:
                break
            if (
                kernel.root_count == 1
                and plies >= parameters.FORCED_DEPTH
                and self._is_spent(parameters.FORCED_SHARE, started)
            ):
                break
            is_seen = best.value > CERTAIN  # spend what is left on the proof of the win
            if ends_early and not is_seen and self._is_spent(parameters.NEXT_ITERATION, started):
                break
            if task.report is not None:
                task.report([self._proofs.found(best.value, list(best.pv), best.depth)])
        best = self._proofs.lengthened(side, best)
        return self._proofs.found(best.value, list(best.pv), best.depth, best.exact)

    def _is_spent(self, share: float, started: float) -> bool:
        kernel = self.kernel
        if kernel.timed and not self._proofs.counted:
            return time.monotonic() - started > share * (kernel.deadline - started)
        # Without a limit, the search of the root's only move ends at FORCED_DEPTH.
        return kernel.node_limit >= ENDLESS or kernel.nodes > share * kernel.node_limit

    def _try_to_prove(self, task: Task, best: Found) -> Found:
        kernel, side = self.kernel, task.side
        nodes = parameters.proof_budget(kernel.nodes)
        proven = None
        if kernel.overline:
            with same_limits(kernel):
                played = LongestDefence(
                    kernel,
                    task,
                    kernel.deadline if kernel.timed else None,
                    self._proofs.played,
                    most_nodes=min(nodes, max(0, kernel.node_limit - kernel.nodes)),
                    threat_nodes=parameters.PROOF_THREAT_NODES,
                )
                proven = played.proven(side, best)
            nodes >>= 2  # zones prove more than a search of all replies, so they get most nodes
        if proven is None and not self._is_exact:
            proven = self._proofs.won(side, best, nodes)
        return proven or best

    def _iterate(self, best: Found, side: int, plies: int) -> tuple[Found, int, int]:
        """Search the root to one depth; widen the window until the value is inside.

        Return the best result so far, the value, and alpha of the last window.
        """
        kernel = self.kernel
        window = parameters.ASPIRATION_WINDOW
        # With this beta, the first win found ends the search. A search for a quicker win would take
        # far more nodes, because almost nothing could be pruned.
        alpha, beta = -UNKNOWN, WON
        if plies >= parameters.ASPIRATION_DEPTH and abs(best.value) < MAX_EVALUATION:
            alpha, beta = best.value - window, best.value + window
        while True:
            value = kernel.search_root(side, plies, alpha, beta)
            if kernel.stopped or alpha < value < beta or value >= WON:
                return best, value, alpha
            window *= parameters.ASPIRATION_GROWTH
            widest = window >= parameters.ASPIRATION_WIDEST or abs(value) >= MAX_EVALUATION
            if value <= alpha:
                alpha = -UNKNOWN if widest else value - window
            else:
                beta = WON if widest else value + window
            best = self._proofs.better(best, side, value, kernel.line(), plies)


def _as_estimate(found: Found) -> Found:
    if not is_proven(found.value) or found.value == WIN - 1:
        return found
    return found._replace(value=parameters.presumed(found.value), exact=False)
