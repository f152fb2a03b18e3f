"""Every door has the operations of one list, and takes and passes on the options that it should."""

import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Set
from dataclasses import fields
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import pytest
from click import Choice, IntRange
from click.testing import CliRunner

from bestmove import Board, Rules
from bestmove.api import requests, schemas
from bestmove.api.pages import WEB
from bestmove.api.views import proofs
from bestmove.bots import engine
from bestmove.bots.engine import Engine, EngineOptions
from bestmove.bots.mcp import PositionInput, server
from bestmove.cli.app import COMMANDS, bestmove
from bestmove.client import AnalysisOptions, AsyncClient, Client, MoveOptions, Options
from bestmove.client.wire import Call
from bestmove.game.inputs import RULES
from bestmove.label.options import Options as LabelOptions
from bestmove.proof import certificate
from bestmove.search import analysis
from bestmove.search.limits import OPTIONS, Limits
from tests.api.http import DOCUMENT, Api
from tests.support.servers import awaited


class Operation(NamedTuple):
    """A question that the service answers.

    Attributes:
        method: its name in the clients and the engine; client.js writes it in camel case.
        arguments: what it takes besides the rules and the options of a search.
        options: the class of its other arguments.
        stream: the method that yields the progress of its search.
    """

    method: str
    arguments: str
    options: Any
    request: type[schemas.Request] | None
    stream: str = ""


OPERATIONS = {
    "/best-move": Operation("best_move", "board", MoveOptions, schemas.PositionRequest, "stream"),
    "/analyze": Operation(
        "analyze", "board", AnalysisOptions, schemas.AnalysisRequest, "stream_analysis"
    ),
    "/play": Operation("play", "board move", MoveOptions, schemas.PlayRequest),
    "/proof": Operation("prove", "board exactly", MoveOptions, schemas.ProofRequest),
    "/best-moves": Operation("best_moves", "boards", Options, schemas.BatchRequest),
    "/game-tree": Operation(
        "game_tree", "tree maximizing depth algorithm", None, schemas.TreeRequest
    ),
    "/games": Operation("games", "", None, None),
}
ABOUT_THE_SERVER = {"/healthz", "/readyz", "/metrics", "/openapi.yaml", "/openapi.json"}
LIKE_BEST_MOVE = {"/play": "/best-move", "/proof": "/best-move"}
"""These operations take the options of another."""

TOOLS = {
    "best_move": ("suggest", "position"),
    "analyze": ("analyze", "position top"),
    "play": ("play", "position move"),
}
"""The tools of assistants: the command that answers the same, and what the tool takes besides the
options."""


def taken(door: str) -> set[str]:
    door = LIKE_BEST_MOVE.get(door, door)
    return {name for name, option in OPTIONS.items() if door in option.doors}


def test_the_service_takes_the_options_of_the_list() -> None:
    assert DOCUMENT["paths"].keys() - ABOUT_THE_SERVER == OPERATIONS.keys()
    for path, operation in OPERATIONS.items():
        if operation.request is not None:
            wanted = {*RULES, *taken(path)} if operation.options else set()
            asked = operation.request().fields.keys() - operation.arguments.split()
            assert asked - {"moves"} == wanted, path
            assert not wanted or operation.options.__optional_keys__ - {"moves"} == wanted, path
    of_engine = MoveOptions.__optional_keys__ | AnalysisOptions.__optional_keys__ | OPTIONS.keys()
    assert EngineOptions.__optional_keys__ == of_engine
    assert PositionInput.model_fields.keys() == {*RULES, "board", "moves"}
    for option in OPTIONS.values():
        assert option.doors <= {*OPERATIONS, *COMMANDS}


def methods_of(kind: type) -> dict[str, set[str]]:
    """Return the parameters of each public method; `**options` stands as the options' class."""
    found = {}
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        given = inspect.signature(method).parameters.values()
        words = {re.sub(r"\w+\[|]", "", each.annotation) if each.kind == each.VAR_KEYWORD
                 else each.name for each in given}  # fmt: skip
        found[name] = words - {"self", "on_progress", "cancellation", "batch"}
    return {name: words for name, words in found.items() if name[0] != "_"}


def methods_of_javascript() -> dict[str, set[str]]:
    text = (WEB / "client.js").read_text(encoding="utf-8").partition("export class Client {")[2]
    found = {}
    for words, name, given in re.findall(r"/\*\*([^/]*)\*/\n  (\w+)\((.*)\) \{\n", text):
        kind = re.search(r"@param \{(.*)\} \[options\]", words)
        options = re.findall(r"(\w+)\?:|(\w*Options)", kind[1]) if kind else []
        more = {first or second for first, second in options} | set(re.findall(r"\w+", given))
        found[name] = more - {"options", "CallOptions"}
    del found["constructor"]
    return found


