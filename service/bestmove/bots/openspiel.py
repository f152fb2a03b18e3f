"""A `pyspiel.Bot` for OpenSpiel's `tic_tac_toe`, `connect_four`, `mnk` and `gomoku`.

The games may have any parameters, but gomoku's board must be flat (`dims=2`, `wrap=False`).

It needs the extra `openspiel`. https://github.com/google-deepmind/open_spiel
"""

from __future__ import annotations

from typing import Any, Final

from bestmove.bots.arrays import action_on
from bestmove.client.bot import HasBestMove
from bestmove.errors import InvalidRules
from bestmove.extras import needs_extra
from bestmove.game import Board, Rules
from bestmove.game.inputs import require_usable

with needs_extra("openspiel"):
    import pyspiel

GAMES: Final = ("tic_tac_toe", "connect_four", "mnk", "gomoku")

_BLACK_AND_WHITE: Final = str.maketrans("bw", "xo", "BW")
"""Translates a state of `gomoku`, whose first character says whose turn it is."""


class Bot(pyspiel.Bot):  # type: ignore[misc] # pyspiel has no types
    """A bot that plays for the side to move.

    Args:
        engine: an `Engine`, or a `bestmove.client.Client`.
        options: the options for every board, such as `level`, `seed` or `time_ms`.
    """

    def __init__(self, engine: HasBestMove, **options: Any) -> None:
        super().__init__()
        require_usable(options)
        self.engine = engine
        self.options = options

    def step(self, state: Any) -> int:
        """Return the action: a column in `connect_four`, a cell's index in the other games.

        Raises:
            InvalidRules: the game is unknown, or the board is too large.
        """
        return action_on(self.engine, board_of(state), **self.options)

    def provides_policy(self) -> bool:
        """Return True, because `step_with_policy` is available."""
        return True

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return each legal action with its probability (0 or 1), and the chosen action."""
        chosen = self.step(state)
        return [(action, float(action == chosen)) for action in state.legal_actions()], chosen

    def restart(self) -> None:
        """Do nothing, because the bot has no state."""

    def restart_at(self, state: Any) -> None:
        """Do nothing, because the bot has no state."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Do nothing, because the bot has no state."""


def board_of(state: Any) -> Board:
    """Return the position of a state. The text of a state has rows of `x`, `o` and `.`, or (gomoku)
    all cells in one row of `b`, `w` and `.`."""
    rules: dict[str, Any] = rules_of(state.get_game()).to_dict()
    return Board.parse(str(state).translate(_BLACK_AND_WHITE), **rules)


def rules_of(game: Any) -> Rules:
    kind = game.get_type()
    given = {**kind.parameter_specification, **game.get_parameters()}
    match kind.short_name:
        case "tic_tac_toe":
            return Rules()
        case "connect_four":
            return Rules.of(given["rows"], given["columns"], given["x_in_row"], gravity=True)
        case "mnk":  # m columns, n rows
            return Rules.of(given["n"], given["m"], given["k"])
        case "gomoku" if given["dims"] == 2 and not given["wrap"]:
            return Rules.of(given["size"], given["size"], given["connect"], misere=given["anti"])
    raise InvalidRules(
        f"{kind.short_name} is not one of {', '.join(GAMES)} on a flat board", "game"
    )
