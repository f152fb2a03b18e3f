"""`bestmove play`, played through a real pseudo-terminal."""

from __future__ import annotations

import pytest

from bestmove import Board, Limits, best_move
from tests.cli.terminal import Terminal
from tests.client.serving import BESTMOVE

ASKED = "row column? "
CTRL_C, CTRL_D = b"\x03", b"\x04"


def game(*options: str, **environment: str) -> Terminal:
    return Terminal(BESTMOVE, "play", *options, **environment)


def answer(board: Board, limits: Limits | None = None) -> Board:
    """The board after the engine's move, as the library plays it."""
    move = best_move(board, limits or Limits()).move
    assert move is not None
    return board.play(move)


def test_a_draw_by_best_play_on_both_sides() -> None:
    with game() as terminal:
        board = Board.empty()
        while not board.is_over:
            terminal.expect(f"X: {ASKED}")
            move = best_move(board).move
            assert move is not None
            row, column = board.rules.coordinates(move)
            terminal.enter(f"{row} {column}")
            board = board.play(move)
            if not board.is_over:
                board = answer(board)
        terminal.expect("A draw: the board is full.")
        assert terminal.wait() == 0


def test_the_person_wins_against_a_weak_level() -> None:
    seed = next(seed for seed in range(100) if top_row_wins(seed))
    with game("--level", "1", "--seed", str(seed)) as terminal:
        for column in range(3):
            terminal.expect(ASKED)
            terminal.enter(f"0 {column}")
        shown = terminal.expect("You win! X has 3 in a row.")
        assert "│*X*│*X*│*X*│" in shown
        assert terminal.wait() == 0


def top_row_wins(seed: int) -> bool:
    board = Board.empty()
    for cell in range(3):
        if cell not in board.moves:
            return False
        board = board.play(cell)
        if not board.is_over:
            board = answer(board, Limits(level=1, seed=seed))
    return board.winner == "X"


def test_the_engine_wins_and_says_so() -> None:
    with game("--board", "XX.OO....", "--mark", "O", "--plain") as terminal:
        shown = terminal.expect("The engine wins: X has 3 in a row.")
        assert "X plays row 0, column 2." in shown
        assert "|*X*|*X*|*X*|" in shown
        assert terminal.wait() == 0


def test_the_last_move_is_marked() -> None:
    with game() as terminal:
        terminal.expect(ASKED)
        terminal.enter("1 1")
        assert "│ 1│ . │[X]│ . │" in terminal.expect("O plays row 0, column 0.")
        shown = terminal.expect(ASKED)
        assert "│ 0│[O]│ . │ . │" in shown
        assert "│ 1│ . │ X │ . │" in shown
        assert "\x1b[" in terminal.raw


def test_bad_moves_are_explained_and_asked_for_again() -> None:
    with game() as terminal:
        for typed, said in [
            ("hello", "Type two numbers, row and column, such as 0 2"),
            ("1", "Type two numbers"),
            ("1 2 3", "Type two numbers"),
            ("1.5 2", "Type two numbers"),
            ("٣ ٣", "Type two numbers"),
            ("3 0", "Row 3, column 0 is not on the board: rows are 0 to 2, columns 0 to 2."),
            ("-1 0", "Row -1, column 0 is not on the board"),
            ("0 99999", "is not on the board"),
        ]:
            terminal.expect(ASKED)
            terminal.enter(typed)
            terminal.expect(said)
        terminal.expect(ASKED)
        terminal.enter("")
        terminal.expect(ASKED)
        terminal.enter("1 1")
        terminal.expect(ASKED)
        terminal.enter("1 1")
        terminal.expect("Row 1, column 1 is taken by X: choose an empty cell.")
        terminal.expect(ASKED)
        terminal.enter("(2, 2)")
        terminal.expect("O plays")


def test_bytes_that_are_no_text_do_not_end_the_game() -> None:
    with game() as terminal:
        terminal.expect(ASKED)
        terminal.press(b"\xff\xfe 1\n")
        terminal.expect("Type two numbers")


def test_end_of_file_leaves_politely_and_tells_how_to_go_on() -> None:
    with game("--level", "3", "--seed", "5") as terminal:
        terminal.expect(ASKED)
        terminal.enter("1 1")
        terminal.expect(ASKED)
        terminal.press(CTRL_D)
        terminal.expect("Goodbye. To go on: bestmove play --mark X --first X --size 3x3 -k 3")
        terminal.expect("--level 3 --seed 5")
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.raw


def test_ctrl_c_leaves_politely() -> None:
    with game() as terminal:
        terminal.expect(ASKED)
        terminal.press(CTRL_C)
        terminal.expect("Goodbye.")
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.raw


