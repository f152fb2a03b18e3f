"""The endpoints about one position: read the request, search, answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Flask, Response, request

from bestmove.api import caching, requests, responses, streams
from bestmove.api.capacity import Answer, Capacity, SearchFunction
from bestmove.api.middleware import RECORD, Record, record
from bestmove.api.requests import Query, Question
from bestmove.api.responses import EVENTS, JSON, TEXT, VARY, HeaderList
from bestmove.api.schemas import AnalysisRequest, PlayRequest, PositionRequest, Request
from bestmove.api.settings import Settings
from bestmove.search import analysis


class Offered(NamedTuple):
    """The media types that an endpoint offers, and the headers that its answers share."""

    media: Sequence[str]
    headers: HeaderList


_MOVE: Final = Offered((JSON, TEXT), [VARY])
_STREAMED_MOVE: Final = Offered((JSON, TEXT, EVENTS), [VARY])
_ANALYSIS: Final = Offered((JSON,), [])
_STREAMED_ANALYSIS: Final = Offered((JSON, EVENTS), [VARY])


class Moves:
    """The views of /best-move, /analyze and /play."""

    def __init__(self, settings: Settings, capacity: Capacity) -> None:
        self._settings = settings
        self._capacity = capacity
        self._position = PositionRequest(max_time_ms=settings.max_time_ms)
        self._analysis = AnalysisRequest(max_time_ms=settings.max_time_ms)
        # A stream may ask for more time.
        self._streamed_position = PositionRequest(max_time_ms=settings.stream_time_ms)
        self._streamed_analysis = AnalysisRequest(max_time_ms=settings.stream_time_ms)
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
        schemas = (self._position, self._streamed_position)
        return self._post(schemas, analysis.best_move, _STREAMED_MOVE)

    def get_best_move(self) -> Response:
        """`GET /best-move`."""
        return self._get(self._position, "best-move", analysis.best_move, _MOVE)

    def post_analysis(self) -> Response:
        """`POST /analyze`."""
        schemas = (self._analysis, self._streamed_analysis)
        return self._post(schemas, analysis.analyze, _STREAMED_ANALYSIS, all_moves=True)

    def get_analysis(self) -> Response:
        """`GET /analyze`."""
        return self._get(self._analysis, "analyze", analysis.analyze, _ANALYSIS, all_moves=True)

    def post_play(self) -> Response:
        """`POST /play`."""
        return self._post((self._play,), analysis.best_move, _MOVE)

    def _post(
        self,
        schemas: Sequence[Request],
        search: SearchFunction[Answer],
        offered: Offered,
        *,
        all_moves: bool = False,
    ) -> Response:
        environ = request.environ
        now: Record = environ[RECORD]
        media = requests.representation(environ, offered.media)
        data = requests.body(environ, self._settings.max_body_bytes)
        with self._capacity.reading(len(data), now.arrived):
            schema = schemas[media == EVENTS]
            query = requests.query_of_body(schema, requests.parse_json(data))
            question = self._question(query, now, all_moves=all_moves)
        if media == EVENTS:
            return streams.answer(self._capacity, question, search, now, environ.get(streams.PEER))
        answer = self._capacity.answer(question, search)
        now.note_search(answer.search.elapsed_ms)
        return responses.answer_response(answer, media, offered.headers)

    def _get(
        self,
        schema: Request,
        route: str,
        search: SearchFunction[Answer],
        offered: Offered,
        *,
        all_moves: bool = False,
    ) -> Response:
        now = record()
        media = requests.representation(request.environ, offered.media)
        query = requests.query_of_parameters(schema, request.query_string)
        question = self._question(query, now, repeatable=True, all_moves=all_moves)
        tag = caching.entity_tag(route, question, media)
        if caching.matches(request, tag):
            return caching.not_modified(request, tag, offered.headers)
        answer = self._capacity.answer(question, search)
        now.note_search(answer.search.elapsed_ms)
        response = responses.answer_response(answer, media, offered.headers, repeatable=True)
        if answer.exact and not answer.search.timed_out:
            caching.mark_exact(response, tag)
        return response

    def _question(
        self, query: Query, now: Record, *, repeatable: bool = False, all_moves: bool = False
    ) -> Question:
        question = requests.question(
            query, self._settings, now.arrived, repeatable=repeatable, all_moves=all_moves
        )
        now.note_board(question.board)
        return question
