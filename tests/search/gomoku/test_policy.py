"""The policy: which moves the gomoku search tries first."""

import pytest

from bestmove.search.engines.gomoku import patterns, policy
from bestmove.search.engines.gomoku.driver import GomokuEngine

X, O = 0, 1  # noqa: E741


def first_moves(rows: str, side: int, count: int = 1, k: int = 5) -> list[int]:
    lines = rows.split("/")
    engine = GomokuEngine(len(lines), len(lines[0]), k, 8)
    engine.kernel.begin(bytes(".XO".index(mark) for mark in "".join(lines)), None, None)
    moves: list[int] = engine.kernel.all_moves(side)
    return moves[:count]


def test_every_number_is_used() -> None:
    pairs = sum(range(1, patterns.LINE_CLASSES + 1))
    for lines, both, cells in (
        (policy.OWN_LINES, policy.OWN_PAIRS, policy.OWN_CELLS),
        (policy.FOE_LINES, policy.FOE_PAIRS, policy.FOE_CELLS),
    ):
        assert len(lines) == patterns.LINE_CLASSES
        assert sum(map(len, both)) == pairs
        assert len(cells) == patterns.CELL_CLASSES
    assert len(policy.own()) == len(policy.foe()) == len(patterns.COMBINATIONS)
    assert len(policy.together()) == 2 * patterns.CELL_CLASSES**2


@pytest.mark.parametrize("k", [4, 5, 6])
def test_a_win_comes_before_a_defence_and_that_before_all_others(k: int) -> None:
    n = 2 * k + 2
    empty = "." * n
    mine = "X" * (k - 1) + "." * (n - k + 1)
    theirs = "." * (n - k) + "." + "O" * (k - 1)
    board = "/".join([empty, mine, *[empty] * (n - 4), theirs, empty])
    win, defence = n + k - 1, n * (n - 2) + n - k
    assert first_moves(board, X, 2, k) == [win, defence]
    assert first_moves(board, O, 2, k) == [defence, win]


def test_an_open_three_is_answered_beside_it() -> None:
    rows = [["."] * 15 for _ in range(15)]
    for column in (6, 7, 8):
        rows[7][column] = "X"
    rows[8][6] = rows[6][8] = "O"
    board = "/".join(map("".join, rows))
    answers = set(first_moves(board, O, 4))
    assert answers <= {7 * 15 + column for column in (4, 5, 9, 10)}
