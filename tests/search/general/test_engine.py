"""The general engine against slow minimax, in both builds, and its limits kept."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from bestmove.search.general import engine, kernel
from bestmove.search.general.engine import Engine
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN
from tests.search.general.slowfamily import Family, cells_of, positions
from tests.support.builds import interpreted

SWITCHES = list(product((False, True), repeat=3))
fast_build = pytest.mark.skipif(
    not kernel.compiled, reason="minutes of search where the kernel is not compiled"
)


BUILDS = [
    pytest.param(engine, 3_000, id="installed"),
    pytest.param(interpreted(engine.__name__), 400, id="interpreted"),
]


def make(build: ModuleType, game: Family, table_bits: int = 12) -> Engine:
    made: Engine = build.Engine(*game.shape, **game.switches, table_bits=table_bits)
    return made


def check_line(game: Family, text: str, mover: str, found: Found) -> None:
    """The line is legal and best play; that of a win or loss ends with a completed line."""
    assert found.pv
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


@pytest.mark.parametrize(("build", "count"), BUILDS)
def test_value_distance_and_move_equal_slow_minimax(build: ModuleType, count: int) -> None:
    seen: Counter[tuple[bool, ...]] = Counter()
    for game, text, mover in positions(random.Random(count), count, 8):
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
        limits: dict[str, Any] = {"depth": rng.randint(1, 4)} if rng.random() < 0.5 else {}
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


@fast_build
@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize(("k", "nodes"), [(3, 100_000), (4, 150_000)])
def test_four_by_four_is_solved_from_the_empty_board(
    k: int, nodes: int, switches: tuple[bool, bool, bool]
) -> None:
    gravity, overline, misere = switches
    found = Engine(4, 4, k, gravity=gravity, overline=overline, misere=misere).search(
        bytes(16), 1, nodes=nodes
    )
    # By exhaustive minimax; that of (k, gravity, misere), for overlines change nothing.
    lengths = {
        (3, False, False): 5,
        (3, False, True): -15,
        (3, True, False): 9,
        (3, True, True): -13,
        (4, False, False): 0,
        (4, False, True): 0,
        (4, True, False): 0,
        (4, True, True): -13,
    }
    plies = lengths[k, gravity, misere]
    assert found.exact
    assert found.value == (0 if plies == 0 else WIN - plies if plies > 0 else -WIN - plies)


@pytest.mark.parametrize(
    "build", [engine, interpreted(engine.__name__)], ids=["installed", "interpreted"]
)
def test_misere_tic_tac_toe_is_drawn_by_the_centre_alone(build: ModuleType) -> None:
    searcher = build.Engine(3, 3, 3, misere=True, table_bits=12)
    found = searcher.search(bytes(9), 1)
    assert (found.value, found.exact, found.pv[0]) == (0, True, 4)
    moves, complete = searcher.evaluate_moves(bytes(9), 1)
    assert complete
    assert [move.pv[0] for move in moves if move.value == 0] == [4]
    assert all(move.value < 0 and move.exact for move in moves[1:])


def estimate(game: Family, text: str, mover: str) -> int:
    """What a position is worth to the side to move, told without a search."""
    kernel_ = vars(interpreted())["Kernel"](*game.shape, **game.switches, table_bits=4)
    kernel_.begin(cells_of(text.replace("/", "")), None, None)
    worth: int = kernel_.evaluate("XO".index(mover))
    return worth


@pytest.mark.parametrize("gravity", [False, True])
def test_a_longer_row_is_good_for_its_side_and_bad_where_lines_lose(gravity: bool) -> None:
    text = "......./......./......./......./......./......./O.XX..O/O.XXX.O"
    for misere, sign in ((False, 1), (True, -1)):
        game = Family(8, 7, 5, gravity, True, misere)
        assert sign * estimate(game, text, "X") > 0
        assert sign * estimate(game, text, "O") < 0


def test_more_cells_where_only_one_side_would_lose_are_worse_for_it() -> None:
    """Both have as many windows of as many marks; but of X's two last cells one is the same."""
    game = Family(4, 5, 3, gravity=False, overline=True, misere=True)
    one, two = "XX.X./....O/O..../.....", ".O.../...../....X/.O.XX"
    assert estimate(game, one, "X") > estimate(game, two, "X")
    assert estimate(game, one, "O") < estimate(game, two, "O")


def test_moves_that_were_not_searched_are_not_all_searched_alike() -> None:
    _, complete = Engine(5, 5, 4, misere=True).evaluate_moves(bytes(25), 1, nodes=1)
    assert not complete


def test_exactly_three_is_not_made_by_four() -> None:
    cells = cells_of("XX.XOO.OO......")
    assert Engine(3, 5, 3, overline=False).search(cells, 1).value != WIN - 1
    assert Engine(3, 5, 3).search(cells, 1).pv == (2,)


def scattered(rng: random.Random, game: Family, marks: int) -> tuple[str, str]:
    """A position of so many marks, by turns, and the side to move."""
    while True:
        text = game.random_position(rng, game.size - marks)
        if text is not None:
            return text, "XO"[marks % 2]


LARGE = [
    Family(rows, columns, k, gravity, overline, misere)
    for rows, columns, k in ((6, 7, 4), (9, 9, 5), (20, 20, 5), (20, 3, 6), (1, 20, 4))
    for gravity, overline, misere in SWITCHES
]


