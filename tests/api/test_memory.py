"""Answers are remembered, so that equal questions need only one search."""

import pickle
from dataclasses import replace
from unittest.mock import Mock

import pytest

from bestmove.answers import Analysis, MoveEvaluation, SearchStats
from bestmove.api import capacity, requests
from bestmove.api.memory import ENTRY_BYTES, AnswerMemory
from bestmove.api.metrics import Metrics
from bestmove.api.problems import RequestProblem
from bestmove.api.settings import Settings
from bestmove.game import Board
from bestmove.search import analysis, engine
from bestmove.search.limits import SearchLimits
from tests.api.conftest import MakeApi
from tests.support.positions import OPEN_15

MIB = 1 << 20


@pytest.mark.parametrize(
    ("complete", "depth", "timed_out", "kept"),
    [
        (True, 3, False, True),
        (True, 4, False, True),
        (False, 3, False, False),
        (True, 2, False, False),
        (True, 3, True, False),
    ],
)
def test_which_estimates_are_kept(complete: bool, depth: int, timed_out: bool, kept: bool) -> None:
    stats = SearchStats("principal-variation-search", depth=depth, timed_out=timed_out)
    move = MoveEvaluation(0, 0, 0, "a9", 0.1, False, "unknown", None, (0,), depth)
    answer = Analysis(Board.empty(9, 9), (move,), complete, {}, stats)
    assert capacity.is_final(SearchLimits(depth=3), answer) is kept
    assert not capacity.is_final(SearchLimits(), answer)
    # An incomplete analysis does not count as proven, even if each of its moves is proven.
    proven = replace(answer, moves=(replace(move, exact=True),))
    assert proven.exact is complete


@pytest.mark.parametrize(
    "asked",
    [
        {"board": OPEN_15, "time_ms": 20},
        {"board": OPEN_15, "depth": 2, "level": 3},
        {"board": "X...O....", "algorithm": "negamax"},
    ],
    ids=["estimate", "level", "textbook"],
)
def test_what_is_not_kept(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, asked: dict[str, object]
) -> None:
    search = Mock(wraps=analysis.best_move)
    monkeypatch.setattr(analysis, "best_move", search)
    api = make_api()
    for _ in range(3):
        api.answer("/best-move", **asked)
    assert search.call_count == 3


def test_the_memory_is_bounded_in_bytes_and_forgets_the_oldest() -> None:
    entry = b"x" * 100
    size = len(pickle.dumps(entry, pickle.HIGHEST_PROTOCOL)) + ENTRY_BYTES
    memory = AnswerMemory(3 * size)
    for number in range(10):
        memory.add(number, entry)
        memory.add(number, entry)
        assert memory.size <= 3 * size
    assert [number for number in range(10) if memory.get(number) == entry] == [7, 8, 9]
    memory.add(10, entry + entry)
    assert [number for number in range(11) if memory.get(number) is not None] == [9, 10]
    memory.add(11, b"x" * 3 * size)
    assert memory.get(11) is None
    assert memory.size < 3 * size


def test_what_a_service_may_keep_follows_memory_mb() -> None:
    for mb in (58, 64, 256, 1000):
        settings = Settings(memory_mb=mb)
        parts = settings.held_bytes, settings.remembered_bytes, settings.table_bytes
        assert sum(parts) == mb * MIB
        assert settings.search_bytes <= settings.table_bytes
        capacity.Capacity(settings, Metrics(1, on=False))
        assert engine.searchers.most == settings.table_bytes
    capacity.Capacity(Settings(), Metrics(1, on=False))


def test_a_body_of_brackets_is_refused_before_it_takes_memory() -> None:
    allowed = b"[" + b"[]," * (requests.MOST_NESTED - 2) + b"[]]"
    assert len(requests.parse_json(allowed)) == requests.MOST_NESTED - 1
    for bracket in (b"[],", b"{},"):
        with pytest.raises(RequestProblem, match="arrays and objects") as refused:
            requests.parse_json(b"[" + bracket * requests.MOST_NESTED + b"0]")
        assert refused.value.kind.status == 400
