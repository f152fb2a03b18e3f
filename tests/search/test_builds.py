"""The compiled modules are pure C without Python objects, write only inside their arrays, and
violate no assertion. Searches in plain Python reach and check every assertion."""

import ast
import random
import shutil
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from Cython.Build import cythonize

from bestmove.search.engines.gomoku import search
from tests.search.engines import PAIRS
from tests.support.builds import COMPILED, ROOT, interpreted
from tests.support.needs import LONG
from tests.support.oracle import positions
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


# Assertions in plain Python.


MOST = 12
"""How many positions to search with each engine."""


def asserted_lines() -> dict[tuple[str, int], set[int]]:
    """Return the lines of each function's assertions. The key is the function's file and first
    line."""
    return {
        (str(path), function.lineno): lines
        for path in COMPILED.values()
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        if (lines := {at.lineno for at in ast.walk(function) if isinstance(at, ast.Assert)})
    }


def test_a_kernel_that_is_not_compiled_asserts_its_preconditions() -> None:
    kernel = interpreted("bestmove.search.engines.gomoku.search").Search(5, 5, 4, 4)
    kernel.set_up(bytes(25))
    kernel.play(12, 0)
    with pytest.raises(AssertionError):
        kernel.play(12, 1)


def test_searches_reach_every_assertion() -> None:
    missed = asserted_lines()
    assert len(missed) > 20

    def see_call(frame: FrameType, *_: Any) -> Any:
        name = frame.f_code.co_filename, frame.f_code.co_firstlineno
        return see_line if name in missed else None

    def see_line(frame: FrameType, *_: Any) -> Any:
        name = frame.f_code.co_filename, frame.f_code.co_firstlineno
        lines = missed.get(name, set())
        lines.discard(frame.f_lineno)
        if not lines:
            missed.pop(name, None)
        return see_line

    dice = random.Random(1)
    cases = [
        positions(dice, MOST, 25, side=7, rules=engine.rules, fits=engine.fits)
        for _, engine in PAIRS
    ]
    traced = sys.gettrace()
    sys.settrace(see_call)
    try:
        for number in range(MOST):
            for (_, engine), of_engine in zip(PAIRS, cases, strict=True):
                if missed:
                    engine.player(of_engine[number]).search(of_engine[number], nodes=300)
    finally:
        sys.settrace(traced)
    assert not missed
