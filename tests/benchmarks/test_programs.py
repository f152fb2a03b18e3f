"""benchmarks/README.md lists the programs of benchmarks/."""

import re

from tests.support.builds import ROOT

FOLDER = ROOT / "benchmarks"
ROW = re.compile(r"^\| `(make bench|python -m [\w.]+)[^`]*` \| .+? \| .+ \|$", re.MULTILINE)


def test_the_table_has_every_program_and_no_other() -> None:
    commands = {"make bench"}
    for path in FOLDER.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if 'if __name__ == "__main__":' in text and ".venv" not in path.parts:
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            commands.add(f"python -m {name.removesuffix('.__main__')}")
    assert set(ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8"))) == commands
