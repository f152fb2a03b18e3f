"""From a request's bytes to what is asked: bytes, a query of valid fields, a question.

Strict all the way, and with everything that is wrong with a request in one answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from werkzeug.wrappers import Request
from werkzeug.wsgi import get_content_length

from bestmove.api import schemas
from bestmove.api.problems import (
    BODY_TOO_LARGE,
    CONTENT_TYPE,
    MALFORMED,
    NOT_ACCEPTABLE,
    UNSUPPORTED_MEDIA_TYPE,
    Faults,
    Problem,
    pointer_part,
)
from bestmove.api.responses import JSON
from bestmove.api.schemas import UNKNOWN, Integer
from bestmove.api.settings import Settings
from bestmove.errors import IllegalMove, InvalidInput, InvalidNotation
from bestmove.game import MAX_SIDE, Board, X, notation
from bestmove.search.analysis import check
from bestmove.search.limits import BEST_LEVEL, Limits

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

DEEPEST: Final = 200
"""Arrays and objects within each other that a body may have."""

_LONGEST_INTEGER: Final = 400
"""Digits; more is out of every range, and Python refuses to convert over 4,300."""

LONGEST_POINTER: Final = 100
"""Characters of an unknown field's name that are repeated to the client."""

MOST_FIELDS: Final = 200
"""Fields of a request that are looked at one by one; the largest request has eleven."""

_SHAPING: Final = frozenset({"rows", "columns", "k", "first"})
"""Fields without which a board cannot be judged."""

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,30})\Z")
_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


