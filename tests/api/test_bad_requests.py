"""Bad requests are refused with an explanation, and the next request is still answered."""

import json
from typing import Any
from unittest.mock import Mock

import pytest

from bestmove.api import schemas
from tests.api.conftest import MakeApi
from tests.api.http import Api, document, pointers

HUGE = "9" * 5000
GOOD = {"board": "X...O...."}
GOMOKU = "/".join(["." * 15] * 15)
POSTS = ("/best-move", "/analyze", "/best-moves", "/play", "/proof", "/game-tree")

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

POSITIONS: list[tuple[dict[str, Any], str]] = [
    # the board
    ({}, "/board"),
    ({"board": 3}, "/board"),
    ({"board": "X...O...\ud800"}, "/board"),
    ({"board": [[1.5, 0], [0, 0]]}, "/board/0/0"),
    ({"board": [["X", "Z"], [None, 3]], "k": "3"}, "/board/0/1 /board/1/1 /k"),
    ({"board": "X...X...."}, "/board"),
    ({"board": "." * 21, "rows": 1}, "/board"),
    ({"board": [{}] * 401}, "/board"),
    ({"board": [0] * 401, "k": "3"}, "/board /k"),
    ({"board": "." * 1_000_000}, "/board"),
    # its size and its game
    (GOOD | {"k": 3.5}, "/k"),
    (GOOD | {"rows": 0}, "/rows"),
    (GOOD | {"rows": 2, "columns": 4}, "/board"),
    ({"board": "X../.O./...", "rows": 4, "columns": 2}, "/columns /rows"),
    ({"rows": 3}, "/columns"),
    ({"game": "chess"}, "/game"),
    (GOOD | {"game": "gomoku"}, "/game"),
    ({"game": "gomoku", "rows": 4, "columns": 4}, "/game"),
    ({"game": "connect-four", "gravity": False}, "/gravity"),
    (GOOD | {"overline": "true", "misere": None}, "/misere /overline"),
    ({"board": "X........", "gravity": True}, "/board"),
    # moves instead of a board
    (GOOD | {"moves": [], "k": 99}, "/k /moves"),
    ({"moves": [[0]]}, "/moves/0"),
    ({"game": "connect-four", "moves": [0]}, "/moves/0"),
    ({"moves": [0, {"row": 5, "column": 0}], "rows": 3, "columns": 3}, "/moves/1/row"),
    ({"moves": [0, 99, None], "k": 9}, "/k /moves/1 /moves/2"),
    ({"moves": [0, 0, {"row": 3, "column": 5}]}, "/moves/1 /moves/2/column /moves/2/row"),
    # options
    (GOOD | {"first": "x"}, "/first"),
    (GOOD | {"seed": 1e3 + 0.5}, "/seed"),
    (GOOD | {"algorithm": "magic"}, "/algorithm"),
    (GOOD | {"a/b~c": 1}, "/a~1b~0c"),
    # several faults
    ({"k": True, "seed": "1"}, "/board /k /seed"),
    ({"board": "XX.......", "depth": 0, "y": 0}, "/board /depth /y"),
    ({"board": "X...Z....", "k": "3", "first": "Z", "x": 1}, "/board /first /k /x"),
]
"""Questions about a position, with the sorted pointers to their faults."""

DOORS: dict[str, dict[str, Any]] = {"/best-move": {}, "/analyze": {}, "/play": {"move": 8}}
"""The endpoints that refuse each of `POSITIONS`, with the field that one of them needs too."""

