"""Slow minimax over pairs of bit sets, and random positions: what the solver is tested against."""

from __future__ import annotations

import random
from functools import cache
from types import ModuleType

from bestmove.search.scores import WIN
from tests.support.builds import interpreted

Shape = tuple[int, int, int]


def interpreted_solver() -> ModuleType:
    """The solver's `proof` over the kernel run as plain Python, installed compiled or not."""
    module = interpreted("bestmove.search.solver.proof")
    assert not module.compiled
    return module


@cache
def ends_of(rows: int, columns: int, k: int) -> dict[int, int]:
    """Every line of k cells as a bit set, and the cells that would make it longer."""
    ends = {}
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                bits = [
                    1 << r * columns + c if 0 <= r < rows and 0 <= c < columns else 0
                    for r, c in ((row + down * i, column + right * i) for i in range(-1, k + 1))
                ]
                if all(bits[1:-1]):
                    # A single cell has no direction, and so no ends.
                    ends[sum(bits[1:-1])] = bits[0] | bits[-1] if k > 1 else 0
    return ends


class SlowGame:
    """Minimax that knows nothing but the rules, and remembers positions.

    Without `overline` more than k in a row do not win.
    """

    def __init__(self, rows: int, columns: int, k: int, overline: bool = True) -> None:
        self.shape = rows, columns, k
        self.overline = overline
        self.size = rows * columns
        self.ends = ends_of(rows, columns, k)
        self.lines = frozenset(self.ends)
        self.through = [[line for line in self.lines if line >> i & 1] for i in range(self.size)]
        self.known: dict[tuple[int, int], int] = {}

    def completes(self, marks: int, cell: int) -> bool:
        return any(self._is_filled(marks, line) for line in self.through[cell])

    def has_line(self, marks: int) -> bool:
        return any(self._is_filled(marks, line) for line in self.lines)

    def _is_filled(self, marks: int, line: int) -> bool:
        return marks & line == line and (self.overline or not marks & self.ends[line])

    def is_full(self, own: int, other: int) -> bool:
        return (own | other).bit_count() == self.size

    def value(self, own: int, other: int) -> int:
        """0, or ±(WIN − plies), for the side to move; the winner hurries, the loser delays."""
        known = self.known.get((own, other))
        if known is None:
            if len(self.known) > 300_000:
                self.known.clear()
            known = max(
                self.value_of_move(own, other, move)
                for move in range(self.size)
                if not (own | other) >> move & 1
            )
            self.known[own, other] = known
        return known

    def value_of_move(self, own: int, other: int, move: int) -> int:
        own |= 1 << move
        if self.completes(own, move):
            return WIN - 1
        if self.is_full(own, other):
            return 0
        reply = self.value(other, own)
        return 0 if reply == 0 else -reply + (1 if reply > 0 else -1)

    def random_marks(self, rng: random.Random, stones: int) -> tuple[int, int]:
        """`stones` marks, half of them (or one less) the first set's."""
        cells = rng.sample(range(self.size), stones)
        own = sum(1 << cell for cell in cells[: stones // 2])
        other = sum(1 << cell for cell in cells[stones // 2 :])
        return own, other


def random_position(
    rng: random.Random, most_empty: int, overline: bool = True
) -> tuple[Shape, int, int]:
    """A position of 1 to 5 rows and columns and any k, with no line and 1 to `most_empty` cells."""
    while True:
        rows, columns = rng.randint(1, 5), rng.randint(1, 5)
        k = rng.randint(1, max(rows, columns))
        game = SlowGame(rows, columns, k, overline)
        stones = game.size - rng.randint(1, min(game.size, most_empty))
        own, other = game.random_marks(rng, stones)
        if not game.has_line(own) and not game.has_line(other):
            return (rows, columns, k), own, other


def marks_to_cells(shape: Shape, own: int, other: int) -> bytes:
    """The solver's form, with the first set as X."""
    return bytes(
        1 if own >> i & 1 else 2 if other >> i & 1 else 0 for i in range(shape[0] * shape[1])
    )
