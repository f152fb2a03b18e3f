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

EXPECTED = {200, 302, 304, 400, 404, 405, 406, 413, 415, 422}
GETS = ["/best-move", "/analyze"]
NAMES = """board boards rows columns k first level seed time_ms depth algorithm move tree
maximizing value children game x"""
HEADERS = """Accept Content-Type If-None-Match X-Request-ID Origin Accept-Encoding Range
If-Modified-Since X-Forwarded-For Cookie"""
GOOD = json.dumps({"board": "X...O....", "k": 3, "level": 10}).encode()

Request = tuple[str, str, dict[str, Any]]
"""A method, a path and other arguments of `Api.send`."""


def post(path: str, data: bytes, headers: dict[str, str]) -> Request:
    return "POST", path, {"data": data, "headers": {"Content-Type": "application/json"} | headers}


def requests(**changed: SearchStrategy[Any]) -> SearchStrategy[Request]:
    """Return good requests but for the arguments of `post` that are `changed`."""
    good = {"path": st.just("/best-move"), "data": st.just(GOOD), "headers": st.just({})}
    return st.builds(post, **good | changed)


def replaced(at: int, inserted: bytes, cut: int) -> bytes:
    return GOOD[:at] + inserted + GOOD[at + cut :]


def raw_query(path: str, query: bytes) -> Request:
    return "GET", path, {"environ_overrides": {"QUERY_STRING": query.decode("latin-1")}}


def raw_path(method: str, path: str) -> Request:
    written = "/" + path.encode("utf-8", "replace").decode("latin-1")
    return method, "/", {"environ_overrides": {"PATH_INFO": written}}


names = st.sampled_from([*NAMES.split(), *SWITCHES])
posts, gets = st.sampled_from(POSTS), st.sampled_from(GETS)
values = st.dictionaries(names, json_values()) | json_values()
slips = st.builds(replaced, st.integers(0, 40), st.binary(max_size=6), st.integers(0, 6))
parameter = st.tuples(names | st.text(max_size=5), st.text("XO./39-+% ", max_size=12))
query = st.lists(parameter, max_size=4).map(lambda found: urlencode(found, errors="replace"))
line = st.text(string.printable.translate(dict.fromkeys(map(ord, "\r\n\x0b\x0c"))))
headers = st.dictionaries(st.sampled_from(HEADERS.split()), line)

SENT: dict[str, tuple[int, SearchStrategy[Request]]] = {
    "any bytes": (300, requests(path=posts, data=st.binary(max_size=200))),
    "any JSON": (
        300,
        requests(path=posts, data=values.map(lambda body: json.dumps(body).encode())),
    ),
    "a good body, some bytes of it replaced": (50, requests(data=slips)),
    "any headers": (50, requests(headers=headers)),
    "any headers of a GET": (
        50,
        st.builds(lambda sent: ("GET", "/best-move?board=X...O....", {"headers": sent}), headers),
    ),
    "any query": (100, st.builds(lambda path, text: ("GET", f"{path}?{text}", {}), gets, query)),
    "a query of any bytes": (100, st.builds(raw_query, gets, st.binary(max_size=60))),
    "any path": (
        50,
        st.builds(
            raw_path,
            st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT"]),
            st.text(max_size=30),
        ),
    ),
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
