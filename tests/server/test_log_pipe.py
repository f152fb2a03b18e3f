"""The service keeps working if nobody reads its log."""

import fcntl
import json
import os
import signal
from typing import Any

import pytest

from bestmove.api.logs import Output
from tests.support.replicas import answers, children
from tests.support.servers import running_process
from tests.support.sockets import eventually, get, metric, post

DROPPED = "bestmove_log_lines_dropped_total"


@pytest.fixture
def pipe() -> object:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 16384)
    yield reading, writing
    os.close(reading)
    os.close(writing)


def drained(reading: int) -> list[str]:
    """Empty the pipe. Return the lines that were in it."""
    os.set_blocking(reading, False)
    found = b""
    try:
        while more := os.read(reading, 65536):
            found += more
    except BlockingIOError:
        pass
    return found.decode().splitlines()


@pytest.fixture(params=["opened again", "shared"])
def either_pipe(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> tuple[int, int]:
    if request.param == "shared":
        monkeypatch.setattr("bestmove.api.logs._opened_again", lambda descriptor: descriptor)
    return pipe


def test_lines_that_do_not_fit_are_dropped_counted_and_told(either_pipe: tuple[int, int]) -> None:
    reading, writing = either_pipe
    dropped: list[None] = []
    output = Output(writing)
    output.on_dropped = lambda: dropped.append(None)
    for number in range(600):
        output.write(f"{number:39}\n")
    assert len(dropped) > 0
    lines = drained(reading)
    assert [int(line) for line in lines] == list(range(600 - len(dropped)))
    assert os.get_blocking(writing)  # other processes share the pipe and expect it to block
    output.write("after\n")
    told, after = drained(reading)
    assert told.startswith(f"{len(dropped)} lines before this one were dropped")
    assert after == "after"
    output.write("again\n")
    assert drained(reading) == ["again"]


def test_a_long_line_is_never_mixed_with_others(either_pipe: tuple[int, int]) -> None:
    reading, writing = either_pipe
    output = Output(writing)
    output.write("short\n")
    found = drained(reading)
    output.write("long" * 5000 + "\n")
    output.write("lost\n")
    for _ in range(10):
        found += drained(reading)
        output.write("next\n")
    text = "".join(found)
    assert text.startswith("short" + "long" * 5000)
    assert "lost" not in text
    assert "2 lines before" in text or "1 lines before" in text


def test_a_reader_that_is_gone_causes_no_error() -> None:
    reading, writing = os.pipe()
    output = Output(writing)
    os.close(reading)
    for _ in range(3):
        output.write("nobody\n")
    os.close(writing)


def test_a_pipe_that_nobody_reads_stops_no_request_and_no_worker(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    with running_process(2, output=writing) as (master, url):
        for _ in range(100):
            assert post(url, "/best-move", {"board": "X...O...."}) == 200
        assert metric(url, DROPPED) > 10
        killed = children(master.pid)
        for worker in killed:  # the master logs a line when a worker ends
            os.kill(worker, signal.SIGKILL)
        eventually(
            lambda: (
                set(children(master.pid)).isdisjoint(killed)
                and answers(int(url.rpartition(":")[2]))
            )
        )
        assert metric(url, DROPPED) > 10
        drained(reading)
        lines: list[dict[str, Any]] = []

        def is_told() -> bool:
            get(f"{url}/healthz")
            lines.extend(map(json.loads, drained(reading)))
            return any("were dropped" in line.get("message", "") for line in lines)

        eventually(is_told)  # a worker that has dropped lines reports it
        assert any(line.get("route") == "/healthz" for line in lines)
