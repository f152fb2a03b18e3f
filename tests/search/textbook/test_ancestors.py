"""The textbook's searches play like the earlier programs of this project."""

from collections.abc import Callable
from functools import cache

import pytest

from bestmove import Board
from bestmove.search.textbook.algorithms import SearchResult, alpha_beta, minimax, negamax
from bestmove.search.textbook.board_game import BoardGame
from bestmove.search.textbook.evaluations import (
    FIVE,
    five_utility,
    neighbors_around_last,
    open_lines,
    open_lines_utility,
    shapes,
    ten_less_depth,
)
from tests.support import oracle, tictactoe


def console(text: str) -> int:
    """Return the best move by plain minimax (of equal moves, the lowest index)."""
    return minimax(BoardGame(Board(text))).pv[0]


def quick_wins(text: str) -> SearchResult:
    """Search by alpha-beta; a win counts 10 minus the depth."""
    return alpha_beta(BoardGame(Board(text), utility=ten_less_depth))


def guess(text: str) -> SearchResult:
    """Search two plies by alpha-beta, with open lines as the evaluation; 1,000 or more is a win."""
    return alpha_beta(BoardGame(Board(text), utility=open_lines_utility), 2, open_lines)


def five_in_a_row(board: Board, last: int | None = None) -> SearchResult:
    """Search three plies by negamax. Try only cells next to a mark; cells next to the last mark
    come first."""
    root = BoardGame(board, utility=five_utility, order=neighbors_around_last, last=last)
    return negamax(root, 3, shapes)


def worst_result(text: str, mark: str, reply: Callable[[str], int]) -> int:
    """Return the worst result that `mark` can get if it plays the moves of `reply`."""
    if tictactoe.is_over(text):
        result = oracle.solve3(text)[0]
        return result if mark == "X" else -result
    turn = "X" if text.count("X") == text.count("O") else "O"
    moves = [reply(text)] if turn == mark else tictactoe.free(text)
    return min(worst_result(tictactoe.after(text, move), mark, reply) for move in moves)


@pytest.mark.parametrize(
    ("mark", "reply"),
    [("O", console), *((mark, lambda text: quick_wins(text).pv[0]) for mark in "XO")],
)
def test_on_3x3_the_two_full_searches_are_never_beaten(
    mark: str, reply: Callable[[str], int]
) -> None:
    assert worst_result(".........", mark, cache(reply)) == 0


def test_on_3x3_each_finds_what_it_searches_for() -> None:
    for text in tictactoe.reachable()[::5]:
        if tictactoe.is_over(text) or text.count(".") > 7:
            continue
        result, plies = oracle.solve3(text)
        after = {move: tictactoe.after(text, move) for move in tictactoe.free(text)}
        best = [move for move in after if oracle.solve3(after[move])[0] == result]
        assert console(text) == best[0]
        quick = quick_wins(text)
        assert (quick.value, quick.pv[0]) == (
            result * (10 - plies),
            tictactoe.best_moves(text)[0],
        )
        assert not result or len(quick.pv) == plies
        guessed = guess(text)
        assert (guessed.value >= 1_000) == (result == 1 and plies <= 2), text
        assert (guessed.value <= -1_000) == (result == -1 and plies <= 2), text


OPEN_THREE = Board.parse("........./........./...O...../...XXX.../...O...../.........", k=5)
OPEN_FOURS = Board.parse("........./..XXXX.../........./..OOOO.../........./.........", k=5)


def test_five_in_a_row_wins_where_it_can_and_stops_an_open_three() -> None:
    assert five_in_a_row(Board.empty(15, 15)).pv[0] == 112
    won = five_in_a_row(OPEN_FOURS)
    assert won.value == FIVE
    assert OPEN_FOURS.play(won.pv[0]).winner == "X"
    stopped = five_in_a_row(OPEN_THREE)
    assert stopped.pv[0] in (29, 33)
    # Another order of the moves changes the number of nodes, not the value.
    known = five_in_a_row(OPEN_THREE, last=31)
    assert known.value == stopped.value
    assert known.counts != stopped.counts
