"""POST /best-moves: many boards in one request, and an answer or a problem for each."""

import time
from typing import Any
from unittest.mock import create_autospec

import pytest

from bestmove.answers import BestMove, SearchStats
from bestmove.api import middleware, requests
from bestmove.api.problems import MOST_ERRORS
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import RATES, SearchLimits
from bestmove.search.textbook import algorithms
from tests.api.http import Api
from tests.support.answers import best_move_of
from tests.support.documents import without_times
from tests.support.positions import OPEN_8

ITEMS: list[Any] = [
    ".........",
    "XXXOO....",
    "XX../OO../..../....",
    ["X..", "...", "..."],
    {"board": "XX.OO...."},
    {"board": "XX.OO....", "misere": True},
    {"game": "connect-four", "moves": "4453"},
    {"rows": 4, "columns": 4, "k": 3, "moves": [0]},
    {"board": "XX../OO../..../....", "k": 4, "overline": False},
    {"board": "O........", "first": "O"},
    {"game": "gomoku"},
]


def test_results_come_in_order_and_are_those_of_single_requests(api: Api) -> None:
    results = api.answer("/best-moves", boards=ITEMS, depth=2)["results"]
    for item, result in zip(ITEMS, results, strict=True):
        body = item if isinstance(item, dict) else {"board": item}
        single = api.answer("/best-move", **body, depth=2)
        assert without_times(result["result"]) == without_times(single)


def test_a_bad_board_fails_alone_and_is_pointed_at(api: Api) -> None:
    boards: list[object] = [".........", "XX.......", None, {}, [["Z"]], "X...O....", "x" * 5000]
    results = api.answer("/best-moves", boards=boards)["results"]
    problems = {at: item["problem"] for at, item in enumerate(results) if "problem" in item}
    pointers = {at: problem["errors"][0]["pointer"] for at, problem in problems.items()}
    assert pointers == {at: f"/boards/{at}" for at in (1, 2, 3, 6)} | {4: "/boards/4/0/0"}
    assert {problem["status"] for problem in problems.values()} == {422}


