"""Rules and reachable positions agree with a slow oracle, and the work of a check is bounded."""

import itertools
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bestmove.errors import InvalidPosition
from bestmove.game import EMPTY, Board, Rules, other, reachability
from bestmove.game.reachability import MOST_LOOKS, Looks
from tests.support.oracle import EVERY_RULE
from tests.support.positions import game_of

every_combination = pytest.mark.parametrize("switches", EVERY_RULE, ids=repr)


class Oracle:
    """Checks slowly, by the rules alone, whether a game can reach a position."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = game_of(rules)
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


def strings(rules: Rules, rng: random.Random) -> Iterator[str]:
    """Yield boards with any marks; if the board is long, with runs of marks in its lower part."""
    if rules.size < 10:
        every = ["".join(marks) for marks in itertools.product(".XO", repeat=rules.size)]
        yield from rng.sample(every, min(len(every), 6_000))
        return
    for _ in range(200):
        cells = "X" * rules.size
        while cells.count("X") - cells.count("O") not in (0, 1):
            runs = [rng.choice("XO") * rng.randint(1, 5) for _ in range(rules.size)]
            cells = "".join(runs)[: rng.randint(rules.size // 2, rules.size)]
        yield cells.rjust(rules.size, EMPTY)


@every_combination
@pytest.mark.parametrize(
    ("rows", "columns", "k"),
    [
        *((2, 4, 2), (3, 2, 3), (3, 3, 3), (1, 7, 3), (1, 4, 1)),
        *((2, 7, 2), (7, 2, 2), (1, 14, 2), (3, 5, 2), (5, 3, 2)),
        *((2, 7, 3), (7, 2, 4), (1, 14, 4), (3, 5, 3), (5, 3, 3)),
    ],
)
def test_a_position_is_accepted_if_and_only_if_a_game_reaches_it(
    rows: int, columns: int, k: int, switches: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules(rows, columns, k, **switches)
    oracle, look = Oracle(rules), counting(monkeypatch)
    for cells in strings(rules, random.Random(7)):
        assert look(cells, rules) < MOST_LOOKS
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
            assert board.turn
            mover, move = board.turn, rng.choice(board.moves)
            played.append(move)
            after = board.play(move)
            assert after.cells == board.cells[:move] + mover + board.cells[move + 1 :]
            board = after
            assert Board(board.cells, rules) == board
            assert board.is_over == (board.turn is None) == (not board.moves)
            assert board.turn in (None, other(mover))
            assert board.utility == {"X": 1, "O": -1, None: 0}[board.winner]
            ended = oracle.ends_with(board.cells, move)
            assert (board.winning_line is not None) == ended
            if board.winning_line:
                assert (board.winner == mover) == (not rules.misere)
                assert board.winning_line in [line.cells for line in rules.geometry.lines]
                assert move in board.winning_line
                assert {board.cells[cell] for cell in board.winning_line} == {mover}
        again = Board.from_moves(played, rules.rows, rules.columns, rules.k, **switches)
        assert again == board
        assert Board.parse(str(board), k=rules.k, **switches) == board


# The work is bounded.


def counting(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Rules], int]:
    budgets: list[Looks] = []

    def budget() -> Looks:
        budgets.append(Looks())
        return budgets[-1]

    monkeypatch.setattr(reachability, "Looks", budget)

    def look(cells: str, rules: Rules) -> int:
        budgets.clear()
        accepted(cells, rules)
        return sum(one.spent for one in budgets)

    return look


@st.composite
def patterns(draw: st.DrawFn) -> tuple[str, Rules]:
    """Draw random rules, and a board with runs of marks along rows or columns."""
    rows, columns = draw(st.integers(1, 20)), draw(st.integers(1, 20))
    size = rows * columns
    marks: list[str] = []
    longest = draw(st.sampled_from((1, 3, columns, rows, 2 * columns)))
    runs = st.tuples(st.sampled_from("XO"), st.integers(1, longest))
    pattern = draw(st.lists(runs, min_size=1, max_size=30))
    while len(marks) < size:
        for mark, length in pattern:
            marks += mark * length
    marks = marks[: draw(st.integers(size // 2, size))]
    marks += EMPTY * (size - len(marks))
    if draw(st.booleans()):
        marks = [marks[cell % columns * rows + cell // columns] for cell in range(size)]
    marks.reverse()
    places = [at for at, mark in enumerate(marks) if mark != EMPTY]
    random.Random(draw(st.integers(0, 9))).shuffle(places)
    for at in places:
        ahead = marks.count("X") - marks.count("O")
        if ahead in (0, 1):
            break
        if marks[at] == ("X" if ahead > 0 else "O"):
            marks[at] = "O" if ahead > 0 else "X"
    k, switches = draw(st.integers(1, max(rows, columns))), draw(st.sampled_from(EVERY_RULE))
    return "".join(marks), Rules(rows, columns, k, **switches)


@given(patterns())
@settings(max_examples=300, deadline=None)
def test_the_number_of_looks_is_bounded(pattern: tuple[str, Rules]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        assert counting(patch)(*pattern) <= MOST_LOOKS


def test_a_full_board_where_exactly_eight_count_needs_few_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = Rules(20, 20, 8, overline=False)
    cells = "".join(mark * 20 for mark in "OOOXOXXXOXXXOOXXOXOO")
    assert cells.count("X") == cells.count("O")
    assert counting(monkeypatch)(cells, rules) < MOST_LOOKS
    assert accepted(cells, rules) is not None


def test_a_position_that_no_look_decides_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = "OOOOOOOOXXXXXXXOOOOOOOOXXXXXXXXX"
    rules = Rules(4, 8, 3, gravity=True, overline=False)
    assert MOST_LOOKS - 5 < counting(monkeypatch)(cells, rules) <= MOST_LOOKS
    assert accepted(cells, rules) is not None


def test_lines_that_no_last_move_explains_are_refused_whatever_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reachability, "Looks", lambda: Looks(24))
    two_lines = "XXX.XXX" + "OO.OO.O" + "." * 35
    with pytest.raises(InvalidPosition, match="X having a line earlier"):
        Board(two_lines, Rules(7, 7, 3, overline=False))


def test_marks_that_fall_cannot_pass_over_exactly_k_in_a_column() -> None:
    five = "." * 7 + "X......" * 3 + "XO....." + "XOO.OO."
    with pytest.raises(InvalidPosition):
        Board(five, Rules(6, 7, 4, gravity=True, overline=False))


def test_marks_of_which_every_removal_leaves_exactly_k_in_a_row_are_refused() -> None:
    for row in ("OXXX.", ".XXX."):
        with pytest.raises(InvalidPosition):
            Board("O.OXO" + row + "OXOXO" + "OX..X", Rules(4, 5, 2, overline=False))
