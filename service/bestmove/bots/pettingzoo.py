"""A policy for PettingZoo's `tictactoe_v3` and `connect_four_v3`.

- An observation has the shape (rows, columns, 2): a plane with the player's own marks, and a plane
  with the opponent's.
- In Connect Four an action is a column. In tic-tac-toe it is the index of a cell in the planes.
- The planes of tic-tac-toe are transposed: their rows are columns on the screen.

https://pettingzoo.farama.org/environments/classic/
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestmove.bots.arrays import action_on, from_array
from bestmove.client.bot import HasBestMove
from bestmove.errors import IllegalMove, InvalidPosition
from bestmove.game.inputs import require_usable


class Policy:
    """A policy that maps an observation with its action mask to an action.

    To the engine, the player to move is always X.

    Args:
        engine: an `Engine`, or a `bestmove.client.Client`.
        options: the options for every board, such as `level`, `seed` or `time_ms`.
    """

    def __init__(self, engine: HasBestMove, **options: Any) -> None:
        require_usable(options)
        self.engine = engine
        self.options = options

    def __call__(self, observation: Mapping[str, Any]) -> int:
        """Return the action.

        Args:
            observation: a mapping with the planes (`observation`) and the mask (`action_mask`).

        Raises:
            IllegalMove: no action is legal, because it is not the player's turn or the game is
                over.
            InvalidPosition: the mask forbids the chosen action, which is legal on the board.
        """
        mask = [bool(allowed) for allowed in observation["action_mask"]]
        if not any(mask):
            raise IllegalMove("the mask allows no action: it is not this player's turn", "board")
        # Tic-tac-toe has nine actions (its cells), Connect Four has seven (its columns).
        game = "tic-tac-toe" if len(mask) == 9 else "connect-four"
        board = from_array(observation["observation"], game)
        action = action_on(self.engine, board, **self.options)
        if not mask[action]:
            raise InvalidPosition(f"the mask forbids action {action}, but the planes allow it")
        return action
