"""Every position of 3×3 tic-tac-toe, solved once and looked up ever after.

The positions that differ by more than a turn or a reflection of the board (765 with three in a
row) are solved by memoised alpha-beta, with a utility that knows distances: quick wins, slow
losses. The entry of a board is put together from their values when it is first asked for, in the
board's own indices, and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from operator import itemgetter
from typing import Final

from bestmove.game import EMPTY, Board, O, Rules, X
from bestmove.search.results import Found
from bestmove.search.scores import WIN
from bestmove.search.textbook.algorithms import Table, memoized_alpha_beta

SIDE: Final = 3
SIZE: Final = SIDE * SIDE


def covers(board: Board) -> bool:
    """Whether the table has the board: it is 3×3, with any k."""
    return board.rules.rows == board.rules.columns == SIDE


def lookup(board: Board) -> Found:
    """The best move, its proven value and the line to the end of the game.

    Of equally good moves both sides play the one with the lowest index, to the end. The line of
    a finished game is empty.

    Raises:
        ValueError: the board is not 3×3.
    """
    solution, cells = _solution_and_cells(board)
    return solution.best(cells)


def lookup_moves(board: Board) -> list[Found]:
    """Every legal move with its proven value for the side that makes it, best first.

    Quick wins come before slow ones, slow losses before quick ones; ties by index.

    Raises:
        ValueError: the board is not 3×3.
    """
    solution, cells = _solution_and_cells(board)
    return list(solution.moves(cells))


def build() -> None:
    """Solve 3×3 with three in a row, so that the first look-up need not."""
    _solution(SIDE)


def ready() -> bool:
    """Whether 3×3 with three in a row is solved."""
    return SIDE in _solutions


class Canonical:
    """A position that stands for all its turns and reflections: the least of them, as text.

    It is a `games.Game`: moves lead from canonical position to canonical position.
    """

    __slots__ = ("cells", "marks", "rules", "winner")

    def __init__(self, rules: Rules, cells: str, marks: int = 0, winner: str | None = None) -> None:
        self.rules = rules
        self.cells = cells
        self.marks = marks
        self.winner = winner

    @property
    def maximizing(self) -> bool:
        """Whether X is to move, who moved first."""
        return self.marks % 2 == 0

    def is_over(self) -> bool:
        """Whether somebody has won or the board is full."""
        return self.winner is not None or self.marks == SIZE

    def utility(self) -> float:
        """The earlier the win, the better for the winner: marks on the board count against it."""
        if self.winner is None:
            return 0
        return WIN - self.marks if self.winner == X else self.marks - WIN

    def moves(self) -> Sequence[int]:
        """The empty cells."""
        return [index for index, mark in enumerate(self.cells) if mark == EMPTY]

    def play(self, move: int) -> Canonical:
        """What stands for the position after a move."""
        mark = X if self.maximizing else O
        after = self.cells[:move] + mark + self.cells[move + 1 :]
        winner = mark if self.rules.full_lines(after) else None
        return Canonical(self.rules, canonical(after), self.marks + 1, winner)

    def key(self) -> Hashable:
        """The cells say everything."""
        return self.cells


def _images() -> tuple[Callable[[str], tuple[str, ...]], ...]:
    turned = [(row, column) for row in range(SIDE) for column in range(SIDE)]
    images = []
    for _ in range(4):
        turned = [(column, SIDE - 1 - row) for row, column in turned]
        for cells in (turned, [(column, row) for row, column in turned]):
            images.append(itemgetter(*(SIDE * row + column for row, column in cells)))
    return tuple(images)


_IMAGES: Final = _images()
"""The eight symmetries of the square, each from nine cells to nine cells."""


@cache
def canonical(cells: str) -> str:
    """The least of the eight turns and reflections of nine cells."""
    return "".join(min(image(cells) for image in _IMAGES))


class Solution:
    """All that best play of 3×3 with k in a row comes to, X first."""

    def __init__(self, k: int) -> None:
        self._values = _solve_all(Canonical(Rules(SIDE, SIDE, k), EMPTY * SIZE))
        self._best: dict[str, Found] = {}
        self._moves: dict[str, list[Found]] = {}

    def __len__(self) -> int:
        """The number of positions, of each eight that look alike one."""
        return len(self._values)

    def best(self, cells: str) -> Found:
        """The best move, the lowest of equals; a finished game has a value alone."""
        best = self._best.get(cells)
        if best is None:
            moves = self._ranked(cells)
            best = self._follow(cells, moves[0]) if moves else Found(self._value(cells), True, ())
            self._best[cells] = best
        return best

    def moves(self, cells: str) -> list[Found]:
        """Every legal move, best first."""
        moves = self._moves.get(cells)
        if moves is None:
            moves = [self._follow(cells, move) for move in self._ranked(cells)]
            self._moves[cells] = moves
        return moves

    def _value(self, cells: str) -> int:
        return self._values[canonical(cells)]

    def _ranked(self, cells: str) -> list[int]:
        if self._value(cells) == -WIN:  # the game was lost with the last move
            return []
        moves = [index for index, mark in enumerate(cells) if mark == EMPTY]
        return sorted(moves, key=lambda move: self._value(_after(cells, move)))  # stable: by index

    def _follow(self, cells: str, move: int) -> Found:
        rest = self.best(_after(cells, move))
        return Found(
            value=-rest.value - _sign(-rest.value),  # a ply earlier
            exact=True,
            pv=(move, *rest.pv),
            depth=cells.count(EMPTY),
            nodes=1,
            table_hits=1,
        )


def _solve_all(root: Canonical) -> dict[str, int]:
    """The values of all positions from `root` on, each for its side to move."""
    values: dict[str, int] = {}
    table: Table = {}
    waiting = [root]
    while waiting:
        position = waiting.pop()
        if position.cells in values:
            continue
        value = round(memoized_alpha_beta(position, table=table).value)
        mine = value if position.maximizing else -value
        values[position.cells] = mine + _sign(mine) * position.marks  # count from here
        if not position.is_over():
            waiting.extend(map(position.play, position.moves()))
    return values


def _after(cells: str, move: int) -> str:
    mark = X if cells.count(X) == cells.count(O) else O
    return cells[:move] + mark + cells[move + 1 :]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


_solutions: Final[dict[int, Solution]] = {}
"""By k. Two threads may solve the same one at first; it does not matter which one stays."""


def _solution(k: int) -> Solution:
    solution = _solutions.get(k)
    if solution is None:
        solution = _solutions[k] = Solution(k)
    return solution


_SWAP_MARKS: Final = str.maketrans(X + O, O + X)


def _solution_and_cells(board: Board) -> tuple[Solution, str]:
    if not covers(board):
        raise ValueError(f"the table has 3×3 boards, not {board.rules}")
    # Values are those of the side to move: where O moved first the marks change their names.
    cells = board.cells if board.first == X else board.cells.translate(_SWAP_MARKS)
    return _solution(board.rules.k), cells