ONE_ENDPOINT: dict[str, list[tuple[Any, str]]] = {
    "/best-move": [
        (GOOD | {"move": 1}, "/move"),
        (GOOD | {"time_ms": 10_001}, "/time_ms"),
        ({"board": GOMOKU, "algorithm": "minimax", "seed": "1"}, "/algorithm /seed"),
        (GOOD | {"algorithm": "minimax", "level": 3}, "/level"),
        (GOOD | {"threads": 2, "depth": 3}, "/threads"),
        ({"board": "X?", "threads": 2, "seed": 1}, "/board /threads"),
    ],
    "/analyze": [(GOOD | {"move": 1}, "/move"), (GOOD | {"time_ms": 10_001}, "/time_ms")],
    "/play": [
        (GOOD, "/move"),
        (GOOD | {"move": 0}, "/move"),
        (GOOD | {"move": 400}, "/move"),
        (GOOD | {"move": {"row": 0, "column": 3}}, "/move/column"),
        (GOOD | {"move": {"row": 0}}, "/move/column"),
        (GOOD | {"move": {"index": 1, "column": 1}}, "/move/row"),
        (GOOD | {"move": {"index": 2, "row": 0, "column": 1}}, "/move/index"),
        (GOOD | {"move": {"row": True, "column": "0"}}, "/move/column /move/row"),
        (GOOD | {"move": {"row": 0, "column": 1, "x": 1}}, "/move/x"),
        (GOOD | {"move": "1"}, "/move"),
        (GOOD | {"move": True}, "/move"),
        ({"board": "XXXOO....", "move": 8}, "/move"),
        ({"board": "XZ.......", "move": "1"}, "/board"),
        ({"game": "connect-four", "move": {"index": 41, "row": 5, "column": 5}}, "/move/index"),
        ({"game": "connect-four", "move": {"index": 5, "row": 0, "column": 5}}, "/move"),
        ({"game": "connect-four", "move": {"row": 5}}, "/move/column"),
    ],
    "/proof": [(GOOD | {"time_ms": 0, "exactly": 1}, "/exactly /time_ms")],
    "/best-moves": [
        ({}, "/boards"),
        ({"boards": []}, "/boards"),
        ({"boards": "X...O...."}, "/boards"),
        ({"boards": ["."] * 1001}, "/boards"),
        ({"boards": ["."], "level": 0, "x": 1}, "/level /x"),
        ({"board": "."}, "/board /boards"),
    ],
    "/game-tree": [
        ({}, "/tree"),
        ({"tree": [1, []]}, "/tree/1"),
        ({"tree": [1, {"value": 2, "a/b": 3}]}, "/tree/1/a~1b"),
        ({"tree": [[1], [2]], "depth": 1}, "/tree/0 /tree/1"),
        ({"tree": [1, 2], "depth": 0}, "/tree"),
        ({"tree": [None, [], {"value": "1"}]}, "/tree/0 /tree/1 /tree/2/value"),
        ({"tree": [1], "algorithm": "auto"}, "/algorithm"),
        ({"tree": [1], "maximizing": "true"}, "/maximizing"),
        ({"tree": [None], "maximizing": 1, "depth": "1"}, "/depth /maximizing /tree/0"),
    ],
}
"""What only one endpoint refuses."""

QUERIES: list[tuple[str, str]] = [
    ("", "board"),
    ("board=.........&a/b=1", "a/b"),
    ("board=.........&k=3&k=3", "k"),
    # %D9%A3 is an Arabic digit.
    *((f"board=.........&k={k}", "k") for k in ("03", "%D9%A3", "3%0A", "", HUGE[:1000])),
    ("board=.........&gravity=1", "gravity"),
    ("game=gomoku&overline=false", "overline"),
    ("moves=a9", "moves"),
    ("board=%FF%FE.......", "board"),  # not UTF-8
    ("board[]=X", "board board[]"),
    ("board=X...Z....&k=x&level=11&z=1", "board k level z"),
]


def shortened(case: object) -> str:
    return ascii(case)[:60]


@pytest.fixture(autouse=True)
def the_next_request_is_answered(api: Api) -> Any:
    yield
    assert api.best_move("X...O....")["move"]["index"] == 1


