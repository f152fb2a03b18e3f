"""What a search may spend, and the bounds of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from bestmove.errors import InvalidLimits
from bestmove.game.rules import is_integer

ALGORITHMS: Final = (
    "auto",
    "minimax",
    "alpha-beta",
    "alpha-beta-fail-hard",
    "negamax",
    "memoized-alpha-beta",
)
"""`auto` takes the strongest search for the board; the others are the textbook ones."""

BEST_LEVEL: Final = 10
DEFAULT_TIME_MS: Final = 1000
MAX_TIME_MS: Final = 3_600_000
MAX_DEPTH: Final = 400
MAX_NODES: Final = 10**12
MAX_SEED: Final = 2**63 - 1
BACKSTOP_S: Final = 0.15
"""Seconds after its time at which the clock stops a search whose budget is counted in nodes."""

_RANGES: Final = (
    ("time_ms", 1, MAX_TIME_MS),
    ("depth", 1, MAX_DEPTH),
    ("nodes", 1, MAX_NODES),
    ("level", 1, BEST_LEVEL),
    ("seed", -MAX_SEED - 1, MAX_SEED),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may spend.

    Attributes:
        time_ms: wall-clock budget in milliseconds, 1 to 3,600,000; None leaves only the others.
        depth: plies to look ahead, 1 to 400. 3×3 is always solved to the end by `auto`.
        nodes: nodes to visit at most. With `depth` or `nodes` in place of the time a search is
            reproducible.
        level: 1 (a child can beat it) to 10 (best play).
        seed: makes the levels below 10, and the search, reproducible.
        algorithm: one of `ALGORITHMS`.
        deadline: `time.monotonic()` seconds at which the answer is due; it bounds `time_ms`, for
            a caller whose clock started earlier. The only clock of a textbook search, which has
            no answer before its end.
        reproducible: count the budget in nodes, so that the clock is only a backstop and equal
            requests get equal answers. A seed implies it.

    Raises:
        InvalidLimits: a value out of range; `field` names it.
    """

    time_ms: int | None = DEFAULT_TIME_MS
    depth: int | None = None
    nodes: int | None = None
    level: int = BEST_LEVEL
    seed: int | None = None
    algorithm: str = "auto"
    deadline: float | None = None
    reproducible: bool = False

    def __post_init__(self) -> None:
        for name, least, most in _RANGES:
            value = getattr(self, name)
            if value is not None and not (is_integer(value) and least <= value <= most):
                raise InvalidLimits(f"{name} must be an integer from {least} to {most}", name)
        if self.algorithm not in ALGORITHMS:
            raise InvalidLimits(f"algorithm must be one of {', '.join(ALGORITHMS)}", "algorithm")

    def due(self) -> float | None:
        """`time.monotonic()` seconds at which a search that starts now must have answered."""
        if self.time_ms is None:
            return self.deadline
        due = time.monotonic() + self.time_ms / 1000
        due = due if self.deadline is None else min(due, self.deadline)
        # Counted in nodes, a small budget must not be cut short by a busy machine.
        return due + BACKSTOP_S if self.reproducible or self.seed is not None else due
