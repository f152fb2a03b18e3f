"""`bestmove bench`. With `--signature`, compiled code and plain Python visit equally many nodes."""

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import create_autospec

import pytest
from click.testing import CliRunner

from bestmove import Limits, best_move
from bestmove.cli import measuring
from bestmove.cli.app import bestmove
from tests.support.builds import COMPILED, ROOT
from tests.support.needs import LONG
from tests.support.programs import run

SIGNATURE = 64_485
"""The nodes that `bestmove bench --signature` visits. Change the number only in a commit that
changes the search on purpose."""


def signature_of(folder: Path) -> tuple[int, bool]:
    """Run `bestmove bench --signature` with the package in `folder`. Return the nodes, and whether
    the package is compiled."""
    check = f"import importlib; print(importlib.import_module({[*COMPILED][-1]!r}).compiled)"
    printed = [
        run(sys.executable, *arguments, env=os.environ | {"PYTHONPATH": str(folder)}).stdout.strip()
        for arguments in (["-m", "bestmove", "bench", "--signature"], ["-c", check])
    ]
    return int(printed[0]), printed[1] == "True"


def test_the_signature_is_the_recorded_one() -> None:
    assert signature_of(ROOT / "service")[0] == SIGNATURE


def test_the_search_of_a_given_board_may_take_the_time_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search = create_autospec(best_move, side_effect=lambda board, _: best_move(board))
    monkeypatch.setattr(measuring, "best_move", search)
    shown = CliRunner().invoke(bestmove, ["bench", "--size", "3", "--time", "60000"])
    assert "3x3 k3" in shown.output
    assert search.call_args.args[1] == Limits(time_ms=60_000)


def test_the_speed_is_that_of_the_processor_time_if_there_are_nodes_enough() -> None:
    figure = measuring.Figure("a search", "a win", nodes=50_000, ms=500, cpu_ms=100)
    assert figure.nodes_per_second == 500_000
    assert replace(figure, nodes=999).nodes_per_second == 0


@pytest.mark.slow
@LONG
def test_plain_python_without_cython_has_the_same_signature(tmp_path: Path) -> None:
    compiled = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    shutil.copytree(ROOT / "service" / "bestmove", tmp_path / "bestmove", ignore=compiled)
    missing = "raise ModuleNotFoundError('No module named cython', name='cython')"
    (tmp_path / "cython.py").write_text(missing, encoding="utf-8")
    assert signature_of(tmp_path) == (SIGNATURE, False)
