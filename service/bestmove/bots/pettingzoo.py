"""A policy for PettingZoo's `tictactoe_v3` and `connect_four_v3`.

Both show a player two planes, its own marks and then the opponent's, of shape (rows, columns, 2).
In Connect Four an action is a column. Tic-tac-toe's board lies on its side there (what the planes
call a row is a column on the screen), which that game does not mind, and an action counts the
cells in the order of the planes. https://pettingzoo.farama.org/environments/classic/
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestmove.bots.arrays import action_on, from_array
from bestmove.bots.engine import HasBestMove
from bestmove.errors import IllegalMove, InvalidPosition


class Policy:
    """An observation with its action mask in, an action out.

    The player who is to move is X to the engine, whoever began.

    Args:
        engine: an `Engine`, or a `bestmove.client.Client`.
        options: what goes with every board, such as `level`, `seed` or `time_ms`.
    """

    def __init__(self, engine: HasBestMove, **options: Any) -> None:
        self.engine = engine
        self.options = options

    def __call__(self, observation: Mapping[str, Any]) -> int:
        """The action.

        Args:
            observation: `observation`, the planes, and `action_mask`, 1 for what may be played.

        Raises:
            IllegalMove: nothing may be played: it is not the player's turn, or the game is over.
            InvalidPosition: the mask forbids what the planes allow.
        """
        mask = [bool(allowed) for allowed in observation["action_mask"]]
        if not any(mask):
            raise IllegalMove("the mask allows no action: it is not this player's turn", "board")
        # The nine actions of the one game are its cells, the seven of the other its columns.
        game = "tic-tac-toe" if len(mask) == 9 else "connect-four"
        board = from_array(observation["observation"], game)
        action = action_on(self.engine, board, **self.options)
        if not mask[action]:
            raise InvalidPosition(f"the mask forbids action {action}, which the planes allow")
        return action
