"""What the README shows is what a reader gets: its commands are run, its answers compared."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bestmove.api import settings
from tests.servers import running_service

README = Path(__file__).parents[1] / "README.md"
EXAMPLE = re.compile(r"^\$ (?P<command>.+)\n(?P<answer>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def console_examples() -> list[tuple[str, str]]:
    blocks = re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    return [
        (match["command"], match["answer"]) for block in blocks for match in EXAMPLE.finditer(block)
    ]


def without_times(value: Any) -> Any:
    """What varies from run to run is left out of a comparison."""
    if isinstance(value, dict):
        varying = {"elapsed_ms", "instance"}
        return {key: without_times(item) for key, item in value.items() if key not in varying}
    return [without_times(item) for item in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_service() as url:
        yield url.removeprefix("http://")


@pytest.mark.parametrize(("command", "answer"), console_examples())
def test_every_console_example_answers_as_it_says(command: str, answer: str, address: str) -> None:
    assert answer, f"the README shows no answer to: {command}"
    assert shutil.which("curl"), "the README's examples need curl: apt-get install curl"
    shown = subprocess.run(
        ["bash", "-c", command.replace("localhost:8000", address)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    ).stdout
    if answer.startswith(("{", "[")):
        assert without_times(json.loads(shown)) == without_times(json.loads(answer))
    else:
        assert shown == answer


def client_examples() -> list[str]:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    return [block for block in blocks if ">>>" not in block]


@pytest.mark.parametrize("program", client_examples())
def test_every_program_prints_what_its_last_comment_says(
    program: str, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(program.replace("127.0.0.1:8000", address), {})
    assert capsys.readouterr().out.rstrip() == program.rstrip().rpartition("# ")[2]


def test_the_settings_are_those_of_the_service() -> None:
    shown = README.read_text(encoding="utf-8")
    assert settings.table() in shown, "print it with: python -m bestmove.api.settings"


def test_the_readme_shows_curl_examples() -> None:
    assert sum(command.startswith("curl") for command, _ in console_examples()) >= 5


def test_every_python_example_runs() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
