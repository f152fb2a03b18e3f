"""The Python client: the service's answers as typed records, and a bot for any game loop.

    from bestmove.client import Client

    with Client("http://127.0.0.1:8000") as client:
        answer = client.best_move("XX.OO....")
        print(answer.move, answer.outcome, answer.reason.text)

It imports nothing of the engine: with `requests` and this package alone a program can play.
"""

from bestmove.client.answers import (
    Analysis,
    BestMove,
    Evaluation,
    GameTree,
    Move,
    Position,
    Problem,
    Reason,
    Search,
    Threat,
)
from bestmove.client.bot import Bot
from bestmove.client.connection import AnalysisOptions, Client, Options

__all__ = [
    "Analysis",
    "AnalysisOptions",
    "BestMove",
    "Bot",
    "Client",
    "Evaluation",
    "GameTree",
    "Move",
    "Options",
    "Position",
    "Problem",
    "Reason",
    "Search",
    "Threat",
]
