"""The check whether a game can reach a position: it is right, and its work is bounded."""

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bestmove import Board, Rules
from bestmove.errors import InvalidPosition
from bestmove.game import EMPTY, bitboard, reachability
from bestmove.game.reachability import MOST_LOOKS, Looks
from tests.game.test_family import Oracle, accepted

AROUND = 24
"""How many searches for runs of marks a check may make without counting them as looks."""


def counting(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Rules], tuple[int, int]]:
    taken = 0
    budgets: list[Looks] = []
    runs = bitboard.runs

    def counted(marks: int, steps: Sequence[int], length: int) -> list[int]:
        nonlocal taken
        taken += len(steps)
        return runs(marks, steps, length)

    def budget() -> Looks:
        budgets.append(Looks())
        return budgets[-1]

    monkeypatch.setattr(bitboard, "runs", counted)
    monkeypatch.setattr(reachability, "Looks", budget)

    def look(cells: str, rules: Rules) -> tuple[int, int]:
        nonlocal taken
        taken = 0
        budgets.clear()
        accepted(cells, rules)
        return taken, sum(one.spent for one in budgets)

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
    rules = Rules(
        rows,
        columns,
        draw(st.integers(1, max(rows, columns))),
        gravity=draw(st.booleans()),
        overline=draw(st.booleans()),
        misere=draw(st.booleans()),
    )
    return "".join(marks), rules


@given(patterns())
@settings(max_examples=300, deadline=None)
def test_every_look_is_counted_and_the_number_of_looks_is_bounded(
    pattern: tuple[str, Rules],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        taken, spent = counting(patch)(*pattern)
    assert spent <= MOST_LOOKS
    assert taken <= spent + AROUND


def test_a_full_board_where_exactly_eight_count_needs_few_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = Rules(20, 20, 8, overline=False)
    cells = "".join(mark * 20 for mark in "OOOXOXXXOXXXOOXXOXOO")
    assert cells.count("X") == cells.count("O")
    taken, spent = counting(monkeypatch)(cells, rules)
    assert taken <= spent + AROUND
    assert spent < MOST_LOOKS
    assert accepted(cells, rules) is not None


def test_a_position_that_the_looks_do_not_decide_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells = "OOOOOOOOXXXXXXXOOOOOOOOXXXXXXXXX"
    rules = Rules(4, 8, 3, gravity=True, overline=False)
    _, spent = counting(monkeypatch)(cells, rules)
    assert MOST_LOOKS - AROUND < spent <= MOST_LOOKS
    assert accepted(cells, rules) is not None


def test_lines_that_no_last_move_explains_are_refused_whatever_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reachability, "Looks", lambda: Looks(AROUND))
    two_lines = "XXX.XXX" + "OO.OO.O" + "." * 35
    with pytest.raises(InvalidPosition, match="X having a line earlier"):
        Board(two_lines, Rules(7, 7, 3, overline=False))


def test_marks_that_fall_cannot_pass_over_exactly_k_in_a_column() -> None:
    five = "." * 7 + "X......" * 3 + "XO....." + "XOO.OO."
    with pytest.raises(InvalidPosition):
        Board(five, Rules(6, 7, 4, gravity=True, overline=False))


@pytest.mark.parametrize(("rows", "columns"), [(2, 7), (7, 2), (1, 14), (3, 5), (5, 3)])
@pytest.mark.parametrize("gravity", [False, True])
def test_long_boards_where_exactly_k_win_are_accepted_if_the_oracle_reaches_them(
    rows: int, columns: int, gravity: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = counting(monkeypatch)
    rng = random.Random(rows * 20 + columns)
    reached = 0
    for _ in range(60):
        k = rng.choice((2, 2, 3, 4))
        rules = Rules(rows, columns, min(k, max(rows, columns)), gravity=gravity, overline=False)
        marks: list[str] = []
        while marks.count("X") - marks.count("O") not in (0, 1) or not marks:
            runs = [rng.choice("XO") * rng.randint(1, 5) for _ in range(rules.size)]
            marks = list("".join(runs))[: rng.randint(rules.size // 2, rules.size)]
        cells = "".join(marks).rjust(rules.size, EMPTY)
        wanted = Oracle(rules).is_reached(cells)
        assert (accepted(cells, rules) is not None) == wanted, (cells, rules)
        _, spent = look(cells, rules)
        assert spent < MOST_LOOKS
        reached += wanted
    assert reached


@given(st.data())
@settings(deadline=None)
def test_checks_of_the_whole_board_agree_with_checks_line_by_line(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    rules = Rules(
        rows,
        columns,
        data.draw(st.integers(1, max(rows, columns))),
        gravity=data.draw(st.booleans()),
        overline=data.draw(st.booleans()),
    )
    cells = data.draw(st.text("XO.", min_size=rules.size, max_size=rules.size))
    if rules.gravity:
        fallen = [cells[at::columns].replace(EMPTY, "").rjust(rows, EMPTY) for at in range(columns)]
        cells = "".join(column[row] for row in range(rows) for column in fallen)

    def is_full(line: tuple[int, ...], marks: str) -> bool:
        mark = marks[line[0]]
        if mark == EMPTY or any(marks[cell] != mark for cell in line):
            return False
        return rules.overline or all(marks[end] != mark for end in rules.ends[line])

    for mark, marks in zip("XO", bitboard.bits_of(cells, columns), strict=False):
        full = [line for line in rules.lines if is_full(line, cells) and cells[line[0]] == mark]
        assert rules.full_lines(marks) == full
        completing = []
        for index in rules.moves(cells):
            after = cells[:index] + mark + cells[index + 1 :]
            full = [line for line in rules.lines_through[index] if is_full(line, after)]
            assert rules.completes_line(cells, index, mark) == bool(full)
            completing += [index] * bool(full)
        assert rules.completing(cells, mark) == tuple(completing)
