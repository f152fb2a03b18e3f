"""The kernel itself: both builds alike, bounds that hold, a table that grows."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from bestmove.search.connect4 import kernel
from tests.search.connect4.slow import Columns, Oracle, scattered
from tests.support.builds import load
from tests.support.needs import COMPILED


@cache
def interpreted() -> ModuleType:
    """The source run as plain Python, whether or not it is installed compiled."""
    module = load("interpreted_kernel", Path(str(kernel.__file__)).with_name("kernel.py"))
    assert not module.compiled
    return module


def bits(position: Columns, rows: int) -> tuple[int, int]:
    """The discs of the side to move, and all discs."""
    mover = "XO"[sum(map(len, position)) % 2]
    own = mask = 0
    for column, discs in enumerate(position):
        for row, disc in enumerate(discs):
            bit = 1 << column * (rows + 1) + row
            mask |= bit
            if disc == mover:
                own |= bit
    return own, mask


@pytest.mark.parametrize(
    ("rows", "columns", "k", "least"),
    [(6, 7, 4, 24), (7, 8, 4, 44), (5, 5, 4, 12), (5, 6, 3, 14), (7, 7, 5, 36), (20, 3, 4, 46)],
)
def test_both_builds_visit_the_same_nodes(rows: int, columns: int, k: int, least: int) -> None:
    rng = random.Random(19)
    oracle = Oracle(rows, columns, k)
    one, other = kernel.Kernel(rows, columns, k), interpreted().Kernel(rows, columns, k)
    tried = 0
    while tried < 6:
        position = scattered(rng, oracle, rng.randint(least, rows * columns - 4))
        if position is None:
            continue
        tried += 1
        own, mask = bits(position, rows)
        counts = []
        for searcher in (one, other):
            searcher.begin(None, 4000)
            score = searcher.score(own, mask)
            proof = (score, searcher.nodes, searcher.cutoffs, searcher.table_hits)
            searcher.begin(None, None)
            guess = searcher.estimate(own, mask, 3, -30_001, 30_001)
            counts.append((proof, guess, searcher.nodes))
        assert counts[0] == counts[1]


def test_both_builds_grow_their_tables_alike() -> None:
    # 8,927 nodes for the empty board: more than the first table has entries.
    counts = []
    for module in (kernel, interpreted()):
        searcher = module.Kernel(4, 4, 4)
        searcher.begin(None, None)
        counts.append((searcher.score(0, 0), searcher.nodes, searcher.table_hits))
    assert counts[0] == counts[1]
    assert counts[0][0] == 0


def test_bounds_hold_for_every_beta() -> None:
    rng = random.Random(23)
    oracle, searcher = Oracle(5, 5, 4), kernel.Kernel(5, 5, 4)
    for _ in range(60):
        position = scattered(rng, oracle, rng.randint(8, 24))
        if position is None:
            continue
        own, mask = bits(position, 5)
        searcher.begin(None, None)
        score = searcher.score(own, mask)
        assert score is not None
        left = 25 - sum(map(len, position))
        for beta in range(-(left // 2), (left + 1) // 2 + 1):
            searcher.begin(None, None)
            bound = searcher.at_least(own, mask, beta)
            assert beta <= bound <= score if score >= beta else score <= bound < beta


@COMPILED
def test_a_small_table_gives_the_same_scores() -> None:
    rng = random.Random(29)
    oracle = Oracle(6, 7, 4)
    small, large = kernel.Kernel(6, 7, 4, 16), kernel.Kernel(6, 7, 4)
    for _ in range(40):
        position = scattered(rng, oracle, rng.randint(14, 20))
        if position is None:
            continue
        scores = []
        for searcher in (small, large):
            searcher.begin(None, None)
            scores.append(searcher.score(*bits(position, 6)))
        assert scores[0] == scores[1]


@pytest.mark.parametrize("table_bits", [15, 25])
def test_a_table_of_another_size_is_refused(table_bits: int) -> None:
    with pytest.raises(ValueError, match="table_bits"):
        kernel.Kernel(6, 7, 4, table_bits)
