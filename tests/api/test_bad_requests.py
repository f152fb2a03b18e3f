"""Bad requests are refused with an explanation, and the next request is still answered."""

import json
from typing import Any

import pytest

from tests.api.conftest import MakeApi
from tests.api.http import Api, document, pointers

HUGE = "9" * 5000
GOOD = {"board": "X...O...."}

NOT_READABLE = {
    "nothing": b"",
    "two values": b'{"board": "X...O...."} {}',
    "1,100 pairs of brackets": b"[" * 1100 + b"]" * 1100,
    "201 levels": b'{"board": ' + b"[" * 200 + b"]" * 200 + b"}",
    # A parser that searches for the string's end from each quotation mark would need hours.
    "a long string without an end": b"[" * 201 + b'"' + b'\\"' * 500_000,
    "NaN": b'{"board": "X...O....", "k": NaN}',
    "minus Infinity": b'{"board": "X...O....", "k": -Infinity}',
    "the same key twice": b'{"board": "X...O....", "board": "........."}',
    "the same key twice, deeper": b'{"board": "X...O....", "move": {"row": 1, "row": 2}}',
    "UTF-16": '{"board": "X...O...."}'.encode("utf-16"),
    "Latin-1": b'{"board": "\xe9........"}',
    "a cut character": b'{"board": "X\xe2\x82"}',
    "a byte order mark alone": b"\xef\xbb\xbf",
    "a byte order mark twice": b'\xef\xbb\xbf\xef\xbb\xbf{"board": "X...O...."}',
}

REFUSED: dict[str, tuple[Any, list[str]]] = {
    "null": (None, [""]),
    "an array": ([], [""]),
    "a number": (3, [""]),
    "no board": ({}, ["/board"]),
    "a number for a board": ({"board": 3}, ["/board"]),
    "an unknown mark": ({"board": "X...Z...."}, ["/board"]),
    "half a surrogate pair": ({"board": "X...O...\ud800"}, ["/board"]),
    "an unknown mark in a cell": ({"board": [["X", "Z"], [0, 0]]}, ["/board/0/1"]),
    "1.5 in a cell": ({"board": [[1.5, 0], [0, 0]]}, ["/board/0/0"]),
    "two X more than O": ({"board": "X...X...."}, ["/board"]),
    "21 columns": ({"board": "." * 21, "rows": 1}, ["/board"]),
    "an array of 401 cells": ({"board": [0] * 401}, ["/board"]),
    "an array of 401 objects": ({"board": [{}] * 401}, ["/board"]),
    "an array of 401 cells, and more": ({"board": [0] * 401, "k": "3"}, ["/board", "/k"]),
    "a board of a million cells": ({"board": "." * 1_000_000}, ["/board"]),
    "k as a string": (GOOD | {"k": "3"}, ["/k"]),
    "k as 3.5": (GOOD | {"k": 3.5}, ["/k"]),
    "k as true": (GOOD | {"k": True}, ["/k"]),
    "k of 4 on 3×3": (GOOD | {"k": 4}, ["/k"]),
    "a game whose k does not fit the board": (GOOD | {"game": "gomoku"}, ["/game"]),
    "a game whose k does not fit the size": (
        {"game": "gomoku", "rows": 4, "columns": 4},
        ["/game"],
    ),
    "k of 21": (GOOD | {"k": 21}, ["/k"]),
    "0 rows": (GOOD | {"rows": 0}, ["/rows"]),
    "rows that do not fit": (GOOD | {"rows": 2, "columns": 4}, ["/board"]),
    "rows against rows": ({"board": "X../.O./...", "rows": 4}, ["/rows"]),
    "first in lower case": (GOOD | {"first": "x"}, ["/first"]),
    "level 11": (GOOD | {"level": 11}, ["/level"]),
    "a seed of 65 bits": (GOOD | {"seed": 2**63}, ["/seed"]),
    "a seed as a float": (GOOD | {"seed": 1e3 + 0.5}, ["/seed"]),
    "more time than allowed": (GOOD | {"time_ms": 10_001}, ["/time_ms"]),
    "depth 401": (GOOD | {"depth": 401}, ["/depth"]),
    "an unknown algorithm": (GOOD | {"algorithm": "magic"}, ["/algorithm"]),
    "an unknown field": (GOOD | {"bord": 1}, ["/bord"]),
    "a field with a slash": (GOOD | {"a/b~c": 1}, ["/a~1b~0c"]),
    "a field of another endpoint": (GOOD | {"move": 1}, ["/move"]),
    "an impossible position, and more": (
        {"board": "XX.......", "depth": 0, "y": 0},
        ["/board", "/depth", "/y"],
    ),
    "everything at once": (
        {"board": "X...Z....", "k": "3", "level": 0, "first": "Z", "x": 1},
        ["/board", "/first", "/k", "/level", "/x"],
    ),
    "a position that cannot be, and a wrong k": (
        {"board": "XX.......", "k": 9},
        ["/board", "/k"],
    ),
    "rows and columns against rows": (
        {"board": "X../.O./...", "rows": 4, "columns": 2},
        ["/columns", "/rows"],
    ),
    "several cells": (
        {"board": [["X", "Z"], [None, 3]], "k": "3"},
        ["/board/0/1", "/board/1/1", "/k"],
    ),
    "several moves": (
        {"moves": [0, 0, 99, {"row": 3, "column": 5}, "a9", 0]},
        ["/moves/1", "/moves/2", "/moves/3/column", "/moves/3/row", "/moves/4"],
    ),
    "several moves, and a wrong k": (
        {"moves": [0, 99, None], "k": 9},
        ["/k", "/moves/1", "/moves/2"],
    ),
    "moves beside a board, and a wrong k": (GOOD | {"moves": [], "k": 99}, ["/k", "/moves"]),
    "no board, and more": ({"k": True, "seed": "1"}, ["/board", "/k", "/seed"]),
}