def test_ctrl_c_leaves_while_the_engine_thinks() -> None:
    with game("--size", "15", "--time", "600000") as terminal:
        terminal.expect(ASKED)
        terminal.enter("7 7")
        terminal.expect("O thinks")
        terminal.press(CTRL_C)
        terminal.expect("Goodbye. To go on: bestmove play --mark X")
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.raw


@pytest.mark.parametrize("word", ["quit", "q", "Exit"])
def test_a_word_leaves(word: str) -> None:
    with game() as terminal:
        terminal.expect(ASKED)
        terminal.enter(word)
        terminal.expect("Goodbye.")
        assert terminal.wait() == 0


def test_a_game_that_was_left_goes_on() -> None:
    with game("--size", "1x5", "-k", "3", "--board", "X.O..") as terminal:
        assert "│ 0│ X │ . │ O │ . │ . │" in terminal.expect(ASKED)


def test_help_hint_undo_and_board() -> None:
    with game("--board", "XX.OO....") as terminal:
        terminal.expect(ASKED)
        terminal.enter("help")
        terminal.expect("undo")
        terminal.enter("hint")
        terminal.expect("Row 0, column 2.")
        terminal.expect("wins.")
        terminal.enter("undo")
        terminal.expect("There is no move of yours to take back.")
        terminal.enter("2 2")
        terminal.expect("O plays row 1, column 2.")
        terminal.expect("The engine wins")


def test_undo_takes_back_the_persons_move_and_the_answer() -> None:
    with game() as terminal:
        terminal.expect(ASKED)
        terminal.enter("1 1")
        terminal.expect("O plays row 0, column 0.")
        terminal.expect(ASKED)
        terminal.enter("undo")
        assert "│ 1│ . │ . │ . │" in terminal.expect(ASKED)


def test_the_games_of_the_origins() -> None:
    with game("--algorithm", "minimax") as terminal:  # plain minimax, the person is X and begins
        terminal.expect("You are X, X is to move.")
        terminal.enter("1 1")
        terminal.expect("O plays row 0, column 0.")
    with game("--mark", "O", "--first", "O") as terminal:  # the person is O and begins
        terminal.expect("You are O, O is to move.")
        terminal.expect(f"O: {ASKED}")
        terminal.enter("1 1")
        terminal.expect("X plays row 0, column 0.")
    with game("--mark", "O", "--algorithm", "alpha-beta", "--depth", "2") as terminal:
        terminal.expect("You are O, X is to move.")  # the person moves second
        terminal.expect("X plays")
        terminal.expect(f"O: {ASKED}")


def test_five_in_a_row_on_a_large_board() -> None:
    with game("--size", "15", "--time", "50", "--why") as terminal:
        shown = terminal.expect(ASKED)
        assert "15×15, 5 in a row win." in shown
        terminal.enter("7 7")
        terminal.expect("O plays row")
        assert "[O]" in terminal.expect(ASKED)


def test_a_game_against_a_service(url: str) -> None:
    with game("--url", url) as terminal:
        terminal.expect(ASKED)
        terminal.enter("1 1")
        terminal.expect("O plays row 0, column 0.")
        terminal.expect(ASKED)


def test_a_service_that_is_gone_ends_the_game_with_a_way_to_go_on() -> None:
    with game("--url", "http://127.0.0.1:1", "--mark", "O") as terminal:
        terminal.expect("The game stops here; to go on: bestmove play --mark O")
        terminal.expect("bestmove: http://127.0.0.1:1: [Errno 111] Connection refused")
        assert terminal.wait() == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--size", "21"], "rows must be an integer from 1 to 20"),
        (["--size", "three"], "is no size: 15, or 6x7"),
        (["--size", "3", "-k", "4"], "k must be an integer from 1 to 3"),
        (["--board", "XXX"], "the board has 3 cells"),
        (["--mark", "Z"], "'Z' is not one of"),
        (["--size", "6", "--algorithm", "minimax", "--mark", "O"], "minimax"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused(options: list[str], complaint: str) -> None:
    with game(*options) as terminal:
        terminal.expect(complaint)
        assert terminal.wait() == 2


def test_no_color_turns_colours_off() -> None:
    with game(NO_COLOR="1") as terminal:
        terminal.expect(ASKED)
        assert "\x1b[36m" not in terminal.raw
        assert "\x1b[1;36m" not in terminal.raw


def test_plain_output_has_no_control_sequence_and_is_ascii() -> None:
    with game("--plain") as terminal:
        terminal.expect(ASKED)
        terminal.enter("1 1")
        terminal.expect(ASKED)
        assert terminal.raw.isascii()
        assert "\x1b[3" not in terminal.raw
