"""`POST /best-moves`: many boards in one request, each for itself."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from typing import Any, Final

from flask import Flask, Response, request

from bestmove.api import positions, requests
from bestmove.api.capacity import LARGE_BODY, Capacity
from bestmove.api.middleware import record
from bestmove.api.problems import OVERLOADED, Faults, Problem, from_error
from bestmove.api.requests import Question
from bestmove.api.responses import JSON, json_response
from bestmove.api.schemas import BatchRequest
from bestmove.api.settings import Settings
from bestmove.errors import InvalidInput, OutOfTime
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import Limits

Item = Board | Problem
"""A board of the batch: to be answered, or refused."""

GRACE_S: Final = 1.0
"""Seconds past the time budget after which nothing more is searched: a search of the fewest nodes
is over in `LEAST_S`, and a busy machine may take several times as long for all of them."""

BRIEF_S: Final = 0.02
"""Seconds for a board from which on the clock is the limit. On 15×15 a search looks at it every
few milliseconds, and ends up to 4 ms late."""

LEAST_S: Final = 0.0005
"""Seconds that a search of one node takes on 15×15, measured."""

NODES_PER_S: Final = 100_000
"""Nodes that a search visits in any case, less than half of what is measured."""

_TOO_LATE: Final = Problem(
    OVERLOADED,
    "The time budget was used up before this board's turn: send fewer boards, or more time_ms.",
)


class Batches:
    """The view of /best-moves."""

    def __init__(self, settings: Settings, capacity: Capacity) -> None:
        self._settings = settings
        self._capacity = capacity
        self._schema = BatchRequest(max_time_ms=settings.max_time_ms)

    def register(self, app: Flask) -> None:
        """Give the app its route."""
        app.add_url_rule("/best-moves", view_func=self.post_best_moves, methods=["POST"])

    def post_best_moves(self) -> Response:
        """`POST /best-moves`."""
        requests.representation(request.environ, (JSON,))
        data = requests.body(request.environ, self._settings.max_body_bytes)
        is_large = len(data) >= LARGE_BODY
        with ExitStack() as held:
            if is_large:
                to_read = self._capacity.to_read(record().arrived)
                held.enter_context(self._capacity.slot(to_read))
            with self._capacity.working() if is_large else nullcontext():
                items, limits = self._items(data)
            costly = sum(
                isinstance(item, Board) and not analysis.is_cheap(item, limits) for item in items
            )
            if costly and not is_large:
                held.enter_context(self._capacity.slot(limits))
            return json_response({"results": self._results(items, limits, costly)})

    def _items(self, data: bytes) -> tuple[Sequence[Item], Limits]:
        """The boards of a body, and what all of them together may spend."""
        query = requests.query_of_body(self._schema, requests.parse_json(data))
        query.faults.raise_any()
        fields = query.fields
        limits = requests.limits_of(fields, self._settings, record().arrived)
        boards = enumerate(fields["boards"])
        return [_read(number, board, fields, limits) for number, board in boards], limits

    def _results(
        self, items: Sequence[Item], limits: Limits, costly: int
    ) -> Sequence[dict[str, Any]]:
        """The results in order. One time budget for all: each search gets an equal share of what
        is left of it, in nodes where that is too little for a clock.

        A textbook search, which has no answer before its end, may use all that is left.
        """
        assert limits.deadline is not None
        assert limits.time_ms is not None
        share = replace(limits, time_ms=max(1, limits.time_ms // max(1, costly)))
        results: list[dict[str, Any]] = [{}] * len(items)
        spent = 0.0
        for place in _by_rules(items):
            item = items[place]
            if isinstance(item, Problem):
                results[place] = {"problem": item.document()}
                continue
            due, nodes = limits.deadline, limits.nodes
            if not analysis.is_cheap(item, limits):
                now = time.monotonic()
                left = limits.deadline - now
                if left < -GRACE_S:
                    results[place] = {"problem": _TOO_LATE.document()}
                    continue
                if limits.algorithm == "auto" and not limits.is_repeatable:
                    seconds = max(0.0, left) / costly
                    due, nodes = now + seconds, _nodes_in(seconds)
                costly -= 1
            question = Question(item, replace(share, deadline=due, nodes=nodes))
            try:
                answer = self._capacity.answer_in_slot(question, analysis.best_move)
            except OutOfTime as error:
                results[place] = {"problem": from_error(error).document()}
                continue
            spent += answer.search.elapsed_ms
            results[place] = {"result": answer.to_dict()}
        record().note_search(spent)
        return results


def _nodes_in(seconds: float) -> int | None:
    """The nodes that a search of so little time may visit; None where a clock serves."""
    if seconds >= BRIEF_S:
        return None
    return max(1, round((seconds - LEAST_S) * NODES_PER_S))


def _by_rules(items: Sequence[Item]) -> list[int]:
    """The places of the items, boards of one size together: an engine is made for each size."""

    def size(place: int) -> tuple[int, int, int]:
        item = items[place]
        if not isinstance(item, Board):
            return 0, 0, 0
        return item.rules.rows, item.rules.columns, item.rules.k

    return sorted(range(len(items)), key=size)


def _read(number: int, board: object, fields: Mapping[str, Any], limits: Limits) -> Board | Problem:
    faults = Faults()
    try:
        item = positions.board_of_item(board, fields)
        analysis.check(item, limits)
    except InvalidInput as error:
        # What is wrong with "board" here is wrong with that item of "boards".
        name, _, deeper = error.field.partition("/")
        place = f"boards/{number}" if name in ("board", "moves", "item") else name
        if isinstance(board, dict) and name in board:
            place += f"/{name}"
        faults.add(f"{place}/{deeper}" if deeper else place, str(error))
        return faults.problem()
    return item
