"""The signature of the search: compiled code and plain Python visit equally many nodes."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.engine.signature import speeds
from tests.support.builds import COMPILED, ROOT
from tests.support.needs import LONG
from tests.support.programs import run

SIGNATURE = 64_440
"""The nodes that `benchmarks.engine.signature` counts. Change the number only in a commit that
changes the search on purpose."""


def signature_of(folder: Path) -> tuple[int, bool]:
    """Count the signature of the package in `folder`. Return the nodes, and whether the package is
    compiled."""
    check = f"import importlib; print(importlib.import_module({[*COMPILED][-1]!r}).compiled)"
    environment = os.environ | {"PYTHONPATH": str(folder)}
    printed = [
        run(sys.executable, *arguments, env=environment, cwd=ROOT).stdout.strip()
        for arguments in (["-m", "benchmarks.engine.signature"], ["-c", check])
    ]
    return int(printed[0]), printed[1] == "True"


def test_the_signature_is_the_recorded_one() -> None:
    assert signature_of(ROOT / "service")[0] == SIGNATURE


def test_no_timed_search_ends_long_before_its_limit() -> None:
    assert [found.game for found in speeds(5000) if found.nodes < 2000] == []


@pytest.mark.slow
@LONG
def test_plain_python_without_cython_has_the_same_signature(tmp_path: Path) -> None:
    compiled = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    shutil.copytree(ROOT / "service" / "bestmove", tmp_path / "bestmove", ignore=compiled)
    missing = "raise ModuleNotFoundError('No module named cython', name='cython')"
    (tmp_path / "cython.py").write_text(missing, encoding="utf-8")
    assert signature_of(tmp_path) == (SIGNATURE, False)
