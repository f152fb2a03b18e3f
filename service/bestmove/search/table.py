"""Solves 3×3 once, by any rules, and then answers every position by a look-up.

The search is memoised. Its values include distances (a quick win is worth more than a slow one), so
its only cutoff is at a win in one, which nothing can improve. From the empty board it visits 4,306
of the 5,478 positions in a few milliseconds; the others are solved on demand.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from bestmove.game import EMPTY, Board, O, Rules, X
from bestmove.game.bitboard import cells_with
from bestmove.search.results import Found
from bestmove.search.scores import WIN, before_move

ALGORITHM: Final = "memoized-alpha-beta"
"""How answers name the search that solved the table."""

SIDE: Final = 3
SIZE: Final = SIDE * SIDE

_FULL: Final = (1 << SIZE) - 1
_MARKS: Final = str.maketrans("10", X + EMPTY)
"""The translation from the digits of a binary number to cells."""


def covers(board: Board) -> bool:
    """Whether the board is 3×3, under any rules."""
    return board.rules.rows == board.rules.columns == SIDE


def lookup(board: Board) -> Found:
    """The best move, its proven value and the line to the end of the game.

    Both sides play the lowest of equally good moves. The line of a finished game is empty.

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
        after = own | 1 << move
        value = before_move(solution.entry(others, after)[0])
        found.append(_found(board, value, (move, *solution.line(others, after))))
    return sorted(found, key=lambda move: -move.value)  # stable: ties stay by index


def build() -> None:
    """Solve tic-tac-toe, so that the first look-up does not have to."""
    _solution(Rules(SIDE, SIDE, SIDE)).entry(0, 0)


def ready() -> bool:
    """Whether tic-tac-toe is solved."""
    return _solution(Rules(SIDE, SIDE, SIDE)).solved(0, 0)


class Solution:
    """Best play of 3×3 under some rules, for the positions looked up so far.

    A position is two sets of nine bits: the cells of the side to move, and the opponent's.
    """

    def __init__(self, rules: Rules) -> None:
        self._gravity = rules.gravity
        self._ends = bytes(
            bool(rules.full_lines(f"{cells:0{SIZE}b}"[::-1].translate(_MARKS)))
            for cells in range(_FULL + 1)
        )
        # The value for the side to move after the other has completed a line.
        self._completed = WIN if rules.misere else -WIN
        self._entries: dict[int, tuple[int, int]] = {}

    def solved(self, own: int, others: int) -> bool:
        """Whether the position is solved already."""
        return own << SIZE | others in self._entries

    def entry(self, own: int, others: int) -> tuple[int, int]:
        """The value for the side to move, and its lowest best move; -1 if the game is over."""
        key = own << SIZE | others
        entry = self._entries.get(key)
        if entry is None:  # two threads may solve a position at once, with the same result
            entry = self._entries[key] = self._solve(own, others)
        return entry

    def line(self, own: int, others: int) -> tuple[int, ...]:
        """Best play to the end of the game."""
        line = []
        _, move = self.entry(own, others)
        while move >= 0:
            line.append(move)
            own, others = others, own | 1 << move
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
            for move in moves:
                if self._ends[own | 1 << move]:
                    return WIN - 1, move
        best, choice = -WIN, -1
        for move in moves:
            value = before_move(self.entry(others, own | 1 << move)[0])
            if value > best:
                best, choice = value, move
        return best, choice

    def _moves(self, taken: int) -> list[int]:
        """The legal moves, ascending; with gravity, each is on another mark or on the bottom."""
        free = [move for move in range(SIZE) if not taken >> move & 1]
        if not self._gravity:
            return free
        support = taken | _FULL << SIZE
        return [move for move in free if support >> move + SIDE & 1]


_solution: Final = cache(Solution)
"""The solution for a set of rules, kept after its first use; 3×3 has 24 sets of rules."""


def _place(board: Board) -> tuple[Solution, int, int]:
    """The board's solution, the cells of the side to move, and the opponent's."""
    if not covers(board):
        raise ValueError(f"the table has 3×3 boards, not {board.rules}")
    x, o = cells_with(board.cells, X), cells_with(board.cells, O)
    first, second = (x, o) if board.first == X else (o, x)
    even = first.bit_count() == second.bit_count()
    return (_solution(board.rules), *((first, second) if even else (second, first)))


def _found(board: Board, value: int, line: tuple[int, ...]) -> Found:
    """The result of a look-up: one node, answered by the table."""
    return Found(value, True, line, depth=board.cells.count(EMPTY), nodes=1, table_hits=1)
