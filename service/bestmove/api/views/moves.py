"""The endpoints for one position: read the request, search, answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flask import Flask, Response, request

from bestmove.api import caching, requests, responses, streams
from bestmove.api.capacity import Capacity
from bestmove.api.record import RECORD, RequestRecord
from bestmove.api.responses import EVENTS, JSON, TEXT, VARY
from bestmove.api.schemas import AnalysisRequest, PlayRequest, PositionRequest, Request
from bestmove.api.settings import Settings


def register(app: Flask, settings: Settings, capacity: Capacity) -> None:
    """Add /best-move, /analyze and /play."""
    for path, schema, media in (
        ("/best-move", PositionRequest, (JSON, TEXT, EVENTS)),
        ("/analyze", AnalysisRequest, (JSON, EVENTS)),
        ("/play", PlayRequest, (JSON, TEXT)),
    ):
        usual = schema(max_time_ms=settings.max_time_ms)
        longer = schema(max_time_ms=settings.stream_time_ms)
        view = _Endpoint(settings, capacity, media, usual, longer, schema is AnalysisRequest)
        app.add_url_rule(path, f"POST {path}", view.post, methods=["POST"])
        if schema is not PlayRequest:
            app.add_url_rule(path, f"GET {path}", view.get, methods=["GET"])


@dataclass(frozen=True)
class _Endpoint:
    """The views of one endpoint.

    Attributes:
        media: the media types that the endpoint offers.
        schema: the schema of requests.
        streamed: the schema of requests for events, with a higher time limit.
        all_moves: whether the endpoint analyzes all moves.
    """

    settings: Settings
    capacity: Capacity
    media: tuple[str, ...]
    schema: Request
    streamed: Request
    all_moves: bool

    def post(self) -> Response:
        environ = request.environ
        now: RequestRecord = environ[RECORD]
        wanted = requests.representation(environ, self.media)
        schema = self.streamed if wanted == EVENTS else self.schema
        asked = partial(
            requests.question, settings=self.settings, record=now, all_moves=self.all_moves
        )
        question = self.capacity.read(schema, asked)
        found = self.capacity.look_up(question)
        if wanted == EVENTS:
            return streams.answer(self.capacity, question, found, now)
        answer = found or self.capacity.search(question)
        now.engine_ms = answer.search.elapsed_ms
        return responses.answer_response(answer, wanted, [VARY])

    def get(self) -> Response:
        environ = request.environ
        now: RequestRecord = environ[RECORD]
        wanted = requests.representation(environ, self.media)
        if wanted == EVENTS and streams.is_over(request):
            return streams.over()
        query = requests.query_of_parameters(self.schema, request.query_string)
        question = requests.question(
            query, self.settings, now, repeatable=True, all_moves=self.all_moves
        )
        tag = caching.entity_tag(request.path[1:], question, wanted)
        known = None if wanted == EVENTS else caching.known_tag(request, tag)
        if known is not None:
            return caching.not_modified(request, known, [VARY])
        found = self.capacity.look_up(question)
        if wanted == EVENTS:
            return streams.answer(self.capacity, question, found, now, ends=True)
        answer = found or self.capacity.search(question)
        now.engine_ms = answer.search.elapsed_ms
        response = responses.answer_response(answer, wanted, [VARY], repeatable=True)
        if answer.exact and not answer.search.timed_out:
            caching.mark_exact(response, tag)
        return response
