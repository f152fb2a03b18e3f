"""Whatever is sent, openapi.yaml describes the answer, and the service continues."""

import json
import string
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from bestmove.game.rules import SWITCHES
from tests.api.http import Api
from tests.api.test_bad_requests import POSTS
from tests.game.test_notation import json_values

GETS = ["/best-move", "/analyze"]
EXPECTED = {200, 302, 304, 400, 404, 405, 406, 413, 415, 422}
NAMES = """board boards rows columns k first level seed time_ms depth algorithm move tree
maximizing value children game x"""
HEADERS = """Accept Content-Type If-None-Match X-Request-ID Origin Accept-Encoding Range
If-Modified-Since X-Forwarded-For Cookie"""
GOOD = json.dumps({"board": "X...O....", "k": 3, "level": 10}).encode()

Request = tuple[str, str, dict[str, Any]]
"""A method, a path and other arguments of `Api.send`."""


def post(path: str, data: bytes, headers: dict[str, str]) -> Request:
    return "POST", path, {"data": data, "headers": {"Content-Type": "application/json"} | headers}


def raw(method: str, path: str, query: str, headers: dict[str, str]) -> Request:
    """Return a request whose path and query are any bytes, each as a character of Latin-1."""
    written = {"PATH_INFO": path, "QUERY_STRING": query}
    described = path if path in GETS else "/"
    return method, described, {"environ_overrides": written, "headers": headers}


def replaced(at: int, inserted: bytes, cut: int) -> bytes:
    return GOOD[:at] + inserted + GOOD[at + cut :]


names = st.sampled_from([*NAMES.split(), *SWITCHES])
values = st.dictionaries(names, json_values()) | json_values()
written = values.map(lambda body: json.dumps(body).encode())
slips = st.builds(replaced, st.integers(0, 40), st.binary(max_size=6), st.integers(0, 6))
parameter = st.tuples(names | st.text(max_size=5), st.text("XO./39-+% ", max_size=12))
queries = st.lists(parameter, max_size=4).map(lambda found: urlencode(found, errors="replace"))
any_bytes = st.binary(max_size=60).map(lambda found: found.decode("latin-1"))
paths = any_bytes.map(lambda found: f"/{found}")
line = st.text(string.printable.translate(dict.fromkeys(map(ord, "\r\n\x0b\x0c"))))
headers = st.dictionaries(st.sampled_from(HEADERS.split()), line)
posts, gets = st.sampled_from(POSTS), st.sampled_from(GETS)
methods = st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT"])
no_headers: SearchStrategy[dict[str, str]] = st.just({})
good = st.just("board=X...O....")

SENT: dict[str, tuple[int, SearchStrategy[Request]]] = {
    "any body": (
        650,
        st.builds(post, posts, st.binary(max_size=200) | written | slips, no_headers),
    ),
    "any headers": (50, st.builds(post, st.just("/best-move"), st.just(GOOD), headers)),
    "any headers of a GET": (50, st.builds(raw, st.just("GET"), gets, good, headers)),
    "any query": (200, st.builds(raw, st.just("GET"), gets, queries | any_bytes, no_headers)),
    "any path": (50, st.builds(raw, methods, paths, good, no_headers)),
}
"""What is sent, and how often."""


@pytest.fixture(scope="module")
def quick() -> Api:
    return Api(create_app(Settings(max_time_ms=5), write_log=lambda _: None))


@pytest.mark.parametrize("kind", SENT)
def test_every_request_gets_an_answer_of_the_contract(quick: Api, kind: str) -> None:
    times, strategy = SENT[kind]

    @settings(max_examples=times, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def check(request: Request) -> None:
        method, path, options = request
        assert quick.send(method, path, **options).status_code in EXPECTED

    check()
    assert quick.best_move("X...O....")["move"]["index"] == 1
