"""The endpoints about one position: read the request, search, answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any, Final

from flask import Flask, Response, request

from bestmove.api import caching, known, reading, requests, responses
from bestmove.api.known import Ready
from bestmove.api.lane import Remembered
from bestmove.api.problems import Faults
from bestmove.api.reading import JSON, TEXT
from bestmove.api.requests import Question
from bestmove.api.schemas import PlayRequest, PositionRequest
from bestmove.api.searching import Searcher, record
from bestmove.api.settings import Settings
from bestmove.errors import InvalidInput
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import BEST_LEVEL
from bestmove.search.results import BestMove

_NEGOTIATED: Final = [("Vary", "Accept"), ("Cache-Control", caching.NO_STORE)]
_NOT_STORED: Final = [("Cache-Control", caching.NO_STORE)]
_CONTENT_TYPES: Final = {JSON: JSON, TEXT: "text/plain; charset=utf-8"}


class Positions:
    """The views of /best-move, /analyze and /play."""

    def __init__(self, settings: Settings, searcher: Searcher, remembered: Remembered) -> None:
        self._settings = settings
        self._searcher = searcher
        self._position = PositionRequest(max_time_ms=settings.max_time_ms)
        self._play = PlayRequest(max_time_ms=settings.max_time_ms)
        self._remembered = remembered

    def register(self, app: Flask) -> None:
        """Give the app its routes."""
        app.add_url_rule("/best-move", view_func=self.post_best_move, methods=["POST"])
        app.add_url_rule("/best-move", view_func=self.get_best_move, methods=["GET"])
        app.add_url_rule("/analyze", view_func=self.post_analysis, methods=["POST"])
        app.add_url_rule("/analyze", view_func=self.get_analysis, methods=["GET"])
        app.add_url_rule("/play", view_func=self.post_play, methods=["POST"])

    def post_best_move(self) -> Response:
        """`POST /best-move`."""
        media = reading.representation(request, (JSON, TEXT))
        body = reading.body(request, self._settings.max_body_bytes)
        loaded, faults = requests.load(self._position, reading.parse_json(body))
        question = self._question(requests.board_in(loaded, faults), loaded, faults)
        if len(body) <= known.LONGEST and _is_known(question):
            self._remembered.posts.add(body, known.ready(question.board))
        return self._best_move(question, media)

    def get_best_move(self) -> Response:
        """`GET /best-move`."""
        media = reading.representation(request, (JSON, TEXT))
        question = self._question_of_query()
        tag = caching.entity_tag("best-move", question, media)
        query = request.environ.get("QUERY_STRING", "")
        if media == JSON and len(query) <= known.LONGEST and _is_known(question):
            self._remembered.gets.add(query, (known.ready(question.board), tag))
        if caching.matches(request, tag):
            return caching.not_modified(request, tag, negotiated=True)
        answer = self._searcher.search(question, analysis.best_move)
        body = _text(question.board, answer) if media == TEXT else _json(question.board, answer)
        response = Response(body, content_type=_CONTENT_TYPES[media], headers=_NEGOTIATED)
        response.headers["Server-Timing"] = responses.server_timing(answer.search)
        if answer.exact:
            caching.mark_exact(response, tag)
        return response

    def post_analysis(self) -> Response:
        """`POST /analyze`."""
        reading.representation(request, (JSON,))
        loaded, faults = requests.load(self._position, self._body())
        question = self._question(requests.board_in(loaded, faults), loaded, faults)
        if _is_known(question):
            ready, elapsed_ms = self._looked_up(known.ready_analysis, question.board)
            body = f"{ready.with_search(elapsed_ms)}\n"
            return Response(body, content_type=JSON, headers=_NOT_STORED)
        found = self._searcher.search(question, analysis.analyze)
        answer = responses.analysis(question.board, found)
        answer["search"] = responses.search(found.search)
        return json_response(answer)

    def get_analysis(self) -> Response:
        """`GET /analyze`."""
        reading.representation(request, (JSON,))
        question = self._question_of_query()
        tag = caching.entity_tag("analyze", question, JSON)
        if caching.matches(request, tag):
            return caching.not_modified(request, tag)
        if _is_known(question):
            ready, elapsed_ms = self._looked_up(known.ready_analysis, question.board)
            response = Response(f"{ready.plain}\n", content_type=JSON, headers=_NOT_STORED)
            response.headers["Server-Timing"] = responses.server_timing(ready.stats, elapsed_ms)
            caching.mark_exact(response, tag)
            return response
        found = self._searcher.search(question, analysis.analyze)
        response = json_response(responses.analysis(question.board, found))
        response.headers["Server-Timing"] = responses.server_timing(found.search)
        if found.complete and all(move.exact for move in found.moves):
            caching.mark_exact(response, tag)
        return response

    def post_play(self) -> Response:
        """`POST /play`."""
        media = reading.representation(request, (JSON, TEXT))
        loaded, faults = requests.load(self._play, self._body())
        board = requests.board_in(loaded, faults)
        if board is not None and "move" in loaded:
            try:
                board = requests.played(board, loaded["move"])
            except InvalidInput as error:
                faults.add_error(error)
        return self._best_move(self._question(board, loaded, faults), media)

    def _body(self) -> Any:
        return reading.parse_json(reading.body(request, self._settings.max_body_bytes))

    def _question(self, board: Board | None, loaded: dict[str, Any], faults: Faults) -> Question:
        now = record()
        default = self._settings.default_time_ms
        question = requests.question(board, loaded, faults, default, now.arrived)
        now.board = f"{question.board.rules.rows}x{question.board.rules.columns}"
        return question

    def _question_of_query(self) -> Question:
        loaded, faults = requests.load_query(self._position, request.query_string)
        question = self._question(requests.board_in(loaded, faults), loaded, faults)
        limits = question.limits
        # The same GET has the same answer: weaker levels need a seed to be repeatable.
        seed = 0 if limits.seed is None and limits.level < BEST_LEVEL else limits.seed
        return Question(question.board, replace(limits, reproducible=True, seed=seed))

    def _best_move(self, question: Question, media: str) -> Response:
        if media == JSON and _is_known(question):
            ready, elapsed_ms = self._looked_up(known.ready, question.board)
            body = f"{ready.with_search(elapsed_ms)}\n"
            return Response(body, content_type=JSON, headers=_NEGOTIATED)
        found = self._searcher.search(question, analysis.best_move)
        if media == TEXT:
            body = _text(question.board, found)
        else:
            body = _json(question.board, found, with_search=True)
        return Response(body, content_type=_CONTENT_TYPES[media], headers=_NEGOTIATED)

    def _looked_up(self, ready: Callable[[Board], Ready], board: Board) -> tuple[Ready, float]:
        """An answer that need only be looked up, noted as such, and the milliseconds it took."""
        began = perf_counter()
        answer = ready(board)
        elapsed_ms = round((perf_counter() - began) * 1000, 3)
        record().engine_ms = elapsed_ms
        self._searcher.count_known(answer.stats.algorithm)
        return answer, elapsed_ms


def json_response(answer: dict[str, Any]) -> Response:
    """An answer that is no representation of anything lasting."""
    return Response(responses.text(answer) + "\n", content_type=JSON, headers=_NOT_STORED)


def _is_known(question: Question) -> bool:
    return known.is_known(question.board, question.limits)


def _text(board: Board, found: BestMove) -> str:
    after = board if found.move is None else board.play(found.move)
    return f"{after}\n"


def _json(board: Board, found: BestMove, with_search: bool = False) -> str:
    answer = responses.best_move(board, found)
    if with_search:
        answer["search"] = responses.search(found.search)
    return responses.text(answer) + "\n"
