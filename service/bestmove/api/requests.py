"""Parses requests. The bytes become a `Query`, and the query becomes a `Question`."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qsl

from werkzeug.datastructures import MIMEAccept
from werkzeug.wrappers import Request
from werkzeug.wsgi import get_content_length

from bestmove.answers import Analysis, BestMove
from bestmove.api import schemas
from bestmove.api.problems import (
    BODY_TOO_LARGE,
    CONTENT_TYPE,
    MALFORMED,
    NOT_ACCEPTABLE,
    UNSUPPORTED_MEDIA_TYPE,
    Faults,
    RequestProblem,
)
from bestmove.api.record import RequestRecord
from bestmove.api.responses import JSON, LONGEST_ACCEPT
from bestmove.api.scheduler import Work
from bestmove.api.schemas import REQUIRED, UNKNOWN, Boolean, Integer
from bestmove.api.settings import Settings
from bestmove.errors import (
    LONGEST_NAME,
    InvalidInput,
    InvalidRules,
    pointer_part,
)
from bestmove.game import Board, Rules, X, notation
from bestmove.game.board import require_turns
from bestmove.game.inputs import RULES
from bestmove.game.moves import cell_of, require_cells
from bestmove.search import analysis
from bestmove.search.limits import OPTIONS, SearchLimits

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

DEEPEST: Final = 200

MOST_NESTED: Final = 100_000
"""The most arrays and objects in a body: twice as many as the largest tree has. An empty array
takes two bytes of a body, but up to 88 bytes of memory."""

_LONGEST_INTEGER: Final = 400
"""The most digits of an integer that is parsed. Longer integers are outside every allowed range."""

MOST_FIELDS: Final = 200
"""The most fields that a request may have. The largest valid request has 17."""

_WHOLE: Final = 2**53
"""Up to this number, floats represent every integer exactly."""

_FORM: Final = "application/x-www-form-urlencoded"
"""The media type that `curl -d` gives to every body."""

_SWITCH: Final = {"true": True, "false": False}

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,30})\Z")
# Matches a JSON string. An unclosed string matches to the end of the data, because a failed match
# would take quadratic time.
_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


_SIZE: Final = ("game", "rows", "columns")
"""The fields that give the board's size."""

_SHAPING: Final = frozenset(RULES)
"""The fields that, besides `board` and `moves`, determine a position."""


class Query(NamedTuple):
    """The valid fields of a request, and the faults of its other fields.

    Attributes:
        work: what holds a slot while a large body is read.
    """

    fields: Mapping[str, Any]
    faults: Faults
    work: Work | None = None


class Question(NamedTuple):
    """A position, and what to search for.

    Attributes:
        search: `analysis.best_move` or `analysis.analyze`.
    """

    board: Board
    limits: SearchLimits
    search: Callable[..., BestMove | Analysis]

    @property
    def key(self) -> tuple[str, Rules, str, SearchLimits]:
        """The same for all spellings of the question."""
        return *self.board.key, replace(self.limits, deadline=None)


def representation(environ: WSGIEnvironment, offered: Sequence[str]) -> str:
    """Return the media type to answer with.

    Raises:
        RequestProblem: 406 if the client accepts none of the offered types, or the header is too
            long.
    """
    accept = environ.get("HTTP_ACCEPT")
    if not accept or accept in ("*/*", JSON):
        return offered[0]
    if len(accept) > LONGEST_ACCEPT:
        raise RequestProblem(
            NOT_ACCEPTABLE, f"Send an Accept header of at most {LONGEST_ACCEPT:,} characters."
        )
    given = Request(environ).accept_mimetypes
    kinds = MIMEAccept([(kind.partition(";")[0].strip(), quality) for kind, quality in given])
    # A client that accepts only problem documents still gets a JSON answer.
    best = kinds.best_match([*offered, CONTENT_TYPE])
    if best is None:
        raise RequestProblem(NOT_ACCEPTABLE, f"The answer is available as {' or '.join(offered)}.")
    return offered[0] if best == CONTENT_TYPE else best


