"""`POST /best-moves`: many boards in one request, each for itself."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from flask import Flask, Response, request

from bestmove.api import caching, known, reading, requests, responses
from bestmove.api.known import Memory, Ready
from bestmove.api.problems import OVERLOADED, Faults, Problem
from bestmove.api.reading import JSON
from bestmove.api.schemas import BatchRequest
from bestmove.api.searching import Searcher, record
from bestmove.api.settings import Settings
from bestmove.errors import InvalidInput
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import BEST_LEVEL, Limits

Item = Ready | Board | Problem
"""A board of the batch: answered, to be searched, or refused."""

GRACE_S: Final = 1.0
"""Seconds past the time budget after which nothing more is searched. Before that, boards whose
turn comes late still get what is seen at once."""

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
        loaded, faults = requests.load(self._schema, value)
        faults.raise_any()
        limits = requests.limits_of(loaded, self._settings.default_time_ms, record().arrived)
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
        share = replace(limits, time_ms=max(1, limits.time_ms // max(1, costly)))
        results: list[str] = [""] * len(items)
        looked_up: Counter[str] = Counter()
        spent = 0.0
        for place in _by_rules(items):
            item = items[place]
            if isinstance(item, Ready):
                looked_up[item.stats.algorithm] += 1
                results[place] = f'{{"result":{item.with_search(0.0)}}}'
            elif isinstance(item, Problem):
                results[place] = _problem(item)
            elif analysis.is_cheap(item, limits):
                results[place], elapsed_ms = self._search(item, share)
                spent += elapsed_ms
            else:
                now = time.monotonic()
                left = limits.deadline - now
                # A textbook search knows no deadline: none may begin after it.
                if left < (-GRACE_S if limits.algorithm == "auto" else 0):
                    results[place] = _problem(_TOO_LATE)
                    continue
                due = now + max(0.0, left) / costly
                results[place], elapsed_ms = self._search(item, replace(share, deadline=due))
                spent += elapsed_ms
                costly -= 1
        for algorithm, times in looked_up.items():
            self._searcher.count_known(algorithm, times)
        record().engine_ms = round(spent, 3)
        return results

    def _search(self, board: Board, limits: Limits) -> tuple[str, float]:
        """The result for one board as JSON, and the milliseconds of its search."""
        found = analysis.best_move(board, limits)
        self._searcher.count(board, found)
        answer = responses.best_move(board, found)
        answer["search"] = responses.search(found.search)
        return f'{{"result":{responses.text(answer)}}}', found.search.elapsed_ms


def _by_rules(items: Sequence[Item]) -> list[int]:
    """The places of the items, boards of one size together: an engine is made for each size."""

    def size(place: int) -> tuple[int, int, int]:
        item = items[place]
        if not isinstance(item, Board):
            return 0, 0, 0
        return item.rules.rows, item.rules.columns, item.rules.k

    return sorted(range(len(items)), key=size)


def _read(number: int, board: object, loaded: dict[str, Any], limits: Limits) -> Board | Problem:
    faults = Faults()
    try:
        item = requests.board_of(board, loaded)
        analysis.check(item, limits)
    except InvalidInput as error:
        # What is wrong with "board" here is wrong with that item of "boards".
        name, _, deeper = error.field.partition("/")
        place = f"boards/{number}" if name == "board" else name
        faults.add(f"{place}/{deeper}" if deeper else place, str(error))
        return faults.problem()
    return item


def _problem(problem: Problem) -> str:
    return f'{{"problem":{responses.text(problem.document())}}}'
