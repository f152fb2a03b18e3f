"""All commands: what they print, read and refuse, and their exit codes."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner, Result

from bestmove import Board, __version__
from bestmove.cli import drawing, words
from bestmove.cli.app import COMMANDS, bestmove
from bestmove.search.engines.gomoku import search as gomoku
from bestmove.search.engines.solver import kernel
from tests.cli.terminal import Terminal
from tests.client.faulty import faulty
from tests.support.documents import without_times
from tests.support.positions import OPEN_8
from tests.support.servers import BESTMOVE

CORNER_AND_CENTRE = "X...O...."


def run(*arguments: str, stdin: str | None = None) -> Result:
    """Run a command in this process, without a terminal."""
    return CliRunner().invoke(bestmove, list(arguments), input=stdin)


def parsed(result: Result) -> list[Any]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_version_says_whether_the_engine_is_compiled() -> None:
    engine = "compiled" if gomoku.compiled and kernel.compiled else "in plain Python"
    assert run("--version").stdout.startswith(f"bestmove {__version__} (engine {engine}")


def test_help_documents_the_exit_codes() -> None:
    shown = run("--help").stdout
    assert re.search(r"Exit codes:\s+0 +done\s+1 +the service", shown)
    assert all(command in shown for command in COMMANDS)


def test_suggest_on_a_finished_game_says_how_it_ended() -> None:
    assert "the game is over: X has won" in run("suggest", "XXXOO....").stdout
    assert "the game is over: a draw" in run("suggest", "XOXXOOOXX").stdout


@pytest.mark.parametrize("command", ["suggest", "analyze"])
@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        ([CORNER_AND_CENTRE], {"board": CORNER_AND_CENTRE}),
        (["XXXOO...."], {"board": "XXXOO...."}),
        (["--depth", "2", OPEN_8], {"board": OPEN_8, "depth": 2}),
        (["--moves", "b2", "--misere"], {"moves": "b2", "misere": True}),
        (["O........", "--first", "O"], {"board": "O........", "first": "O"}),
        (
            ["--size", "3x5", "-k", "2", "--moves", "e3"],
            {"rows": 3, "columns": 5, "k": 2, "moves": "e3"},
        ),
    ],
)
def test_json_is_as_sent(command: str, arguments: list[str], body: Any, url: str) -> None:
    here = parsed(run(command, "--json", *arguments))
    there = parsed(run(command, "--json", "--url", url, *arguments))
    assert without_times(there) == without_times(here)
    path = "best-move" if command == "suggest" else command
    sent = requests.post(f"{url}/{path}", json=body, timeout=10).json()
    assert without_times([sent]) == without_times(here)
    assert list(sent) == list(here[0])


def test_boards_come_on_standard_input_one_a_line() -> None:
    boards = "X...O....\n\n.........\r\nXXXOO....\n         \n"
    answers = parsed(run("suggest", "--json", stdin=boards))
    assert [one["board"] for one in answers] == ["X...O....", ".........", "XXXOO....", "........."]
    lines = run("suggest", "-", stdin=boards).stdout.splitlines()
    assert lines[0] == "X...O....  X plays b3: draw"
    assert len(lines) == 4


def test_a_bad_board_among_many_is_reported_and_the_others_answered() -> None:
    result = run("suggest", "--json", stdin="X...O....\nXX\n[1,2\n.........\n")
    assert result.exit_code == 2
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert ["problem" in answer for answer in answers] == [False, True, True, False]
    assert answers[1]["problem"]["detail"].startswith("the board has 2 cells")
    assert [(answer["problem"]["line"], answer["problem"]["board"]) for answer in answers[1:3]] == [
        (2, "XX"),
        (3, "[1,2"),
    ]
    assert "line 2: the board has 2 cells" in result.stderr
    assert "line 3: the board begins with [ but is not a list" in result.stderr


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_no_character_in_the_input_or_output_makes_it_fail(encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for command, lines in (("suggest", b"\xff\xfe\nX...O....\n"), ("play", b"\xff\xfe\nb2\n")):
        shown = subprocess.run(
            [BESTMOVE, command], input=lines, env=environment, capture_output=True, check=False
        )
        assert b"Traceback" not in shown.stderr
        assert b"plays b3" in shown.stdout or b"O plays" in shown.stdout


def test_an_analysis_says_how_many_moves_it_leaves_out() -> None:
    """docs/command.md shows an analysis."""
    assert "and 1 more: --top 5 lists" in run("analyze", "XX.OO....", "--top", "4").stdout
    assert " more" not in run("analyze", "XX.OO....", "--top", "5").stdout


def test_several_boards_are_analysed_like_one() -> None:
    boards = ["XX.OO....", "X........", "XXXOO...."]
    shown = run("analyze", *boards, "--plain").stdout
    assert shown == "".join(run("analyze", board, "--plain").stdout for board in boards)
    assert shown.endswith("XXXOO....  the game is over: X has won\n")


def rows(result: Result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_csv_has_the_problem_of_a_bad_board() -> None:
    """docs/command.md shows the other columns."""
    result = run("suggest", "--format", "csv", stdin="XX.OO....\n\nXX\n")
    assert result.exit_code == 2
    _, bad = rows(result)
    assert (bad["line"], bad["board"], bad["move"]) == ("3", "XX", "")
    assert bad["problem"].startswith("the board has 2 cells")


def test_csv_of_an_analysis_has_a_row_for_each_move() -> None:
    moves = rows(run("analyze", "--format", "csv", "--top", "1", "XX.OO....", "XXXOO...."))
    assert [(row["cell"], row["outcome"]) for row in moves[:2]] == [("c3", "win"), ("c2", "draw")]
    assert [row["board"] for row in moves] == ["XX.OO...."] * 5 + ["XXXOO...."]
    assert (moves[0]["line"], moves[5]["status"], moves[5]["move"]) == ("", "won", "")


def test_estimates_are_for_the_side_to_move() -> None:
    options = ["--game", "gomoku", "--moves", "h8 a1 i9 o1", "--time", "100", "--depth", "2"]
    assert re.search(r"X plays \w+: estimate \+0\.\d\d for X", run("suggest", *options).stdout)
    swapped = [*options, "--first", "O"]
    assert re.search(r"O plays \w+: estimate \+0\.\d\d for O", run("suggest", *swapped).stdout)
    shown = run("analyze", *swapped, "--plain").stdout
    assert "| result for O " in shown
    assert re.search(r"\| estimate \+0\.\d\d +\|", shown)


ENDS_EARLY = '{"children": [{"value": 3, "children": [5, 2]}, {"value": 6, "children": [8]}]}'


def test_a_tree_shows_what_was_pruned_to_the_depth_of_its_search() -> None:
    least = run("tree", "[[5,2],1]", "--minimize", "--plain").stdout
    assert least.startswith("min = 1\n+-- max\n|   +-- 5\n|   `-- 2\n`-- 1  <- best\nvalue")
    cut = run("tree", ENDS_EARLY, "--depth", "1", "--plain").stdout
    assert cut.startswith("max = 6\n+-- 3\n`-- 6  <- best\nvalue")
    negamax = run("tree", "[[5,2,9],[1,4]]", "--plain", "--trace", "--algorithm", "negamax").stdout
    assert "\n`-- node >= -1  (alpha -inf, beta -2)  cutoff\n" in negamax


@pytest.mark.parametrize(("count", "shown"), [(12, "k1 l1"), (13, "k1 l1 ...")])
def test_a_line_says_whether_it_goes_on(count: int, shown: str) -> None:
    line = words.line(range(count), Board.empty(1, 20).rules)
    assert (line.split()[:10], line[-len(shown) :]) == ([f"{at}1" for at in "abcdefghij"], shown)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["suggest", "XX"], "the board has 2 cells"),
        (["suggest", CORNER_AND_CENTRE, "--seed", str(2**63)], "seed must be an integer"),
        (["play", "--level", "3", "--algorithm", "minimax"], "level below"),
        (["suggest", "--url", "nowhere", CORNER_AND_CENTRE], "is not an address such as"),
        (["tree", CORNER_AND_CENTRE], "for a board, use bestmove suggest"),
        (["tree", "[[1,[]]]"], "tree/0/1"),
        (["suggest", "--size", "21"], "21 is out of range: 1 to 20 rows and columns"),
        (["suggest", "--size", "6by7"], "'6by7' is not a size: give 15, or 6x7"),
        (["suggest", "--moves", "b2", CORNER_AND_CENTRE], "give boards or --moves, not both"),
        (["play", "--moves", "b2", CORNER_AND_CENTRE], "give a board or --moves, not both"),
        (["play", "--size", "3", "-k", "4"], "k must be an integer from 1 to 3"),
        (["play", "--threads", "2", "--seed", "1"], "but seed promises"),
        (["analyze", "--moves", "b2 b2"], "move 2: b2 is taken by X"),
        (["suggest", "--game", "connect-four", "--no-gravity", "--moves", ""], "gravity is true"),
    ],
)
def test_wrong_input_is_reported_and_exits_with_2(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.output


def test_a_request_that_the_service_refuses_exits_with_2(url: str) -> None:
    result = run("suggest", "--url", url, "--nodes", "5", CORNER_AND_CENTRE)
    assert result.exit_code == 2
    assert f"{url}/best-move: 422 /nodes: nodes is an unknown field" in result.stderr


def test_control_characters_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    escape = "\x1b[31m"
    (tmp_path / "a.csv").write_text(f"board,board{escape}\n.........,1\n")
    out = str(tmp_path / "b.csv")
    with faulty("escapes") as server:
        results = [
            run("suggest", "--url", server.url, CORNER_AND_CENTRE),
            run("label", f"no{escape}.csv", out),
            run("label", str(tmp_path / "a.csv"), out, "--keep", f"no{escape}"),
            run("verify", f"no{escape}.proof"),
        ]
    for result in results:
        assert result.exit_code
        assert "\x1b" not in result.output
    assert "b\\x1b]0;c\\x07" in results[0].stderr
    assert "no\\x1b[31m.csv" in results[1].stderr
    drawing.console().print(escape)  # such as the reason that a service gives
    assert capsys.readouterr().out == "\\x1b[31m\n"


def test_a_bad_board_is_refused_before_the_service_is_asked(url: str) -> None:
    result = run("suggest", "--url", url, "XX", CORNER_AND_CENTRE)
    assert result.exit_code == 2
    assert "bestmove: board 1: the board has 2 cells" in result.stderr
    assert "X plays b3" in result.stdout


COMPLETED_BY = {"bash": "complete", "zsh": "compdef", "fish": "complete"}


@pytest.mark.parametrize("shell", [*COMPLETED_BY, "powershell"])
def test_completion_prints_the_script_of_a_shell(shell: str) -> None:
    script = run("completion", shell)
    assert script.exit_code == 0
    assert "_BESTMOVE_COMPLETE" in script.stdout
    assert COMPLETED_BY.get(shell, "Register-ArgumentCompleter") in script.stdout


def test_without_a_board_on_a_terminal_it_says_what_to_give() -> None:
    for command, said in (("suggest", "give a board, such as X...O...."), ("tree", "give a tree")):
        with Terminal(BESTMOVE, command) as terminal:
            terminal.expect(said)
            assert terminal.wait() == 2


def test_the_options_of_gomocup_reach_the_brain(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr("bestmove.bots.gomocup.Brain", lambda _, **options: told.update(options))
    monkeypatch.setattr("bestmove.bots.pipes.run", lambda *_, **__: None)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(os, "_exit", sys.exit)
    options = ("-k", "4", "--level", "3", "--seed", "7", "--max-time", "30")
    assert run("gomocup", *options).exit_code == 0
    assert told == {"k": 4, "level": 3, "seed": 7, "max_time_ms": 30}
