"""A request may ask for several threads. Each additional thread takes a free slot."""

from typing import Any
from unittest.mock import Mock

import pytest

from bestmove.search import analysis
from bestmove.search.engines.gomoku import search as kernels
from tests.api.conftest import MakeApi
from tests.api.http import Api, document, pointers
from tests.api.test_metrics import count
from tests.support.positions import TEN_MARKS

OPENING = {"game": "gomoku", "moves": TEN_MARKS, "time_ms": 50}


def slots_taken(api: Api, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of slots that each search takes."""
    metrics, taken = api.app.extensions["bestmove.metrics"], []
    searching = metrics.searching

    def noted(slots: int) -> None:
        if slots > 0:
            taken.append(slots)
        searching(slots)

    monkeypatch.setattr(metrics, "searching", noted)
    return taken


def had(slots: int) -> int:
    return slots if kernels.compiled else 1


@pytest.mark.parametrize(
    "case", [(1, 0, 2, 1), (2, 0, 2, 2), (3, 0, 2, 2), (2, 0, 64, 2), (4, 3, 4, 3), (4, 1, 4, 1)]
)
def test_a_search_has_the_threads_that_are_asked_free_and_allowed(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, case: tuple[int, ...]
) -> None:
    slots, allowed, asked, held = case
    api = make_api(search_slots=slots, search_threads=allowed)
    taken = slots_taken(api, monkeypatch)
    answer = api.answer("/best-move", **OPENING, threads=asked)
    assert answer["search"]["threads"] == had(held)
    assert answer["exact"] is False
    assert taken == [held]
    assert count(api, "bestmove_searches_in_progress") == 0
    played = api.answer("/play", **OPENING, move=0, threads=asked)
    assert played["search"]["threads"] == had(held)
    assert "threads" not in api.answer("/best-move", **OPENING)["search"]
    assert taken == [held, held, 1]


@pytest.mark.parametrize(
    "body",
    [
        {"board": "X...O...."},
        {"board": "XXXOO...."},
        {"board": "X...O....", "algorithm": "minimax"},
        {"game": "connect-four", "moves": "444"},
        {"rows": 8, "columns": 8, "misere": True, "time_ms": 20},
        OPENING | {"level": 3},
    ],
)
def test_one_thread_one_slot(make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, body: Any) -> None:
    api = make_api(search_slots=4)
    taken = slots_taken(api, monkeypatch)
    assert api.answer("/best-move", **body, threads=4)["search"]["threads"] == 1
    assert taken in ([], [1])


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_get_promises_the_same_answer_so_it_refuses_threads(api: Api, threads: str) -> None:
    response = api.get("/best-move", board="X...O....", threads=threads)
    assert (response.status_code, pointers(response)) == (422, "threads")
    assert "need a POST" in document(response)["detail"]


def test_threads_search_each_time(make_api: MakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    api = make_api(search_slots=2)
    search = Mock(wraps=analysis.best_move)
    monkeypatch.setattr(analysis, "best_move", search)
    won = {"game": "gomoku", "moves": "h8 a1 i8 a2 j8 a3 k8 a5"}
    for body in (won | {"threads": 2}, won | {"threads": 2}, won, won):
        assert api.answer("/best-move", **body)["exact"] is True
    assert [call.args[1].threads for call in search.call_args_list] == [2, 2, None]
