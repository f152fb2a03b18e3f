"""The engines for boards with gravity: `DropSolver` proves positions, `DropPlayer` plays them.

Every search starts with an empty table, so that equal tasks get equal results.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Final

from bestmove.search.common.clock import ENDLESS
from bestmove.search.engine import Every, Searcher, Task
from bestmove.search.engines.connect4 import book
from bestmove.search.engines.connect4.kernel import DropKernel
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES, WIN
from bestmove.words import EXACT_CELLS

LINE_NODES: Final = 10_000_000
"""The node limit of the search for the rest of the game, after a move is proven. 130,000 nodes are
enough for half of the book's positions, and two million for 99 in a hundred."""

_FREE_NODES: Final = 5_000
"""The node limit of the search for the rest of the game after a move that is not the best. 5,000
nodes take less than a millisecond. From 12 discs on they are nearly always enough, because the
transposition table still has the proof."""

_WIN_NODES: Final = 400
"""If the budget ends after the proof of a win, the search for the winning move gets this many nodes
for each move. Few nodes are enough, because the transposition table still has the proof."""

_FIRST_SHARE: Final = 20_000
"""The nodes that `DropSolver.every` gives each move in its first round."""

_OWN: Final = {mover: bytes(49 if code == mover else 48 for code in range(256)) for mover in (1, 2)}
_MARKED: Final = bytes(49 if code else 48 for code in range(256))

_BORDER: Final = WIN - MAX_PLIES
_INFINITE: Final = WIN + 1


def fits(rows: int, columns: int) -> bool:
    return rows >= 1 and columns >= 1 and (rows + 1) * columns <= 64


