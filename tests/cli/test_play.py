"""`bestmove play` in a pseudo-terminal."""

import shlex
import termios
from typing import Any
from unittest.mock import ANY, create_autospec

import pytest
from click.testing import CliRunner

from bestmove import Board, Limits, best_move
from bestmove.cli.app import bestmove
from bestmove.cli.backends import Local
from tests.cli.terminal import SIZE, Terminal
from tests.support.positions import TEN_MARKS
from tests.support.servers import BESTMOVE

ASKED = "move? "

CTRL_C, CTRL_D = b"\x03", b"\x04"
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1bOD"
ENTER, BACKSPACE = b"\r", b"\x7f"


def game(*options: str, **environment: str) -> Terminal:
    """Start a game in which moves are typed as lines."""
    return with_cursor(*options, size=SIZE, **{"TERM": "dumb"} | environment)


def with_cursor(*options: str, size: tuple[int, int] = SIZE, **environment: str) -> Terminal:
    return Terminal(BESTMOVE, "play", *options, size=size, **environment)


Dialogue = tuple[str, list[Any], int | None]
DIALOGUES: dict[str, Dialogue] = {
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
            "The game stops here. To resume: bestmove play '.........' --mark O --first X -k 3 "
            "--url http://127.0.0.1:1",
            "bestmove: http://127.0.0.1:1/best-move: [Errno 111] Connection refused",
        ],
        1,
    ),
    "bad moves": (
        "",
        [
            *[ASKED, "> hello"],
            "'hello' is not a move: type a cell, from a1 at the bottom left to c3",
            *[ASKED, "> b2 c3", "'b2 c3' is not a move", ASKED, "> ٣", "'٣' is not a move"],
            *[ASKED, "> b4", "'b4' is not a move", ASKED, "> B2", "O plays a3."],
            *[ASKED, "> b2", "b2 is taken by X: choose an empty cell.", ">  c1 ", "O plays"],
        ],
        None,
    ),
    "discs are dropped by column": (
        "--game connect-four --mark O --time 50",
        [
            *["Connect Four: 6×7, 4 in a row wins. You are O", "X plays d1.", "O: column? "],
            *["> d", "X plays", "│ 2│ . │ . │ . │ O │", "O: column? ", "> 4", "X plays"],
            *[
                "│ 4│ . │ . │ . │ O │",
                "O: column? ",
                "> d3",
                "In column d a mark falls to d",
                "O: column? ",
                "> h",
            ],
            *[
                "'h' is not a move: type a column, a to g (or 1 to 7)",
                "> hint",
                "O plays ",
                "> help",
            ],
            "Type a column, a to g (or 1 to 7): your mark falls to its bottom.",
        ],
        None,
    ),
    "the end of the file": (
        "--level 3 --seed 5 --time 300 --why",
        [
            *[ASKED, "> b2", ASKED, CTRL_D, "Goodbye. To resume: bestmove play '"],
            "' --mark X --first X -k 3 --level 3 --seed 5 --time 300 --why",
        ],
        0,
    ),
}
"""Each dialogue: the options, the steps, and the exit code (None if the program does not end).

A step is one of these:

- a text that the program shows
- ">" and a line that the user types
- bytes: keys that the user presses
"""

WITH_CURSOR: dict[str, Dialogue] = {
    "Ctrl-C while the engine thinks": (
        "--size 16 --time 600000",
        [ASKED, ENTER, "O thinks", CTRL_C, "Goodbye. To resume: bestmove play '."],
        130,
    ),
    "Ctrl-C hurries a hint": (
        f"--game gomoku --moves '{TEN_MARKS}' --time 600000",
        [
            *[ASKED, "> hint", "looking for a hint, ", "  estimate ", CTRL_C, "X plays "],
            *["has the best estimate", "X: move? ", CTRL_C, "Goodbye."],
        ],
        130,
    ),
    "arrow keys": (
        "",
        [
            *["│ 2│ . │>.<│ . │", "X: move? b2", ENTER, "X plays b2.", "O plays a3."],
            *["│ 3│[O]│>.<│ . │", "X: move? b3", LEFT, "│ 3│>O<│ . │ . │", "X: move? a3", ENTER],
            *["a3 is taken by O: choose an empty cell.", "X: move? b3", DOWN + DOWN],
            *["│ 1│ . │>.<│ . │", "X: move? b1", ENTER, "O plays b3."],
        ],
        None,
    ),
    "the cursor at the edges": (
        "...../..... -k 3",
        [
            *["X: move? c1", LEFT + LEFT + LEFT, "X: move? e1", RIGHT, "X: move? a1"],
            *[DOWN, "X: move? a2", DOWN, "X: move? a1"],
        ],
        None,
    ),
    "words beside the cursor": (
        "XX.OO....",
        [
            *["X: move? c2", b"hinf" + BACKSPACE + b"t", "X: move? hint", ENTER],
            *["X plays c3: wins in 1", b"a1" + RIGHT, "X: move? a2"],  # RIGHT discards the typed a1
            *[b"c3" + ENTER, "You win! X has 3 in a row."],
        ],
        0,
    ),
    "Ctrl-D leaves only where nothing is typed": (
        "XX.OO....",
        [
            *["X: move? c2", b"hin" + CTRL_D + b"t" + ENTER, "X plays c3: wins in 1"],
            *[CTRL_D, "Goodbye."],
        ],
        0,
    ),
    "a full column": (
        "XOX../OXO../XOXOX --gravity -k 4 --mark O",
        ["│ 2│ O │ X │ O │>.<│ . │", "O: column? d2", LEFT, "│ 3│ X │ O │>X<│ . │ . │"],
        None,
    ),
    "a disc on top of one's own": (
        "...../...../...../.OX../.OX.. --gravity -k 4",
        ["X: column? c3", ENTER, "X plays c3.", "O plays c4.", "│ 5│ . │ . │>.<│", "X: column? c5"],
        None,
    ),
    "keys that mean nothing": (
        "",
        [
            *["X: move? b2", b"\x1b[5~\x1b[1;5P\x01\x1b", b"\xc3", b"\xa9" + ENTER],
            *["'é' is not a move", b"\x1b[1;2A", "X: move? b3"],
        ],
        None,
    ),
}


