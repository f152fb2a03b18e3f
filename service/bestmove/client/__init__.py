"""The Python client: typed answers of a service, and a bot for any game loop.

    from bestmove.client import Client

    with Client("http://127.0.0.1:8000") as client:
        answer = client.best_move("XX.OO....")
        print(answer.move, answer.outcome, answer.reason.text)

It does not import the engine and needs only `requests`. `AsyncClient`, for asyncio, needs
`pip install 'bestmove[async]'`.
"""

from typing import TYPE_CHECKING, Any

from bestmove.client.answers import (
    Analysis,
    Answer,
    BestMove,
    Evaluation,
    Finished,
    Game,
    Games,
    GameTree,
    InProgress,
    Move,
    Position,
    Problem,
    Proven,
    Reason,
    Search,
    Threat,
)
from bestmove.client.bot import Bot
from bestmove.client.connection import Client
from bestmove.client.events import Progress
from bestmove.client.questions import AnalysisOptions, MoveOptions, Options
from bestmove.errors import (
    BestMoveError,
    InvalidAnswer,
    InvalidInput,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    ServiceUnreachable,
)

if TYPE_CHECKING:
    from bestmove.client.asynchronous import AsyncClient

__all__ = [
    "Analysis",
    "AnalysisOptions",
    "Answer",
    "AsyncClient",
    "BestMove",
    "BestMoveError",
    "Bot",
    "Client",
    "Evaluation",
    "Finished",
    "Game",
    "GameTree",
    "Games",
    "InProgress",
    "InvalidAnswer",
    "InvalidInput",
    "Move",
    "MoveOptions",
    "Options",
    "Position",
    "Problem",
    "Progress",
    "Proven",
    "Reason",
    "RequestRefused",
    "Search",
    "ServiceError",
    "ServiceUnavailable",
    "ServiceUnreachable",
    "Threat",
]


def __getattr__(name: str) -> Any:
    """Import `AsyncClient` on first use, because it needs httpx."""
    if name != "AsyncClient":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from bestmove.client.asynchronous import AsyncClient
    except ModuleNotFoundError as error:
        if error.name != "httpx":
            raise
        raise ImportError("AsyncClient needs httpx: pip install 'bestmove[async]'") from error
    return AsyncClient
