"""Threats, limits, and the use of results from earlier searches."""

import importlib
from functools import reduce
from typing import Any

import pytest

from bestmove import Board, analyze, best_move
from bestmove.search import declared
from bestmove.search.engine import Memory, Task
from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.proofs import Proofs
from bestmove.search.limits import SearchLimits
from bestmove.search.scores import WIN
from tests.search.engines import GOMOKU, task
from tests.support import won_positions
from tests.support.builds import interpreted
from tests.support.oracle import Game, Position

BUILDS = [importlib.import_module(GOMOKU), interpreted(GOMOKU)]


@pytest.mark.parametrize(
    ("text", "to_move", "value", "first"),
    [
        ("XXX.XX../OOO.OO..", 1, WIN - 1, 3),  # six in a row also win
        ("......../......../.O....../..XXX.../....O.../.O....../........", 1, WIN - 3, None),
        ("......../.OXXX.../.....X../.....X.O/......O./......../........", 1, WIN - 5, 8 + 5),
        (".XXXX../......./..OO.O.", 2, -(WIN - 2), None),
    ],
)
def test_threats_win_and_lose_in_the_right_number_of_plies(
    text: str, to_move: int, value: int, first: int | None
) -> None:
    rows = text.replace("/", " ").split()
    at = Position.of(Game(len(rows), len(rows[0]), 5), text, to_move)
    found = GomokuEngine(*at.game.shape, 12).search(task(at, nodes=50_000))
    assert (found.value, found.exact) == (value, True)
    assert first in (None, found.pv[0])


@pytest.mark.parametrize("build", BUILDS, ids=["installed", "interpreted"])
def test_fours_that_fail_within_few_plies_are_tried_again_within_more(build: Any) -> None:
    text = (
        ".XO.O..../..XX...O./...X...../..O....XO/........./...X..OXX/.......O./OX....XOO/....XOO.X"
    )
    kernel = build.GomokuEngine(9, 9, 5, 10).kernel
    kernel.begin(Position.of(Game(9, 9, 5), text).cells, None, None)
    for plies in (7, 9, 11):
        assert kernel.fours_win(0, plies, 1_000_000) == 0
    assert kernel.fours_win(0, 30, 1_000_000) == 13


# A search may use results from earlier searches of the same game, but not of other games.

MIDDLE = Board.from_moves("a15 o15 o1 a1 h8 i7 i8 h7 i9", game="gomoku")


def test_only_a_search_in_a_game_continues_from_the_one_before() -> None:
    engine = GomokuEngine(15, 15, 5, 16)
    first = engine.search(task(MIDDLE, depth=8))
    again = engine.search(task(MIDDLE, depth=8, memory=Memory.GAME))
    assert again.nodes < first.nodes
    assert again.table_hits > 0
    assert engine.search(task(MIDDLE, depth=8)) == first


def test_a_watched_analysis_in_a_game_keeps_the_memory_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memories = []
    begin = Proofs.begin

    def spy(proofs: Proofs, task: Task) -> None:
        memories.append(task.memory)
        begin(proofs, task)

    monkeypatch.setattr(Proofs, "begin", spy)
    analyze(MIDDLE, SearchLimits(time_ms=20, in_game=True), lambda _: None)
    assert memories == [Memory.GAME, Memory.GAME, Memory.POSITION]


def test_a_lost_position_is_forgotten_at_the_next_search() -> None:
    engine = GomokuEngine(15, 15, 5, 16)
    lost = Board.parse(
        "/".join([".XXXX.........."] + ["O.O.O.O........"] + ["." * 15] * 13), first="O"
    )
    assert engine.best(task(lost, depth=2)).value < 0
    assert not engine.best(task(MIDDLE, depth=2)).exact
    moves = engine.every(task(MIDDLE, depth=2, memory=Memory.POSITION)).found
    assert max(move.value for move in moves) > -1_000


def test_the_moves_beside_the_lines_are_searched_with_what_is_left() -> None:
    board = Board.from_moves("e5 d4 f4 d6", rows=9, columns=9, k=5)
    analysis = analyze(board, SearchLimits(time_ms=None, engine_nodes=100_000, lines=2))
    assert min(move.depth for move in analysis.moves[2:]) > 2


