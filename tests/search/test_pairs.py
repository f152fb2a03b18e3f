"""Pairings that hold a draw: each window contains a pair, and no cell is in two pairs."""

import random
from collections.abc import Callable
from itertools import combinations

import pytest

from bestmove import Board, Limits, Rules, prove, verify
from bestmove.game.bitboard import cells_with
from bestmove.search.pairs import matching, pairing
from bestmove.search.windows import shape_of

SHAPES = [(4, 4, 4), (5, 5, 5), (6, 6, 5), (7, 7, 6), (6, 9, 6), (9, 9, 7), (12, 12, 9), (1, 9, 4)]


def windows_left(rules: Rules, rng: random.Random) -> list[int]:
    """Make a random position. For each window without an O, return the window's empty cells."""
    marks = rng.sample(range(rules.size), rng.randrange(rules.size * 2 // 3))
    cells = ["."] * rules.size
    for at, cell in enumerate(marks):
        cells[cell] = "XO"[at % 2]
    text = "".join(cells)
    return shape_of(rules).left(cells_with(text, "X"), cells_with(text, "O"))


def never() -> None:
    """A `look` that never ends the search."""


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_each_window_holds_a_pair_of_its_own_cells(shape: tuple[int, int, int]) -> None:
    rng, rules = random.Random(1), Rules(*shape)
    matched = 0
    for _ in range(60):
        windows = windows_left(rules, rng)
        for find in (matching, pairing):
            pairs = find(rules, windows, never)
            if pairs is not None:
                matched += 1
                cells = [cell for pair in pairs for cell in pair]
                assert len(cells) == len(set(cells))
                held = [1 << first | 1 << second for first, second in pairs]
                assert all(any(pair & ~window == 0 for pair in held) for window in windows)
    assert matched > 10


def test_a_matching_is_found_wherever_there_is_one() -> None:
    # A row and a column share only one cell, so no pair of cells belongs to both.
    rng, rules = random.Random(2), Rules(4, 4, 4)
    rows = [0xF << 4 * row for row in range(4)]
    columns = [0x1111 << column for column in range(4)]
    found = 0
    for _ in range(200):
        gone = rng.getrandbits(16) & rng.getrandbits(16) & rng.getrandbits(16)
        windows = [window & ~gone for window in rng.sample(rows + columns, 7)]
        windows = [window for window in windows if window.bit_count() > 1]
        assert (matching(rules, windows, never) is not None) is by_trial(windows, 0)
        found += by_trial(windows, 0)
    assert 20 < found < 180


def by_trial(windows: list[int], used: int) -> bool:
    """Return True if every window can have two cells of its own. Try all choices."""
    if not windows:
        return True
    free = [1 << cell for cell in range(16) if windows[0] & ~used & 1 << cell]
    return any(by_trial(windows[1:], used | one | two) for one, two in combinations(free, 2))


@pytest.mark.parametrize("find", [matching, pairing])
def test_a_search_for_pairs_can_be_ended_at_any_time(find: Callable[..., object]) -> None:
    rules = Rules(20, 20, 8)
    windows = shape_of(rules).left(0, 0)
    calls = iter(range(1_000_000))
    assert find(rules, windows, calls.__next__) is None
    whole = next(calls)
    assert whole > 30
    for most in (0, whole // 2, whole - 1):
        calls = iter(range(most))
        with pytest.raises(StopIteration):
            find(rules, windows, calls.__next__)


def test_a_defender_plays_where_pairs_hold_the_draw_at_once() -> None:
    proof = prove(Board.empty(6, 6, 5), Limits(time_ms=None, nodes=10_000_000))
    assert proof is not None
    assert verify(proof.to_dict()).draw
    assert proof.nodes < 30
