"""Searches that report progress, and that another thread cancels."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bestmove import Analysis, BestMove, Board, Cancellation, analyze, best_move
from bestmove.errors import OutOfTime
from bestmove.search.limits import SearchLimits
from tests.search.promises import check_analysis
from tests.support.positions import OPENING

BOARDS = [
    OPENING,
    Board.parse("." * 24 + "X" + "." * 24, rows=7, columns=7, k=4),
    Board.parse("X" + "." * 24, rows=5, columns=5),
    Board.parse("." * 64, rows=8, columns=8, misere=True),
    Board.parse("." * 48, rows=6, columns=8, k=4, gravity=True),
    Board.parse("." * 42, game="connect-four"),
    Board.parse("." * 30, rows=5, columns=6, k=4, gravity=True, overline=False),
]
LONG = SearchLimits(nodes=2_000_000, time_ms=None)
"""Limits of a search that takes seconds, but ends even if it ignores its cancellation."""


def bare(answer: BestMove | Analysis) -> BestMove | Analysis:
    return replace(answer, search=replace(answer.search, elapsed_ms=0.0, cached=False))


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("ask", [best_move, analyze])
def test_a_watched_search_is_the_same_search(board: Board, ask: Callable[..., Any]) -> None:
    for limits in (
        SearchLimits(engine_nodes=3_000, time_ms=None),
        SearchLimits(depth=3, time_ms=None, seed=1),
    ):
        seen: list[Any] = []
        watched = ask(board, limits, progress=seen.append, cancellation=Cancellation())
        assert bare(watched) == bare(ask(board, limits))
        for so_far in seen:
            assert type(so_far) is type(watched)
            assert so_far.board == board
            assert not so_far.search.timed_out
            if ask is analyze:
                check_analysis(board, so_far, cut=True)
                final = {move.index: move.score for move in watched.moves}
                assert all(move.score == final[move.index] for move in so_far.moves if move.exact)
        nodes = [answer.search.nodes for answer in (*seen, watched)]
        depths = [answer.search.depth for answer in seen]
        assert nodes == sorted(nodes)
        completes = [answer.complete for answer in (*seen, watched) if ask is analyze]
        assert completes == sorted(completes)
        if ask is best_move:
            assert depths == sorted(set(depths))
            assert all(one.move == one.pv[0] and one.reason.cells for one in seen)


@pytest.mark.parametrize("lines", [None, 5])
def test_an_analysis_reports_every_move_at_each_depth(lines: int | None) -> None:
    seen: list[Analysis] = []
    board, limits = OPENING, SearchLimits(depth=4, time_ms=None)
    if lines:
        board = Board.from_moves("h8 i8", game="gomoku")
        limits = SearchLimits(engine_nodes=60_000, time_ms=None, lines=lines)
    analyze(board, limits, progress=seen.append)
    depths = [max(move.depth for move in analysis.moves[:5]) for analysis in seen]
    assert len(set(depths)) > 3
    assert depths[-1] == max(depths)
    for analysis in seen:
        check_analysis(board, analysis)
    nodes = [analysis.search.nodes for analysis in seen]
    assert nodes == sorted(nodes)


@pytest.mark.parametrize(
    ("board", "limits"),
    [
        (Board.parse("........."), SearchLimits()),
        (Board.parse("XXXOO...."), SearchLimits()),
        (Board.parse("X...O...."), SearchLimits(algorithm="minimax")),
        (OPENING, SearchLimits(level=3, seed=5)),
    ],
)
def test_a_search_without_depths_reports_nothing(board: Board, limits: SearchLimits) -> None:
    seen: list[object] = []
    best_move(board, limits, progress=seen.append)
    assert seen == []


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("ask", [best_move, analyze])
def test_a_search_cancelled_in_advance_answers_at_once(
    board: Board, ask: Callable[..., Any]
) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    answer = ask(board, LONG, cancellation=cancellation)
    assert answer.search.nodes < 2_000
    if isinstance(answer, BestMove):
        assert answer.move in board.moves
    else:
        check_analysis(board, answer, cut=True)


def test_a_cancellation_ends_only_its_own_search() -> None:
    limits = SearchLimits(nodes=20_000, time_ms=None)
    cancellation = Cancellation()

    def cancel(_: object) -> None:
        cancellation.cancel()

    assert best_move(OPENING, SearchLimits(time_ms=None), cancel, cancellation).search.depth < 9
    # The next search gets the engine whose search was cancelled.
    whole = best_move(OPENING, limits, cancellation=Cancellation())
    assert bare(whole) == bare(best_move(OPENING, limits))
    assert whole.search.nodes > 10_000


def test_a_cancellation_after_its_search_ends_no_other() -> None:
    limits = SearchLimits(nodes=20_000, time_ms=None)
    late = Cancellation()
    best_move(OPENING, SearchLimits(nodes=500, time_ms=None), cancellation=late)
    # The next search gets the engine of the finished search.
    whole = best_move(OPENING, limits, lambda _: late.cancel())
    assert late.is_cancelled
    assert bare(whole) == bare(best_move(OPENING, limits))


def test_a_textbook_search_is_cancelled() -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    limits = SearchLimits(algorithm="minimax", time_ms=None)
    with pytest.raises(OutOfTime):
        best_move(Board.parse("........."), limits, cancellation=cancellation)
