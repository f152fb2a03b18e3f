"""The Python client: typed answers of a service, and a bot for any game loop.

    from bestmove.client import Client

    with Client("http://127.0.0.1:8000") as client:
        answer = client.best_move("XX.OO....")
        print(answer.move, answer.outcome, answer.reason.text)

The client does not import the engine and needs only `requests`. `AsyncClient`, for asyncio, needs
the extra `async`.
"""

from typing import TYPE_CHECKING

from bestmove.answers import (
    Analysis,
    Answer,
    BestMove,
    GameRules,
    Games,
    GameState,
    GameTree,
    Move,
    MoveEvaluation,
    NamedGame,
    Problem,
    Progress,
    Proven,
    Reason,
    SearchStats,
    Threat,
)
from bestmove.errors import (
    BestMoveError,
    InvalidAnswer,
    InvalidInput,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    ServiceUnreachable,
)
from bestmove.extras import needs_extra
from bestmove.game.inputs import AnalysisOptions, MoveOptions, Options

if TYPE_CHECKING:  # imported on first use, because httpx may be missing
    from bestmove.client.asynchronous import AsyncClient
    from bestmove.client.bot import Bot
    from bestmove.client.connection import Client

__all__ = [
    "Analysis",
    "AnalysisOptions",
    "Answer",
    "AsyncClient",
    "BestMove",
    "BestMoveError",
    "Bot",
    "Client",
    "GameRules",
    "GameState",
    "GameTree",
    "Games",
    "InvalidAnswer",
    "InvalidInput",
    "Move",
    "MoveEvaluation",
    "MoveOptions",
    "NamedGame",
    "Options",
    "Problem",
    "Progress",
    "Proven",
    "Reason",
    "RequestRefused",
    "SearchStats",
    "ServiceError",
    "ServiceUnavailable",
    "ServiceUnreachable",
    "Threat",
]

_MODULES = {"AsyncClient": "asynchronous", "Bot": "bot", "Client": "connection"}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with needs_extra("async"):
        return getattr(import_module(f"bestmove.client.{_MODULES[name]}"), name)
