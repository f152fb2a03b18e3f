"""Every door has the operations of one list, takes the options that `OPTIONS` gives it, and passes
them on."""

import inspect
import re
from collections.abc import Callable, Iterator, Set
from dataclasses import fields
from functools import partial
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

from bestmove import Board, Limits, Rules, client
from bestmove.api import requests
from bestmove.api.pages import WEB
from bestmove.api.views import proofs
from bestmove.bots import engine, mcp
from bestmove.cli.app import COMMANDS, bestmove
from bestmove.client.wire import Call
from bestmove.game.inputs import RULES
from bestmove.label import Options
from bestmove.proof import certificate
from bestmove.search import analysis
from bestmove.search.limits import OPTIONS
from tests.api.http import DOCUMENT, Api, resolved
from tests.support.needs import NODE
from tests.support.servers import awaited
from tests.web.node import check

METHODS = {
    "best_move": ("/best-move", "board", "MoveOptions"),
    "stream": ("/best-move", "board", "MoveOptions"),
    "analyze": ("/analyze", "board", "AnalysisOptions"),
    "stream_analysis": ("/analyze", "board", "AnalysisOptions"),
    "play": ("/play", "board move", "MoveOptions"),
    "prove": ("/proof", "board exactly", "MoveOptions"),
    "best_moves": ("/best-moves", "boards", "Options"),
    "game_tree": ("/game-tree", "tree maximizing depth algorithm trace", ""),
    "games": ("/games", "", ""),
}
"""The operations, by the names that programs call them: the path, the arguments, and the class of
the options."""

ABOUT_THE_SERVER = {"/healthz", "/readyz", "/metrics", "/openapi.yaml", "/openapi.json"}
OF_THE_ENGINE = {"best_move", "analyze", "play", "prove", "game_tree"}

TOOLS = {"best_move": "position", "analyze": "position top", "play": "position move"}
"""The tools of assistants: what each takes besides the options."""


def taken(door: str) -> set[str]:
    """Return the options that a path or a command takes."""
    door = {"/play": "/best-move", "/proof": "/best-move"}.get(door, door)
    return {name for name, option in OPTIONS.items() if door in option.doors}


def heeded(tool: str) -> set[str]:
    return taken("mcp") & taken("analyze" if tool == "analyze" else "play")


def test_the_service_and_the_engine_take_the_options_of_the_list() -> None:
    paths = {path for path, *_ in METHODS.values()}
    assert DOCUMENT["paths"].keys() - ABOUT_THE_SERVER == paths
    for path, arguments, options in METHODS.values():
        wanted = {*RULES, "moves", *taken(path)} if options else set()
        if options:
            assert getattr(client, options).__optional_keys__ == wanted
        if arguments:
            body = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]
            asked = resolved(body["schema"])["properties"].keys()
            assert asked - {"moves"} == (wanted | {*arguments.split()}) - {"moves"}
    assert engine.EngineOptions.__optional_keys__ == {*RULES, "moves", *OPTIONS}
    assert mcp.PositionInput.model_fields.keys() == {*RULES, "moves", "board"}
    assert set[str]().union(*(each.doors for each in OPTIONS.values())) <= {*paths, *COMMANDS}


def parameters(kind: type) -> dict[str, set[str]]:
    """Return the parameters of each public method. The class of its options is one of them."""
    found = {}
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        spec = inspect.getfullargspec(method)
        options = re.findall(r"\w*Options", str(spec.annotations.get("options")))
        given = {*spec.args, *spec.kwonlyargs, *options}
        found[name] = given - {"self", "on_progress", "cancellation", "batch"}
    return {name: each for name, each in found.items() if name[0] != "_"}


def parameters_in_javascript() -> dict[str, set[str]]:
    text = (WEB / "client.js").read_text(encoding="utf-8").partition("export class Client {")[2]
    found = {}
    for words, name, given in re.findall(r"/\*\*([^/]*)\*/\n  (\w+)\((.*)\) \{\n", text):
        options = re.findall(r"\w*Options|\w+(?=\?:)", "".join(re.findall("{.*} .options", words)))
        found[name] = {*options, *re.findall(r"\w+", given)} - {"options", "CallOptions"}
    return {name: each for name, each in found.items() if name != "constructor"}


def test_every_program_has_the_operations_of_the_list_with_their_parameters() -> None:
    wanted = {name: {*f"{given} {more}".split()} for name, (_, given, more) in METHODS.items()}
    assert parameters(client.Client) == wanted | {"close": set()}
    assert parameters(client.AsyncClient) == wanted | {"aclose": set()}
    here = {name: each - {"EngineOptions"} for name, each in parameters(engine.Engine).items()}
    assert here == {name: {*METHODS[name][1].split()} for name in OF_THE_ENGINE}
    found = parameters_in_javascript().items()
    assert wanted == {re.sub("[A-Z]", lambda at: f"_{at[0].lower()}", name): x for name, x in found}


