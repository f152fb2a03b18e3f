"""`POST /best-moves`: many boards in one request, which share one time budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Final

from flask import Flask, Response, request

from bestmove.answers import BestMove
from bestmove.api import requests
from bestmove.api.capacity import Capacity, is_final
from bestmove.api.problems import OVERLOADED, Faults, RequestProblem, from_error
from bestmove.api.record import record
from bestmove.api.requests import Question
from bestmove.api.responses import JSON, json_text_response, to_json
from bestmove.api.scheduler import Work
from bestmove.api.schemas import BatchBoard, BatchRequest
from bestmove.api.settings import Settings
from bestmove.errors import InvalidInput, OutOfTime, pointer_part
from bestmove.game import Board
from bestmove.search import analysis, dispatch
from bestmove.search.limits import BEST_LEVEL, SearchLimits

GRACE: Final = (0.1, 0.02)
"""A batch may exceed `time_ms` by this share of `time_ms`, plus this many seconds."""

READING_S: Final = 0.005
"""After this many seconds of processor time, the boards are read in a slot. A hundred boards of 3×3
take less."""

SHORTEST_S: Final = 0.1
"""No batch runs out of time before this many seconds: twice the time of a thousand look-ups."""

PATIENCE_S: Final = 1.0
"""The most additional seconds for a batch whose thread had to wait for the processor."""

LEAST_MS: Final = 1.0
"""A board is searched again only if it gets at least this many milliseconds."""

BRIEF_S: Final = 0.02
"""A search of fewer seconds is limited by nodes, because the clock may be 4 ms late on 15×15."""

LEAST_S: Final = 0.0005
"""The seconds that a search of a single node takes, measured on 15×15."""

NODES_PER_S: Final = 100_000
"""The nodes per second that every search reaches: less than half the measured rate."""

_TOO_LATE: Final = RequestProblem(
    OVERLOADED,
    "The time budget was used up before this board's turn: send fewer boards, or more time_ms.",
)


class Batches:
    def __init__(self, settings: Settings, capacity: Capacity) -> None:
        self._settings = settings
        self._capacity = capacity
        self._schema = BatchRequest(max_time_ms=settings.max_time_ms)
        self._item = BatchBoard()

    def register(self, app: Flask) -> None:
        app.add_url_rule("/best-moves", view_func=self.post_best_moves, methods=["POST"])

    def post_best_moves(self) -> Response:
        requests.representation(request.environ, (JSON,))
        query = self._capacity.read(self._schema, lambda query: query)
        query.faults.raise_any()
        limits = requests.limits_of(query.fields, self._settings, record().arrived)
        with ExitStack() as held:
            # Take the slot at most once.
            hold = cache(partial(held.enter_context, self._capacity.slot(limits)))
            batch = self._read(query.fields, limits, hold)
            record().engine_ms = round(batch.answer(hold()), 3) if batch.boards else 0.0
        return json_text_response(batch.text())

    def _read(
        self, shared: Mapping[str, Any], limits: SearchLimits, hold: Callable[[], Work]
    ) -> _Batch:
        """Read the boards until the time is up. If that takes long, call `hold`."""
        until = time.thread_time() + READING_S
        batch = _Batch(self._capacity, limits)
        read: dict[str, Board | Faults] = {}
        for number, given in enumerate(shared["boards"]):
            if (problem := batch.over()) is not None:
                batch.add(problem)
                continue
            if time.thread_time() > until and hold().is_gone:
                break
            text = repr(given)
            item = read.get(text)
            if item is None:
                item = read[text] = self._item_of(given, shared, limits)
            batch.add(_placed(item, number, given).problem() if isinstance(item, Faults) else item)
        return batch

    def _item_of(
        self, given: object, shared: Mapping[str, Any], limits: SearchLimits
    ) -> Board | Faults:
        """Read an item as if it were a request with the shared options."""
        own = given if isinstance(given, dict) else {"board": given}
        faults = Faults()
        try:
            query = requests.query_of_body(self._item, own)
            faults = query.faults
            board = requests.board_in({**shared, **query.fields}, faults)
            if board is not None and limits.algorithm != "auto":
                analysis.require_textbook(board, limits)
            faults.raise_any()
        except InvalidInput as error:
            with suppress(RequestProblem):  # the list of faults is full
                faults.add_error(error)
        except RequestProblem as problem:
            faults = Faults(found=list(problem.faults))
        else:
            assert board is not None
            return board
        return faults


def _placed(faults: Faults, number: int, given: object) -> Faults:
    """Return the item's faults with their places in the body."""
    own = frozenset(map(pointer_part, given)) if isinstance(given, dict) else frozenset()
    placed = Faults()
    for fault in faults.found:
        name, _, deeper = fault.where.removeprefix("/").partition("/")
        place = [name, deeper]
        if name in own:
            place = ["boards", str(number), name, deeper]
        elif name in ("", "board", "moves"):
            place = ["boards", str(number), deeper]
        placed.add("/".join(filter(None, place)), fault.detail)
    return placed


