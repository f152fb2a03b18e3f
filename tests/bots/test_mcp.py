"""`bestmove mcp` as an assistant uses it: with the SDK's client over standard input and output."""

import dataclasses
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import anyio
import pytest
from anyio import to_thread
from anyio.from_thread import BlockingPortal, start_blocking_portal
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp import Client, StdioServerParameters

from bestmove import Analysis, BestMove, __version__
from bestmove.answers import Record
from bestmove.bots.engine import Engine
from bestmove.bots.mcp import server
from bestmove.extras import install
from tests.support.programs import run
from tests.support.servers import BESTMOVE, awaited

Call = Callable[[str, dict[str, Any]], Any]


@contextmanager
def session(*options: str) -> Iterator[tuple[BlockingPortal, Client]]:
    parameters = StdioServerParameters(command=BESTMOVE, args=["mcp", *options])
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(parameters, read_timeout_seconds=60)) as client,
    ):
        yield portal, client


@pytest.fixture(scope="module")
def assistant() -> Iterator[tuple[BlockingPortal, Client]]:
    with session() as opened:
        yield opened


@pytest.fixture
def call(assistant: tuple[BlockingPortal, Client]) -> Call:
    portal, client = assistant
    return partial(portal.call, client.call_tool)


@pytest.fixture
def answer(call: Call) -> Call:
    def answer(tool: str, arguments: dict[str, Any]) -> Any:
        result = call(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content

    return answer


def test_an_assistant_finds_three_tools_that_say_what_they_do(
    assistant: tuple[BlockingPortal, Client],
) -> None:
    portal, client = assistant
    assert client.server_info is not None
    assert (client.server_info.name, client.server_info.version) == ("bestmove", __version__)
    assert "connect-four" in str(client.instructions)
    tools = portal.call(client.list_tools).tools
    for tool in tools:
        assert tool.description
        assert "position" in tool.input_schema["required"]
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.annotations.title


@pytest.mark.parametrize("top", [None, 1, 20])
def test_an_analysis_of_a_large_board_is_short(answer: Call, top: int | None) -> None:
    board = "/".join(["XO" * 10, "OX" * 10] + ["." * 20] * 16 + ["XO" * 10, "OX" * 10])
    position = {"board": board, "game": "gomocup"}
    asked = {"position": position, "time_ms": 50} | ({"top": top} if top else {})
    weighed = answer("analyze", asked)
    assert len(weighed["moves"]) == (top or 8)
    assert weighed["counts"]["moves"] == 320
    assert all(len(move["pv"]) <= 8 for move in weighed["moves"])
    assert max(map(len, weighed["threats"].values())) <= (top or 8)
    assert len(json.dumps(weighed)) < 10_000


@pytest.mark.parametrize(
    "move", ["a3", "A3", 0, {"row": 0, "column": 0}, {"index": 0, "row": 0, "column": 0}]
)
def test_a_move_is_taken_in_every_spelling(answer: Call, move: Any) -> None:
    played = answer("play", {"position": {}, "move": move})
    assert played["board"] == "X........"
    assert played["after"]["board"] == "X...O...."


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("best_move", {"position": {"board": "XXXOOO..."}}, "board: "),
        ("best_move", {"position": {"board": "X........", "moves": "a1"}}, "not both"),
        ("best_move", {"position": {"game": "chess"}}, "game must be one of"),
        ("best_move", {"position": {"size": 3}}, "position.size: unknown; the fields are game, "),
        ("best_move", {"position": {}, "level": 11}, "level: Input should be less than or equal"),
        ("best_move", {"level": 3}, "position: Field required"),
        ("play", {"position": {"board": "X........"}, "move": 0}, "a3 is taken by X"),
        ("play", {"position": {}, "move": "z9"}, "'z9'"),
        ("play", {"position": {}, "move": "a1 a2"}, "one move"),
    ],
)
def test_a_fault_is_reported_in_words(
    call: Call, tool: str, arguments: dict[str, Any], told: str
) -> None:
    result = call(tool, arguments)
    assert result.is_error
    assert told in result.content[0].text
    assert "http" not in result.content[0].text


def test_the_position_may_stand_beside_the_other_arguments(answer: Call) -> None:
    played = answer("play", {"board": "X........", "rows": 3, "move": "b2", "level": 10})
    assert played["board"] == "X...O...."
    nested = answer("play", {"position": {"board": "X........", "rows": 3}, "move": "b2"})
    assert played["move"] == nested["move"]


def test_the_tools_ask_the_service_at_a_given_address() -> None:
    with session("--url", "http://127.0.0.1:1") as (portal, client):
        result = portal.call(client.call_tool, "best_move", {"position": {}})
    assert result.is_error
    assert "http://127.0.0.1:1/best-move: " in result.content[0].text


def test_without_the_sdk_one_line_says_what_to_install() -> None:
    # None in sys.modules makes the import fail, as if the package were not installed.
    code = "import sys; sys.modules['mcp'] = None; from bestmove.cli import main; main(['mcp'])"
    assert run(sys.executable, "-c", code, status=1).stderr == (
        f"Error: some packages are not installed: {install('mcp')}\n"
    )


def test_a_cancelled_call_ends_its_search() -> None:
    ended = threading.Event()

    class Slow(Engine):
        def best_move(self, *given: Any, **options: Any) -> BestMove:
            answer = super().best_move(*given, **options)
            ended.set()
            return answer

    async def cancelled() -> None:
        position = {"game": "gomoku", "moves": "h8 i9 i7"}
        async with Client(server(Slow())) as client:
            with anyio.move_on_after(0.2):
                await client.call_tool("best_move", {"position": position, "time_ms": 60_000})
            assert await to_thread.run_sync(ended.wait, 30)
            assert not (await client.call_tool("best_move", {"position": {}})).is_error

    awaited(cancelled())


@pytest.mark.parametrize(
    ("tool", "kind", "arguments", "more"),
    [
        ("best_move", BestMove, {}, set()),
        ("best_move", BestMove, {"board": "XXXOO...."}, set()),
        ("analyze", Analysis, {"board": "XX.OO...."}, {"counts"}),
        ("analyze", Analysis, {"game": "gomoku", "moves": "h8 i9", "time_ms": 50}, {"counts"}),
        ("play", BestMove, {"position": {}, "move": 4}, set()),
    ],
)
def test_an_answer_has_the_fields_of_its_class_and_fits_the_tools_schema(
    assistant: tuple[BlockingPortal, Client],
    answer: Call,
    tool: str,
    kind: type[Record],
    arguments: dict[str, Any],
    more: set[str],
) -> None:
    portal, client = assistant
    (schema,) = (
        each.output_schema for each in portal.call(client.list_tools).tools if each.name == tool
    )
    assert schema is not None
    validator = Draft202012Validator(schema)
    validator.check_schema(schema)
    found = answer(tool, arguments or {"position": {}})
    validator.validate(found)
    names = {each.name for each in dataclasses.fields(kind)} | more
    assert names <= set(found)
    for name in names:
        assert not validator.is_valid({**found, name: [[]]}), name
        assert not validator.is_valid({key: found[key] for key in found if key != name}), name
