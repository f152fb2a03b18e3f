"""An agent for `connectx` of Kaggle Environments, with any rows, columns and inarow.

    from kaggle_environments import make
    from bestmove.bots.kaggle import agent

    make("connectx").run([agent, "negamax"])

`submission` returns the source of an agent that asks a service. The agent is a single file and
needs only the standard library.
https://github.com/Kaggle/kaggle-environments/tree/master/kaggle_environments/envs/connectx
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from bestmove.bots.arrays import action_on, from_array
from bestmove.bots.engine import Engine
from bestmove.client.bot import HasBestMove
from bestmove.game import MAX_SIDE, Rules
from bestmove.game.inputs import require_usable
from bestmove.search.limits import MAX_TIME_MS

THINKING_SHARE: Final = 0.7
"""The share of `actTimeout` for the search; the rest is a safety margin on a busy machine."""

LEAST_MS: Final = 10
"""The shortest time for a search, even if less time is left."""

_URL_LINE: Final = 'URL = "http://127.0.0.1:8000"\n'


class Agent:
    """One side of a match. Call it with the observation and the configuration.

    Args:
        engine: an `Engine`, or a `bestmove.client.Client`. A client's `timeout` and `retries` add
            to the time of the search.
        options: the options for every board, such as `level` or `seed`. A search takes up to 0.7
            of `actTimeout`, but at most `time_ms`. With a service, set `time_ms` to the service's
            limit: the service refuses longer searches.
    """

    def __init__(self, engine: HasBestMove, **options: Any) -> None:
        require_usable(options)
        self.engine = engine
        self.most_ms = options.pop("time_ms", None) or MAX_TIME_MS
        self.options = options

    def __call__(self, observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        """Return the column to play.

        If the board is too large for the engine, or too small for `inarow` marks in a row, the
        agent plays the free column nearest to the middle.
        """
        began = time.monotonic()
        rows, columns = configuration["rows"], configuration["columns"]
        inarow = configuration["inarow"]
        cells = list(observation["board"])
        if max(rows, columns) > MAX_SIDE or inarow > max(rows, columns):
            return _nearest_to_the_middle(cells[:columns])
        rules = Rules.of(rows, columns, inarow, gravity=True)
        board = from_array(cells, rules, first="X")
        budget = configuration["actTimeout"] * THINKING_SHARE - (time.monotonic() - began)
        time_ms = min(max(LEAST_MS, int(budget * 1000)), self.most_ms)
        return action_on(self.engine, board, time_ms=time_ms, **self.options)


def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
    """Play the best move that the engine in this process finds."""
    return _BEST(observation, configuration)


_BEST: Final = Agent(Engine())


def submission(url: str) -> str:
    """Return the source of a Python file with an agent that asks the service at `url`."""
    text = (files("bestmove.bots") / "kaggle_submission.py").read_text(encoding="utf-8")
    assert _URL_LINE in text
    return text.replace(_URL_LINE, f"URL = {url!r}\n")


def _nearest_to_the_middle(top_row: list[int]) -> int:
    free = (column for column, mark in enumerate(top_row) if not mark)
    return min(free, key=lambda column: abs(2 * column - (len(top_row) - 1)))
