"""Reading a request, strictly: which representation, whose bytes, what JSON, which parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from flask import Request

from bestmove.api.problems import (
    BODY_TOO_LARGE,
    MALFORMED,
    NOT_ACCEPTABLE,
    UNSUPPORTED_MEDIA_TYPE,
    Problem,
)

JSON: Final = "application/json"
TEXT: Final = "text/plain"
PROBLEM: Final = "application/problem+json"

DEEPEST: Final = 200
"""Arrays and objects within each other that a body may have."""

_LONGEST_INTEGER: Final = 400
"""Digits; more is out of every range, and Python refuses to convert over 4,300."""

_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def representation(request: Request, offered: Sequence[str]) -> str:
    """The media type to answer with.

    Raises:
        Problem: 406 if the client accepts none of those offered.
    """
    accept = request.environ.get("HTTP_ACCEPT")
    if not accept or accept in ("*/*", JSON):
        return offered[0]
    # A client that names only the errors' type still gets its answer.
    best = request.accept_mimetypes.best_match([*offered, PROBLEM])
    if best is None:
        raise Problem(NOT_ACCEPTABLE, f"The answer can be had as {' or '.join(offered)}.")
    return offered[0] if best == PROBLEM else best


def body(request: Request, most: int) -> bytes:
    """The body's bytes, once its size and its media type are in order.

    Raises:
        Problem: 413, 415.
    """
    length = request.content_length
    if length is not None and length > most:
        raise _too_large(most)
    _require_json(request)
    environ = request.environ
    if length is None and not environ.get("wsgi.input_terminated"):
        return b""  # neither a length nor chunks: there is no body
    try:
        data: bytes = environ["wsgi.input"].read(most + 1 if length is None else length)
    except Exception:  # of the server's own kinds: a broken chunk, a lost connection
        raise Problem(MALFORMED, "The body cannot be read to its end.") from None
    if length is not None and len(data) < length:
        raise Problem(MALFORMED, "The body ended before its Content-Length.")
    if len(data) > most:
        raise _too_large(most)
    return data


def _too_large(most: int) -> Problem:
    return Problem(BODY_TOO_LARGE, f"A body may have {most} bytes: send several requests.")


def _require_json(request: Request) -> None:
    environ = request.environ
    given = environ.get("CONTENT_TYPE", "")
    if given != JSON:
        kind = request.mimetype
        if kind != JSON and not (kind.startswith("application/") and kind.endswith("+json")):
            shown = f"not {kind[:80]}" if kind else "but no Content-Type is given"
            raise Problem(
                UNSUPPORTED_MEDIA_TYPE,
                f"Send the body as Content-Type: {JSON}, {shown}.",
                headers={"Accept-Post": JSON},
            )
        charset = request.mimetype_params.get("charset", "utf-8").lower()
        if charset not in ("utf-8", "utf8", "us-ascii", "ascii"):
            raise Problem(UNSUPPORTED_MEDIA_TYPE, "JSON is UTF-8: leave the charset away.")
    if environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise Problem(
            UNSUPPORTED_MEDIA_TYPE,
            "Send the body without a Content-Encoding.",
            headers={"Accept-Encoding": "identity"},
        )


def parse_json(data: bytes) -> Any:
    """The value that a body of JSON (RFC 8259) stands for.

    Stricter than `json.loads`: UTF-8 only, no NaN or Infinity, no key twice, at most `DEEPEST`
    levels. Integers of any length are fine; those of over 400 digits come out as 10 ** 400, which
    is out of every range as well.

    Raises:
        Problem: 400.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem(MALFORMED, f"The body is not UTF-8: see byte {error.start}.") from None
    if data.count(b"[") + data.count(b"{") > DEEPEST and _depth(data) > DEEPEST:
        raise Problem(MALFORMED, f"The JSON is nested deeper than {DEEPEST} levels.")
    if not text.strip():
        raise Problem(MALFORMED, 'The body is empty: send JSON such as {"board": "X...O...."}.')
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Problem(
            MALFORMED,
            f"The body is not JSON: {error.msg}, line {error.lineno}, column {error.colno}.",
        ) from None
    except _NotStrict as error:
        raise Problem(MALFORMED, str(error)) from None
    except RecursionError:
        raise Problem(MALFORMED, f"The JSON is nested deeper than {DEEPEST} levels.") from None


class _NotStrict(Exception):
    """JSON that Python reads, though the standard or good sense does not."""


def _depth(data: bytes) -> int:
    brackets = _STRINGS.sub(b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _NotStrict(f"The JSON has the key {name[:80]!a} twice in one object.")
            seen.add(name)
    return result


def _constant(name: str) -> None:
    raise _NotStrict(f"The JSON has {name}, which is no JSON number.")


def _integer(digits: str) -> int:
    if len(digits) <= _LONGEST_INTEGER:
        return int(digits)
    return -(10**400) if digits[0] == "-" else 10**400


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer
)
