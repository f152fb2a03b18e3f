"""HTTP caches: which answers to GET they may keep, and ETags."""

from dataclasses import fields, replace
from typing import Any

import pytest

from bestmove import Board, best_move
from bestmove.answers import SearchStats
from bestmove.api import caching, requests, responses
from bestmove.api.requests import Question
from bestmove.api.settings import Settings
from bestmove.search import analysis
from bestmove.search.limits import OPTIONS, SearchLimits
from tests.api.http import Api, document
from tests.support.needs import COMPILED
from tests.support.positions import OPEN_8

FRESH = "public, max-age=86400"
FORCED = "XXXX./OOOO./...../...../....."
"""A position in which X wins with the next move. The proof takes next to no time."""


def test_the_header_has_every_cost_of_a_search() -> None:
    names: dict[str, Any] = {each.name: 1 for each in fields(SearchStats)}
    timing = responses.server_timing(SearchStats(**names))
    assert [name for name in names if f"{name};desc=" not in timing] == ["algorithm", "elapsed_ms"]


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
@pytest.mark.parametrize(
    ("query", "control"),
    [({"board": "X...O...."}, FRESH), ({"board": OPEN_8, "k": "5", "time_ms": "20"}, "no-store")],
    ids=["an exact answer", "an estimate"],
)
def test_only_exact_answers_may_be_kept(api: Api, path: str, query: Any, control: str) -> None:
    response = api.get(path, None, **query)
    assert response.headers["Cache-Control"] == control
    assert ("ETag" in response.headers) == (control == FRESH)
    assert "search;dur=" in response.headers["Server-Timing"]
    assert "search" not in document(response)
    moves = document(response).get("moves", [document(response)])
    assert all(move["exact"] for move in moves) == (control == FRESH)


@COMPILED
def test_a_get_proves_what_a_post_proves(api: Api) -> None:
    for moves, column in (("346753671", 5), ("37347525136173", 6)):
        answer = document(api.get("/best-move", game="connect-four", moves=moves))
        assert (answer["outcome"], answer["move"]["column"]) == ("win", column)


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_a_repeated_get_is_byte_identical(api: Api, path: str) -> None:
    query: dict[str, Any] = {"board": OPEN_8, "k": 5, "time_ms": 20, "level": 3}
    assert len({api.get(path, **query).data for _ in range(4)}) == 1


def tag_of(api: Api, path: str = "/best-move", **query: Any) -> str:
    return api.get(path, **query).headers["ETag"]


def test_the_tag_depends_on_what_was_asked(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    board = "X...O...."
    same = {
        tag_of(api, board=board),
        tag_of(api, board="x---o----"),
        tag_of(api, board="X../.O./...", k=3, rows=3, columns=3, first="X"),
        tag_of(api, board=board, level=10, time_ms=1000, algorithm="auto"),
    }
    assert len(same) == 1
    others = {
        tag_of(api, board=board, k=2),
        tag_of(api, board=board, first="O"),
        tag_of(api, board="XO..X...."[::-1]),
        tag_of(api, "/analyze", board=board),
        api.get("/best-move", {"Accept": "text/plain"}, board=board).headers["ETag"],
    }
    assert len(others | same) == 6
    monkeypatch.setattr(caching, "__version__", "0")
    assert tag_of(api, board=board) not in same


@pytest.mark.parametrize("name", OPTIONS)
def test_questions_that_differ_in_any_option_have_other_keys(name: str) -> None:
    given: Any = {name: OPTIONS[name].choices[-1] if OPTIONS[name].choices else OPTIONS[name].least}
    usual = SearchLimits(algorithm="minimax")
    one = Question(Board.empty(), usual, best_move)
    other = one._replace(limits=replace(usual, **given))
    assert one.key != other.key
    assert caching.entity_tag("", one, "") != caching.entity_tag("", other, "")


def test_an_answer_cut_short_says_so(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SearchLimits, "is_cut_short", lambda _: True)
    for path in ("/best-move", "/analyze"):
        response = api.get(path, board=FORCED, time_ms=21)
        assert "ETag" not in response.headers
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Server-Timing"].endswith(", timed_out")
        assert api.answer(path, board=FORCED, depth=1, time_ms=21)["search"]["timed_out"] is True
        assert "timed_out" not in api.get(path, board="X...O....").headers["Server-Timing"]
        assert "timed_out" not in api.answer(path, board="X...O....")["search"]
    monkeypatch.undo()
    for path in ("/best-move", "/analyze"):  # the cache must not keep a timed-out answer
        assert "timed_out" not in api.answer(path, board=FORCED, depth=1, time_ms=21)["search"]


@pytest.mark.parametrize(
    ("fields", "time_ms", "seconds"),
    [
        ({}, 1000, 1),
        ({"time_ms": 7000}, 7000, 7),
        ({"seed": 1, "time_ms": 30}, 30, 8),
        ({"seed": 1}, 1000, 8),
        ({"depth": 4}, 4000, 8),
        ({"depth": 4, "time_ms": 30}, 30, 8),
        ({"depth": 4, "time_ms": 7000}, 4000, 8),
    ],
    ids=str,
)
def test_only_the_server_ends_a_repeatable_search(
    fields: Any, time_ms: int, seconds: float
) -> None:
    limits = requests.limits_of(fields, Settings(max_time_ms=8000), 100.0)
    assert (limits.time_ms, limits.deadline) == (time_ms, 100 + seconds)
    assert limits.is_repeatable == bool({"seed", "depth"} & set(fields))
    get = requests.limits_of(fields, Settings(max_time_ms=8000), 100.0, repeatable=True)
    assert get.is_repeatable
    assert (get.time_ms, get.deadline) == (min(time_ms, 4000), 108)


@pytest.mark.parametrize("form", ["{0}", "W/{0}", '"a", {0}', '{0}, "b"', 'W/"a",W/{0} , "c"'])
@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_a_client_that_has_the_answer_gets_304_without_a_search(
    api: Api, monkeypatch: pytest.MonkeyPatch, path: str, form: str
) -> None:
    boards = {"board": "X...O....", "algorithm": "negamax", "depth": 8}
    tag = tag_of(api, path, **boards)

    def no_search(*_: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(analysis, "best_move", no_search)
    monkeypatch.setattr(analysis, "analyze", no_search)
    for query in (boards, boards | {"board": "x../.o./..."}):
        response = api.get(path, {"If-None-Match": form.format(tag)}, **query)
        assert response.status_code == 304
        assert response.data == b""
        assert response.headers["ETag"] == tag
        assert response.headers["Cache-Control"] == FRESH
        assert "Content-Type" not in response.headers


def test_a_star_matches_every_answer(api: Api) -> None:
    for board in ("X...O....", OPEN_8):
        response = api.get("/best-move", {"If-None-Match": "*"}, board=board)
        assert response.status_code == 304
    assert api.get("/best-move", {"If-None-Match": "*"}, board="XX.......").status_code == 422


@pytest.mark.parametrize("tag", ['"other"', "", '""', "nonsense", '"', "W/", ", ,", '"a" "b"'])
def test_another_tag_gets_the_answer(api: Api, tag: str) -> None:
    response = api.get("/best-move", {"If-None-Match": tag}, board="X...O....")
    assert response.status_code == 200


def test_a_head_request_has_the_headers_of_the_get(api: Api) -> None:
    get = api.get("/best-move", board="X...O....")
    head = api.send("HEAD", "/best-move?board=X...O....")
    assert head.status_code == 200
    assert head.data == b""
    for name in ("ETag", "Cache-Control", "Content-Type", "Content-Length", "Vary"):
        assert head.headers[name] == get.headers[name]
