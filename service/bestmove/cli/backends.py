"""Where answers come from: the engine in this process, or a service. Both return the same records.

`on_progress` is called with the answer so far after every depth. Ctrl-C raises `Interrupted` with
the answer so far, or KeyboardInterrupt if there is none yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Any, TypeVar, Unpack

from bestmove.client import questions
from bestmove.client.answers import Analysis, BestMove, GameTree, Proven
from bestmove.client.boards import position_of
from bestmove.client.connection import Client
from bestmove.client.events import Progress
from bestmove.errors import InvalidLimits
from bestmove.game import Board
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import DEFAULT_TIME_MS, Limits

_Found = TypeVar("_Found")
_Answer = TypeVar("_Answer", BestMove, Analysis)

Spelling = str | list[Any] | Board | None
"""A board; None means that the options describe it, by its moves or as the empty board."""


class CommandOptions(questions.AnalysisOptions, questions.MoveOptions, total=False):
    """The options for a board.

    Attributes:
        nodes: how many nodes to search; a service does not accept this option.
    """

    nodes: int | None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with the answer so far."""

    def __init__(self, answer: BestMove | Analysis) -> None:
        super().__init__()
        self.answer = answer


class Local:
    """The engine in this process.

    Args:
        in_game: whether all boards are positions of one game, so that each search may use the
            results of the earlier ones.
    """

    def __init__(self, in_game: bool = False) -> None:
        self._in_game = in_game

    def best_move(
        self,
        board: Spelling = None,
        *,
        on_progress: Callable[[BestMove], None] | None = None,
        **options: Unpack[CommandOptions],
    ) -> BestMove:
        """The best move."""
        from bestmove.search.analysis import best_move

        limits = replace(limits_of(options), in_game=self._in_game)
        return _answered(best_move, BestMove.from_json, board, options, limits, on_progress)

    def analyze(
        self,
        board: Spelling = None,
        *,
        on_progress: Callable[[Analysis], None] | None = None,
        **options: Unpack[CommandOptions],
    ) -> Analysis:
        """Every legal move."""
        from bestmove.search.analysis import analyze

        limits = limits_of(options)
        return _answered(analyze, Analysis.from_json, board, options, limits, on_progress)

    def prove(self, board: Spelling = None, **options: Unpack[CommandOptions]) -> Proven:
        """A certificate of the result."""
        from bestmove.proof.certificate import attempt

        position = position_of(board, options)
        (proof, why), is_interrupted = interruptible(
            lambda stop: attempt(position, limits_of(options), cancellation=stop)
        )
        if is_interrupted:
            raise KeyboardInterrupt
        return Proven(None, why) if proof is None else Proven(proof.to_dict(), None)

    def game_tree(
        self, tree: object, *, maximizing: bool, depth: int | None, algorithm: str | None
    ) -> GameTree:
        """The value of an explicit tree."""
        from bestmove.search.textbook.tree import parse, search

        found = search(parse(tree), algorithm or "alpha-beta", maximizing, depth)
        return GameTree.from_json(found.to_dict())


class Remote:
    """A service; its methods take the same arguments as those of `Local`."""

    def __init__(self, client: Client) -> None:
        self.best_move = partial(_requested, client.best_move)
        self.analyze = partial(_requested, client.analyze)
        self.prove = partial(_requested, client.prove)
        self.game_tree = client.game_tree


Source = Local | Remote


def _requested(
    ask: Callable[..., _Found],
    board: Spelling = None,
    *,
    on_progress: Callable[[Any], None] | None = None,
    **options: Unpack[CommandOptions],
) -> _Found:
    """The answer of `ask`, a method of the client. Ctrl-C closes the connection, which ends the
    search.

    Raises:
        InvalidLimits: the options contain nodes.
    """
    if "nodes" in options:
        raise InvalidLimits("a service does not accept --nodes: use --time or --depth", "nodes")
    if on_progress is None:
        return ask(board, **options)
    latest: BestMove | Analysis | None = None

    def progress(found: Progress[BestMove] | Progress[Analysis]) -> None:
        nonlocal latest
        latest = found.answer
        on_progress(latest)

    try:
        return ask(board, on_progress=progress, **options)
    except KeyboardInterrupt:
        if latest is None:
            raise
        raise Interrupted(latest) from None


def _answered(
    search: Callable[..., Any],
    read: Callable[[object], _Answer],
    board: Spelling,
    options: CommandOptions,
    limits: Limits,
    on_progress: Callable[[_Answer], None] | None,
) -> _Answer:
    """The answer of `search`, a function of the library, as a record of the client."""
    from bestmove.search.analysis import is_cheap

    position = position_of(board, options)
    if is_cheap(position, limits) or limits.algorithm != "auto":
        return read(search(position, limits).to_dict())

    def progress(found: Any) -> None:
        if on_progress:
            on_progress(read(found.to_dict()))

    found, is_interrupted = interruptible(partial(search, position, limits, progress))
    answer = read(found.to_dict())
    if is_interrupted:
        raise Interrupted(answer)
    return answer


def interruptible(search: Callable[[Cancellation], _Found]) -> tuple[_Found, bool]:
    """The result of the search, and whether Ctrl-C ended it.

    The compiled engine does not check for signals, so it searches in another thread.

    Raises:
        KeyboardInterrupt: Ctrl-C came before the search began, or a second time.
    """
    cancellation = Cancellation()
    found: Future[_Found] = Future()

    def run() -> None:
        try:
            found.set_result(search(cancellation))
        except BaseException as error:
            found.set_exception(error)

    # Ctrl-C may come at any point, even while the thread starts.
    thread = Thread(target=run, daemon=True)
    try:
        thread.start()
        return found.result(), False
    except KeyboardInterrupt:
        cancellation.cancel()
        if thread.ident is None:
            raise
        return found.result(), True


@contextmanager
def backend(url: str | None, in_game: bool = False) -> Iterator[Source]:
    """The service at `url`, or the engine in this process if there is no URL."""
    if url is None:
        yield Local(in_game)
        return
    with Client(url) as client:
        yield Remote(client)


def limits_of(options: CommandOptions) -> Limits:
    """The limits of the search."""
    return Limits(
        time_ms=options.get("time_ms") or DEFAULT_TIME_MS,
        depth=options.get("depth"),
        level=options.get("level") or 10,
        seed=options.get("seed"),
        algorithm=options.get("algorithm") or "auto",
        evaluation=options.get("evaluation") or "bare",
        lines=options.get("lines"),
        nodes=options.get("nodes"),
        threads=options.get("threads"),
    )
