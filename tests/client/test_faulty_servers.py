"""The clients against servers that misbehave."""

import os
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from unittest.mock import patch

import httpx
import pytest
import requests

from bestmove.client import AsyncClient, Client, Move, Progress
from bestmove.client.environment import TRUSTED
from bestmove.client.wire import Attempts, Call, Reply
from bestmove.errors import (
    InvalidAnswer,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    ServiceUnreachable,
)
from tests.client.faulty import faulty
from tests.support.servers import awaited, running_service

ErrorT = TypeVar("ErrorT", bound=ServiceError)


def ask_now(url: str, **options: Any) -> Move | None:
    with Client(url, backoff=0.01, **options) as client:
        return client.best_move(".........", time_ms=100).move


def ask_asynchronously(url: str, **options: Any) -> Move | None:
    async def asked() -> Move | None:
        async with AsyncClient(url, backoff=0.01, **options) as client:
            return (await client.best_move(".........", time_ms=100)).move

    return awaited(asked())


Ask = Callable[..., Move | None]


@pytest.fixture(params=[ask_now, ask_asynchronously], ids=["Client", "AsyncClient"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Ask with each of the clients, because both must handle failures in the same way."""
    asked: Ask = request.param
    return asked


@pytest.mark.parametrize("mode", ["reset", "half", "torn", "gateway", "late", "past"])
def test_after_a_temporary_failure_the_client_tries_again(ask: Ask, mode: str) -> None:
    with faulty(mode, times=2) as server:
        assert ask(server.url) == Move(0, 0, 0, "a3")
        assert server.asked == 3


def test_the_client_waits_as_long_as_the_service_says(ask: Ask) -> None:
    with faulty("busy", times=1) as server:
        started = time.monotonic()
        assert ask(server.url) == Move(0, 0, 0, "a3")
        assert time.monotonic() - started >= 1
        assert server.asked == 2


def test_pauses_double_from_the_third_attempt_on() -> None:
    attempts = Attempts(left=5, backoff=0.25)
    lost = ServiceUnreachable("lost")
    assert [attempts.pause_after(lost) for _ in range(5)] == [0.0, 0.25, 0.5, 1.0, 2.0]
    with pytest.raises(ServiceUnreachable):
        attempts.pause_after(lost)


def test_a_textbook_search_that_ran_out_of_time_is_not_asked_again() -> None:
    with (
        running_service(max_time_ms="20") as url,
        Client(url) as client,
        pytest.raises(ServiceUnavailable) as failed,
    ):
        client.best_move("." * 9, algorithm="minimax")
    assert (failed.value.out_of_time, failed.value.retry_after) == (True, 1)
    with pytest.raises(ServiceUnavailable):
        Attempts(left=3, backoff=0.25).pause_after(failed.value)


def test_the_client_waits_as_the_service_asks_but_at_most_half_a_minute() -> None:
    attempts = Attempts(left=3, backoff=0.25)
    asked = (7.0, 3600.0, 0.0)
    pauses = [attempts.pause_after(ServiceUnavailable("busy", seconds)) for seconds in asked]
    assert pauses == [7.0, 30.0, 0.0]


def answered(status: int, headers: dict[str, str], error: type[ErrorT]) -> ErrorT:
    """Return the error that an answer raises."""
    call: Call[object] = Call("/best-move", {}, lambda document: document)
    with pytest.raises(error) as caught:
        call.answer("http://a", Reply(status, "", headers, b'{"detail": "say what"}'))
    return caught.value


def test_the_status_decides_whether_to_wait() -> None:
    for status in (400, 404, 422, 499):
        assert answered(status, {}, RequestRefused).status == status
    for status in (429, 503):
        assert answered(status, {"Retry-After": "7"}, ServiceUnavailable).retry_after == 7


def test_a_late_connection_is_tried_again(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0

    def late(*_: object, **__: object) -> None:
        nonlocal tried
        tried += 1
        raise (requests.ConnectTimeout if ask is ask_now else httpx.ConnectTimeout)("late")

    monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", late)
    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", late)
    with pytest.raises(ServiceUnreachable, match="late") as caught:
        ask("http://127.0.0.1:1", retries=2)
    assert not caught.value.timed_out
    assert tried == 3


DEAD = "http://user:secret@127.0.0.1:1"
THROUGH = " through the proxy 127.0.0.1:1 "
ENVIRONMENTS = [  # variables, the scheme of an unknown host or `direct`, a part of the error
    ("http_proxy=SERVER", "http", None),
    ("HTTP_PROXY=SERVER", "http", None),
    ("ALL_PROXY=SERVER http_proxy=", "http", None),
    (f"http_proxy={DEAD} no_proxy=", "http", f"{THROUGH}(http_proxy): "),
    (f"HTTPS_PROXY={DEAD}", "https", f"{THROUGH}(https_proxy): "),
    (f"all_proxy={DEAD}", "https", f"{THROUGH}(all_proxy): "),
    (f"REQUEST_METHOD=GET HTTP_PROXY={DEAD}", "direct", None),
    *[
        (f"http_proxy={proxy}", "direct", "http_proxy")
        for proxy in ("http://a:abc", "http://a:99999", "socks4://a:1", "socks5://a:1")
    ],
    *[
        (f"http_proxy={DEAD} {name}={hosts}", "direct", None)
        for name in ("no_proxy", "NO_PROXY")
        for hosts in ("[::1],127.0.0.1", "fe80::/10,127.0.0.0/8", "localhost:*,127.0.0.1:*", "*")
    ],
    *[
        (f"{name}=/nonexistent/file", scheme, name if scheme == "https" else None)
        for name in (*TRUSTED, "SSLKEYLOGFILE")
        for scheme in ("https", "direct")
    ],
    *[(f"{name}=/etc/passwd", "https", name) for name in TRUSTED],
    ("NETRC=/etc", "direct", "NETRC"),
    ("NETRC=/nonexistent", "direct", None),
]


@pytest.mark.parametrize(("variables", "scheme", "error"), ENVIRONMENTS)
def test_the_environment_is_read(ask: Ask, variables: str, scheme: str, error: str | None) -> None:
    with faulty("reset", times=0) as server:
        given = variables.replace("SERVER", server.url).split(" ")
        url = server.url if scheme == "direct" else f"{scheme}://bestmove.invalid"
        with patch.dict(os.environ, dict(each.split("=", 1) for each in given), clear=True):
            if error is None:
                assert ask(url, retries=0) == Move(0, 0, 0, "a3")
                return
            with pytest.raises(ServiceError, match=rf"^{url}.*{re.escape(error)}") as caught:
                ask(url, retries=0)
            assert "secret" not in str(caught.value)


@pytest.mark.parametrize("form", ["%a, %d %b %Y %H:%M:%S -0000", "%a %b %d %H:%M:%S %Y"])
def test_a_date_without_a_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "WEST+5")
        time.tzset()
        date = (datetime.now(UTC) + timedelta(hours=1)).strftime(form)
        refused = answered(503, {"Retry-After": date}, ServiceUnavailable)
    time.tzset()
    assert 3000 < (refused.retry_after or 0) <= 3600


def stream_now(url: str, items: list[Any], **options: Any) -> None:
    with Client(url, backoff=0.01, **options) as client:
        items.extend(client.stream(".........", time_ms=100))


def stream_asynchronously(url: str, items: list[Any], **options: Any) -> None:
    async def streamed() -> None:
        async with AsyncClient(url, backoff=0.01, **options) as client:
            async for item in client.stream(".........", time_ms=100):
                items.append(item)

    awaited(streamed())


Stream = Callable[..., None]
by_each = pytest.mark.parametrize("stream", [stream_now, stream_asynchronously])


@by_each
@pytest.mark.parametrize(
    ("mode", "error", "words", "asked", "found"),
    [
        # A stream that breaks after an event does not begin again.
        ("stream", ServiceUnreachable, "ended too early", 1, [Progress]),
        # A refusal that breaks off is tried again.
        ("torn", ServiceUnreachable, "ended too early", 3, []),
        # A stream that stalls is waited for only so long, and not asked again.
        ("stall", ServiceUnreachable, r"no answer within 0\.4 s", 1, []),
        ("latin", InvalidAnswer, "", 1, []),
    ],
)
def test_a_stream_that_fails(
    stream: Stream, mode: str, error: type[ServiceError], words: str, asked: int, found: list[type]
) -> None:
    items: list[Any] = []
    with faulty(mode) as server:
        with pytest.raises(error) as caught:
            stream(server.url, items, retries=2, timeout=0.3)
        assert server.asked == asked
    assert re.search(words, str(caught.value))
    assert getattr(caught.value, "timed_out", False) == (mode == "stall")
    assert [type(item) for item in items] == found


@by_each
def test_only_line_ends_end_the_lines_of_a_stream(stream: Stream) -> None:
    items: list[Any] = []
    with faulty("separators") as server:
        stream(server.url, items)
    assert [item.reason.text for item in items] == ["one\u2028two\u0085three"]


@pytest.mark.parametrize(
    ("mode", "error", "words", "asked"),
    [
        # Lasting failures are raised after the last retry.
        ("reset", ServiceUnreachable, "reset", 3),
        ("half", ServiceUnreachable, "ended too early", 3),
        ("torn", ServiceUnreachable, "ended too early", 3),
        ("gateway", ServiceUnavailable, "502 Bad Gateway", 3),
        ("late", ServiceUnavailable, "504 Gateway Timeout", 3),
        ("past", ServiceUnavailable, "503 try again later", 3),
        # A server that is too slow, an invalid answer and a refusal are not tried again.
        ("slow", ServiceUnreachable, r"no answer within 0\.4 s", 1),
        ("stall", ServiceUnreachable, r"no answer within 0\.4 s", 1),
        ("page", InvalidAnswer, "not JSON", 1),
        ("other", InvalidAnswer, "no usable 'rules'", 1),
        ("array", InvalidAnswer, "instead of an object", 1),
        ("broken", InvalidAnswer, "500 the request id finds it", 1),
        ("moved", InvalidAnswer, "redirects to https://elsewhere.example/", 1),
        ("refuse", RequestRefused, "422 /board: no board; /k: no k", 1),
    ],
)
def test_a_failure_is_raised(
    ask: Ask, mode: str, error: type[ServiceError], words: str, asked: int
) -> None:
    with faulty(mode) as server:
        with pytest.raises(error, match=words) as caught:
            ask(server.url, retries=2, timeout=0.3)
        assert server.asked == asked
    assert getattr(caught.value, "timed_out", False) == (mode in ("slow", "stall"))
    if isinstance(caught.value, RequestRefused):
        assert (caught.value.status, caught.value.problem["title"]) == (422, "Invalid")


def test_each_call_of_a_client_has_its_own_retries() -> None:
    with faulty("reset") as server, Client(server.url, retries=1) as client:
        for asked in (2, 4):
            with pytest.raises(ServiceUnreachable):
                client.best_move(".........", time_ms=100)
            assert server.asked == asked