@pytest.mark.parametrize("body", NOT_READABLE.values(), ids=NOT_READABLE.keys())
@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_is_not_json_is_400(api: Api, path: str, body: bytes) -> None:
    response = api.post(path, body)
    assert response.status_code == 400
    assert document(response)["type"] == "urn:bestmove:problem:malformed-request"


@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_is_no_object_is_422(api: Api, path: str) -> None:
    for body in (b"null", b"[]", b"3"):
        assert api.faults(path, body) == ""


@pytest.mark.parametrize(("body", "faults"), POSITIONS, ids=shortened)
@pytest.mark.parametrize("path", DOORS)
def test_faults_of_a_position_have_pointers(api: Api, path: str, body: Any, faults: str) -> None:
    assert api.faults(path, body | DOORS[path]) == faults


@pytest.mark.parametrize(
    ("path", "body", "faults"),
    [(path, *case) for path, cases in ONE_ENDPOINT.items() for case in cases],
    ids=shortened,
)
def test_each_fault_of_a_field_has_a_pointer(api: Api, path: str, body: Any, faults: str) -> None:
    assert api.faults(path, body) == faults


@pytest.mark.parametrize(("query", "faults"), QUERIES, ids=shortened)
@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_a_fault_of_a_query_names_a_parameter(api: Api, path: str, query: str, faults: str) -> None:
    response = api.send("GET", f"{path}?{query}")
    assert response.status_code == 422
    assert pointers(response) == faults


def test_an_evaluation_without_its_algorithm_is_named_as_a_parameter(api: Api) -> None:
    refused = api.get("/best-move?board=X...Z....&evaluation=lines")
    assert pointers(refused) == "board evaluation"


@pytest.mark.parametrize("digits", ["1e999", "-1e999", HUGE, "-" + HUGE])
def test_a_number_out_of_every_range_is_422(api: Api, digits: str) -> None:
    assert api.faults("/game-tree", f'{{"tree": [1, {digits}]}}'.encode()) == "/tree/1"
    for name in ("k", "rows", "seed", "time_ms", "level", "depth"):
        body = f'{{"board": "X...O....", "{name}": {digits}}}'.encode()
        assert api.faults("/best-move", body) == f"/{name}"


def test_a_tree_whose_answer_would_be_huge_is_refused(api: Api) -> None:
    leaves = b",".join([b"1"] * 90_000)
    body = b'{"tree": ' + b"[" * 150 + leaves + b"]" * 150 + b"}"
    assert api.faults("/game-tree", body) == "/tree"


UNKNOWN = {f"unknown{number}": "1" for number in range(40_000)}


@pytest.mark.parametrize(
    ("body", "listed"),
    [
        ({"board": [["Z"] * 20] * 20}, 100),
        (GOOD | dict(list(UNKNOWN.items())[:150]), 100),
        (GOOD | UNKNOWN, 1),
        (GOOD | {"x" * 100_000: 1}, 1),
    ],
    ids=shortened,
)
def test_an_answer_lists_at_most_a_hundred_faults(api: Api, body: Any, listed: int) -> None:
    response = api.post("/best-move", body)
    assert response.status_code == 422
    assert len(document(response)["errors"]) == listed
    assert (listed == 100) == document(response)["detail"].startswith("More than 100 things")
    assert len(response.data) < 20_000


