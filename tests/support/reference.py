"""A slow and simple engine for any board, which the compiled ones are tested against.

Iterative deepening (Slate and Atkin 1977) over negamax with alpha-beta, fail-soft, and a
transposition table. Every empty cell is a candidate and nothing is reduced or cut but by alpha and
beta, so that what it proves is proven: a win or loss at any depth, with the shortest distance,
and a draw when the iteration reached the full board.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from bestmove.game import EMPTY, Board, Rules
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN, is_proven
from bestmove.search.textbook.board_game import BoardGame
from bestmove.search.textbook.evaluations import open_lines

TABLE_ENTRIES: Final = 500_000
"""Positions to remember; when there are so many the table is emptied."""

_INFINITE: Final = WIN + 1

Line = tuple[int, ...]


def search(
    board: Board,
    *,
    deadline: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> Found:
    """The best move, of equally good ones the lowest index.

    One ply is searched in any case; a deeper iteration counts only when it was finished.

    Args:
        board: the position; of a finished game the answer has a value and no move.
        deadline: `time.monotonic()` seconds at which to stop.
        depth: plies to look ahead, at least 1; to the end of the game without one.
        nodes: nodes after which to stop.
    """
    if board.is_over:
        return Found(_completed(board.rules) if board.winner else 0, True, ())
    (best, *_), _ = _Searcher(board, deadline, nodes).deepen(depth, every_move=False)
    return best


def search_moves(
    board: Board,
    *,
    deadline: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> tuple[list[Found], bool]:
    """Every legal move with its own value, best first, ties by index.

    All of them are searched to one depth, with the arguments of `search`. The second part of the
    answer says whether that is all that was asked for: the budget stopped no deeper iteration.
    """
    if board.is_over:
        return [], True
    return _Searcher(board, deadline, nodes).deepen(depth, every_move=True)


class _OutOfBudget(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a search of some depth found out: the value lies between two bounds, maybe equal."""

    least: int
    most: int
    depth: int
    pv: Line

    def bounds(self, depth: int) -> tuple[int, int]:
        """The bounds of a search of another depth."""
        if self.depth >= depth:
            return self.least, self.most
        # Who wins within few plies wins within more.
        least = self.least if self.least > 0 and is_proven(self.least) else -_INFINITE
        most = self.most if self.most < 0 and is_proven(self.most) else _INFINITE
        return least, most


class _Searcher:
    """One search. Distances are counted from its root: a position has the same ply, by any way."""

    def __init__(self, board: Board, deadline: float | None, nodes: int | None) -> None:
        self._root = BoardGame(board)
        self._empty = 0 if board.is_over else board.cells.count(EMPTY)
        self._deadline = deadline
        self._most_nodes = nodes
        self._may_stop = False
        self._table: dict[Hashable, _Entry] = {}
        self._nodes = 1  # the root
        self._cutoffs = 0
        self._table_hits = 0

    def deepen(self, depth: int | None, *, every_move: bool) -> tuple[list[Found], bool]:
        """What the last finished iteration found, best first, and whether none was cut short."""
        deepest = self._empty if depth is None else min(depth, self._empty)
        moves = list(self._root.moves())
        found: list[Found] = []
        for plies in range(1, deepest + 1):
            self._may_stop = plies > 1
            try:
                values = self._iterate(moves, plies, every_move)
            except _OutOfBudget:
                return found, False
            values.sort(key=lambda each: (-each[0], each[1]))
            found = [self._found(value, pv, plies) for value, pv in values]
            if all(each.exact for each in found):
                break
            # The best so far are tried first; moves without a value of their own keep their order.
            best_first = [each.pv[0] for each in found]
            moves = best_first + [move for move in moves if move not in best_first]
        return found, True

    def _iterate(self, moves: list[int], plies: int, every_move: bool) -> list[tuple[int, Line]]:
        """The value and variation of every move, or of the best one alone."""
        values: list[tuple[int, Line]] = []
        for move in moves:
            alpha = -_INFINITE
            if values and not every_move:
                best, line = values[0]
                # A higher index must be better to be preferred, a lower one as good.
                alpha = best if move > line[0] else best - 1
            value, line = self._visit(self._root.play(move), plies - 1, -_INFINITE, -alpha)
            if every_move:
                values.append((-value, (move, *line)))
            elif -value > alpha:
                values = [(-value, (move, *line))]
        return values

    def _visit(self, position: BoardGame, depth: int, alpha: int, beta: int) -> tuple[int, Line]:
        """The value for the side to move, and the variation that leads to it."""
        self._nodes += 1
        self._require_budget()
        if position.is_won:
            completed = _completed(position.rules)
            return (completed + position.ply if completed < 0 else completed - position.ply), ()
        if position.is_over():
            return 0, ()
        if depth == 0:
            return _estimate(position), ()

        key = position.key()
        known = self._table.get(key)
        if known:
            least, most = known.bounds(depth)
            if least == most or least >= beta or most <= alpha:
                self._table_hits += 1
                return (most if most <= alpha else least), known.pv

        best = -_INFINITE
        pv: Line = ()
        highest = alpha
        for child in _promising_first(position, known.pv[:1] if known else ()):
            value, line = self._visit(child, depth - 1, -beta, -highest)
            if -value > best:
                assert child.last is not None
                best, pv = -value, (child.last, *line)
            highest = max(highest, best)
            if highest >= beta:
                self._cutoffs += 1
                break
        self._remember(
            key,
            _Entry(
                least=best if best > alpha else -_INFINITE,
                most=best if best < beta else _INFINITE,
                depth=depth,
                pv=pv,
            ),
        )
        return best, pv

    def _remember(self, key: Hashable, entry: _Entry) -> None:
        if len(self._table) >= TABLE_ENTRIES:
            self._table.clear()
        self._table[key] = entry

    def _require_budget(self) -> None:
        if self._may_stop and (
            (self._most_nodes is not None and self._nodes > self._most_nodes)
            or (self._deadline is not None and time.monotonic() >= self._deadline)
        ):
            raise _OutOfBudget

    def _found(self, value: int, pv: Line, plies: int) -> Found:
        return Found(
            value=value,
            # A draw is one on the full board; before that 0 is an estimate.
            exact=is_proven(value) or plies == self._empty,
            pv=pv,
            depth=plies,
            nodes=self._nodes,
            cutoffs=self._cutoffs,
            table_hits=self._table_hits,
        )


def _promising_first(position: BoardGame, table_move: Line) -> list[BoardGame]:
    """The positions after each move: the table's, then by what the evaluation makes of them."""
    children = [position.play(move) for move in position.moves()]
    children.sort(key=lambda child: (child.last not in table_move, _estimate(child)))
    return children


def _estimate(position: BoardGame) -> int:
    if position.is_won:
        return _completed(position.rules)
    value = max(-MAX_ESTIMATE, min(MAX_ESTIMATE, open_lines(position)))
    return value if position.maximizing != position.rules.misere else -value


def _completed(rules: Rules) -> int:
    """The value for the side to move where the other has completed a line."""
    return WIN if rules.misere else -WIN
