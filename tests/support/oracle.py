"""A second implementation of the games, slow and simple, without any code of the package.

A position is two bit sets of cells, in which cell i is `1 << i`. Minimax tries every legal move to
the end of the game. A third implementation, of the plain game only, keeps marks in a dict. It
decides whether a game can reach a position.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

WIN = 30_000
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))

Cells = dict[tuple[int, int], str]
Shape = tuple[int, int, int]

Switches = dict[str, bool]

EVERY_RULE: Sequence[Switches] = tuple(
    dict(zip(("gravity", "overline", "misere"), on, strict=True))
    for on in product((False, True), (True, False), (False, True))
)
"""All combinations of the switches; the plain game comes first."""


@cache
def ends_of(rows: int, columns: int, k: int) -> dict[int, int]:
    """Map each window of k cells to the cells just beyond its ends."""
    ends = {}
    for row, column, (down, right) in product(range(rows), range(columns), STEPS):
        places = [(row + down * i, column + right * i) for i in range(-1, k + 1)]
        bits = [
            1 << r * columns + c if 0 <= r < rows and 0 <= c < columns else 0 for r, c in places
        ]
        if all(bits[1:-1]):
            # A line of one cell has no direction, so it has no ends.
            ends[sum(bits[1:-1])] = bits[0] | bits[-1] if k > 1 else 0
    return ends


class Game:
    """Minimax by the rules alone. Remembers the values of positions."""

    def __init__(self, rows: int, columns: int, k: int, **switches: bool) -> None:
        self.shape = rows, columns, k
        self.switches = {"gravity": False, "overline": True, "misere": False} | switches
        self.size, self.columns = rows * columns, columns
        self.gravity, self.overline, self.misere = self.switches.values()
        self.ends = ends_of(rows, columns, k)
        self.lines = frozenset(self.ends)
        self.through = [[line for line in self.lines if line >> i & 1] for i in range(self.size)]
        self.known: dict[tuple[int, int], int] = {}

    def __repr__(self) -> str:
        on = [name for name, is_on in self.switches.items() if is_on]
        return "-".join(("{}×{}×{}".format(*self.shape), *on))

    def moves(self, taken: int) -> list[int]:
        filled = taken | ((1 << self.columns) - 1) << self.size
        return [
            at
            for at in range(self.size)
            if not taken >> at & 1 and (not self.gravity or filled >> at + self.columns & 1)
        ]

    def completes(self, marks: int, cell: int) -> bool:
        return any(self.is_filled(marks, line) for line in self.through[cell])

    def has_line(self, marks: int) -> bool:
        return any(self.is_filled(marks, line) for line in self.lines)

    def is_filled(self, marks: int, line: int) -> bool:
        return marks & line == line and (self.overline or not marks & self.ends[line])

    def value(self, own: int, other: int) -> int:
        """Return the value for the side to move: 0 or ±(WIN − plies).

        The winner wins as soon as possible, and the loser loses as late as possible.
        """
        known = self.known.get((own, other))
        if known is None:
            if len(self.known) > 300_000:
                self.known.clear()
            known = max(self.value_of_move(own, other, move) for move in self.moves(own | other))
            self.known[own, other] = known
        return known

    def value_of_move(self, own: int, other: int, move: int) -> int:
        own |= 1 << move
        if self.completes(own, move):
            return 1 - WIN if self.misere else WIN - 1
        if (own | other).bit_count() == self.size:
            return 0
        reply = self.value(other, own)
        return 0 if reply == 0 else -reply + (1 if reply > 0 else -1)

    def random_marks(self, rng: random.Random, marks: int) -> tuple[int, int]:
        """Choose `marks` random cells. Return half of them (rounded down), and the rest."""
        cells = rng.sample(range(self.size), marks)
        own, other = cells[: marks // 2], cells[marks // 2 :]
        return sum(1 << cell for cell in own), sum(1 << cell for cell in other)

    def random_position(self, rng: random.Random, empty: int) -> Position | None:
        """Return a random position in which X moved first, or None if it has a line."""
        own = other = 0
        if self.overline and not self.gravity:
            # Under these rules no move breaks a line. So if the position has no line, no earlier
            # position had one.
            own, other = self.random_marks(rng, self.size - empty)
            if self.has_line(own) or self.has_line(other):
                return None
        else:
            for _ in range(self.size - empty):
                cell = rng.choice(self.moves(own | other))
                own, other = other, own | 1 << cell
                if self.completes(other, cell):
                    return None
        return Position(self, own, other, 1 + (self.size - empty) % 2)

    def crowded(self, rng: random.Random, marks: int, box: int = 9) -> Position | None:
        """Return a position with random marks close to the middle, or None if it has a line."""
        rows, columns, _ = self.shape
        height, width = min(rows, box), min(columns, box)
        top, left = (rows - height) // 2, (columns - width) // 2
        near = [(top + i) * columns + left + j for i in range(height) for j in range(width)]
        cells = rng.sample(near, min(marks, len(near) - 1))
        later, sooner = (sum(1 << cell for cell in cells[i::2]) for i in (1, 0))
        if self.has_line(later) or self.has_line(sooner):
            return None
        even = len(cells) % 2 == 0
        return Position(self, *((sooner, later) if even else (later, sooner)), 1 + len(cells) % 2)

    def crowds(self, rng: random.Random, least: int, most: int, box: int = 9) -> Iterator[Position]:
        while True:
            if at := self.crowded(rng, rng.randint(least, most), box):
                yield at


@dataclass(frozen=True)
class Position:
    """`own`: the marks of the side to move, as bits. `to_move`: 1 for X, 2 for O."""

    game: Game
    own: int
    other: int
    to_move: int = 1

    @classmethod
    def of(cls, game: Game, text: str, to_move: int | None = None) -> Position:
        """Read a position from text. Without `to_move`, X moved first."""
        text = "".join(text.replace("/", "").split())
        x, o = (sum(1 << at for at, mark in enumerate(text) if mark == who) for who in "XO")
        to_move = to_move or 1 + (x.bit_count() > o.bit_count())
        return cls(game, *((x, o) if to_move == 1 else (o, x)), to_move)

    @property
    def cells(self) -> bytes:
        """Return the cells in the engines' form: one byte each, 0 for empty, 1 for X, 2 for O."""
        mine, yours = self.to_move, 3 - self.to_move
        return bytes(
            mine if self.own >> at & 1 else yours if self.other >> at & 1 else 0
            for at in range(self.game.size)
        )

    @property
    def text(self) -> str:
        return "".join(".XO"[mark] for mark in self.cells)

    @property
    def mirrored(self) -> Position:
        """Return the position with left and right exchanged."""
        columns = self.game.columns
        rows = [self.text[i : i + columns][::-1] for i in range(0, self.game.size, columns)]
        return Position.of(self.game, "".join(rows), self.to_move)

    @property
    def swapped(self) -> Position:
        """Return the position with X and O exchanged."""
        return Position(self.game, self.own, self.other, 3 - self.to_move)

    @property
    def moves(self) -> list[int]:
        return self.game.moves(self.own | self.other)

    @property
    def value(self) -> int:
        return self.game.value(self.own, self.other)

    def value_of(self, move: int) -> int:
        return self.game.value_of_move(self.own, self.other, move)

    def wins(self, move: int) -> bool:
        """Return True if a move completes a line (which loses in misère)."""
        return self.game.completes(self.own | 1 << move, move)

    def after(self, move: int) -> Position:
        return Position(self.game, self.other, self.own | 1 << move, 3 - self.to_move)


