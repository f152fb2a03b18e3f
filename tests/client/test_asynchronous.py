"""With a real service, `AsyncClient` gives the same answers as `Client`."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from bestmove import Board, best_move
from bestmove.client import AsyncClient, BestMove, Problem
from bestmove.extras import install
from tests.support.programs import run
from tests.support.servers import awaited

Ask = Callable[[Any], Any]


def asked(url: str, ask: Callable[[AsyncClient], Awaitable[Any]]) -> Any:
    async def answer() -> Any:
        async with AsyncClient(url) as client:
            return await ask(client)

    return awaited(answer())


def test_a_batch_comes_in_its_order(url: str) -> None:
    async def kinds(client: AsyncClient) -> list[type]:
        boards: list[Any] = ["X...O....", "XX", "XXXOO....", object(), "........."]
        return [type(answer) async for answer in client.best_moves(boards, batch=2)]

    assert asked(url, kinds) == [BestMove, Problem, BestMove, Problem, BestMove]


def test_a_task_that_is_cancelled_closes_its_connection() -> None:
    async def cancelled() -> bytes:
        asked, gone = asyncio.Event(), asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"}")
            asked.set()
            gone.set_result(await reader.read())
            writer.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            async with AsyncClient(f"http://127.0.0.1:{port}") as client:
                task = asyncio.create_task(client.best_move("........."))
                await asked.wait()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                return await asyncio.wait_for(gone, 60)

    assert awaited(cancelled()) == b""


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("httpx", f"ImportError: httpx is not installed: {install('async')}"),
        ("httpx._client", "ModuleNotFoundError: import of httpx._client halted"),
    ],
)
def test_a_missing_module_is_named(missing: str, message: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None\nfrom bestmove.client import AsyncClient\n"
    shown = run(sys.executable, "-c", code, status=1)
    assert message in shown.stderr.splitlines()[-1]


def test_a_call_waits_for_a_connection_of_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[dict[str, float | None]] = []

    async def noted(_: object, request: httpx.Request) -> httpx.Response:
        waits.append(request.extensions["timeout"])
        return httpx.Response(200, json=best_move(Board.empty()).to_dict())

    async def asked() -> None:
        async with AsyncClient(timeout=3.0) as client:
            await client.best_move(".........", time_ms=500)

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", noted)
    awaited(asked())
    assert [(wait["pool"], wait["read"]) for wait in waits] == [(None, 3.5)]
