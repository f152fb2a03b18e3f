"""Request ids, security headers, cross-origin requests, proxies and log lines."""

import json
import re
import select
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from flask import Response, after_this_request, request

from bestmove.api import middleware
from bestmove.api.logs import wants_json
from bestmove.search import analysis
from tests.api.conftest import MakeApi
from tests.api.http import Api

ORIGIN = "https://games.example"
OF_BROWSERS = {"accept", "accept-encoding", "host", "origin", "upgrade"}
"""Headers that a page cannot set, or that it may send without permission."""
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type",
}


def test_every_request_has_an_id_of_its_own(api: Api) -> None:
    ids = {api.get("/healthz").headers["X-Request-ID"] for _ in range(100)}
    assert len(ids) == 100


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a,b", "é", '"', "<script>"])
def test_an_invalid_id_is_replaced(api: Api, given: str) -> None:
    assert api.get("/healthz", {"X-Request-ID": given}).headers["X-Request-ID"] != given


@pytest.mark.parametrize(
    ("origins", "origin", "allowed", "vary"),
    [
        ((), ORIGIN, None, False),
        ((ORIGIN, "https://other.example"), ORIGIN, ORIGIN, True),
        ((ORIGIN, "https://other.example"), "https://evil.example", None, True),
        # Without `Vary`, a cache could give this answer to a page of an allowed origin.
        ((ORIGIN, "https://other.example"), None, None, True),
        # An answer kept by a cache serves every page.
        (("*",), ORIGIN, "*", False),
        (("*",), None, "*", False),
    ],
)
def test_only_configured_origins_are_allowed(
    make_api: MakeApi, origins: Sequence[str], origin: str | None, allowed: str | None, vary: bool
) -> None:
    api = make_api(cors_origins=origins)
    headers = {} if origin is None else {"Origin": origin}
    for response in (
        api.get("/best-move", headers, board="X...O...."),
        api.post("/best-move", {"board": "X...O...."}, headers),
        api.post("/best-move", b"[", headers),
        api.send("OPTIONS", "/best-move", headers=PREFLIGHT | headers),
    ):
        assert response.headers.get("Access-Control-Allow-Origin") == allowed
        told = [name for name, _ in response.headers if name.startswith("Access-Control")]
        assert bool(told) == (allowed is not None)
        assert len(response.headers.getlist("Vary")) <= 1  # nginx 1.22 reads only the last line
        assert ("Origin" in response.headers.get("Vary", "")) == vary


def test_a_preflight_is_answered(make_api: MakeApi) -> None:
    api = make_api(cors_origins=(ORIGIN,))
    response = api.send("OPTIONS", "/best-move", headers=PREFLIGHT | {"Origin": ORIGIN})
    assert response.status_code == 200
    told = {name: value for name, value in response.headers if name.startswith("Access-Control-")}
    allowed = told.pop("Access-Control-Allow-Headers").lower().split(", ")
    files = Path(middleware.__file__).parent.rglob("*.py")
    code = "".join(path.read_text("utf-8") for path in files)
    read = {name.lower().replace("_", "-") for name in re.findall(r'"HTTP_([A-Z_]+)"', code)}
    assert "last-event-id" in read
    of_browsers = OF_BROWSERS | {name.lower() for name in PREFLIGHT}
    assert {*read, "authorization", "content-type"} <= {*allowed, *of_browsers}
    assert told == {
        "Access-Control-Allow-Origin": ORIGIN,
        "Access-Control-Expose-Headers": "ETag, Retry-After, Server-Timing, X-Request-ID",
        "Access-Control-Allow-Methods": "GET, HEAD, POST",
        "Access-Control-Max-Age": "7200",
    }
    plain = api.send("OPTIONS", "/best-move", headers={"Origin": ORIGIN})
    assert "Access-Control-Allow-Methods" not in plain.headers


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (0, "6.6.6.6, 10.0.0.9", "127.0.0.1"),
        (1, "6.6.6.6, 10.0.0.9", "10.0.0.9"),
        (2, "6.6.6.6, 10.0.0.9", "6.6.6.6"),
        (1, "10.0.0.9:4711", "10.0.0.9"),
        (1, "[2001:db8::1]:4711", "2001:db8::1"),
        (1, "fe80::1%eth0", "fe80::1%eth0"),
        (1, "::ffff:10.0.0.9", "10.0.0.9"),
        (1, "x" * 7000, "?"),
        (1, "10.0.0.9 status=500", "?"),
    ],
)
def test_the_address_behind_as_many_proxies_as_are_trusted_is_logged(
    make_api: MakeApi, proxies: int, forwarded: str, client: str
) -> None:
    log: list[str] = []
    api = make_api(log, trusted_proxies=proxies, log_format="json")
    api.get("/games", {"X-Forwarded-For": forwarded, "X-Forwarded-Proto": "https"})
    assert json.loads(log[-1])["client"] == client
    assert len(log[-1]) < select.PIPE_BUF


