"""Searching within the service's bounds: a slot where one is needed, and everything counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from flask import request

from bestmove.api.capacity import Admission
from bestmove.api.metrics import Metrics
from bestmove.api.middleware import RECORD, Record
from bestmove.api.requests import Question
from bestmove.api.settings import Settings
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import Limits
from bestmove.search.results import Analysis, BestMove

Found = TypeVar("Found", BestMove, Analysis)


def record() -> Record:
    """What is known about the request that is being answered."""
    found: Record = request.environ[RECORD]
    return found


class Searcher:
    """Runs the searches of one process."""

    def __init__(self, settings: Settings, metrics: Metrics | None) -> None:
        self._metrics = metrics
        self._admission = Admission(
            settings.slots, settings.search_queue, settings.searching_threads
        )

    def search(self, question: Question, search: Callable[[Board, Limits], Found]) -> Found:
        """Search once there is a slot; look-ups need none.

        Raises:
            Overloaded: too many searches in progress.
        """
        board, limits = question.board, question.limits
        if analysis.is_cheap(board, limits):
            found = search(board, limits)
        else:
            with self.slot(limits):
                found = search(board, limits)
        record().engine_ms = round(found.search.elapsed_ms, 3)
        self.count(board, found)
        return found

    @contextmanager
    def slot(self, limits: Limits) -> Iterator[None]:
        """Hold a search slot; `limits` has a time and a deadline.

        Raises:
            Overloaded: too many searches in progress.
        """
        assert limits.time_ms is not None
        assert limits.deadline is not None
        metrics = self._metrics
        try:
            with self._admission.slot(limits.time_ms / 1000, limits.deadline) as waited:
                if metrics is None:
                    yield
                    return
                if waited:
                    metrics.queued(waited)
                metrics.in_progress.inc()
                try:
                    yield
                finally:
                    metrics.in_progress.dec()
        except Overloaded:
            if metrics is not None:
                metrics.refused()
            raise

    def count(self, board: Board, found: BestMove | Analysis) -> None:
        """Count a search that is over."""
        if self._metrics is not None:
            exact = found.exact if isinstance(found, BestMove) else _all_exact(found)
            self._metrics.search(board.rules.rows, board.rules.columns, exact, found.search)

    def count_known(self, algorithm: str, times: int = 1) -> None:
        """Count 3×3 answers that were written out already."""
        if self._metrics is not None:
            self._metrics.look_ups(algorithm, times)


def _all_exact(found: Analysis) -> bool:
    return found.complete and all(move.exact for move in found.moves)
