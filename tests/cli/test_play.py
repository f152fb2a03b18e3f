"""`bestmove play` in a pseudo-terminal."""

import shlex
from typing import Any
from unittest.mock import ANY, create_autospec

import pytest
from click.testing import CliRunner

from bestmove.bots.engine import Engine
from bestmove.cli.app import bestmove
from tests.cli.terminal import Terminal
from tests.support.positions import TEN_MARKS
from tests.support.servers import BESTMOVE

ASKED = "move? "

CTRL_C, CTRL_D = b"\x03", b"\x04"


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
            *["c3 completes the line a3, b3 and c3 and wins.", "> c1", "O plays c2."],
            "The engine wins",
        ],
        0,
    ),
    "O begins": (
        "--mark O --first O",
        ["You are O, O is to move.", f"O: {ASKED}", "> b2", "X plays a3."],
        None,
    ),
    "a service that is gone": (
        "--url http://127.0.0.1:1 --mark O",
        [
            f"The game stops here. To resume: {BESTMOVE} play '.........' --mark O --first X -k 3 "
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
            *[ASKED, "> b2 c3", "'b2 c3' is not a move", ASKED, "> 5", "'5' is not a move"],
            *[ASKED, "> b4", "'b4' is not a move", ASKED, "> B2", "O plays a3."],
            *[ASKED, "> b2", "b2 is taken by X: choose an empty cell.", ">  c1 ", "O plays"],
        ],
        None,
    ),
    "discs are dropped by column": (
        "--game connect-four --mark O --time 50",
        [
            *["Connect Four: 6×7, 4 in a row, marks fall. You are O", "X plays d1.", "O: column? "],
            *["> d", "X plays", "│ 2│ . │ . │ . │ O │", "O: column? ", "> 4", "X plays"],
            *["│ 4│ . │ . │ . │ O │", "O: column? ", "> d3", "In column d a mark falls to d"],
            *["O: column? ", "> h", "'h' is not a move: type a column, a to g (or 1 to 7)"],
            *["> hint", "O plays ", "> help"],
            "Type a column, a to g (or 1 to 7): your mark falls to its bottom.",
        ],
        None,
    ),
    "the end of the file": (
        "--level 3 --seed 5 --time 300 --why",
        [
            *[ASKED, "> b2", ASKED, CTRL_D, f"Goodbye. To resume: {BESTMOVE} play '"],
            "' --mark X --first X -k 3 --level 3 --seed 5 --time 300 --why",
        ],
        0,
    ),
    "Ctrl-C while the engine thinks": (
        "--size 16 --time 600000",
        [ASKED, "> h8", "O thinks", CTRL_C, f"Goodbye. To resume: {BESTMOVE} play '."],
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
    "after undo the last move is marked as before": (
        "",
        [
            *[ASKED, "> b2", "O plays a3.", "│ 3│[O]│ . │ . │", ASKED, "> c3", "O plays a1."],
            *["│ 3│ O │ . │ X │", ASKED, "> undo", "│ 3│[O]│ . │ . │", ASKED, "> undo"],
            *["│ 3│ . │ . │ . │", ASKED, "> undo", "There is no move of yours to take back."],
        ],
        None,
    ),
    "a full column": (
        "XOX../OXO../XOXOX --gravity -k 4 --mark O",
        ["O: column? ", "> a", "Column a is full: choose another.", "O: column? "],
        None,
    ),
}
"""Each dialogue: the options, the steps, and the exit code (None if the program does not end).

A step is one of these:

- a text that the program shows
- ">" and a line that the user types
- bytes: keys that the user presses
"""


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_dialogue_goes_as_listed(name: str) -> None:
    options, turns, code = DIALOGUES[name]
    with Terminal(BESTMOVE, "play", *shlex.split(options)) as terminal:
        for turn in turns:
            if isinstance(turn, bytes):
                terminal.press(turn)
            elif turn.startswith("> "):
                terminal.enter(turn[2:])
            else:
                shown = terminal.expect(turn)
                assert shown.count("│ 1│") <= 1, "the board is shown once a turn"
        assert code is None or terminal.wait() == code
        assert "Traceback" not in terminal.raw
        if "--plain" in options:
            assert terminal.raw.isascii()
            assert "\x1b[" not in terminal.raw


def test_a_hint_takes_the_time_and_the_threads_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    best = create_autospec(Engine.best_move, side_effect=Engine.best_move)
    monkeypatch.setattr(Engine, "best_move", best)
    options = ["--level", "1", "--time", "50", "--threads", "2"]
    shown = CliRunner().invoke(bestmove, ["play", "XX.OO....", *options], input="hint\n").output
    assert "X plays c3: wins in 1" in shown
    assert best.call_args.kwargs == {"on_progress": ANY, "time_ms": 50, "threads": 2}


def test_a_game_against_a_service(url: str) -> None:
    with Terminal(BESTMOVE, "play", "--url", url) as terminal:
        terminal.expect(ASKED)
        terminal.enter("b2")
        terminal.expect("O plays a3.")
        terminal.expect(ASKED)
