"""Request ids, security headers, cross-origin requests, proxies and log lines."""

import json
import re
import select
import sys
from functools import partial

import pytest
from flask import Response, after_this_request, request

from bestmove.api.logs import wants_json
from tests.api.conftest import MakeApi
from tests.api.http import Api

ORIGIN = "https://games.example"
PREFLIGHT = {
    "Origin": ORIGIN,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type",
}


def test_every_request_has_an_id_of_its_own(api: Api) -> None:
    ids = {api.get("/healthz").headers["X-Request-ID"] for _ in range(100)}
    assert len(ids) == 100


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a,b", "é", '"', "<script>"])
def test_an_invalid_id_is_replaced(api: Api, given: str) -> None:
    assert api.get("/healthz", {"X-Request-ID": given}).headers["X-Request-ID"] != given


def test_other_origins_are_not_allowed_by_default(api: Api) -> None:
    for response in (
        api.get("/healthz", {"Origin": ORIGIN}),
        api.send("OPTIONS", "/best-move", headers=PREFLIGHT),
    ):
        assert not [name for name, _ in response.headers if name.startswith("Access-Control")]


def test_a_configured_origin_is_allowed_and_another_is_not(make_api: MakeApi) -> None:
    api = make_api(cors_origins=(ORIGIN, "https://other.example"))
    response = api.post("/best-move", {"board": "X...O...."}, {"Origin": ORIGIN})
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "ETag" in response.headers["Access-Control-Expose-Headers"]
    assert "Origin" in ",".join(response.headers.getlist("Vary"))
    refused = api.post("/best-move", {"board": "X...O...."}, {"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in refused.headers
    assert "Origin" in ",".join(refused.headers.getlist("Vary"))
    # This answer needs `Vary`, too: else a cache could give it to a page of an allowed origin.
    assert "Origin" in ",".join(api.get("/games").headers.getlist("Vary"))
    problem = api.post("/best-move", b"[", {"Origin": ORIGIN})
    assert problem.headers["Access-Control-Allow-Origin"] == ORIGIN


def test_if_all_origins_are_allowed_an_answer_kept_by_a_cache_serves_every_page(
    make_api: MakeApi,
) -> None:
    api = make_api(cors_origins=("*",))
    for headers in ({}, {"Origin": ORIGIN}):
        response = api.get("/best-move?board=X...O....", headers)
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Origin" not in ",".join(response.headers.getlist("Vary"))


def test_a_preflight_is_answered(make_api: MakeApi) -> None:
    api = make_api(cors_origins=(ORIGIN,))
    response = api.send("OPTIONS", "/best-move", headers=PREFLIGHT)
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    told = {name: value for name, value in response.headers if name.startswith("Access-Control-")}
    assert told == {
        "Access-Control-Allow-Origin": ORIGIN,
        "Access-Control-Expose-Headers": "ETag, Retry-After, Server-Timing, X-Request-ID",
        "Access-Control-Allow-Methods": "GET, HEAD, POST",
        "Access-Control-Allow-Headers": (
            "Authorization, Content-Type, If-None-Match, X-Request-ID, traceparent, tracestate"
        ),
        "Access-Control-Max-Age": "7200",
    }
    plain = api.send("OPTIONS", "/best-move", headers={"Origin": ORIGIN})
    assert "Access-Control-Allow-Methods" not in plain.headers


FORWARDED = {"X-Forwarded-For": "6.6.6.6, 10.0.0.9", "X-Forwarded-Proto": "https"}


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("2001:db8::1", "2001:db8::1"),
        ("10.0.0.9:4711", "10.0.0.9"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("::ffff:10.0.0.9", "10.0.0.9"),
        ("unknown", "?"),
        ("x" * 7000, "?"),
        ("10.0.0.9 status=500", "?"),
    ],
)
def test_only_an_address_is_logged_as_one(make_api: MakeApi, forwarded: str, client: str) -> None:
    log: list[str] = []
    api = make_api(log, trusted_proxies=1, log_format="json")
    api.get("/games", {"X-Forwarded-For": forwarded})
    assert json.loads(log[-1])["client"] == client
    assert len(log[-1]) < select.PIPE_BUF


@pytest.mark.parametrize(("proxies", "client"), [(0, "127.0.0.1"), (1, "10.0.0.9"), (2, "6.6.6.6")])
def test_forwarded_headers_are_trusted_for_as_many_proxies_as_configured(
    make_api: MakeApi, proxies: int, client: str
) -> None:
    log: list[str] = []
    api = make_api(log, trusted_proxies=proxies, log_format="json")
    api.get("/healthz", FORWARDED)
    assert json.loads(log[-1])["client"] == client


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
def test_requests_write_lines_at_log_levels_debug_and_info(
    make_api: MakeApi, level: str, lines: int
) -> None:
    log: list[str] = []
    make_api(log, log_level=level).best_move("X...O....")
    assert len(log) == lines


def test_an_internal_error_is_a_500_that_reveals_only_the_requests_id(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from bestmove.search import analysis

    def broken(*_: object) -> None:
        raise RuntimeError("the secret plan")

    monkeypatch.setattr(analysis, "analyze", broken)
    api = make_api()
    response = api.post("/analyze", {"board": "X.../..../..../...."})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.headers["X-Request-ID"] in caplog.text
    assert "the secret plan" in caplog.text
    assert api.best_move("X...O....")["move"]["index"] == 1


@pytest.mark.parametrize("on_a_terminal", [True, False])
def test_the_log_is_plain_on_a_terminal_and_json_elsewhere(
    monkeypatch: pytest.MonkeyPatch, on_a_terminal: bool
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: on_a_terminal)
    assert wants_json("auto") is not on_a_terminal
    assert wants_json("json")
    assert not wants_json("plain")


@pytest.mark.parametrize("path", ["/api/best-move", "/best-move"])
def test_below_a_root_path_everything_is_answered_with_and_without_it(
    make_api: MakeApi, path: str
) -> None:
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