BEST_MOVE_ALONE: dict[str, tuple[Any, list[str]]] = {
    "an algorithm that cannot finish": (
        {"board": "/".join(["." * 15] * 15), "algorithm": "minimax"},
        ["/algorithm"],
    ),
    "a level with a textbook algorithm": (
        GOOD | {"algorithm": "minimax", "level": 3},
        ["/level"],
    ),
    "an algorithm that cannot finish, and more": (
        {"board": "/".join(["." * 15] * 15), "algorithm": "minimax", "seed": "1"},
        ["/algorithm", "/seed"],
    ),
}
"""Requests that /best-move refuses. /analyze accepts them, because it ignores the level and the
algorithm."""

QUERIES: dict[str, tuple[str, list[str]]] = {
    "nothing": ("", ["board"]),
    "a parameter with a slash": ("board=.........&a/b=1", ["a/b"]),
    "an unknown parameter": ("board=.........&z=1", ["z"]),
    "a parameter twice": ("board=.........&k=3&k=3", ["k"]),
    "a word for k": ("board=.........&k=three", ["k"]),
    "k with a leading zero": ("board=.........&k=03", ["k"]),
    "k in Arabic digits": ("board=.........&k=%D9%A3", ["k"]),
    "k with a newline": ("board=.........&k=3%0A", ["k"]),
    "a value left out": ("board=.........&k=", ["k"]),
    "a huge k": (f"board=.........&k={HUGE[:1000]}", ["k"]),
    "bytes that are not UTF-8": ("board=%FF%FE.......", ["board"]),
    "an array": ("board[]=X", ["board", "board[]"]),
    "all at once": ("board=X...Z....&k=x&level=11&z=1", ["board", "k", "level", "z"]),
}


def test_an_evaluation_without_its_algorithm_is_named_as_a_parameter(api: Api) -> None:
    refused = document(api.get("/best-move?board=X...Z....&evaluation=lines"))
    assert [error["parameter"] for error in refused["errors"]] == ["board", "evaluation"]


def test_the_detail_of_a_repeated_parameter_names_it(api: Api) -> None:
    refused = document(api.get("/best-move?board=.........&k=3&k=3"))
    assert refused["errors"] == [{"parameter": "k", "detail": "k is given 2 times"}]
    assert refused["detail"] == "k is given 2 times"


def test_an_answer_lists_a_hundred_cells_and_says_that_there_are_more(api: Api) -> None:
    refused = document(api.post("/best-move", {"board": [["Z"] * 20] * 20}))
    assert len(refused["errors"]) == 100
    assert refused["detail"].startswith("More than 100 things are wrong")


@pytest.fixture(autouse=True)
def the_next_request_is_answered(api: Api) -> Any:
    yield
    assert api.best_move("X...O....")["move"]["index"] == 1


@pytest.mark.parametrize("body", NOT_READABLE.values(), ids=NOT_READABLE.keys())
@pytest.mark.parametrize(
    "path", ["/best-move", "/analyze", "/best-moves", "/play", "/proof", "/game-tree"]
)
def test_a_body_that_is_not_json_is_400(api: Api, path: str, body: bytes) -> None:
    response = api.post(path, body)
    assert response.status_code == 400
    assert document(response)["type"] == "urn:bestmove:problem:malformed-request"


