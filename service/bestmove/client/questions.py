"""Makes the requests of both clients, with one function for each endpoint."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from bestmove.answers import Analysis, BestMove, Games, GameTree, Problem, Proven
from bestmove.client.reading import read
from bestmove.client.wire import Call
from bestmove.errors import InvalidAnswer, InvalidInput, InvalidNotation
from bestmove.game.inputs import BoardInput, given, spelled
from bestmove.game.moves import MoveInput

MOST_BOARDS: Final = 1000
"""The most boards in one request to `/best-moves`."""


def best_move(board: BoardInput | None, options: Mapping[str, Any]) -> Call[BestMove]:
    return Call("/best-move", _position(board, options), partial(read, BestMove))


def analyze(board: BoardInput | None, options: Mapping[str, Any]) -> Call[Analysis]:
    return Call("/analyze", _position(board, options), partial(read, Analysis))


def play(board: BoardInput | None, move: MoveInput, options: Mapping[str, Any]) -> Call[BestMove]:
    body = {**_position(board, options), "move": _spelled_move(move)}
    return Call("/play", body, partial(read, BestMove))


def prove(
    board: BoardInput | None, options: Mapping[str, Any], exactly: bool = False
) -> Call[Proven]:
    body = {**_position(board, options), **({"exactly": True} if exactly else {})}
    return Call("/proof", body, partial(read, Proven))


def game_tree(
    tree: object, maximizing: bool, depth: int | None, algorithm: str | None, trace: bool
) -> Call[GameTree]:
    extra = {
        "maximizing": maximizing,
        "depth": depth,
        "algorithm": algorithm,
        "trace": trace or None,
    }
    return Call("/game-tree", {"tree": tree, **given(extra)}, partial(read, GameTree))


def games() -> Call[Games]:
    return Call("/games", None, partial(read, Games))


def best_moves(
    boards: Iterable[BoardInput | Mapping[str, object]], size: int, options: Mapping[str, Any]
) -> Iterator[Problem | Call[list[BestMove | Problem]]]:
    """Yield calls of `/best-moves`, and a `Problem` for each board that cannot be sent.

    Raises:
        InvalidInput: the service does not accept this batch size.
    """
    if not 1 <= size <= MOST_BOARDS:
        raise InvalidInput(f"batch must be from 1 to {MOST_BOARDS}", "batch")
    return _batches(boards, size, given(options))


def _batches(
    boards: Iterable[BoardInput | Mapping[str, object]], size: int, options: dict[str, Any]
) -> Iterator[Problem | Call[list[BestMove | Problem]]]:
    waiting: list[Any] = []
    for board in boards:
        try:
            item = board if isinstance(board, Mapping) else _item(board, options)
            if not isinstance(item, str):
                _require_json(item)
        except InvalidNotation as error:
            if waiting:
                yield _batch(waiting, options)
            waiting = []
            kind = "urn:bestmove:problem:invalid-request"
            yield Problem(kind, "The board cannot be sent", 422, str(error))
            continue
        if len(waiting) == size:
            yield _batch(waiting, options)
            waiting = []
        waiting.append(item)
    if waiting:
        yield _batch(waiting, options)


def _item(board: BoardInput, options: Mapping[str, Any]) -> object:
    """The `options` of the batch override the rules of a `Board`."""
    spelling, own = spelled(board)
    own = {name: value for name, value in own.items() if name not in options}
    return {"board": spelling, **own} if own else spelling


def _require_json(item: object) -> None:
    """Raise InvalidNotation if JSON cannot hold the board. The board would spoil its whole
    batch."""
    try:
        json.dumps(item, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidNotation(f"the board cannot be written as JSON: {error}") from None


def _batch(boards: list[Any], options: dict[str, Any]) -> Call[list[BestMove | Problem]]:
    def results(document: object) -> list[BestMove | Problem]:
        results = document.get("results") if isinstance(document, Mapping) else None
        if not isinstance(results, list) or len(results) != len(boards):
            raise InvalidAnswer("the answer does not have one result for each board of the batch")
        return list(map(_result, results))

    return Call("/best-moves", {"boards": boards, **options}, results)


def _result(item: object) -> BestMove | Problem:
    if isinstance(item, Mapping) and "problem" in item:
        return read(Problem, item["problem"])
    return read(BestMove, item.get("result") if isinstance(item, Mapping) else item)


def _position(board: BoardInput | None, options: Mapping[str, Any]) -> dict[str, Any]:
    if board is None:
        return given(options)
    spelling, own = spelled(board)
    return {"board": spelling, **own, **given(options)}


def _spelled_move(move: MoveInput) -> object:
    if isinstance(move, Mapping | str):
        return move
    if isinstance(move, tuple):
        row, column = move
        return {"row": operator.index(row), "column": operator.index(column)}
    return operator.index(move)
