"""The client: one method for each endpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from http import HTTPStatus
from types import TracebackType
from typing import Final, Self, TypeVar, Unpack

import requests

from bestmove.client import questions
from bestmove.client.answers import Analysis, Answer, Games, GameTree, Problem, Proven
from bestmove.client.boards import BoardInput
from bestmove.client.events import EVENT_HEADERS, Events, Progress
from bestmove.client.questions import (
    MOST_BOARDS,
    AnalysisOptions,
    MoveInput,
    MoveOptions,
    Options,
)
from bestmove.client.wire import (
    CONNECT_TIMEOUT,
    HEADERS,
    Call,
    Caller,
    Reply,
    cause_of,
    no_answer_within,
)
from bestmove.errors import ServiceError, ServiceUnreachable

_PIECE: Final = 512
"""Bytes of a stream that are read at once."""

T = TypeVar("T")


class Client(Caller):
    """A connection to the service; use it as a context manager, or call `close`.

    Requests that meet a connection error, 502, 503 or 504 are tried again: at once, then after a
    pause that doubles each time, or after the one that the service names (Retry-After). All
    requests are pure, so trying again is safe.

    Args:
        url: where the service is, with any path prefix.
        timeout: seconds to wait for an answer beyond the time that the search is given.
        retries: how often to try again.
        backoff: seconds before the second retry; the first comes at once.

    Raises (all of them `ServiceError`s, which name the address):
        ServiceUnreachable: no connection, or no answer in time.
        ServiceUnavailable: 502, 503 or 504, also after the last retry.
        RequestRefused: the request must change; `status` and `problem` say how.
        InvalidAnswer: an answer that is not the service's.
    """

    def _open(self) -> None:
        self._session = requests.Session()
        self._session.headers.update(HEADERS)

    def best_move(
        self,
        board: BoardInput | None = None,
        *,
        on_progress: Callable[[Progress[Answer]], None] | None = None,
        **options: Unpack[MoveOptions],
    ) -> Answer:
        """The best move, its score and why it was chosen.

        Args:
            board: in any shape; None when `moves`, or the empty board of a game, say it.
            on_progress: called with the answer so far at every depth of the search.
            options: what goes with it.
        """
        return self._follow(questions.best_move(board, options), on_progress)

    def analyze(
        self,
        board: BoardInput | None = None,
        *,
        on_progress: Callable[[Progress[Analysis]], None] | None = None,
        **options: Unpack[AnalysisOptions],
    ) -> Analysis:
        """Every legal move with its score, best first."""
        return self._follow(questions.analyze(board, options), on_progress)

    def stream(
        self, board: BoardInput | None = None, **options: Unpack[MoveOptions]
    ) -> Generator[Progress[Answer] | Answer, None, None]:
        """The best move as the search deepens: a `Progress` at each depth, last the answer.

        Closing the iterator closes the connection, which ends the search. Errors are those of
        `best_move`, raised when the iterator is first asked.
        """
        return self._stream(questions.best_move(board, options))

    def stream_analysis(
        self, board: BoardInput | None = None, **options: Unpack[AnalysisOptions]
    ) -> Generator[Progress[Analysis] | Analysis, None, None]:
        """Every legal move as the search deepens: as `stream`, last the analysis."""
        return self._stream(questions.analyze(board, options))

    def play(
        self, board: BoardInput | None, move: MoveInput, **options: Unpack[MoveOptions]
    ) -> Answer:
        """Make a move, and get the answer to it.

        Args:
            board: the board before the move; None as for `best_move`.
            move: an index, (row, column), an answer's own move, or with gravity
                `{"column": 3}`; all from 0.
            options: what goes with it.

        Returns:
            The best move on the board after it; `board_after` has both.
        """
        return self._do(questions.play(board, move, options))

    def prove(self, board: BoardInput | None = None, **options: Unpack[MoveOptions]) -> Proven:
        """A certificate of the result that the service proves in time, or why there is none.

        `bestmove.verify` checks it, and so does anybody who has read docs/proofs.md.
        """
        return self._do(questions.prove(board, options))

    def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
    ) -> GameTree:
        """The value of an explicit tree of numbers, arrays and `{"value", "children"}`."""
        return self._do(questions.game_tree(tree, maximizing, depth, algorithm))

    def games(self) -> Games:
        """The games with a name, and the server's limits."""
        return self._do(questions.games())

    def best_moves(
        self,
        boards: Iterable[BoardInput | Mapping[str, object]],
        *,
        batch: int = MOST_BOARDS,
        **options: Unpack[Options],
    ) -> Iterator[Answer | Problem]:
        """The best moves of any number of boards, in their order.

        Boards, or objects such as `{"moves": "4453", "game": "connect-four"}`, which may name
        their own rules, are taken and sent lazily, in batches of up to 1,000 that share `time_ms`.
        A board that the service refuses gives its `Problem`, and the others their answers.
        """
        return self._answers(questions.best_moves(boards, batch, options))

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _answers(
        self, batches: Iterator[Problem | Call[list[Answer | Problem]]]
    ) -> Iterator[Answer | Problem]:
        for batch in batches:
            if isinstance(batch, Problem):
                yield batch
            else:
                yield from self._do(batch)

    def _do(self, call: Call[T]) -> T:
        url, attempts = self._begin(call)
        while True:
            try:
                return call.answer(url, self._send(url, call))
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
        with closing(self._request(url, call, EVENT_HEADERS, streams=True)) as response:
            if response.status_code != HTTPStatus.OK:
                call.answer(url, _reply(response))
            events = Events(url, call, response.headers)
            try:
                for data in response.iter_content(_PIECE):
                    for item in events.feed(data):
                        yield item
                        if not isinstance(item, Progress):
                            return
            except requests.exceptions.RequestException as error:
                raise events.broken_off() from error
            raise events.broken_off()

    def _send(self, url: str, call: Call[object]) -> Reply:
        return _reply(self._request(url, call))

    def _request(
        self,
        url: str,
        call: Call[object],
        headers: Mapping[str, str] | None = None,
        *,
        streams: bool = False,
    ) -> requests.Response:
        seconds = call.seconds(self._timeout)
        try:
            return self._session.request(
                call.method,
                url,
                data=call.data(),
                headers=headers,
                timeout=(CONNECT_TIMEOUT, seconds),
                allow_redirects=False,
                stream=streams,
            )
        except requests.exceptions.ReadTimeout as error:
            raise no_answer_within(url, seconds) from error
        except requests.exceptions.ChunkedEncodingError as error:
            raise ServiceUnreachable(f"{url}: the answer broke off") from error
        except requests.exceptions.RequestException as error:
            raise ServiceUnreachable(f"{url}: {cause_of(error)}") from error


def _reply(response: requests.Response) -> Reply:
    return Reply(response.status_code, response.reason, response.headers, response.content)
