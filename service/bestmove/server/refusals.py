"""Answers requests that the server refuses before they reach the application."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from http import HTTPStatus
from typing import Final

from gunicorn.http import errors as http  # type: ignore[import-untyped]

from bestmove.api.middleware import API_POLICY, SECURITY_HEADERS, cors_headers
from bestmove.api.problems import CONTENT_TYPE, MALFORMED, Kind, RequestProblem, internal_error

URL_TOO_LONG: Final = Kind("url-too-long", 414, "The address is too long")
HEADERS_TOO_LARGE: Final = Kind("headers-too-large", 431, "The headers are too large")
NOT_IMPLEMENTED: Final = Kind("not-implemented", 501, "The transfer coding is not known")
EXPECTATION_FAILED: Final = Kind("expectation-failed", 417, "The expectation cannot be met")

_LONGEST_LINE: Final = 8192

_ORIGIN: Final = re.compile(rb"\r\norigin:([^\r\n]*+)\r\n", re.IGNORECASE)


def problem_of(error: Exception) -> RequestProblem:
    if isinstance(error, http.LimitRequestLine):
        return RequestProblem(URL_TOO_LONG, "Send a long board by POST.")
    if isinstance(error, http.LimitRequestHeaders):
        return RequestProblem(HEADERS_TOO_LARGE, "Send fewer or shorter headers.")
    if isinstance(error, http.UnsupportedTransferCoding):
        return RequestProblem(NOT_IMPLEMENTED, "The only supported transfer coding is chunked.")
    if isinstance(error, http.ExpectationFailed):
        return RequestProblem(EXPECTATION_FAILED, "The only supported expectation is 100-continue.")
    if isinstance(error, http.ParseException) and not isinstance(
        error, http.InvalidResponseHeader | http.InvalidResponseHeaderName
    ):
        return RequestProblem(MALFORMED, "The bytes are not a valid HTTP/1.1 request.")
    return internal_error()


def target_of(data: bytes) -> tuple[str, str]:
    """Return the method and path of a refused request, as far as they can be read."""
    line = data[:_LONGEST_LINE].partition(b"\r\n")[0].decode("latin-1")
    method, _, rest = line.partition(" ")
    path = rest.partition(" ")[0].partition("?")[0]
    return (method if method.isalpha() else "?"), (path if path.startswith("/") else "")


def answer(problem: RequestProblem, data: bytes, origins: Collection[str]) -> tuple[str, bytes]:
    """Return a new request id, and an answer that has this id and closes the connection.

    Args:
        data: the bytes of the request so far; an Origin header is looked up in them.
        origins: the origins whose pages may read the answer.
    """
    request_id = secrets.token_hex(8)
    body = problem.text(request_id).encode()
    status = problem.kind.status
    end = data.find(b"\r\n\r\n")
    found = _ORIGIN.search(data, 0, len(data) if end < 0 else end + 2)
    origin = None if found is None else found.group(1).decode("latin-1").strip(" \t")
    headers = [
        ("Connection", "close"),
        ("Content-Type", CONTENT_TYPE),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("X-Request-ID", request_id),
        ("Content-Security-Policy", API_POLICY),
        *problem.headers.items(),
        *SECURITY_HEADERS,
        *cors_headers(origins, origin),
    ]
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n" + "".join(
        f"{name}: {value}\r\n" for name, value in headers
    )
    return request_id, head.encode("latin-1") + b"\r\n" + body
