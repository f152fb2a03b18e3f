"""The door: whichever engine answers, the answer keeps the contract's promises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bestmove import Board, Limits, analyze, best_move
from bestmove.errors import InvalidLimits, PositionTooLarge
from bestmove.search import dispatch
from bestmove.search.analysis import is_cheap
from bestmove.search.gomoku import weights
from bestmove.search.gomoku.driver import Engine
from bestmove.search.limits import ALGORITHMS
from bestmove.search.results import LONGEST_DRAW, Analysis, BestMove
from tests.game.test_notation import boards
from tests.support import oracle

SMALL = Limits(time_ms=None, nodes=3_000)
TEXTBOOK = ALGORITHMS[1:]


DEAD = "XO" * 10 + "OX" * 10 + ("XO" + "." * 18) * 17 + "XO" + "." * 16 + "XO"
"""A board of 20×20 on which nobody can have 20 in a row any more."""


def check_frame(board: Board, answer: BestMove) -> None:
    """What the contract promises of every answer."""
    if board.is_over:
        assert answer.move is None
        assert (answer.score, answer.exact, answer.plies) == (board.utility, True, 0)
        assert (answer.pv, answer.outcome, answer.reason) == ((), None, None)
        return
    assert answer.move in board.moves
    assert answer.pv[0] == answer.move
    end = board
    for move in answer.pv:
        end = end.play(move)
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
        assert answer.plies == len(board.moves)
        assert len(answer.pv) <= answer.plies


@settings(max_examples=300)
@given(boards(max_side=8))
def test_every_answer_keeps_the_frame(board: Board) -> None:
    check_frame(board, best_move(board, SMALL))


@settings(max_examples=100)
@given(boards(max_side=4).filter(lambda board: board.cells.count(".") <= 9))
def test_exact_answers_are_what_trying_everything_says(board: Board) -> None:
    answer = best_move(board, Limits(time_ms=None, nodes=200_000))
    rules = board.rules
    assert answer.exact
    assert answer.score == oracle.solve(board.cells, rules.columns, rules.k, board.first)
    analysis = analyze(board, Limits(time_ms=None, nodes=200_000))
    assert analysis.complete
    for move in analysis.moves:
        after = board.play(move.index)
        assert move.exact
        assert move.score == oracle.solve(after.cells, rules.columns, rules.k, board.first)


@settings(max_examples=100)
@given(boards(max_side=7))
def test_an_analysis_lists_every_legal_move_best_first(board: Board) -> None:
    analysis = analyze(board, SMALL)
    assert sorted(move.index for move in analysis.moves) == list(board.moves)
    sign = 1 if board.turn == "X" else -1
    scores = [sign * move.score for move in analysis.moves]
    assert scores == sorted(scores, reverse=True)
    # The first is the move of `best_move`, of equals the lowest that its budget shows.
    for better, worse in zip(analysis.moves[1:], analysis.moves[2:], strict=False):
        if (better.score, better.plies) == (worse.score, worse.plies):
            assert better.index < worse.index
    for move in analysis.moves:
        assert move.pv[0] == move.index
        assert move.exact == isinstance(move.score, int)


def test_beside_a_proven_win_the_other_moves_keep_their_estimates() -> None:
    three = Board.parse(
        "......../......../..O...../...XXX../.....O../..O...../......../........", k=5
    )
    reports: list[Analysis] = []
    last = analyze(three, Limits(time_ms=None, depth=3), progress=reports.append)
    assert len(reports) > 1
    for analysis in (*reports, last):
        scores = {move.index: move.score for move in analysis.moves}
        # Both ends of the three win; on the way the second is told as an estimate.
        assert scores[26] == 1
        assert scores[30] >= 0.9999
        assert max(scores[cell] for cell in scores if cell not in (26, 30)) > 0.3
        assert min(scores.values()) > -0.9


@settings(max_examples=40)
@given(boards(max_side=9), boards(max_side=9))
def test_the_same_request_gets_the_same_answer_whatever_was_asked_before(
    board: Board, another: Board
) -> None:
    for limits in (Limits(nodes=1_500, time_ms=None), Limits(depth=2, time_ms=None)):
        before = best_move(board, limits)
        best_move(another, limits)
        after = best_move(board, limits)
        assert (after.move, after.score, after.pv) == (before.move, before.score, before.pv)
        assert after.search.nodes == before.search.nodes


@settings(max_examples=60)
@given(boards(max_side=6))
def test_the_other_side_moving_first_mirrors_the_answer(board: Board) -> None:
    swapped = Board(
        board.cells.translate(str.maketrans("XO", "OX")),
        board.rules,
        {"X": "O", "O": "X"}[board.first],
    )
    answer, mirrored = best_move(board, SMALL), best_move(swapped, SMALL)
    assert mirrored.move == answer.move
    assert mirrored.score == -answer.score
    assert mirrored.outcome == answer.outcome


@pytest.mark.parametrize("algorithm", TEXTBOOK)
@settings(max_examples=25)
@given(board=boards(max_side=4).filter(lambda board: board.cells.count(".") <= 6))
def test_the_textbook_searches_agree_with_auto(algorithm: str, board: Board) -> None:
    answer = best_move(board, Limits(algorithm=algorithm))
    check_frame(board, answer)
    best = best_move(board, Limits(time_ms=None, nodes=200_000))
    assert answer.exact
    assert answer.score == best.score
    if not board.is_over:
        assert answer.search.algorithm == algorithm


@pytest.mark.parametrize("algorithm", TEXTBOOK)
def test_a_position_too_large_for_a_textbook_search_is_refused_before_it(algorithm: str) -> None:
    with pytest.raises(PositionTooLarge) as caught:
        best_move(Board.empty(15, 15), Limits(algorithm=algorithm))
    assert caught.value.field == "algorithm"
    assert best_move(Board.empty(15, 15), Limits(algorithm=algorithm, depth=1)).move is not None


def test_a_level_goes_with_no_textbook_search() -> None:
    with pytest.raises(InvalidLimits, match="auto") as caught:
        best_move(Board.empty(), Limits(algorithm="minimax", level=3))
    assert caught.value.field == "level"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("time_ms", 0),
        ("depth", 0),
        ("depth", 401),
        ("nodes", -1),
        ("level", 11),
        ("level", True),
        ("seed", 2**63),
        ("algorithm", "magic"),
    ],
)
def test_limits_out_of_range_name_the_field(field: str, value: object) -> None:
    with pytest.raises(InvalidLimits) as caught:
        Limits(**{field: value})  # type: ignore[arg-type]
    assert caught.value.field == field
    assert field in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "columns", "k", "score"),
    [(4, 4, 4, 0), (5, 4, 4, 0), (4, 3, 3, 1), (3, 4, 3, 1), (5, 5, 5, 0), (5, 6, 4, 1)],
)
def test_empty_boards_have_their_known_values(rows: int, columns: int, k: int, score: int) -> None:
    answer = best_move(Board.empty(rows, columns, k), Limits(time_ms=60_000))
    assert (answer.exact, answer.score) == (True, score)


@pytest.mark.parametrize(
    ("rows", "columns", "k", "plies"),
    [(1, 1, 1, 1), (19, 19, 1, 1), (2, 2, 2, 3), (1, 19, 2, 3), (19, 19, 2, 3), (19, 1, 1, 1)],
)
def test_k_of_one_and_two_are_won_on_the_spot(rows: int, columns: int, k: int, plies: int) -> None:
    answer = best_move(Board.empty(rows, columns, k), Limits(time_ms=60_000))
    assert (answer.score, answer.exact, answer.plies) == (1, True, plies)


def test_one_row_with_room_for_no_fork_is_a_draw() -> None:
    answer = best_move(Board.empty(1, 4, 3), Limits(time_ms=60_000))
    assert (answer.score, answer.exact) == (0, True)


@given(seed=st.integers(0, 50), level=st.integers(1, 9))
@settings(max_examples=60)
def test_a_seed_makes_a_level_reproducible(seed: int, level: int) -> None:
    for board in (Board.parse("X...O...."), Board.parse("X.O./.XO./..../....", k=4)):
        limits = Limits(level=level, seed=seed, time_ms=100)
        first, second = best_move(board, limits), best_move(board, limits)
        assert (first.move, first.score, first.pv) == (second.move, second.score, second.pv)
        check_frame(board, first)


def test_what_is_cheap_needs_no_search() -> None:
    assert is_cheap(Board.parse("X...O...."))
    assert is_cheap(Board.parse("XXXX/OOO./..../....", k=4))
    assert not is_cheap(Board.parse("X...O...."), Limits(algorithm="minimax"))
    assert not is_cheap(Board.empty(4, 4))


@pytest.mark.parametrize("moves", ["44444422", "12345671"])
def test_the_book_is_asked_up_to_its_last_disc(moves: str) -> None:
    book_alone = Limits(time_ms=None, nodes=1)
    last = Board.from_moves(moves, game="connect-four")
    assert best_move(last, book_alone).exact
    beyond = last.play(last.moves[-1])
    assert not best_move(beyond, book_alone).exact
    answer = best_move(Board.from_moves(moves[:-1], game="connect-four"), book_alone)
    assert len(answer.pv) == answer.plies


def test_what_engines_share_is_built_before_the_first_search() -> None:
    dispatch.prepare()
    built = weights.cell_tables()
    Engine(15, 15, 5, table_bits=4)
    assert weights.cell_tables() is built


def test_of_a_drawn_game_s_line_only_the_beginning_is_told() -> None:
    board = Board.parse(DEAD, 20, 20, k=20)
    answer = best_move(board)
    assert (answer.outcome, answer.plies, len(answer.pv)) == ("draw", 322, LONGEST_DRAW)
    check_frame(board, answer)
    moves = analyze(board, Limits(nodes=3_000, time_ms=None)).moves
    assert max(len(move.pv) for move in moves) == LONGEST_DRAW
