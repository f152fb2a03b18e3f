"""The board: an immutable position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import and_
from typing import Any, Final, Literal, Unpack

from bestmove.errors import IllegalMove, InvalidNotation, InvalidPosition
from bestmove.game import notation, picture
from bestmove.game.geometry import Bits, Line, bits_of
from bestmove.game.moves import MoveInput, playable, require_cells
from bestmove.game.notation import ArrayLike
from bestmove.game.presets import rules_for
from bestmove.game.reachability import require_history, require_no_gap
from bestmove.game.rules import EMPTY, O, Rules, Variant, X, other

Status = Literal["in_progress", "won", "draw"]

Key = tuple[str, Rules, str]
"""The `cells`, the `rules` and the `first` of a board, which determine all else."""

_SHOWN: Final = 50
"""The message of `not_a_board` quotes a text of at most this many characters."""


class Board:
    """An immutable position that a game can reach.

    Args:
        cells: `rules.size` marks `X`, `O` or `.`, row by row.
        rules: the size of the board, k and the switches.
        first: who moved first, `"X"` or `"O"`. The numbers of X and O then say whose turn it is.

    Raises:
        InvalidNotation: a character that is not a mark, or a wrong number of cells.
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
    key: Key
    bits: Bits
    turn: str | None
    """Whose move it is; None when the game is over."""
    status: Status
    """`"in_progress"`, `"won"` or `"draw"` (the board is full)."""
    winner: str | None
    """`"X"`, `"O"` or None."""
    winning_line: tuple[int, ...] | None
    """The line of k cells that ended the game, if any. In misère, the line is the loser's."""
    is_over: bool
    """True if somebody has won or the board is full."""

    def __init__(self, cells: str, rules: Rules | None = None, first: str = X) -> None:
        rules = rules or Rules()
        if len(cells) != rules.size:
            raise InvalidNotation(
                f"the board has {len(cells)} cells, but {rules.rows} rows of {rules.columns} "
                f"have {rules.size}"
            )
        if not {X, O, EMPTY}.issuperset(cells):
            raise InvalidNotation("the cells of a board are X, O and .")
        if first not in (X, O):
            raise InvalidPosition('first must be "X" or "O"', "first")
        turn = require_turns(cells, first)
        x, o, _ = bits = bits_of(cells)
        if rules.gravity:
            require_no_gap(bits, rules)
        of_x, of_o = rules.geometry.full_lines(x), rules.geometry.full_lines(o)
        if of_x and of_o:
            raise InvalidPosition("X and O both have a line: the game ended with the first of them")
        lines, maker = (of_x, X) if of_x else (of_o, O)
        if lines and maker == turn:
            raise InvalidPosition(
                f"{maker} has a line, but {other(maker)} moved last: the game ended with {maker}'s "
                "line"
            )
        if rules.gravity or not rules.overline:
            require_history(rules, other(turn), lines, {X: x, O: o})
        elif lines and not reduce(and_, (line.mask for line in lines)):
            raise InvalidPosition(
                f"{maker} has lines that share no cell: one move cannot have made them all"
            )
        self._set((cells, rules, first), bits, lines)

    def _set(self, key: Key, bits: Bits, lines: Sequence[Line]) -> None:
        cells, rules, first = key
        x, o, empty = bits
        line = lines[0].cells if lines else None
        is_over = line is not None or not empty
        maker = None if line is None else cells[line[0]]
        winner = other(maker) if maker and rules.misere else maker
        is_even = x.bit_count() == o.bit_count()
        self.__dict__.update(
            cells=cells,
            rules=rules,
            first=first,
            key=key,
            bits=bits,
            turn=None if is_over else X if is_even is (first == X) else O,
            status="won" if line is not None else "draw" if is_over else "in_progress",
            winner=winner,
            winning_line=line,
            is_over=is_over,
        )

    @classmethod
    def parse(
        cls,
        board: str | Sequence[object] | ArrayLike,
        rows: int | None = None,
        columns: int | None = None,
        k: int | None = None,
        first: str = X,
        **variant: Unpack[Variant],
    ) -> Board:
        """Read a board in any accepted spelling (see `bestmove.game.notation`)."""
        cells, rules = notation.parse(board, rows, columns, k, **variant)
        return cls(cells, rules, first)

    @classmethod
    def empty(
        cls,
        rows: int | None = None,
        columns: int | None = None,
        k: int | None = None,
        first: str = X,
        **variant: Unpack[Variant],
    ) -> Board:
        """Return an empty board: 3×3, unless a game or rows and columns are given."""
        rules = rules_for(rows, columns, k, **variant)
        return cls(EMPTY * rules.size, rules, first)

    @classmethod
    def from_moves(
        cls,
        moves: str | Sequence[object],
        rows: int | None = None,
        columns: int | None = None,
        k: int | None = None,
        first: str = X,
        **variant: Unpack[Variant],
    ) -> Board:
        """Return the position after the moves of a game, played from the empty board.

        Args:
            moves: a list of cell indices, or text such as `"h8 i9"`, or with gravity `"4453"`
                (see `bestmove.game.moves`).

        Raises:
            InvalidNotation: neither a list nor text that spells moves.
            IllegalMove: a move that the rules do not allow. For a list, the error also reports
                every later item that names no cell of the board.

        >>> str(Board.from_moves("44", game="connect-four"))
        '......./......./......./......./...O.../...X...'
        """
        board = cls.empty(rows, columns, k, first, **variant)
        cells = list(board.cells)
        marks = {X: 0, O: 0}
        mover = first
        ended = ""

        def play(move: object) -> None:
            nonlocal mover, ended
            if ended:
                raise IllegalMove(f"the game is over: {ended}")
            index = playable(move, board.rules, cells)
            cells[index] = mover
            marks[mover] |= 1 << index
            if board.rules.geometry.completes(marks[mover], index):
                ended = f"{mover} has a line"
            elif EMPTY not in cells:
                ended = "the board is full"
            mover = other(mover)

        require_cells(moves, board.rules, play)
        return cls.unchecked("".join(cells), board.rules, first)

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The indices of the cells that can be played; none when the game is over."""
        return () if self.is_over else self.rules.moves(self.cells)

    def play(self, move: MoveInput) -> Board:
        """Return a new board on which the side to move has marked a cell.

        Args:
            move: an index, a `bestmove.Move`, a tuple (row, column), or text such as `"b3"`
                (see `bestmove.game.moves`).

        Raises:
            IllegalMove: the game is over, or the cell is taken or not on the board.
        """
        if self.is_over:
            result = f"{self.winner} has won" if self.winner else "the board is full"
            raise IllegalMove(f"the game is over: {result}")
        return self.after(playable(move, self.rules, self.cells))

    def after(self, index: int) -> Board:
        """Return the board after a legal move. The move is not checked."""
        x, o, empty = self.bits
        own = (x if self.turn == X else o) | 1 << index
        bits = (own, o, empty & ~own) if self.turn == X else (x, own, empty & ~own)
        cells = f"{self.cells[:index]}{self.turn}{self.cells[index + 1 :]}"
        board = Board.__new__(Board)
        board._set((cells, self.rules, self.first), bits, self.rules.geometry.full_lines(own))
        return board

    @classmethod
    def unchecked(cls, cells: str, rules: Rules, first: str) -> Board:
        """Return a board without checking it: only for positions that a game is known to reach."""
        x, o, _ = bits = bits_of(cells)
        board = cls.__new__(cls)
        full_lines = rules.geometry.full_lines
        board._set((cells, rules, first), bits, full_lines(x) or full_lines(o))
        return board

    @property
    def utility(self) -> int:
        """1 if X has won, -1 if O has, 0 otherwise."""
        return {X: 1, O: -1, None: 0}[self.winner]

    def rows(self) -> list[str]:
        """Return the rows as strings, from the top."""
        width = self.rules.columns
        return [self.cells[start : start + width] for start in range(0, self.rules.size, width)]

    def __str__(self) -> str:
        """Return the canonical spelling: nine characters for 3×3, otherwise the rows joined by `/`.

        A board with a single row gets a final `/`. `Board.parse` reads the spelling back without
        `rows` and `columns`.
        """
        if self.rules.is_3x3:
            return self.cells
        return f"{self.cells}/" if self.rules.rows == 1 else "/".join(self.rows())

    def __repr__(self) -> str:
        rules = self.rules
        switches = "".join(f", {name}={on}" for name, on in rules.changed.items())
        return f"Board.parse({str(self)!r}, k={rules.k}, first={self.first!r}{switches})"

    def _repr_html_(self) -> str:
        return picture.svg(self)

    def __eq__(self, value: object) -> bool:
        return isinstance(value, Board) and self.key == value.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Board.unchecked, self.key

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board is immutable: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Board is immutable: cannot delete {name}")


def require_turns(cells: str, first: str) -> str:
    """Check that the sides took turns. Return whose turn it is if the game goes on.

    Raises:
        InvalidPosition: X or O has too many marks.
    """
    x, o = cells.count(X), cells.count(O)
    ahead = x - o if first == X else o - x
    second = O if first == X else X
    if ahead not in (0, 1):
        raise InvalidPosition(
            f"{x} X and {o} O: {first} moved first, so there must be as many {first} as {second}, "
            "or one more"
        )
    return second if ahead else first


def not_a_board(value: object) -> TypeError:
    shown = repr(value) if isinstance(value, str) and len(value) <= _SHOWN else "..."
    return TypeError(
        f"board must be a Board, not {type(value).__name__}: pass Board.parse({shown})"
    )
