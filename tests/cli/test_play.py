"""`bestmove play`, played through a real pseudo-terminal."""

from __future__ import annotations

import termios

import pytest

from bestmove import Board, Limits, best_move
from tests.cli.terminal import Terminal
from tests.support.servers import BESTMOVE

ASKED = "move? "
TEN_MARKS = "h8 i9 a1 o15 a3 o13 a8 o8 h1 h15"
"""Of gomoku: more than the book of the opening has."""
CTRL_C, CTRL_D = b"\x03", b"\x04"
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1bOD"
ENTER, BACKSPACE = b"\r", b"\x7f"


def game(*options: str, **environment: str) -> Terminal:
    """A game in which moves are typed as lines."""
    return Terminal(BESTMOVE, "play", *options, **{"TERM": "dumb"} | environment)


def answer(board: Board, limits: Limits | None = None) -> Board:
    """The board after the engine's move, as the library plays it."""
    move = best_move(board, limits or Limits()).move
    assert move is not None
    return board.play(move)


DIALOGUES: dict[str, tuple[str, list[str], int | None]] = {
    "the engine wins": (
        "XX.OO.... --mark O --plain",
        ["X plays c3.", "|*X*|*X*|*X*|", "The engine wins: X has 3 in a row."],
        0,
    ),
    "words": (
        "XX.OO....",
        [
            *[ASKED, "> help", "undo", "> hint", "X plays c3: wins in 1"],
            *["c3 completes the line a3, b3 and c3 and wins.", "> undo"],
            *["There is no move of yours to take back.", "> c1", "O plays c2.", "The engine wins"],
        ],
        0,
    ),
    # The games of the origins: the person begins as X or as O, or moves second.
    "minimax": ("--algorithm minimax", ["You are X, X is to move.", "> b2", "O plays a3."], None),
    "O begins": (
        "--mark O --first O",
        ["You are O, O is to move.", f"O: {ASKED}", "> b2", "X plays a3."],
        None,
    ),
    "alpha-beta": (
        "--mark O --algorithm alpha-beta --depth 2",
        ["You are O, X is to move.", "X plays", f"O: {ASKED}"],
        None,
    ),
    "a service that is gone": (
        "--url http://127.0.0.1:1 --mark O",
        [
            "The game stops here; to go on: bestmove play '.........' --mark O",
            "bestmove: http://127.0.0.1:1/best-move: [Errno 111] Connection refused",
        ],
        1,
    ),
    "a size": ("--size 21", ["21 is out of range: 1 to 20"], 2),
    "no size": ("--size three", ["is no size: 15, or 6x7"], 2),
    "a long line": ("--size 3 -k 4", ["k must be an integer from 1 to 3"], 2),
    "no board": ("XXX", ["the board has 3 cells"], 2),
    "no mark": ("--mark Z", ["'Z' is not one of"], 2),
    "many threads": ("--threads 65", ["65 is not in the range 1<=x<=64"], 2),
    "threads and a seed": ("--threads 2 --seed 1 --mark O", ["leave one of them out"], 2),
    "too large for minimax": ("--size 6 --algorithm minimax --mark O", ["minimax"], 2),
}
"""Options; what is shown or, after ">", typed; and the exit code, where the program ends."""


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_dialogue_goes_as_people_are_told(name: str) -> None:
    options, turns, code = DIALOGUES[name]
    with game(*options.split()) as terminal:
        for turn in turns:
            if turn.startswith("> "):
                terminal.enter(turn[2:])
            else:
                terminal.expect(turn)
        assert code is None or terminal.wait() == code


def test_bad_moves_are_explained_and_asked_for_again() -> None:
    with game() as terminal:
        for typed, said in [
            ("hello", "'hello' is no move: type a cell, from a1 at the bottom left to c3"),
            ("b2 c3", "'b2 c3' is no move"),
            ("٣", "'٣' is no move"),
            ("b4", "'b4' is no move"),
            ("B2", "O plays a3."),
            ("b2", "b2 is taken by X: choose an empty cell."),
            (" c1 ", "O plays"),
        ]:
            terminal.expect(ASKED)
            terminal.enter(typed)
            terminal.expect(said)


def test_a_hint_is_the_best_move_at_any_level() -> None:
    board = Board.parse("XX.OO....")
    blind = next(s for s in range(99) if answer(board, Limits(level=1, seed=s)).winner is None)
    with game("XX.OO....", "--level", "1", "--seed", str(blind)) as terminal:
        terminal.expect(ASKED)
        terminal.enter("hint")
        terminal.expect("X plays c3: wins in 1")


def test_after_undo_the_mark_of_the_last_move_is_where_it_was() -> None:
    with game() as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        terminal.expect("O plays a3.")
        assert "│ 3│[O]│ . │ . │" in terminal.expect(ASKED)
        terminal.enter("c3")
        terminal.expect("O plays a1.")
        assert "│ 3│ O │ . │ X │" in terminal.expect(ASKED)
        terminal.enter("undo")
        assert "│ 3│[O]│ . │ . │" in terminal.expect(ASKED)
        terminal.enter("undo")
        assert "[" not in terminal.expect(ASKED)
        terminal.enter("undo")
        terminal.expect("There is no move of yours to take back.")


