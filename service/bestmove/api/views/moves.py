"""The endpoints about one position: read the request, search, answer."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, request
from marshmallow import Schema

from bestmove.api import caching, requests, responses
from bestmove.api.capacity import Answer, Capacity, Search
from bestmove.api.middleware import record
from bestmove.api.requests import Query, Question
from bestmove.api.responses import JSON, TEXT
from bestmove.api.schemas import PlayRequest, PositionRequest
from bestmove.api.settings import Settings
from bestmove.search import analysis

_MEDIA_OF_A_MOVE: Final = (JSON, TEXT)
_MEDIA_OF_AN_ANALYSIS: Final = (JSON,)


class Moves:
    """The views of /best-move, /analyze and /play."""

    def __init__(self, settings: Settings, capacity: Capacity) -> None:
        self._settings = settings
        self._capacity = capacity
        self._position = PositionRequest(max_time_ms=settings.max_time_ms)
        self._play = PlayRequest(max_time_ms=settings.max_time_ms)

    def register(self, app: Flask) -> None:
        """Give the app its routes."""
        app.add_url_rule("/best-move", view_func=self.post_best_move, methods=["POST"])
        app.add_url_rule("/best-move", view_func=self.get_best_move, methods=["GET"])
        app.add_url_rule("/analyze", view_func=self.post_analysis, methods=["POST"])
        app.add_url_rule("/analyze", view_func=self.get_analysis, methods=["GET"])
        app.add_url_rule("/play", view_func=self.post_play, methods=["POST"])

    def post_best_move(self) -> Response:
        """`POST /best-move`."""
        return self._post(self._position, analysis.best_move, _MEDIA_OF_A_MOVE)

    def get_best_move(self) -> Response:
        """`GET /best-move`."""
        return self._get("best-move", analysis.best_move, _MEDIA_OF_A_MOVE)

    def post_analysis(self) -> Response:
        """`POST /analyze`."""
        return self._post(self._position, analysis.analyze, _MEDIA_OF_AN_ANALYSIS)

    def get_analysis(self) -> Response:
        """`GET /analyze`."""
        return self._get("analyze", analysis.analyze, _MEDIA_OF_AN_ANALYSIS)

    def post_play(self) -> Response:
        """`POST /play`."""
        return self._post(self._play, analysis.best_move, _MEDIA_OF_A_MOVE)

    def _post(self, schema: Schema, search: Search[Answer], offered: tuple[str, ...]) -> Response:
        media = requests.representation(request, offered)
        value = requests.parse_json(requests.body(request, self._settings.max_body_bytes))
        question = self._question(requests.query_of_body(schema, value))
        response = responses.answer_response(self._capacity.answer(question, search), media)
        return responses.negotiated(response, offered)

    def _get(self, route: str, search: Search[Answer], offered: tuple[str, ...]) -> Response:
        media = requests.representation(request, offered)
        query = requests.query_of_parameters(self._position, request.query_string)
        question = self._question(query, repeatable=True)
        tag = caching.entity_tag(route, question, media)
        if caching.matches(request, tag):
            return responses.negotiated(caching.not_modified(request, tag), offered)
        answer = self._capacity.answer(question, search)
        response = responses.answer_response(answer, media, repeatable=True)
        if answer.exact:
            caching.mark_exact(response, tag)
        return responses.negotiated(response, offered)

    def _question(self, query: Query, *, repeatable: bool = False) -> Question:
        now = record()
        question = requests.question(
            query, self._settings.default_time_ms, now.arrived, repeatable=repeatable
        )
        rules = question.board.rules
        now.board = f"{rules.rows}x{rules.columns}"
        return question
