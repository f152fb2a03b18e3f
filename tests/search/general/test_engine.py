"""The general engine against slow minimax, in both builds, and its limits kept."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from bestmove.search.general import engine, kernel
from bestmove.search.general.engine import Engine
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN
from tests.search.bothcores import load
from tests.search.general.slowfamily import Family, cells_of, random_family

SWITCHES = list(product((False, True), repeat=3))
fast_build = pytest.mark.skipif(
    not kernel.compiled, reason="minutes of search where the kernel is not compiled"
)


@cache
def interpreted() -> ModuleType:
    """The engine over the kernel's source run as plain Python, installed compiled or not."""
    plain = load("interpreted_kernel", Path(str(kernel.__file__)).with_name("kernel.py"))
    assert not plain.compiled
    module = load("interpreted_engine", Path(engine.__file__))
    vars(module)["Kernel"] = plain.Kernel
    return module


BUILDS = [
    pytest.param(engine, 4_000, id="installed"),
    pytest.param(interpreted(), 400, id="interpreted"),
]


def make(build: ModuleType, game: Family, table_bits: int = 12) -> Engine:
    made: Engine = build.Engine(*game.shape, **game.switches, table_bits=table_bits)
    return made


def positions(rng: random.Random, count: int, most_empty: int) -> list[tuple[Family, str, str]]:
    """Games, positions and sides to move; the many of one shape share what minimax knows."""
    games: dict[Family, Family] = {}
    found: list[tuple[Family, str, str]] = []
    while len(found) < count:
        game = random_family(rng)
        game = games.setdefault(game, game)
        empty = rng.randint(1, min(game.size, most_empty))
        text = game.random_position(rng, empty)
        if text is not None:
            found.append((game, text, "XO"[(game.size - empty) % 2]))
    return found


def check_line(game: Family, text: str, mover: str, found: Found) -> None:
    """The line is legal and best play to its end; a win or loss ends with a completed line."""
    left = game.value(text, mover)
    for step, move in enumerate(found.pv):
        assert move in game.moves(text)
        assert game.value_of_move(text, mover, move) == left
        text = text[:move] + mover + text[move + 1 :]
        last = step == len(found.pv) - 1
        assert bool(game.lines(text, mover)) == (last and found.value != 0)
        mover = "XO".replace(mover, "")
        if not last:
            left = game.value(text, mover)
    if found.value:
        assert len(found.pv) == WIN - abs(found.value)
    else:
        assert "." not in text


@pytest.mark.parametrize(("build", "count"), BUILDS)
def test_value_distance_and_move_equal_slow_minimax(build: ModuleType, count: int) -> None:
    seen: Counter[tuple[bool, ...]] = Counter()
    for game, text, mover in positions(random.Random(count), count, 9):
        found = make(build, game, 8).search(cells_of(text), ".XO".index(mover))
        value = game.value(text, mover)
        assert (found.value, found.exact) == (value, True), (game, text, mover)
        best = [m for m in game.moves(text) if game.value_of_move(text, mover, m) == value]
        assert found.pv[0] == best[0], (game, text, mover)
        check_line(game, text, mover, found)
        seen[tuple(game.switches.values())] += 1
    assert set(seen) == set(SWITCHES)


@pytest.mark.parametrize(("build", "count"), BUILDS)
def test_every_move_equals_slow_minimax(build: ModuleType, count: int) -> None:
    for game, text, mover in positions(random.Random(count + 1), count // 10, 8):
        moves, complete = make(build, game, 8).evaluate_moves(cells_of(text), ".XO".index(mover))
        assert complete
        assert all(found.exact for found in moves)
        true = {move: game.value_of_move(text, mover, move) for move in game.moves(text)}
        assert [(found.value, found.pv[0]) for found in moves] == sorted(
            ((value, move) for move, value in true.items()), key=lambda one: (-one[0], one[1])
        )
        for found in moves:
            move, *rest = found.pv
            after = text[:move] + mover + text[move + 1 :]
            if rest:
                foe = "XO".replace(mover, "")
                value = game.value(after, foe)
                check_line(game, after, foe, Found(value, True, tuple(rest)))


@pytest.mark.parametrize(("build", "count"), BUILDS)
def test_what_a_small_budget_proves_is_true(build: ModuleType, count: int) -> None:
    rng = random.Random(count + 2)
    exact = 0
    for game, text, mover in positions(rng, count // 4, 9):
        searcher = make(build, game, 4)
        side = ".XO".index(mover)
        limits = {"depth": rng.randint(1, 4)} if rng.random() < 0.5 else {}
        nodes = rng.choice((1, 10, 100))
        found = searcher.search(cells_of(text), side, nodes=nodes, **limits)
        assert found.pv[0] in game.moves(text)
        if found.exact:
            exact += 1
            assert found.value == game.value(text, mover), (game, text, mover)
            check_line(game, text, mover, found) if found.value else None
        else:
            assert abs(found.value) <= MAX_ESTIMATE
        moves, _ = searcher.evaluate_moves(cells_of(text), side, nodes=nodes, **limits)
        assert sorted(found.pv[0] for found in moves) == game.moves(text)
        for found in moves:
            if found.exact:
                assert found.value == game.value_of_move(text, mover, found.pv[0])
            else:
                assert abs(found.value) <= MAX_ESTIMATE
    assert exact > count // 20
