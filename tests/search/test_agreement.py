"""On boards of any size the best move and the first of the analysis are one answer."""

import random

import pytest

from bestmove.game import Board, Rules
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import Limits
from tests.support import agreement
from tests.support.needs import COMPILED
from tests.support.won_positions import positions

SHAPES = [(5, 5, 4), (5, 5, 3), (3, 7, 3), (6, 6, 4), (6, 7, 4), (7, 7, 5), (9, 9, 5), (15, 15, 5)]


RULES = pytest.mark.parametrize("overline", [True, False], ids=["k or more", "exactly k"])


def random_board(rng: random.Random, shape: tuple[int, int, int], overline: bool = True) -> Board:
    """A game in progress with its marks close together."""
    rows, columns, k = shape
    while True:
        board = Board.empty(rows, columns, k, overline=overline)
        near = [
            row * columns + column
            for row in range(min(rows, 6))
            for column in range(min(columns, 6))
        ]
        for cell in rng.sample(near, rng.randint(0, len(near) // 2)):
            if not board.is_over:
                board = board.play(cell)
        if not board.is_over:
            return board


def random_variant(rng: random.Random, switch: str) -> Board:
    """A game in progress on 6×7 with k = 4, its moves at random."""
    while True:
        board = Board.empty(6, 7, 4, **{switch: True})  # type: ignore[arg-type]
        for _ in range(rng.randint(2, 12)):
            if not board.is_over:
                board = board.play(rng.choice(board.moves))
        if not board.is_over:
            return board


def check(board: Board, limits: Limits) -> bool:
    """Whether the answer is proven, and known to be the analysis' first."""
    answer, analysis = best_move(board, limits), analyze(board, limits)
    first = analysis.moves[0]
    assert (first.index, first.outcome, first.plies) == (answer.move, answer.outcome, answer.plies)
    assert (first.score, first.exact, first.pv) == (answer.score, answer.exact, answer.pv)
    assert {move.index for move in analysis.moves} == set(board.moves)
    for_mover = [move.score if board.turn == "X" else -move.score for move in analysis.moves]
    assert for_mover == sorted(for_mover, reverse=True)
    for move in analysis.moves:
        if limits.depth is not None and not move.exact:
            assert move.depth <= limits.depth
        if move.exact and move.outcome != "draw" and not board.rules.gravity:
            assert len(move.pv) == move.plies
    return answer.exact


@RULES
@pytest.mark.parametrize("shape", SHAPES)
def test_bounded_by_depth(shape: tuple[int, int, int], overline: bool) -> None:
    rng = random.Random(sum(shape))
    for _ in range(12):
        limits = Limits(depth=rng.randint(1, 3), time_ms=60_000)
        check(random_board(rng, shape, overline), limits)


@COMPILED
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
)
def test_both_say_the_same_in_order_over_the_whole_family(seed: int) -> None:
    for number in range(40):
        dice = random.Random(f"{seed} {number}")
        board, limits = agreement.random_position(dice), agreement.random_limits(dice)
        found = [fault for fault in agreement.faults(board, limits) if "by the clock" not in fault]
        assert not found, (board, limits)


@pytest.mark.parametrize(
    ("board", "nodes"),
    [
        (Board.parse("..X.../....../O.O...", k=4, first="O"), 5),
        (Board.parse("../../.O", k=3, first="O"), 5),
        (Board.parse("..O../.....", k=2, first="O"), 1),
        (Board.parse("./././X/.", k=3), 5),
        (Board.parse("X.XOOOX/.OO.XOX/O.XXX.X/XXO..../OOOXO.X/...O.OX", k=4, first="O"), 2),
    ],
    ids=str,
)
def test_with_few_nodes_both_are_the_lowest_of_equal_moves(board: Board, nodes: int) -> None:
    assert not [*agreement.faults(board, Limits(time_ms=None, nodes=nodes))]


def test_the_line_is_the_same_where_the_player_proves_the_best_move_and_the_prover_all() -> None:
    rows = "...../...../...../...X./..O../O..../.XO../...../....."
    board = Board.parse(rows, k=4, first="O", overline=False)
    limits = Limits(time_ms=30, reproducible=True, lines=1)
    assert not [*agreement.faults(board, limits)]


@COMPILED
@pytest.mark.parametrize("moves", ["4", "44", "3", "1"])
@pytest.mark.parametrize("time_ms", [1, 10])
def test_a_distance_is_claimed_with_its_whole_line(moves: str, time_ms: int) -> None:
    board = Board.from_moves(moves, game="connect-four")
    answer, known = best_move(board, Limits(time_ms=time_ms)), best_move(board, Limits(seed=1))
    assert known.exact
    assert answer.move == known.move
    for found in (answer, known):
        assert not found.exact or found.outcome == "draw" or len(found.pv) == found.plies


@COMPILED
@pytest.mark.parametrize("lines", [None, 1, 3])
@pytest.mark.parametrize("switch", [pytest.param("gravity", marks=pytest.mark.slow), "misere"])
def test_other_games_bounded_by_depth(switch: str, lines: int | None) -> None:
    rng = random.Random(11)
    for _ in range(12):
        board = random_variant(rng, switch)
        check(board, Limits(depth=rng.randint(1, 4), time_ms=60_000, lines=lines))


@COMPILED
@pytest.mark.parametrize("switch", ["gravity", "misere"])
def test_lines_of_other_games_lead_all_moves(switch: str) -> None:
    board = random_variant(random.Random(12), switch)
    analysis = analyze(board, Limits(time_ms=50, lines=2, reproducible=True))
    assert {move.index for move in analysis.moves} == set(board.moves)
    depths = [move.depth for move in analysis.moves]
    assert min(depths[:2]) >= max(depths[2:])


@RULES
@pytest.mark.parametrize(
    "shape", [(5, 5, 4), (5, 5, 3), (3, 7, 3), (6, 6, 4), pytest.param((7, 7, 5), marks=COMPILED)]
)
def test_proven(shape: tuple[int, int, int], overline: bool) -> None:
    rng = random.Random(sum(shape))
    proven = 0
    for _ in range(12):
        board = random_board(rng, shape, overline)
        limits = Limits(time_ms=1_000, reproducible=True)
        if best_move(board, limits).exact:
            proven += check(board, limits)
    # Most of exactly five on 7×7 is a draw, which the general engine proves late in the game.
    assert proven > (3 if overline or shape != (7, 7, 5) else 1)


def test_a_lost_position_has_all_its_moves_proven_by_depth_alone() -> None:
    rng = random.Random(4)
    lost = 0
    while lost < 10:
        board = random_board(rng, (6, 6, 4))
        limits = Limits(depth=3, time_ms=60_000)
        if best_move(board, limits).outcome == "loss":
            lost += 1
            assert check(board, limits)
            assert all(move.outcome == "loss" for move in analyze(board, limits).moves)


@COMPILED
def test_a_forced_win_by_depth_is_first_in_the_analysis() -> None:
    limits = Limits(depth=2, time_ms=60_000)
    for overline in (True, False):
        proven = [check(board, limits) for board in positions(overline)[:24]]
        assert sum(proven) > 2


def test_a_distance_that_is_a_bound_is_called_one() -> None:
    answers = (best_move(board, Limits(depth=2)) for board in positions())
    answer = next(answer for answer in answers if answer.outcome == "win")
    assert answer.reason is not None
    assert answer.reason.text.endswith(f" wins in at most {((answer.plies or 0) + 1) // 2}.")
    small = Board(".........X.....", Rules.of(3, 5, 3))
    answer = best_move(small)
    assert answer.reason is not None
    assert answer.reason.text.endswith(" wins in 5.")
