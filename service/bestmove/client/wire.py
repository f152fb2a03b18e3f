"""What happens between the client and the service: retries, answers, and errors in words."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self

import requests
from urllib3 import BaseHTTPResponse, Retry
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import ReadTimeoutError

from bestmove.errors import InvalidAnswer, RequestRefused, ServiceUnavailable

TRY_AGAIN: Final = (
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
"""Statuses that may pass."""

_LONGEST_WAIT: Final = 30.0
"""Seconds that a Retry-After may hold up a call."""


class PatientRetry(Retry):
    """urllib3's Retry, which honours Retry-After, but does not wait for an hour.

    Nor does it ask again where no answer came in time: that would only add to the load.
    """

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        if isinstance(error, ReadTimeoutError):
            raise error
        return super().increment(method, url, response, error, _pool, _stacktrace)

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        wait = super().get_retry_after(response)
        return None if wait is None else min(wait, _LONGEST_WAIT)


def answer_of(response: requests.Response) -> Any:
    status = response.status_code
    try:
        document = response.json()
    except ValueError:
        document = None
    if status == HTTPStatus.OK:
        if document is None:
            raise InvalidAnswer(f"{response.url} answered with something that is not JSON")
        return document
    problem = document if isinstance(document, dict) else {}
    said = f"{status} {_said(problem) or response.reason}"
    if status in TRY_AGAIN:
        raise ServiceUnavailable(said)
    if 400 <= status < 500:
        raise RequestRefused(said, status, problem)
    if location := response.headers.get("Location"):
        raise InvalidAnswer(f"{response.url} leads to {location}: use that address")
    raise InvalidAnswer(f"{response.url} answered {said}")


def _said(problem: Mapping[str, Any]) -> str:
    """What a problem document says, with the places that it names."""
    errors = problem.get("errors")
    items = (
        [item for item in errors if isinstance(item, Mapping)] if isinstance(errors, list) else []
    )
    told = [
        f"{item.get('pointer', item.get('parameter', ''))}: {item.get('detail', '')}"
        for item in items
    ]
    return "; ".join(told) or str(problem.get("detail") or problem.get("title") or "")


def cause_of(error: requests.RequestException) -> str:
    """The last link of the chain of errors, which is the one that says what happened."""
    cause: BaseException = error
    reason = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(reason, BaseException):
        cause = reason
    while cause.__cause__ or cause.__context__:
        cause = cause.__cause__ or cause.__context__ or cause
    return str(cause) or type(cause).__name__
