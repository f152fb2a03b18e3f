"""Slow minimax under any rules of the family, and random positions to ask it about.

It shares no code with the engine: a position is text, runs are found by splitting the rows,
columns and diagonals at other marks, and every legal move is tried to the end of the game.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

WIN = 30_000


@dataclass(frozen=True)
class Family:
    """One game: `.` is empty, X and O are the marks."""

    rows: int
    columns: int
    k: int
    gravity: bool
    overline: bool
    misere: bool
    known: dict[tuple[str, str], int] = field(default_factory=dict, compare=False, repr=False)

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.rows, self.columns, self.k

    @property
    def switches(self) -> dict[str, bool]:
        return {"gravity": self.gravity, "overline": self.overline, "misere": self.misere}

    def moves(self, text: str) -> list[int]:
        """Every empty cell, with gravity only such as rest on a mark or on the bottom."""
        return [
            at
            for at, mark in enumerate(text)
            if mark == "." and not (self.gravity and "." in text[at + self.columns :: self.columns])
        ]

    def lines(self, text: str, mark: str) -> int:
        """How many lines a mark has."""
        height, width = self.rows, self.columns
        rows = [text[i * width : (i + 1) * width] for i in range(height)]
        columns = [text[i::width] for i in range(width)]
        slanted = []
        for start in range(-height, width + height):
            down = [(r, start + r) for r in range(height)]
            up = [(r, start - r) for r in range(height)]
            for cells in (down, up):
                slanted.append("".join(rows[r][c] for r, c in cells if 0 <= c < width))
        other = "XO".replace(mark, "")
        runs = "|".join(rows + columns + slanted).replace(other, "|").replace(".", "|").split("|")
        lengths = [len(run) for run in runs]
        return sum(n == self.k or (n > self.k and self.overline) for n in lengths)

    def value(self, text: str, mover: str) -> int:
        """0, or ±(WIN − plies), for the side to move: the winner hurries, the loser delays."""
        known = self.known.get((text, mover))
        if known is None:
            known = max(self.value_of_move(text, mover, move) for move in self.moves(text))
            self.known[text, mover] = known
        return known

    def value_of_move(self, text: str, mover: str, move: int) -> int:
        after = text[:move] + mover + text[move + 1 :]
        if self.lines(after, mover):
            return -(WIN - 1) if self.misere else WIN - 1
        if "." not in after:
            return 0
        reply = self.value(after, "XO".replace(mover, ""))
        return 0 if reply == 0 else -reply + (1 if reply > 0 else -1)

    def random_position(self, rng: random.Random, empty: int) -> str | None:
        """A position with so many empty cells, by turns; None when a line ended the game before."""
        text = "." * self.size
        for number in range(self.size - empty):
            move, mark = rng.choice(self.moves(text)), "XO"[number % 2]
            text = text[:move] + mark + text[move + 1 :]
            if self.lines(text, mark):
                return None
        return text


def random_family(rng: random.Random, side: int = 4) -> Family:
    """Any rules on a board of up to `side` rows and columns."""
    rows, columns = rng.randint(1, side), rng.randint(1, side)
    k = rng.randint(1, max(rows, columns))
    gravity, overline, misere = (rng.random() < 0.5 for _ in range(3))
    return Family(rows, columns, k, gravity, overline, misere)


def positions(rng: random.Random, count: int, most_empty: int) -> list[tuple[Family, str, str]]:
    """Games, positions and sides to move; the many of one shape share what minimax knows."""
    games: dict[Family, Family] = {}
    found: list[tuple[Family, str, str]] = []
    while len(found) < count:
        game = random_family(rng)
        game = games.setdefault(game, game)
        empty = rng.randint(1, min(game.size, most_empty))
        text = game.random_position(rng, empty)
        if text is not None:
            found.append((game, text, "XO"[(game.size - empty) % 2]))
    return found


def cells_of(text: str) -> bytes:
    """The engine's form."""
    return bytes(".XO".index(mark) for mark in text)
