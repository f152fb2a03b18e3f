"""What a board and its rules refuse, and what they say. cases.json has more."""

import pickle
from collections.abc import Callable
from functools import partial

import pytest

from bestmove import Board, Limits, Rules, analyze, best_move, prove
from bestmove.errors import IllegalMove, InvalidRules


def test_lines_that_share_a_cell_are_accepted() -> None:
    crossing = Board.parse("XXX/XOO/XOO")
    assert (crossing.status, crossing.winner, crossing.winning_line) == ("won", "X", (0, 1, 2))


def test_first_decides_the_turn_and_who_may_be_ahead() -> None:
    assert Board.parse(".........", first="O").turn == "O"
    assert len({Board.empty(), Board.empty(first="X"), Board.empty(first="O")}) == 2
    assert Board.parse("O........", first="O").turn == "X"
    assert Board.parse("O...X....", first="O").turn == "O"


def test_playing_leaves_the_board_as_it_was() -> None:
    board = Board.parse("X...O....")
    after = board.play(8)
    assert (str(board), str(after)) == ("X...O....", "X...O...X")
    with pytest.raises(AttributeError, match="immutable"):
        board.cells = "........."
    with pytest.raises(AttributeError, match="immutable: cannot delete cells"):
        del board.cells


@pytest.mark.parametrize(
    ("text", "move", "says"),
    [
        ("X...O....", 0, "a3 is taken by X"),
        ("X...O....", 9, "index 9 is not on the board: indices are 0 to 8"),
        ("X...O....", -1, "index -1 is not on the board"),
        ("XXXOO....", 8, "the game is over: X has won"),
        ("XOXXOOOXX", 8, "the game is over: the board is full"),
    ],
)
def test_illegal_moves_say_why(text: str, move: int, says: str) -> None:
    with pytest.raises(IllegalMove, match=says) as caught:
        Board.parse(text).play(move)
    assert caught.value.field == "move"


@pytest.mark.parametrize("ask", [best_move, analyze, prove])
def test_a_board_or_an_option_in_another_form_is_a_type_error_that_says_what_to_do(
    ask: Callable[..., object],
) -> None:
    with pytest.raises(TypeError, match=r"pass Board\.parse\('X\.\.\.O\.\.\.\.'\)"):
        ask("X...O....")
    with pytest.raises(TypeError, match=r"not list: pass Board\.parse\(\.\.\.\)"):
        ask([["X", None], [None, None]])
    with pytest.raises(TypeError, match=r"limits=Limits\(level=3, seed='a'\)"):
        ask(Board.empty(), level=3, seed="a")
    with pytest.raises(TypeError, match=r"such as Limits\(level=3\), not 3"):
        ask(Board.empty(), 3)


@pytest.mark.parametrize(
    "make", [Board.empty, partial(Board.parse, "........."), partial(Board.from_moves, "b2")]
)
def test_a_misspelt_rule_is_refused(make: Callable[..., Board]) -> None:
    assert make(misere=True).rules.misere
    with pytest.raises(TypeError, match="unknown option: misre"):
        make(misre=True)


def test_numbers_of_another_type_are_refused_even_if_they_equal_those_of_known_rules() -> None:
    Rules.of(4, 4, 1, gravity=True)
    for k, gravity in ((1.0, True), ("1", True), (True, True), (1, 1)):
        with pytest.raises(InvalidRules):
            Rules.of(4, 4, k, gravity=gravity)  # type: ignore[arg-type]


def test_a_board_is_pickled_without_what_is_computed_from_it() -> None:
    board = Board.from_moves("h8 i9", game="gomoku")
    analyze(board, Limits(depth=1))
    data = pickle.dumps(board)
    assert len(data) < 1000
    assert pickle.loads(data) == board
    assert pickle.loads(data).rules == board.rules
