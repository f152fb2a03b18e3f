"""`POST /best-moves`: many boards in one request, each for itself."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from flask import Flask, Response, request

from service.api import answers, caching, known, loading, reading
from service.api.known import Memory, Ready
from service.api.problems import OVERLOADED, Faults, Problem
from service.api.reading import JSON
from service.api.schemas import BatchRequest
from service.api.searching import Searcher, record
from service.api.settings import Settings
from service.errors import InvalidInput
from service.game import Board
from service.search import analysis
from service.search.limits import BEST_LEVEL, Limits

Item = Ready | Board | Problem
"""A board of the batch: answered, to be searched, or refused."""

_TOO_LATE: Final = Problem(
    OVERLOADED,
    "The time budget was used up before this board's turn: send fewer boards, or more time_ms.",
)


class Batches:
    """The view of /best-moves."""

    def __init__(self, settings: Settings, searcher: Searcher) -> None:
        self._settings = settings
        self._searcher = searcher
        self._schema = BatchRequest(max_time_ms=settings.max_time_ms)
        self._spelt: Memory[tuple[object, ...], Ready] = Memory(known.MOST_REQUESTS)

    def register(self, app: Flask) -> None:
        """Give the app its route."""
        app.add_url_rule("/best-moves", view_func=self.post_best_moves, methods=["POST"])

    def post_best_moves(self) -> Response:
        """`POST /best-moves`."""
        reading.representation(request, (JSON,))
        value = reading.parse_json(reading.body(request, self._settings.max_body_bytes))
        loaded, faults = loading.load(self._schema, value)
        faults.raise_any()
        limits = loading.limits_of(loaded, self._settings.default_time_ms, record().arrived)
        items = self._read(loaded, limits)
        costly = sum(
            isinstance(item, Board) and not analysis.is_cheap(item, limits) for item in items
        )
        with self._searcher.slot(limits) if costly else nullcontext():
            results = self._results(items, limits, costly)
        return Response(
            f'{{"results":[{",".join(results)}]}}\n',
            content_type=JSON,
            headers=[("Cache-Control", caching.NO_STORE)],
        )

    def _read(self, loaded: dict[str, Any], limits: Limits) -> list[Item]:
        options = tuple(loaded.get(name) for name in ("rows", "columns", "k", "first"))
        best_play = limits.level == BEST_LEVEL and limits.algorithm == "auto"
        items: list[Item] = []
        for number, board in enumerate(loaded["boards"]):
            spelling = (board, options) if best_play and isinstance(board, str) else None
            item: Item | None = None if spelling is None else self._spelt.get(spelling)
            if item is None:
                item = _read(number, board, loaded, limits)
                if isinstance(item, Board) and known.is_known(item, limits):
                    item = known.ready(item)
                    if spelling is not None and len(board) <= known.LONGEST:
                        self._spelt.add(spelling, item)
            items.append(item)
        return items

    def _results(self, items: Sequence[Item], limits: Limits, costly: int) -> list[str]:
        """The results as JSON. One time budget for all: each search gets an equal share of what
        is left of it."""
        assert limits.deadline is not None
        assert limits.time_ms is not None
        results: list[str] = []
        share = replace(limits, time_ms=max(1, limits.time_ms // max(1, costly)))
        spent = 0.0
        looked_up: list[Ready] = []
        for item in items:
            if isinstance(item, Ready):
                looked_up.append(item)
                results.append(f'{{"result":{item.with_search(0.0)}}}')
            elif isinstance(item, Problem):
                results.append(_problem(item))
            else:
                now = time.monotonic()
                if now > limits.deadline and limits.algorithm != "auto":
                    results.append(_problem(_TOO_LATE))  # a textbook search knows no deadline
                    continue
                budget = share
                if not analysis.is_cheap(item, limits):
                    left = max(0.0, limits.deadline - now)
                    budget = replace(share, deadline=now + left / costly)
                    costly -= 1
                found = analysis.best_move(item, budget)
                spent += found.search.elapsed_ms
                self._searcher.count(item, found)
                answer = answers.best_move(item, found)
                answer["search"] = answers.search(found.search)
                results.append(f'{{"result":{answers.text(answer)}}}')
        for algorithm, times in Counter(ready.stats.algorithm for ready in looked_up).items():
            self._searcher.count_known(algorithm, times)
        record().engine_ms = round(spent, 3)
        return results


def _read(number: int, board: object, loaded: dict[str, Any], limits: Limits) -> Board | Problem:
    faults = Faults()
    try:
        item = loading.board_of(board, loaded)
        analysis.check(item, limits)
    except InvalidInput as error:
        # What is wrong with "board" here is wrong with that item of "boards".
        name, _, deeper = error.field.partition("/")
        place = f"boards/{number}" if name == "board" else name
        faults.add(f"{place}/{deeper}" if deeper else place, str(error))
        return faults.problem()
    return item


def _problem(problem: Problem) -> str:
    return f'{{"problem":{answers.text(problem.document())}}}'