@pytest.mark.parametrize("name", [*DIALOGUES, *WITH_CURSOR])
def test_a_dialogue_goes_as_listed(name: str) -> None:
    options, turns, code = DIALOGUES.get(name) or WITH_CURSOR[name]
    with (game if name in DIALOGUES else with_cursor)(*shlex.split(options)) as terminal:
        for turn in turns:
            if isinstance(turn, bytes):
                terminal.press(turn)
            elif turn.startswith("> "):
                terminal.enter(turn[2:])
            else:
                terminal.expect(turn)
        assert code is None or terminal.wait() == code
        assert "Traceback" not in terminal.raw


def test_a_hint_is_the_best_move_at_any_level() -> None:
    board = Board.parse("XX.OO....")

    def wins(seed: int) -> bool:
        move = best_move(board, Limits(level=1, seed=seed)).move
        assert move is not None
        return board.play(move).winner is not None

    blind = next(seed for seed in range(99) if not wins(seed))
    with game("XX.OO....", "--level", "1", "--seed", str(blind)) as terminal:
        terminal.expect(ASKED)
        terminal.enter("hint")
        terminal.expect("X plays c3: wins in 1")


def test_a_hint_takes_the_time_and_the_threads_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    best = create_autospec(Local.best_move, side_effect=Local.best_move)
    monkeypatch.setattr(Local, "best_move", best)
    options = ["--level", "1", "--time", "50", "--threads", "2"]
    shown = CliRunner().invoke(bestmove, ["play", "XX.OO....", *options], input="hint\n").output
    assert "X plays c3: wins in 1" in shown
    assert best.call_args.kwargs == {"on_progress": ANY, "time_ms": 50, "threads": 2}


def test_after_undo_the_last_move_is_marked_as_before() -> None:
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


def test_a_game_against_a_service(url: str) -> None:
    with game("--url", url) as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        terminal.expect("O plays a3.")
        terminal.expect(ASKED)


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 0)])
def test_leaving_restores_the_terminal_and_keeps_the_board_on_it(key: bytes, code: int) -> None:
    with with_cursor() as terminal:
        before = termios.tcgetattr(terminal.fd)
        terminal.expect("X: move? b2")
        assert termios.tcgetattr(terminal.fd) != before
        terminal.press(key)
        shown = terminal.expect("Goodbye. To resume: bestmove play '.........'")
        assert "│ 2│ . │ . │ . │" in shown
        assert terminal.wait() == code
        assert termios.tcgetattr(terminal.fd) == before


@pytest.mark.parametrize(("side", "corner", "size"), [(9, "i9", (40, 30)), (20, "t20", (100, 20))])
def test_a_board_too_large_for_the_screen_is_played_by_lines(
    side: int, corner: str, size: tuple[int, int]
) -> None:
    with with_cursor("--size", str(side), size=size) as terminal:
        terminal.expect("X: move? ")
        terminal.enter("help")
        terminal.expect("Type a cell, from a1 at the bottom left")
        terminal.expect(f"to {corner} at the top right.")


def test_lines_show_the_board_once_a_turn() -> None:
    with game() as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        assert terminal.expect(ASKED).count("│ 1│") == 1


def test_the_board_stays_where_it_is_and_a_turn_adds_two_lines() -> None:
    with with_cursor("--game", "gomocup", "--depth", "1", size=(60, 24)) as terminal:
        terminal.expect("X: move? k10")
        terminal.press(ENTER)
        terminal.expect("O plays ")
        terminal.expect("X: move? ")
        screen = terminal.screen()
    first_row = next(number for number, line in enumerate(screen) if line.startswith("20 "))
    assert [line[:2] for line in screen[first_row : first_row + 20]] == [
        f"{row:2}" for row in range(20, 0, -1)
    ]
    assert screen[first_row + 20].startswith("X: move? ")
    assert screen[first_row - 1].split() == list("abcdefghijklmnopqrst")
    assert [line[:7] for line in screen[first_row - 3 : first_row - 1]] == ["X plays", "O plays"]
    assert sum(line.startswith("20 ") for line in screen) == 1


def test_plain_output_has_no_control_sequence_and_is_ascii() -> None:
    with game("--plain") as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        terminal.expect(ASKED)
        assert terminal.raw.isascii()
        assert "\x1b[3" not in terminal.raw
