"""Errors as problem documents (RFC 9457)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from flask import Response
from werkzeug.exceptions import HTTPException

from bestmove.api.responses import to_json
from bestmove.errors import BestMoveError, InvalidInput, OutOfTime, Overloaded

CONTENT_TYPE: Final = "application/problem+json"
MOST_ERRORS: Final = 100
"""The most errors that one answer lists."""

_LONGEST_DETAIL: Final = 400


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem. Its name never changes."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        return f"urn:bestmove:problem:{self.name}"


MALFORMED: Final = Kind("malformed-request", 400, "The request cannot be read")
NOT_FOUND: Final = Kind("not-found", 404, "There is nothing at this address")
METHOD_NOT_ALLOWED: Final = Kind("method-not-allowed", 405, "The method is not allowed here")
NOT_ACCEPTABLE: Final = Kind("not-acceptable", 406, "The client accepts no available media type")
BODY_TOO_LARGE: Final = Kind("body-too-large", 413, "The body is too large")
UNSUPPORTED_MEDIA_TYPE: Final = Kind("unsupported-media-type", 415, "The body is not JSON")
INVALID_REQUEST: Final = Kind("invalid-request", 422, "The request has invalid fields")
INTERNAL_ERROR: Final = Kind("internal-error", 500, "The service made a mistake")
REQUEST_TIMEOUT: Final = Kind("request-timeout", 408, "The request came too slowly")
OVERLOADED: Final = Kind("overloaded", 503, "Too many searches in progress")
OUT_OF_TIME: Final = Kind("out-of-time", 503, "The search did not finish in time")
METRICS_LOST: Final = Kind("metrics-lost", 503, "The metrics cannot be kept")

KINDS: Final = (
    MALFORMED,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    NOT_ACCEPTABLE,
    REQUEST_TIMEOUT,
    BODY_TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    INVALID_REQUEST,
    INTERNAL_ERROR,
    METRICS_LOST,
    OUT_OF_TIME,
    OVERLOADED,
)
_BY_STATUS: Final = {kind.status: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class PlacedFault:
    """A fault and its place, which is a JSON pointer or a query parameter."""

    where: str
    detail: str


class RequestProblem(Exception):
    """An error that becomes the answer to a request.

    Args:
        kind: one of `KINDS`.
        detail: one sentence that says what to change.
        faults: all faults, for a 422.
        in_query: whether the faults are in the query; otherwise they are in the body.
        headers: additional headers of the answer.
    """

    def __init__(
        self,
        kind: Kind,
        detail: str,
        faults: Sequence[PlacedFault] = (),
        *,
        in_query: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.faults = tuple(faults)
        self.in_query = in_query
        self.headers = dict(headers or {})

    def document(self, request_id: str | None = None) -> dict[str, Any]:
        """Return the problem document. The problem of one board in a batch has no `request_id`."""
        document: dict[str, Any] = {
            "type": self.kind.type,
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": _printable(self.detail, _LONGEST_DETAIL),
        }
        if request_id is not None:
            document["instance"] = f"urn:bestmove:request:{request_id}"
        if self.faults:
            place = "parameter" if self.in_query else "pointer"
            document["errors"] = [
                {
                    place: _printable(fault.where),
                    "detail": _printable(fault.detail, _LONGEST_DETAIL),
                }
                for fault in self.faults
            ]
        return document

    def text(self, request_id: str) -> str:
        return f"{to_json(self.document(request_id))}\n"

    def response(self, request_id: str) -> Response:
        return Response(
            self.text(request_id),
            self.kind.status,
            {"Cache-Control": "no-store", **self.headers},
            content_type=CONTENT_TYPE,
        )


@dataclass
class Faults:
    """Collects the faults of a request, so that one answer reports them all."""

    in_query: bool = False
    found: list[PlacedFault] = field(default_factory=list)

    def add(self, where: str | None, detail: str) -> None:
        """Add a fault.

        Args:
            where: a query parameter, or a JSON pointer into the body without its leading slash,
                such as `board/0/1`; None for the whole request.
            detail: what is wrong.

        Raises:
            RequestProblem: the 422, if the list is already full.
        """
        if len(self.found) == MOST_ERRORS:
            raise self.problem(more=True)
        if self.in_query:
            self.found.append(PlacedFault(where or "", detail))
        else:
            self.found.append(PlacedFault("" if where is None else f"/{where}", detail))

    def add_error(self, error: InvalidInput) -> None:
        """Add every fault that `error` lists."""
        for one in error.each():
            self.add(one.field.partition("/")[0] if self.in_query else one.field, str(one))

    @contextmanager
    def catching(self) -> Iterator[None]:
        """If the `with` block raises `InvalidInput`, add its faults and go on after the block."""
        try:
            yield
        except InvalidInput as error:
            self.add_error(error)

    def problem(self, *, more: bool = False) -> RequestProblem:
        """Return the 422 with the faults in `found`. `more`: whether there are further faults."""
        count = len(self.found)
        detail = self.found[0].detail if count == 1 else f"{count} things are wrong: see errors."
        if more:
            detail = f"More than {count} things are wrong; errors lists the first {count}."
        return RequestProblem(INVALID_REQUEST, detail, self.found, in_query=self.in_query)

    def raise_any(self) -> None:
        if self.found:
            raise self.problem()


def from_error(error: BestMoveError) -> RequestProblem:
    """Return the problem for an error of the library."""
    if isinstance(error, Overloaded):
        return RequestProblem(
            OVERLOADED, str(error), headers={"Retry-After": str(max(1, error.retry_after))}
        )
    if isinstance(error, OutOfTime):
        return RequestProblem(OUT_OF_TIME, str(error), headers={"Retry-After": "1"})
    if isinstance(error, InvalidInput):
        faults = Faults()
        faults.add_error(error)
        return faults.problem()
    return internal_error()


_MISTAKE: Final = (
    "Something went wrong in the service; its log has the details under the request id."
)


def internal_error() -> RequestProblem:
    return RequestProblem(INTERNAL_ERROR, _MISTAKE)


def from_http(error: HTTPException) -> RequestProblem:
    """Return the problem for an error of werkzeug, with the error's headers, such as `Allow`."""
    status = error.code or 500
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Error"
    kind = _BY_STATUS.get(status) or Kind(phrase.lower().replace(" ", "-"), status, phrase)
    headers = {
        name: value
        for name, value in error.get_headers()
        if name.lower() not in ("content-type", "content-length")
    }
    if "Allow" in headers:
        headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))
    if status == 405:
        detail = f"This address allows {headers.get('Allow', 'other methods')}."
    elif status == 413:
        detail = "Send a smaller body, or several requests."
    elif status >= 500:
        detail = _MISTAKE
    else:
        detail = error.description or phrase
    return RequestProblem(kind, detail, headers=headers)


def _printable(text: str, longest: int | None = None) -> str:
    """Replace lone surrogates, which JSON can express and UTF-8 cannot."""
    if longest is not None and len(text) > longest:
        text = text[: longest - 1] + "…"
    return text.encode("utf-8", "replace").decode("utf-8")
