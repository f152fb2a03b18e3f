"""A Model Context Protocol server with three tools to play and explain games.

It needs the official SDK, in the extra `mcp`. `bestmove mcp` runs it on standard input
and output. https://modelcontextprotocol.io
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from bestmove.answers import AnswerT
from bestmove.bots.engine import Engine
from bestmove.errors import BestMoveError
from bestmove.extras import needs_extra
from bestmove.game import MAX_SIDE, PRESETS, Board
from bestmove.game.inputs import position_of
from bestmove.game.rules import SWITCHES
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import BEST_LEVEL, DEFAULT_TIME_MS, OPTIONS
from bestmove.version import __version__

with needs_extra("mcp"):
    import yaml
    from anyio import get_cancelled_exc_class, to_thread
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.tools import Tool
    from mcp.types import ToolAnnotations
    from pydantic import BaseModel, ConfigDict, Field, ValidationError

if TYPE_CHECKING:
    from bestmove.client.connection import Client

MOST_TIME_MS: Final = 60_000
"""The largest `time_ms` of a tool."""

MOST_LISTED: Final = 20
"""The most moves, and the most threats of each side, that an analysis lists."""

LISTED: Final = 8
"""How many moves, and how many threats of each side, an analysis lists by default."""

_DOCUMENT: Final = Path(__file__).parents[1] / "openapi.yaml"

_HINTS: Final = {"read_only_hint": True, "idempotent_hint": True, "open_world_hint": False}
"""Hints for assistants: the tools change nothing, and use nothing outside this server."""

_COUNT: Final = {"type": "integer", "minimum": 0}
_COUNTS: Final = {
    "required": ["counts"],
    "properties": {
        "counts": {
            "description": "How many moves and threats there are, listed or not",
            "type": "object",
            "required": ["moves", "threats"],
            "properties": {
                "moves": _COUNT,
                "threats": {"type": "object", "properties": {"X": _COUNT, "O": _COUNT}},
            },
        }
    },
}

LINE: Final = 8
"""The maximum number of moves in a variation. The limit keeps an analysis with `MOST_LISTED` moves
below 10 kB."""

INSTRUCTIONS: Final = f"""\
Best play in games of k in a row: {", ".join(PRESETS)}, and boards of up to {MAX_SIDE}x{MAX_SIDE}.
Give the name of a game, and either its moves so far or its board. X moves first unless `first` is
O. Cell indices count from 0 along the rows, and row 0 is the top. `score` is the expected result
for X (1 if X wins, 0 for a draw, -1 if O wins), and it is proven if `exact` is true. `outcome` is
the result for the side to move, `plies` the moves of both sides to the end, `pv` the line of best
play, and `reason.text` says why the move was chosen."""


class PositionInput(BaseModel):
    """A game and the moves so far; by default an empty tic-tac-toe board."""

    model_config = ConfigDict(extra="forbid")

    game: str | None = Field(None, description=f"A game by name: {', '.join(PRESETS)}")
    moves: str | list[Any] | None = Field(
        None,
        description="The moves so far, from the empty board on: squares such as 'h8 i9' (column "
        "letter, row number from the bottom), with gravity also column digits from 1 such as "
        "'4453', or a list of cell indices",
    )
    board: str | list[Any] | None = Field(
        None, description="Instead of moves: the rows, such as 'X../.O./...', with . for empty"
    )
    rows: int | None = None
    columns: int | None = None
    k: int | None = Field(None, description="Marks in a line that end the game")
    gravity: bool | None = Field(None, description=SWITCHES["gravity"].words)
    overline: bool | None = Field(None, description=SWITCHES["overline"].words)
    misere: bool | None = Field(None, description=SWITCHES["misere"].words)
    first: Literal["X", "O"] = "X"

    def to_board(self) -> Board:
        """Return the board.

        Raises:
            InvalidInput: the fields are not a position of a game.
        """
        return position_of(self.board, self.model_dump(exclude={"board"}))


def _limit(name: str, most: int | None = None) -> Any:
    """Return the range and the words of an option; `most` lowers its largest value."""
    option = OPTIONS[name]
    return Field(ge=option.least, le=most or option.most, description=option.words)


Where = Annotated[PositionInput, Field(description="The position")]
Level = Annotated[int, _limit("level")]
Time = Annotated[int, _limit("time_ms", MOST_TIME_MS)]
Top = Annotated[
    int,
    Field(ge=1, le=MOST_LISTED, description="How many moves, and threats of each side, to list"),
]
Played = Annotated[
    int | str | dict[str, int],
    Field(
        description="A square such as 'h8', a cell's index, {row, column}, or with gravity {column}"
    ),
]


class _Server(MCPServer):
    """An MCP server that also accepts `{"moves": ...}` for `{"position": {"moves": ...}}`."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], *rest: Any, **options: Any
    ) -> Any:
        fields = {key: arguments[key] for key in PositionInput.model_fields if key in arguments}
        if fields and "position" not in arguments:
            others = {key: value for key, value in arguments.items() if key not in fields}
            arguments = {**others, "position": fields}
        try:
            return await super().call_tool(name, arguments, *rest, **options)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError(_in_words(error.__cause__)) from error