def test_every_program_has_the_operations_of_the_list_with_their_parameters() -> None:
    wanted: dict[str, set[str]] = {}
    for operation in OPERATIONS.values():
        options = {operation.options.__name__} if operation.options else set()
        for name in filter(None, (operation.method, operation.stream)):
            wanted[name] = {*operation.arguments.split()} | options
    assert methods_of(Client) == wanted | {"close": set()}
    assert methods_of(AsyncClient) == wanted | {"aclose": set()}
    camel = {
        re.sub(r"_(\w)", lambda at: at[1].upper(), name): each for name, each in wanted.items()
    }
    assert methods_of_javascript() == camel
    here = wanted.keys() - {"best_moves", "games", "stream", "stream_analysis"}
    kinds = {"MoveOptions": "EngineOptions", "AnalysisOptions": "EngineOptions"}
    assert methods_of(Engine) == {
        name: {kinds.get(each, each) for each in wanted[name]} for name in here
    }


def test_assistants_commands_and_tables_take_the_options_of_the_list() -> None:
    tools = awaited(server(Engine()).list_tools())
    assert {tool.name: tool.input_schema["properties"].keys() for tool in tools} == {
        name: {*more.split()} | taken("mcp") & taken(command)
        for name, (command, more) in TOOLS.items()
    }
    assert {each.name for each in fields(LabelOptions)} & OPTIONS.keys() == taken("label")
    for name in COMMANDS.keys() - {"tree", "mcp", "serve"}:
        command = bestmove.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        kinds = {each.name: each.type for each in command.params if each.name in OPTIONS}
        assert kinds.keys() == taken(name), name
        for option, kind in kinds.items():
            if isinstance(kind, Choice):
                assert tuple(kind.choices) == OPTIONS[option].choices
            elif isinstance(kind, IntRange):
                assert (kind.min, kind.max) == (OPTIONS[option].least, OPTIONS[option].most)


BOARD = "X........"


def call_tool(name: str, arguments: dict[str, Any]) -> None:
    awaited(server(Engine()).call_tool(name, arguments))


def asks(given: dict[str, Any], api: Api) -> Iterator[tuple[str, Set[str], Callable[[], Any]]]:
    """Yield the name of each door, the options that count there, and a function that asks there."""
    here = {"board": BOARD, **given}
    bodies = dict.fromkeys(("/best-move", "/analyze", "/proof"), here)
    bodies |= {"/play": here | {"move": 1}, "/best-moves": {"boards": [BOARD], **given}}
    ignored = {"/analyze": requests._OF_ONE_MOVE, "/proof": requests._OF_ONE_MOVE | {"threads"}}
    for path, body in bodies.items():
        yield path, taken(path) - ignored.get(path, set()), partial(api.answer, path, **body)
    flags = [f"--{name.removesuffix('_ms')}={value}" for name, value in given.items()]
    for command in ("suggest", "play", "analyze", "prove"):
        run = partial(CliRunner().invoke, bestmove, [command, BOARD, *flags])
        yield command, taken(command), run
    for tool, (command, arguments) in TOOLS.items():
        place = here | ({"move": 1} if "move" in arguments else {})
        yield f"mcp {tool}", taken("mcp") & taken(command), partial(call_tool, tool, place)
    local = Engine()
    for ask in (local.best_move, local.analyze, local.prove, partial(local.play, move=1)):
        yield "Engine", OPTIONS.keys(), partial(ask, BOARD, **given)
    yield "label", taken("label"), lambda: LabelOptions(**given).limits(Rules())


@pytest.mark.parametrize("name", OPTIONS)
def test_every_door_passes_an_option_on(
    name: str, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    option = OPTIONS[name]
    value = option.choices[-1] if option.choices else option.least
    given = {name: value} | ({"algorithm": "minimax"} if name == "evaluation" else {})
    seen: list[Limits] = []

    def noted(search: Callable[..., Any]) -> Callable[..., Any]:
        def answer(board: Board, limits: Limits, *_: object, **__: object) -> Any:
            seen.append(limits)
            return search(board)

        return answer

    for module, search in product((analysis, engine), ("best_move", "analyze")):
        monkeypatch.setattr(module, search, noted(getattr(module, search)))
    for module in (proofs, certificate):
        monkeypatch.setattr(module, "attempt", noted(lambda _: (None, "")))
    for door, counts, ask in asks(given, api):
        if name in counts:
            found = ask()
            limits = found if isinstance(found, Limits) else seen[0]
            assert getattr(limits, name) == value, door
            seen.clear()


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_every_method_of_a_client_sends_its_arguments(
    kind: type[Client | AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Sent(Exception):
        pass

    def send(_: object, url: str, call: Call[object], *__: object) -> None:
        raise Sent(url, call.body)

    monkeypatch.setattr(kind, "_request", send)
    client = kind("http://here")
    values = {"board": BOARD, "boards": [BOARD], "move": 1, "tree": [1], "maximizing": False}
    for path, operation in OPERATIONS.items():
        given = {name: values.get(name, 1) for name in operation.arguments.split()}
        given |= dict.fromkeys(taken(path), 1)
        for name in filter(None, (operation.method, operation.stream)):
            with pytest.raises(Sent) as sent:
                awaited(asked(getattr(client, name), given))
            assert sent.value.args == (f"http://here{path}", given or None)


async def asked(method: Callable[..., Any], given: dict[str, Any]) -> None:
    """Call a method of a client, and take the first item of an iterator."""
    found = method(**given)
    if isinstance(found, AsyncIterator):
        await anext(found)
    elif isinstance(found, Awaitable):
        await found
    else:
        next(found)
