"""Finds the documents' examples, for the tests that run them."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from bestmove.answers import VARIES, SearchStats
from tests.support.builds import ROOT

README = ROOT / "README.md"
PAGES = sorted((ROOT / "docs").glob("*.md"))
EMBEDDING = ROOT / "docs" / "embedding.md"
EXAMPLES = ROOT / "docs" / "examples"

IN_THE_GUIDE = "http://127.0.0.1:8000"
ADDRESS = re.compile(r"(127\.0\.0\.1|localhost):8000")

EXAMPLE = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def blocks(document: Path, language: str = r"\w*") -> list[str]:
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```(?:{language})\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def console_examples_of(document: Path) -> list[tuple[str, str]]:
    """Return each command of a document's console blocks with the answer shown below it."""
    return [found for block in blocks(document, "console") for found in EXAMPLE.findall(block)]


def comparable(answer: str) -> Any:
    """Parse an answer if it is JSON values. Remove the fields that vary from run to run."""
    if not answer.startswith(("{", "[")):
        return answer
    values, rest = [], answer
    while rest:
        value, end = json.JSONDecoder().raw_decode(rest)
        values.append(without_times(value))
        rest = rest[end:].lstrip()
    return values


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        varying = {"instance", *(one.name for one in fields(SearchStats) if one.metadata == VARIES)}
        return {key: without_times(item) for key, item in value.items() if key not in varying}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def languages(document: Path) -> set[str]:
    opened = re.findall(r"^```(.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return set(opened[::2])


def said(program: str, comment: str = "# ") -> str:
    """Return the expected output of a program, which is the comment in its last line."""
    last = program.rstrip().splitlines()[-1]
    return last.removeprefix(comment) if last.startswith(comment) else ""