def test_a_query_has_at_most_200_parameters(api: Api) -> None:
    known = dict(list(UNKNOWN.items())[:20])
    assert len(document(api.get("/best-move", None, board=".", **known))["errors"]) == 20
    many = dict(list(UNKNOWN.items())[:800])
    detail = "the query has 801 parameters; at most 200 are allowed"
    refused = document(api.get("/best-move", None, board=".........", **many))
    assert refused["errors"] == [{"parameter": "", "detail": detail}]


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("/best-move", GOOD | {"colums": 3}, "did you mean columns?"),
        ("/best-move", GOOD | {"Level": 3}, "did you mean level?"),
        ("/play", GOOD | {"move": {"rwo": 0, "column": 0}}, "did you mean row?"),
        ("/best-move", GOOD | {"xyzzy": 3}, "xyzzy is an unknown field"),
        ("/best-move", GOOD | {"rules": {}}, "fields (rows, columns, k …) beside the board"),
        ("/best-move?board=.........&algoritm=auto", None, "did you mean algorithm?"),
        ("/best-move?board=.........&k=3&k=3", None, "k is given 2 times"),
    ],
)
def test_the_detail_of_a_fault_helps(
    api: Api, path: str, body: dict[str, Any] | None, detail: str
) -> None:
    response = api.get(path) if body is None else api.post(path, body)
    assert response.status_code == 422
    (error, *_) = document(response)["errors"]
    assert error["detail"].endswith(detail)
    assert document(response)["detail"] == error["detail"]


def test_a_long_name_is_not_compared_with_others(monkeypatch: pytest.MonkeyPatch) -> None:
    known = schemas.AnalysisRequest().fields
    assert schemas.likely("colums", known) == "columns"
    monkeypatch.setattr(schemas, "_typos", Mock(side_effect=AssertionError))
    assert schemas.likely("x" * 41, known) is None


ALLOWED = {
    **dict.fromkeys(POSTS, "OPTIONS, POST"),
    **dict.fromkeys(("/best-move", "/analyze"), "GET, HEAD, OPTIONS, POST"),
    **dict.fromkeys(("/healthz", "/"), "GET, HEAD, OPTIONS"),
}


@pytest.mark.parametrize(("path", "allowed"), ALLOWED.items())
def test_options_lists_the_methods_and_any_other_is_405(api: Api, path: str, allowed: str) -> None:
    answer = api.send("OPTIONS", path)
    assert (answer.status_code, answer.data, answer.headers["Allow"]) == (200, b"", allowed)
    assert "Content-Type" not in answer.headers
    methods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"}
    for method in methods - set(allowed.split(", ")):
        response = api.send(method, path)
        assert (response.status_code, response.headers["Allow"]) == (405, allowed)


def test_for_404_a_browser_gets_a_page_and_other_clients_json(api: Api) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    page = api.get("/anaylze", browser)
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert '<a href="./analyze">' in page.text
    deep = api.get("/a/b/<em>", browser)
    assert "<em>" not in deep.text
    assert 'href="../../docs"' in deep.text
    for accept in ("*/*", "application/json", ""):
        response = api.get("/anaylze", {"Accept": accept})
        assert response.mimetype == "application/problem+json"
        assert document(response)["detail"].endswith("Did you mean /analyze?")
    assert "mean" not in document(api.get("/zzzzzzzzzz"))["detail"]


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        *((name, 200) for name in (None, "application/json", "APPLICATION/JSON")),
        *((f"application/{more}", 200) for more in ("vnd.board+json", "json; profile=x")),
        *((f"application/json; charset={name}", 200) for name in ("utf-8", '"utf-8"')),
        *((f"{FORM}{more}", 200) for more in ("", "; charset=utf-8")),  # curl's type for data
        *((name, 415) for name in ("text/plain", "text/json", "image/svg+json", ";;;")),
        ("multipart/form-data; boundary=x", 415),
        ("application/json; charset=utf-16", 415),
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\n "])
def test_the_types_of_a_body(api: Api, content_type: str | None, status: int, mark: bytes) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    data = mark + json.dumps(GOOD).encode()
    assert api.send("POST", "/best-move", data=data, headers=headers).status_code == status
    if content_type is None or content_type.startswith(FORM):
        form = api.send("POST", "/best-move", data=b"board=X...O....", headers=headers)
        assert (form.status_code, form.headers["Accept-Post"]) == (415, "application/json")


def test_a_compressed_body_is_415(api: Api) -> None:
    response = api.post("/best-move", GOOD, {"Content-Encoding": "gzip"})
    assert (response.status_code, response.headers["Accept-Encoding"]) == (415, "identity")


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
