"""`GET /games`: the named games and the server's limits."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request

from bestmove.answers import Games, NamedGame
from bestmove.api import requests
from bestmove.api.responses import JSON, json_response
from bestmove.api.schemas import MOST_BOARDS
from bestmove.api.settings import Settings
from bestmove.game import MAX_SIDE, PRESETS
from bestmove.game.inputs import RANGES


def named_games(settings: Settings) -> dict[str, Any]:
    """Return the answer of `GET /games`."""
    return Games(
        tuple(map(NamedGame.of, PRESETS.values())),
        {
            "rows": MAX_SIDE,
            "columns": MAX_SIDE,
            "boards": MOST_BOARDS,
            "time_ms": settings.max_time_ms,
            "stream_ms": settings.stream_time_ms,
            **{name: RANGES[name][1] for name in ("depth", "level", "lines")},
            "body_bytes": settings.max_body_bytes,
        },
    ).to_dict()


def register(app: Flask, settings: Settings) -> None:
    answer = named_games(settings)

    def get_games() -> Response:
        requests.representation(request.environ, (JSON,))
        return json_response(answer)

    app.add_url_rule("/games", view_func=get_games, methods=["GET"])
