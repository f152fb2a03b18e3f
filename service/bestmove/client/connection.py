"""The client: one method for each endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Literal, Self, TypedDict, Unpack
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter

from bestmove.client.answers import Analysis, BestMove, GameTree, Move, Problem
from bestmove.client.boards import BoardInput, spelled
from bestmove.client.wire import TRY_AGAIN, PatientRetry, answer_of, cause_of
from bestmove.errors import (
    InvalidAnswer,
    InvalidInput,
    InvalidNotation,
    ServiceUnreachable,
)
from bestmove.version import __version__

DEFAULT_URL: Final = "http://127.0.0.1:8000"
DEFAULT_TIMEOUT: Final = 10.0
DEFAULT_RETRIES: Final = 3
MOST_BOARDS: Final = 1000
"""Boards in one request of a batch."""

_CONNECT_TIMEOUT: Final = 5.0
_DEFAULT_TIME_MS: Final = 1000
Algorithm = Literal[
    "auto",
    "minimax",
    "alpha-beta",
    "alpha-beta-fail-hard",
    "negamax",
    "memoized-alpha-beta",
]


class Options(TypedDict, total=False):
    """What goes with a board; all of it optional.

    Attributes:
        game: a game by name, such as "connect-four".
        k: marks in a line that win.
        gravity, overline, misere: the switches of the rules.
        first: who moved first, "X" (default) or "O".
        level: 1 to 10 (default, best play).
        seed: the same request with the same seed gives the same move.
        time_ms: milliseconds for the search; 1000 unless given.
        depth: plies to look ahead.
    """

    game: str | None
    rows: int | None
    columns: int | None
    k: int | None
    gravity: bool | None
    overline: bool | None
    misere: bool | None
    first: str | None
    level: int | None
    seed: int | None
    time_ms: int | None
    depth: int | None
    algorithm: Algorithm | None


class AnalysisOptions(Options, total=False):
    """What goes with a board to be analysed.

    Attributes:
        lines: moves, 1 to 20, that are searched as the best one is; all alike unless given.
    """

    lines: int | None


class Client:
    """A connection to the service; use it as a context manager, or call `close`.

    Requests that meet a connection error, 502, 503 or 504 are tried again, after a pause that
    doubles each time or that the service names (Retry-After). All requests are pure, so trying
    again is safe.

    Args:
        url: where the service is, with any path prefix.
        timeout: seconds to wait for an answer beyond the time that the search is given.
        retries: how often to try again.
        backoff: seconds before the second retry; the first comes at once.

    Raises (all of them `ServiceError`s):
        ServiceUnreachable: no connection, or no answer in time.
        ServiceUnavailable: 502, 503 or 504, also after the last retry.
        RequestRefused: the request must change; `status` and `problem` say how.
        InvalidAnswer: an answer that is not the service's.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        backoff: float = 0.2,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise InvalidInput(f"{url!r} is no address of a service: http://host:port", "url")
        if timeout <= 0:
            raise InvalidInput("timeout must be more than 0 seconds", "timeout")
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.retries = retries
        self._session = requests.Session()
        self._session.headers.update(
            {"User-Agent": f"bestmove-client/{__version__}", "Accept": "application/json"}
        )
        adapter = HTTPAdapter(
            max_retries=PatientRetry(
                total=retries,
                backoff_factor=backoff,
                status_forcelist=[status.value for status in TRY_AGAIN],
                allowed_methods=None,  # every method: all requests are pure
                raise_on_status=False,
            )
        )
        self._session.mount("http://", adapter)
        self._session.mount("https://", adapter)

    def best_move(self, board: BoardInput, **options: Unpack[Options]) -> BestMove:
        """The best move, its score and why it was chosen."""
        return BestMove.from_json(self._post("/best-move", _request(board, options)))

    def analyze(self, board: BoardInput, **options: Unpack[AnalysisOptions]) -> Analysis:
        """Every legal move with its score, best first."""
        return Analysis.from_json(self._post("/analyze", _request(board, options)))

    def play(
        self, board: BoardInput, move: int | tuple[int, int] | Move, **options: Unpack[Options]
    ) -> BestMove:
        """Make a move, and get the answer to it.

        Args:
            board: the board before the move.
            move: an index, or (row, column), all from 0.

        Returns:
            The best move on the board after it; `board_after` has both.
        """
        body = _request(board, options)
        if isinstance(move, int):
            body["move"] = move
        else:
            row, column = move
            body["move"] = {"row": int(row), "column": int(column)}
        return BestMove.from_json(self._post("/play", body))

    def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
    ) -> GameTree:
        """The value of an explicit tree of numbers, arrays and `{"value", "children"}`."""
        extra = {"maximizing": maximizing, "depth": depth, "algorithm": algorithm}
        return GameTree.from_json(self._post("/game-tree", {"tree": tree, **_given(extra)}))

    def best_moves(
        self,
        boards: Iterable[BoardInput],
        *,
        batch: int = MOST_BOARDS,
        **options: Unpack[Options],
    ) -> Iterator[BestMove | Problem]:
        """The best moves of any number of boards, in their order.

        Boards are taken and sent lazily, in batches of up to 1,000 that share `time_ms`. A board
        that the service refuses gives its `Problem`, and the others their answers.
        """
        if not 1 <= batch <= MOST_BOARDS:
            raise InvalidInput(f"batch must be from 1 to {MOST_BOARDS}", "batch")
        return self._answers(boards, batch, _given(options))

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def _answers(
        self, boards: Iterable[BoardInput], size: int, options: dict[str, Any]
    ) -> Iterator[BestMove | Problem]:
        waiting: list[Any] = []
        shared = options
        for board in boards:
            try:
                spelling, own = spelled(board)
            except InvalidNotation as error:
                yield from self._batch(waiting, shared)
                waiting = []
                yield _local_problem(error)
                continue
            # `service.Board`s bring their own rules, and a batch has one set of them.
            if waiting and (len(waiting) == size or shared != {**own, **options}):
                yield from self._batch(waiting, shared)
                waiting = []
            shared = {**own, **options}
            waiting.append(spelling)
        yield from self._batch(waiting, shared)

    def _batch(self, boards: list[Any], options: dict[str, Any]) -> Iterator[BestMove | Problem]:
        if not boards:
            return
        answer = self._post("/best-moves", {"boards": boards, **options})
        results = answer.get("results") if isinstance(answer, Mapping) else None
        if not isinstance(results, list) or len(results) != len(boards):
            raise InvalidAnswer("the answer to a batch has not one result for each board")
        for item in results:
            if isinstance(item, Mapping) and "problem" in item:
                yield Problem.from_json(item["problem"])
            else:
                yield BestMove.from_json(item.get("result") if isinstance(item, Mapping) else item)

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        try:
            data = json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(f"the request cannot be sent as JSON: {error}", "") from error
        budget = body.get("time_ms")
        seconds = (budget if isinstance(budget, int) else _DEFAULT_TIME_MS) / 1000 + self.timeout
        response = self._send(path, data, seconds)
        return answer_of(response)

    def _send(self, path: str, data: bytes, seconds: float) -> requests.Response:
        left = self.retries
        while True:
            try:
                return self._session.post(
                    self.url + path,
                    data=data,
                    headers={"Content-Type": "application/json"},
                    timeout=(_CONNECT_TIMEOUT, seconds),
                    allow_redirects=False,
                )
            except (
                requests.exceptions.ChunkedEncodingError,
                requests.exceptions.ContentDecodingError,
            ) as error:
                # The answer broke off half way, which urllib3's own retries do not see.
                if not left:
                    raise ServiceUnreachable(f"{self.url}: the answer broke off") from error
                left -= 1
            except requests.exceptions.Timeout as error:
                raise ServiceUnreachable(f"{self.url}: no answer within {seconds:g} s") from error
            except requests.exceptions.RequestException as error:
                raise ServiceUnreachable(f"{self.url}: {cause_of(error)}") from error


def _request(board: BoardInput, options: Mapping[str, Any]) -> dict[str, Any]:
    spelling, own = spelled(board)
    return {"board": spelling, **own, **_given(options)}


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without those that are None, which stand for the service's defaults."""
    return {name: value for name, value in options.items() if value is not None}


def _local_problem(error: InvalidNotation) -> Problem:
    return Problem(
        "urn:bestmove:problem:invalid-request",
        "The board cannot be sent",
        HTTPStatus.UNPROCESSABLE_ENTITY.value,
        str(error),
    )