class Searches:
    """Replaces the search. A search takes 1 ms if it proves the board, else its whole time limit.

    Attributes:
        now: the time on every clock, in seconds.
        asked: the board and the limits of each search so far.
        proven_in: for each board that can be proven, the least time limit that suffices, in ms.
        more: the seconds that are added to the time of each search.
        read: the number of boards read so far.
        to_read: the seconds that reading a board takes.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.asked: list[tuple[str, SearchLimits]] = []
        self.proven_in: dict[str, float] = {}
        self.more = self.to_read = 0.0
        self.read = 0
        self._look_up, self._board_in = analysis.best_move, requests.board_in
        monkeypatch.setattr(analysis, "best_move", self)
        monkeypatch.setattr(requests, "board_in", self.board_in)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(time, "thread_time", lambda: self.now)

    def __call__(self, board: Board, limits: SearchLimits, *_: object) -> BestMove:
        if analysis.is_cheap(board, limits):
            return self._look_up(board, limits)
        self.asked.append((str(board), limits))
        self.now += self.more
        assert limits.time_ms is not None
        assert limits.deadline is not None
        exact = limits.time_ms >= self.proven_in.get(str(board), 1e9)
        taken = 1 if exact else limits.time_ms
        if not limits.is_repeatable:
            self.now += max(0.0, min(taken / 1000, limits.deadline - self.now))
        stats = SearchStats("proof-search", nodes=taken * RATES["solver"], depth=3)
        found = {"score": 0, "exact": exact, "outcome": "draw", "plies": 1, "search": stats}
        return best_move_of(board, board.moves[0], **found)

    def board_in(self, *given: Any) -> Board | None:
        self.read += 1
        self.now += self.to_read
        return self._board_in(*given)

    def times(self, board: str) -> list[int | None]:
        return [limits.time_ms for asked, limits in self.asked if asked == board]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Searches:
    return Searches(monkeypatch)


def boards_of(count: int) -> list[str]:
    board = Board.parse(OPEN_8, k=5)
    return [str(board.play(move)) for move in board.moves[:count]]


@pytest.mark.parametrize("asked", [{}, {"seed": 1}])
def test_unused_time_goes_to_unproven_boards(api: Api, searches: Searches, asked: Any) -> None:
    hard, harder, *easy = boards_of(10)
    searches.proven_in = dict.fromkeys(easy, 1.0) | {hard: 250.0, harder: 700.0}
    boards = [hard, *easy[:4], harder, *easy[4:]]
    answers = api.answer("/best-moves", boards=boards, k=5, time_ms=1000, **asked)["results"]
    # 792 ms are left. `hard` gets half of them but takes 1 ms, so `harder` gets 791 ms.
    assert [searches.times(board) for board in easy] == [[pytest.approx(100, abs=1)]] * 8
    assert searches.times(hard) == pytest.approx([100, 396], abs=1)
    assert searches.times(harder) == pytest.approx([100, 791], abs=1)
    assert [answer["result"]["exact"] for answer in answers] == [True] * 10


@pytest.mark.parametrize(
    ("asked", "proven"),
    [
        ({"depth": 3}, 3),  # each search has reached the requested depth
        ({"level": 3}, 3),
        ({"level": 3, "seed": 1}, 3),
        ({}, 2),  # each had 250 ms; a second search would need at least 500 ms
    ],
)
def test_no_search_is_made_in_vain(api: Api, searches: Searches, asked: Any, proven: int) -> None:
    boards = boards_of(4)
    searches.proven_in = dict.fromkeys(boards[:proven], 1.0)
    api.answer("/best-moves", boards=boards, k=5, time_ms=1000, **asked)
    assert [board for board, _ in searches.asked] == boards


def test_a_repeatable_batch_that_the_clock_cut_says_so(api: Api, searches: Searches) -> None:
    body = {"boards": boards_of(3), "k": 5, "time_ms": 90, "seed": 1}
    usual = api.answer("/best-moves", **body)["results"]
    assert all("timed_out" not in item["result"]["search"] for item in usual)
    searches.more = 60.0
    cut = api.answer("/best-moves", **body)["results"]
    assert cut[0]["result"]["search"]["timed_out"] is True
    assert [item["problem"]["status"] for item in cut[1:]] == [503, 503]


def test_past_the_budget_each_board_gets_a_problem(api: Api, searches: Searches) -> None:
    searches.more = 0.24
    boards = [*boards_of(9), "XXXOO....", "X...O...."]
    results = api.answer("/best-moves", boards=boards, time_ms=400)["results"]
    # No search begins more than 60 ms after `time_ms`. The last two boards need no search.
    assert ["result" in result for result in results] == [True] * 2 + [False] * 7 + [True] * 2
    kinds = {(item["problem"]["status"], item["problem"]["type"]) for item in results[2:9]}
    assert kinds == {(503, "urn:bestmove:problem:overloaded")}


def test_a_batch_whose_thread_had_no_processor_gets_a_second_more(
    api: Api, searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "thread_time", lambda: 1000.0)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0 + 0.4 * len(searches.asked))
    results = api.answer("/best-moves", boards=boards_of(9), k=5, time_ms=400)["results"]
    assert ["result" in result for result in results] == [True] * 4 + [False] * 5
    assert [limits.engine_nodes for _, limits in searches.asked] == [None, 1, 1, 1]


@pytest.mark.parametrize(("time_ms", "read"), [(1000, 12), (1, 2)])
def test_unread_boards_get_a_problem(api: Api, searches: Searches, time_ms: int, read: int) -> None:
    searches.to_read = 0.099
    # The boards are finished games, so they need no search.
    boards = [{"rows": 1, "columns": cells, "k": 1, "moves": [0]} for cells in range(1, 21)]
    results = api.answer("/best-moves", boards=boards, time_ms=time_ms)["results"]
    assert ["result" in result for result in results] == [True] * read + [False] * (20 - read)
    assert "more time_ms" in results[-1]["problem"]["detail"]


def test_equal_boards_are_one_question(
    api: Api, searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = create_autospec(BestMove.to_dict, side_effect=BestMove.to_dict)
    monkeypatch.setattr(BestMove, "to_dict", written)
    one, other = boards_of(2)
    boards = [one, {"board": one}, {"k": 99}, other, {"k": 99}, *[one] * 300]
    results = api.answer("/best-moves", boards=boards, k=5, time_ms=1000)["results"]
    assert (searches.read, written.call_count) == (4, 2)
    assert [searches.times(board) for board in (one, other)] == [[500], [500]]
    assert all(results[place] == results[0] for place in (1, 5, -1))
    assert results[3]["result"]["board"] == other
    pointers = [results[place]["problem"]["errors"][0]["pointer"] for place in (2, 4)]
    assert pointers == ["/boards/2/k", "/boards/4/k"]


def test_the_time_counts_from_the_last_byte_received(api: Api, searches: Searches) -> None:
    board = boards_of(1)[0]
    for waited, asked in ((0.0, 1000), (0.6, 400), (0.9, 100)):
        api.app.test_client().post(
            "/best-moves",
            json={"boards": [board], "k": 5, "time_ms": 1000},
            environ_overrides={middleware.ARRIVED: searches.now - waited},
        )
        assert searches.times(board)[-1] == pytest.approx(asked, abs=1)


def test_a_field_of_an_item_overrides_the_shared_field(api: Api) -> None:
    items = [{"board": "." * 9, "k": 2}, {"board": "." * 9}, {"game": "gomoku", "k": 5}]
    results = api.answer("/best-moves", boards=items, k=3, first="O", depth=1)["results"]
    rules = [(item["result"]["rules"]["k"], item["result"]["rules"]["columns"]) for item in results]
    assert rules == [(2, 3), (3, 3), (5, 15)]
    assert [item["result"]["turn"] for item in results] == ["O"] * 3


@pytest.mark.parametrize(
    ("shared", "item", "pointers"),
    [
        ({}, {"game": "connect-four", "gravity": False}, "/boards/1/gravity"),
        ({"game": "gomoku"}, {"moves": "h8", "misere": True}, "/boards/1/misere"),
        ({"gravity": False}, {"game": "connect-four"}, "/gravity"),
        ({}, {"board": "." * 9, "k": 4}, "/boards/1/k"),
        ({"k": 4}, {"board": "." * 9}, "/k"),
        ({}, {"board": "." * 9, "k": "3", "rows": 0}, "/boards/1/k /boards/1/rows"),
        ({}, {"board": "." * 9, "first": None}, "/boards/1/first"),
        ({}, {"board": "." * 9, "a/b": 2}, "/boards/1/a~1b"),
        ({}, {"board": [["Z"]], "overline": 1}, "/boards/1/overline /boards/1/board/0/0"),
        ({}, {"k": 3}, "/boards/1"),
        ({}, {str(number): 1 for number in range(300)}, "/boards/1"),
        (
            # The board is also too large for minimax, but an answer lists only MOST_ERRORS errors.
            {"algorithm": "minimax"},
            {"board": "." * 16} | {str(number): 1 for number in range(MOST_ERRORS)},
            " ".join(f"/boards/1/{number}" for number in range(MOST_ERRORS)),
        ),
    ],
)
def test_faults_of_items_have_pointers(api: Api, shared: Any, item: object, pointers: str) -> None:
    problem = api.answer("/best-moves", boards=["." * 9, item], **shared)["results"][1]["problem"]
    assert problem["status"] == 422
    assert " ".join(error["pointer"] for error in problem["errors"]) == pointers


def test_late_textbook_searches_get_problems(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0

    def clock() -> float:
        nonlocal now
        now += 0.0001
        return now

    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(algorithms, "monotonic", clock)
    boards = [str(board.play(move)) for board in [Board.parse("XO.......")] for move in board.moves]
    body = {"boards": boards, "algorithm": "alpha-beta", "time_ms": 100}
    results = api.answer("/best-moves", **body)["results"]
    assert "result" in results[0]
    assert results[-1]["problem"]["status"] == 503
    assert results[-1]["problem"]["type"] == "urn:bestmove:problem:out-of-time"
