"""The engine in this process, with the client's methods."""

import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from bestmove.answers import BestMove, Progress
from bestmove.bots import engine
from bestmove.bots.engine import Engine
from bestmove.proof import certificate
from bestmove.search.cancellation import Cancellation
from tests.support.sockets import eventually

ENDLESS = 600_000


@pytest.fixture(autouse=True)
def usual_ctrl_c() -> Iterator[None]:
    """Commands that ran in this process before may have changed what Ctrl-C does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c(*_: object) -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@pytest.mark.parametrize("in_game", [False, True])
def test_ctrl_c_ends_a_search_after_the_best_answer_so_far_was_reported(in_game: bool) -> None:
    running = threading.active_count()
    seen: list[BestMove] = []

    def press_once(found: Progress[BestMove]) -> None:
        seen.append(found.answer)
        if len(seen) == 1:
            press_ctrl_c()

    with pytest.raises(KeyboardInterrupt):
        Engine(in_game).best_move(
            game="gomoku", moves="h8", time_ms=ENDLESS, on_progress=press_once
        )
    assert seen[-1].move is not None
    eventually(lambda: threading.active_count() == running)


@pytest.mark.parametrize("started", [False, True])
def test_ctrl_c_as_a_search_begins_ends_it(monkeypatch: pytest.MonkeyPatch, started: bool) -> None:
    begin = threading.Thread.start
    ended = threading.Event()

    def start(thread: threading.Thread) -> None:
        if started:
            begin(thread)
        monkeypatch.undo()
        raise KeyboardInterrupt

    def search(cancellation: Cancellation) -> None:
        cancelled = threading.Event()
        with cancellation.reaching(cancelled.set):
            if cancellation.is_cancelled or cancelled.wait(60):
                ended.set()

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        engine._until_ctrl_c(search)
    assert ended.wait(60) or not started


def test_ctrl_c_ends_a_proof_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = certificate.attempt

    def pressed(*arguments: Any, **options: Any) -> object:
        press_ctrl_c()
        return attempt(*arguments, **options)

    monkeypatch.setattr(certificate, "attempt", pressed)
    with pytest.raises(KeyboardInterrupt):
        Engine().prove(game="gomoku", time_ms=ENDLESS)


def test_in_a_browser_it_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(threading.Thread, "start", None)
    assert Engine().best_move("X" + "." * 15, k=3, depth=1).move is not None


def test_a_seed_of_zero_is_a_seed() -> None:
    chosen = [Engine().best_move("." * 36, k=4, level=1, seed=0).move for _ in range(8)]
    assert len(set(chosen)) == 1