def body(environ: WSGIEnvironment, most: int) -> bytes:
    """Return the body's bytes.

    A body without a media type, or with the media type of `curl -d`, must begin with `{` or `[`.

    Raises:
        RequestProblem: 400 for a malformed body, 413 for its size, 415 for its media type.
    """
    declared = get_content_length(environ)
    length = declared or 0
    is_chunked = declared is None and environ.get("wsgi.input_terminated")
    data = b""
    if length <= most:
        try:
            data = environ["wsgi.input"].read(most + 1 if is_chunked else length)
        except Exception:  # the server found a broken chunk or lost the connection
            raise RequestProblem(
                MALFORMED, "The body is incomplete, or its chunks are invalid."
            ) from None
    if max(length, len(data)) > most:
        raise RequestProblem(
            BODY_TOO_LARGE,
            f"A body may have at most {most} bytes: send several requests.",
            headers={"Connection": "close"},  # nobody reads the rest of the body
        )
    kind = environ.get("CONTENT_TYPE")
    is_named = kind == JSON
    if not is_named or "HTTP_CONTENT_ENCODING" in environ:
        is_named = _require_json(Request(environ))
    if len(data) < length:
        raise RequestProblem(MALFORMED, "The body ended before its Content-Length.")
    begun = data.removeprefix(BOM_UTF8).lstrip()[:1]
    if begun == b"'":
        raise RequestProblem(MALFORMED, _SINGLE_QUOTES)
    if not is_named and data and begun not in (b"{", b"["):
        raise _not_json(kind or "")
    return data


def _not_json(kind: str) -> RequestProblem:
    shown = f"not {kind[:80]}" if kind else "but no Content-Type is given"
    return RequestProblem(
        UNSUPPORTED_MEDIA_TYPE,
        f"Send the body as Content-Type: {JSON}, {shown}.",
        headers={"Accept-Post": JSON},
    )


def _require_json(request: Request) -> bool:
    """Return True if the body's type is JSON; False if it has no type, or that of `curl -d`.

    Raises:
        RequestProblem: 415 if the body has another type, charset or encoding.
    """
    kind = request.mimetype
    is_json = kind == JSON or (kind.startswith("application/") and kind.endswith("+json"))
    if not is_json and kind != _FORM and request.content_type:
        raise _not_json(kind)
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if charset not in ("utf-8", "utf8", "us-ascii", "ascii"):
        raise RequestProblem(UNSUPPORTED_MEDIA_TYPE, "JSON is always UTF-8: leave the charset out.")
    if request.environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise RequestProblem(
            UNSUPPORTED_MEDIA_TYPE,
            "Send the body without a Content-Encoding.",
            headers={"Accept-Encoding": "identity"},
        )
    return is_json


def parse_json(data: bytes) -> Any:
    """Parse a body as JSON (RFC 8259).

    Differences from `json.loads`:

    - NaN, Infinity, repeated keys and encodings other than UTF-8 are refused.
    - At most `DEEPEST` levels and `MOST_NESTED` arrays and objects are allowed.
    - A byte order mark at the start is skipped.
    - 3.0 becomes 3. An integer of more than 400 digits becomes ±10 ** 400.

    Raises:
        RequestProblem: 400.
    """
    try:
        text = data.removeprefix(BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise RequestProblem(MALFORMED, f"The body is not UTF-8: see byte {error.start}.") from None
    if data.count(b"[") + data.count(b"{") > MOST_NESTED:
        raise RequestProblem(
            MALFORMED, f"The JSON has more than {MOST_NESTED:,} arrays and objects."
        )
    if len(data) > DEEPEST and _depth(data) > DEEPEST:
        raise RequestProblem(MALFORMED, f"The JSON is nested deeper than {DEEPEST} levels.")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        if not text.strip():
            example = '{"board": "X...O...."}'
            raise RequestProblem(
                MALFORMED, f"The body is empty: send JSON such as {example}."
            ) from None
        if _BARE_NAME.match(text) and '"' not in text:
            raise RequestProblem(MALFORMED, _NO_QUOTES) from None
        raise RequestProblem(
            MALFORMED,
            f"The body is not JSON: {error.msg}, line {error.lineno}, column {error.colno}.",
        ) from None
    except _NotStrict as error:
        raise RequestProblem(MALFORMED, str(error)) from None


_SINGLE_QUOTES: Final = (
    "The body begins with ', which cmd.exe does not remove: put it into double quotes, and write "
    'those inside as \\": "{\\"board\\": \\"X...O....\\"}".'
)
_NO_QUOTES: Final = (
    'The body is JSON without its quotes, which PowerShell 5 removes: write those inside as \\": '
    '\'{\\"board\\": \\"X...O....\\"}\'.'
)
_BARE_NAME: Final = re.compile(r"\s*\{\s*[A-Za-z_]+\s*:")


class _NotStrict(Exception):
    """JSON that Python accepts and this service refuses."""


def _depth(data: bytes) -> int:
    if data.count(b"[") + data.count(b"{") <= DEEPEST:
        return 0  # too few brackets to exceed `DEEPEST`
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
    raise _NotStrict(f"The JSON has {name}, which is not a JSON number.")


def _integer(digits: str) -> int:
    if len(digits) <= _LONGEST_INTEGER:
        return int(digits)
    return -(10**400) if digits[0] == "-" else 10**400


def _number(digits: str) -> int | float:
    """As in JSON Schema, a number such as 3.0 is the integer 3."""
    number = float(digits)
    return int(number) if abs(number) < _WHOLE and number.is_integer() else number


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_constant,
    parse_int=_integer,
    parse_float=_number,
)


