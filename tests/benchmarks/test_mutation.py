"""Faults that tests notice, and faults that they do not."""

import difflib
import subprocess
from pathlib import Path

import pytest

from benchmarks.mutation import reporting, running
from benchmarks.mutation.running import NEAR, OWN, Fault, notice
from tests.support.documents import ROOT

MODULE = "service/bestmove/cli/sums.py"
TREE = {
    "pyproject.toml": "[tool.setuptools]\next-modules = []\n\n[tool.pytest.ini_options]\n",
    ".gitignore": "__pycache__/\n.cache/\n",
    "service/bestmove/__init__.py": "",
    "service/bestmove/cli/__init__.py": "",
    MODULE: "def total(of):\n    return sum(of) + 0\n\n\n"
    "def longest(of):\n    return max(of, key=len)\n",
    "tests/cli/test_sums.py": "from bestmove.cli.sums import total\n\n\n"
    "def test_total():\n    assert total([1, 2]) == 3\n\n\n"
    "def test_broken():\n    assert total([1, 2]) == 4\n",
    "tests/bots/test_longest.py": "from bestmove.cli.sums import longest\n\n\n"
    "def test_longest():\n    assert longest(['a', 'bc']) == 'bc'\n",
}


def fault(old: str, new: str, text: str = TREE[MODULE]) -> Fault:
    both = text.splitlines(keepends=True), text.replace(old, new).splitlines(keepends=True)
    return Fault(new, "".join(difflib.unified_diff(*both, f"a/{MODULE}", f"b/{MODULE}")))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setattr(running, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_nearest_test_that_passes_without_a_fault_notices_it(checkout: Path) -> None:
    near = fault("return sum(of) + 0", "return sum(of) + 1")
    far = fault("return max(of, key=len)", "return min(of, key=len)")
    same = fault("return sum(of) + 0", "return sum(of) - 0")
    outcomes = notice([near, far, same], False, 60, checkout / ".cache")
    assert outcomes == {
        near: ("room", "tests/cli/test_sums.py::test_total"),
        far: ("quick", "tests/bots/test_longest.py::test_longest"),
        same: ("none", None),
    }
    assert notice([near, far, same], False, 0, checkout / ".cache") == outcomes  # from the cache
    assert "| cli | 3 | 1 | 1 | 0 | 1 |" in reporting.report(outcomes)


def test_the_rooms_and_their_tests_exist() -> None:
    folders = {path.parent.name for path in (ROOT / "service" / "bestmove").glob("*/*.py")}
    assert folders | {"web", ""} == OWN.keys() == NEAR.keys()
    for paths in (*OWN.values(), *NEAR.values()):
        assert all((ROOT / path.removesuffix("/*")).exists() for path in paths)
