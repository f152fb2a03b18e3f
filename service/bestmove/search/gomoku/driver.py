"""The engine: iterative deepening, the value of every move, and proven lines played to their end.

Plain Python; it calls the compiled search once an iteration.
"""

from __future__ import annotations

import time

from bestmove.search.cancellation import Cancellable
from bestmove.search.gomoku import parameters
from bestmove.search.gomoku.parameters import CERTAIN, MAX_EVALUATION, PROVEN, UNKNOWN
from bestmove.search.gomoku.patterns import CELL_FIVE, CELL_FOUR_THREE, CELL_OPEN_FOUR
from bestmove.search.gomoku.search import Search
from bestmove.search.results import Found, Report, ReportMoves
from bestmove.search.scores import WIN


class Engine(Cancellable):
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
        self.kernel = Search(rows, columns, k, table_bits, overline)
        self._counted = False
        self._completion_nodes = 0

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
            report: takes what is found so far, after every depth that does not end the search.

        Raises:
            ValueError: a full board, or one of another size.
        """
        started = time.monotonic()
        self._begin(cells, deadline, nodes, counted)
        side = to_move - 1
        found = self._without_search(side) or self._fours(side)
        return found or self._deepen(side, depth, started, report)

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

    def evaluate_moves(
        self,
        cells: bytes,
        to_move: int,
        *,
        deadline: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        counted: bool = False,
        report: ReportMoves | None = None,
    ) -> tuple[list[Found], bool]:
        """Every legal move with its own value for the side to move, best first, ties by index.

        The moves are all searched to one depth, then to the next. The second result says whether
        all were searched to the depth of the first; the arguments are those of `search`. What is
        reported as exact here has not been played out.
        """
        kernel = self.kernel
        self._begin(cells, deadline, nodes, counted)
        side = to_move - 1
        order = kernel.all_moves(side)
        found = {move: self._found(-kernel.evaluation(1 - side), [move]) for move in order}
        reached = dict.fromkeys(order, 0)
        deepest = parameters.DEEPEST if depth is None else min(depth, parameters.DEEPEST)
        for plies in range(1, min(deepest, kernel.empty) + 1):
            for move in order:
                if found[move].exact:
                    continue
                if kernel.completes(move, side):
                    found[move] = self._found(WIN - 1, [move], plies)
                    continue
                value = kernel.search_move(side, move, plies)
                if kernel.stopped:
                    break
                if self._draws(side, move):
                    found[move] = self._found(0, [move], plies, exact=True)
                else:
                    line = kernel.line()
                    found[move] = self._better(found[move], side, value, line, plies)
                reached[move] = plies
            order.sort(key=lambda move: (-found[move].value, move))
            if kernel.stopped or all(one.exact for one in found.values()):
                break
            if report is not None:
                report([found[move] for move in order], True)
        open_depths = {reached[move] for move in order if not found[move].exact}
        return [found[move] for move in order], len(open_depths) <= 1 and 0 not in open_depths

    def _draws(self, side: int, move: int) -> bool:
        """Whether no line is alive after a move."""
        self.kernel.play(move, side)
        drawn: bool = self.kernel.is_drawn()
        self.kernel.take_back()
        return drawn

    def _begin(
        self, cells: bytes, deadline: float | None, nodes: int | None, counted: bool = False
    ) -> None:
        self.kernel.begin(cells, deadline, nodes)
        self.heed()
        self._counted = counted
        self._completion_nodes = parameters.COMPLETION_NODES

    # What is found.

    def _found(self, value: int, pv: list[int], depth: int = 0, exact: bool = False) -> Found:
        return Found(
            value=value,
            exact=exact or abs(value) >= PROVEN,
            pv=tuple(pv),
            depth=depth,
            nodes=self.kernel.nodes,
            cutoffs=self.kernel.cutoffs,
            table_hits=self.kernel.table_hits,
        )

    def _win(self, line: list[int]) -> Found | None:
        return self._found(WIN - len(line), line) if line else None

    def _proven(self, side: int, value: int, line: list[int], depth: int = 0) -> Found | None:
        """A proven value with its line played to the end; the line's length is the distance.

        None when the line cannot be completed, which is only so when the limits are reached.
        """
        whole = self._complete(side, side if value > 0 else 1 - side, line)
        if not whole:
            return None
        return self._found(WIN - len(whole) if value > 0 else len(whole) - WIN, whole, depth)

    def _better(self, best: Found, side: int, value: int, line: list[int], plies: int) -> Found:
        """What a search found, its line completed when it is proven; `best` when it has no line."""
        if not line:
            return best
        if abs(value) >= PROVEN:
            stopped = self.kernel.stopped
            proven = self._proven(side, value, line, plies)
            self.kernel.stopped = stopped
            if proven is not None:
                return proven
            presumed = parameters.PRESUMED - 1
            value = presumed if value > 0 else -presumed
        return self._found(value, line, plies)

    # The root.

    def _without_search(self, side: int) -> Found | None:
        """The answer when the counts give it away, or the board is empty."""
        kernel = self.kernel
        value = kernel.static_value(side)
        if value == UNKNOWN:
            if kernel.empty < kernel.rows * kernel.columns:
                return None
            centre = kernel.rows // 2 * kernel.columns + kernel.columns // 2
            return self._found(kernel.evaluation(side), [centre])
        kernel.nodes += 1
        if value == 0:
            return self._found(0, [kernel.first_empty()], exact=True)
        return self._proven(side, value, [])

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

    def _threats(self, side: int, budget: int) -> tuple[list[int], bool]:
        """The line of a win by continuous threats, or []; and whether there is none for certain."""
        move = self.kernel.threats_win(side, self.kernel.nodes + budget)
        if move < 0:
            return [], self.kernel.disproof == 0
        return self._complete(side, side, [move]), False

    def _deepen(self, side: int, depth: int | None, started: float, report: Report | None) -> Found:
        """Iterative deepening with aspiration windows, and proofs by threats between the depths."""
        kernel = self.kernel
        kernel.list_root(side)
        best = self._found(kernel.evaluation(side), [kernel.root_index(0)])
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
            best, value, alpha = self._iterate(best, side, plies)
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
            if best.exact or plies > kernel.empty:
                break
            if kernel.root_count == 1 and plies >= parameters.FORCED_DEPTH:
                break
            if kernel.timed and depth is None and not self._counted:
                spent = time.monotonic() - started
                if spent > parameters.NEXT_ITERATION * (kernel.deadline - started):
                    break
            if report is not None:
                report(self._found(best.value, list(best.pv), best.depth))
        return self._found(best.value, list(best.pv), best.depth, best.exact)

    def _iterate(self, best: Found, side: int, plies: int) -> tuple[Found, int, int]:
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

    def _is_refuted(self, side: int, move: int) -> bool:
        """Whether the other side wins by threats after a move; the table then says so."""
        kernel = self.kernel
        kernel.play(move, side)
        foe = 1 - side
        line: list[int] = []
        if kernel.static_value(foe) == UNKNOWN:
            line, _ = self._threats(foe, parameters.refutation_budget(kernel.nodes))
        if line:
            kernel.remember_win(foe, len(line), line[0])
        kernel.take_back()
        return bool(line)

    # A proven line, played to its end.

    def _complete(self, side: int, winner: int, line: list[int]) -> list[int]:
        """Play a line of a proven result on to the winning move; [] when it cannot be done."""
        kernel = self.kernel
        whole: list[int] = []
        won = False
        turn = side
        moves = line
        while True:
            for move in moves:
                won = kernel.completes(move, turn)
                kernel.play(move, turn)
                whole.append(move)
                turn = 1 - turn
            if won or not kernel.empty:
                break
            moves = self._winning(turn) if turn == winner else [self._resisting(turn)]
            if not moves:
                break
        for _ in whole:
            kernel.take_back()
        return whole if won else []

    def _winning(self, side: int) -> list[int]:
        """What the winner plays next in a proven win, from the counts, the table or threats."""
        kernel = self.kernel
        foe = 1 - side
        sought = [CELL_FIVE]
        if kernel.first_of_class(foe, CELL_FIVE) < 0:
            sought.append(CELL_OPEN_FOUR)
            if kernel.static_value(side) == WIN - 5:
                sought.append(CELL_FOUR_THREE)
        for wanted in sought:
            move = kernel.first_of_class(side, wanted)
            if move >= 0:
                return [move]
        move = kernel.table_move(side, proven=True)
        if move >= 0:
            return [move]
        limit, deadline, stopped = kernel.node_limit, kernel.deadline, kernel.stopped
        before = kernel.nodes
        kernel.node_limit, kernel.stopped = before + self._completion_nodes, False
        kernel.next_check = before
        if not self._counted:
            kernel.deadline = max(
                deadline,
                min(
                    deadline + parameters.COMPLETION_OVERTIME,
                    time.monotonic() + parameters.COMPLETION_SECONDS,
                ),
            )
        line: list[int] = []
        most_nodes = kernel.nodes + parameters.COMPLETION_VCF_NODES
        if kernel.fours_win(side, parameters.COMPLETION_VCF_PLIES, most_nodes):
            line = kernel.line()
        else:
            most_nodes = kernel.nodes + parameters.COMPLETION_THREAT_NODES
            move = kernel.threats_win(side, most_nodes)
            if move >= 0:
                line = [move]
        self._completion_nodes = max(0, self._completion_nodes - (kernel.nodes - before))
        kernel.node_limit, kernel.deadline, kernel.stopped = limit, deadline, stopped
        kernel.next_check = kernel.nodes
        return line

    def _resisting(self, side: int) -> int:
        """What the loser plays in a lost position: the move that holds longest, as far as known."""
        kernel = self.kernel
        move = -1
        if kernel.first_of_class(1 - side, CELL_FIVE) < 0:
            move = kernel.table_move(side, proven=False)
        return move if move >= 0 else kernel.most_urgent(side)
