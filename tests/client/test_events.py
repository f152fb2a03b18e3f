"""The clients read the events that the service sends during a search."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bestmove.client import (
    Analysis,
    AsyncClient,
    BestMove,
    Client,
    InvalidAnswer,
    Progress,
    RequestRefused,
    ServiceUnavailable,
)
from bestmove.client.events import EVENTS, Events
from bestmove.client.reading import object_of
from bestmove.client.wire import Call
from tests.support.positions import OPENING
from tests.support.servers import awaited
from tests.support.sockets import eventually, metric


def without_time(answer: Any) -> Any:
    return replace(answer, search=replace(answer.search, elapsed_ms=0.0, cached=False))


def test_a_stream_yields_progress_and_then_the_answer(client: Client) -> None:
    *progress, answer = client.stream(OPENING, depth=4, time_ms=4_000)
    assert isinstance(answer, BestMove)
    assert [item.depth for item in progress if isinstance(item, Progress)] == [1, 2, 3, 4]
    for item in progress:
        assert isinstance(item, Progress)
        assert item.nodes == item.answer.search.nodes
        assert item.elapsed_ms == item.answer.search.elapsed_ms
        assert item.answer.board == answer.board
    assert without_time(answer) == without_time(client.best_move(OPENING, depth=4, time_ms=4_000))


def test_a_callback_gets_the_progress(client: Client) -> None:
    seen: list[Progress[BestMove]] = []
    answer = client.best_move(OPENING, on_progress=seen.append, depth=3, time_ms=3_000)
    assert isinstance(answer, BestMove)
    assert [item.depth for item in seen] == [1, 2, 3]
    looks: list[Progress[Analysis]] = []
    client.analyze(OPENING, on_progress=looks.append, depth=1, time_ms=3_000)
    assert [item.depth for item in looks] == [1]


def test_closing_the_iterator_ends_the_search(client: Client, url: str) -> None:
    items = client.stream(OPENING, time_ms=9_999)
    assert isinstance(next(items), Progress)
    eventually(lambda: metric(url) == 1)
    items.close()
    eventually(lambda: not metric(url))
    assert client.best_move("X...O....").board


def test_the_asynchronous_client_follows_in_the_same_way(url: str) -> None:
    async def followed() -> list[Any]:
        async with AsyncClient(url) as client:
            with pytest.raises(RequestRefused, match="8 cells"):
                async for _ in client.stream("X...O..."):
                    pass
            left = client.stream(OPENING, time_ms=9_999)
            assert isinstance(await anext(left), Progress)
            await left.aclose()
            analysis = [item async for item in client.stream_analysis("X...O....")]
            assert isinstance(analysis[0], Analysis)
            return [item async for item in client.stream(OPENING, depth=2, time_ms=3_000)]

    *progress, answer = awaited(followed())
    assert [item.depth for item in progress] == [1, 2]
    assert isinstance(answer, BestMove)
    eventually(lambda: not metric(url))


def read(*lines: str, kind: str = EVENTS, end: str = "\n", step: int = 1000) -> list[Any]:
    """Return the items that a client reads from these lines, with answers as JSON objects."""
    call: Call[object] = Call("/best-move", {}, object_of)
    events: Events[object] = Events("http://host", call, {"Content-Type": kind})
    data = "".join(line + end for line in lines).encode()
    pieces = (data[at : at + step] for at in range(0, len(data), step))
    return [item for piece in pieces for item in events.feed(piece)]


def test_comments_and_unknown_events_are_ignored() -> None:
    found = read(":", "", "event: news", "data: {}", "", "event: answer", 'data: {"a":1}')
    assert found == [{"a": 1}]


def test_a_blank_line_ends_an_event_and_its_name() -> None:
    assert read("event: answer", "", 'data: {"a":1}', "") == []
    assert read("event: answer", 'data: {"a":1}', "", 'data: {"a":2}', "") == [{"a": 1}]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("space", ["", " "])
@pytest.mark.parametrize("step", [1, 5, 1000])
def test_events_are_read_in_every_spelling_of_the_standard(end: str, space: str, step: int) -> None:
    lines = (f"event:{space}answer", f'data:{space}{{"a":" b: c"}}', "")
    for kind in (EVENTS, f"{EVENTS}; charset=utf-8"):
        assert read(*lines, kind=kind, end=end, step=step) == [{"a": " b: c"}]


def test_a_problem_is_raised_by_its_status() -> None:
    for status, error in ((503, ServiceUnavailable), (422, RequestRefused), (500, InvalidAnswer)):
        data = json.dumps({"status": status, "title": "No", "detail": "what to change"})
        with pytest.raises(error, match="what to change"):
            read("event: problem", f"data: {data}")


@pytest.mark.parametrize(
    "data",
    [
        *("{", "[]", "{}", '{"depth":1}'),
        *(f'{{"depth":{depth},"nodes":1,"elapsed_ms":1,"answer":[]}}' for depth in ('"x"', "1")),
    ],
)
def test_events_of_another_shape_are_refused_with_the_address(data: str) -> None:
    with pytest.raises(InvalidAnswer, match="http://host"):
        read("event: progress", f"data: {data}")
    with pytest.raises(InvalidAnswer, match="http://host"):
        read(kind="text/html")
