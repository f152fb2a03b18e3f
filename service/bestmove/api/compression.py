"""Compressed answers, for clients that take them.

Measured without an edge in front: an analysis of 15×15 goes out as 3.7 kB in place of 30.9, for
0.18 ms of processor after a search of 300; the page with all its files as 75 kB in place of 226,
and that of the API as 0.5 MB in place of 1.9, compressed once.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from flask import Response, request
from werkzeug.datastructures import Headers

COMPRESSED: Final = "-gzip"
"""What the ETag of a compressed answer has after that of the plain one."""

_SMALL: Final = 1000
"""Bytes up to which an answer goes as it is: compressing would save less than a packet."""

_LEVEL: Final = 5
"""Of zlib's 1 to 9, for an answer: 9 takes twice the time for 2 % less."""

_BEST_LEVEL: Final = 9
"""For a file, which is compressed once."""

_KINDS: Final = ("application/json", "application/problem+json", "text/plain", "application/yaml")


def compress(response: Response) -> Response:
    """The answer, compressed if the client takes it so and it is worth it.

    A file comes here compressed, by `compress_file`.
    """
    headers = response.headers
    if int(headers.get("Content-Length") or 0) <= _SMALL or "Content-Encoding" in headers:
        return response
    if not headers.get("Content-Type", "").startswith(_KINDS) or response.is_streamed:
        return response
    headers.add("Vary", "Accept-Encoding")
    if is_accepted():
        _set(response, gzip.compress(response.get_data(), _LEVEL, mtime=0))
    return response


def compress_file(response: Response, content: bytes) -> None:
    """Make a file's answer a compressed one, where that is smaller and the client takes it."""
    packed = packed_file(content)
    if len(packed) < len(content):
        response.headers.add("Vary", "Accept-Encoding")
        if is_accepted():
            _set(response, packed)


@lru_cache(maxsize=128)
def packed_file(content: bytes) -> bytes:
    """A file's bytes, compressed once."""
    return gzip.compress(content, _BEST_LEVEL, mtime=0)


def is_accepted() -> bool:
    """Whether the client takes gzip."""
    given = request.environ.get("HTTP_ACCEPT_ENCODING")
    return given is not None and "gzip" in given and request.accept_encodings["gzip"] > 0


def _set(response: Response, packed: bytes) -> None:
    headers: Headers = response.headers
    response.response = [packed]
    headers["Content-Length"] = str(len(packed))
    headers["Content-Encoding"] = "gzip"
    tag = headers.get("ETag")
    if tag is not None:
        headers["ETag"] = f'{tag[:-1]}{COMPRESSED}"'
