"""A client for asyncio that has the methods, answers and errors of `Client`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager
from http import HTTPStatus
from typing import Self, TypeVar, Unpack

import httpx

from bestmove.answers import Analysis, BestMove, Games, GameTree, Problem, Progress, Proven
from bestmove.client import questions
from bestmove.client.events import EVENT_HEADERS, Events
from bestmove.client.wire import CONNECT_TIMEOUT, HEADERS, Call, Caller, Reply
from bestmove.errors import ServiceError, ServiceUnreachable
from bestmove.game.inputs import AnalysisOptions, BoardInput, MoveOptions, Options
from bestmove.game.moves import MoveInput

T = TypeVar("T")


class AsyncClient(Caller):
    """Connections to a service. Use it as an asynchronous context manager, or call `aclose`.

    Arguments, retries and errors are those of `Client`. Cancelling a task closes its connection.
    """

    def _open(self) -> None:
        given = self._environment
        try:
            proxy = httpx.Proxy(given.proxy) if given.proxy else None
            if proxy and proxy.url.scheme == "https":
                proxy.ssl_context = given.tls
            self._http = httpx.AsyncClient(
                headers=HEADERS, trust_env=False, auth=given.login, verify=given.tls, proxy=proxy
            )
        except (ImportError, ValueError, httpx.InvalidURL) as error:
            raise self._unreachable(self.url, error) from error

    async def best_move(
        self, board: BoardInput | None = None, **options: Unpack[MoveOptions]
    ) -> BestMove:
        """Return the best move, as `Client.best_move` does."""
        return await self._do(questions.best_move(board, options))

    async def analyze(
        self, board: BoardInput | None = None, **options: Unpack[AnalysisOptions]
    ) -> Analysis:
        """Return every legal move with its score, as `Client.analyze` does."""
        return await self._do(questions.analyze(board, options))

    def stream(
        self, board: BoardInput | None = None, **options: Unpack[MoveOptions]
    ) -> AsyncGenerator[Progress[BestMove] | BestMove, None]:
        """Yield progress and the best move, as `Client.stream` does.

        Use it in `async for item in client.stream(board)`.
        """
        return self._stream(questions.best_move(board, options))

    def stream_analysis(
        self, board: BoardInput | None = None, **options: Unpack[AnalysisOptions]
    ) -> AsyncGenerator[Progress[Analysis] | Analysis, None]:
        """Yield progress and the analysis, as `Client.stream_analysis` does."""
        return self._stream(questions.analyze(board, options))

    async def play(
        self, board: BoardInput | None, move: MoveInput, **options: Unpack[MoveOptions]
    ) -> BestMove:
        """Make a move and return the reply, as `Client.play` does."""
        return await self._do(questions.play(board, move, options))

    async def prove(
        self,
        board: BoardInput | None = None,
        *,
        exactly: bool = False,
        **options: Unpack[MoveOptions],
    ) -> Proven:
        """Return a certificate of the result, as `Client.prove` does."""
        return await self._do(questions.prove(board, options, exactly))

    async def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
        trace: bool = False,
    ) -> GameTree:
        """Return the value of a tree, as `Client.game_tree` does."""
        return await self._do(questions.game_tree(tree, maximizing, depth, algorithm, trace))

    async def games(self) -> Games:
        """Return the named games and the server's limits, as `Client.games` does."""
        return await self._do(questions.games())

    def best_moves(
        self,
        boards: Iterable[BoardInput | Mapping[str, object]],
        *,
        batch: int = questions.MOST_BOARDS,
        **options: Unpack[Options],
    ) -> AsyncIterator[BestMove | Problem]:
        """Yield the best moves of many boards, as `Client.best_moves` does.

        Use it in `async for answer in client.best_moves(boards)`.
        """
        return self._answers(questions.best_moves(boards, batch, options))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _answers(
        self, batches: Iterator[Problem | Call[list[BestMove | Problem]]]
    ) -> AsyncIterator[BestMove | Problem]:
        for batch in batches:
            if isinstance(batch, Problem):
                yield batch
            else:
                for answer in await self._do(batch):
                    yield answer

    async def _do(self, call: Call[T]) -> T:
        url, attempts = self._begin(call)
        while True:
            try:
                async with self._request(url, call) as response:
                    return call.answer(url, await _reply(response))
            except ServiceError as error:
                pause = attempts.pause_after(error)
            await asyncio.sleep(pause)

    async def _stream(self, call: Call[T]) -> AsyncGenerator[Progress[T] | T, None]:
        url, attempts = self._begin(call)
        while True:
            began = False
            try:
                async with aclosing(self._events(url, call)) as items:
                    async for item in items:
                        began = True
                        yield item
                return
            except ServiceError as error:
                if began:
                    raise
                pause = attempts.pause_after(error)
            await asyncio.sleep(pause)

    async def _events(self, url: str, call: Call[T]) -> AsyncGenerator[Progress[T] | T, None]:
        async with self._request(url, call, EVENT_HEADERS) as response:
            if response.status_code != HTTPStatus.OK:
                call.answer(url, await _reply(response))
            events = Events(url, call, response.headers)
            async for data in response.aiter_bytes():
                for item in events.feed(data):
                    yield item
                    if not isinstance(item, Progress):
                        return
            raise events.broken_off()

    @asynccontextmanager
    async def _request(
        self, url: str, call: Call[object], headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[httpx.Response]:
        seconds = call.seconds(self._timeout)
        waits = httpx.Timeout(seconds, connect=CONNECT_TIMEOUT, pool=None)
        try:
            async with self._http.stream(
                call.method, url, content=call.data(), timeout=waits, headers=headers
            ) as response:
                yield response
        except (httpx.ReadTimeout, httpx.WriteTimeout) as error:
            raise self._no_answer_within(url, seconds) from error
        except httpx.RemoteProtocolError as error:
            raise ServiceUnreachable(f"{url}: the answer ended too early") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreachable(url, error) from error


async def _reply(response: httpx.Response) -> Reply:
    content = await response.aread()
    return Reply(response.status_code, response.reason_phrase, response.headers, content)
