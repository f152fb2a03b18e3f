"""Where answers come from: the engine in this process, or a service. Both give the same records."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from threading import Thread
from typing import Any, Protocol, TypeVar, Unpack

from bestmove.client.answers import Analysis, BestMove, GameTree
from bestmove.client.boards import position_of
from bestmove.client.connection import Client
from bestmove.client.questions import AnalysisOptions, Options
from bestmove.errors import InvalidNotation
from bestmove.game import Board
from bestmove.search.limits import DEFAULT_TIME_MS, Limits

_Found = TypeVar("_Found")

Spelling = str | list[Any] | Board | None
"""A board; None is the one that the options describe, by its moves or as the empty one."""


class Backend(Protocol):
    """What the commands ask for; a `Client` is one."""

    def best_move(self, board: Spelling = None, **options: Unpack[Options]) -> BestMove:
        """As `/best-move`."""

    def analyze(self, board: Spelling = None, **options: Unpack[AnalysisOptions]) -> Analysis:
        """As `/analyze`."""

    def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
    ) -> GameTree:
        """As `/game-tree`."""


class Local:
    """The engine in this process, its answers shaped as the service shapes them."""

    def best_move(self, board: Spelling = None, **options: Unpack[Options]) -> BestMove:
        """The best move."""
        from bestmove.search.analysis import best_move

        position, limits = position_of(board, options), limits_of(options)
        found = interruptible(partial(best_move, position, limits), position, limits)
        return BestMove.from_json(found.to_dict())

    def analyze(self, board: Spelling = None, **options: Unpack[AnalysisOptions]) -> Analysis:
        """Every legal move."""
        from bestmove.search.analysis import analyze

        position, limits = position_of(board, options), limits_of(options, options.get("lines"))
        found = interruptible(partial(analyze, position, limits), position, limits)
        return Analysis.from_json(found.to_dict())

    def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
    ) -> GameTree:
        """The value of an explicit tree."""
        from bestmove.search.textbook.tree import parse, search

        found = search(parse(tree), algorithm or "alpha-beta", maximizing, depth)
        return GameTree.from_json(found.to_dict())


def interruptible(search: Callable[[], _Found], board: Board, limits: Limits) -> _Found:
    """The search's answer; Ctrl-C ends a long one at once.

    The compiled engine does not look out for signals, so it searches in a thread of its own.
    """
    from bestmove.search import dispatch
    from bestmove.search.analysis import is_cheap

    if is_cheap(board, limits) or limits.algorithm != "auto":
        return search()
    found: Future[_Found] = Future()

    def run() -> None:
        try:
            found.set_result(search())
        except BaseException as error:
            found.set_exception(error)

    # Ctrl-C may come at any place in here, also while the thread starts.
    thread = Thread(target=run, daemon=True)
    try:
        thread.start()
        return found.result()
    except KeyboardInterrupt:
        while thread.is_alive() and not found.done():
            dispatch.cancel()
            wait([found], 0.05)
        raise


def backend(url: str | None) -> AbstractContextManager[Backend]:
    """The service at `url`, or the engine here."""
    return nullcontext(Local()) if url is None else Client(url)


def limits_of(options: Options, lines: int | None = None) -> Limits:
    """The limits that the options describe."""
    return Limits(
        time_ms=options.get("time_ms") or DEFAULT_TIME_MS,
        depth=options.get("depth"),
        level=options.get("level") or 10,
        seed=options.get("seed"),
        algorithm=options.get("algorithm") or "auto",
        lines=lines,
    )


def spelling(text: str) -> str | list[Any]:
    """A board as typed: text, or a JSON array.

    Raises:
        InvalidNotation: broken JSON.
    """
    if not text.lstrip().startswith("["):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidNotation(f"the board begins with [ but is no JSON array: {error}") from error
    assert isinstance(value, list)
    return value