def test_a_repeatable_search_uses_no_earlier_search_of_the_game() -> None:
    limits = SearchLimits(time_ms=20, seed=1, in_game=True)
    first = best_move(MIDDLE, limits)
    best_move(MIDDLE, SearchLimits(time_ms=50, in_game=True))
    again = best_move(MIDDLE, limits)
    assert (again.pv, again.score) == (first.pv, first.score)
    assert again.search.nodes == first.search.nodes


def test_each_certificate_has_all_nodes_for_its_moves() -> None:
    engine = GomokuEngine(15, 15, 5, 12)
    asked = task(MIDDLE, nodes=3_000)
    visited = []
    for _ in range(2):
        engine.consult(asked)
        assert engine.winning_move(asked.cells, asked.mover, None) is None
        visited.append(engine.kernel.nodes)
    assert min(visited) > 1_000


def test_a_search_of_fours_stops_before_the_arrays_end() -> None:
    """The code runs uncompiled, so an index past the end of an array would raise an error."""
    kernel = BUILDS[1].GomokuEngine(9, 9, 5, 10).kernel
    text = (
        ".....OX.O/.....XXOO/O.O..X.XO/..O.OX.X./.X.X...O./.O.O...../O.O...X../X.XXOX.../X.X..X.OO"
    )
    kernel.begin(Position.of(Game(9, 9, 5), text).cells, None, None)
    assert kernel.has_rich_fours(0)
    last = declared.constants(parameters.__file__)["LAST_PLY"]
    values = [
        kernel.quiescence(0, ply, parameters.MAX_EVALUATION) for ply in range(last - 12, last + 2)
    ]
    # After ply `LAST_PLY`, the kernel stops looking for wins.
    assert values[0] >= parameters.PROVEN > values[-1]


def test_lines_are_completed_within_a_count_of_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "COMPLETION_NODES", 0)
    found = GomokuEngine(15, 15, 5).search(task(MIDDLE, nodes=20_000))
    assert found.nodes <= 20_000 + parameters.line_budget(20_000) + 10


@pytest.mark.parametrize("nodes", [1_000, 3_000, 9_000])
def test_no_estimate_counts_from_a_depth_that_is_cut_short(nodes: int) -> None:
    found, complete, _ = GomokuEngine(15, 15, 5, 16).every(task(MIDDLE, nodes=nodes))
    assert not complete
    assert sorted(move.pv[0] for move in found) == list(MIDDLE.moves)
    assert {move.depth for move in found} == {1}


@pytest.mark.parametrize("overline", [True, False])
def test_an_estimate_has_a_line_of_six_moves_or_as_many_as_its_depth(overline: bool) -> None:
    board = Board.from_moves("h8 i9 g7 j10", rows=15, columns=15, overline=overline)
    for nodes in (10_000, 40_000):
        limits = SearchLimits(time_ms=None, nodes=nodes, lines=4)
        best = best_move(board, limits)
        assert len(best.pv) >= 6
        assert reduce(Board.play, best.pv, board).winner is None
        for move in analyze(board, limits).moves[:4]:
            assert len(move.pv) >= min(move.depth, 6)


def test_a_win_that_is_seen_is_proven_with_what_is_left_of_the_budget() -> None:
    board = Board.from_moves("h8 i7 g9 j6", rows=15, columns=15, overline=False)
    for nodes in (200_000, 400_000):
        best = best_move(board, SearchLimits(time_ms=None, nodes=nodes))
        assert best.exact or best.search.nodes >= nodes
    assert (best.score, best.plies) == (1, len(best.pv))
    assert reduce(Board.play, best.pv, board).winner == board.turn


def test_a_move_that_was_not_tried_is_worth_no_more_than_the_best_at_the_depth_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parameters, "LINE_MOVES", 1)  # the line of an untried move is the move
    engine = GomokuEngine(15, 15, 5, 16)
    untried = 0
    for board in won_positions.positions()[:30]:
        won = engine.search(task(board, nodes=30_000))
        found = engine.search(task(board.play(won.pv[0]), nodes=3_000))
        untried += not found.exact and len(found.pv) == 1
        assert found.value < 0
        assert found.depth > 0 or found.exact
    assert untried
