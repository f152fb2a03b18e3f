"""Forced wins: are the positions of `won_positions` won, and how many does the engine prove?

    python -m benchmarks.engine.forced_wins [--verify]

Counts the wins by continuous fours and threes proven within a second each. `--verify` plays every
win out against every legal reply, the winner by the engine's threats, the end by the rules alone.
"""

from __future__ import annotations

import argparse
import time

from benchmarks.engine.won_positions import positions
from bestmove.game import EMPTY, Board, O, X
from bestmove.search.budget import encoded
from bestmove.search.gomoku.driver import Engine
from bestmove.search.results import Found

SECONDS = 1.0


class Verifier:
    """Plays a win out against every defence; remembers the positions that it has seen won."""

    def __init__(self, board: Board) -> None:
        self.rules = board.rules
        self.engine = Engine(self.rules.rows, self.rules.columns, self.rules.k, 16)
        self.cells = list(board.cells)
        self.winner, self.loser = (X, O) if board.turn == X else (O, X)
        self.won: set[str] = set()
        self.replies = 0

    def is_won(self) -> bool:
        """Whether the winner, to move, wins by the engine's moves, whatever is replied."""
        if self._completing(self.winner, self._free()):
            return True
        key = "".join(self.cells)
        if key in self.won:
            return True
        found = threats(self.engine, self.cells, self.winner, None)
        if found is None:
            return False
        move = found.pv[0]
        self.cells[move] = self.winner
        holds = self._is_held()
        self.cells[move] = EMPTY
        if not holds:
            self.won.add(key)
        return not holds

    def _is_held(self) -> bool:
        """Whether the loser, to move, has a reply that saves him."""
        if self._completing(self.loser, self._free()):
            return True
        ends = self._completing(self.winner, self._free())
        if len(ends) > 1:
            self.replies += 1
            return False
        fours = [] if ends else self._open_fours()
        # Any reply but the one that stops a line lets it be completed.
        for reply in ends or self._free():
            self.replies += 1
            self.cells[reply] = self.loser
            won = (
                any(self._wins_at(four) for four in fours) and not self._threatens(reply)
            ) or self.is_won()
            self.cells[reply] = EMPTY
            if not won:
                return True
        return False

    def _free(self) -> list[int]:
        return [index for index, mark in enumerate(self.cells) if mark == EMPTY]

    def _completing(self, mark: str, among: list[int]) -> list[int]:
        """The cells with which a side completes a line, by the rules."""
        return [
            index
            for index in among
            if any(
                all(self.cells[at] == mark for at in line if at != index)
                for line in self.rules.lines_through[index]
            )
        ]

    def _open_fours(self) -> list[int]:
        return [index for index in self._free() if self._wins_at(index)]

    def _wins_at(self, index: int) -> bool:
        """Whether the winner's mark on a cell leaves two cells to complete a line."""
        if self.cells[index] != EMPTY:
            return False
        self.cells[index] = self.winner
        ends = self._completing(self.winner, self._free_along(index))
        self.cells[index] = EMPTY
        return len(ends) > 1

    def _threatens(self, index: int) -> bool:
        """Whether the loser's mark on a cell lets him complete a line next."""
        return bool(self._completing(self.loser, self._free_along(index)))

    def _free_along(self, index: int) -> list[int]:
        cells = {at for line in self.rules.lines_through[index] for at in line}
        return [at for at in cells if self.cells[at] == EMPTY]


def threats(
    engine: Engine, cells: str | list[str], mover: str | None, deadline: float | None
) -> Found | None:
    """The engine's win by threats for the side to move."""
    return engine.forced_win(*encoded("".join(cells), mover), deadline=deadline, nodes=2_000_000)


def main() -> None:
    """Count, and verify when asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine.forced_wins")
    parser.add_argument("--verify", action="store_true", help="play out every defence")
    options = parser.parse_args()
    boards = positions()
    proven = 0
    longest = 0.0
    for number, board in enumerate(boards, 1):
        engine = Engine(board.rules.rows, board.rules.columns, board.rules.k)
        began = time.monotonic()
        found = threats(engine, board.cells, board.turn, began + SECONDS)
        longest = max(longest, time.monotonic() - began)
        proven += found is not None
        if options.verify:
            verifier = Verifier(board)
            verdict = "won" if verifier.is_won() else "NOT WON"
            print(f"{number}: {verdict}, {verifier.replies:,} replies", flush=True)
    print(f"proven within {SECONDS:g} s: {proven} of {len(boards)}; longest {longest:.3f} s")


if __name__ == "__main__":
    main()