class _Drops(Searcher):
    """The base of both engines.

    Args:
        rows, columns: the size of the board; it must pass `fits`. The last row is the bottom.
        k: how many discs in a row win, at least 1.
        table_bits: 16 to 24; the table grows to at most 32 bytes times 2**table_bits.
        overline: whether more than k in a row win, too.
        with_book: whether to use the book and, if it is installed, the list of positions with 12
            discs. Only Connect Four on 7×6 has a book and a list.

    Raises:
        ValueError: an argument is out of range.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        k: int,
        *,
        table_bits: int = 20,
        overline: bool = True,
        with_book: bool = True,
    ) -> None:
        super().__init__(
            DropKernel(rows, columns, k, table_bits, overline),
            32 << min(table_bits, (rows + 1) * columns),
        )
        self._rows, self._columns = rows, columns
        self._cells = rows * columns
        known = (rows, columns, k, overline) == (book.ROWS, book.COLUMNS, book.K, True)
        self._book = book.opening() if with_book and known else None
        if self._book is not None:
            self.kernel.use_list(book.twelve_discs(), book.LISTED_DISCS)
        height = rows + 1
        self._bits = [
            1 << height * (cell % columns) + rows - 1 - cell // columns
            for cell in range(self._cells)
        ]
        self._cell_of = {bit: cell for cell, bit in enumerate(self._bits)}
        # The cell of each bit. A sentinel gets -1, the index of the 0 that `_split` appends.
        places = [self._cell_of.get(1 << bit, -1) for bit in range(height * columns)]
        self._in_order = itemgetter(*reversed(places))
        self._line_nodes = ENDLESS
        self._is_won = False
        self._bottom = self.kernel.bottom
        self._board = self.kernel.board
        self._middle_first = sorted(
            range(columns), key=lambda column: abs(2 * column + 1 - columns)
        )

    def _begin(self, task: Task) -> tuple[int, int]:
        self.kernel.begin(task.deadline, task.nodes)
        self.heed(task)
        self._line_nodes = ENDLESS if task.line_nodes is None else task.line_nodes
        self._is_won = False
        self._pv = task.pv
        return self._split(task.cells, task.mover)

    def _split(self, cells: bytes, mover: int) -> tuple[int, int]:
        if len(cells) != self._cells:
            raise ValueError(f"{len(cells)} cells given, the board has {self._cells}")
        digits = bytes(self._in_order(cells + b"\0"))
        return int(digits.translate(_OWN[mover]), 2), int(digits.translate(_MARKED), 2)

    def _known(self, own: int, mask: int, moves: Iterable[int]) -> dict[int, int | None]:
        left = self._cells - mask.bit_count()
        listed = None if self._book is None else self._book.moves(own, mask)
        known: dict[int, int | None] = {}
        for move in moves:
            score = None
            if self.kernel.wins(own, move):
                score = (left + 1) // 2
            elif left == 1:
                score = 0
            elif listed is not None:
                score = listed.get(self._cell_of[move] % self._columns)
            elif self._book is not None:
                reply = self._book.score(own ^ mask, mask | move)
                score = None if reply is None else -reply
            known[move] = score
        return known

    def _first_best(
        self, own: int, mask: int, score: int, order: Sequence[int] | None = None
    ) -> int | None:
        """Return the best move that comes first in `order`; None if the budget runs out.

        Without an order, return the best move of lowest cell index.
        """
        if order is None and (self._book is None or mask.bit_count() > book.DISCS):
            return self.kernel.first_worth(own, mask, score, False) or None
        moves = self._moves(mask) if order is None else [self._bits[cell] for cell in order]
        for move, known in self._known(own, mask, moves).items():
            if self._reaches(own, mask, move, score, known):
                return move
        return None

    def _reaches(self, own: int, mask: int, move: int, score: int, known: int | None) -> bool:
        if known is not None:
            return known >= score
        if self.kernel.stopped:
            return False
        bound = self.kernel.at_least(own ^ mask, mask | move, 1 - score)
        return not self.kernel.stopped and bound <= -score

    def _proven(self, own: int, mask: int, move: int, score: int, most: int = LINE_NODES) -> Found:
        """Return a proven move, with the rest of the game if the task asks for a variation.

        `most`: the node limit of the search for the rest of the game, if the task's limit for all
        variations is not lower.
        """
        before = self.nodes
        line = [move]
        if self._pv:
            self.kernel.allow(before + min(most, self._line_nodes))
            line = self._line(own, mask, move, score)
            self.kernel.restore()
        self._line_nodes -= self.nodes - before
        left = self._cells - mask.bit_count()
        if not score:
            return self._found(0, line, left, exact=True)
        plies = plies_of(score, left)
        value = WIN - plies
        return self._found(value if score > 0 else -value, line, plies, exact=True)

    def _line(self, own: int, mask: int, move: int, score: int) -> list[int]:
        line = [move]
        if self._book is not None and mask.bit_count() <= book.DISCS:
            while mask.bit_count() < book.DISCS and not self.kernel.wins(own, move):
                own, mask, score = own ^ mask, mask | move, -score
                following = self._first_best(own, mask, score)
                if following is None:
                    return line
                move = following
                line.append(move)
            if score == self._book.score(own, mask) and move == self._first_best(own, mask, score):
                for column in self._book.line(own, mask):
                    own, mask, score = own ^ mask, mask | move, -score
                    move = self._at(mask, column)
                    line.append(move)
        line += self.kernel.line(own, mask, move, score)
        return line

    def _found(self, value: int, line: list[int], depth: int, *, exact: bool) -> Found:
        return self.found(value, (self._cell_of[bit] for bit in line), depth, exact)

    def _moves(self, mask: int, cells: Sequence[int] | None = None) -> list[int]:
        possible = (mask + self._bottom) & self._board
        bits = self._bits if cells is None else [self._bits[cell] for cell in cells]
        return [bit for bit in bits if bit & possible]

    def _at(self, mask: int, column: int) -> int:
        cells = ((1 << self._rows) - 1) << column * (self._rows + 1)
        move: int = (mask + self._bottom) & self._board & cells
        return move


class DropSolver(_Drops):
    """Proves positions of one board with gravity."""

    keeps_plies = True

    def best(self, task: Task) -> Found | None:
        """Return the value of a position and its best move, or None if the budget ran out.

        If the budget sufficed to prove a win, but not its distance, the value is an estimate, and
        the move is any winning move. Otherwise the value is exact. Of several best moves, the move
        is then the first in the task's order, by default the move of lowest cell index.
        """
        own, mask = self._begin(task)
        score = self._score(own, mask)
        if score is None:
            return self._without_distance(own, mask)
        move = self._first_best(own, mask, score, task.preferred(score))
        if move is None:
            return None
        self.kernel.until(task.last_call)
        return self._proven(own, mask, move, score, LINE_NODES if task.to_the_end else 0)

    def _without_distance(self, own: int, mask: int) -> Found | None:
        kernel = self.kernel
        left = self._cells - mask.bit_count()
        moves = self._moves(mask) if self._is_won else []
        for move, known in self._known(own, mask, moves).items():
            kernel.grant(_WIN_NODES)
            if self._reaches(own, mask, move, 1, known):
                kernel.restore()
                return self._found(MAX_ESTIMATE - left, [move], 1, exact=False)
        kernel.restore()
        return None

    def every(self, task: Task) -> Every:
        """Return the proven moves, sorted by cell index."""
        own, mask = self._begin(task)
        moves = self._moves(mask, task.moves)
        scores = self._known(own, mask, moves)
        # Give each move few nodes at first, so that hard moves do not delay easy moves.
        share = _FIRST_SHARE
        while None in scores.values() and not self._out():
            for move in moves:
                if scores[move] is None and not self._out():
                    self.kernel.allow(min(self.nodes + share, self.kernel.most_nodes))
                    reply = self.kernel.score(own ^ mask, mask | move)
                    scores[move] = None if reply is None else -reply
            share *= 4
        known = {move: score for move, score in scores.items() if score is not None}
        is_complete = len(known) == len(moves)

        def proven(first: int, rest: int) -> list[Found]:
            best_first = sorted(known.items(), key=lambda item: -item[1])
            found = [
                self._proven(own, mask, move, score, rest if i else first)
                for i, (move, score) in enumerate(best_first)
            ]
            return sorted(found, key=lambda move: move.pv[0])

        self.kernel.until(task.last_call)
        if not task.to_the_end:
            return Every(proven(0, 0), is_complete)
        if task.report is not None and is_complete:
            task.report(proven(0, 0))
        return Every(proven(LINE_NODES, _FREE_NODES), is_complete)

    # -- advice for a certificate: see `dispatch.Adviser` ----------------------------------------

    def consult(self, task: Task) -> None:
        self._begin(task)

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        soon = 0 if plies is None else (cells.count(0) + 1) // 2 - (plies - 1) // 2
        return self._move_worth(cells, to_move, max(1, soon))

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        late = 0 if plies is None else plies // 2 - cells.count(0) // 2
        return self._move_worth(cells, to_move, min(0, late))

    def _move_worth(self, cells: bytes, to_move: int, least: int) -> int | None:
        own, mask = self._split(cells, to_move)
        if self.kernel.at_least(own, mask, least) < least:
            return None
        left = self._cells - mask.bit_count()
        for move in self._moves(mask):
            if self.kernel.wins(own, move):
                score = (left + 1) // 2
            elif left == 1:
                score = 0
            else:
                score = -self.kernel.at_least(own ^ mask, mask | move, 1 - least)
            if self.kernel.stopped:
                return None
            if score >= least:
                return self._cell_of[move]
        return None

    def _out(self) -> bool:
        self.kernel.restore()
        return bool(self.kernel.stopped)

    def _score(self, own: int, mask: int) -> int | None:
        """Return the score of a position from the book or a proof; None if the budget ran out.

        On boards of more than EXACT_CELLS cells, a first proof finds who wins, and a second proof
        finds how soon. The first proof adds 3 % to the nodes. But if the budget is too small for
        the second proof, the first may still find the winner.
        """
        score: int | None = self._book.score(own, mask) if self._book else None
        if score is None:
            kernel = self.kernel
            if self._cells > EXACT_CELLS:
                self._is_won = kernel.at_least(own, mask, 1) >= 1 and not kernel.stopped
                if not self._is_won:
                    kernel.at_least(own, mask, 0)
            score = kernel.score(own, mask)
        return score


class DropPlayer(_Drops):
    """Plays on one board with gravity."""

    def best(self, task: Task) -> Found:
        """Find the best move by iterative deepening, up to the end of the game."""
        own, mask = self._begin(task)
        moves = self._moves(mask)
        order = sorted(
            moves, key=lambda move: self._middle_first.index(self._cell_of[move] % self._columns)
        )
        found = self._found(0, order[:1], 0, exact=False)
        for plies in range(1, self._last(mask, task.depth) + 1):
            best, line = -_INFINITE, order[:1]
            for move in order:
                lower = self._cell_of[move] < self._cell_of[line[0]]
                alpha = best - 1 if lower and best > -_INFINITE else best
                value, reply = self._after(own, mask, move, plies, alpha)
                if self.kernel.stopped:
                    return found
                if value > alpha:
                    best, line = value, [move, *reply]
            order.sort(key=lambda move: move != line[0])
            found = self._valued(own, mask, best, line, plies)
            if found.exact:
                break
            if task.report is not None:
                task.report([found])
        return found

    def every(self, task: Task) -> Every:
        own, mask = self._begin(task)
        moves = self._moves(mask, task.moves)
        found = {move: self._found(0, [move], 0, exact=False) for move in moves}
        for plies in range(1, self._last(mask, task.depth) + 1):
            for move in moves:
                if found[move].exact or self.kernel.stopped:
                    continue
                value, reply = self._after(own, mask, move, plies, -_INFINITE)
                if not self.kernel.stopped:
                    found[move] = self._valued(own, mask, value, [move, *reply], plies)
            if self.kernel.stopped or all(known.exact for known in found.values()):
                break
            if task.report is not None:
                task.report(list(found.values()))
        answers = sorted(found.values(), key=lambda known: (-known.value, known.pv[0]))
        alike = len({known.depth for known in answers if not known.exact}) < 2
        return Every(answers, alike)

    def _last(self, mask: int, depth: int | None) -> int:
        left = self._cells - mask.bit_count()
        return left if depth is None else max(1, min(depth, left))

    def _after(
        self, own: int, mask: int, move: int, plies: int, alpha: int
    ) -> tuple[int, list[int]]:
        """Return a move's value, as from `DropKernel.estimate`, and the moves expected next."""
        discs = mask.bit_count() + 1
        if self.kernel.wins(own, move):
            return WIN - discs, []
        if discs == self._cells:
            return 0, []
        value, line = self.kernel.estimate(own ^ mask, mask | move, plies - 1, -_INFINITE, -alpha)
        return -value, line

    def _valued(self, own: int, mask: int, value: int, line: list[int], plies: int) -> Found:
        left = self._cells - mask.bit_count()
        if abs(value) > _BORDER:
            end = WIN - abs(value)
            score = (self._cells + 2 - end) // 2
            return self._proven(own, mask, line[0], score if value > 0 else -score)
        if plies == left:
            return self._proven(own, mask, line[0], 0)
        return self._found(value, line, plies, exact=False)


def plies_of(score: int, left: int) -> int:
    """Return the plies to a win or loss with this score, when `left` cells are empty.

    The number is odd for a win, and even for a loss.
    """
    if not score:
        raise ValueError("a draw has no distance")
    plies = left + 2 - 2 * abs(score)
    return plies if plies % 2 == (score > 0) else plies - 1
