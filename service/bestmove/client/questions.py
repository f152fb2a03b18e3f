"""Makes the requests of both clients, with one function for each endpoint."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby, islice
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
    options = {"depth": depth, "algorithm": algorithm, "trace": trace or None}
    body = {"tree": tree, "maximizing": maximizing, **given(options)}
    return Call("/game-tree", body, partial(read, GameTree))


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
    items = (_item(board, options) for board in boards)
    for are_problems, group in groupby(items, lambda item: isinstance(item, Problem)):
        if are_problems:
            yield from group
            continue
        while batch := list(islice(group, size)):
            yield _batch(batch, options)


def _item(board: BoardInput | Mapping[str, object], options: Mapping[str, Any]) -> Any:
    """Return the board as an item of a batch; a `Problem` if it cannot be sent.

    A board that JSON cannot hold would spoil its whole batch. The `options` of the batch override
    the rules of a `Board`.
    """
    try:
        item: object = board
        if not isinstance(board, Mapping):
            spelling, own = spelled(board)
            own = {name: value for name, value in own.items() if name not in options}
            item = {"board": spelling, **own} if own else spelling
        json.dumps(item, allow_nan=False)
    except InvalidNotation as error:
        why = str(error)
    except (TypeError, ValueError, RecursionError) as error:
        why = f"the board cannot be written as JSON: {error}"
    else:
        return item
    return Problem("urn:bestmove:problem:invalid-request", "The board cannot be sent", 422, why)


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
