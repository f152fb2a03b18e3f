"""HTTP caching of answers to GET. An entity tag is computed without a search."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from flask import Request, Response

from bestmove.api.requests import Question
from bestmove.api.responses import NO_STORE, HeaderList, add_to_list
from bestmove.version import __version__

FRESH: Final = "public, max-age=86400"
"""The Cache-Control of an exact answer. Caches may keep the answer for one day only, because a new
version of the service may word it differently.
"""


def entity_tag(route: str, question: Question, representation: str) -> str:
    """Return a strong entity tag, without its quotes.

    The tag depends on the version, the position, the options and the media type, but not on how
    the request spells the position.
    """
    key = (__version__, route, representation, *question.key)
    return hashlib.blake2b(repr(key).encode(), digest_size=16).hexdigest()


def known_tag(request: Request, tag: str) -> str | None:
    """Return the entity tag of the answer that the client has, according to If-None-Match.

    It is `tag`, perhaps with the suffix of a compression here or in a proxy, such as `-br` or
    `;gzip`. Return None if the client does not have the answer.
    """
    if "HTTP_IF_NONE_MATCH" not in request.environ:
        return None
    given = request.if_none_match
    # werkzeug reads an empty tag, `""`, as None.
    tags = [tag] if given.star_tag else sorted(filter(None, given.as_set(include_weak=True)))
    return next((each for each in tags if re.fullmatch(f"{tag}([-;][a-z]+)?", each)), None)


def not_modified(request: Request, tag: str, headers: HeaderList) -> Response:
    """Return the response 304 (Not Modified). `tag` is the client's entity tag."""
    response = Response(status=304, headers=[*headers])
    # A large answer has this header, and a 304 must repeat the header. The size of the answer is
    # unknown here, so always add the header. It does no harm to small answers.
    add_to_list(response.headers, "Vary", "Accept-Encoding")
    if request.if_none_match.star_tag:
        # An answer that is not exact must not be stored. `If-None-Match: *` matches every answer.
        response.headers.add("ETag", f'"{tag}"')
        response.headers.add(*NO_STORE)
    else:
        mark_exact(response, tag)
    return response


def mark_exact(response: Response, tag: str) -> None:
    """Allow caches to keep an exact answer."""
    response.headers["ETag"] = f'"{tag}"'
    response.headers["Cache-Control"] = FRESH
