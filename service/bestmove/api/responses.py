"""Makes responses in each media type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from flask import Response
from werkzeug.datastructures import Headers

from bestmove.answers import Analysis, BestMove, SearchStats

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

JSON: Final = "application/json"
TEXT: Final = "text/plain"
EVENTS: Final = "text/event-stream"

HeaderList = Sequence[tuple[str, str]]

LONGEST_ACCEPT: Final = 1000
"""The most characters of an Accept or Accept-Encoding header. To parse n blanks, werkzeug needs a
time that grows with n²."""

NO_STORE: Final = ("Cache-Control", "no-store")
VARY: Final = ("Vary", "Accept")

_PLAIN_TEXT: Final = "text/plain; charset=utf-8"
_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
)


def to_json(value: Any) -> str:
    """Return a value as a line of JSON, with its newline."""
    return compact(value) + "\n"


def compact(value: Any) -> str:
    """Return a value as a line of JSON, without a newline."""
    return _ENCODER.encode(value)


def json_response(value: Any, status: int = 200) -> Response:
    """Return a response with a value as JSON. No cache may keep it."""
    return json_text_response(to_json(value), status)


def json_text_response(text: str, status: int = 200) -> Response:
    """Return a response with JSON text. No cache may keep it."""
    return Response(text, status, [NO_STORE], content_type=JSON)


class Complete(Response):
    """A response that already has all its headers; werkzeug adds none."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        del environ
        return self.headers


def answer_response(
    answer: BestMove | Analysis, media: str, headers: HeaderList, *, repeatable: bool = False
) -> Response:
    """Return an answer as JSON, or the board after the move as text.

    Args:
        answer: a best move or an analysis.
        media: `JSON`, or for a best move `TEXT`.
        headers: further headers.
        repeatable: whether equal questions must get equal bodies. The cost of the search is then in
            the header Server-Timing, not in the body.
    """
    if media == TEXT:
        assert isinstance(answer, BestMove)
        text, kind = f"{answer.after.board}\n", _PLAIN_TEXT
    else:
        value = answer.to_dict()
        if repeatable:
            del value["search"]
        text, kind = to_json(value), JSON
    data = text.encode()
    all_headers = Headers()
    all_headers[:] = [
        ("Content-Type", kind),
        ("Content-Length", str(len(data))),
        NO_STORE,
        *headers,
    ]
    if repeatable:
        all_headers["Server-Timing"] = server_timing(answer.search)
    return Complete([data], headers=all_headers, direct_passthrough=True)


def server_timing(stats: SearchStats) -> str:
    """Return the cost of a search as the header Server-Timing."""
    metrics = [f'search;dur={round(stats.elapsed_ms, 3)};desc="{stats.algorithm}"']
    for name, value in stats.to_dict().items():
        if value is True:
            metrics.append(name)
        elif value is not False and name not in ("algorithm", "elapsed_ms"):
            metrics.append(f'{name};desc="{value}"')
    return ", ".join(metrics)
