"""Searches show their progress, and end at Ctrl-C or when the reader of a pipe closes it."""

import os
import signal
import subprocess
from contextlib import ExitStack

import pytest

from tests.cli.terminal import Terminal
from tests.support.programs import hear_ctrl_c, run
from tests.support.replicas import processor_seconds
from tests.support.servers import BESTMOVE, running_service
from tests.support.sockets import PATIENCE, eventually

CORNER_AND_CENTRE = "X...O...."


def test_progress_goes_to_the_terminal_alone() -> None:
    boards = "\n".join([CORNER_AND_CENTRE] * 300)
    command = f"printf '{boards}\n' | {BESTMOVE} suggest --json > /dev/null"
    with Terminal("/bin/sh", "-c", command) as terminal:
        assert terminal.wait() == 0
        assert "boards" in terminal.raw
    quiet = run(BESTMOVE, "suggest", "--json", input=boards)
    assert quiet.stderr == ""
    assert len(quiet.stdout.splitlines()) == 300


@pytest.mark.parametrize("output", ["json", "csv", "text"])
def test_a_reader_that_closes_the_pipe_ends_the_command_quietly(output: str) -> None:
    boards = "\n".join([CORNER_AND_CENTRE] * 5000)
    command = f"{{ {BESTMOVE} suggest --format {output}; echo $? >&2; }} | head -n 1"
    shown = run("/bin/sh", "-c", command, input=boards)
    assert len(shown.stdout.splitlines()) == 1
    assert shown.stderr == "0\n"


def test_answers_come_as_boards_come_and_ctrl_c_exits_with_130() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(  # type: ignore[call-overload]
        [BESTMOVE, "suggest"], **pipes, text=True, preexec_fn=hear_ctrl_c
    )
    with process:
        process.stdin.write(f"{CORNER_AND_CENTRE}\n")
        process.stdin.flush()
        assert "X plays b3" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=PATIENCE)[1].split() == ["interrupted"]
        finally:
            process.kill()
    assert process.returncode == 130


LONG = ("--size", "12", "--misere", "--moves", "h8 i9", "--time", "600000")
"""A search that only Ctrl-C ends."""

each_command = pytest.mark.parametrize(
    ("command", "shown"), [("suggest", "X plays "), ("analyze", "result for X")]
)


@each_command
@pytest.mark.parametrize("by_a_service", [False, True])
def test_ctrl_c_ends_a_search_with_an_answer(command: str, shown: str, by_a_service: bool) -> None:
    with ExitStack() as running:
        options = list(LONG)
        if by_a_service:
            service = running_service(max_time_ms="600000")
            options += ["--url", running.enter_context(service)]
        terminal = running.enter_context(Terminal(BESTMOVE, command, *options))
        terminal.expect("searching, ")
        terminal.expect(" nodes; Ctrl-C for the best so far")
        terminal.expect("  estimate ")
        terminal.press(b"\x03")
        terminal.expect(shown)
        terminal.expect("interrupted")
        assert terminal.wait() == 130


def test_ctrl_c_among_many_boards_answers_the_current_one_and_ends() -> None:
    board = "/".join(["." * 16] * 7 + [".......X........"] + ["." * 16] * 8)
    boards = [CORNER_AND_CENTRE, board, CORNER_AND_CENTRE]
    with Terminal(BESTMOVE, "suggest", "--time", "600000", *boards) as terminal:
        terminal.expect("X plays b3: draw")
        threads = f"{terminal.process.pid}/task"

        def is_searching() -> bool:
            _, *others = sorted(os.listdir(f"/proc/{threads}"), key=int)
            return any(processor_seconds(f"{threads}/{thread}") for thread in others)

        eventually(is_searching)
        terminal.press(b"\x03")
        terminal.expect("O plays ")
        assert "X plays" not in terminal.expect("interrupted")
        assert terminal.wait() == 130
        assert "searching" not in terminal.raw


@each_command
def test_a_size_alone_is_the_empty_board_on_a_terminal(command: str, shown: str) -> None:
    with Terminal(BESTMOVE, command, "--size", "5", "--depth", "1") as terminal:
        terminal.expect(shown)
        assert terminal.wait() == 0
