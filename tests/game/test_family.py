"""On small boards, the rules with gravity, overline and misere agree with a slow oracle."""

import itertools
import random
from functools import cache
from typing import Any

import pytest

from bestmove.errors import InvalidPosition
from bestmove.game import Board, Rules
from tests.support.oracle import EVERY_RULE, Game

every_combination = pytest.mark.parametrize(
    "switches",
    EVERY_RULE,
    ids=lambda given: "-".join(name for name, on in given.items() if on) or "none",
)


class Oracle:
    """Checks slowly, by the rules alone, whether a game can reach a position."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        switches = {"gravity": rules.gravity, "overline": rules.overline, "misere": rules.misere}
        self.game = Game(rules.rows, rules.columns, rules.k, **switches)
        self.is_reached = cache(self._is_reached)

    def ends_with(self, cells: str, place: int) -> bool:
        marks = sum(1 << at for at, mark in enumerate(cells) if mark == cells[place])
        return self.game.completes(marks, place)

    def is_over(self, cells: str) -> bool:
        return any(mark != "." and self.ends_with(cells, at) for at, mark in enumerate(cells))

    def may_be_last(self, cells: str, place: int) -> bool:
        above = place - self.rules.columns
        return not self.rules.gravity or above < 0 or cells[above] == "."

    def _is_reached(self, cells: str) -> bool:
        if cells.count("X") - cells.count("O") not in (0, 1):
            return False
        if set(cells) == {"."}:
            return True
        last = "O" if cells.count("X") == cells.count("O") else "X"
        for place, mark in enumerate(cells):
            below = place + self.rules.columns
            if self.rules.gravity and mark != "." and below < len(cells) and cells[below] == ".":
                return False
        return any(
            mark == last
            and self.may_be_last(cells, place)
            and not self.is_over(before := cells[:place] + "." + cells[place + 1 :])
            and self.is_reached(before)
            for place, mark in enumerate(cells)
        )


def accepted(cells: str, rules: Rules) -> Board | None:
    try:
        return Board(cells, rules)
    except InvalidPosition:
        return None


@every_combination
@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(2, 3, 2), (3, 2, 3), (3, 3, 3), (1, 7, 3), (1, 4, 1)]
)
def test_every_string_of_a_small_board_is_accepted_if_and_only_if_a_game_reaches_it(
    rows: int, columns: int, k: int, switches: Any
) -> None:
    rules = Rules(rows, columns, k, **switches)
    oracle = Oracle(rules)
    rng = random.Random(7)
    strings = ["".join(marks) for marks in itertools.product(".XO", repeat=rules.size)]
    for cells in strings if len(strings) < 3_000 else rng.sample(strings, 3_000):
        board = accepted(cells, rules)
        assert (board is not None) == oracle.is_reached(cells), cells
        if board is not None:
            assert (board.winning_line is not None) == oracle.is_over(cells), cells


@every_combination
def test_games_played_at_random_end_as_the_oracle_says(switches: Any) -> None:
    rng = random.Random(3)
    for _ in range(60):
        rules = Rules(rng.randint(1, 6), rng.randint(3, 6), rng.randint(2, 3), **switches)
        oracle = Oracle(rules)
        board = Board("." * rules.size, rules)
        played: list[int] = []
        while board.moves:
            mover = board.turn
            played.append(rng.choice(board.moves))
            board = board.play(played[-1])
            assert Board(board.cells, rules) == board
            ended = oracle.ends_with(board.cells, played[-1])
            assert (board.winning_line is not None) == ended
            if ended:
                assert (board.winner == mover) == (not rules.misere)
                assert board.winning_line is not None
                assert played[-1] in board.winning_line
        again = Board.from_moves(played, rules.rows, rules.columns, rules.k, **switches)
        assert again == board
        assert Board.parse(str(board), k=rules.k, **switches) == board
