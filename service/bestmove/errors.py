"""Everything that can go wrong, without a word of HTTP.

BestMoveError
├── InvalidInput (also a ValueError)   the caller's input must change
│   ├── InvalidNotation                the text or array describes no board
│   ├── InvalidRules                   rows, columns or k out of range
│   ├── InvalidPosition                a board, but of no position that a game can reach
│   ├── IllegalMove                    no empty cell of a game in progress
│   ├── InvalidTree                    no game tree
│   └── InvalidLimits                  level, seed, time, depth or algorithm out of range
│       └── PositionTooLarge           more than the chosen textbook search can finish
├── InvalidSetting                     the service cannot start with this environment
├── ClusterFailed                      no workers, or not all alike
├── Overloaded                         more searches in progress than allowed
├── OutOfTime                          a textbook search met its deadline
└── ServiceError                       the client got no answer that it can use
    ├── ServiceUnreachable             no connection, or none in time
    ├── ServiceUnavailable             502, 503 or 504, also after the last retry
    ├── RequestRefused                 the service refused the request: 4xx
    └── InvalidAnswer                  an answer that is not the service's
"""

from __future__ import annotations


class BestMoveError(Exception):
    """The base of every error that this package raises on purpose."""


class InvalidInput(BestMoveError, ValueError):
    """Input that must change.

    Attributes:
        field: the name of the argument at fault (`"board"`, `"k"`), or a path into it
            (`"board/1/2"`), as a JSON pointer without its leading slash.
    """

    def __init__(self, message: str, field: str = "board") -> None:
        super().__init__(message)
        self.field = field


class InvalidNotation(InvalidInput):
    """The text or array describes no board."""


class InvalidRules(InvalidInput):
    """Rows, columns or k out of range."""


class InvalidPosition(InvalidInput):
    """A board, but of no position that a game can reach."""


class IllegalMove(InvalidInput):
    """The move is no empty cell of a game in progress."""

    def __init__(self, message: str, field: str = "move") -> None:
        super().__init__(message, field)


class InvalidTree(InvalidInput):
    """The value describes no game tree."""

    def __init__(self, message: str, field: str = "tree") -> None:
        super().__init__(message, field)


class InvalidLimits(InvalidInput):
    """A search limit, level, seed or algorithm out of range."""


class PositionTooLarge(InvalidLimits):
    """More than the chosen textbook search can finish."""

    def __init__(self, message: str, field: str = "algorithm") -> None:
        super().__init__(message, field)


class InvalidSetting(BestMoveError):
    """The service cannot start with this environment."""


class ClusterFailed(BestMoveError):
    """No cluster of workers can be had, or its workers are not alike."""


class Overloaded(BestMoveError):
    """More searches in progress than allowed.

    Attributes:
        retry_after: seconds after which another try makes sense.
    """

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class OutOfTime(BestMoveError):
    """A textbook search met its deadline: cut short, it has no answer."""


class ServiceError(BestMoveError):
    """The client got no answer that it can use."""


class ServiceUnreachable(ServiceError):
    """No connection to the service, or no answer in time.

    Attributes:
        timed_out: whether there was a connection, and no answer in time.
    """

    def __init__(self, message: str, timed_out: bool = False) -> None:
        super().__init__(message)
        self.timed_out = timed_out


class ServiceUnavailable(ServiceError):
    """The service answered 502, 503 or 504, also after the last retry.

    Attributes:
        retry_after: seconds after which the service asks to be asked again, if it says so.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


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
    """What came back is no answer of this service."""
