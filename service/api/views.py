"""The endpoints: read the request, search, answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

from flask import Flask, Response, request

from service.api import answers, caching, loading, reading
from service.api.admission import Admission
from service.api.envelope import RECORD, Record
from service.api.loading import Question
from service.api.metrics import Metrics
from service.api.problems import Faults, Problem, from_error
from service.api.reading import JSON, TEXT
from service.api.schemas import BatchRequest, PlayRequest, PositionRequest, TreeRequest
from service.api.settings import Settings
from service.errors import InvalidInput, Overloaded
from service.game import Board
from service.search import analysis, tree
from service.search.limits import BEST_LEVEL, Limits
from service.search.results import Analysis, BestMove

Found = TypeVar("Found", BestMove, Analysis)

LARGE_TREE: Final = 2000
"""Nodes from which on a game tree takes a search slot."""

MOST_STEPS: Final = 1_000_000
"""Plies from the root, summed over a tree's nodes: the paths in the answer are no longer."""

_NEGOTIATED: Final = {"Vary": "Accept", "Cache-Control": caching.NO_STORE}
_NOT_STORED: Final = {"Cache-Control": caching.NO_STORE}


class Endpoints:
    """The API's views, over one process's admission and counters."""

    def __init__(self, settings: Settings, metrics: Metrics | None) -> None:
        self._settings = settings
        self._metrics = metrics
        self._admission = Admission(settings.slots, settings.search_queue)
        longest = settings.max_time_ms
        self._position = PositionRequest(max_time_ms=longest)
        self._play = PlayRequest(max_time_ms=longest)
        self._batch = BatchRequest(max_time_ms=longest)
        self._tree = TreeRequest()

    def register(self, app: Flask) -> None:
        """Give the app its routes."""
        app.add_url_rule("/best-move", view_func=self.post_best_move, methods=["POST"])
        app.add_url_rule("/best-move", view_func=self.get_best_move, methods=["GET"])
        app.add_url_rule("/analyze", view_func=self.post_analysis, methods=["POST"])
        app.add_url_rule("/analyze", view_func=self.get_analysis, methods=["GET"])
        app.add_url_rule("/best-moves", view_func=self.post_best_moves, methods=["POST"])
        app.add_url_rule("/play", view_func=self.post_play, methods=["POST"])
        app.add_url_rule("/game-tree", view_func=self.post_tree, methods=["POST"])

    def post_best_move(self) -> Response:
        """`POST /best-move`."""
        media = reading.representation(request, (JSON, TEXT))
        loaded, faults = loading.load(self._position, self._body())
        board = loading.board_in(loaded, faults)
        return self._best_move(self._question(board, loaded, faults), media)

    def get_best_move(self) -> Response:
        """`GET /best-move`."""
        media = reading.representation(request, (JSON, TEXT))
        question = self._question_of_query()
        tag = caching.entity_tag("best-move", question, media)
        if caching.matches(request, tag):
            return caching.not_modified(request, tag)
        found = self._search(question, analysis.best_move)
        board = question.board
        body = _text(board, found) if media == TEXT else _json(answers.best_move(board, found))
        response = Response(body, content_type=_CONTENT_TYPES[media], headers=_NEGOTIATED)
        response.headers["Server-Timing"] = answers.server_timing(found.search)
        if found.exact:
            caching.mark_exact(response, tag)
        return response

    def post_analysis(self) -> Response:
        """`POST /analyze`."""
        reading.representation(request, (JSON,))
        loaded, faults = loading.load(self._position, self._body())
        question = self._question(loading.board_in(loaded, faults), loaded, faults)
        found = self._search(question, analysis.analyze)
        answer = answers.analysis(question.board, found)
        answer["search"] = answers.search(found.search)
        return _json_response(answer)

    def get_analysis(self) -> Response:
        """`GET /analyze`."""
        reading.representation(request, (JSON,))
        question = self._question_of_query()
        tag = caching.entity_tag("analyze", question, JSON)
        if caching.matches(request, tag):
            return caching.not_modified(request, tag)
        found = self._search(question, analysis.analyze)
        response = _json_response(answers.analysis(question.board, found))
        response.headers["Server-Timing"] = answers.server_timing(found.search)
        if found.complete and all(move.exact for move in found.moves):
            caching.mark_exact(response, tag)
        return response

    def post_play(self) -> Response:
        """`POST /play`."""
        media = reading.representation(request, (JSON, TEXT))
        loaded, faults = loading.load(self._play, self._body())
        board = loading.board_in(loaded, faults)
        if board is not None:
            try:
                board = loading.played(board, loaded["move"])
            except InvalidInput as error:
                faults.add_error(error)
        return self._best_move(self._question(board, loaded, faults), media)

    def post_best_moves(self) -> Response:
        """`POST /best-moves`."""
        reading.representation(request, (JSON,))
        loaded, faults = loading.load(self._batch, self._body())
        limits = loading.limits_of(loaded, self._settings.default_time_ms, _record().arrived)
        faults.raise_any()
        items = [self._read_item(number, loaded, limits) for number in range(len(loaded["boards"]))]
        costly = sum(
            not isinstance(item, Problem) and not analysis.is_cheap(item, limits) for item in items
        )
        if costly:
            with self._slot(limits):
                results = self._batch_results(items, limits, costly)
        else:
            results = self._batch_results(items, limits, 0)
        return _json_response({"results": results})

    def post_tree(self) -> Response:
        """`POST /game-tree`."""
        reading.representation(request, (JSON,))
        loaded, faults = loading.load(self._tree, self._body())
        root = None
        if "tree" in loaded:
            try:
                root = tree.parse(loaded["tree"])
                nodes, steps = _size(root)
                if steps > MOST_STEPS:
                    faults.add(
                        "tree",
                        f"the plies from the root to each of its {nodes:,} nodes add up to "
                        f"{steps:,}, at most {MOST_STEPS:,} are allowed",
                    )
            except InvalidInput as error:
                faults.add_error(error)
        faults.raise_any()
        assert root is not None
        limits = loading.limits_of({}, self._settings.default_time_ms, _record().arrived)
        options = (loaded["algorithm"], loaded["maximizing"], loaded.get("depth"))
        try:
            if nodes < LARGE_TREE:
                found = tree.search(root, *options)
            else:
                with self._slot(limits):
                    found = tree.search(root, *options)
        except InvalidInput as error:
            raise from_error(error) from None
        _record().engine_ms = found.search.elapsed_ms
        return _json_response(answers.tree(found))

    def _body(self) -> Any:
        return reading.parse_json(reading.body(request, self._settings.max_body_bytes))

    def _question(self, board: Board | None, loaded: dict[str, Any], faults: Faults) -> Question:
        default = self._settings.default_time_ms
        question = loading.question(board, loaded, faults, default, _record().arrived)
        _record().board = f"{question.board.rules.rows}x{question.board.rules.columns}"
        return question

    def _question_of_query(self) -> Question:
        loaded, faults = loading.load_query(self._position, request)
        board = loading.board_in(loaded, faults)
        question = self._question(board, loaded, faults)
        limits = question.limits
        # The same GET has the same answer: weaker levels need a seed to be repeatable.
        seed = 0 if limits.seed is None and limits.level < BEST_LEVEL else limits.seed
        return Question(question.board, replace(limits, reproducible=True, seed=seed))

    def _best_move(self, question: Question, media: str) -> Response:
        found = self._search(question, analysis.best_move)
        if media == TEXT:
            body = _text(question.board, found)
        else:
            answer = answers.best_move(question.board, found)
            answer["search"] = answers.search(found.search)
            body = _json(answer)
        return Response(body, content_type=_CONTENT_TYPES[media], headers=_NEGOTIATED)

    def _search(self, question: Question, search: Callable[[Board, Limits], Found]) -> Found:
        board, limits = question.board, question.limits
        if analysis.is_cheap(board, limits):
            found = search(board, limits)
        else:
            with self._slot(limits):
                found = search(board, limits)
        _record().engine_ms = found.search.elapsed_ms
        if self._metrics is not None:
            rules = board.rules
            exact = found.exact if isinstance(found, BestMove) else found.complete
            self._metrics.search(rules.rows, rules.columns, exact, found.search)
        return found

    def _slot(self, limits: Limits) -> Any:
        assert limits.time_ms is not None
        assert limits.deadline is not None
        return self._admission.slot(limits.time_ms / 1000, limits.deadline)

    def _read_item(self, number: int, loaded: dict[str, Any], limits: Limits) -> Board | Problem:
        faults = Faults()
        board = loaded["boards"][number]
        try:
            board = loading.board_of(board, loaded)
            analysis.check(board, limits)
        except InvalidInput as error:
            field = error.field.partition("board")
            if field[0] == "" and field[1]:
                faults.add(f"boards/{number}{field[2]}", str(error))
            else:
                faults.add_error(error)
            return faults.problem()
        return board

    def _batch_results(
        self, items: list[Board | Problem], limits: Limits, costly: int
    ) -> list[dict[str, Any]]:
        """One time budget for all: each search gets an equal share of what is left."""
        assert limits.deadline is not None
        results: list[dict[str, Any]] = []
        spent = 0.0
        for item in items:
            if isinstance(item, Problem):
                results.append({"problem": item.document()})
                continue
            share = limits
            if not analysis.is_cheap(item, limits):
                now = time.monotonic()
                left = max(0.0, limits.deadline - now)
                if not left and limits.algorithm != "auto":
                    late = from_error(
                        Overloaded("the time budget is used up: send fewer boards or more time_ms")
                    )
                    results.append({"problem": late.document()})
                    continue
                assert limits.time_ms is not None
                share = replace(
                    limits,
                    time_ms=max(1, limits.time_ms // costly),
                    deadline=now + left / costly,
                )
                costly -= 1
            found = analysis.best_move(item, share)
            answer = answers.best_move(item, found)
            answer["search"] = answers.search(found.search)
            results.append({"result": answer})
            spent += found.search.elapsed_ms
        _record().engine_ms = round(spent, 3)
        return results


def _record() -> Record:
    record: Record = request.environ[RECORD]
    return record


def _size(root: tree.Node) -> tuple[int, int]:
    """The number of nodes, and the plies from the root summed over them."""
    nodes = steps = ply = 0
    level = [root]
    while level:
        nodes += len(level)
        steps += ply * len(level)
        ply += 1
        level = [child for node in level for child in node.children]
    return nodes, steps


def _text(board: Board, found: BestMove) -> str:
    after = board if found.move is None else board.play(found.move)
    return f"{after}\n"


def _json(answer: dict[str, Any]) -> str:
    return _ENCODER.encode(answer) + "\n"


def _json_response(answer: dict[str, Any]) -> Response:
    return Response(_json(answer), content_type=JSON, headers=_NOT_STORED)


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_CONTENT_TYPES: Final = {JSON: JSON, TEXT: "text/plain; charset=utf-8"}