@pytest.mark.parametrize(("body", "expected"), REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_an_invalid_position_is_422_with_pointers(
    api: Api, path: str, body: Any, expected: list[str]
) -> None:
    assert sorted(api.faults(path, body)) == expected


@pytest.mark.parametrize(("body", "expected"), BEST_MOVE_ALONE.values(), ids=BEST_MOVE_ALONE.keys())
def test_what_a_textbook_search_cannot_do_is_422(api: Api, body: Any, expected: list[str]) -> None:
    assert sorted(api.faults("/best-move", body)) == expected


@pytest.mark.parametrize(("query", "expected"), QUERIES.values(), ids=QUERIES.keys())
@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_an_invalid_query_is_422_with_parameters(
    api: Api, path: str, query: str, expected: list[str]
) -> None:
    response = api.send("GET", f"{path}?{query}")
    assert response.status_code == 422
    assert sorted(pointers(response)) == expected


@pytest.mark.parametrize("digits", ["1e999", "-1e999", HUGE, "-" + HUGE, "1" + "0" * 40])
def test_a_number_out_of_every_range_is_422(api: Api, digits: str) -> None:
    for name in ("k", "rows", "seed", "time_ms", "level", "depth"):
        body = f'{{"board": "X...O....", "{name}": {digits}}}'.encode()
        assert api.faults("/best-move", body) == [f"/{name}"]


@pytest.mark.parametrize("digits", ["1e999", "-1e999", HUGE, "-" + HUGE])
def test_a_leaf_must_be_finite(api: Api, digits: str) -> None:
    assert api.faults("/game-tree", f'{{"tree": [1, {digits}]}}'.encode()) == ["/tree/1"]


def test_many_unknown_fields_get_a_bounded_answer(api: Api) -> None:
    body = GOOD | {f"unknown-{number}": 1 for number in range(150)}
    response = api.post("/best-move", body)
    assert response.status_code == 422
    assert len(pointers(response)) == 100
    assert "More than 100 things" in response.text
    body |= {f"unknown-{number}": 1 for number in range(40_000)}
    assert api.faults("/best-move", body) == [""]


def test_a_long_unknown_name_is_not_repeated_whole(api: Api) -> None:
    response = api.post("/best-move", GOOD | {"x" * 100_000: 1})
    assert response.status_code == 422
    assert len(response.data) < 2000


METHODS = [
    ("DELETE", "/best-move", "GET, HEAD, OPTIONS, POST"),
    ("PUT", "/best-move", "GET, HEAD, OPTIONS, POST"),
    ("PATCH", "/analyze", "GET, HEAD, OPTIONS, POST"),
    ("GET", "/best-moves", "OPTIONS, POST"),
    ("GET", "/play", "OPTIONS, POST"),
    ("GET", "/game-tree", "OPTIONS, POST"),
    ("GET", "/proof", "OPTIONS, POST"),
    ("POST", "/healthz", "GET, HEAD, OPTIONS"),
    ("POST", "/", "GET, HEAD, OPTIONS"),
    ("TRACE", "/best-move", "GET, HEAD, OPTIONS, POST"),
    ("BREW", "/best-move", "GET, HEAD, OPTIONS, POST"),
]


@pytest.mark.parametrize(("method", "path", "allowed"), METHODS)
def test_a_wrong_method_is_405_and_names_the_allowed_ones(
    api: Api, method: str, path: str, allowed: str
) -> None:
    response = api.send(method, path)
    assert response.status_code == 405
    assert response.headers["Allow"] == allowed


@pytest.mark.parametrize(
    "path", ["/nothing", "/best-move/", "/best-move//", "/BEST-MOVE", "/static/..%2fcli.py", "/%00"]
)
def test_what_is_not_there_is_404(api: Api, path: str) -> None:
    assert api.send("GET", path).status_code == 404


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/xml",
        "json",
        "text/json",
        "image/svg+json",
        ";;;",
    ],
)
def test_a_body_of_another_type_than_json_is_415(api: Api, content_type: str) -> None:
    data = json.dumps(GOOD).encode()
    headers = {"Content-Type": content_type}
    assert api.send("POST", "/best-move", data=data, headers=headers).status_code == 415


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
        "APPLICATION/JSON",
        "application/vnd.board+json",
        "application/json; profile=x",
    ],
)
def test_every_name_of_the_json_type_is_accepted(api: Api, content_type: str) -> None:
    response = api.post("/best-move", GOOD, {"Content-Type": content_type})
    assert response.status_code == 200


def test_a_compressed_body_is_415(api: Api) -> None:
    response = api.post("/best-move", GOOD, {"Content-Encoding": "gzip"})
    assert response.status_code == 415
    assert response.headers["Accept-Encoding"] == "identity"


def test_a_body_over_the_limit_is_413_whatever_its_type_and_content(make_api: MakeApi) -> None:
    small = make_api(max_body_bytes=64)
    assert small.post("/best-move", GOOD).status_code == 200
    for body in (json.dumps(GOOD).encode().ljust(65), b"[" * 65, b"\xff" * 1000):
        assert small.post("/best-move", body).status_code == 413
        assert small.post("/best-move", body, {"Content-Type": "text/xml"}).status_code == 413


def test_the_checks_come_in_a_fixed_order(make_api: MakeApi) -> None:
    api = make_api(max_body_bytes=64)
    long, broken = b"[" * 100, b"["
    wrong = {"Accept": "image/png", "Content-Type": "text/xml"}
    assert api.send("POST", "/nothing", data=long, headers=wrong).status_code == 404
    assert api.send("DELETE", "/best-move", data=long, headers=wrong).status_code == 405
    assert api.post("/best-move", long, wrong).status_code == 406
    del wrong["Accept"]
    assert api.post("/best-move", long, wrong).status_code == 413
    assert api.post("/best-move", broken, wrong).status_code == 415
    assert api.post("/best-move", broken).status_code == 400
    assert api.post("/best-move", b"{}").status_code == 422
