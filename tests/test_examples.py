"""The programs of docs/examples do what they say. They know no rules of a game."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests

from bestmove import Board
from bestmove.game import PRESETS
from tests.support.documents import EXAMPLES
from tests.support.needs import require
from tests.support.programs import run

WON = ("X wins.", "O wins.", "A draw.")


@pytest.mark.parametrize(
    "path", [path for path in EXAMPLES.iterdir() if path.is_file()], ids=lambda path: path.name
)
def test_an_example_has_at_most_forty_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 40


def test_the_loop_in_a_shell_plays_to_the_end(url: str) -> None:
    require("curl", "curl")
    require("jq", "jq")
    for game, last in (("tic-tac-toe", "A draw."), ("misere-tic-tac-toe", "A draw.")):
        lines = run("sh", EXAMPLES / "loop.sh", game, url).stdout.splitlines()
        assert (len(lines), lines[-1]) == (10, last)
    refused = run("sh", EXAMPLES / "loop.sh", "chess", url, status=1)
    assert "game must be one of" in refused.stderr


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
def test_the_bot_plays_to_the_end_and_asks_again_after_a_fault(url: str, game: str) -> None:
    squares = [f"{letter}{row}" for row in range(1, 7) for letter in "abcdefg"]
    typed = "".join(f"{name}\n" for name in ("z9", *squares))
    command = [sys.executable, str(EXAMPLES / "bot.py"), game, url]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    assert "'z9' is not" in done.stdout or "z9 is not" in done.stdout
    assert done.stdout.endswith(tuple(f"{end}\n" for end in WON))


def test_the_chat_bot_replies_to_two_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    from chat import reply  # type: ignore[import-not-found]

    said = [reply("one", text) for text in ("Hello", "!new", "!b2", "!bot 10", "!b2", "!new chess")]
    assert said[0] is None
    assert said[1].endswith("X to move.")
    assert said[2] == "```\n. . .\n. X .\n. . .\n```\nO to move."
    assert said[3] == "```\nO . .\n. X .\n. . .\n```\nX to move."
    assert said[4].startswith("move 3: b2 is taken by X. `!new")
    assert said[5].startswith("game must be one of")
    won = [reply("two", text) for text in ("!a1", "!a2", "!b1", "!b2", "!c1")]
    assert won[-1] == "```\n. . .\nO O .\nX X X\n```\nX wins."
    assert reply("one", "!bot").endswith("O to move.")


def test_the_notebook_shows_what_its_cells_print(capsys: pytest.CaptureFixture[str]) -> None:
    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
            shown = "".join("".join(output["text"]) for output in cell["outputs"])
            assert capsys.readouterr().out == shown


@pytest.mark.parametrize("game", PRESETS)
def test_a_client_without_rules_sees_the_end_of_every_game(url: str, game: str) -> None:
    moves = Random(7)
    options = {"game": game, "level": 2, "seed": 1, "time_ms": 10}
    for _ in range(3):
        position: dict[str, Any] = {"board": str(Board.empty(game=game)), "status": "in_progress"}
        while position["status"] == "in_progress":
            asked = {"board": position["board"], **options}
            listed = requests.post(f"{url}/analyze", json={**asked, "depth": 1}, timeout=60).json()
            move = moves.choice(listed["moves"][:9])["name"]
            answer = requests.post(f"{url}/play", json={**asked, "move": move}, timeout=60)
            assert answer.status_code == 200, answer.text
            position = answer.json()["after"]
        ended = Board.parse(position["board"], game=game)
        assert (ended.status, ended.winner) == (position["status"], position["winner"])
        assert ended.is_over
