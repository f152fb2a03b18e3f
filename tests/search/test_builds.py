"""The compiled modules are pure C without Python objects, write only inside their arrays, and
violate no assertion."""

import shutil
import sys
from pathlib import Path

import pytest
from Cython.Build import cythonize

from bestmove.search.engines.gomoku import search
from tests.support.builds import COMPILED, ROOT
from tests.support.needs import LONG
from tests.support.programs import run


@pytest.mark.slow
@LONG
@pytest.mark.parametrize("name", COMPILED)
def test_a_source_compiles_without_a_hint_or_a_warning(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    built = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "web")
    shutil.copytree(ROOT / "service" / "bestmove", tmp_path / "bestmove", ignore=built)
    source = (tmp_path / name.replace(".", "/")).with_suffix(".py")
    cythonize(  # type: ignore[no-untyped-call]
        str(source), language_level=3, quiet=True, force=True
    )
    said = "".join(capfd.readouterr())
    assert "performance hint" not in said
    assert "warning" not in said
    assert source.with_suffix(".c").exists()


@pytest.mark.slow
@LONG
@pytest.mark.skipif(
    not search.compiled or not shutil.which("gcc"),
    reason="the engine runs uncompiled, or what compiled it is not here",
)
def test_searches_stay_within_their_arrays_and_keep_what_the_kernels_assert(tmp_path: Path) -> None:
    done = run(sys.executable, "-m", "tests.search.checkedbuild", tmp_path, "--positions", "200")
    assert "no access out of bounds, no false assertion" in done.stdout
