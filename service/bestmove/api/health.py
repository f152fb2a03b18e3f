"""Probes and metrics: `/healthz`, `/readyz` and `/metrics`."""

from __future__ import annotations

from flask import Flask, Response

from bestmove.api.metrics import CONTENT_TYPE, Metrics
from bestmove.api.problems import METRICS_LOST, RequestProblem
from bestmove.api.responses import NO_STORE, json_response
from bestmove.search import dispatch, table
from bestmove.search.engines.gomoku import search
from bestmove.version import __version__


def prepare() -> None:
    """Build the tables before the first request."""
    table.build()
    dispatch.prepare()


def register(app: Flask, metrics: Metrics | None) -> None:
    """Add `/healthz`, `/readyz` and, if metrics are on, `/metrics`."""
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)
    if metrics is not None:

        def exposition() -> Response:
            text = metrics.exposition()
            if text is None:
                raise RequestProblem(
                    METRICS_LOST,
                    "Free space in the metrics folder, or set PROMETHEUS_MULTIPROC_DIR to another "
                    "folder; then start the service again.",
                )
            return Response(text, headers=[NO_STORE], content_type=CONTENT_TYPE)

        app.add_url_rule("/metrics", "metrics", exposition)


def healthz() -> Response:
    return json_response({"status": "ok"})


def readyz() -> Response:
    """Answer 200 if the process is ready for traffic, and 503 before its tables are built."""
    ready = table.ready()
    state = {
        "compiled": bool(search.compiled),
        "status": "ready" if ready else "starting",
        "tables": ready,
        "version": __version__,
    }
    return json_response(state, 200 if ready else 503)
