"""Every position of 3×3, under all rules, solved once and looked up ever after.

The solver is alpha-beta with a memory of positions, in the board's own indices. Its values know
distances (a quick win is worth more than a slow one), so that nothing is better than a win in
one: such a move ends its node, which is the only cutoff. From the empty board it meets 4,306 of
the 5,478 positions in a few milliseconds; the others are solved when they are asked for.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from bestmove.game import EMPTY, Board, O, Rules, X
from bestmove.search.results import Found
from bestmove.search.scores import WIN, before_move

ALGORITHM: Final = "memoized-alpha-beta"
"""What the table was solved by, as an answer names it."""

SIDE: Final = 3
SIZE: Final = SIDE * SIDE

_FULL: Final = (1 << SIZE) - 1
_CELLS: Final = tuple((index, 1 << (SIZE - 1 - index)) for index in range(SIZE))
"""Each cell's index and bit. Cell 0 is the highest bit, so that nine digits read as nine cells."""

_DIGITS: Final = {X: str.maketrans("XO.", "100"), O: str.maketrans("XO.", "010")}
"""By mark: the nine cells of a board as the digits of a binary number."""

_MARKS: Final = str.maketrans("10", X + EMPTY)
"""The digits of a binary number as the cells of one side."""


def covers(board: Board) -> bool:
    """Whether the table has the board: it is 3×3, under any rules."""
    return board.rules.rows == board.rules.columns == SIDE


def lookup(board: Board) -> Found:
    """The best move, its proven value and the line to the end of the game.

    Of equally good moves both sides play the one with the lowest index, to the end. The line of
    a finished game is empty.

    Raises:
        ValueError: the board is not 3×3.
    """
    solution, own, others = _place(board)
    value, _ = solution.entry(own, others)
    return _found(board, value, solution.line(own, others))


def lookup_moves(board: Board) -> list[Found]:
    """Every legal move with its proven value for the side that makes it, best first.

    Quick wins come before slow ones, slow losses before quick ones; ties by index.

    Raises:
        ValueError: the board is not 3×3.
    """
    solution, own, others = _place(board)
    found = []
    for move in board.moves:
        after = own | _CELLS[move][1]
        value = before_move(solution.entry(others, after)[0])
        found.append(_found(board, value, (move, *solution.line(others, after))))
    return sorted(found, key=lambda move: -move.value)  # stable: ties stay by index


def build() -> None:
    """Solve tic-tac-toe, so that the first look-up need not."""
    _solution(Rules(SIDE, SIDE, SIDE)).entry(0, 0)


def ready() -> bool:
    """Whether tic-tac-toe is solved."""
    return _solution(Rules(SIDE, SIDE, SIDE)).solved(0, 0)


class Solution:
    """Best play of 3×3 under some rules, as far as it was asked for.

    A position is two sets of cells, nine bits each: those of the side to move, and the others'.
    """

    def __init__(self, rules: Rules) -> None:
        self._gravity = rules.gravity
        self._ends = bytes(
            bool(rules.full_lines(f"{cells:0{SIZE}b}".translate(_MARKS)))
            for cells in range(_FULL + 1)
        )
        # Who completes a line has won, or in misère lost.
        self._completed = WIN if rules.misere else -WIN
        self._entries: dict[int, tuple[int, int]] = {}

    def solved(self, own: int, others: int) -> bool:
        """Whether the position need only be looked up."""
        return own << SIZE | others in self._entries

    def entry(self, own: int, others: int) -> tuple[int, int]:
        """The value for the side to move and its best move, the lowest of equals; -1 for none."""
        key = own << SIZE | others
        entry = self._entries.get(key)
        if entry is None:  # two threads may solve the same position: they find the same
            entry = self._entries[key] = self._solve(own, others)
        return entry

    def line(self, own: int, others: int) -> tuple[int, ...]:
        """Best play to the end of the game."""
        line = []
        _, move = self.entry(own, others)
        while move >= 0:
            line.append(move)
            own, others = others, own | _CELLS[move][1]
            _, move = self.entry(own, others)
        return tuple(line)

    def _solve(self, own: int, others: int) -> tuple[int, int]:
        taken = own | others
        if self._ends[others]:
            return self._completed, -1
        if taken == _FULL:
            return 0, -1
        moves = self._moves(taken)
        if self._completed < 0:
            for move, bit in moves:
                if self._ends[own | bit]:
                    return WIN - 1, move
        best, choice = -WIN, -1
        for move, bit in moves:
            value = before_move(self.entry(others, own | bit)[0])
            if value > best:
                best, choice = value, move
        return best, choice

    def _moves(self, taken: int) -> list[tuple[int, int]]:
        """The cells that can be played, each with its bit; three bits on is the cell above."""
        free = [(move, bit) for move, bit in _CELLS if not taken & bit]
        if not self._gravity:
            return free
        return [(move, bit) for move, bit in free if bit < 1 << SIDE or taken & bit >> SIDE]


_solution: Final = cache(Solution)
"""By rules: 24 of them at most."""


def _place(board: Board) -> tuple[Solution, int, int]:
    """The solution that has the board, the cells of the side to move, and the others'."""
    if not covers(board):
        raise ValueError(f"the table has 3×3 boards, not {board.rules}")
    x = int(board.cells.translate(_DIGITS[X]), 2)
    o = int(board.cells.translate(_DIGITS[O]), 2)
    first, second = (x, o) if board.first == X else (o, x)
    even = first.bit_count() == second.bit_count()
    return (_solution(board.rules), *((first, second) if even else (second, first)))


def _found(board: Board, value: int, line: tuple[int, ...]) -> Found:
    """A look-up: one node, which the table answers, down to the end of the game."""
    return Found(value, True, line, depth=board.cells.count(EMPTY), nodes=1, table_hits=1)
