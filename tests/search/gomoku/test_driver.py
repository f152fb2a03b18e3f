"""The engine's answers: proven ones against slow minimax, in both builds, and its limits kept."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pytest

from bestmove.search.gomoku import driver
from bestmove.search.gomoku.driver import Engine
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN, is_proven
from tests.search.bothcores import interpreted_engine, parse, plays_out, scattered
from tests.support.slowsolver import Shape, SlowGame, marks_to_cells, random_position

BUILDS = [
    pytest.param(driver, 1500, id="installed"),
    pytest.param(interpreted_engine(), 250, id="interpreted"),
]


def search(text: str, k: int, to_move: int, nodes: int = 50_000) -> Found:
    rows, columns, cells = parse(text)
    return Engine(rows, columns, k, 12).search(cells, to_move, nodes=nodes)


RULES = pytest.mark.parametrize("overline", [True, False], ids=["k or more", "exactly k"])


def check_claim(game: SlowGame, shape: Shape, own: int, other: int, found: Found) -> None:
    """A claim is true, and the line of a win or loss ends with the winning move, in time."""
    value = game.value(own, other)
    if found.exact:
        assert (found.value > 0) - (found.value < 0) == (value > 0) - (value < 0), (shape, found)
        rows, columns, k = shape
        cells = marks_to_cells(shape, own, other)
        winner = plays_out(cells, rows, columns, k, 1, found.pv, game.overline)
        if found.value:
            assert len(found.pv) == WIN - abs(found.value) >= WIN - abs(value)
            assert winner == (1 if found.value > 0 else 2)
    else:
        assert abs(found.value) <= MAX_ESTIMATE


@RULES
@pytest.mark.parametrize(("build", "count"), BUILDS)
def test_proven_results_equal_slow_minimax(build: object, count: int, overline: bool) -> None:
    rng = random.Random(count)
    games: dict[Shape, SlowGame] = {}
    proven = decided = 0
    for _ in range(count if overline else count // 2):
        shape, own, other = random_position(rng, 10, overline)
        game = games.setdefault(shape, SlowGame(*shape, overline))
        engine = build.Engine(*shape, 8, overline=overline)  # type: ignore[attr-defined]
        nodes = rng.choice([50, 500, 5_000])
        found = engine.search(marks_to_cells(shape, own, other), 1, nodes=nodes)
        check_claim(game, shape, own, other, found)
        if game.value(own, other):
            decided += 1
            proven += found.exact
    assert proven > 0.9 * decided


@RULES
@pytest.mark.parametrize(("build", "count"), BUILDS)
def test_every_move_is_valued_truly(build: object, count: int, overline: bool) -> None:
    rng = random.Random(count + 1)
    games: dict[Shape, SlowGame] = {}
    for _ in range(count // 10):
        shape, own, other = random_position(rng, 8, overline)
        game = games.setdefault(shape, SlowGame(*shape, overline))
        engine = build.Engine(*shape, 8, overline=overline)  # type: ignore[attr-defined]
        moves, _ = engine.evaluate_moves(marks_to_cells(shape, own, other), 1, nodes=3_000)
        free = [i for i in range(game.size) if not (own | other) >> i & 1]
        assert sorted(found.pv[0] for found in moves) == free
        assert [(-found.value, found.pv[0]) for found in moves] == sorted(
            (-found.value, found.pv[0]) for found in moves
        )
        for found in moves:
            if found.exact:
                value = game.value_of_move(own, other, found.pv[0])
                assert (found.value > 0) - (found.value < 0) == (value > 0) - (value < 0)


@RULES
@pytest.mark.parametrize(("build", "count"), BUILDS)
def test_forced_wins_are_wins(build: object, count: int, overline: bool) -> None:
    rng = random.Random(count + 2)
    games: dict[Shape, SlowGame] = {}
    for _ in range(count // 5):
        shape, own, other = random_position(rng, 10 if overline else 8, overline)
        engine = build.Engine(*shape, 8, overline=overline)  # type: ignore[attr-defined]
        found = engine.forced_win(marks_to_cells(shape, own, other), 1, nodes=2_000)
        if found is not None:
            assert found.exact
            assert found.value > 0
            game = games.setdefault(shape, SlowGame(*shape, overline))
            check_claim(game, shape, own, other, found)


@RULES
def test_both_builds_search_the_same_nodes(overline: bool) -> None:
    rng = random.Random(3)
    seen = 0
    while seen < 25:
        shape = rng.choice([(3, 3, 3), (4, 5, 4), (6, 6, 4), (7, 9, 5), (9, 9, 9), (15, 15, 5)])
        cells = scattered(rng, *shape, rng.randrange(16))
        if cells is None:
            continue
        seen += 1
        depth = rng.randint(1, 4)
        both = [
            build.Engine(*shape, 8, overline=overline).search(
                cells, 1 + seen % 2, depth=depth, nodes=4_000
            )
            for build in (driver, interpreted_engine())
        ]
        assert both[0] == both[1]


def test_what_was_searched_before_changes_nothing() -> None:
    rng = random.Random(4)
    positions = [
        cells for cells in (scattered(rng, 15, 15, 5, n) for n in range(4, 24, 4)) if cells
    ]
    engine = Engine(15, 15, 5, 10)
    answers = [engine.search(cells, 1, nodes=5_000) for cells in positions]
    engine.evaluate_moves(positions[0], 2, nodes=2_000)
    engine.forced_win(positions[-1], 2, nodes=2_000)
    assert [engine.search(cells, 1, nodes=5_000) for cells in reversed(positions)] == answers[::-1]
    later = time.monotonic() + 3600
    assert [engine.search(c, 1, nodes=5_000, deadline=later) for c in positions] == answers


def test_stamps_that_run_out_change_nothing() -> None:
    engine = Engine(3, 4, 3, 4)
    cells = bytes([1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0])
    first = engine.search(cells, 1, depth=3)
    for _ in range(8_200):
        engine.search(cells, 1, depth=1)
    assert engine.search(cells, 1, depth=3) == first


def test_a_deadline_that_has_passed_still_gets_a_move() -> None:
    engine = Engine(19, 19, 5, 10)
    for cells in (bytes(361), bytes([1] + [0] * 360), bytes([1, 2] * 2 + [0] * 357)):
        found = engine.search(cells, 1 + sum(map(bool, cells)) % 2, deadline=time.monotonic() - 1)
        assert cells[found.pv[0]] == 0


def test_a_deadline_ends_a_search_without_other_limits() -> None:
    rng = random.Random(6)
    cells = None
    while cells is None:
        cells = scattered(rng, 19, 19, 5, 10)
    engine = Engine(19, 19, 5, 10)
    assert engine.search(cells, 1, deadline=time.monotonic() + 0.05).pv
    moves, _ = engine.evaluate_moves(cells, 1, deadline=time.monotonic() + 0.05)
    assert len(moves) == 351
    engine.forced_win(cells, 1, deadline=time.monotonic() + 0.05)


def test_a_node_limit_is_kept() -> None:
    cells = bytes([1, 2] + [0] * 223)
    engine = Engine(15, 15, 5, 10)
    for nodes in (1, 10, 1_000, 3_333):
        assert engine.search(cells, 1, nodes=nodes).nodes <= nodes + 2
    small = Engine(6, 6, 5, 10)
    for nodes in (1, 100, 3_333, 20_000):
        moves, _ = small.evaluate_moves(bytes([1, 2] + [0] * 34), 1, nodes=nodes, lines=2)
        assert max(found.nodes for found in moves) <= nodes + 2


def test_cancel_ends_a_search_from_another_thread() -> None:
    engine = Engine(15, 15, 5, 10)
    found: list[Found] = []
    cells = bytes([1, 2] + [0] * 223)
    thread = threading.Thread(target=lambda: found.append(engine.search(cells, 1)))
    thread.start()
    while thread.is_alive():
        engine.cancel()
        thread.join(0.05)
    assert cells[found[0].pv[0]] == 0


def test_two_engines_search_at_once() -> None:
    cells = bytes([0] * 112 + [1, 2] + [0] * 111)
    alone = Engine(15, 15, 5, 10).search(cells, 1, nodes=20_000)
    found: list[Found] = []

    def one() -> None:
        found.append(Engine(15, 15, 5, 10).search(cells, 1, nodes=20_000))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone, alone]


def test_an_empty_board_opens_in_the_centre() -> None:
    assert Engine(15, 15, 5, 10).search(bytes(225), 1).pv == (112,)
    assert Engine(19, 19, 6, 10).search(bytes(361), 1).pv == (180,)
    assert Engine(1, 5, 3, 10).search(bytes(5), 1, nodes=1000).pv[0] == 2


@pytest.mark.parametrize("k", [1, 2])
def test_short_lines_are_won_at_once(k: int) -> None:
    found = Engine(3, 5, k, 4).search(bytes(15), 1)
    assert found.exact
    assert len(found.pv) == WIN - found.value == 2 * k - 1


def test_a_line_longer_than_the_board_is_a_draw() -> None:
    found = Engine(3, 3, 4, 4).search(bytes(9), 1)
    assert (found.value, found.exact) == (0, True)


def test_a_line_may_fit_one_way_only() -> None:
    found = search("XXXX...\nOOO....", 6, 1)
    assert (found.value, found.exact) == (0, False) or not is_proven(found.value)
    assert search("XXXXX..\nOOOO...", 6, 1).value == WIN - 1


def test_more_than_k_in_a_row_wins() -> None:
    found = search("XXX.XX..\nOOO.OO..", 5, 1)
    assert (found.value, found.pv) == (WIN - 1, (3,))


def test_an_open_three_wins_in_five_plies() -> None:
    found = search(
        """
        .........
        .........
        ..O......
        ...XXX...
        .....O...
        ..O......
        .........
        """,
        5,
        1,
    )
    assert found.exact
    assert found.value == WIN - 3


def test_a_four_and_a_three_win_in_five_plies() -> None:
    found = search(
        """
        ...........
        ...........
        ...........
        ..OXXX.....
        ......X....
        ......X.O..
        .......O...
        ...........
        """,
        5,
        1,
    )
    assert found.exact
    assert found.value == WIN - 5
    assert found.pv[0] == 3 * 11 + 6


@pytest.mark.parametrize("build", [driver, interpreted_engine()], ids=["installed", "interpreted"])
def test_fours_that_were_ruled_out_within_few_plies_are_tried_within_more(build: Any) -> None:
    rows, columns, cells = parse(
        """
        .XO.O....
        ..XX...O.
        ...X.....
        ..O....XO
        .........
        ...X..OXX
        .......O.
        OX....XOO
        ....XOO.X
        """
    )
    kernel = build.Engine(rows, columns, 5, 10).kernel
    kernel.begin(cells, None, None)
    for plies in (7, 9, 11):
        assert kernel.fours_win(0, plies, 1_000_000) == 0
    assert kernel.fours_win(0, 30, 1_000_000) == 13


def test_a_double_threat_of_the_opponent_is_a_loss_in_two() -> None:
    found = search(".XXXX..\n.......\n..OO.O.", 5, 2)
    assert found.exact
    assert found.value == -(WIN - 2)


def test_a_full_board_is_refused() -> None:
    with pytest.raises(ValueError, match="full"):
        Engine(1, 1, 1, 4).search(b"\1", 2)


def test_a_board_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="8 cells, not 3 × 3"):
        Engine(3, 3, 3, 4).search(bytes(8), 1)


def test_a_size_beyond_the_limits_is_refused() -> None:
    with pytest.raises(ValueError, match="21 rows"):
        Engine(21, 3, 3)
