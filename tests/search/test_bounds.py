"""No search reaches outside its arrays."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bestmove.search.engines.gomoku import search
from tests.support.needs import LONG


@pytest.mark.slow
@LONG
@pytest.mark.skipif(
    not search.compiled or not shutil.which("gcc"),
    reason="the engine runs uncompiled, or what compiled it is not here",
)
def test_searches_stay_within_their_arrays(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.search.checkedbuild", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"exit status {done.returncode}: {done.stderr[-2000:]}"
    assert "no access out of bounds" in done.stdout
