"""All errors that this package raises on purpose. None of them depends on HTTP.

BestMoveError
├── InvalidInput (also a ValueError)   the caller must change the input
│   ├── InvalidNotation                the text or array does not describe a board
│   ├── InvalidRules                   the game, rows, columns, k or a switch is wrong
│   ├── InvalidPosition                a position that no game can reach
│   ├── IllegalMove                    not an empty cell of a game in progress
│   ├── InvalidTree                    not a game tree
│   └── InvalidLimits                  level, seed, time, depth or algorithm out of range
│       └── PositionTooLarge           the chosen textbook search could not finish
├── InvalidSetting                     the service cannot start with this environment
├── ClusterFailed                      no workers, or workers of different builds
├── Overloaded                         too many searches in progress
├── OutOfTime                          a textbook search reached its deadline
└── ServiceError                       the client got no usable answer
    ├── ServiceUnreachable             no connection, or no complete answer in time
    ├── ServiceUnavailable             the service answered 429, 502, 503 or 504
    ├── RequestRefused                 the service refused the request: 4xx
    └── InvalidAnswer                  the response is not an answer of the service
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, Generic, TypeVar

MOST_FAULTS: Final = 101
"""Reading an input stops after this many faults: one more than an answer lists, so that the answer
can say that there are more."""

LONGEST_NAME: Final = 100
"""An error shows this many characters of an unknown field's name."""


class BestMoveError(Exception):
    """The base class of all errors that this package raises on purpose."""


class InvalidInput(BestMoveError, ValueError):
    """The caller must change the input.

    Attributes:
        field: the name of the faulty argument (`"board"`, `"k"`), or a path into it
            (`"board/1/2"`), as a JSON pointer without its leading slash.
        others: the errors at other places of the same input; see `together`.
    """

    default_field: ClassVar = "board"
    others: tuple[InvalidInput, ...] = ()

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = self.default_field if field is None else field

    def each(self) -> Iterator[InvalidInput]:
        """Yield this error and the errors at other places of the same input."""
        yield self
        yield from self.others


_Error = TypeVar("_Error", bound=InvalidInput)


def show(text: str, most: int = 12) -> str:
    """Quote at most `most` characters of a text, for a message. A single character also gets its
    name if it does not print, or is a letter that is not ASCII and may look like one that is."""
    quoted = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:most])
    if len(text) == 1 and not (text.isprintable() and (text.isascii() or not text.isalpha())):
        return f"'{quoted}' ({unicodedata.name(text, f'U+{ord(text):04X}')})"
    return f"'{quoted}'" if len(text) <= most else f"'{quoted}...'"


def printable(text: str) -> str:
    """Escape control characters, such as `\\x1b`, so that a terminal does not obey a text from
    elsewhere: a server's answer, a table, a file's name. Line feeds stay."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" else sign.encode("unicode_escape").decode()
        for sign in text
    )


def pointer_part(name: str) -> str:
    """Escape a name (`~` and `/`) as one step of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def together(errors: Sequence[_Error]) -> _Error:
    """Return the first of several errors of one input; its `others` are the rest."""
    first, *others = errors
    first.others = tuple(others)
    return first


class Gathered(Generic[_Error]):
    """The errors of the parts of one input, to be raised together."""

    def __init__(self) -> None:
        self.errors: list[_Error] = []

    def add(self, error: _Error) -> None:
        """Add an error and its `others`. Raise all errors if there are `MOST_FAULTS`."""
        self.errors += error.each()  # type: ignore[arg-type] # the others are of the same kind
        if len(self.errors) >= MOST_FAULTS:
            self.raise_any()

    def raise_any(self) -> None:
        if self.errors:
            raise together(self.errors)


class InvalidNotation(InvalidInput):
    """The text or array does not describe a board."""


class InvalidRules(InvalidInput):
    """The game, the rows, the columns, k or a switch is wrong."""


class InvalidPosition(InvalidInput):
    """No game can reach the position."""


class IllegalMove(InvalidInput):
    """The move is not an empty cell of a game in progress."""

    default_field = "move"


class InvalidTree(InvalidInput):
    """The value does not describe a game tree."""

    default_field = "tree"


class InvalidLimits(InvalidInput):
    """A search limit, a level, a seed or an algorithm is out of range."""


class PositionTooLarge(InvalidLimits):
    """The position is too large for the chosen textbook search to finish."""

    default_field = "algorithm"


class InvalidSetting(BestMoveError):
    """The service cannot start with this environment."""


class ClusterFailed(BestMoveError):
    """The cluster cannot do the work, for example because a worker has another build."""


class Overloaded(BestMoveError):
    """Too many searches are in progress.

    Attributes:
        retry_after: seconds to wait before trying again.
    """

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class OutOfTime(BestMoveError):
    """A textbook search did not finish before its deadline, so there is no answer."""


class ServiceError(BestMoveError):
    """The client got no usable answer."""


class ServiceUnreachable(ServiceError):
    """The service could not be reached, or gave no complete answer in time.

    Attributes:
        timed_out: whether the client connected, but the service did not answer in time.
    """

    def __init__(self, message: str, timed_out: bool = False) -> None:
        super().__init__(message)
        self.timed_out = timed_out


class ServiceUnavailable(ServiceError):
    """The service answered 429, 502, 503 or 504, and the client has given up.

    The client retries `retries` times, but not if `out_of_time` is true or a stream has begun.

    Attributes:
        retry_after: the service's `Retry-After` in seconds, None if it sent none.
        out_of_time: whether a textbook search did not finish in time. A retry would not help.
    """

    def __init__(
        self, message: str, retry_after: float | None = None, out_of_time: bool = False
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.out_of_time = out_of_time


class RequestRefused(ServiceError):
    """The service refused the request.

    Attributes:
        status: the HTTP status, 400 to 499.
        problem: the parsed problem document (RFC 9457), empty if there was none.
    """

    def __init__(self, message: str, status: int, problem: dict[str, object] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.problem = problem or {}


class InvalidAnswer(ServiceError):
    """The response is not an answer of this service."""