def positions(
    rng: random.Random,
    count: int,
    most_empty: int,
    *,
    side: int = 5,
    rules: Sequence[Switches] = EVERY_RULE,
    fits: Callable[[Shape], bool] = lambda _: True,
) -> list[Position]:
    """Return random positions on boards of up to `side` rows and columns.

    Positions of equal games share one `Game`.
    """
    games: dict[str, Game] = {}
    found: list[Position] = []
    while len(found) < count:
        rows, columns = rng.randint(1, side), rng.randint(1, side)
        shape = rows, columns, rng.randint(1, max(rows, columns))
        switches = rng.choice(rules)
        if fits(shape):
            game = Game(*shape, **switches)
            game = games.setdefault(repr(game), game)
            empty = rng.randint(1, min(game.size, most_empty))
            found += filter(None, [game.random_position(rng, empty)])
    return found


# The third implementation: the plain game, with marks in a dict.


def cells_of(text: str, columns: int) -> Cells:
    flat = text.replace("/", "")
    return {divmod(place, columns): mark for place, mark in enumerate(flat) if mark in "XO"}


def run_from(cells: Cells, start: tuple[int, int], step: tuple[int, int]) -> int:
    """Return the length of the run of equal marks from `start` in the direction `step`."""
    length, (row, column) = 0, start
    while cells.get((row, column)) == cells[start]:
        length, row, column = length + 1, row + step[0], column + step[1]
    return length


def winners(cells: Cells, k: int) -> set[str]:
    return {cells[cell] for cell in cells for step in STEPS if run_from(cells, cell, step) >= k}


def is_reachable(text: str, columns: int, k: int, first: str = "X") -> bool:
    """Return True if a game can reach this position. Only the last move may win."""
    cells = cells_of(text, columns)
    second = "XO".replace(first, "")
    counts = {mark: list(cells.values()).count(mark) for mark in "XO"}
    if counts[first] - counts[second] not in (0, 1):
        return False
    if not winners(cells, k):
        return True  # there is no line, so any order of moves is possible
    last = first if counts[first] > counts[second] else second
    return any(
        not winners({other: m for other, m in cells.items() if other != cell}, k)
        for cell, mark in cells.items()
        if mark == last
    )


_TIC_TAC_TOE = Game(3, 3, 3)


def solve3(text: str) -> tuple[int, int]:
    """Return the result for X (1, 0 or -1) of best play on 3×3, and the plies to the end."""
    won = winners(cells_of(text, 3), 3)
    if won or "." not in text:
        return (1 if "X" in won else -1 if "O" in won else 0), 0
    position = Position.of(_TIC_TAC_TOE, text)
    value = position.value if position.to_move == 1 else -position.value
    if not value:
        return 0, text.count(".")
    return (1 if value > 0 else -1), WIN - abs(value)
