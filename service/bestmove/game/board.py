"""The board: an immutable position of an (m,n,k)-game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, Literal

from bestmove.errors import IllegalMove, InvalidNotation, InvalidPosition
from bestmove.game import notation
from bestmove.game.rules import EMPTY, O, Rules, X, other

Status = Literal["in_progress", "won", "draw"]

_MARKS: Final = frozenset((X, O, EMPTY))


class Board:
    """An immutable position that a game can reach.

    Args:
        cells: `rules.size` marks `X`, `O` or `.`, row by row.
        rules: the size of the board and k.
        first: who moved first, `"X"` or `"O"`. Whose turn it is follows by counting.

    Raises:
        InvalidNotation: a character that is no mark, or a wrong number of cells.
        InvalidPosition: a position that no game can reach.

    >>> board = Board.parse("X...O....")
    >>> board.turn, board.status
    ('X', 'in_progress')
    >>> str(board.play(1))
    'XX..O....'
    """

    cells: str
    rules: Rules
    first: str

    def __init__(self, cells: str, rules: Rules | None = None, first: str = X) -> None:
        rules = rules or Rules()
        if len(cells) != rules.size:
            raise InvalidNotation(
                f"the board has {len(cells)} cells, {rules.rows} rows of {rules.columns} "
                f"have {rules.size}"
            )
        if not _MARKS.issuperset(cells):
            raise InvalidNotation("the cells of a board are X, O and .")
        if first not in (X, O):
            raise InvalidPosition('first must be "X" or "O"', "first")
        self._set(cells, rules, first)
        self._require_reachable()

    @classmethod
    def parse(
        cls,
        board: str | Sequence[object],
        rows: int | None = None,
        columns: int | None = None,
        k: int | None = None,
        first: str = X,
    ) -> Board:
        """The board that any accepted spelling describes (see `bestmove.game.notation`)."""
        cells, rules = notation.parse(board, rows, columns, k)
        return cls(cells, rules, first)

    @classmethod
    def empty(cls, rows: int = 3, columns: int = 3, k: int | None = None, first: str = X) -> Board:
        """The position before the first move."""
        rules = Rules.of(rows, columns, k)
        return cls(EMPTY * rules.size, rules, first)

    @cached_property
    def turn(self) -> str | None:
        """Whose move it is, by counting; None when the game is over."""
        return None if self.is_over else self._mover()

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The indices of the empty cells; none when the game is over."""
        if self.is_over:
            return ()
        return tuple(index for index, mark in enumerate(self.cells) if mark == EMPTY)

    def play(self, index: int) -> Board:
        """The board after the side to move has marked a cell; this one stays as it is.

        Raises:
            IllegalMove: the game is over, or the cell is taken or not on the board.
        """
        if self.is_over:
            raise IllegalMove(f"the game is over: {self._result_in_words()}")
        if not 0 <= index < self.rules.size:
            raise IllegalMove(
                f"cell {index} is not on the board, whose cells are 0 to {self.rules.size - 1}"
            )
        if self.cells[index] != EMPTY:
            row, column = self.rules.coordinates(index)
            raise IllegalMove(
                f"cell {index} (row {row}, column {column}) is taken by {self.cells[index]}"
            )
        cells = self.cells[:index] + self._mover() + self.cells[index + 1 :]
        after = Board.__new__(Board)
        after._set(cells, self.rules, self.first)  # reachable, for this one is
        return after

    @cached_property
    def winning_line(self) -> tuple[int, ...] | None:
        """A k-long line of the winner, through the last move; None without a winner."""
        full = self.rules.full_lines(self.cells)
        return full[0] if full else None

    @property
    def winner(self) -> str | None:
        """`"X"`, `"O"` or None."""
        return self.cells[self.winning_line[0]] if self.winning_line else None

    @property
    def status(self) -> Status:
        """`"in_progress"`, `"won"` or `"draw"` (the board is full)."""
        if self.winning_line:
            return "won"
        return "in_progress" if EMPTY in self.cells else "draw"

    @property
    def is_over(self) -> bool:
        """Whether somebody has won or the board is full."""
        return self.status != "in_progress"

    @property
    def utility(self) -> int:
        """1 if X has won, -1 if O has, 0 otherwise."""
        return {X: 1, O: -1, None: 0}[self.winner]

    def rows(self) -> list[str]:
        """The rows as strings, from the top."""
        width = self.rules.columns
        return [self.cells[start : start + width] for start in range(0, self.rules.size, width)]

    def __str__(self) -> str:
        return notation.render(self.cells, self.rules)

    def __repr__(self) -> str:
        rules = self.rules
        return (
            f"Board.parse({str(self)!r}, rows={rules.rows}, columns={rules.columns}, "
            f"k={rules.k}, first={self.first!r})"
        )

    def __eq__(self, value: object) -> bool:
        return isinstance(value, Board) and self._key() == value._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board never changes: cannot set {name}")

    def _set(self, cells: str, rules: Rules, first: str) -> None:
        self.__dict__.update(cells=cells, rules=rules, first=first)

    def _key(self) -> tuple[str, Rules, str]:
        return self.cells, self.rules, self.first

    def _mover(self) -> str:
        second = other(self.first)
        return self.first if self.cells.count(self.first) == self.cells.count(second) else second

    def _require_reachable(self) -> None:
        cells = self.cells
        second = other(self.first)
        ahead = cells.count(self.first) - cells.count(second)
        if ahead not in (0, 1):
            raise InvalidPosition(
                f"{cells.count(X)} X and {cells.count(O)} O: {self.first} moved first, so there "
                f"must be as many {self.first} as {second}, or one more"
            )
        lines = self.rules.full_lines(cells)
        if not lines:
            self.__dict__["winning_line"] = None  # known from here on
            return
        winners = {self.cells[line[0]] for line in lines}
        if len(winners) == 2:
            raise InvalidPosition("X and O both have a line: the game ended with the first of them")
        (winner,) = winners
        last = self.first if ahead else second
        if winner != last:
            raise InvalidPosition(
                f"{winner} has a line, but {last} moved last: the game ended with {winner}'s line"
            )
        if not set(lines[0]).intersection(*lines[1:]):
            raise InvalidPosition(
                f"{winner} has lines that share no cell: one move cannot have made them all"
            )

    def _result_in_words(self) -> str:
        return f"{self.winner} has won" if self.winner else "the board is full"
