"""The engine in the command line's own process."""

from __future__ import annotations

import threading

import pytest

from bestmove.cli import backends
from bestmove.game import Board
from bestmove.search import dispatch
from bestmove.search.limits import Limits

BOARD = Board.parse("." * 25)


def test_ctrl_c_while_the_search_begins_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled, ended = threading.Event(), threading.Event()
    begin = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        begin(thread)
        monkeypatch.undo()
        monkeypatch.setattr(dispatch, "cancel", cancelled.set)
        raise KeyboardInterrupt

    def search() -> None:
        assert cancelled.wait(60)
        ended.set()

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        backends.interruptible(search, BOARD, Limits())
    assert cancelled.is_set()
    assert ended.wait(60)


def test_what_goes_wrong_in_a_search_is_told_to_its_caller() -> None:
    def search() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        backends.interruptible(search, BOARD, Limits())
    assert backends.interruptible(lambda: 5, BOARD, Limits()) == 5
