"""A bot for a game loop: it takes the loop's board and returns a move."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Protocol, Unpack

from bestmove.answers import Move
from bestmove.errors import IllegalMove, InvalidAnswer, InvalidInput, InvalidPosition
from bestmove.game import Board, Rules, inputs, other
from bestmove.game.inputs import BoardInput, MoveOptions


class HasBestMove(Protocol):
    """An engine for a `Bot`: a `Client`, or `bestmove.bots.Engine` in this process."""

    @property
    def best_move(self) -> Callable[..., Any]: ...


class Bot:
    """A player for any game loop. It asks a service, or the engine in this process.

    Call the bot with a board to get a `Move`: `row, column = bot(board)`, or `bot(board).index`.
    The bot does not change the board.

    Args:
        engine: a `Client`, a `bestmove.bots.Engine`, or a function of a board and keyword options.
            The function returns an index, a tuple (row, column), or an answer with a `move`.
        mark: the bot's mark, "X" or "O".
        options: options for every board, such as `level`, `seed` or `k`. If `first` is missing, the
            numbers of marks tell who moved first.

    Raises:
        InvalidInput: the mark is neither X nor O, or an option has a value that is not allowed.
        TypeError: an option is unknown.

    >>> Bot(lambda board, **options: board.index("."), "O")("X........")
    Move(index=1, row=0, column=1, name='b3')
    """

    def __init__(
        self,
        engine: HasBestMove | Callable[..., object],
        mark: str,
        **options: Unpack[MoveOptions],
    ) -> None:
        if mark not in ("X", "O"):
            raise InvalidInput('mark must be "X" or "O"', "mark")
        inputs.require_usable(options)
        self.mark = mark
        self.options = options
        self._engine = engine
        self._best_move = engine if callable(engine) else engine.best_move

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"Bot({self._engine!r}, {self.mark!r}{options})"

    def __call__(
        self,
        board: BoardInput | None = None,
        *,
        moves: str | Sequence[object] | None = None,
    ) -> Move:
        """Return the bot's move.

        Args:
            board: the board in any form; omit it if you pass `moves`.
            moves: the moves so far: text such as "h8 i9", or a list of cell indices. With gravity,
                column numbers such as "4453" are enough.

        Raises:
            InvalidNotation: not a board.
            InvalidPosition: the numbers of marks show that it is not the bot's turn.
            IllegalMove: the game is over.
            BestMoveError: an error of the engine or the client.
        """
        spelling, own = inputs.spelled(self._after(moves or []) if board is None else board)
        options: dict[str, Any] = {**own, **self.options}
        cells, rules = inputs.cells_of(spelling, options)
        options["first"] = self._first(cells, options.get("first"))
        found = self._best_move(spelling, **options)
        move = getattr(found, "move", found)
        if move is None:
            raise IllegalMove("the game is over: there is no move left to make", "board")
        return _move(move, rules)

    def _after(self, moves: str | Sequence[object]) -> Board:
        """Without `first`, assume that the bot is to move."""
        options: dict[str, Any] = {**self.options, "moves": moves}
        board = inputs.position_of(None, options)
        if board.turn in (None, self.mark) or options.get("first"):
            return board
        return inputs.position_of(None, {**options, "first": other(board.first)})

    def _first(self, cells: str, given: str | None) -> str:
        opponent = other(self.mark)
        ahead = cells.count(opponent) - cells.count(self.mark)
        first = {0: self.mark, 1: opponent}.get(ahead)
        if first is None or first != (given or first):
            raise InvalidPosition(
                f"it is not {self.mark}'s turn: {cells.count('X')} X and {cells.count('O')} O"
                + (f", and {given} moved first" if given else "")
            )
        return first


def _move(move: Any, rules: Rules) -> Move:
    try:
        if isinstance(move, tuple):
            row, column = map(operator.index, move)
            return Move.of(rules.index(row, column), rules)
        return Move.of(operator.index(move), rules)
    except (TypeError, ValueError):
        raise InvalidAnswer(f"the engine answered {move!r}, which is not a move") from None
