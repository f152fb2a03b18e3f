"""What docs/embedding.md shows works as it says: each example is run."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedding import GUIDE, IN_THE_GUIDE, examples, said
from tests.servers import running_service

MOST_LINES = 15
ELSEWHERE = {"kaggle_environments", "pyspiel"}
"""What has an environment of its own, see benchmarks/peers/environment.py."""

ENVIRONMENT = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_service() as address:
        yield address


def imported(program: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(program)))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in names}


def printed(command: list[str], folder: Path) -> str:
    run = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.parametrize("program", examples("python"), ids=lambda text: text.split("\n")[0])
def test_every_python_example_prints_what_it_says(program: str, url: str, tmp_path: Path) -> None:
    for name in ELSEWHERE & imported(program):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} has an environment of its own: make peers")
    command = [sys.executable, "-c", program.replace(IN_THE_GUIDE, url)]
    assert printed(command, tmp_path).rstrip() == said(program)


@pytest.mark.parametrize("program", examples("js"))
def test_every_node_example_prints_what_it_says(program: str, url: str, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None and not os.environ.get("CI"):
        pytest.skip("needs node: apt-get install nodejs")
    assert node, "apt-get install nodejs"
    with urllib.request.urlopen(f"{url}/static/client.js") as response:
        (tmp_path / "client.mjs").write_bytes(response.read())
    (tmp_path / "game.mjs").write_text(program.replace(IN_THE_GUIDE, url), encoding="utf-8")
    assert printed([node, "game.mjs"], tmp_path) == said(program, "// ")


@pytest.mark.parametrize("example", examples("console"))
def test_every_command_answers_as_it_says(example: str, tmp_path: Path) -> None:
    command, answer = example.split("\n", 1)
    assert printed(["bash", "-c", command.removeprefix("$ ")], tmp_path) == answer.strip()


def test_the_assistants_settings_name_the_command() -> None:
    (settings,) = map(json.loads, examples("json"))
    assert settings["mcpServers"]["bestmove"] == {"command": "bestmove", "args": ["mcp"]}


@pytest.mark.parametrize("language", ["python", "js", "html", "console", "json"])
def test_no_example_is_longer_than_fifteen_lines(language: str) -> None:
    assert examples(language)
    for example in examples(language):
        lines = [line for line in example.splitlines() if line.strip()]
        assert len(lines) <= MOST_LINES, example


def test_every_link_leads_to_a_heading() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) == anchors