def _in_words(error: ValidationError) -> str:
    known = ", ".join(PositionInput.model_fields)
    faults = []
    for fault in error.errors(include_url=False):
        place = ".".join(str(part) for part in fault["loc"])
        is_unknown = fault["type"] == "extra_forbidden"
        words = f"unknown; the fields are {known}" if is_unknown else fault["msg"]
        faults.append(f"{place}: {words}")
    return "; ".join(dict.fromkeys(faults))


def server(backend: Engine | Client) -> MCPServer:
    """Make the server with its tools. The tools answer like the service's endpoints."""

    async def asked(
        ask: Callable[..., AnswerT], position: Callable[[], Board], **options: Any
    ) -> dict[str, Any]:
        """Answer from another thread. If the assistant cancels the call, the search ends."""
        cancellation = Cancellation()
        # A `Client` cannot cancel a search.
        more = {"cancellation": cancellation} if isinstance(backend, Engine) else {}

        def answer() -> dict[str, Any]:
            return ask(position(), **options, **more).to_dict()

        try:
            return await to_thread.run_sync(answer, abandon_on_cancel=True)
        except get_cancelled_exc_class():
            cancellation.cancel()
            raise
        except BestMoveError as error:
            field = getattr(error, "field", "")
            raise ToolError(f"{field}: {error}" if field else str(error)) from error

    async def best_move(
        position: Where, level: Level = BEST_LEVEL, time_ms: Time = DEFAULT_TIME_MS
    ) -> dict[str, Any]:
        """The best move on a board, its result, and why it was chosen."""
        return await asked(backend.best_move, position.to_board, level=level, time_ms=time_ms)

    async def analyze(
        position: Where, top: Top = LISTED, time_ms: Time = DEFAULT_TIME_MS
    ) -> dict[str, Any]:
        """The best legal moves on a board with their results, best first, and the threats.

        `counts` has the total numbers of moves and threats. Each `pv` has only its first moves.
        """
        return _shortened(await asked(backend.analyze, position.to_board, time_ms=time_ms), top)

    async def play(
        position: Where, move: Played, level: Level = BEST_LEVEL, time_ms: Time = DEFAULT_TIME_MS
    ) -> dict[str, Any]:
        """Make a move and get the reply. `after` is the position after both."""

        def after() -> Board:
            return position.to_board().play(move)

        return await asked(backend.best_move, after, level=level, time_ms=time_ms)

    return _Server(
        "bestmove",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        tools=[
            _tool(best_move, "Best move", _schema("BestMoveAnswer")),
            _tool(analyze, "Analyse a position", _schema("AnalysisAnswer") | _COUNTS),
            _tool(play, "Make a move", _schema("BestMoveAnswer")),
        ],
    )


def _tool(ask: Callable[..., Any], title: str, schema: dict[str, Any]) -> Tool:
    tool = Tool.from_function(ask, annotations=ToolAnnotations(title=title, **_HINTS))
    tool.fn_metadata.output_schema = schema
    return tool


def _schema(name: str) -> dict[str, Any]:
    found = _schemas()
    used, missing = {}, [name]
    while missing:
        each = missing.pop()
        used[each] = found[each]
        missing += set(re.findall(r"#/\$defs/(\w+)", json.dumps(found[each]))) - used.keys()
    return {"type": "object", **used.pop(name), "$defs": used}


@cache
def _schemas() -> dict[str, Any]:
    text = _DOCUMENT.read_text(encoding="utf-8").replace("#/components/schemas/", "#/$defs/")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    schemas: dict[str, Any] = yaml.load(text, loader)["components"]["schemas"]
    return schemas


def _shortened(analysis: dict[str, Any], top: int) -> dict[str, Any]:
    moves, threats = analysis["moves"], analysis["threats"]
    return {
        **analysis,
        "moves": [{**move, "pv": move["pv"][:LINE]} for move in moves[:top]],
        "threats": {mark: found[:top] for mark, found in threats.items()},
        "counts": {
            "moves": len(moves),
            "threats": {mark: len(found) for mark, found in threats.items()},
        },
    }
