"""From an answer to its text, in each media type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from flask import Response

from bestmove.search.results import Analysis, BestMove, SearchStats

JSON: Final = "application/json"
TEXT: Final = "text/plain"

NO_STORE: Final = ("Cache-Control", "no-store")

_PLAIN_TEXT: Final = "text/plain; charset=utf-8"
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def to_json(value: Any) -> str:
    """A value as JSON, compact, with a newline at its end."""
    return _ENCODER.encode(value) + "\n"


def json_response(value: Any, status: int = 200) -> Response:
    """A value that no cache may keep."""
    return Response(to_json(value), status, [NO_STORE], content_type=JSON)


def answer_response(
    answer: BestMove | Analysis, media: str = JSON, *, repeatable: bool = False
) -> Response:
    """An answer as JSON, or as text: the board after the move, or the final one.

    Args:
        answer: what was found.
        media: `JSON`, or for a best move `TEXT`.
        repeatable: whether equal questions get equal bodies. What the search cost goes into the
            header Server-Timing then.
    """
    if media == TEXT:
        assert isinstance(answer, BestMove)
        board = answer.board_after or answer.board
        response = Response(f"{board}\n", headers=[NO_STORE], content_type=_PLAIN_TEXT)
    else:
        value = answer.to_dict()
        if repeatable:
            del value["search"]
        response = json_response(value)
    if repeatable:
        response.headers["Server-Timing"] = server_timing(answer.search)
    return response


def negotiated(response: Response, offered: Sequence[str]) -> Response:
    """The response, marked as one of several representations if several are offered."""
    if len(offered) > 1:
        response.headers["Vary"] = "Accept"
    return response


def server_timing(stats: SearchStats) -> str:
    """What a search cost, as the header Server-Timing."""
    return (
        f'search;dur={round(stats.elapsed_ms, 3)};desc="{stats.algorithm}", '
        f'nodes;desc="{stats.nodes}", cutoffs;desc="{stats.cutoffs}", '
        f'table_hits;desc="{stats.table_hits}", depth;desc="{stats.depth}"'
    )
