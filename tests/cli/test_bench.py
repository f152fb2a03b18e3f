"""`bestmove bench --signature`: both builds search the recorded number of nodes."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.builds import COMPILED, ROOT
from tests.support.needs import LONG
from tests.support.programs import run

SIGNATURE = 63_640
"""Change this number only in a commit that intends to change which nodes are searched."""


def signature_of(folder: Path) -> tuple[int, bool]:
    """The output of `bestmove bench --signature` with the package in `folder`, and whether that
    package is compiled."""
    check = f"import importlib; print(importlib.import_module({[*COMPILED][-1]!r}).compiled)"
    printed = [
        run(sys.executable, *arguments, env=os.environ | {"PYTHONPATH": str(folder)}).stdout.strip()
        for arguments in (["-m", "bestmove", "bench", "--signature"], ["-c", check])
    ]
    return int(printed[0]), printed[1] == "True"


def test_the_signature_is_the_recorded_one() -> None:
    assert signature_of(ROOT / "service")[0] == SIGNATURE


@pytest.mark.slow
@LONG
@pytest.mark.parametrize("cython", [True, False], ids=["with Cython", "without Cython"])
def test_plain_python_has_the_same_signature(cython: bool, tmp_path: Path) -> None:
    compiled = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    shutil.copytree(ROOT / "service" / "bestmove", tmp_path / "bestmove", ignore=compiled)
    if not cython:
        missing = "raise ModuleNotFoundError('No module named cython', name='cython')"
        (tmp_path / "cython.py").write_text(missing, encoding="utf-8")
    assert signature_of(tmp_path) == (SIGNATURE, False)
