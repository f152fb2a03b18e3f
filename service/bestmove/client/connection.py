"""The client: one method for each endpoint."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self, TypeVar, Unpack

import requests

from bestmove.client import questions
from bestmove.client.answers import Analysis, Answer, Games, GameTree, Problem
from bestmove.client.boards import BoardInput
from bestmove.client.questions import MOST_BOARDS, AnalysisOptions, MoveInput, Options
from bestmove.client.wire import (
    CONNECT_TIMEOUT,
    DEFAULT_BACKOFF,
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    DEFAULT_URL,
    HEADERS,
    Attempts,
    Call,
    Reply,
    Settings,
    cause_of,
    no_answer_within,
)
from bestmove.errors import ServiceError, ServiceUnreachable

T = TypeVar("T")


class Client:
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

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        backoff: float = DEFAULT_BACKOFF,
    ) -> None:
        self._settings = Settings(url, timeout, retries, backoff)
        self.url = url.rstrip("/")
        self._session = requests.Session()
        self._session.headers.update(HEADERS)

    def best_move(self, board: BoardInput | None = None, **options: Unpack[Options]) -> Answer:
        """The best move, its score and why it was chosen.

        Args:
            board: in any shape; None when `moves`, or the empty board of a game, say it.
            options: what goes with it.
        """
        return self._do(questions.best_move(board, options))

    def analyze(
        self, board: BoardInput | None = None, **options: Unpack[AnalysisOptions]
    ) -> Analysis:
        """Every legal move with its score, best first."""
        return self._do(questions.analyze(board, options))

    def play(self, board: BoardInput | None, move: MoveInput, **options: Unpack[Options]) -> Answer:
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

        Boards, or games as `{"moves": "h8 i9"}`, are taken and sent lazily, in batches of up to
        1,000 that share `time_ms`. A board that the service refuses gives its `Problem`, and the
        others their answers.
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

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def _answers(
        self, batches: Iterator[Problem | Call[list[Answer | Problem]]]
    ) -> Iterator[Answer | Problem]:
        for batch in batches:
            if isinstance(batch, Problem):
                yield batch
            else:
                yield from self._do(batch)

    def _do(self, call: Call[T]) -> T:
        url, attempts = self.url + call.path, Attempts(self._settings)
        while True:
            try:
                return call.answer(url, self._send(url, call))
            except ServiceError as error:
                pause = attempts.pause_after(error)
            time.sleep(pause)

    def _send(self, url: str, call: Call[object]) -> Reply:
        seconds = call.seconds(self._settings.timeout)
        try:
            response = self._session.request(
                call.method,
                url,
                data=call.data(),
                timeout=(CONNECT_TIMEOUT, seconds),
                allow_redirects=False,
            )
        except requests.exceptions.ReadTimeout as error:
            raise no_answer_within(url, seconds) from error
        except requests.exceptions.ChunkedEncodingError as error:
            raise ServiceUnreachable(f"{url}: the answer broke off") from error
        except requests.exceptions.RequestException as error:
            raise ServiceUnreachable(f"{url}: {cause_of(error)}") from error
        return Reply(response.status_code, response.reason, response.headers, response.content)
