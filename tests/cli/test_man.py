"""`bestmove man`: the help as manual pages."""

import pytest

from bestmove.cli.app import COMMANDS
from tests.cli import test_commands
from tests.support.needs import program, require
from tests.support.programs import run


def page(*command: str) -> str:
    shown = test_commands.run("man", *command)
    assert shown.exit_code == 0, shown.output
    return shown.stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_page_is_roff_without_a_warning(command: str) -> None:
    require("groff", "groff-base")
    text = page(*command.split())
    assert text.isascii()
    shown = run(program("groff") or "groff", "-man", "-ww", "-Tascii", "-P-c", input=text)
    assert shown.stderr == ""
    assert f"bestmove-{command}" if command else "bestmove" in shown.stdout


def test_a_page_has_what_the_help_says() -> None:
    text = page("suggest")
    assert '.TH BESTMOVE-SUGGEST 1 "" "bestmove ' in text
    assert "bestmove\\-suggest \\- Suggest the best move on each board\n" in text
    assert ".B bestmove suggest\n[OPTIONS] [BOARDS]...\n" in text
    assert ".TP\n.B \\-k N\nMarks in a row that win." in text
    assert ".B \\-h, \\-\\-help\nShow this message and exit.\n" in text
    assert ".EX\nbestmove suggest X...O....\n" in text
    assert ".SH EXIT STATUS" in text
    assert text.endswith(".SH SEE ALSO\n.BR bestmove (1)\n")


def test_the_first_page_lists_the_commands() -> None:
    text = page()
    assert all(f".B bestmove\\-{name}(1)\n" in text for name in COMMANDS)


def test_an_unknown_command_has_no_page() -> None:
    shown = test_commands.run("man", "dance")
    assert shown.exit_code == 2
    assert "there is no command 'dance'" in shown.output