@dataclass(frozen=True, slots=True)
class Query:
    """A request's fields.

    Attributes:
        fields: by name, those that are valid.
        faults: what is wrong with the others.
    """

    fields: Mapping[str, Any]
    faults: Faults


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a position, and what the search may spend on it."""

    board: Board
    limits: Limits


def representation(environ: WSGIEnvironment, offered: Sequence[str]) -> str:
    """The media type to answer with.

    Raises:
        Problem: 406 if the client accepts none of those offered.
    """
    accept = environ.get("HTTP_ACCEPT")
    if not accept or accept in ("*/*", JSON):
        return offered[0]
    # A client that names only the errors' type still gets its answer.
    best = Request(environ).accept_mimetypes.best_match([*offered, CONTENT_TYPE])
    if best is None:
        raise Problem(NOT_ACCEPTABLE, f"The answer can be had as {' or '.join(offered)}.")
    return offered[0] if best == CONTENT_TYPE else best


def body(environ: WSGIEnvironment, most: int) -> bytes:
    """The body's bytes, once its size and its media type are in order.

    Raises:
        Problem: 413, 415.
    """
    length = get_content_length(environ)
    if length is not None and length > most:
        raise _too_large(most)
    if environ.get("CONTENT_TYPE") != JSON or "HTTP_CONTENT_ENCODING" in environ:
        _require_json(Request(environ))
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
    if request.environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
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
    if len(data) > DEEPEST and _depth(data) > DEEPEST:
        raise Problem(MALFORMED, f"The JSON is nested deeper than {DEEPEST} levels.")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        if not text.strip():
            example = '{"board": "X...O...."}'
            raise Problem(MALFORMED, f"The body is empty: send JSON such as {example}.") from None
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
    if data.count(b"[") + data.count(b"{") <= DEEPEST:
        return 0  # not deep in any case
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


def query_of_body(schema: schemas.Request, value: Any) -> Query:
    """The fields of a JSON value.

    Raises:
        Problem: 422 when the value is no object at all.
    """
    faults = Faults()
    if not isinstance(value, dict):
        faults.add(None, "the request must be a JSON object")
    elif len(value) > MOST_FIELDS:
        faults.add(None, f"the request has {len(value)} fields, which are far too many")
    faults.raise_any()
    fields, wrong = schema.read(value)
    _add_messages(wrong, faults)
    return Query(fields, faults)


def query_of_parameters(schema: schemas.Request, query: bytes) -> Query:
    """The fields of a query string. Bytes that are not UTF-8 become U+FFFD."""
    faults = Faults(in_query=True)
    values: dict[str, Any] = {}
    parameters: dict[str, list[str]] = {}
    for name, text in parse_qsl(query.decode("utf-8", "replace"), keep_blank_values=True):
        parameters.setdefault(name, []).append(text)
    for name, given in parameters.items():
        if len(given) > 1:
            faults.add(name[:LONGEST_POINTER], f"is given {len(given)} times")
        elif isinstance(schema.fields.get(name), Integer) and _INTEGER.match(given[0]):
            values[name] = int(given[0])
        else:
            values[name] = given[0]
    fields, wrong = schema.read(values)
    for fault in faults.found:
        wrong.pop(fault.where, None)  # "is missing" would be wrong: it is there twice
    _add_messages(wrong, faults)
    return Query(fields, faults)


def _add_messages(messages: Mapping[str, Any], faults: Faults, below: str = "") -> None:
    for name, found in messages.items():
        if len(name) > LONGEST_POINTER:
            faults.add(below.rstrip("/") or None, f"{name[:LONGEST_POINTER]}… {UNKNOWN}")
            continue
        where = name if faults.in_query else below + pointer_part(name)
        if isinstance(found, Mapping):
            _add_messages(found, faults, where + "/")
        else:
            for message in found:
                faults.add(where, f"{name} {message}" if name else f'"" {message}')


def question(
    query: Query, settings: Settings, arrived: float, *, repeatable: bool = False
) -> Question:
    """The position, after the caller's `move` if there is one, and the limits.

    The arguments are those of `limits_of`; where equal requests must get equal answers, a level
    below 10 has a seed.

    Raises:
        Problem: 422 with all that is wrong.
    """
    fields, faults = query.fields, query.faults
    limits = limits_of(fields, settings, arrived, repeatable=repeatable)
    if repeatable and limits.seed is None and limits.level < BEST_LEVEL:
        limits = replace(limits, seed=0)
    board = _board_in(fields, faults)
    if board is not None and "move" in fields:
        try:
            board = _played(board, fields["move"])
        except InvalidInput as error:
            faults.add_error(error)
    if board is not None:
        try:
            check(board, limits)
        except InvalidInput as error:
            faults.add_error(error)
    faults.raise_any()
    assert board is not None
    return Question(board, limits)


def limits_of(
    fields: Mapping[str, Any], settings: Settings, arrived: float, *, repeatable: bool = False
) -> Limits:
    """The limits of a request that arrived at `arrived` (`time.monotonic()` seconds).

    Where equal requests must get equal answers, as with a seed or a depth, the server's limit is
    the only clock, and the time is worth a count of nodes: at most that of half the limit, as an
    analysis searches for the best move first and then every move; all of it for a depth alone.
    """
    most, default = settings.max_time_ms, settings.default_time_ms
    time_ms = fields.get("time_ms", most if "depth" in fields else default)
    repeatable = repeatable or "seed" in fields or "depth" in fields
    if repeatable:
        time_ms = max(1, min(time_ms, most // 2))
    return Limits(
        time_ms=time_ms,
        depth=fields.get("depth"),
        level=fields.get("level", BEST_LEVEL),
        seed=fields.get("seed"),
        algorithm=fields.get("algorithm", "auto"),
        deadline=arrived + (most if repeatable else time_ms) / 1000,
        reproducible=repeatable,
    )


def board_of(board: Any, fields: Mapping[str, Any]) -> Board:
    """The board under the rules that its request names.

    Raises:
        InvalidInput: it is no board.
    """
    if isinstance(board, list) and _is_huge(board):
        raise InvalidNotation(f"the board has more items than any of {MAX_SIDE}×{MAX_SIDE} cells")
    return Board.parse(
        board,
        fields.get("rows"),
        fields.get("columns"),
        fields.get("k"),
        fields.get("first", X),
    )


def _is_huge(board: list[Any]) -> bool:
    """Whether an array is too long to be worth a look at its cells."""
    most = MAX_SIDE * MAX_SIDE
    return len(board) > most or any(isinstance(row, list) and len(row) > most for row in board)


def _board_in(fields: Mapping[str, Any], faults: Faults) -> Board | None:
    """The request's board, or None with what is wrong with it noted."""
    if "board" not in fields:
        return None
    wrong = {fault.where.strip("/") for fault in faults.found}
    try:
        if wrong.isdisjoint(_SHAPING):
            return board_of(fields["board"], fields)
        _find_faults_of_board(fields, wrong)
    except InvalidInput as error:
        faults.add_error(error)
    return None


def _played(board: Board, move: int | tuple[int, int]) -> Board:
    """The board after the caller's move.

    Raises:
        IllegalMove: no empty cell of a game in progress.
    """
    if isinstance(move, tuple):
        rules = board.rules
        sides = (("row", "rows", rules.rows), ("column", "columns", rules.columns))
        for place, (name, plural, side) in zip(move, sides, strict=True):
            if place >= side:
                raise IllegalMove(
                    f"{name} {place} is not on the board, whose {plural} are 0 to {side - 1}",
                    f"move/{name}",
                )
        move = rules.index(*move)
    return board.play(move)


def _find_faults_of_board(fields: Mapping[str, Any], wrong: Collection[str]) -> None:
    """What is wrong with the board itself, though fields that shape it are wrong as well.

    A complaint that a field at fault may be the cause of would only mislead.
    """
    board = fields["board"]
    if isinstance(board, list) and _is_huge(board):
        board_of(board, {})
    elif "rows" not in wrong and "columns" not in wrong:
        notation.parse(board, fields.get("rows"), fields.get("columns"))
    else:
        try:
            notation.parse(board)
        except InvalidInput as error:
            # As one row every text has a shape: what is wrong then, is wrong with a mark.
            try:
                notation.parse(board, 1)
            except InvalidInput as again:
                if str(again) == str(error):
                    raise
