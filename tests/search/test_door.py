"""For all engines and rules, every answer keeps the promises of the contract."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bestmove import Board, Limits, Rules, analyze, best_move
from bestmove.answers import Analysis, BestMove, MoveEvaluation
from bestmove.errors import InvalidLimits
from bestmove.search.analysis import is_cheap
from bestmove.search.engines.connect4.book import covers
from bestmove.search.limits import OPTIONS
from bestmove.search.results import LONGEST_DRAW
from bestmove.search.scores import WIN
from bestmove.words import EXACT_CELLS
from tests.search.promises import check_analysis, check_answer
from tests.support import agreement
from tests.support.needs import COMPILED, THIRDS
from tests.support.oracle import EVERY_RULE, Shape, Switches, positions
from tests.support.positions import DRAWN, in_any_colours, swapped

SMALL = Limits(time_ms=None, nodes=3_000)


def empty(shape: Shape, rules: Switches, first: str = "X") -> Board:
    return Board("." * (shape[0] * shape[1]), Rules(*shape, **rules), first)


def some_boards(seed: int, count: int, side: int, *, over: bool = False) -> Iterator[Board]:
    """Yield positions of random games under any rules. With `over`, some are finished."""
    rng = random.Random(seed)
    while count:
        rows, columns = rng.randint(1, side), rng.randint(1, side)
        k, rules = rng.randint(1, max(rows, columns)), rng.choice(EVERY_RULE)
        board = empty((rows, columns, k), rules, rng.choice("XO"))
        for _ in range(rng.randint(0, min(board.rules.size, 40))):
            if not board.is_over:
                board = board.play(rng.choice(board.moves))
        if over or not board.is_over:
            count -= 1
            yield board


# Exact results.


@THIRDS
def test_on_small_boards_all_answers_agree_with_minimax_whatever_the_limits(third: int) -> None:
    rng = random.Random(third)
    several = [
        Limits(time_ms=60_000),
        Limits(depth=1),
        Limits(depth=3),
        Limits(depth=20),
        Limits(seed=7),
        Limits(reproducible=True),
    ]
    quick = Limits(seed=7, time_ms=1)
    small = positions(rng, 600, 8, fits=lambda shape: shape[0] * shape[1] <= EXACT_CELLS)
    for at in small:
        # `quick` gives enough time only for plain games.
        board = in_any_colours(at, rng)
        limits = rng.choice(several if board.rules.changed else [*several, quick])
        values = {move: at.value_of(move) for move in at.moves}
        answer, analysis = best_move(board, limits), analyze(board, limits)
        assert answer.exact
        assert analysis.complete
        best = answer.move.index
        assert values[best] == at.value
        lowest = min(move for move in values if values[move] == at.value)
        assert best == lowest or limits.seed is not None
        ranked = sorted(values, key=lambda move: (move != best, -values[move], move))
        assert [move.index for move in analysis.moves] == ranked
        check_answer(board, answer)
        check_analysis(board, analysis)
        every: list[BestMove | MoveEvaluation] = [answer, *analysis.moves]
        for told, move in zip(every, [ranked[0], *ranked], strict=True):
            value = values[move]
            assert told.outcome == ("win" if value > 0 else "loss" if value < 0 else "draw")
            assert told.plies == (WIN - abs(value) if value else at.text.count("."))


TIME = Limits(time_ms=60_000)
DEPTH = Limits(depth=2)
REPEATABLE = Limits(reproducible=True)

KNOWN: list[tuple[Limits, Board, str, int | None]] = [
    *((TIME, Board.empty(*shape), "draw", None) for shape in ((4, 4, 4), (5, 4, 4), (5, 5, 5))),
    *((TIME, Board.empty(*shape), "win", None) for shape in ((4, 3, 3), (3, 4, 3))),
    *((TIME, Board.empty(*shape), "win", 1) for shape in ((1, 1, 1), (19, 19, 1), (19, 1, 1))),
    *((TIME, Board.empty(*shape), "win", 3) for shape in ((2, 2, 2), (1, 19, 2), (19, 19, 2))),
    (TIME, Board.empty(1, 4, 3), "draw", None),
    *((DEPTH, Board.empty(*shape), "draw", None) for shape in ((5, 4, 4), (2, 10, 3), (1, 19, 4))),
    # Allen and Allis, 1988: the middle column wins, and the columns next to it draw.
    *(
        (Limits(nodes=1), Board.from_moves(moves, game="connect-four"), outcome, plies)
        for moves, outcome, plies in (
            *(("", "win", 41), ("4", "loss", 40), ("3", "draw", 41)),
            *(("2", "win", 41), ("1", "win", 39)),
        )
    ),
]


@pytest.mark.parametrize(("limits", "board", "outcome", "plies"), KNOWN)
def test_known_results_are_exact_in_every_answer(
    limits: Limits, board: Board, outcome: str, plies: int | None
) -> None:
    answer, analysis = best_move(board, limits), analyze(board, limits)
    check_answer(board, answer)
    assert (answer.exact, answer.outcome) == (True, outcome)
    assert plies in (None, answer.plies)
    check_analysis(board, analysis)
    first = analysis.moves[0]
    assert (first.index, first.exact, first.outcome) == (answer.move.index, True, outcome)


@COMPILED
@pytest.mark.parametrize(
    ("board", "move", "outcome"),
    [
        (Board.from_moves("346753671", game="connect-four"), 26, "win"),
        (Board.from_moves("37347525136173", game="connect-four"), 20, "win"),
        (Board.empty(5, 5, 4, gravity=True), 20, "draw"),
        (Board.empty(6, 6, 4, overline=False), 14, "win"),
        # Every move loses equally late, so the move is a block.
        (Board.from_moves("h8 a1 i8 c1 j9 e2 j10 o15 j8", game="gomoku"), 115, "loss"),
        (Board.from_moves("h8 a1 i8 c1 j8 e2 k8", 15, 15, 5, overline=False), 111, "loss"),
        (Board.from_moves("c3 a6 d3 f6 c4 a1 d4", 6, 6, 4), 8, "loss"),
        (Board.from_moves("d1 a1 e1 a2 c1", 8, 8, 4, gravity=True), 61, "loss"),
    ],
    ids=str,
)
def test_repeatable_searches_prove_what_timed_ones_do(
    board: Board, move: int, outcome: str
) -> None:
    answer = best_move(board, REPEATABLE)
    first = analyze(board, REPEATABLE).moves[0]
    assert (answer.move, answer.outcome) == (first.index, first.outcome) == (move, outcome)


@pytest.mark.parametrize("moves", ["44444422", "12345671"])
def test_the_book_answers_up_to_its_last_disc(moves: str) -> None:
    book_alone = Limits(time_ms=None, nodes=1)
    last = Board.from_moves(moves, game="connect-four")
    assert covers(last)
    assert best_move(last, book_alone).exact
    beyond = last.play(last.moves[-1])
    assert not covers(beyond)
    assert not best_move(beyond, book_alone).exact
    answer = best_move(Board.from_moves(moves[:-1], game="connect-four"), book_alone)
    assert len(answer.pv) == answer.plies


@COMPILED
@pytest.mark.parametrize("moves", ["4", "44", "3", "1"])
@pytest.mark.parametrize("time_ms", [1, 10])
def test_what_the_book_knows_is_proven_however_short_the_time(moves: str, time_ms: int) -> None:
    board = Board.from_moves(moves, game="connect-four")
    known = best_move(board, REPEATABLE)
    assert len(known.pv) == known.plies
    answer = best_move(board, Limits(time_ms=time_ms))
    assert (answer.move, answer.exact, answer.plies) == (known.move, True, known.plies)
    soon, later = analyze(board, Limits(time_ms=time_ms)), analyze(board, REPEATABLE)
    claims, known_claims = (
        [(move.index, move.outcome, move.plies) for move in found.moves] for found in (soon, later)
    )
    assert claims == known_claims
    assert all(move.exact for move in soon.moves)


def test_a_stream_begins_with_every_value_of_the_book_and_label_searches_no_line() -> None:
    board = Board.from_moves("1", game="connect-four")
    told: list[Analysis] = []
    analyze(board, Limits(reproducible=True, lines=5), told.append)
    assert all(move.exact for move in told[0].moves)
    assert told[0].search.nodes == 0
    alone = best_move(board, Limits(nodes=1, pv=False))
    assert (alone.exact, alone.search.nodes) == (True, 0)


# The best move and the analysis.


@COMPILED
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))]
)
def test_best_move_and_analysis_agree_in_the_whole_family(seed: int) -> None:
    for number in range(25):
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
        (Board.parse("..X........../", k=2), 10),
        (Board.parse("X.XOOOX/.OO.XOX/O.XXX.X/XXO..../OOOXO.X/...O.OX", k=4, first="O"), 2),
    ],
    ids=str,
)
def test_with_few_nodes_both_choose_the_lowest_of_equal_moves(board: Board, nodes: int) -> None:
    assert not [*agreement.faults(board, Limits(time_ms=None, nodes=nodes))]


def test_the_line_is_the_same_if_the_player_proves_the_best_move_and_the_prover_all() -> None:
    rows = "...../...../...../...X./..O../O..../.XO../...../....."
    board = Board.parse(rows, k=4, first="O", overline=False)
    limits = Limits(time_ms=30, reproducible=True, lines=1)
    assert not [*agreement.faults(board, limits)]


# Estimates.


@pytest.mark.parametrize("side", [4, 8, 12])
def test_every_answer_keeps_the_promises_and_is_repeatable(side: int) -> None:
    boards = list(some_boards(side, 30, side, over=True))
    asked: list[tuple[Any, ...]] = []
    for limits in (SMALL, Limits(time_ms=None, depth=2)):
        for board in boards:
            answer, analysis = best_move(board, limits), analyze(board, limits)
            check_answer(board, answer)
            check_analysis(board, analysis)
            mirrored = best_move(swapped(board), limits)
            assert (mirrored.move, mirrored.score) == (answer.move, -answer.score)
            assert (mirrored.outcome, mirrored.pv) == (answer.outcome, answer.pv)
            told = answer.pv, answer.score, answer.search.nodes, analysis.moves
            asked.append((board, limits, told))
    # An answer must not depend on earlier questions.
    for board, limits, told in reversed(asked):
        again = best_move(board, limits)
        once_more = again.pv, again.score, again.search.nodes, analyze(board, limits).moves
        assert once_more == told


def test_beside_a_proven_win_the_other_moves_keep_their_estimates() -> None:
    three = Board.parse(
        "......../......../..O...../...XXX../.....O../..O...../......../........", k=5
    )
    reports: list[Analysis] = []
    last = analyze(three, Limits(time_ms=None, depth=3), progress=reports.append)
    assert len(reports) > 1
    for analysis in (*reports, last):
        scores = {move.index: move.score for move in analysis.moves}
        # X has an open three on cells 27 to 29, so cells 26 and 30 win. Before the last report, the
        # move on cell 30 has only an estimate.
        assert scores[26] == 1
        assert scores[30] >= 0.9
        assert max(scores[cell] for cell in scores if cell not in (26, 30)) > 0.3
        assert min(scores.values()) > -0.9


MIDDLE = Board.from_moves("h8 i9 i7 g7 h6 h7", game="gomoku")
WON = Board.from_moves("h8 i9 i7 g7 h6 h9 j8 g9", game="gomoku")

every_rule = pytest.mark.parametrize("rules", EVERY_RULE, ids=repr)


@COMPILED
@every_rule
@pytest.mark.parametrize("shape", [(6, 6, 4), (7, 9, 5), (15, 15, 5)])
def test_lines_come_first_and_the_first_is_the_best_move(shape: Shape, rules: Switches) -> None:
    rng = random.Random(f"{shape} {rules}")
    for _ in range(3):
        board = empty(shape, rules)
        for _ in range(rng.randint(1, 12)):
            near = [at for at in board.moves if max(divmod(at, shape[1])) < 7]
            after = board.play(rng.choice(near or board.moves))
            board = board if after.is_over else after
        lines = rng.randint(1, 8)
        limits = Limits(depth=3, time_ms=60_000, lines=lines)
        answer, analysis = best_move(board, limits), analyze(board, limits)
        check_analysis(board, analysis, lines)
        first = analysis.moves[0]
        if answer.outcome != "loss":
            assert first.index == answer.move
            assert (first.score, first.exact, first.pv) == (answer.score, answer.exact, answer.pv)
        assert analysis.complete
        assert analyze(board, limits).moves == analysis.moves


@pytest.mark.parametrize("lines", [None, 1, 5, 20])
def test_an_analysis_by_the_clock_is_in_order_too(lines: int | None) -> None:
    for board in (Board.empty(15, 15), MIDDLE, WON):
        for time_ms in (1, 60):
            check_analysis(board, analyze(board, Limits(time_ms=time_ms, lines=lines)))


@pytest.mark.parametrize(
    "limits",
    [
        Limits(time_ms=60, lines=5),
        Limits(depth=2, time_ms=60_000),
        Limits(time_ms=100, seed=1, lines=3),
    ],
    ids=repr,
)
@every_rule
def test_images_of_a_move_have_its_score(limits: Limits, rules: Switches) -> None:
    for rows, columns, marks in [(15, 15, 1), (9, 9, 3), (7, 9, 4)]:
        board = empty((rows, columns, 5), rules)
        for row in range(marks):
            board = board.play((rows - 1 - row) * columns + columns // 2)
        moves = {move.index: move for move in analyze(board, limits).moves}
        for move in moves.values():
            row, column = divmod(move.index, columns)
            twin = moves[row * columns + columns - 1 - column]
            assert (twin.score, twin.exact, twin.plies) == (move.score, move.exact, move.plies)


def test_the_middle_of_an_empty_board_comes_first_and_the_corners_last() -> None:
    for limits in (Limits(time_ms=100), Limits(time_ms=100, lines=5), Limits(depth=2)):
        board = Board.empty(15, 15)
        moves = [move.index for move in analyze(board, limits).moves]
        assert moves[0] == best_move(board, limits).move == 112
        rank = {index: place for place, index in enumerate(moves)}
        assert all(rank[corner] > 150 for corner in (0, 14, 210, 224))


def test_on_a_small_board_the_number_of_lines_changes_nothing() -> None:
    for board in (Board.parse("X...O...."), Board.parse("X.../.O../..../....", k=4)):
        several = [analyze(board, Limits(seed=1, lines=lines)) for lines in (None, 1, 20)]
        assert all(analysis.complete for analysis in several)
        assert several[0].moves == several[1].moves == several[2].moves


# Requests that are refused, and requests that need no search.


@pytest.mark.parametrize("field", OPTIONS)
def test_limits_out_of_range_name_the_field(field: str) -> None:
    option = OPTIONS[field]
    least, most = option.least, option.most
    wrong: tuple[Any, ...] = (least - 1, most + 1, True, 1.0, "2")
    for value in wrong:
        with pytest.raises(InvalidLimits, match=f"{field} must be") as caught:
            replace(Limits(), **{field: value})
        assert caught.value.field == field
    right: tuple[Any, ...] = option.choices or (least, most)
    for value in right:
        changed = replace(Limits(algorithm="minimax"), **{field: value})
        assert getattr(changed, field) == value


def test_cheap_requests_are_those_without_a_search() -> None:
    assert is_cheap(Board.parse("X...O...."))
    assert is_cheap(Board.parse("XXXX/OOO./..../....", k=4))
    assert not is_cheap(Board.parse("X...O...."), Limits(algorithm="minimax"))
    assert not is_cheap(Board.empty(4, 4))


def test_a_draw_shows_only_the_beginning_of_its_line() -> None:
    answer = best_move(DRAWN, Limits(time_ms=60_000))
    assert (answer.outcome, answer.plies, len(answer.pv)) == ("draw", 322, LONGEST_DRAW)
    moves = analyze(DRAWN, Limits(nodes=300, time_ms=None)).moves
    assert max(len(move.pv) for move in moves) == LONGEST_DRAW
