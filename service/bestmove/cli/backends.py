"""The two sources of answers, with the same methods: the engine in this process, and a service.

After each depth of a search, both call `on_progress` with the best answer so far. Ctrl-C raises
`Interrupted` with this answer, or KeyboardInterrupt if there is no answer yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from bestmove.answers import Analysis, AnswerT, BestMove, Progress, Proven
from bestmove.bots.engine import Engine, EngineOptions, limits_of, proven
from bestmove.errors import InvalidLimits
from bestmove.game import Board
from bestmove.game.inputs import BoardInput, position_of
from bestmove.search.analysis import is_cheap
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import Limits, SearchLimits

if TYPE_CHECKING:
    from bestmove.client.connection import Client

_Found = TypeVar("_Found")


class Interrupted(KeyboardInterrupt):
    def __init__(self, answer: BestMove | Analysis) -> None:
        super().__init__()
        self.answer = answer


class Local(Engine):
    """The engine in this process. Ctrl-C interrupts its searches.

    Args:
        in_game: whether all boards belong to one game. A search may then use the results of
            earlier searches.
    """

    def __init__(self, in_game: bool = False) -> None:
        self._in_game = in_game

    def prove(
        self,
        board: BoardInput | None = None,
        *,
        exactly: bool = False,
        **options: Unpack[EngineOptions],
    ) -> Proven:
        position = position_of(board, options)
        search = partial(proven, position, limits_of(options), exactly)
        answer, is_interrupted = interruptible(search)
        if is_interrupted:
            raise KeyboardInterrupt
        return answer

    def _search(
        self,
        search: Callable[..., AnswerT],
        board: Board,
        limits: Limits,
        progress: Callable[[AnswerT], None] | None,
        _: Cancellation | None,
    ) -> AnswerT:
        limits = replace(SearchLimits.of(limits), in_game=self._in_game)
        if is_cheap(board, limits) or limits.algorithm != "auto":
            return search(board, limits)
        report = progress or (lambda _: None)
        answer, is_interrupted = interruptible(partial(search, board, limits, report))
        if is_interrupted:
            raise Interrupted(answer)
        return answer


class Remote:
    """A service, with the methods of `Local`."""

    def __init__(self, client: Client) -> None:
        self.best_move = partial(_requested, client.best_move)
        self.analyze = partial(_requested, client.analyze)
        self._client = client
        self.game_tree = client.game_tree

    def prove(
        self,
        board: BoardInput | None = None,
        *,
        exactly: bool = False,
        **options: Unpack[EngineOptions],
    ) -> Proven:
        return _requested(partial(self._client.prove, exactly=exactly), board, **options)


Source = Local | Remote


def _requested(
    ask: Callable[..., _Found],
    board: BoardInput | None = None,
    *,
    on_progress: Callable[[Progress[Any]], None] | None = None,
    **options: Unpack[EngineOptions],
) -> _Found:
    """Return the answer of `ask`, a method of the client.

    Ctrl-C closes the connection, and so ends the search.
    """
    if "nodes" in options:
        raise InvalidLimits("a service does not accept --nodes: use --time or --depth", "nodes")
    if on_progress is None:
        return ask(board, **options)
    latest: Progress[Any] | None = None

    def progress(found: Progress[Any]) -> None:
        nonlocal latest
        latest = found
        on_progress(found)

    try:
        return ask(board, on_progress=progress, **options)
    except KeyboardInterrupt:
        if latest is None:
            raise
        raise Interrupted(latest.answer) from None


def interruptible(search: Callable[[Cancellation], _Found]) -> tuple[_Found, bool]:
    """Run a search. Return its result, and whether Ctrl-C ended the search.

    The search runs in another thread, because Ctrl-C does not interrupt the compiled engine.

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

    # Ctrl-C may come at any moment, even while the thread starts.
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
    """Provide the service at `url`. None means the engine in this process."""
    if url is None:
        yield Local(in_game)
        return
    from bestmove.client.connection import Client

    with Client(url) as client:
        yield Remote(client)
