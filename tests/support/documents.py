"""The documents that people read, and the examples in them, for the tests that run these."""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = sorted((ROOT / "docs").glob("*.md"))
EMBEDDING = ROOT / "docs" / "embedding.md"

IN_THE_GUIDE = "http://127.0.0.1:8000"
ADDRESS = re.compile(r"(127\.0\.0\.1|localhost):8000")
"""The service's address as the documents spell it."""

EXAMPLE = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
"""A command and its answer."""


def blocks(document: Path, language: str = r"\w*") -> list[str]:
    """The code blocks in a language, in their order."""
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```(?:{language})\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def console_examples_of(document: Path) -> list[tuple[str, str]]:
    """The commands that are shown with their answers."""
    return [found for block in blocks(document, "console") for found in EXAMPLE.findall(block)]


def comparable(answer: str) -> Any:
    """An answer without what varies from run to run, and JSON without its layout."""
    return without_times(json.loads(answer)) if answer.startswith(("{", "[")) else answer


def without_times(value: Any) -> Any:
    """Parsed JSON without what varies from run to run."""
    if isinstance(value, dict):
        varying = {"elapsed_ms", "instance"}
        return {key: without_times(item) for key, item in value.items() if key not in varying}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def languages(document: Path) -> set[str]:
    """The languages of the code blocks."""
    opened = re.findall(r"^```(.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return set(opened[::2])


def said(program: str, comment: str = "# ") -> str:
    """What a program says it prints: its last line, if that is a comment."""
    last = program.rstrip().splitlines()[-1]
    return last.removeprefix(comment) if last.startswith(comment) else ""
