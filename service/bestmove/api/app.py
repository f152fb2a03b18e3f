"""Builds the WSGI application: `create_app(settings)`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Request, Response, abort, current_app, request
from flask.globals import request_ctx as request_context
from flask.sessions import NullSession, SessionInterface
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter, WebsocketMismatch

from bestmove.api import health, pages, problems
from bestmove.api.capacity import Capacity
from bestmove.api.logs import STDERR, STDOUT, formatter, output, request_line
from bestmove.api.metrics import Metrics
from bestmove.api.middleware import Below, Middleware
from bestmove.api.problems import MALFORMED, NOT_FOUND, RequestProblem
from bestmove.api.record import record
from bestmove.api.responses import LONGEST_ACCEPT, compress
from bestmove.api.schemas import likely
from bestmove.api.settings import Settings
from bestmove.api.views import games, moves, proofs, tree
from bestmove.api.views.batch import Batches
from bestmove.errors import BestMoveError

MIDDLEWARE: Final = "bestmove.middleware"
"""The key of the `Middleware` in the application's extensions. The middleware also counts and logs
requests that the server refuses before they reach the application."""

METRICS: Final = "bestmove.metrics"
"""The key of the `Metrics` in the application's extensions."""

_NO_WEBSOCKET: Final = (
    "The service has no WebSockets: send no Upgrade header. To follow a search, send a POST with "
    "Accept: text/event-stream."
)

_LONGEST_PATH: Final = 100
"""This many characters of an unknown path are compared with the known paths."""


def create_app(
    settings: Settings | None = None, write_log: Callable[[str], None] | None = None
) -> Flask:
    """Build the service as a WSGI application, ready for traffic.

    Args:
        settings: by default read from the environment.
        write_log: writes the log line of a request; by default to standard output.

    Raises:
        InvalidSetting: a variable in the environment is invalid.
    """
    settings = settings or Settings.from_environment(os.environ)
    app = _Application("bestmove", static_folder=None, template_folder=None)
    app.url_map.merge_slashes = False
    app.session_interface = _NoSessions()
    metrics = Metrics(settings.slots, settings.metrics)

    app.extensions[METRICS] = metrics
    app.extensions["bestmove"] = capacity = Capacity(settings, metrics)
    moves.register(app, settings, capacity)
    Batches(settings, capacity).register(app)
    proofs.register(app, settings, capacity)
    tree.register(app, capacity)
    games.register(app, settings)
    pages.register(app, settings)
    health.register(app, metrics if settings.metrics else None)
    app.register_error_handler(Exception, _on_error)
    health.prepare()

    if write_log is None:
        write_log = _standard_output(settings, metrics)
    logs = settings.log_level in ("debug", "info")
    line = request_line(settings.log_format) if logs else None
    app.extensions[MIDDLEWARE] = middleware = Middleware(
        app.wsgi_app,
        frozenset(_known_paths(app)),
        line,
        write_log,
        metrics,
        settings.cors_origins,
    )
    app.wsgi_app = middleware  # type: ignore[method-assign]
    if settings.root_path:
        app.wsgi_app = Below(app.wsgi_app, settings.root_path)  # type: ignore[method-assign]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops
        )
    return app


def _standard_output(settings: Settings, metrics: Metrics) -> Callable[[str], None]:
    for descriptor in (STDOUT, STDERR):
        lines = output(descriptor)
        lines.formatter = formatter(settings.log_format)
        lines.on_dropped = metrics.log_line_dropped
    return output(STDOUT).write


class _Application(Flask):
    """A Flask application without the steps that this service never needs."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match only the path, because no route depends on the host or the scheme."""
        if request is None or "HTTP_UPGRADE" in request.environ:  # maybe a WebSocket
            return super().create_url_adapter(request)
        return MapAdapter(self.url_map, "", "/", "", "http", request.path, request.method)

    def preprocess_request(self) -> ResponseReturnValue | None:
        """Refuse invalid requests that Flask would accept, and answer `OPTIONS *`."""
        environ = request.environ
        if "HTTP_HOST" not in environ and environ.get("SERVER_PROTOCOL") == "HTTP/1.1":
            raise RequestProblem(MALFORMED, "An HTTP/1.1 request needs a Host header.")
        path = environ["PATH_INFO"]
        if path == "*" and request.method == "OPTIONS":  # `*` stands for the whole server
            return _allowing("GET, HEAD, OPTIONS, POST")
        if path.startswith("//"):  # Flask would treat `//` as `/`
            abort(404)
        return super().preprocess_request()

    def process_response(self, response: Response) -> Response:
        return compress(super().process_response(response))

    def make_default_options_response(self) -> Response:
        """Answer OPTIONS with the allowed methods in alphabetical order."""
        adapter = request_context.url_adapter
        methods = adapter.allowed_methods() if adapter is not None else ()
        return _allowing(", ".join(sorted(methods)))


class _NoSessions(SessionInterface):
    """Keeps Flask from looking for a session at each request: the service has none."""

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002
        return _NO_SESSION


_NO_SESSION: Final = NullSession()


def _allowing(methods: str) -> Response:
    response = Response(headers={"Allow": methods})
    del response.headers["Content-Type"]
    return response


def _on_error(error: Exception) -> Response:
    request_id = record().request_id
    if isinstance(error, RequestProblem):
        problem = error
    elif isinstance(error, BestMoveError):
        problem = problems.from_error(error)
    elif isinstance(error, WebsocketMismatch):
        problem = RequestProblem(MALFORMED, _NO_WEBSOCKET)
    elif isinstance(error, NotFound):
        meant = likely(request.path[:_LONGEST_PATH], _known_paths(current_app))
        if _wants_page():
            return pages.not_found(meant)
        hint = "" if meant is None else f" Did you mean {meant}?"
        problem = RequestProblem(NOT_FOUND, f"The API is described at /docs.{hint}")
    elif isinstance(error, HTTPException):
        problem = problems.from_http(error)
    else:
        current_app.logger.exception("request %s: %s", request_id, type(error).__name__)
        problem = problems.internal_error()
    return problem.response(request_id)


def _known_paths(app: Flask) -> list[str]:
    return [rule.rule for rule in app.url_map.iter_rules() if not rule.arguments]


def _wants_page() -> bool:
    if len(request.environ.get("HTTP_ACCEPT", "")) > LONGEST_ACCEPT:
        return False
    return request.accept_mimetypes.best_match([problems.CONTENT_TYPE, pages.HTML]) == pages.HTML
