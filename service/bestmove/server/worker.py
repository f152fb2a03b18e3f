"""gunicorn's worker and logger, made to speak as the rest of the service does."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import socket
import struct
import sys
from typing import Any, Final

from gunicorn import glogging, util  # type: ignore[import-untyped]
from gunicorn.http import errors as http  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from bestmove.api.logs import formatter
from bestmove.api.middleware import API_POLICY, SECURITY_HEADERS
from bestmove.api.problems import CONTENT_TYPE, MALFORMED, Kind, Problem, internal_error
from bestmove.api.settings import Settings

URL_TOO_LONG: Final = Kind("url-too-long", 414, "The address is too long")
HEADERS_TOO_LARGE: Final = Kind("headers-too-large", 431, "The headers are too large")
NOT_IMPLEMENTED: Final = Kind("not-implemented", 501, "The transfer coding is not known")
EXPECTATION_FAILED: Final = Kind("expectation-failed", 417, "The expectation cannot be met")

SILENCE_S: Final = 20
"""Seconds that a client may keep silent in the middle of a request."""

_REASONS: Final = {
    400: "Bad Request",
    414: "URI Too Long",
    417: "Expectation Failed",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
}


def problem_of(error: Exception) -> Problem:
    """The problem that stands for bytes which gunicorn could not read as a request."""
    if isinstance(error, http.LimitRequestLine):
        return Problem(URL_TOO_LONG, "Send a long board by POST.")
    if isinstance(error, http.LimitRequestHeaders):
        return Problem(HEADERS_TOO_LARGE, "Send fewer or shorter headers.")
    if isinstance(error, http.UnsupportedTransferCoding):
        return Problem(NOT_IMPLEMENTED, "Use no transfer coding but chunked.")
    if isinstance(error, http.ExpectationFailed):
        return Problem(EXPECTATION_FAILED, "The only expectation there is is 100-continue.")
    if isinstance(error, http.ParseException) and not isinstance(
        error, http.InvalidResponseHeader | http.InvalidResponseHeaderName
    ):
        return Problem(MALFORMED, "This is no HTTP request that can be understood.")
    return internal_error()


def limit_silence(sock: socket.socket, seconds: int) -> None:
    """Let a blocking read or write fail once nothing has moved for so long.

    gunicorn's threads read without a timeout: a client that stops in the middle of a request
    would hold one for ever. The limit is the kernel's, as gunicorn resets Python's own.
    """
    limit = struct.pack("ll", seconds, 0)  # a struct timeval
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


class Logger(glogging.Logger):  # type: ignore[misc]
    """gunicorn's own lines in the service's format. The requests' lines are not gunicorn's."""

    def setup(self, cfg: Any) -> None:
        """Set the format here, and for whatever else logs in this process."""
        super().setup(cfg)
        settings = Settings.from_environment(os.environ)
        chosen = formatter(settings.log_format)
        for handler in self.error_log.handlers:
            handler.setFormatter(chosen)
        logging.basicConfig(handlers=self.error_log.handlers, level=self.error_log.level)

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log an error, unless it is a silent client's, who is none of ours."""
        if isinstance(sys.exception(), BlockingIOError):
            self.info("a client kept silent for %d s in the middle of a request", SILENCE_S)
        else:
            super().exception(msg, *args, **kwargs)


class Worker(ThreadWorker):  # type: ignore[misc]
    """A gthread worker whose refusals are problem documents, and whom no silent client holds."""

    def handle(self, conn: Any) -> Any:
        """Serve a request of a connection."""
        if not conn.initialized:
            limit_silence(conn.sock, SILENCE_S)
        return super().handle(conn)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answer what could not become a request, or what the application let through."""
        del req
        problem = problem_of(exc)
        request_id = secrets.token_hex(8)
        peer = addr[0] if isinstance(addr, tuple) and addr else "?"
        if problem.kind.status < 500 or problem.kind is NOT_IMPLEMENTED:
            self.log.info("request %s from %s refused: %s", request_id, peer, type(exc).__name__)
        else:
            self.log.exception("request %s from %s", request_id, peer)
        body = problem.text(request_id).encode()
        status = problem.kind.status
        headers = [
            ("Connection", "close"),
            ("Content-Type", CONTENT_TYPE),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("X-Request-ID", request_id),
            ("Content-Security-Policy", API_POLICY),
            *SECURITY_HEADERS,
        ]
        head = f"HTTP/1.1 {status} {_REASONS[status]}\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in headers
        )
        try:
            util.write_nonblock(client, head.encode("latin-1") + b"\r\n" + body)
        except Exception:  # the client is gone, whatever the way
            self.log.debug("request %s: nobody to answer", request_id)
