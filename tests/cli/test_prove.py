"""`bestmove prove` and `bestmove verify`."""

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.test_commands import run


def test_a_certificate_is_written_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "draw.proof"
    made = run("prove", "X...O....", "-o", str(file))
    assert made.exit_code == 0, made.output
    assert made.stdout == f"{file}: {file.stat().st_size:,} bytes, compressed\n"
    found = run("verify", str(file))
    said = "The game is a draw\nX../.O./... (3 rows of 3, k = 3), X to move\n"
    assert (found.exit_code, found.stdout) == (0, said)
    verdict = json.loads(run("verify", str(file), "--json").stdout)
    assert (verdict["stands"], verdict["draw"]) == (True, True)
    assert (verdict["board"], verdict["turn"]) == ("X...O....", "X")


@pytest.mark.parametrize(
    ("meant", "code"),
    [
        (("--board", "XX..O.O.."), 0),
        (("--board", "xx_/_o_/o__"), 0),
        (("--board", "XX..O.O..", "--game", "tic-tac-toe"), 0),
        (("--moves", "a3 b2 b3 a1"), 0),
        (("--board", "XX..O.O..", "--misere"), 1),
        (("--board", "XX..O.O..", "-k", "2"), 2),
        (("--board", "XX..O.O..", "--first", "O"), 1),
        (("--misere",), 2),
        (("--board", "XX..O.O."), 2),
        (("--board", "XX..O.O..", "--moves", "a3"), 2),
    ],
)
def test_another_position_is_refused(tmp_path: Path, meant: tuple[str, ...], code: int) -> None:
    file = tmp_path / "win.proof"
    run("prove", "XX..O.O..", "--exactly", "-o", str(file))
    found = run("verify", str(file), *meant)
    assert found.exit_code == code, found.output
    if code == 0:
        assert found.stdout.startswith("X wins in exactly 1 ply\nXX./.O./O.. ")
    if code == 1:
        assert found.stderr.startswith("Not proven: The document is about another position.\n")


def test_without_a_file_the_certificate_is_printed_as_json() -> None:
    made = run("prove", "--size", "4", "-k", "3")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["claims"][0]["kind"] == "wins"
    assert run("verify", "-", stdin=f'{{"proof":{made.stdout.rstrip()}}}').stdout == (
        "X wins within 5 plies\n..../..../..../.... (4 rows of 4, k = 3), X to move\n"
    )
    assert run("prove", "--moves", "", "--size", "4", "-k", "3").stdout == made.stdout
    assert run("prove", "X...", "--moves", "").exit_code == 2


def test_an_invalid_certificate_exits_with_1(tmp_path: Path) -> None:
    document = run("prove", "XX..O.O..").stdout.replace('"move":2', '"move":5')
    file = tmp_path / "wrong.proof"
    file.write_bytes(gzip.compress(document.encode()))
    found = run("verify", str(file))
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith("Not proven: ")
    assert " (claim 0) (node 0)\n" in found.stderr


def test_an_unproven_result_exits_with_1_and_says_why() -> None:
    made = run("prove", "--game", "gomoku", "--time", "20")
    assert (made.exit_code, made.stdout) == (1, "")
    assert (
        made.stderr
        == "bestmove: The result was not proven within the budget. More --time may help.\n"
    )


def test_unusable_files_and_boards_are_refused(tmp_path: Path) -> None:
    assert run("verify", str(tmp_path / "none")).exit_code == 2
    (tmp_path / "file").touch()
    place = tmp_path / "file" / "folder"
    made = run("prove", "--game", "gomoku", "-o", str(place / "a.proof"))
    assert (made.exit_code, made.stderr) == (1, f"bestmove: {place}: Not a directory\n")
    assert run("prove", "X..").exit_code == 2