def query_of_body(schema: schemas.Request, value: Any) -> Query:
    faults = Faults()
    if not isinstance(value, dict):
        faults.add(None, "the request must be a JSON object")
        raise faults.problem()
    if len(value) > MOST_FIELDS:
        faults.add(None, f"the request has {len(value)} fields; at most {MOST_FIELDS} are allowed")
        raise faults.problem()
    fields, wrong = schema.read(value)
    if wrong:
        _add_messages(wrong, faults)
    return Query(fields, faults)


def query_of_parameters(schema: schemas.Request, query: bytes) -> Query:
    """Return the fields of a query string. Bytes that are not UTF-8 become U+FFFD.

    Raises:
        RequestProblem: 422 if there are too many parameters.
    """
    faults = Faults(in_query=True)
    count = query.count(b"&") + 1
    if count > MOST_FIELDS:
        faults.add(None, f"the query has {count} parameters; at most {MOST_FIELDS} are allowed")
        faults.raise_any()
    values: dict[str, Any] = {}
    parameters: dict[str, list[str]] = {}
    for name, text in parse_qsl(query.decode("utf-8", "replace"), keep_blank_values=True):
        parameters.setdefault(name, []).append(text)
    for name, given in parameters.items():
        if len(given) > 1:
            faults.add(name[:LONGEST_NAME], f"{name[:LONGEST_NAME]} is given {len(given)} times")
        elif isinstance(schema.fields.get(name), Integer) and _INTEGER.match(given[0]):
            values[name] = int(given[0])
        elif isinstance(schema.fields.get(name), Boolean):
            values[name] = _SWITCH.get(given[0], given[0])
        else:
            values[name] = given[0]
    fields, wrong = schema.read(values)
    for fault in faults.found:
        wrong.pop(fault.where, None)  # the field is repeated, not missing
    _add_messages(wrong, faults)
    return Query(fields, faults)


def _add_messages(messages: Mapping[str, Any], faults: Faults, below: str = "") -> None:
    for name, found in messages.items():
        if len(name) > LONGEST_NAME:
            faults.add(below.rstrip("/") or None, f"{name[:LONGEST_NAME]}… {UNKNOWN}")
            continue
        where = name if faults.in_query else below + pointer_part(name)
        if isinstance(found, Mapping):
            _add_messages(found, faults, where + "/")
        else:
            for message in found:
                faults.add(where, f"{name} {message}" if name else f'"" {message}')


_OF_ONE_MOVE: Final = frozenset({"level", "algorithm", "evaluation"})
"""Options that an analysis or a proof accepts and ignores."""


def question(
    query: Query,
    settings: Settings,
    record: RequestRecord,
    *,
    repeatable: bool = False,
    all_moves: bool = False,
) -> Question:
    """Return the position after the request's `move`, if any, and the limits of the search.

    If the search cannot use several threads, `threads` becomes 1.

    Args:
        record: gives the arrival time, and receives the size of the board.
        repeatable: whether equal requests must get equal answers.
        all_moves: whether the request is for an analysis or a proof.

    Raises:
        RequestProblem: 422 with all faults.
    """
    fields, faults = query.fields, query.faults
    asked = fields
    if all_moves:
        asked = {name: value for name, value in fields.items() if name not in _OF_ONE_MOVE}
    board = board_in(fields, faults)
    try:
        limits = limits_of(asked, settings, record.arrived, repeatable=repeatable)
    except InvalidInput as error:
        faults.add_error(error)
        raise faults.problem() from None
    if board is not None and "move" in fields:
        with faults.catching():
            board = board.play(cell_of(fields["move"], board.rules, board.cells))
    if board is not None and limits.algorithm != "auto":
        with faults.catching():
            analysis.require_textbook(board, limits)
    if "threads" in fields:
        limits = _with_threads(fields["threads"], board, limits, faults, repeatable=repeatable)
    if board is None or faults.found:
        raise faults.problem()
    record.board = f"{board.rules.rows}x{board.rules.columns}"
    if all_moves:
        return Question(board, limits, analysis.analyze)
    return Question(board, limits, analysis.best_move)


