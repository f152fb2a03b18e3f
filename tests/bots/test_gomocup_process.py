"""`bestmove gomocup` as a process, as a tournament manager starts it."""

import re
import signal
import subprocess

import pytest

from tests.cli.terminal import Terminal
from tests.support.programs import run
from tests.support.servers import BESTMOVE


def talk_to_process(lines: str) -> list[str]:
    shown = run(BESTMOVE, "gomocup", input=lines, timeout=120)
    assert shown.stderr == ""
    return shown.stdout.splitlines()


def test_after_end_every_search_answers_with_its_best_move_so_far() -> None:
    answers = talk_to_process("START 20\nINFO timeout_turn 3000000\nTURN 7,7\nTURN 0,0\nEND\n")
    assert sum(bool(re.fullmatch(r"\d+,\d+", answer)) for answer in answers) == 2


def test_a_stop_ends_the_running_search_and_the_next_one_reaches_its_depth() -> None:
    stopped = "TURN 7,7\nYXSTOP\nYXBOARD\n7,7,2\nDONE\nYXNBEST 3\nstop\n"
    following = "INFO max_depth 4\nTURN 0,0\n"
    answers = talk_to_process(f"START 20\nINFO timeout_turn 3000000\n{stopped}{following}")
    assert sum(bool(re.fullmatch(r"\d+,\d+", answer)) for answer in answers) == 3
    assert answers[-2].startswith("MESSAGE depth 4-")


def test_the_process_plays_a_position_that_is_piped_in() -> None:
    board = "BOARD\n5,7,1\n6,7,1\n7,7,1\n8,7,1\n5,8,2\n6,8,2\n7,8,2\n8,8,2\nDONE\n"
    answers = talk_to_process(f"START 15\nINFO timeout_turn 500\n{board}")
    assert answers[0] == "OK"
    assert answers[-1] in ("4,7", "9,7")
    assert " ev +M" in answers[-2]


def test_the_process_survives_bytes_that_are_not_text() -> None:
    shown = subprocess.run(
        [BESTMOVE, "gomocup"],
        input=b"START 3\r\n\xff\xfe\x00\r\nBEGIN\r\nEND\r\n",
        capture_output=True,
        check=True,
    )
    assert shown.stdout.splitlines()[-1] == b"0,0"


@pytest.mark.parametrize("thinking", [False, True])
def test_ctrl_c_ends_it_at_once_and_quietly(thinking: bool) -> None:
    with Terminal(BESTMOVE, "gomocup") as terminal:
        terminal.enter("START 20")
        terminal.expect("OK")
        if thinking:
            terminal.enter("INFO timeout_turn 3000000\nTURN 7,7")
            terminal.expect("TURN 7,7")
        terminal.press(b"\x03")
        assert terminal.wait() == -signal.SIGINT
        assert "Fatal" not in terminal.raw
        assert "Traceback" not in terminal.raw
