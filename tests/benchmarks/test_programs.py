"""Each program of benchmarks/ helps with a decision, which benchmarks/README.md names."""

import ast
import re

from tests.support.documents import ROOT

FOLDER = ROOT / "benchmarks"
ROW = re.compile(r"^\| `(make bench|python -m [\w.]+)[^`]*` \| (.+?) \| .+ \|$", re.MULTILINE)


def programs() -> dict[str, str]:
    """The docstring of each module that can be run, by the command that runs it."""
    found = {}
    for path in FOLDER.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if 'if __name__ == "__main__":' in text and ".venv" not in path.parts:
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            docstring = ast.get_docstring(ast.parse(text)) or ""
            found[f"python -m {name.removesuffix('.__main__')}"] = docstring
    return found


def test_the_table_has_every_program_and_the_decision_that_it_serves() -> None:
    rows = dict(ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8")))
    assert rows.pop("make bench").startswith("whether")
    assert rows.keys() == programs().keys()
    for command, decision in rows.items():
        assert re.match("(whether|which|how|from which|an environment) ", decision), command


def test_every_program_begins_with_the_question_that_it_answers() -> None:
    for command, docstring in programs().items():
        if command != "python -m benchmarks.peers.environment":
            assert "?" in docstring.partition("\n")[0], command