def test_discs_are_dropped_by_column() -> None:
    with game("--game", "connect-four", "--mark", "O", "--time", "50") as terminal:
        assert "Connect Four: 6×7, 4 in a row win. You are O" in terminal.expect("X plays d1.")
        for typed, shown in [
            ("d", "│ 2│ . │ . │ . │[O]│"),
            ("4", "│ 4│ . │ . │ . │[O]│"),
            ("d3", "In column d a mark falls to d"),
            ("h", "'h' is no move: type a column, a to g (or 1 to 7)"),
            ("hint", "O plays "),
            ("help", "Type a column, a to g (or 1 to 7): your mark falls to its bottom."),
        ]:
            terminal.expect("O: column? ")
            terminal.enter(typed)
            terminal.expect(shown)


def test_end_of_file_leaves_politely_and_tells_how_to_go_on() -> None:
    with game("--level", "3", "--seed", "5") as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        terminal.expect(ASKED)
        terminal.press(CTRL_D)
        terminal.expect("Goodbye. To go on: bestmove play '")
        terminal.expect("' --mark X --first X -k 3 --level 3 --seed 5")
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.raw


def test_ctrl_c_leaves_while_the_engine_thinks() -> None:
    with game("--size", "16", "--time", "600000", TERM="xterm-256color") as terminal:
        terminal.expect(ASKED)
        terminal.enter("h8")
        terminal.expect("O thinks")
        terminal.press(CTRL_C)
        terminal.expect("Goodbye. To go on: bestmove play '.")
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.raw


def test_ctrl_c_hurries_a_hint_and_the_game_goes_on() -> None:
    with with_cursor("--game", "gomoku", "--moves", TEN_MARKS, "--time", "600000") as terminal:
        terminal.expect("X: move? ")
        terminal.enter("hint")
        terminal.expect("looking for a hint, ")
        terminal.expect("  estimate ")
        terminal.press(CTRL_C)
        terminal.expect("X plays ")
        terminal.expect("has the best estimate")
        terminal.expect("X: move? ")
        terminal.press(CTRL_C)
        terminal.expect("Goodbye.")
        assert terminal.wait() == 130


def test_a_game_against_a_service(url: str) -> None:
    with game("--url", url) as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        terminal.expect("O plays a3.")
        terminal.expect(ASKED)


def with_cursor(*options: str, **environment: str) -> Terminal:
    """A game in which a cursor is moved on the board."""
    return Terminal(BESTMOVE, "play", *options, **environment)


def test_arrow_keys_and_enter_play() -> None:
    with with_cursor() as terminal:
        assert "│ 2│ . │>.<│ . │" in terminal.expect("X: move? b2")
        terminal.press(ENTER)
        terminal.expect("O plays a3.")
        terminal.press(LEFT)
        terminal.expect("X: move? a2")
        terminal.press(UP)
        assert "│ 3│>O<│ . │ . │" in terminal.expect("X: move? a3")
        terminal.press(ENTER)
        terminal.expect("a3 is taken by O: choose an empty cell.")
        terminal.press(DOWN + DOWN + RIGHT)
        assert "│ 1│ . │>.<│ . │" in terminal.expect("X: move? b1")
        terminal.press(ENTER)
        terminal.expect("O plays b3.")
        assert "\x1b[" in terminal.raw


def test_beside_the_cursor_words_can_be_typed() -> None:
    with with_cursor("XX.OO....") as terminal:
        terminal.expect("X: move? b2")
        terminal.press(b"hinf" + BACKSPACE + b"t")
        terminal.expect("X: move? hint")
        terminal.press(ENTER)
        terminal.expect("X plays c3: wins in 1")
        terminal.press(b"a1" + RIGHT)  # a typed cell is given up
        terminal.expect("X: move? c2")
        terminal.press(b"c3" + ENTER)
        terminal.expect("You win! X has 3 in a row.")
        assert terminal.wait() == 0


def test_keys_that_mean_nothing_do_nothing() -> None:
    with with_cursor() as terminal:
        terminal.expect("X: move? b2")
        terminal.press(b"\x1b[5~\x1b[1;5P\x01\x1b")
        terminal.press("é".encode()[:1])
        terminal.press("é".encode()[1:] + ENTER)
        terminal.expect("'é' is no move")
        terminal.press(b"\x1b[1;2A")
        terminal.expect("X: move? b3")


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 0)])
def test_leaving_gives_the_terminal_back_as_it_was(key: bytes, code: int) -> None:
    with with_cursor() as terminal:
        before = termios.tcgetattr(terminal.fd)
        terminal.expect("X: move? b2")
        assert termios.tcgetattr(terminal.fd) != before
        terminal.press(key)
        terminal.expect("Goodbye. To go on: bestmove play '.........'")
        assert terminal.wait() == code
        assert termios.tcgetattr(terminal.fd) == before


def test_a_board_larger_than_the_screen_is_played_by_lines() -> None:
    with with_cursor("--game", "gomocup", LINES="20") as terminal:
        terminal.expect("X: move? ")
        terminal.enter("help")
        terminal.expect("Type a cell, from a1 at the bottom left to t20 at the top right.")


def test_plain_output_has_no_control_sequence_and_is_ascii() -> None:
    with game("--plain") as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        terminal.expect(ASKED)
        assert terminal.raw.isascii()
        assert "\x1b[3" not in terminal.raw