@dataclass
class _Batch:
    """The boards of a batch, and their answers.

    Attributes:
        limits: the limits of the whole batch.
        results: the answers in the order of the request; None for a board not yet searched.
        places: for each board, its indices in `results`; equal boards share an entry.
        boards: the boards that need a search.
    """

    capacity: Capacity
    limits: SearchLimits
    results: list[BestMove | RequestProblem | None] = field(default_factory=list)
    places: dict[Board, list[int]] = field(default_factory=dict)
    boards: list[Board] = field(default_factory=list)
    _idle: float = field(default_factory=lambda: time.monotonic() - time.thread_time())

    def add(self, item: Board | RequestProblem) -> None:
        """Add an item; if it needs no search, answer it now."""
        if isinstance(item, RequestProblem):
            self.results.append(item)
            return
        places = self.places.setdefault(item, [])
        places.append(len(self.results))
        if len(places) > 1:
            self.results.append(self.results[places[0]])
        elif analysis.is_cheap(item, self.limits):
            question = Question(item, self.limits, analysis.best_move)
            answer = self.capacity.look_up(question)
            assert isinstance(answer, BestMove)
            self.results.append(answer)
        else:
            self.boards.append(item)
            self.results.append(None)

    def over(self) -> RequestProblem | None:
        """Return the problem for all unanswered boards; None if the batch may go on."""
        assert self.limits.deadline is not None
        assert self.limits.time_ms is not None
        seconds = self.limits.time_ms / 1000
        share, more = GRACE
        end = self.limits.deadline + max(share * seconds + more, SHORTEST_S - seconds)
        late = time.monotonic() - end
        if late <= 0 or (late <= PATIENCE_S and time.thread_time() <= end - self._idle):
            return None
        return _TOO_LATE

    def answer(self, work: Work) -> float:
        """Search for the answers. Return the milliseconds that the searches took.

        - Each board gets an equal share of the time.
        - Then the unfinished boards, which are neither proven nor searched to the requested depth,
          share the time that is left. A board is searched again if its share has at least doubled.
        - In a repeatable batch, an unfinished board counts as having used its whole share. The time
          of a finished board is computed from its nodes.
        - After a batch's turn has ended for others, the boards without an answer are not searched:
          each gets the move that is best at sight.
        """
        self.limits = limits = work.limits
        goes_on = limits.algorithm == "auto" and limits.level == BEST_LEVEL
        # Boards with the same rules follow each other, so that they use the same searcher.
        waiting = sorted(self.boards, key=lambda board: repr(board.rules))
        left = self._left_ms(0.0)
        if not limits.is_repeatable:
            left = min(left, (self.capacity.ends_at(work) - time.monotonic()) * 1000)
        most = left / max(1, len(waiting))
        shares: dict[Board, float] = {}
        spent = used = 0.0
        while waiting:
            unproven = []
            for number, board in enumerate(waiting):
                if work.is_gone:
                    return spent
                if (problem := self.over()) is not None:
                    self._stop(problem)
                    return spent
                share = max(0.0, self._left_ms(used)) / (len(waiting) - number)
                if board not in shares:
                    share = min(share, most)
                elif work.cancellation.is_cancelled or share < max(LEAST_MS, 2 * shares[board]):
                    continue
                shares[board] = share
                try:
                    answer = self._search(work, board, share)
                except OutOfTime as error:
                    self._set(board, from_error(error))
                    continue
                self._set(board, answer)
                spent += answer.search.elapsed_ms
                if is_final(limits, answer):
                    used += min(share, dispatch.milliseconds(board.rules, answer.search.nodes))
                    continue
                used += share
                if goes_on:
                    unproven.append(board)
            waiting = unproven
        return spent

    def text(self) -> str:
        written: dict[int, str] = {}
        for found in self.results:
            if id(found) in written or found is None:
                continue
            document = (
                {"problem": found.document()}
                if isinstance(found, RequestProblem)
                else {"result": found.to_dict()}
            )
            written[id(found)] = to_json(document)
        items = ",".join([written[id(found)] for found in self.results])
        return f'{{"results":[{items}]}}'

    def _set(self, board: Board, found: BestMove | RequestProblem) -> None:
        for place in self.places[board]:
            self.results[place] = found

    def _left_ms(self, used: float) -> float:
        limits = self.limits
        assert limits.deadline is not None
        assert limits.time_ms is not None
        if limits.is_repeatable:
            return limits.time_ms - used
        return (limits.deadline - time.monotonic()) * 1000

    def _search(self, work: Work, board: Board, share: float) -> BestMove:
        limits = replace(self.limits, time_ms=max(1, int(share)))
        if limits.algorithm == "auto" and not limits.is_repeatable:
            seconds = share / 1000
            due = time.monotonic() + seconds
            limits = replace(limits, deadline=due, engine_nodes=_nodes_in(seconds))
        question = Question(board, limits, analysis.best_move)
        answer = self.capacity.look_up(question) or self.capacity.run(question, work)
        assert isinstance(answer, BestMove)
        return answer

    def _stop(self, problem: RequestProblem) -> None:
        """Give `problem` to every unanswered board."""
        for board in self.boards:
            found = self.results[self.places[board][0]]
            if found is None:
                self._set(board, problem)
            elif (
                isinstance(found, BestMove)
                and self.limits.is_repeatable
                and not is_final(self.limits, found)
            ):
                # Mark the answer as cut short: the same batch may search deeper another time.
                stats = replace(found.search, timed_out=True)
                self._set(board, replace(found, search=stats))


def _nodes_in(seconds: float) -> int | None:
    """Return the node limit for a search of `seconds`; None if the clock can limit the search."""
    if seconds >= BRIEF_S:
        return None
    return max(1, round((seconds - LEAST_S) * NODES_PER_S))
