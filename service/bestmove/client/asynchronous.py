"""The client for asyncio: the same methods, answers and errors as `Client`, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self, TypeVar, Unpack

import httpx

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


class AsyncClient:
    """A connection to the service; use it as an asynchronous context manager, or call `aclose`.

    It takes what `Client` takes, tries again as it does and raises the same errors. A task that is
    cancelled closes its connection.
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
        self._http = httpx.AsyncClient(headers=HEADERS, follow_redirects=False)

    async def best_move(
        self, board: BoardInput | None = None, **options: Unpack[Options]
    ) -> Answer:
        """As `Client.best_move`."""
        return await self._do(questions.best_move(board, options))

    async def analyze(
        self, board: BoardInput | None = None, **options: Unpack[AnalysisOptions]
    ) -> Analysis:
        """As `Client.analyze`."""
        return await self._do(questions.analyze(board, options))

    async def play(
        self, board: BoardInput | None, move: MoveInput, **options: Unpack[Options]
    ) -> Answer:
        """As `Client.play`."""
        return await self._do(questions.play(board, move, options))

    async def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
    ) -> GameTree:
        """As `Client.game_tree`."""
        return await self._do(questions.game_tree(tree, maximizing, depth, algorithm))

    async def games(self) -> Games:
        """As `Client.games`."""
        return await self._do(questions.games())

    def best_moves(
        self,
        boards: Iterable[BoardInput | Mapping[str, object]],
        *,
        batch: int = MOST_BOARDS,
        **options: Unpack[Options],
    ) -> AsyncIterator[Answer | Problem]:
        """As `Client.best_moves`: `async for answer in client.best_moves(boards)`."""
        return self._answers(questions.best_moves(boards, batch, options))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncClient({self.url!r})"

    async def _answers(
        self, batches: Iterator[Problem | Call[list[Answer | Problem]]]
    ) -> AsyncIterator[Answer | Problem]:
        for batch in batches:
            if isinstance(batch, Problem):
                yield batch
            else:
                for answer in await self._do(batch):
                    yield answer

    async def _do(self, call: Call[T]) -> T:
        url, attempts = self.url + call.path, Attempts(self._settings)
        while True:
            try:
                return call.answer(url, await self._send(url, call))
            except ServiceError as error:
                pause = attempts.pause_after(error)
            await asyncio.sleep(pause)

    async def _send(self, url: str, call: Call[object]) -> Reply:
        seconds = call.seconds(self._settings.timeout)
        waits = httpx.Timeout(seconds, connect=CONNECT_TIMEOUT, pool=None)
        try:
            response = await self._http.request(
                call.method, url, content=call.data(), timeout=waits
            )
        except (httpx.ReadTimeout, httpx.WriteTimeout) as error:
            raise no_answer_within(url, seconds) from error
        except httpx.RemoteProtocolError as error:
            raise ServiceUnreachable(f"{url}: the answer broke off") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServiceUnreachable(f"{url}: {cause_of(error)}") from error
        return Reply(
            response.status_code, response.reason_phrase, response.headers, response.content
        )
