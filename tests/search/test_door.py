"""For all engines and rules, every answer keeps the promises of the contract."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import Any

import pytest

from bestmove import Board, Limits, Rules, analyze, best_move
from bestmove.answers import Analysis, BestMove, MoveEvaluation
from bestmove.errors import InvalidLimits
from bestmove.search.analysis import is_cheap
from bestmove.search.dispatch import in_book
from bestmove.search.limits import ALGORITHMS, MAX_SEED
from bestmove.search.results import LONGEST_DRAW
from bestmove.search.scores import WIN
from bestmove.words import EXACT_CELLS
from tests.search.engines import board_of
from tests.support.needs import COMPILED, THIRDS
from tests.support.oracle import EVERY_RULE, Position, Shape, Switches, positions
from tests.support.positions import DRAWN

SMALL = Limits(time_ms=None, nodes=3_000)
TEXTBOOK = ALGORITHMS[1:]


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


def swapped(board: Board) -> Board:
    cells = board.cells.translate(str.maketrans("XO", "OX"))
    return Board(cells, board.rules, "XO".replace(board.first, ""))


def check_answer(board: Board, answer: BestMove) -> None:
    if board.is_over:
        assert answer.move is None
        assert (answer.score, answer.exact, answer.plies) == (board.utility, True, 0)
        assert (answer.pv, answer.outcome, answer.reason) == ((), None, None)
        return
    assert answer.move in board.moves
    assert answer.pv[0] == answer.move
    end = reduce(Board.play, answer.pv, board)
    if not answer.exact:
        assert -1 < answer.score < 1
        assert isinstance(answer.score, float)
        assert (answer.outcome, answer.plies) == ("unknown", None)
        return
    assert isinstance(answer.score, int)
    for_mover = answer.score if board.turn == "X" else -answer.score
    assert answer.outcome == {1: "win", 0: "draw", -1: "loss"}[for_mover]
    if answer.score:
        assert answer.plies == len(answer.pv)
        assert end.utility == answer.score
    else:
        assert answer.plies == board.cells.count(".")
        assert len(answer.pv) <= answer.plies


def check_analysis(board: Board, analysis: Analysis, lines: int | None = None) -> None:
    """Assert what every analysis promises: each move once, best first."""
    moves = analysis.moves
    assert sorted(move.index for move in moves) == list(board.moves)
    for_mover = [move.score if board.turn == "X" else -move.score for move in moves]
    assert for_mover == sorted(for_mover, reverse=True)
    # Any of the best moves may come first. After the first, equally good moves are in index order.
    for better, worse in pairwise(moves[1:]):
        if (better.score, better.plies) == (worse.score, worse.plies):
            assert better.index < worse.index
    for move in moves:
        assert move.pv[0] == move.index
        assert move.exact == isinstance(move.score, int)
        assert move.depth == move.plies if move.exact else move.depth >= 0
        assert not move.exact or move.outcome == "draw" or len(move.pv) == move.plies
    # Moves with scores near ±1 are left out: they may be searched less deep.
    led = [move.depth for move in moves[1:lines] if -0.9 < move.score < 0.9]
    if lines is not None and led and moves[0].outcome != "loss":
        assert min(led) >= max((one.depth for one in moves[lines:] if not one.exact), default=0)


# Exact results.


def drawn(at: Position, rng: random.Random) -> Board:
    """Return the position as a board. In half of the cases, exchange X and O."""
    return rng.choice((board_of, lambda at: swapped(board_of(at))))(at)


@THIRDS
def test_on_small_boards_all_answers_agree_with_slow_minimax_whatever_the_limits(
    third: int,
) -> None:
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
        board = drawn(at, rng)
        limits = rng.choice(several if not board.rules.is_plain else [*several, quick])
        values = {move: at.value_of(move) for move in at.moves}
        ranked = sorted(values, key=lambda move: (-values[move], move))
        answer, analysis = best_move(board, limits), analyze(board, limits)
        assert answer.exact
        assert analysis.complete
        best = answer.move.index
        assert values[best] == values[ranked[0]]
        if limits.seed is None:
            assert best == ranked[0]
        ranked.remove(best)
        ranked.insert(0, best)
        assert [move.index for move in analysis.moves] == ranked
        check_answer(board, answer)
        check_analysis(board, analysis)
        every: list[BestMove | MoveEvaluation] = [answer, *analysis.moves]
        for told, move in zip(every, [ranked[0], *ranked], strict=True):
            value = values[move]
            assert told.outcome == ("win" if value > 0 else "loss" if value < 0 else "draw")
            assert told.plies == (WIN - abs(value) if value else at.text.count("."))


@pytest.mark.parametrize("algorithm", TEXTBOOK)
def test_the_textbook_searches_find_the_result_under_every_rule(algorithm: str) -> None:
    rng = random.Random(6)
    for at in positions(rng, 120, 6, side=4):
        board = drawn(at, rng)
        answer = best_move(board, Limits(algorithm=algorithm))
        check_answer(board, answer)
        assert answer.search.algorithm == algorithm
        assert answer.outcome == ("win" if at.value > 0 else "loss" if at.value < 0 else "draw")


EARLY: list[Shape] = [
    (rows, columns, k)
    for rows in range(1, 20)
    for columns in range(1, 20)
    for k in (3, 4, 5)
    if k <= max(rows, columns) and 15 <= rows * columns <= EXACT_CELLS
]


@pytest.mark.parametrize("shape", EARLY[::2])
def test_early_positions_are_proven_and_the_best_move_leads_the_analysis(shape: Shape) -> None:
    rng = random.Random(sum(shape))
    board = Board.empty(*shape)
    while not board.is_over and board.cells.count(".") > board.rules.size - 5:
        answer, analysis = best_move(board, Limits(depth=2)), analyze(board, Limits(depth=2))
        first = analysis.moves[0]
        assert answer.exact
        assert all(move.exact for move in analysis.moves)
        assert (answer.move, answer.outcome) == (first.index, first.outcome)
        assert answer.plies == first.plies
        board = board.play(rng.choice(board.moves))


@pytest.mark.parametrize(
    ("shape", "score", "plies"),
    [
        *(((4, 4, 4), 0, 16), ((5, 4, 4), 0, 20), ((5, 5, 5), 0, 25), ((1, 4, 3), 0, 4)),
        *(((4, 3, 3), 1, None), ((3, 4, 3), 1, None), ((5, 6, 4), 1, None)),
        *(((1, 1, 1), 1, 1), ((19, 19, 1), 1, 1), ((19, 1, 1), 1, 1)),
        *(((2, 2, 2), 1, 3), ((1, 19, 2), 1, 3), ((19, 19, 2), 1, 3)),
    ],
)
def test_empty_boards_have_their_known_values(shape: Shape, score: int, plies: int | None) -> None:
    answer = best_move(Board.empty(*shape), Limits(time_ms=60_000))
    assert (answer.exact, answer.score) == (True, score)
    assert plies in (None, answer.plies)


@pytest.mark.parametrize(("rows", "columns", "k"), [(15, 15, 10), (20, 20, 18), (12, 20, 19)])
def test_where_exactly_k_win_and_nobody_can_make_k_it_is_a_draw(
    rows: int, columns: int, k: int
) -> None:
    board = Board.empty(rows, columns, k, overline=False).play(rows * columns // 2)
    answer = best_move(board, Limits(time_ms=None, nodes=1_000))
    assert (answer.exact, answer.outcome) == (True, "draw")


@pytest.mark.parametrize(
    ("moves", "outcome", "plies"),
    [("", "win", 41), ("4", "loss", 40), ("3", "draw", 41), ("2", "win", 41), ("1", "win", 39)],
)
def test_connect_four_is_solved_from_the_first_move_on(
    moves: str, outcome: str, plies: int
) -> None:
    # Allen and Allis, 1988: the middle column wins, and the columns next to it draw.
    board = Board.from_moves(moves, game="connect-four")
    assert in_book(board)
    answer = best_move(board, Limits(nodes=1))
    check_answer(board, answer)
    assert (answer.exact, answer.outcome, answer.plies) == (True, outcome, plies)


@pytest.mark.parametrize("moves", ["44444422", "12345671"])
def test_the_book_answers_up_to_its_last_disc(moves: str) -> None:
    book_alone = Limits(time_ms=None, nodes=1)
    last = Board.from_moves(moves, game="connect-four")
    assert in_book(last)
    assert best_move(last, book_alone).exact
    beyond = last.play(last.moves[-1])
    assert not in_book(beyond)
    assert not best_move(beyond, book_alone).exact
    answer = best_move(Board.from_moves(moves[:-1], game="connect-four"), book_alone)
    assert len(answer.pv) == answer.plies


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
        whole = analyze(board, Limits(seed=1))
        for lines in (1, 20):
            analysis = analyze(board, Limits(seed=1, lines=lines))
            assert (analysis.moves, analysis.complete) == (whole.moves, True)


def test_more_lines_than_moves_list_every_move() -> None:
    board = Board.parse("XXOOX./XXOOXX/OOXXOO/OOXXOO/XXO.../......", k=5)
    analysis = analyze(board, Limits(depth=4, lines=20))
    check_analysis(board, analysis, 20)
    assert analysis.complete


# Requests that are refused, and requests that need no search.


@pytest.mark.parametrize(
    ("field", "wrong", "right"),
    [
        ("time_ms", (0,), ()),
        ("depth", (0, 401), (1, 400)),
        ("nodes", (-1, 0), (1,)),
        ("level", (11, True, 0), (1, 10)),
        ("seed", (MAX_SEED + 1, -MAX_SEED - 2), (MAX_SEED, -MAX_SEED - 1)),
        ("algorithm", ("magic",), ALGORITHMS),
        ("threads", (0, 65, 1.0, True, "2"), (1, 64)),
        ("lines", (0, 21), (1, 20)),
    ],
)
def test_limits_out_of_range_name_the_field(field: str, wrong: Any, right: Any) -> None:
    for value in wrong:
        with pytest.raises(InvalidLimits, match=f"{field} must be") as caught:
            replace(Limits(), **{field: value})
        assert caught.value.field == field
    for value in right:
        assert getattr(replace(Limits(), **{field: value}), field) == value


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
