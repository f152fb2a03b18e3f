"""The examples of docs/embedding.md, for the tests that run them."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = Path(__file__).parents[1] / "docs" / "embedding.md"
IN_THE_GUIDE = "http://127.0.0.1:8000"
"""The service's address as the guide spells it."""


def examples(language: str) -> list[str]:
    """The code blocks in a language, in their order."""
    text = GUIDE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def said(program: str, comment: str = "# ") -> str:
    """What a program says it prints: its last line, if that is a comment."""
    last = program.rstrip().splitlines()[-1]
    return last.removeprefix(comment) if last.startswith(comment) else ""
