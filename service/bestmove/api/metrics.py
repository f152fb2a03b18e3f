"""Counters for Prometheus, summed over all worker processes, including those that have ended.

gunicorn_conf sets `PROMETHEUS_MULTIPROC_DIR` before this module is imported. Each process writes
its own files to that folder, and any process can add up all files. If the variable is unset, as in
tests, each process has its own counters.

If the folder is full or was removed, the process stops counting but still answers.
"""

from __future__ import annotations

import logging
import os
import platform
import time
from collections.abc import Callable
from functools import cache, wraps
from threading import Lock
from typing import Concatenate, Final, Literal, ParamSpec

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from bestmove.answers import SearchStats
from bestmove.api import counters
from bestmove.game import Rules
from bestmove.search.engines.gomoku import search
from bestmove.version import __version__

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

_LATENCIES: Final = (
    *(0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05),
    *(0.12, 0.25, 0.6, 1.2, 2.5, 6, 12, 30),
)
"""Upper bounds of the histogram's buckets, in seconds. Some are slightly above common time limits,
because a search may take slightly longer than its limit. 3×3 positions need the lowest bounds.
"""

_FRESH_SECONDS: Final = 0.25
"""Adding up the files of all processes takes about 10 ms. So each process does it at most once in
this time, for all who ask."""

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})


@cache
def size_class(cells: int) -> str:
    """Return the label for a board's size."""
    if cells <= 9:
        return "up-to-9-cells"
    if cells <= 36:
        return "up-to-36-cells"
    if cells <= 100:
        return "up-to-100-cells"
    return "over-100-cells"


_log: Final = logging.getLogger(__name__)

P = ParamSpec("P")


def _kept(
    count: Callable[Concatenate[Metrics, P], None],
) -> Callable[Concatenate[Metrics, P], None]:
    """Wrap a counting method. After an `OSError`, which sets `lost`, the method does nothing."""

    @wraps(count)
    def counts(self: Metrics, /, *args: P.args, **named: P.kwargs) -> None:
        if self.lost is None:
            try:
                count(self, *args, **named)
            except OSError as error:
                self._lose(error)

    return counts


class Metrics:
    """The counters of the service.

    Args:
        slots: how many searches may run at the same time.
        on: whether to count anything.

    Attributes:
        lost: why this process does not count: the error after which it stopped; None if it counts.
    """

    def __init__(self, slots: int, on: bool = True) -> None:
        self.lost: str | None = None if on else "metrics are off"
        self._adding_up = Lock()
        self._text: bytes | None = None
        self._stale_at = 0.0
        self._begin(slots)

    def _lose(self, error: OSError) -> None:
        self.lost = str(error)
        _log.error("the metrics cannot be kept, so the service goes on without them: %s", error)

    @_kept
    def _begin(self, slots: int) -> None:
        if os.environ.get(counters.DIRECTORY):
            counters.keep_in_files()
        self._registry = registry = CollectorRegistry()

        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"bestmove_{name}", about, labels, registry=registry)

        def labelled(name: str, about: str, *labels: str) -> Callable[..., Counter]:
            # Cached, because finding the counter for given labels takes longer than counting.
            return cache(counter(name, about, *labels).labels)

        def gauge(name: str, about: str, mode: Literal["livesum", "max"], *labels: str) -> Gauge:
            name = f"bestmove_{name}"
            return Gauge(name, about, labels, multiprocess_mode=mode, registry=registry)

        self._requests = labelled(
            "http_requests", "Requests answered.", "route", "method", "status"
        )
        latency = Histogram(
            "bestmove_http_request_duration_seconds",
            "From a request's arrival to its answer.",
            ["route"],
            buckets=_LATENCIES,
            registry=registry,
        )
        self._latency = cache(latency.labels)
        self._searches = labelled(
            "searches", "Positions searched or looked up.", "size", "algorithm", "exact"
        )
        self._nodes = labelled("search_nodes", "Nodes visited.", "size")
        self._seconds = labelled("search_seconds", "Wall-clock time in searches.", "size")
        self._refused = counter("searches_refused", "Searches refused with 503.")
        self._queued = counter("searches_queued", "Searches that waited for a slot.")
        self._queue_seconds = counter("search_queue_seconds", "Time spent waiting for a slot.")
        self._in_progress = gauge(
            "searches_in_progress", "Slots in use: one for each search or thread.", "livesum"
        )
        gauge(
            "search_slots",
            "Searches that may run at the same time in all workers together.",
            "max",
        ).set(slots)
        self._conditional = labelled("http_not_modified", "Answers 304, without a search.", "route")
        self._lines_dropped = counter(
            "log_lines_dropped", "Log lines dropped because the output was blocked."
        )
        self._connections_given_up = counter(
            "connections_given_up", "Connections closed to make room for others."
        )
        build = gauge(
            "build_info",
            "1, with the version, Python's version and whether the engine is compiled.",
            "max",
            *("version", "python", "compiled"),
        )
        compiled = str(bool(search.compiled)).lower()
        build.labels(__version__, platform.python_version(), compiled).set(1)

    @_kept
    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        if method not in _METHODS:
            method = "other"
        self._requests(route, method, status).inc()
        self._latency(route).observe(seconds)
        if status == 304:
            self._conditional(route).inc()

    @_kept
    def search(self, rules: Rules, exact: bool, stats: SearchStats) -> None:
        self.look_up(rules, exact, stats)
        size = size_class(rules.size)
        self._nodes(size).inc(stats.nodes)
        self._seconds(size).inc(stats.elapsed_ms / 1000)

    @_kept
    def look_up(self, rules: Rules, exact: bool, stats: SearchStats) -> None:
        size, proven = size_class(rules.size), "true" if exact else "false"
        self._searches(size, stats.algorithm, proven).inc()

    @_kept
    def queued(self, seconds: float) -> None:
        self._queued.inc()
        self._queue_seconds.inc(seconds)

    @_kept
    def refused(self) -> None:
        self._refused.inc()

    @_kept
    def log_line_dropped(self) -> None:
        self._lines_dropped.inc()

    @_kept
    def connection_given_up(self) -> None:
        self._connections_given_up.inc()

    @_kept
    def searching(self, slots: int) -> None:
        """Add to the number of slots in use; a negative number releases slots."""
        self._in_progress.inc(slots)

    def exposition(self) -> bytes | None:
        """Return the counters of all processes in Prometheus's text format; None if they are lost
        or cannot be read. The counters are at most `_FRESH_SECONDS` old.
        """
        if self.lost is not None:
            return None
        if not os.environ.get(counters.DIRECTORY):
            return generate_latest(self._registry)
        with self._adding_up:
            if time.monotonic() >= self._stale_at:
                self._text = self._of_all_processes()
                self._stale_at = time.monotonic() + _FRESH_SECONDS
            return self._text

    def _of_all_processes(self) -> bytes | None:
        try:
            os.stat(os.environ[counters.DIRECTORY])
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            return generate_latest(registry)
        except FileNotFoundError as error:  # somebody has removed the folder
            self._lose(error)
            return None
        except OSError as error:
            _log.warning("the metrics cannot be read: %s", error)
            return None
