"""Probes: is the process alive, is it ready for traffic, what has it counted."""

from __future__ import annotations

from flask import Flask, Response, jsonify

from bestmove.api.metrics import CONTENT_TYPE, Metrics
from bestmove.search import dispatch, table
from bestmove.search.gomoku import search
from bestmove.version import __version__


def prepare() -> None:
    """Do what the first request should not have to wait for."""
    table.build()
    dispatch.prepare()


def register(app: Flask, metrics: Metrics | None) -> None:
    """Give the app `/healthz`, `/readyz` and, if something is counted, `/metrics`."""
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)
    if metrics is not None:

        def exposition() -> Response:
            return Response(
                metrics.exposition(),
                content_type=CONTENT_TYPE,
                headers={"Cache-Control": "no-store"},
            )

        app.add_url_rule("/metrics", "metrics", exposition)


def healthz() -> Response:
    """The process lives and answers."""
    response = jsonify(status="ok")
    response.headers["Cache-Control"] = "no-store"
    return response


def readyz() -> Response:
    """It is ready for traffic: 503 until the tables are built."""
    ready = table.ready()
    response = jsonify(
        status="ready" if ready else "starting",
        version=__version__,
        compiled=bool(search.compiled),
        tables=ready,
    )
    response.status_code = 200 if ready else 503
    response.headers["Cache-Control"] = "no-store"
    return response
