"""The endpoints for one position: read the request, search, answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
        ("/best-move", PositionRequest, (JSON, TEXT)),
        ("/analyze", AnalysisRequest, (JSON,)),
    ):
        usual = schema(max_time_ms=settings.max_time_ms)
        longer = schema(max_time_ms=settings.stream_time_ms)
        both = _Endpoint(settings, capacity, media, usual, longer)
        app.add_url_rule(path, f"POST {path}", both.post, methods=["POST"])
        app.add_url_rule(path, f"GET {path}", both.get, methods=["GET"])
    moved = PlayRequest(max_time_ms=settings.max_time_ms)
    play = _Endpoint(settings, capacity, (JSON, TEXT), moved)
    app.add_url_rule("/play", "POST /play", play.post, methods=["POST"])


@dataclass(frozen=True)
class _Endpoint:
    """The views of one endpoint.

    Attributes:
        media: the media types that the endpoint offers, besides events.
        schema: the schema of requests.
        streamed: the schema of requests for events, with a higher time limit; None if the endpoint
            offers no events.
    """

    settings: Settings
    capacity: Capacity
    media: tuple[str, ...]
    schema: Request
    streamed: Request | None = None

    @cached_property
    def every_media(self) -> tuple[str, ...]:
        return self.media if self.streamed is None else (*self.media, EVENTS)

    @cached_property
    def all_moves(self) -> bool:
        return isinstance(self.schema, AnalysisRequest)

    def post(self) -> Response:
        environ = request.environ
        now: RequestRecord = environ[RECORD]
        wanted = requests.representation(environ, self.every_media)
        data = requests.body(environ, self.settings.max_body_bytes)
        with self.capacity.reading(len(data), now.arrived):
            schema = self.streamed if wanted == EVENTS else self.schema
            assert schema is not None
            query = requests.query_of_body(schema, requests.parse_json(data))
            question = requests.question(query, self.settings, now, all_moves=self.all_moves)
        found = self.capacity.look_up(question)
        if wanted == EVENTS:
            peer = environ.get(streams.PEER)
            return streams.answer(self.capacity, question, found, now, peer)
        answer = found or self.capacity.search(question)
        now.engine_ms = answer.search.elapsed_ms
        return responses.answer_response(answer, wanted, [VARY])

    def get(self) -> Response:
        environ = request.environ
        now: RequestRecord = environ[RECORD]
        wanted = requests.representation(environ, self.every_media)
        if wanted == EVENTS and streams.LAST_EVENT_ID in environ:
            return streams.over()
        headers = [VARY]
        query = requests.query_of_parameters(self.schema, request.query_string)
        question = requests.question(
            query, self.settings, now, repeatable=True, all_moves=self.all_moves
        )
        if wanted == EVENTS:
            found = self.capacity.look_up(question)
            peer = environ.get(streams.PEER)
            return streams.answer(self.capacity, question, found, now, peer, ends=True)
        tag = caching.entity_tag(request.path[1:], question, wanted)
        if caching.matches(request, tag):
            return caching.not_modified(request, tag, headers)
        answer = self.capacity.look_up(question) or self.capacity.search(question)
        now.engine_ms = answer.search.elapsed_ms
        response = responses.answer_response(answer, wanted, headers, repeatable=True)
        if answer.exact and not answer.search.timed_out:
            caching.mark_exact(response, tag)
        return response