def board_in(fields: Mapping[str, Any], faults: Faults) -> Board | None:
    """Return the board that the fields describe. If there are faults, add them to `faults` and
    return None.

    The fields must include `board`, `moves` or one of `_SIZE`. A size alone gives an empty board.
    """
    wrong = {fault.where.strip("/") for fault in faults.found} if faults.found else set()
    if not wrong.isdisjoint(("board", "moves")):
        return None
    board = fields.get("board")
    try:
        if board is not None and "moves" in fields:
            raise InvalidInput("give board or moves, not both", "moves")
        if board is None and "moves" not in fields and wrong.union(fields).isdisjoint(_SIZE):
            raise InvalidInput(f"board {REQUIRED}: give board, moves or game")
        if wrong.isdisjoint(_SHAPING):
            try:
                rules = {name: fields[name] for name in RULES if name in fields}
                if board is not None:
                    return Board.parse(board, **rules)
                if "moves" in fields:
                    return Board.from_moves(fields["moves"], **rules)
                return Board.empty(**rules)
            except InvalidRules as error:
                faults.add_error(error)
                wrong.update(one.field for one in error.each())
        _find_other_faults(fields, wrong)
    except InvalidInput as error:
        faults.add_error(error)
    return None


def _find_other_faults(fields: Mapping[str, Any], wrong: set[str]) -> None:
    """Check `board` or `moves` as far as possible without the fields in `wrong`.

    Raises:
        InvalidInput: the faults found.
    """
    sized = wrong.isdisjoint(_SIZE)
    size = {name: fields[name] for name in _SIZE if name in fields}
    if "board" in fields:
        board = fields["board"]
        if sized:
            notation.parse(board, k=1, **size)
        cells = notation.cells_of(board)
        if "first" not in wrong:
            require_turns(cells, fields.get("first", X))
    elif "moves" in fields and sized and "gravity" not in wrong:
        rules = Board.empty(**size, k=1, gravity=fields.get("gravity")).rules
        require_cells(fields["moves"], rules)


def _with_threads(
    threads: int, board: Board | None, limits: SearchLimits, faults: Faults, *, repeatable: bool
) -> SearchLimits:
    if repeatable:
        faults.add("threads", "threads need a POST: a GET promises the same answer every time")
        return limits
    with faults.catching():
        limits = replace(limits, threads=threads)
        if board is None or not analysis.takes_threads(board, limits):
            limits = replace(limits, threads=1)
    return limits


def limits_of(
    fields: Mapping[str, Any], settings: Settings, arrived: float, *, repeatable: bool = False
) -> SearchLimits:
    """Return the limits of a request that arrived at `arrived` (`time.monotonic()` seconds).

    - By default, `time_ms` limits the search.
    - A search for a GET (`repeatable`), or with a seed or a depth, is limited by nodes. A
      `time_ms` above `max_time_ms / 2` is lowered to this value. The engine converts `time_ms` into
      nodes. The deadline is `max_time_ms`, so that a computer of half the usual speed can also
      search all nodes.
    - A textbook search is always limited by `time_ms`.
    """
    algorithm = fields.get("algorithm", "auto")
    time_ms, most = fields.get("time_ms"), settings.max_time_ms
    if time_ms is None:
        # A textbook search has no answer before its end.
        goes_on = algorithm != "auto" or "depth" in fields
        time_ms = most if goes_on else settings.default_time_ms
    repeatable = repeatable or "seed" in fields or "depth" in fields
    counted = repeatable and algorithm == "auto"
    if counted:
        time_ms = max(1, min(time_ms, most // 2))
    # `_with_threads` adds the threads.
    given = {name: fields[name] for name in OPTIONS if name in fields and name != "threads"}
    given["time_ms"] = time_ms
    deadline = arrived + (most if counted else time_ms) / 1000
    return SearchLimits(**given, deadline=deadline, reproducible=repeatable)
