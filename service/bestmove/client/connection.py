"""The client, with one method for each endpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from typing import Final, Self, TypeVar, Unpack

import requests
from urllib3.exceptions import HTTPError, ReadTimeoutError

from bestmove.answers import Analysis, BestMove, Games, GameTree, Problem, Progress, Proven
from bestmove.client import questions
from bestmove.client.events import EVENT_HEADERS, Events
from bestmove.client.wire import CONNECT_TIMEOUT, HEADERS, Call, Caller, Reply
from bestmove.errors import ServiceError, ServiceUnreachable
from bestmove.game.inputs import AnalysisOptions, BoardInput, MoveOptions, Options
from bestmove.game.moves import MoveInput

_PIECE: Final = 512

T = TypeVar("T")


class Client(Caller):
    """Connections to a service. Use it as a context manager, or call `close`.

    The client retries after connection errors and after the statuses 429, 502, 503 and 504. It
    waits as long as a Retry-After header asks, but at most 30 seconds. Without the header, the
    first retry is immediate, and the pauses before the others double. Retries are safe, because
    requests change nothing.

    Args:
        url: the address of the service, including its path prefix if it has one.
        timeout: seconds to wait for an answer in addition to the time of the search.
        retries: the most retries of a request.
        backoff: seconds before the second retry.

    Raises (subclasses of `ServiceError`, with the address in the message):
        ServiceUnreachable: no connection, or no answer in time.
        ServiceUnavailable: 429, 502, 503 or 504, and the client has given up.
        RequestRefused: the request is invalid; `status` and `problem` say why.
        InvalidAnswer: the response is not an answer of this service.
    """

    def _open(self) -> None:
        self._session = requests.Session()
        self._session.headers.update(HEADERS)
        self._session.trust_env = False  # `Environment` has read it
        self._session.auth = self._environment.login
        self._session.verify = self._environment.trusted
        if self._environment.proxy:
            self._session.proxies["all"] = self._environment.proxy

    def best_move(
        self,
        board: BoardInput | None = None,
        *,
        on_progress: Callable[[Progress[BestMove]], None] | None = None,
        **options: Unpack[MoveOptions],
    ) -> BestMove:
        """Return the best move, its score and why it was chosen.

        Args:
            board: the board in any form; None means the position after the `moves` in the options,
                or the empty board of a game.
            on_progress: called with the answer so far after each depth of the search.
            options: the options of the game and the search.
        """
        return self._follow(questions.best_move(board, options), on_progress)

    def analyze(
        self,
        board: BoardInput | None = None,
        *,
        on_progress: Callable[[Progress[Analysis]], None] | None = None,
        **options: Unpack[AnalysisOptions],
    ) -> Analysis:
        """Return every legal move with its score, best first."""
        return self._follow(questions.analyze(board, options), on_progress)

    def stream(
        self, board: BoardInput | None = None, **options: Unpack[MoveOptions]
    ) -> Generator[Progress[BestMove] | BestMove, None, None]:
        """Yield a `Progress` after each depth of the search for the best move, then the answer.

        Closing the iterator ends the search. The iterator raises the errors of `best_move`.
        """
        return self._stream(questions.best_move(board, options))

    def stream_analysis(
        self, board: BoardInput | None = None, **options: Unpack[AnalysisOptions]
    ) -> Generator[Progress[Analysis] | Analysis, None, None]:
        """Yield a `Progress` after each depth of the analysis, then the answer, like `stream`."""
        return self._stream(questions.analyze(board, options))

    def play(
        self, board: BoardInput | None, move: MoveInput, **options: Unpack[MoveOptions]
    ) -> BestMove:
        """Make a move and return the reply.

        Args:
            board: the board before the move. With None, the options describe the board.
            move: an index, a tuple (row, column), or the `move` of an answer. With gravity,
                `{"column": 3}` is enough. All numbers count from 0.
            options: the options of the game and the search.

        Returns:
            The best move on the board after `move`; `after` is the position after both moves.
        """
        return self._do(questions.play(board, move, options))

    def prove(
        self,
        board: BoardInput | None = None,
        *,
        exactly: bool = False,
        **options: Unpack[MoveOptions],
    ) -> Proven:
        """Return a certificate of the result, or the reason why the service found none.

        `bestmove.verify` checks the certificate.

        Args:
            exactly: whether to also try to prove that no shorter win exists.
        """
        return self._do(questions.prove(board, options, exactly))

    def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
        trace: bool = False,
    ) -> GameTree:
        """Return the value of a tree.

        A tree is a number, a list of trees, or an object such as `{"value": 3, "children": [1,
        5]}`.
        """
        return self._do(questions.game_tree(tree, maximizing, depth, algorithm, trace))

    def games(self) -> Games:
        """Return the games that have a name, such as `gomoku`, and the server's limits."""
        return self._do(questions.games())

    def best_moves(
        self,
        boards: Iterable[BoardInput | Mapping[str, object]],
        *,
        batch: int = questions.MOST_BOARDS,
        **options: Unpack[Options],
    ) -> Iterator[BestMove | Problem]:
        """Yield the best moves of any number of boards, in order.

        A board may be an object with its own rules, such as `{"moves": "4453", "game":
        "connect-four"}`. The client reads `boards` lazily, and sends up to `batch` of them (at most
        1,000) in one request. The boards of a request share one `time_ms`. A `Problem` stands for a
        board that is invalid or had no time left.
        """
        return self._answers(questions.best_moves(boards, batch, options))

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answers(
        self, batches: Iterator[Problem | Call[list[BestMove | Problem]]]
    ) -> Iterator[BestMove | Problem]:
        for batch in batches:
            if isinstance(batch, Problem):
                yield batch
            else:
                yield from self._do(batch)

    def _do(self, call: Call[T]) -> T:
        url, attempts = self._begin(call)
        while True:
            try:
                with self._request(url, call) as response:
                    return call.answer(url, _reply(response))
            except ServiceError as error:
                pause = attempts.pause_after(error)
            time.sleep(pause)

    def _follow(self, call: Call[T], on_progress: Callable[[Progress[T]], None] | None) -> T:
        if on_progress is None:
            return self._do(call)
        with closing(self._stream(call)) as items:
            while isinstance(item := next(items), Progress):
                on_progress(item)
        return item

    def _stream(self, call: Call[T]) -> Generator[Progress[T] | T, None, None]:
        url, attempts = self._begin(call)
        while True:
            began = False
            try:
                for item in self._events(url, call):
                    began = True
                    yield item
                return
            except ServiceError as error:
                if began:
                    raise
                pause = attempts.pause_after(error)
            time.sleep(pause)

    def _events(self, url: str, call: Call[T]) -> Iterator[Progress[T] | T]:
        with self._request(url, call, EVENT_HEADERS) as response:
            if response.status_code != HTTPStatus.OK:
                call.answer(url, _reply(response))
            events = Events(url, call, response.headers)
            for data in response.iter_content(_PIECE):
                for item in events.feed(data):
                    yield item
                    if not isinstance(item, Progress):
                        return
            raise events.broken_off()

    @contextmanager
    def _request(
        self, url: str, call: Call[object], headers: Mapping[str, str] | None = None
    ) -> Iterator[requests.Response]:
        seconds = call.seconds(self._timeout)
        try:
            with self._session.request(
                call.method,
                url,
                data=call.data(),
                headers=headers,
                timeout=(CONNECT_TIMEOUT, seconds),
                allow_redirects=False,
                stream=True,
            ) as response:
                yield response
        except requests.exceptions.ChunkedEncodingError as error:
            raise ServiceUnreachable(f"{url}: the answer ended too early") from error
        except (requests.exceptions.RequestException, HTTPError) as error:
            # If the body is late, `requests` raises `ConnectionError` with the cause in `args`.
            if any(isinstance(cause, ReadTimeoutError) for cause in error.args):
                raise self._no_answer_within(url, seconds) from error
            raise self._unreachable(url, error) from error


def _reply(response: requests.Response) -> Reply:
    return Reply(response.status_code, response.reason, response.headers, response.content)
