"""Details of HTTP on which clients depend."""

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Response, after_this_request

from bestmove.api import schemas
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.results import Found
from tests.api.conftest import MakeApi
from tests.api.http import Api, document

GOOD: dict[str, Any] = {"board": "X...O...."}
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
CURL = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "minimax", "level": 3},
        {"algorithm": "minimax", "board": "/".join(["." * 15] * 15), "time_ms": 20},
    ],
)
def test_an_analysis_ignores_level_and_algorithm(api: Api, options: dict[str, Any]) -> None:
    answer = api.answer("/analyze", **GOOD | options)
    assert answer["search"]["algorithm"] != "minimax"
    tags = {
        api.get("/analyze", level=str(level), algorithm=algorithm, **GOOD).headers["ETag"]
        for level in (1, 10)
        for algorithm in ("auto", "minimax")
    }
    assert len(tags) == 1


def test_zero_has_no_sign(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    negative = re.compile(r"-0(\.0)?[,}\]]")
    for algorithm in ("minimax", "negamax", "alpha-beta"):
        for tree in ([0.0, 0], [-0.0], -0.0, [[0.0], [-1.5]]):
            body = {"tree": tree, "algorithm": algorithm, "maximizing": False}
            assert not negative.search(api.post("/game-tree", body).text)
    real = GomokuEngine.search

    def even(engine: GomokuEngine, *position: Any, **limits: Any) -> Found:
        return real(engine, *position, **limits)._replace(value=0, exact=False)

    monkeypatch.setattr(GomokuEngine, "search", even)
    for mark in ("X", "O"):
        quiet = {"board": "/".join(["." * 9] * 4 + [f"....{mark}...."] + ["." * 9] * 4)}
        for path in ("/best-move", "/analyze"):
            text = api.post(path, quiet | {"k": 5, "depth": 1, "first": mark}).text
            assert '"score":0.0,' in text
            assert not negative.search(text)


def test_a_whole_number_is_an_integer_however_it_is_written(api: Api) -> None:
    for text in ("2", "2.0", "2e0", "0.2E1"):
        body = f'{{"board": "X...O....", "move": {text}, "level": 10.0}}'.encode()
        assert document(api.post("/play", body))["board"] == "X.X.O...."
    for text in ("1e300", "9007199254740993.0", "2.5"):
        body = f'{{"board": "X...O....", "move": {text}}}'.encode()
        assert api.faults("/play", body) == ["/move"]


def test_options_lists_the_methods_in_order_without_a_content_type(api: Api) -> None:
    for path, allowed in (
        ("/best-move", "GET, HEAD, OPTIONS, POST"),
        ("/play", "OPTIONS, POST"),
        ("/healthz", "GET, HEAD, OPTIONS"),
    ):
        response = api.send("OPTIONS", path)
        assert response.status_code == 200
        assert response.headers["Allow"] == allowed
        assert "Content-Type" not in response.headers
        assert response.data == b""


def test_the_docs_with_a_slash_lead_to_the_docs(api: Api) -> None:
    response = api.get("/docs/")
    assert response.status_code == 308
    assert response.headers["Location"] == "../docs"


def test_the_icon_is_where_browsers_look(api: Api) -> None:
    response = api.get("/favicon.ico")
    assert (response.status_code, response.mimetype) == (200, "image/svg+xml")
    assert response.data == api.get("/static/favicon.svg").data


def test_for_404_a_browser_gets_a_page_and_other_clients_json(api: Api) -> None:
    page = api.get("/anaylze", BROWSER)
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert '<a href="./analyze">' in page.text
    deep = api.get("/a/b/<em>", BROWSER)
    assert "<em>" not in deep.text
    assert 'href="../../docs"' in deep.text
    for accept in ("*/*", "application/json", ""):
        response = api.get("/anaylze", {"Accept": accept})
        assert response.mimetype == "application/problem+json"
        assert document(response)["detail"].endswith("Did you mean /analyze?")
    nothing = document(api.get("/zzzzzzzzzz"))
    assert "mean" not in nothing["detail"]


def test_for_an_unknown_field_the_likely_name_is_suggested(api: Api) -> None:
    def detail(path: str, body: dict[str, Any]) -> str:
        response = api.post(path, body)
        assert response.status_code == 422
        found: str = document(response)["errors"][0]["detail"]
        return found

    assert detail("/best-move", GOOD | {"colums": 3}).endswith("did you mean columns?")
    assert detail("/best-move", GOOD | {"Level": 3}).endswith("did you mean level?")
    assert "mean" not in detail("/best-move", GOOD | {"xyzzy": 3})
    assert detail("/play", GOOD | {"move": {"rwo": 0, "column": 0}}).endswith("did you mean row?")
    response = api.get("/best-move", board=".........", algoritm="auto")
    assert document(response)["detail"].endswith("did you mean algorithm?")


def test_unknown_names_take_a_bounded_number_of_look_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = 0
    slips = schemas._typos

    def counted(name: str) -> Iterator[str]:
        nonlocal looked_up
        for slip in slips(name):
            looked_up += 1
            yield slip

    known = schemas.AnalysisRequest().fields
    assert schemas.likely("colums", known) == "columns"
    monkeypatch.setattr(schemas, "_typos", counted)
    for number in range(200):
        assert schemas.likely(f"a field that is not known {number}", known) is None
    assert looked_up <= 200 * 41
    looked_up = 0
    assert schemas.likely("x" * 100_000, known) is None
    assert looked_up == 0


def test_a_query_is_bounded_like_a_body(api: Api) -> None:
    query = "&".join(f"unknown{number}=1" for number in range(800))
    response = api.send("GET", f"/best-move?board=.........&{query}")
    assert response.status_code == 422
    assert document(response)["errors"] == [
        {
            "parameter": "",
            "detail": "the query has 801 parameters; at most 200 are allowed",
        }
    ]
    some = "&".join(f"unknown{number}=1" for number in range(20))
    listed = document(api.send("GET", f"/best-move?board=.........&{some}"))
    assert len(listed["errors"]) == 20


@pytest.mark.parametrize("kind", [None, CURL, f"{CURL}; charset=utf-8"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\n "])
def test_curl_needs_no_header(api: Api, kind: str | None, mark: bytes) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    data = mark + json.dumps(GOOD).encode()
    assert api.send("POST", "/best-move", data=data, headers=headers).status_code == 200
    form = api.send("POST", "/best-move", data=b"board=X...O....", headers=headers)
    assert form.status_code == 415
    assert form.headers["Accept-Post"] == "application/json"


def test_long_answers_are_compressed_for_clients_that_accept_gzip(api: Api) -> None:
    plain = api.get("/analyze", board=".........")
    packed = api.get("/analyze", {"Accept-Encoding": "br, gzip"}, board=".........", raw="")
    assert packed.status_code == 422  # a refusal is short, so it is not compressed
    assert "Content-Encoding" not in packed.headers
    send = api.app.test_client().get
    packed = send("/analyze?board=.........", headers={"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) == packed.content_length < len(plain.data) / 2
    tag = plain.headers["ETag"]
    assert packed.headers["ETag"] == tag[:-1] + '-gzip"'
    for response in (plain, packed):
        assert "Accept-Encoding" in response.headers.getlist("Vary")
    for known in (tag, packed.headers["ETag"]):
        again = send("/analyze?board=.........", headers={"If-None-Match": known})
        assert (again.status_code, again.headers["ETag"]) == (304, known)
    for refusal in ("identity", "gzip;q=0", "br"):
        response = send("/analyze?board=.........", headers={"Accept-Encoding": refusal})
        assert response.data == plain.data


@pytest.mark.parametrize("once", [False, True])
def test_whoever_embeds_the_app_can_change_its_answers(make_api: MakeApi, once: bool) -> None:
    app = make_api().app

    def sign(response: Response) -> Response:
        response.headers["Via"] = "1.1 host"
        return response

    def before() -> None:
        after_this_request(sign)

    if once:
        app.before_request(before)
    else:
        app.after_request(sign)
    answer = app.test_client().post(
        "/analyze", json={"board": "........."}, headers={"Accept-Encoding": "gzip"}
    )
    assert (answer.headers["Via"], answer.headers["Content-Encoding"]) == ("1.1 host", "gzip")


def test_files_are_compressed(api: Api) -> None:
    send = api.app.test_client().get
    for path in ("/static/client.js", "/docs/swagger-ui-bundle.js", "/openapi.yaml", "/"):
        plain, packed = send(path), send(path, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert packed.headers["ETag"] != plain.headers["ETag"]
        assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
        for response, coding in ((plain, "identity"), (packed, "gzip")):
            known = {"If-None-Match": response.headers["ETag"], "Accept-Encoding": coding}
            assert send(path, headers=known).status_code == 304
    icon = send("/docs/favicon-32x32.png", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in icon.headers or len(icon.data) < 2000
