"""The client against real server processes that misbehave."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import requests

from bestmove.client import AsyncClient, Client, Move, Progress
from bestmove.client.wire import Attempts, Call, Reply
from bestmove.errors import (
    InvalidAnswer,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    ServiceUnreachable,
)
from tests.support.servers import awaited, running_service
from tests.support.sockets import eventually, get

FOREVER = 1000


@contextmanager
def server(mode: str, times: int = FOREVER) -> Iterator[str]:
    """Start a server that fails the first `times` requests. Yield its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.client.faulty", mode, str(times)],
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def requests_to(url: str) -> int:
    return int(get(f"{url}/count"))


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
    with server(mode, times=2) as url:
        assert ask(url) == Move(0, 0, 0, "a3")
        assert requests_to(url) == 3


@pytest.mark.parametrize("fault", ["busy", "limited"])
def test_the_client_waits_as_long_as_the_service_or_its_edge_says(ask: Ask, fault: str) -> None:
    with server(fault, times=1) as url:
        started = time.monotonic()
        assert ask(url) == Move(0, 0, 0, "a3")
        assert time.monotonic() - started >= 1
        assert requests_to(url) == 2


def test_pauses_double_from_the_third_attempt_on() -> None:
    attempts = Attempts(retries=5, backoff=0.25)
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
        Attempts(retries=3, backoff=0.25).pause_after(failed.value)


def test_the_client_waits_as_the_service_asks_but_at_most_half_a_minute() -> None:
    attempts = Attempts(retries=3, backoff=0.25)
    asked = (7.0, 3600.0, 0.0)
    pauses = [attempts.pause_after(ServiceUnavailable("busy", seconds)) for seconds in asked]
    assert pauses == [7.0, 30.0, 0.0]


@pytest.mark.parametrize("status", [400, 404, 422, 499])
def test_every_status_of_a_faulty_request_refuses_it(status: int) -> None:
    call: Call[object] = Call("/best-move", {}, lambda document: document)
    with pytest.raises(RequestRefused) as refused:
        call.answer("http://a", Reply(status, "", {}, b'{"detail": "say what"}'))
    assert refused.value.status == status


def test_a_connection_that_is_not_made_in_time_is_tried_again(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_proxy_of_the_environment_that_does_not_answer_is_named(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://user:secret@127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(ServiceUnreachable, match=r"^http://bestmove\.invalid/") as caught:
        ask("http://bestmove.invalid", retries=0)
    assert " through the proxy 127.0.0.1:1: " in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("form", ["%a, %d %b %Y %H:%M:%S -0000", "%a %b %d %H:%M:%S %Y"])
def test_a_date_in_retry_after_without_a_zone_is_in_utc(
    monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "WEST+5")
        time.tzset()
        date = (datetime.now(UTC) + timedelta(hours=1)).strftime(form)
        call: Call[object] = Call("/best-move", {}, lambda document: document)
        with pytest.raises(ServiceUnavailable) as caught:
            call.answer("http://a", Reply(503, "", {"Retry-After": date}, b"{}"))
    time.tzset()
    assert 3000 < (caught.value.retry_after or 0) <= 3600


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
def test_a_stream_that_breaks_after_an_event_does_not_begin_again(stream: Stream) -> None:
    items: list[Any] = []
    with server("stream", times=1) as url:
        with pytest.raises(ServiceUnreachable, match="ended too early"):
            stream(url, items)
        assert [type(item) for item in items] == [Progress]
        assert requests_to(url) == 1


@by_each
def test_a_refusal_of_a_stream_that_breaks_off_is_tried_again(stream: Stream) -> None:
    with server("torn") as url:
        with pytest.raises(ServiceUnreachable, match="ended too early"):
            stream(url, [], retries=2)
        assert requests_to(url) == 3


@by_each
def test_a_stream_that_stalls_is_waited_for_only_so_long_and_not_asked_again(
    stream: Stream,
) -> None:
    with server("stall") as url:
        with pytest.raises(ServiceUnreachable, match=r"no answer within 0\.4 s") as caught:
            stream(url, [], timeout=0.3)
        assert caught.value.timed_out
        assert requests_to(url) == 1


@by_each
def test_only_line_ends_end_the_lines_of_a_stream(stream: Stream) -> None:
    items: list[Any] = []
    with server("separators") as url:
        stream(url, items)
    assert [item.reason.text for item in items] == ["one\u2028two\u0085three"]


@by_each
def test_a_stream_that_is_not_utf_8_is_refused(stream: Stream) -> None:
    with server("latin") as url, pytest.raises(InvalidAnswer):
        stream(url, [])


@pytest.mark.parametrize(
    ("mode", "error", "words"),
    [
        ("reset", ServiceUnreachable, "reset"),
        ("half", ServiceUnreachable, "ended too early"),
        ("torn", ServiceUnreachable, "ended too early"),
        ("gateway", ServiceUnavailable, "502 Bad Gateway"),
        ("late", ServiceUnavailable, "504 Gateway Timeout"),
    ],
)
def test_a_lasting_failure_is_raised_after_the_last_retry(
    ask: Ask, mode: str, error: type[ServiceError], words: str
) -> None:
    with server(mode) as url:
        with pytest.raises(error, match=words):
            ask(url, retries=2)
        assert requests_to(url) == 3


def test_each_call_of_a_client_has_its_own_retries() -> None:
    with server("reset") as url, Client(url, retries=1) as client:
        for asked in (2, 4):
            with pytest.raises(ServiceUnreachable):
                client.best_move(".........", time_ms=100)
            assert requests_to(url) == asked


def test_a_lasting_503_is_raised_in_the_services_words(ask: Ask) -> None:
    with server("busy") as url, pytest.raises(ServiceUnavailable, match="503 try again later"):
        ask(url, retries=0)


@pytest.mark.parametrize("mode", ["slow", "stall"])
def test_a_server_that_is_too_slow_is_not_asked_again(ask: Ask, mode: str) -> None:
    with server(mode) as url:
        with pytest.raises(ServiceUnreachable, match=r"no answer within 0\.4 s") as caught:
            ask(url, timeout=0.3)
        assert caught.value.timed_out
        eventually(lambda: requests_to(url))
        assert requests_to(url) == 1


def test_a_server_that_is_gone_raises_at_once(ask: Ask) -> None:
    with pytest.raises(ServiceUnreachable, match=r"Connection refused|Connect call failed"):
        ask("http://127.0.0.1:1", retries=1)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("page", "not JSON"),
        ("other", "no usable 'rules'"),
        ("array", "instead of an object"),
        ("broken", "500 the request id finds it"),
        ("moved", "redirects to https://elsewhere.example/"),
    ],
)
def test_an_invalid_answer_is_raised_and_not_tried_again(ask: Ask, mode: str, words: str) -> None:
    with server(mode) as url:
        with pytest.raises(InvalidAnswer, match=words):
            ask(url)
        assert requests_to(url) == 1


def test_a_refusal_names_every_fault_and_is_not_tried_again(ask: Ask) -> None:
    with server("refuse") as url:
        with pytest.raises(RequestRefused, match="422 /board: no board; /k: no k") as caught:
            ask(url)
        assert requests_to(url) == 1
    assert caught.value.status == 422
    assert caught.value.problem["title"] == "Invalid"