def test_both_builds_search_the_same_nodes() -> None:
    rng = random.Random(3)
    plain = interpreted(engine.__name__)
    for game, text, mover in positions(rng, 100, 12):
        limits: dict[str, Any] = {"nodes": 2_000, "depth": rng.choice((None, 2, 4))}
        asked = (cells_of(text), ".XO".index(mover))
        searchers = [make(build, game, 6) for build in (engine, plain)]
        found = [searcher.search(*asked, **limits) for searcher in searchers]
        assert found[0] == found[1]
        moves = [searcher.evaluate_moves(*asked, **limits) for searcher in searchers]
        assert moves[0] == moves[1]
    for game in LARGE:
        text, mover = scattered(rng, game, min(game.size // 4, rng.randrange(20)))
        asked = (cells_of(text), ".XO".index(mover))
        found = [make(build, game, 8).search(*asked, nodes=2_500) for build in (engine, plain)]
        assert found[0] == found[1]


def test_what_was_searched_before_changes_nothing() -> None:
    rng = random.Random(4)
    for game in LARGE[:16]:
        used = make(engine, game, 10)
        asked = []
        for marks in (0, 5, 10):
            text, mover = scattered(rng, game, marks)
            asked.append((cells_of(text), ".XO".index(mover)))
        answers = [used.search(*one, nodes=4_000) for one in asked]
        used.evaluate_moves(*asked[-1], nodes=2_000)
        assert [used.search(*one, nodes=4_000) for one in reversed(asked)] == answers[::-1]
        later = time.monotonic() + 3600
        assert [used.search(*one, nodes=4_000, deadline=later) for one in asked] == answers


def test_stamps_that_run_out_change_nothing() -> None:
    searcher = Engine(3, 3, 3, misere=True, table_bits=4)
    first = searcher.search(bytes(9), 1)
    for _ in range(8_200):
        searcher.search(bytes(9), 1, depth=1)
    assert searcher.search(bytes(9), 1) == first


@pytest.mark.parametrize("game", LARGE, ids=str)
def test_limits_are_kept_on_large_boards(game: Family) -> None:
    rng = random.Random(5)
    searcher = make(engine, game, 14)
    for marks in (0, min(12, game.size // 3)):
        text, mover = scattered(rng, game, marks)
        asked = (cells_of(text), ".XO".index(mover))
        several: list[dict[str, Any]] = [
            {"nodes": 1},
            {"nodes": 3_333},
            {"deadline": time.monotonic() - 1},
            {"deadline": time.monotonic() + 0.05},
            {"depth": 2},
        ]
        for limits in several:
            found = searcher.search(*asked, **limits)
            assert found.pv[0] in game.moves(text)
            assert found.exact or abs(found.value) <= MAX_ESTIMATE
            if "nodes" in limits:
                # The line of a proven result may take a quarter more, and 5,000.
                assert found.nodes <= limits["nodes"] * 1.25 + 5_001
            moves, _ = searcher.evaluate_moves(*asked, **limits)
            assert sorted(move.pv[0] for move in moves) == game.moves(text)


def test_cancel_ends_a_search_from_another_thread() -> None:
    searcher = Engine(20, 20, 5, misere=True)
    found: list[Found] = []
    thread = threading.Thread(target=lambda: found.append(searcher.search(bytes(400), 1)))
    thread.start()
    while thread.is_alive():
        searcher.cancel()
        thread.join(0.05)
    assert 0 <= found[0].pv[0] < 400


def test_two_engines_search_at_once() -> None:
    alone = Engine(7, 8, 4, gravity=True, misere=True).search(bytes(56), 1, nodes=20_000)
    found: list[Found] = []

    def one() -> None:
        searcher = Engine(7, 8, 4, gravity=True, misere=True)
        found.append(searcher.search(bytes(56), 1, nodes=20_000))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone, alone]


def test_a_win_on_the_spot_is_played_and_a_threat_answered_on_a_large_board() -> None:
    for gravity, overline in product((False, True), repeat=2):
        searcher = Engine(20, 20, 5, gravity=gravity, overline=overline)
        cells = bytearray(400)
        for i in range(4):
            cells[380 + i] = 1
            cells[390 + i] = 2
        found = searcher.search(bytes(cells), 1, nodes=5_000)
        assert (found.value, found.exact, found.pv) == (WIN - 1, True, (384,))
        cells[389] = 1
        cells[383] = 0
        found = searcher.search(bytes(cells), 1, nodes=5_000)
        assert found.pv[0] == 394


def test_a_board_without_room_for_a_line_is_a_draw_at_once() -> None:
    for gravity, overline, misere in SWITCHES:
        searcher = Engine(2, 3, 4, gravity=gravity, overline=overline, misere=misere)
        found = searcher.search(bytes(6), 1)
        assert (found.value, found.exact) == (0, True)
        assert found.nodes < 20


@pytest.mark.parametrize(
    ("rows", "columns", "k", "bits"),
    [(0, 3, 3, 10), (3, 21, 3, 10), (3, 3, 0, 10), (3, 3, 21, 10), (3, 3, 3, 3), (3, 3, 3, 29)],
)
def test_refuses_a_size_out_of_bounds(rows: int, columns: int, k: int, bits: int) -> None:
    with pytest.raises(ValueError, match=r"no board of the engine|must be from"):
        Engine(rows, columns, k, table_bits=bits)


def test_refuses_what_is_no_position() -> None:
    with pytest.raises(ValueError, match="8 cells, not 3 × 3"):
        Engine(3, 3, 3).search(bytes(8), 1)
    with pytest.raises(ValueError, match="above an empty cell"):
        Engine(3, 3, 3, gravity=True).search(bytes([1] + [0] * 8), 2)
    with pytest.raises(ValueError, match="the board is full"):
        Engine(1, 2, 2).search(bytes([1, 2]), 1)
