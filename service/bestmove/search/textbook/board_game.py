"""Positions of a board for the searches of `algorithms`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from bestmove.game import Board, O, Rules, X, other
from bestmove.game.geometry import cells_of, cells_with, set_of


class Masks(NamedTuple):
    """The sets of cells of a game. Cell `i` is the bit `1 << i`.

    Attributes:
        full: all cells.
        lines_through: for each cell, the `mask` and the `ends` of the lines through the cell.
        long_lines: (bits, cells) of every row, column and diagonal of five or more cells.
        neighbors: for each cell, the cells around it.
    """

    rules: Rules
    full: int
    lines_through: tuple[tuple[tuple[int, int], ...], ...]
    long_lines: tuple[tuple[int, tuple[int, ...]], ...]
    neighbors: tuple[int, ...]


class BoardGame:
    """An immutable position as an `algorithms.SearchedGame`. X maximises.

    Attributes:
        movers: the marks of the side to move, as a set of cells.
        others: the marks of the opponent, as a set of cells.
        is_won: the last move completed a line (in misère, this loses).
        last: the last move, None if unknown.
        ply: the number of moves since the root of the search.
        parent: the position before the last move, None at the root.
        open_lines: the result of `evaluations.open_lines`, None before its first call.
    """

    __slots__ = (
        "_order",
        "_utility",
        "is_won",
        "last",
        "masks",
        "maximizing",
        "movers",
        "open_lines",
        "others",
        "parent",
        "ply",
    )

    def __init__(
        self,
        board: Board,
        utility: Callable[[BoardGame], float] | None = None,
        order: Callable[[BoardGame], Sequence[int]] | None = None,
        last: int | None = None,
    ) -> None:
        """Make the root of a search.

        Args:
            utility: returns the value of a finished position for X; by default `bare_utility`.
            order: returns the moves to try; by default `index_order`.
            last: the last move on the board, if `order` needs this move.
        """
        self._utility = utility or bare_utility
        self._order = order or index_order
        self.masks = masks_of(board.rules)
        even = board.cells.count(X) == board.cells.count(O)
        mover = board.first if even else other(board.first)
        self.movers = cells_with(board.cells, mover)
        self.others = cells_with(board.cells, other(mover))
        self.maximizing = mover == X
        self.is_won = board.winning_line is not None
        self.last = last
        self.ply = 0
        self.parent: BoardGame | None = None
        self.open_lines: int | None = None

    @property
    def winner(self) -> str | None:
        if not self.is_won:
            return None
        return O if self.maximizing != self.masks.rules.misere else X

    def is_over(self) -> bool:
        return self.is_won or self.movers | self.others == self.masks.full

    def utility(self) -> float:
        return self._utility(self)

    def moves(self) -> Sequence[int]:
        return self._order(self)

    def play(self, move: int) -> BoardGame:
        marks = self.movers | 1 << move
        after = BoardGame.__new__(BoardGame)
        after._utility = self._utility
        after._order = self._order
        after.masks = self.masks
        after.movers = self.others
        after.others = marks
        after.maximizing = not self.maximizing
        after.is_won = False
        for line, ends in self.masks.lines_through[move]:
            if marks & line == line and not marks & ends:
                after.is_won = True
                break
        after.last = move
        after.ply = self.ply + 1
        after.parent = self
        after.open_lines = None
        return after

    def key(self) -> Hashable:
        """Return the marks of both sides, which imply whose turn it is."""
        return self.movers, self.others


def bare_utility(position: BoardGame) -> int:
    """Return 1 if X has won, -1 if O has, 0 for a draw."""
    winner = position.winner
    return 0 if winner is None else 1 if winner == X else -1


def index_order(position: BoardGame) -> Sequence[int]:
    taken = position.movers | position.others
    return cells_of(position.masks.rules.playable(position.masks.full & ~taken))


_BOARDS_KEPT: Final = 16  # up to 500 kB for each board


@lru_cache(maxsize=_BOARDS_KEPT)
def masks_of(rules: Rules) -> Masks:
    geometry = rules.geometry
    return Masks(
        rules=rules,
        full=(1 << rules.size) - 1,
        lines_through=geometry.lines_through,
        long_lines=tuple((set_of(lane), lane) for lane in geometry.lanes if len(lane) >= 5),
        neighbors=tuple(set_of(geometry.around(index, 1)) for index in range(rules.size)),
    )
