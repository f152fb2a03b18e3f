"""The engine: iterative deepening, the value of every move, and proven lines played to their end.

Plain Python; it calls the compiled search once an iteration.
"""

from __future__ import annotations

import time

from bestmove.search.cancellation import BESIDE_BYTES
from bestmove.search.gomoku import book, parameters
from bestmove.search.gomoku.defence import LongestDefence
from bestmove.search.gomoku.every_move import ENDLESS, EveryMove
from bestmove.search.gomoku.helpers import Helpers, at_work
from bestmove.search.gomoku.parameters import CERTAIN, MAX_EVALUATION, PROVEN, UNKNOWN
from bestmove.search.gomoku.search import Search, compiled
from bestmove.search.results import Found, Report
from bestmove.search.scores import WIN


class Engine(EveryMove):
    """One (m,n,k)-board's searcher: reusable, of bounded memory, for one search at a time.

    Args:
        rows: 1 to 20.
        columns: 1 to 20.
        k: marks in a row that win; 1 to 19, or 18 where more do not win.
        table_bits: the transposition table has 2**table_bits entries of 16 bytes; 4 to 28.
        overline: whether more than k in a row win, too.

    Raises:
        ValueError: an argument out of range.
    """

    def __init__(
        self, rows: int, columns: int, k: int, table_bits: int = 20, *, overline: bool = True
    ) -> None:
        super().__init__(Search(rows, columns, k, table_bits, overline))
        self._has_book = book.covers(rows, columns, k, overline)
        self._helpers = Helpers(self.kernel)
        self.table_bytes = 16 << table_bits

    @property
    def size(self) -> int:
        """Bytes that it takes once its table is full, its helpers included."""
        return super().size + BESIDE_BYTES * len(self._helpers)

    def cancel(self) -> None:
        """From another thread: end the search in progress, which returns what it has."""
        self.kernel.cancelled = True

    def search(
        self,
        cells: bytes,
        to_move: int,
        *,
        deadline: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        counted: bool = False,
        in_game: bool = False,
        threads: int = 1,
        from_book: bool = False,
        report: Report | None = None,
    ) -> Found:
        """The best move found for the side to move, in a position that is not over.

        Args:
            cells: rows * columns bytes along the rows: 0 empty, 1 X, 2 O.
            to_move: 1 for X, 2 for O.
            deadline: when to stop, by `time.monotonic()`; without one, or when it does not
                strike, the same arguments give the same answer whatever was searched before.
            nodes: at most about so many calls of the search.
            depth: at most so many plies, threats apart.
            counted: whether the deadline is a last resort: before it, the clock has no say.
            in_game: whether it may use what earlier searches found, as those of the same game: the
                answer then depends on them. All of the time is then used; elsewhere no depth is
                begun that would not be finished, and the time is left to other searches.
            threads: how many search together once the threats at the root are looked at. In pure
                Python it is one, as Python's lock lets only one run.
            from_book: whether the book of the opening may answer, where it has the position.
            report: takes what is found so far, after every depth that does not end the search; and
                an answer of the book.

        Raises:
            ValueError: a full board, or one of another size.
        """
        self._begin(cells, deadline, nodes, counted, in_game)
        side = to_move - 1
        found = self._without_search(side)
        if found is None and from_book:
            found = self._in_book(cells, to_move)
            if found is not None and report is not None:
                report(found)
        if found is None:
            found = self._fours(side)
        if found is not None:
            return found
        ends_early = depth is None and not counted and deadline is not None and not in_game
        self._helping = self._helpers.of(threads - 1 if compiled else 0)
        with at_work(self._helping, self.kernel, cells, side):
            return self._deepen(cells, side, depth, ends_early, report)

    def forced_win(
        self, cells: bytes, to_move: int, *, deadline: float | None = None, nodes: int | None = None
    ) -> Found | None:
        """A proven win by continuous threats for the side to move, or None when none was found."""
        self._begin(cells, deadline, nodes)
        side = to_move - 1
        found = self._without_search(side) or self._fours(side)
        if found is None:
            line, _ = self._threats(side, 1 << 40)
            found = self._win(line)
        return found if found is not None and found.value >= PROVEN else None

    def classes(self, cells: bytes) -> list[tuple[int, int, int, int] | None]:
        """What `patterns` says of each empty cell, by index: see `Position.classes`."""
        self.kernel.set_up(cells)
        seen: list[tuple[int, int, int, int] | None] = self.kernel.classes()
        return seen

    # The root.

    def _without_search(self, side: int) -> Found | None:
        """The answer when the counts give it away, or the board is empty."""
        kernel = self.kernel
        value = kernel.static_value(side)
        if value == UNKNOWN:
            if kernel.empty < kernel.rows * kernel.columns:
                return None
            centre = kernel.rows // 2 * kernel.columns + kernel.columns // 2
            return self._found(kernel.evaluation(side), [centre], 1)
        kernel.nodes += 1
        if value == 0:
            return self._found(0, [kernel.first_empty()], exact=True)
        return self._proven(side, value, [])

    def _in_book(self, cells: bytes, to_move: int) -> Found | None:
        known = book.opening().find(cells, to_move) if self._has_book else None
        if known is None:
            return None
        self.kernel.nodes += 1
        return self._found(known.value, book.opening().line(cells, to_move), known.depth)

    def _fours(self, side: int) -> Found | None:
        """Victory by continuous fours at the root, the shortest first."""
        kernel = self.kernel
        most_nodes = kernel.nodes + parameters.ROOT_VCF_NODES
        for plies in parameters.ROOT_VCF_PLIES:
            found = kernel.fours_win(side, plies, most_nodes)
            if found:
                return self._proven(side, WIN - found, kernel.line())
            if kernel.stopped or kernel.nodes >= most_nodes:
                break
        return None

    def _deepen(
        self, cells: bytes, side: int, depth: int | None, ends_early: bool, report: Report | None
    ) -> Found:
        """Iterative deepening with aspiration windows, and proofs by threats between the depths."""
        kernel = self.kernel
        kernel.list_root(side)
        best = self._found(kernel.evaluation(side), [kernel.root_index(0)])
        started = time.monotonic()
        deepest = parameters.DEEPEST if depth is None else min(depth, parameters.DEEPEST)
        refutations = 0
        disproved = False  # there is no win by threats
        plies = 0
        while plies < deepest:
            plies += 1
            if not disproved:
                line, disproved = self._threats(side, parameters.threat_budget(kernel.nodes))
                win = self._win(line)
                if win is not None:
                    best = win
                    break
                if kernel.stopped:
                    break
            best, value, alpha = self._iterate(cells, best, side, plies)
            if best.exact and best.value == value:
                break
            line = kernel.line()
            if kernel.stopped:
                if value > alpha and value > -CERTAIN:
                    best = self._better(best, side, value, line, plies)
                elif -UNKNOWN < value <= -CERTAIN and kernel.root_tried < kernel.root_count:
                    # What was tried loses, which proves nothing of the rest: take the next.
                    untried = kernel.root_index(kernel.root_tried)
                    best = self._found(kernel.evaluation(side), [untried])
                break
            if (
                plies >= parameters.REFUTATION_DEPTH
                and abs(value) < PROVEN
                and refutations < kernel.root_count
                and self._is_refuted(side, line[0])
            ):
                # The table knows now: the same depth again finds another move.
                refutations += 1
                plies -= 1
                continue
            best = self._better(best, side, value, line, plies)
            if best.value > CERTAIN and not best.exact:
                best = self._played_out(cells, side, best)
            if best.exact or plies > kernel.empty:
                break
            if (
                kernel.root_count == 1
                and plies >= parameters.FORCED_DEPTH
                and self._is_spent(parameters.FORCED_SHARE, started)
            ):
                break
            if ends_early and self._is_spent(parameters.NEXT_ITERATION, started):
                break
            if report is not None:
                report(self._found(best.value, list(best.pv), best.depth))
        return self._found(best.value, list(best.pv), best.depth, best.exact)

    def _is_spent(self, share: float, started: float) -> bool:
        """Whether a part of the limits is used up; without limits any is."""
        kernel = self.kernel
        if kernel.timed and not self._counted:
            return time.monotonic() - started > share * (kernel.deadline - started)
        return kernel.node_limit >= ENDLESS or kernel.nodes > share * kernel.node_limit

    def _played_out(self, cells: bytes, side: int, best: Found) -> Found:
        """A win that the search presumes, proven if that can be done within a share of nodes."""
        kernel = self.kernel
        limits = kernel.node_limit, kernel.deadline, kernel.timed, kernel.stopped
        nodes = parameters.proof_budget(kernel.nodes)
        played = LongestDefence(
            kernel,
            cells,
            kernel.deadline if kernel.timed else None,
            self.played,
            most_nodes=min(nodes, max(0, kernel.node_limit - kernel.nodes)),
            most_positions=nodes // parameters.PROOF_POSITION_NODES,
            threat_nodes=parameters.PROOF_THREAT_NODES,
        )
        proven = played.proven(side, best)
        kernel.node_limit, kernel.deadline, kernel.timed, kernel.stopped = limits
        kernel.next_check = kernel.nodes
        return proven or best

    def _iterate(self, cells: bytes, best: Found, side: int, plies: int) -> tuple[Found, int, int]:
        """Search the root to one depth, in windows that widen until they hold the value.

        Returns the best so far, the value, and alpha of the last window.
        """
        kernel = self.kernel
        window = parameters.ASPIRATION_WINDOW
        alpha, beta = -UNKNOWN, UNKNOWN
        if plies >= parameters.ASPIRATION_DEPTH and abs(best.value) < MAX_EVALUATION:
            alpha, beta = best.value - window, best.value + window
        while True:
            value = kernel.search_root(side, plies, alpha, beta)
            if kernel.stopped or alpha < value < beta:
                return best, value, alpha
            window *= parameters.ASPIRATION_GROWTH
            widest = window >= parameters.ASPIRATION_WIDEST or abs(value) >= MAX_EVALUATION
            if value <= alpha:
                alpha = -UNKNOWN if widest else value - window
            else:
                beta = UNKNOWN if widest else value + window
            best = self._better(best, side, value, kernel.line(), plies)
            if best.value > CERTAIN and not best.exact:
                best = self._played_out(cells, side, best)
                if best.exact:
                    return best, best.value, alpha
