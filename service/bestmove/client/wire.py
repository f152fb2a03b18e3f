"""The requests and responses of both clients, independent of the HTTP library."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, Generic, NamedTuple, TypeVar
from urllib.parse import urlsplit

from bestmove.client.environment import Environment
from bestmove.errors import (
    InvalidAnswer,
    InvalidInput,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    ServiceUnreachable,
)
from bestmove.version import __version__

CONNECT_TIMEOUT: Final = 5.0

HEADERS: Final = {
    "User-Agent": f"bestmove-client/{__version__}",
    "Accept": "application/json",
    "Content-Type": "application/json",
}

_DEFAULT_TIME_MS: Final = 1000
_OUT_OF_TIME: Final = "urn:bestmove:problem:out-of-time"
_RETRIED: Final = (429, 502, 503, 504)

_LONGEST_WAIT: Final = 30.0
"""The most seconds to wait, even if a Retry-After header asks for more."""

T_co = TypeVar("T_co", covariant=True)


class Reply(NamedTuple):
    """A response. The keys of `headers` are case-insensitive."""

    status: int
    reason: str
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Call(Generic[T_co]):
    """A question to the service.

    Attributes:
        body: the fields of the question; None for a GET.
        read: converts the response's JSON to the answer.
    """

    path: str
    body: Mapping[str, Any] | None
    read: Callable[[object], T_co]

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"

    def data(self) -> bytes | None:
        if self.body is None:
            return None
        try:
            return json.dumps(self.body, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(f"the request cannot be sent as JSON: {error}", "") from error

    def seconds(self, timeout: float) -> float:
        """Return how many seconds to wait for the answer: the time of the search plus `timeout`."""
        budget = (self.body or {}).get("time_ms")
        return (budget if isinstance(budget, int) else _DEFAULT_TIME_MS) / 1000 + timeout

    def answer(self, url: str, reply: Reply) -> T_co:
        """Read the answer from a reply. Error messages name `url`.

        Raises:
            ServiceError: the reply has no answer.
        """
        document = parsed(reply.content)
        if reply.status != HTTPStatus.OK:
            raise _failure(url, reply, document if isinstance(document, dict) else {})
        if document is None:
            raise InvalidAnswer(f"the answer of {url} is not JSON")
        return self.read_from(url, document)

    def read_from(self, url: str, document: object) -> T_co:
        try:
            return self.read(document)
        except InvalidAnswer as error:
            raise InvalidAnswer(f"{url}: {error}") from error


@dataclass
class Attempts:
    left: int
    backoff: float
    pause: float = 0.0

    def pause_after(self, error: ServiceError) -> float:
        """Return the seconds to wait before the next attempt.

        Raises:
            ServiceError: `error` itself, if there is no next attempt.
        """
        asked = None
        if isinstance(error, ServiceUnavailable) and not error.out_of_time:
            asked = error.retry_after
        elif not isinstance(error, ServiceUnreachable) or error.timed_out:
            # After a timeout, a retry would only increase the load.
            raise error
        if not self.left:
            raise error
        self.left -= 1
        pause = self.pause
        self.pause = pause * 2 or self.backoff
        return pause if asked is None else min(asked, _LONGEST_WAIT)


class Caller(ABC):
    """The base class of both clients; `Client` describes the arguments.

    Raises:
        InvalidInput: an invalid address, timeout or number of retries.
        ServiceUnreachable: an environment variable for connections is invalid.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        timeout: float = 10.0,
        retries: int = 3,
        backoff: float = 0.2,
    ) -> None:
        _require_address(url)
        if timeout <= 0:
            raise InvalidInput("timeout must be more than 0 seconds", "timeout")
        if retries < 0:
            raise InvalidInput("retries must be 0 or more", "retries")
        self.url = url.rstrip("/")
        self._timeout = timeout
        self._retries = retries
        self._backoff = backoff
        self._environment = Environment(self.url)
        self._open()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    @abstractmethod
    def _open(self) -> None:
        """Open the HTTP session."""

    def _begin(self, call: Call[Any]) -> tuple[str, Attempts]:
        return self.url + call.path, Attempts(self._retries, self._backoff)

    def _unreachable(self, url: str, error: BaseException) -> ServiceUnreachable:
        """Return the error for a request without a response. It names the proxy."""
        return ServiceUnreachable(f"{url}{self._environment.through}: {cause_of(error)}")

    def _no_answer_within(self, url: str, seconds: float) -> ServiceUnreachable:
        return ServiceUnreachable(f"{url}: no answer within {seconds:g} s", timed_out=True)


def cause_of(error: BaseException) -> str:
    cause = error
    reason = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(reason, BaseException):
        cause = reason
    while cause.__cause__ or cause.__context__:
        cause = cause.__cause__ or cause.__context__ or cause
    return str(cause) or type(cause).__name__


def parsed(content: bytes) -> Any:
    """Return the value of a JSON text, or None if the text is invalid."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _require_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # such as `[` without `]`, or a port that is not a number
        valid = False
    if not valid:
        raise InvalidInput(f"{url!r} is not an address such as http://host:port", "url")
    if "?" in url or "#" in url:
        raise InvalidInput(f"{url!r} has a query or a fragment: give the part before it", "url")


def _failure(url: str, reply: Reply, problem: dict[str, Any]) -> ServiceError:
    message = f"{url}: {reply.status} {_details(problem) or reply.reason}"
    if reply.status in _RETRIED:
        pause = _seconds(reply.headers.get("Retry-After", ""))
        return ServiceUnavailable(message, pause, problem.get("type") == _OUT_OF_TIME)
    if 400 <= reply.status < 500:
        return RequestRefused(message, reply.status, problem)
    if location := reply.headers.get("Location"):
        return InvalidAnswer(f"{url} redirects to {location}: use that address")
    return InvalidAnswer(message)


def _details(problem: Mapping[str, Any]) -> str:
    errors = problem.get("errors")
    items = errors if isinstance(errors, list) else []
    details = [
        f"{item.get('pointer')}: {item.get('detail')}"
        for item in items
        if isinstance(item, Mapping)
    ]
    return "; ".join(details) or str(problem.get("detail", ""))


def _seconds(retry_after: str) -> float | None:
    """Return the seconds of a `Retry-After` header: a number or a date (RFC 9110, 10.2.3)."""
    if retry_after.isascii() and retry_after.isdecimal():
        return float(retry_after)
    try:
        date = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if date.tzinfo is None:  # dates without a zone, or with -0000, mean UTC
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
