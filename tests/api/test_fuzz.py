"""Whatever is sent, openapi.yaml describes the answer, and the service continues.

Here any bytes are sent; tests/contract/test_schemathesis.py sends values of any type.
"""

import json
import string
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from tests.api.http import Api
from tests.api.test_bad_requests import POSTS

EXPECTED = {200, 304, 400, 406, 415, 422}
HEADERS = """Accept Content-Type If-None-Match X-Request-ID Origin Accept-Encoding Range
If-Modified-Since X-Forwarded-For Cookie"""
GOOD = json.dumps({"board": "X...O....", "k": 3, "level": 10}).encode()

Request = tuple[str, str, dict[str, Any]]
"""A method, a path and other arguments of `Api.send`."""


def post(path: str, data: bytes, headers: dict[str, str]) -> Request:
    return "POST", path, {"data": data, "headers": {"Content-Type": "application/json"} | headers}


def get(path: str, query: bytes, headers: dict[str, str]) -> Request:
    written = {"QUERY_STRING": query.decode("latin-1")}
    return "GET", path, {"environ_overrides": written, "headers": headers}


def replaced(at: int, inserted: bytes, cut: int) -> bytes:
    return GOOD[:at] + inserted + GOOD[at + cut :]


slips = st.builds(replaced, st.integers(0, 40), st.binary(max_size=6), st.integers(0, 6))
line = st.text(string.printable.translate(dict.fromkeys(map(ord, "\r\n\x0b\x0c"))))
headers = st.dictionaries(st.sampled_from(HEADERS.split()), line)
posts, gets = st.sampled_from(POSTS), st.sampled_from(["/best-move", "/analyze"])
no_headers: SearchStrategy[dict[str, str]] = st.just({})

SENT: dict[str, tuple[int, SearchStrategy[Request]]] = {
    "any body": (400, st.builds(post, posts, st.binary(max_size=200) | slips, no_headers)),
    "any headers": (50, st.builds(post, st.just("/best-move"), st.just(GOOD), headers)),
    "any headers of a GET": (50, st.builds(get, gets, st.just(b"board=X...O...."), headers)),
    "any query": (100, st.builds(get, gets, st.binary(max_size=60), no_headers)),
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
