"""Whatever is sent, openapi.yaml describes the answer, and the service continues."""

import json
import string
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from tests.api.http import Api
from tests.game.test_notation import json_values

EXPECTED = {200, 304, 400, 404, 405, 406, 413, 415, 422}
POSTS = ["/best-move", "/analyze", "/best-moves", "/play", "/proof", "/game-tree"]

few = settings(max_examples=50, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def quick() -> Api:
    return Api(create_app(Settings(max_time_ms=5), write_log=lambda _: None))


NAMES = """board boards rows columns k first level seed time_ms depth algorithm move tree
maximizing value children game gravity overline misere x"""
HEADERS = """Accept Content-Type If-None-Match X-Request-ID Origin Accept-Encoding Range
If-Modified-Since X-Forwarded-For Cookie"""
names = st.sampled_from(NAMES.split())


@pytest.mark.parametrize("path", POSTS)
@few
@given(body=st.binary(max_size=200))
def test_any_bytes_get_an_answer_of_the_contract(quick: Api, path: str, body: bytes) -> None:
    assert quick.post(path, body).status_code in EXPECTED


@pytest.mark.parametrize("path", POSTS)
@few
@given(body=st.dictionaries(names, json_values()) | json_values())
def test_any_json_gets_an_answer_of_the_contract(quick: Api, path: str, body: Any) -> None:
    assert quick.post(path, body).status_code in EXPECTED


@few
@given(at=st.integers(0, 40), inserted=st.binary(max_size=6), cut=st.integers(0, 6))
def test_a_valid_request_with_some_bytes_replaced_is_refused_or_answered(
    quick: Api, at: int, inserted: bytes, cut: int
) -> None:
    good = json.dumps({"board": "X...O....", "k": 3, "level": 10}).encode()
    assert quick.post("/best-move", good[:at] + inserted + good[at + cut :]).status_code in EXPECTED


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
@few
@given(
    query=st.lists(
        st.tuples(names | st.text(max_size=5), st.text(alphabet="XO./39-+% ", max_size=12)),
        max_size=4,
    )
)
def test_any_query_is_answered_or_refused(
    quick: Api, path: str, query: list[tuple[str, str]]
) -> None:
    response = quick.send("GET", f"{path}?{urlencode(query, errors='replace')}")
    assert response.status_code in EXPECTED


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
@few
@given(query=st.binary(max_size=60))
def test_a_query_of_any_bytes_is_answered_or_refused(quick: Api, path: str, query: bytes) -> None:
    environment = {"QUERY_STRING": query.decode("latin-1")}
    response = quick.send("GET", path, environ_overrides=environment)
    assert response.status_code in EXPECTED


header_text = st.text(alphabet=string.printable.translate({ord(c): None for c in "\r\n\x0b\x0c"}))


@few
@given(
    headers=st.dictionaries(
        st.sampled_from(HEADERS.split()),
        header_text,
    ),
    get=st.booleans(),
)
def test_any_headers_get_an_expected_status(quick: Api, headers: dict[str, str], get: bool) -> None:
    body = b'{"board": "X...O...."}'
    if get:
        response = quick.send("GET", "/best-move?board=X...O....", headers=headers)
    else:
        response = quick.send("POST", "/best-move", data=body, headers=headers)
    assert response.status_code in EXPECTED


@few
@given(path=st.text(max_size=30), method=st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT"]))
def test_any_path_gets_an_expected_status(quick: Api, path: str, method: str) -> None:
    environment = {"PATH_INFO": "/" + path.encode("utf-8", "replace").decode("latin-1")}
    response = quick.send(method, "/", environ_overrides=environment)
    assert response.status_code in EXPECTED | {200, 302}


def test_after_all_that_the_service_answers(quick: Api) -> None:
    assert quick.best_move("X...O....")["move"]["index"] == 1
