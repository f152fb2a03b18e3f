"""How the command starts: which modules it imports, and what Ctrl-C does while it imports them."""

import json
import os
import re
import sys

import pytest
from click.testing import CliRunner

from bestmove.cli.app import COMMANDS, bestmove
from tests.support.programs import run
from tests.support.servers import BESTMOVE

HEAVY = {"dask", "flask", "gunicorn", "marshmallow", "mcp", "numpy", "pyarrow", "requests", "rich"}

INTERRUPTED_BY = """
import os, signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.{handler})
sys.meta_path.insert(0, Finder)
from bestmove.cli import main
main({arguments!r})
"""
"""A program that runs the command. It gets SIGINT when the command imports `module`."""


def imported_by(program: str, **environment: str) -> set[str]:
    code = f"import atexit, sys; atexit.register(lambda: print(*sys.modules)); {program}"
    shown = run(sys.executable, "-c", code, env=os.environ | environment).stdout
    return set(shown.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [[], *([name] for name in COMMANDS)], ids=str)
def test_help_imports_neither_the_engine_nor_what_it_does_not_need(arguments: list[str]) -> None:
    loaded = imported_by(f"from bestmove.cli import main; main({[*arguments, '--help']})")
    assert "bestmove.cli.app" in loaded
    assert not HEAVY & loaded
    assert not {"bestmove.search.analysis", "bestmove.search.dispatch"} & loaded
    assert bool(arguments) == bool({f"bestmove.cli.{name}" for name in COMMANDS} & loaded)


@pytest.mark.parametrize(
    ("words", "suggestions"),
    [
        ("bestmove pro", ["plain,prove"]),
        ("bestmove play --see", ["plain,--seed"]),
        ("bestmove suggest --game conn", ["plain,connect-four"]),
    ],
)
def test_tab_completes_and_imports_little(words: str, suggestions: list[str]) -> None:
    environment = {
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
        "_BESTMOVE_COMPLETE": "bash_complete",
    }
    loaded = imported_by("from bestmove.cli import main; main()", **environment)
    assert not HEAVY & loaded
    shown = run(BESTMOVE, env=os.environ | environment).stdout
    assert shown.split() == suggestions


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("click", ["--help"]),
        ("bestmove.cli.options", ["suggest", "X...O...."]),
        ("rich", ["suggest", "X...O...."]),
        ("rich", ["play"]),
        ("gunicorn.arbiter", ["serve", "--port", "0"]),
    ],
)
def test_ctrl_c_during_the_start_ends_the_command(module: str, arguments: list[str]) -> None:
    program = INTERRUPTED_BY.format(
        module=module, arguments=arguments, handler="default_int_handler"
    )
    ended = run(sys.executable, "-c", program, status=130)
    assert (ended.stdout, ended.stderr) == ("", "")


def test_a_command_that_is_started_with_ctrl_c_ignored_ignores_it() -> None:
    arguments = ["suggest", "XX.OO....", "--format", "json"]
    program = INTERRUPTED_BY.format(module="rich", arguments=arguments, handler="SIG_IGN")
    assert json.loads(run(sys.executable, "-c", program).stdout)["move"]["index"] == 2


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_on_60_columns(command: str) -> None:
    shown = CliRunner().invoke(bestmove, [*command.split(), "--help"], terminal_width=60)
    assert shown.exit_code == 0
    assert [line for line in shown.stdout.splitlines() if len(line) > 60] == []
    assert not re.search(r"\w-$", shown.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("redirection", "complaint", "code"),
    [
        (">&-", "standard output is closed", 1),
        ("<&-", "standard input is closed", 1),
        ("</dev/null", "standard input has no board", 2),
    ],
)
def test_a_closed_or_empty_stream_is_named(redirection: str, complaint: str, code: int) -> None:
    shell = f"{BESTMOVE} suggest --game gomoku {redirection}"
    done = run("sh", "-c", shell, status=code)
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
