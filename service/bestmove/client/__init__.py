"""The Python client: typed answers of a service, and a bot for any game loop.

    from bestmove.client import Client

    with Client("http://127.0.0.1:8000") as client:
        answer = client.best_move("XX.OO....")
        print(answer.move, answer.outcome, answer.reason.text)

The client does not import the engine and needs only `requests`. `AsyncClient`, for asyncio, needs
`pip install 'bestmove[async]'`.
"""

TYPE_CHECKING = False  # names are imported on first use, so that the command starts quickly
if TYPE_CHECKING:
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
    from bestmove.client.asynchronous import AsyncClient
    from bestmove.client.bot import Bot
    from bestmove.client.connection import Client
    from bestmove.errors import (
        BestMoveError,
        InvalidAnswer,
        InvalidInput,
        RequestRefused,
        ServiceError,
        ServiceUnavailable,
        ServiceUnreachable,
    )
    from bestmove.game.inputs import AnalysisOptions, MoveOptions, Options

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

_MODULES = {
    "bestmove.answers": (
        *("Analysis", "BestMove", "GameTree", "Games", "Move", "MoveEvaluation", "NamedGame"),
        *("GameRules", "GameState"),
        *("Answer", "Problem", "Progress", "Proven", "Reason", "SearchStats", "Threat"),
    ),
    "bestmove.client.asynchronous": ("AsyncClient",),
    "bestmove.client.bot": ("Bot",),
    "bestmove.client.connection": ("Client",),
    "bestmove.errors": (
        *("BestMoveError", "InvalidAnswer", "InvalidInput", "RequestRefused", "ServiceError"),
        *("ServiceUnavailable", "ServiceUnreachable"),
    ),
    "bestmove.game.inputs": ("AnalysisOptions", "MoveOptions", "Options"),
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    for module, names in _MODULES.items():
        if name not in names:
            continue
        try:
            value = globals()[name] = getattr(import_module(module), name)
        except ModuleNotFoundError as error:
            if error.name != "httpx":
                raise
            raise ImportError("AsyncClient needs httpx: pip install 'bestmove[async]'") from error
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
