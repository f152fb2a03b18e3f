"""The evaluations and move orders of the textbook searches, and how the earlier programs play."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bestmove.game import Board
from bestmove.search.textbook.algorithms import SearchResult, alpha_beta
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
from tests.game.test_notation import boards
from tests.support import oracle, tictactoe
from tests.support.oracle import Position
from tests.support.positions import game_of, swapped


def sum_of_open_lines(board: Board) -> int:
    game = game_of(board.rules)
    at, total = Position.of(game, board.cells, 1), 0
    x, o = at.own, at.other
    for line in game.lines:
        if not line & o and line & x:
            total += 10 ** (line & x).bit_count()
        elif not line & x and line & o:
            total -= 10 ** (line & o).bit_count()
    return total


# Open lines.


def test_the_longest_line_of_any_board_has_its_power_too() -> None:
    board = Board.parse("X" * 20 + "/" + "O" * 19 + ".", k=20)
    assert open_lines(BoardGame(board)) == 10**20 - 10**19
    assert open_lines_utility(BoardGame(board)) == 10**20


@settings(max_examples=150)
@given(boards(max_side=7).filter(lambda board: board.rules.k > 1), st.lists(st.integers(0, 48)))
def test_counting_from_the_parent_gives_the_same_sum(board: Board, choices: list[int]) -> None:
    position = BoardGame(board)
    assert open_lines(position) == sum_of_open_lines(board)
    for choice in choices:
        if board.is_over:
            break
        move = board.moves[choice % len(board.moves)]
        board, position = board.play(move), position.play(move)
        assert open_lines(position) == sum_of_open_lines(board)


def drawn(*rows: str, size: int = 15) -> Board:
    """Return a board with these rows in its upper left part.

    Lower rows get scattered marks until both sides have equally many. Five in a row win.
    """
    lines = ["", *(f".{row}" for row in rows)]
    missing = "".join(rows).count("X") - "".join(rows).count("O")
    for number in range(abs(missing)):
        place = (0, 7, 14, 3, 10)[number % 5]
        lines += ["", "." * place + ("O" if missing > 0 else "X")]
    assert len(lines) <= size
    lines += [""] * (size - len(lines))
    return Board.parse("/".join(line.ljust(size, ".") for line in lines), k=5)


@pytest.mark.parametrize(
    ("row", "worth"),
    [
        ("..XX..", 50),
        ("X.X", 0),
        ("X..X", 0),
        ("XX.X", 5_000),
        ("OXX.X.", 200),  # a split two; without the O, a split three
        (".XXX.", 5_000),
        ("OXXX..", 500),
        ("XXXX", 50_000),
        ("OXXXX.", 5_000),
        (".XXXXO", 5_000),
        ("XXX.X", 5_000),
        ("XX.XX", 5_000),
        ("OXXXXO", 0),
        ("OXXX.O", 0),
        ("XX...XX", 100),
        ("OXXXX.X", 10_000),  # two shapes in one row, which share marks
    ],
)
def test_each_shape_has_its_value_in_both_orders(row: str, worth: int) -> None:
    for way in (row, row[::-1]):
        assert shapes(BoardGame(drawn(way))) == worth


@pytest.mark.parametrize(
    ("board", "worth"),
    [
        # A shape has its value in every direction.
        (drawn(".X", ".X", ".X"), 5_000),
        (drawn(".X", "..X", "...X"), 5_000),
        (drawn("....X", "...X", "..X"), 5_000),
        # The edge of the board is not an empty cell.
        (
            Board.parse("/".join(["XXX............", *["O.............."] * 3, *["." * 15] * 11])),
            450,
        ),
        # The first mark belongs to a two in its row and to a split three in its column.
        (drawn(".XX", "", ".X", ".X"), (50 + 5_000) + (50 + 5_000)),
        # Here the two and the split three share no mark.
        (drawn(".X..XX", "", ".X", ".X", size=19), 50 + 5_000),
        # O is to move: its pair counts in full, and X's three counts a tenth.
        (drawn(".XXX.", "", ".OO.").play(224), -(50 - 500)),
    ],
)
def test_shapes_add_their_values(board: Board, worth: int) -> None:
    assert shapes(BoardGame(board)) == worth


@settings(max_examples=100)
@given(boards(max_side=9))
def test_swapping_the_marks_turns_the_sign(board: Board) -> None:
    for evaluate in (shapes, open_lines):
        assert evaluate(BoardGame(swapped(board))) == -evaluate(BoardGame(board))


def test_five_in_a_row_is_worth_a_fortune() -> None:
    won = drawn("XXXX").play(20)
    assert won.winner == "X"
    assert five_utility(BoardGame(won)) == FIVE
    assert shapes(BoardGame(won)) == FIVE / 10  # a tenth, because X is not to move
    lost = BoardGame(drawn("OOOO")).play(100).play(20)
    assert lost.winner == "O"
    assert five_utility(lost) == -FIVE
    assert five_utility(BoardGame(Board.empty(5, 5))) == 0


def test_only_neighbours_of_marks_are_tried_the_last_marks_first() -> None:
    board = Board.parse("X..../...../...../....O/.....")
    near_x, near_o = [1, 5, 6], [13, 14, 18, 23, 24]
    for last, tried in ((19, near_o + near_x), (0, near_x + near_o), (None, near_x + near_o)):
        assert neighbors_around_last(BoardGame(board, last=last)) == tried


@settings(max_examples=100)
@given(boards(max_side=6).filter(lambda board: not board.is_over and "X" in board.cells))
def test_neighbours_are_found_at_any_edge(board: Board) -> None:
    marks = oracle.cells_of(board.cells, board.rules.columns)
    expected = {
        index
        for index in board.moves
        if any(
            max(abs(row - r), abs(column - c)) == 1
            for row, column in [board.rules.coordinates(index)]
            for r, c in marks
        )
    }
    tried = neighbors_around_last(BoardGame(board))
    assert list(tried) == sorted(expected)
    assert tried  # the game is not over, so there is a move


# The earlier programs of this project.


def quick_wins(text: str) -> SearchResult:
    """Search by alpha-beta; a win counts 10 minus the depth."""
    return alpha_beta(BoardGame(Board(text), utility=ten_less_depth))


def guess(text: str) -> SearchResult:
    """Search two plies by alpha-beta, with open lines as the evaluation; 1,000 or more is a win."""
    return alpha_beta(BoardGame(Board(text), utility=open_lines_utility), 2, open_lines)


def test_on_3x3_each_finds_what_it_searches_for() -> None:
    for text in tictactoe.reachable()[::5]:
        if tictactoe.is_over(text) or text.count(".") > 7:
            continue
        result, plies = oracle.solve3(text)
        quick = quick_wins(text)
        assert quick.value == result * (10 - plies)
        assert quick.pv[0] == tictactoe.best_moves(text)[0]
        assert not result or len(quick.pv) == plies
        guessed = guess(text)
        assert (guessed.value >= 1_000) == (result == 1 and plies <= 2), text
        assert (guessed.value <= -1_000) == (result == -1 and plies <= 2), text
