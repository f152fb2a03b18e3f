"""Tests that run for every engine. The tests of a single engine are in that engine's folder."""

import random
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from bestmove.search.engine import Every, Task
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN
from tests.search import engines
from tests.search.engines import ENGINES, PAIRS, Engine, check
from tests.support.needs import THIRDS
from tests.support.oracle import Game, Position, Shape, positions

every = pytest.mark.parametrize("engine", ENGINES, ids=repr)


def having(what: Callable[[Engine], object]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("engine", [one for one in ENGINES if what(one)], ids=repr)


builds = pytest.mark.parametrize("engine", engines.BUILDS, ids=repr)
installed = pytest.mark.parametrize("engine", engines.INSTALLED, ids=repr)


def asked(engine: Engine, seed: int, count: int, most_empty: int | None = None) -> list[Position]:
    return positions(
        random.Random(f"{engine} {seed}"),
        count,
        most_empty or engine.most_empty,
        side=engine.side,
        rules=engine.rules,
        fits=engine.fits,
    )


SHAPES: list[Shape] = [(6, 6, 4), (6, 7, 4), (7, 7, 5), (5, 12, 4), (15, 15, 5), (20, 3, 4)]


def large(engine: Engine, seed: int, most_marks: int = 20) -> list[Position]:
    rng = random.Random(f"{engine.rules} {seed}")
    found = []
    for shape in filter(engine.fits, SHAPES):
        for switches in engine.rules:
            game = Game(*shape, **switches)
            marks = rng.randrange(2, min(most_marks, game.size // 2))
            at = None
            while at is None:
                at = game.random_position(rng, game.size - marks)
            found.append(at)
    return found


def in_order(engine: Engine, moves: list[Found]) -> None:
    """Assert that the moves are best first, or by index if `engine.plays` is false."""
    order = [(-one.value if engine.plays else 0, one.pv[0]) for one in moves]
    assert order == sorted(order)


# Exact results.


@THIRDS
@every
def test_value_distance_line_and_move_agree_with_slow_minimax(engine: Engine, third: int) -> None:
    limits = {} if engine.proves else {"nodes": 3_000}
    proven = decided = 0
    rules = set()
    for at in asked(engine, third, engine.positions):
        found = engine.player(at).search(at, **limits)
        check(at, found, shortest=engine.shortest)
        if engine.shortest:
            assert found.pv[0] == min(m for m in at.moves if at.value_of(m) == at.value), at
        decided += at.value != 0
        proven += found.exact and (at.value != 0 or engine.proves)
        rules.add(tuple(at.game.switches.values()))
    assert proven == engine.positions if engine.proves else proven > 0.9 * decided
    assert len(rules) == len(engine.rules)


@THIRDS
@every
def test_every_move_has_its_own_value(engine: Engine, third: int) -> None:
    limits = {} if engine.proves else {"nodes": 3_000}
    for at in asked(engine, 10 + third, engine.positions // 6, min(8, engine.most_empty)):
        moves = engine.player(at).moves(at, **limits)
        assert all(one.exact for one in moves) or not engine.proves
        assert sorted(one.pv[0] for one in moves) == at.moves
        in_order(engine, moves)
        for one in moves:
            engines.value_of_move(at, one, shortest=engine.shortest)


@THIRDS
@having(lambda engine: engine.searches)
def test_claims_within_a_small_budget_are_true(engine: Engine, third: int) -> None:
    rng = random.Random(third)
    proven = 0
    for at in asked(engine, 20 + third, engine.positions // 4):
        limits: dict[str, Any] = {"nodes": rng.choice((1, 10, 100))}
        if engine.plays and rng.random() < 0.5:
            limits["depth"] = rng.randint(1, 4)
        player = engine.player(at, 4)
        found = player.search(at, **limits)
        if found is not None:
            proven += found.exact
            check(at, found, shortest=engine.shortest)
        moves = player.moves(at, **limits)
        assert len(moves) == len(at.moves) or not engine.plays
        in_order(engine, moves)
        for one in moves:
            engines.value_of_move(at, one, shortest=engine.shortest)
    assert proven > engine.positions // 40


@builds
def test_short_lines_are_won_at_once(engine: Engine) -> None:
    for switches in engine.rules:
        for k, plies in ((1, 1), (2, 3)):
            at = Position(Game(3, 5, k, **switches), 0, 0)
            if at.game.misere:
                continue
            found = engine.player(at).search(at)
            assert (found.value, found.exact, len(found.pv)) == (WIN - plies, True, plies)


@every
def test_images_and_exchanged_colours_are_worth_the_same(engine: Engine) -> None:
    limits = {} if engine.proves else {"nodes": 3_000}
    for at in asked(engine, 30, min(60, engine.positions // 3)):
        columns = at.game.columns
        rows = [at.text[i : i + columns] for i in range(0, at.game.size, columns)]
        flipped = "".join(row[::-1] for row in rows)
        swapped = at.text.translate(str.maketrans("XO", "OX"))
        values = []
        for text, to_move in (
            (at.text, at.to_move),
            (flipped, at.to_move),
            (swapped, 3 - at.to_move),
        ):
            image = Position.of(at.game, text, to_move)
            found = engine.player(image).search(image, **limits)
            if found.exact:
                values.append(
                    found.value if engine.shortest else (found.value > 0) - (found.value < 0)
                )
        assert len(set(values)) <= 1, at


# Both builds.


@THIRDS
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: repr(pair[0]))
def test_both_builds_search_the_same_nodes(pair: tuple[Engine, Engine], third: int) -> None:
    one, other = pair
    rng = random.Random(third)
    nodes = 2_000
    for at in (*asked(one, 40 + third, 20, 12), *large(one, 41)[third::3]):
        limits: dict[str, Any] = {"nodes": nodes}
        if one.plays:
            limits["depth"] = rng.choice((None, 2, 4))
        first, second = one.player(at, 6), other.player(at, 6)
        assert first.search(at, **limits) == second.search(at, **limits)
        if at.game.size <= 49:
            assert first.moves(at, **limits) == second.moves(at, **limits)


# Limits and repeatability.


@THIRDS
@installed
def test_earlier_searches_change_nothing(engine: Engine, third: int) -> None:
    later = time.monotonic() + 3600
    for at in large(engine, 50)[third::3]:
        used = engine.player(at, 10)
        others = [at, at.after(at.moves[0]), at.after(at.moves[-1])]
        answers = [engine.player(at, 10).search(one, nodes=3_000) for one in others]
        assert [used.search(one, nodes=3_000) for one in others] == answers
        used.moves(others[-1], nodes=2_000)
        assert [used.search(one, nodes=3_000) for one in reversed(others)] == answers[::-1]
        assert used.search(at, nodes=3_000, deadline=later) == answers[0]


@THIRDS
@installed
def test_every_limit_is_kept_and_a_move_is_found_within_it(engine: Engine, third: int) -> None:
    some = large(engine, 60)[third::3]
    for at in (*some, *(Position(one.game, 0, 0) for one in some)):
        player = engine.player(at, 14)
        several: list[dict[str, Any]] = [
            {"nodes": 1},
            {"nodes": 3_333},
            {"deadline": time.monotonic() - 1},
            {"deadline": time.monotonic() + 0.03},
            {"depth": 2},
        ]
        for limits in several:
            if "depth" in limits and not engine.plays:
                continue
            found, moves = player.search(at, **limits), player.moves(at, **limits)
            assert len(moves) == len(at.moves) or not engine.plays
            for one in (found, *moves):
                assert one is not None or not engine.plays
                if one is not None:
                    assert one.pv[0] in at.moves
                    assert one.exact or abs(one.value) <= MAX_ESTIMATE
                    # Completing a proven variation may take nodes beyond the limit. `every` may
                    # complete many, so the nodes of its proven moves are not checked.
                    if one is found or not one.exact:
                        line = 400_000 if one.exact and "drop" in engine.name else 5_001
                        assert one.nodes <= 1.25 * limits.get("nodes", 10**9) + line
                    assert one.exact or one.depth <= limits.get("depth", 100)


@having(lambda engine: not engine.plays and engine in engines.INSTALLED)
def test_a_prover_whose_nodes_are_spent_proves_nothing(engine: Engine) -> None:
    at = Position(Game(6, 7, 5, **engine.rules[-1]), 0, 0)
    prover = engine.player(at, 10).made
    task = Task(at.cells, 1, nodes=500)
    assert prover.best(task) is None
    assert prover.nodes <= 600
    assert prover.every(task) == Every([], False)


@installed
def test_stamps_that_run_out_change_nothing(engine: Engine) -> None:
    at = Position.of(Game(3, 4, 3, **engine.rules[-1]), ".........O.X")
    player = engine.player(at, 4)
    first = player.search(at)
    for _ in range(8_200):
        player.search(at, nodes=2)
    assert player.search(at) == first


@installed
def test_a_search_is_ended_from_another_thread(engine: Engine) -> None:
    shape = (7, 8, 5)
    at = Position(Game(*shape, **engine.rules[-1]), 0, 0)
    player = engine.player(at, 16)
    answers: list[Found | None] = []
    begun = threading.Thread(target=lambda: answers.append(player.search(at)))
    begun.start()
    while begun.is_alive():
        player.made.cancel()
        begun.join(0.02)
    (found,) = answers
    assert found is None if not engine.plays else found and found.pv[0] in at.moves
    # The cancellation ends only one search.
    again = player.search(at, nodes=5_000)
    assert again == engine.player(at, 16).search(at, nodes=5_000)


@installed
def test_two_engines_search_at_once(engine: Engine) -> None:
    at = Position(Game(7, 8, 5, **engine.rules[-1]), 0, 0)
    alone = engine.player(at, 10).search(at, nodes=20_000)
    answers: list[Found | None] = []

    def one() -> None:
        answers.append(engine.player(at, 10).search(at, nodes=20_000))

    both = [threading.Thread(target=one) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert answers == [alone, alone]


# Reports.


@having(lambda engine: engine.plays and engine in engines.INSTALLED)
def test_reports_go_deeper_and_deeper_and_change_nothing(engine: Engine) -> None:
    told = 0
    for at in large(engine, 70):
        limits = {"nodes": 2_000}
        seen: list[Found] = []
        found = engine.player(at).search(at, report=seen.append, **limits)
        assert found == engine.player(at).search(at, **limits)
        for earlier, later in pairwise([*seen, found]):
            assert earlier.pv[0] in at.moves
            assert not earlier.exact
            assert earlier.nodes <= later.nodes
        depths = [one.depth for one in seen]
        assert depths == sorted(set(depths))
        lists: list[list[Found]] = []
        take = partial(_take, lists)
        moves = engine.player(at).moves(at, report=take, **limits)
        assert moves == engine.player(at).moves(at, **limits)
        for some in lists:
            assert sorted(one.pv[0] for one in some) == at.moves
        told += bool(seen) and bool(lists)
    assert told


def _take(lists: list[list[Found]], found: list[Found], _: bool) -> None:
    lists.append(found)


@having(lambda engine: engine.plays and engine in engines.INSTALLED)
def test_an_error_in_the_callback_is_raised(engine: Engine) -> None:
    def report(*_: object) -> None:
        raise RuntimeError("closed")

    raised = 0
    for at in large(engine, 80):
        player = engine.player(at)
        try:
            player.search(at, nodes=5_000, report=report)
        except RuntimeError:
            raised += 1
        assert player.search(at, nodes=5_000) == engine.player(at).search(at, nodes=5_000)
    assert raised


# Invalid arguments.


@installed
def test_impossible_sizes_and_positions_are_refused(engine: Engine) -> None:
    for shape in ((0, 3, 3), (3, 0, 3), (3, 3, 0), (65, 65, 5)):
        with pytest.raises(ValueError, match=r"no board|must|fit"):
            engine.make(shape, engine.rules[0], 8)
    if "drop" not in engine.name:
        for bits in (2, 40):
            with pytest.raises(ValueError, match="must be"):
                engine.make((3, 3, 3), engine.rules[0], bits)
    player = engine.player(Position(Game(3, 3, 3, **engine.rules[-1]), 0, 0))
    wrong = Position(Game(2, 4, 3), 0, 0)
    for ask in (player.search, player.moves):
        with pytest.raises(ValueError, match="8 cells"):
            ask(wrong)