def test_assistants_commands_and_tables_take_the_options_of_the_list() -> None:
    tools = awaited(mcp.server(engine.Engine()).list_tools())
    found = {tool.name: tool.input_schema["properties"].keys() for tool in tools}
    assert found == {name: {*more.split()} | heeded(name) for name, more in TOOLS.items()}
    assert {each.name for each in fields(Options)} & OPTIONS.keys() == taken("label")
    for name in COMMANDS.keys() - {"tree", "mcp", "serve"}:
        command: Any = bestmove.get_command(None, name)  # type: ignore[arg-type]
        assert {each.name for each in command.params} & OPTIONS.keys() == taken(name), name


BOARD = "X........"
VALUES = {"board": BOARD, "boards": [BOARD], "tree": [1], "maximizing": False}


def asks(given: dict[str, Any], api: Api) -> Iterator[tuple[str, Set[str], Callable[[], Any]]]:
    """Yield the name of each door, the options that count there, and a function that asks there."""
    body = {"board": BOARD, **given}
    ignored = requests._OF_ONE_MOVE
    yield "/best-move", taken("/best-move"), partial(api.answer, "/best-move", **body)
    yield "/play", taken("/play"), partial(api.answer, "/play", **body, move=1)
    yield "/analyze", taken("/analyze") - ignored, partial(api.answer, "/analyze", **body)
    yield "/proof", taken("/proof") - ignored - {"threads"}, partial(api.answer, "/proof", **body)
    batch = {"boards": [BOARD], **given}
    yield "/best-moves", taken("/best-moves"), partial(api.answer, "/best-moves", **batch)
    flags = [f"--{name.removesuffix('_ms')}={value}" for name, value in given.items()]
    for command in ("suggest", "play", "analyze", "prove"):
        run = partial(CliRunner().invoke, bestmove, [command, BOARD, *flags])
        yield command, taken(command), run
    here = engine.Engine()
    for tool, more in TOOLS.items():
        call = partial(mcp.server(here).call_tool, tool, body | dict.fromkeys(more.split()[1:], 1))
        yield f"mcp {tool}", heeded(tool), lambda call=call: awaited(call())  # type: ignore[misc]
    for ask in (here.best_move, here.analyze, here.prove, partial(here.play, move=1)):
        yield "Engine", OPTIONS.keys(), partial(ask, BOARD, **given)
    yield "label", taken("label"), lambda: Options(**given).limits(Rules())


@pytest.mark.parametrize("name", OPTIONS)
def test_every_door_passes_options_on(name: str, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    option = OPTIONS[name]
    value = option.choices[-1] if option.choices else option.least
    given = {name: value} | ({"algorithm": "minimax"} if name == "evaluation" else {})
    seen: list[Limits] = []

    def noted(search: Callable[..., Any], board: Board, limits: Limits, *_: Any, **__: Any) -> Any:
        seen.append(limits)
        return search(board)

    for module, search in product((analysis, engine), ("best_move", "analyze")):
        monkeypatch.setattr(module, search, partial(noted, getattr(module, search)))
    for module in (proofs, certificate):
        monkeypatch.setattr(module, "attempt", partial(noted, lambda _: (None, "")))
    for door, counts, ask in asks(given, api):
        if name in counts:
            answer = ask()
            limits = answer if isinstance(answer, Limits) else seen[0]
            assert getattr(limits, name) == value, door
            seen.clear()


@NODE
def test_every_method_of_client_js_sends_its_arguments() -> None:
    asked = []
    for name, (path, words, _) in METHODS.items():
        camel = re.sub(r"_(\w)", lambda at: at[1].upper(), name)
        given: dict[str, Any] = {each: VALUES.get(each, 1) for each in words.split()}
        first = [given[each] for each in given if each in ("board", "move", "boards", "tree")]
        more = dict.fromkeys(taken(path) | given.keys() - {"board", "move", "boards", "tree"}, 1)
        asked.append([f"http://here{path}", camel, [*first, more], given | more])
    check(
        """
        const { Client } = await load("client.js");
        for (const [path, name, passed, wanted] of given) {
          const fetch = async ({ href }, { body }) => {
            is([href, JSON.parse(body) ?? {}], [path, wanted]);
            return new Response("{}", { status: 418 });
          };
          const found = new Client({ baseUrl: "http://here", fetch })[name](...passed);
          const { status } = await (found.next?.() ?? found).catch((thrown) => thrown);
          is([name, status], [name, 418]);
        }
        """,
        asked,
    )


@pytest.mark.parametrize("kind", [client.Client, client.AsyncClient])
def test_each_client_sends_its_arguments(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    def sent(_: object, url: str, call: Call[object], *__: object) -> None:
        raise LookupError(url, call.body)

    async def first(found: Any) -> None:
        if hasattr(found, "__anext__"):
            found = anext(found)
        if hasattr(found, "__await__"):
            await found
        next(found)

    monkeypatch.setattr(kind, "_request", sent)
    for name, (path, arguments, _) in METHODS.items():
        given = {each: VALUES.get(each, 1) for each in (*arguments.split(), *taken(path))}
        with pytest.raises(LookupError) as caught:
            awaited(first(getattr(kind("http://here"), name)(**given)))
        assert caught.value.args == (f"http://here{path}", given or None)
