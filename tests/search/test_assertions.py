"""Kernels in plain Python check their assertions, and searches reach every assertion."""

import ast
import random
import sys
from types import FrameType
from typing import Any

import pytest

from tests.search.engines import PAIRS
from tests.support.builds import COMPILED, interpreted
from tests.support.oracle import positions

QUICK_NODES = 300
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
                    engine.player(of_engine[number]).search(of_engine[number], nodes=QUICK_NODES)
    finally:
        sys.settrace(traced)
    assert not missed
