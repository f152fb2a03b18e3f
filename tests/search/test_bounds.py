"""No search reaches outside its arrays."""

import shutil
import sys
from pathlib import Path

import pytest

from bestmove.search.engines.gomoku import search
from tests.support.needs import LONG
from tests.support.programs import run


@pytest.mark.slow
@LONG
@pytest.mark.skipif(
    not search.compiled or not shutil.which("gcc"),
    reason="the engine runs uncompiled, or what compiled it is not here",
)
def test_searches_stay_within_their_arrays(tmp_path: Path) -> None:
    done = run(sys.executable, "-m", "tests.search.checkedbuild", tmp_path)
    assert "no access out of bounds" in done.stdout
