"""The data of a request, for its log line and the counters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import request

RECORD: Final = "bestmove.record"
"""The key of a request's record in its WSGI environment."""


@dataclass(slots=True)
class RequestRecord:
    """The data of a request.

    Attributes:
        request_id: the id in the header X-Request-ID, the log line and a problem's `instance`.
        arrived: when the whole request had arrived (`time.monotonic()` seconds).
        board: the size of the board, such as `15x15`.
        engine_ms: milliseconds that the search took, with three decimal places.
        is_stream: whether the body is made after the application has returned the response.
        is_page: whether the answer has its own Content-Security-Policy.
    """

    request_id: str
    arrived: float
    board: str | None = None
    engine_ms: float | None = None
    is_page: bool = False
    is_stream: bool = False


def record() -> RequestRecord:
    found: RequestRecord = request.environ[RECORD]
    return found
