"""Converts a board in any of the usual forms to a `Board`, or to JSON for a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args

from bestmove.errors import InvalidInput, InvalidLimits, InvalidNotation
from bestmove.game import MAX_SIDE, Board, Rules, notation
from bestmove.game.notation import ArrayLike, is_array
from bestmove.game.rules import SWITCHES, Variant, is_integer, require_known

BoardInput = str | Sequence[object] | Board | ArrayLike
"""A string, nested or flat lists, a NumPy array, or a `bestmove.Board`."""


RULES: Final = ("game", "rows", "columns", "k", "first", *SWITCHES)
"""The options that describe the rules of a position."""

Algorithm = Literal[
    "auto",
    "minimax",
    "alpha-beta",
    "alpha-beta-fail-hard",
    "negamax",
    "memoized-alpha-beta",
]

EvaluationName = Literal["bare", "lines", "shapes", "ten-less-depth"]

RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "time_ms": (1, 3_600_000),
    "depth": (1, 400),
    "nodes": (1, 10**12),
    "level": (1, 10),
    "seed": (-(2**63), 2**63 - 1),
    "lines": (1, 20),
    "threads": (1, 64),
}
"""The least and the largest value of each option of a search that is an integer."""

CHOICES: Final = {"algorithm": get_args(Algorithm), "evaluation": get_args(EvaluationName)}


class Options(Variant, total=False):
    """The options of a game and its search.

    Attributes:
        game: the name of a game, such as "connect-four"; `Client.games` lists the names.
        moves: the moves so far, instead of a board: "h8 i9", with gravity also "4453", or a list
            of cell indices. Without a board or moves, the position is the empty board.
        k: how many marks in a line end the game.
        first: who moved first, "X" or "O".
        level: how well to play, 1 to 10.
        seed: with equal seeds, equal questions get equal answers. At level 10, the seed also
            chooses among equally good moves.
        time_ms: milliseconds for the search.
        depth: plies to look ahead.
    """

    moves: str | Sequence[object] | None
    rows: int | None
    columns: int | None
    k: int | None
    first: str | None
    level: int | None
    seed: int | None
    time_ms: int | None
    depth: int | None
    algorithm: Algorithm | None
    evaluation: EvaluationName | None


class MoveOptions(Options, total=False):
    """The options for one best move.

    Attributes:
        threads: threads for the search; fewer if too few processors are free. The answer may differ
            each time, so `threads` cannot be combined with a seed or a depth.
    """

    threads: int | None


class AnalysisOptions(Options, total=False):
    """The options for an analysis.

    Attributes:
        lines: how many of the best moves to search deeper. The answer lists them first.
    """

    lines: int | None


def spelled(board: BoardInput) -> tuple[str | list[Any], dict[str, Any]]:
    """Return the board for JSON. If it is a `Board`, also return its rules as options.

    Raises:
        InvalidNotation: not a board.
    """
    if isinstance(board, str):
        return board, {}
    if isinstance(board, Board):
        rules = board.rules
        size = {"rows": rules.rows, "columns": rules.columns, "k": rules.k}
        return str(board), {**size, **rules.changed, "first": board.first}
    if is_array(board) or (
        isinstance(board, Sequence) and not isinstance(board, bytes | bytearray)
    ):
        found = notation.plain(board)
        if isinstance(found, list):
            return found, {}
    raise InvalidNotation(f"a {type(board).__name__} is not a board: give a string or lists")


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def without_position(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return only the options of the search."""
    return {name: value for name, value in options.items() if name not in (*RULES, "moves")}


def require_in_range(options: Mapping[str, Any]) -> None:
    """Raise InvalidLimits if an option of the search has a value that is not allowed."""
    for name, value in options.items():
        if name in CHOICES and value not in CHOICES[name]:
            raise InvalidLimits(f"{name} must be one of {', '.join(CHOICES[name])}", name)
        if name in RANGES and value is not None:
            least, most = RANGES[name]
            if not is_integer(value) or not least <= value <= most:
                raise InvalidLimits(f"{name} must be an integer from {least} to {most}", name)


def require_usable(options: Mapping[str, Any]) -> None:
    """Check the options of a player, which gets its boards later.

    Raises:
        InvalidInput: no board allows an option.
        TypeError: an option is unknown.
    """
    require_known(options, MoveOptions.__optional_keys__ | {"nodes"})  # `Engine` takes `nodes`
    require_in_range(given(options))
    Board.empty(**{"rows": MAX_SIDE, "columns": MAX_SIDE, **_rules_in(options)})


def position_of(board: BoardInput | None, options: Mapping[str, Any]) -> Board:
    """Convert a board to a `Board`. Rules in the options override those of a `Board`.

    Without a board, return the position after the `moves` in the options. Without moves, return the
    empty board.

    Raises:
        InvalidInput: not a position of a game, or both a board and moves.
    """
    if board is not None and options.get("moves") is not None:
        raise InvalidInput("give the board or the moves, not both", "moves")
    rules = _rules_in(options)
    if isinstance(board, Board):
        if not rules:
            return board
        board, own = spelled(board)
        rules = own | rules
    if board is not None:
        return Board.parse(board, **rules)
    moves = options.get("moves")
    return Board.empty(**rules) if moves is None else Board.from_moves(moves, **rules)


def cells_of(board: str | list[Any], options: Mapping[str, Any]) -> tuple[str, Rules]:
    """Return a board's cells, row by row, and its rules under these options.

    Raises:
        InvalidInput: not a board.
    """
    return notation.parse(board, **_rules_in({**options, "first": None}))


def _rules_in(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in RULES if options.get(name) is not None}