def test_a_line_of_json_for_each_request(api: Api, log: list[str]) -> None:
    secret = {"Authorization": "Bearer hunter2", "Cookie": "session=hunter2"}
    four = {"board": "X.../..../..../...O", "depth": 1}
    for send, route, status, board in (
        (partial(api.post, "/best-move", {"board": "X...O...."}), "/best-move", 200, "3x3"),
        (partial(api.get, "/best-move", board="X...O...."), "/best-move", 200, "3x3"),
        (partial(api.post, "/best-move", four), "/best-move", 200, "4x4"),
        (partial(api.get, "/analyze", board="XX/.."), "/analyze", 422, None),
        (partial(api.get, "/nothing/hunter2"), "unmatched", 404, None),
        (partial(api.get, "/static/hunter2"), "/static/<path>", 404, None),
    ):
        before = len(log)
        response = send(headers=secret)
        (line,) = log[before:]
        assert line.endswith("\n")
        assert line.count("\n") == 1
        assert "hunter2" not in line
        entry = json.loads(line)
        assert entry["route"] == route
        assert entry["status"] == status
        assert entry["request_id"] == response.headers["X-Request-ID"]
        assert entry["method"] in ("GET", "POST")
        assert entry["ms"] >= 0
        assert entry.get("board") == board
        assert ("engine_ms" in entry) == (board is not None)


@pytest.mark.parametrize("method", ['A"B', "É", "x" * 300, "GET\n{}"])
def test_a_method_cannot_write_a_line_of_its_own(api: Api, log: list[str], method: str) -> None:
    before = len(log)
    api.send(method, "/best-move")
    (line,) = log[before:]
    assert line.count("\n") == 1
    json.loads(line)


def test_a_plain_line_for_people(make_api: MakeApi) -> None:
    log: list[str] = []
    api = make_api(log, log_format="plain")
    response = api.post("/best-move", {"board": "X...O...."})
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d\.\d{3} 200 POST /best-move [\d.]+ ms board=3x3 engine_ms=[\d.]+ "
        rf"client=127\.0\.0\.1 request_id={response.headers['X-Request-ID']}\n",
        log[-1],
    )


@pytest.mark.parametrize(("level", "lines"), [("debug", 1), ("info", 1), ("warning", 0)])
def test_requests_are_logged_up_to_level_info(make_api: MakeApi, level: str, lines: int) -> None:
    log: list[str] = []
    make_api(log, log_level=level).best_move("X...O....")
    assert len(log) == lines


def test_an_internal_error_is_a_500_that_reveals_only_the_requests_id(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Mock(side_effect=RuntimeError("the secret plan"))
    monkeypatch.setattr(analysis, "analyze", broken)
    api = make_api()
    response = api.post("/analyze", {"board": "X.../..../..../...."})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.headers["X-Request-ID"] in caplog.text
    assert "the secret plan" in caplog.text
    assert api.best_move("X...O....")["move"]["index"] == 1


def test_the_log_is_plain_on_a_terminal_and_json_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for on_a_terminal in (True, False):
        monkeypatch.setattr(sys.stdout, "isatty", lambda found=on_a_terminal: found)
        wanted = [wants_json(form) for form in ("auto", "json", "plain")]
        assert wanted == [not on_a_terminal, True, False]


@pytest.mark.parametrize("path", ["/api/best-move", "/best-move"])
def test_a_request_may_have_the_root_path_or_not(make_api: MakeApi, path: str) -> None:
    client = make_api(root_path="/api").app.test_client()
    assert client.post(path, json={"board": "X...O...."}).status_code == 200
    bare = client.get("/api")
    assert (bare.status_code, bare.headers["Location"]) == (308, "/api/")
    assert bare.headers["X-Content-Type-Options"] == "nosniff"
    assert b"<html" in client.get("/api/").data
    assert client.get("/apis/games").status_code == 404


def test_a_trusted_proxy_may_name_the_path_that_it_has_removed(make_api: MakeApi) -> None:
    app = make_api(trusted_proxies=1).app

    @app.get("/where")
    def where() -> str:
        return request.script_root

    sent = {"X-Forwarded-Prefix": "/api"}
    assert app.test_client().get("/where", headers=sent).text == "/api"
    other = make_api().app
    other.add_url_rule("/where", view_func=where)
    assert other.test_client().get("/where", headers=sent).text == ""


@pytest.mark.parametrize("once", [False, True])
def test_whoever_embeds_the_app_can_change_its_answers(make_api: MakeApi, once: bool) -> None:
    app = make_api().app

    def sign(response: Response) -> Response:
        response.headers["Via"] = "1.1 host"
        return response

    if once:
        app.before_request(lambda: after_this_request(sign) and None)
    else:
        app.after_request(sign)
    answer = app.test_client().post(
        "/analyze", json={"board": "........."}, headers={"Accept-Encoding": "gzip"}
    )
    assert (answer.headers["Via"], answer.headers["Content-Encoding"]) == ("1.1 host", "gzip")
