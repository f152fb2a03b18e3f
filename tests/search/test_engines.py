"""Tests that run for every engine. The tests of a single engine are in that engine's folder."""

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest

from bestmove.search.engine import Every, Task
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE
from tests.search import engines
from tests.search.engines import ENGINES, PAIRS, Engine, check, worth
from tests.support.needs import COMPILED, THIRDS
from tests.support.oracle import EVERY_RULE, Game, Position, Shape, Switches, positions

every = pytest.mark.parametrize("engine", ENGINES, ids=repr)


def having(what: Callable[[Engine], object]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("engine", [one for one in ENGINES if what(one)], ids=repr)


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
    for shape, switches in product(filter(engine.fits, SHAPES), engine.rules):
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


SOLVED: list[tuple[str, Shape, Switches, int | None, int]] = [
    # The engine, the board, the rules, the plies until X wins, and a limit on the nodes. Negative
    # plies: O wins. 0: a draw. None: X wins in an unknown number of plies.
    *(
        (engine.name, shape, switches, plies, 10_000)
        for engine in engines.BUILDS
        for switches in engine.rules
        if not switches["misere"]
        for shape, plies in (((3, 5, 1), 1), ((3, 5, 2), 3))
    ),
    *(
        ("solver", shape, {}, plies, 10_000_000)
        for plies, shapes in (
            (0, [(3, 3, 3), (4, 4, 4), (5, 4, 4), (4, 6, 4), (5, 5, 4), (5, 5, 5), (6, 6, 5)]),
            (0, [(6, 7, 5), (7, 7, 5)]),
            (None, [(3, 4, 3), (4, 3, 3), (5, 5, 3), (8, 8, 3), (5, 6, 4), (6, 5, 4), (6, 6, 4)]),
            (None, [(7, 8, 4)]),
        )
        for shape in shapes
    ),
    # Exhaustive minimax found these plies. They are equal with and without `overline`.
    *(
        ("general", (4, 4, k), switches, plies, nodes)
        for k, nodes, gravity, misere, plies in (
            *((3, 100_000, False, False, 5), (3, 100_000, False, True, -15)),
            *((3, 100_000, True, False, 9), (3, 100_000, True, True, -13)),
            *((4, 150_000, False, False, 0), (4, 150_000, False, True, 0)),
            *((4, 150_000, True, False, 0), (4, 150_000, True, True, -13)),
        )
        for switches in EVERY_RULE
        if (switches["gravity"], switches["misere"]) == (gravity, misere)
    ),
    ("general", (4, 5, 4), {"misere": True}, 0, 1_000_000),
    # The quickly solved boards of John Tromp's table (tromp.github.io/c4/c4.html).
    *(
        ("drop-prover", (rows, columns, 4), {"gravity": True}, plies, 100_000_000)
        for rows, columns, plies in (
            *((4, 4, 0), (4, 5, 0), (4, 6, -24), (5, 4, 0), (5, 5, 0), (6, 4, 0)),
            *((4, 7, 0), (5, 6, 0), (6, 5, 0), (7, 4, 0)),
        )
    ),
]


@COMPILED
@pytest.mark.parametrize(("name", "shape", "switches", "plies", "nodes"), SOLVED)
def test_empty_boards_have_their_known_results(
    name: str, shape: Shape, switches: Switches, plies: int | None, nodes: int
) -> None:
    at = Position(Game(*shape, **switches), 0, 0)
    found = engines.NAMED[name].player(at, 20).search(at, nodes=nodes)
    assert found.exact
    assert found.value > 0 if plies is None else found.value == worth(plies)


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


@pytest.mark.parametrize(
    ("name", "game", "text"),
    [
        ("solver", Game(7, 6, 4), "....X./....../..X.OO/....../....../....../.X...."),
        ("general", Game(6, 6, 5, overline=False), "X...../....../....../....../.OO.../.XX..."),
    ],
)
def test_the_lines_of_all_proven_moves_share_the_nodes_for_one_line(
    name: str, game: Game, text: str
) -> None:
    at = Position.of(game, text)
    player = engines.NAMED[name].player(at, 16)
    player.moves(at, nodes=2_000)
    assert player.made.nodes < 2_000 + 5_000 + 2_000 // 4 + 100


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

    def search(_: int) -> Found | None:
        found: Found | None = engine.player(at, 10).search(at, nodes=20_000)
        return found

    with ThreadPoolExecutor(2) as threads:
        assert [*threads.map(search, range(2))] == [search(0)] * 2


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
    for bits in (15, 25) if "drop" in engine.name else (2, 40):
        with pytest.raises(ValueError, match="must be"):
            engine.make((3, 3, 3), engine.rules[0], bits)
    player = engine.player(Position(Game(3, 3, 3, **engine.rules[-1]), 0, 0))
    wrong = Position(Game(2, 4, 3), 0, 0)
    for ask in (player.search, player.moves):
        with pytest.raises(ValueError, match="8 cells"):
            ask(wrong)
