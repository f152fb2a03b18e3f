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
MAX_LINES: Final = 20
MAX_SEED: Final = 2**63 - 1
MAX_THREADS: Final = 64
"""Each helper takes some 2 MB, and the more there are, the less one more brings."""

_RANGES: Final = (
    ("time_ms", 1, MAX_TIME_MS),
    ("depth", 1, MAX_DEPTH),
    ("nodes", 1, MAX_NODES),
    ("engine_nodes", 1, MAX_NODES),
    ("level", 1, BEST_LEVEL),
    ("lines", 1, MAX_LINES),
    ("seed", -MAX_SEED - 1, MAX_SEED),
    ("threads", 1, MAX_THREADS),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may spend.

    Attributes:
        time_ms: wall-clock budget in milliseconds, 1 to 3,600,000; None leaves only the others.
        depth: plies to look ahead, 1 to 400. 3×3 is always solved to the end by `auto`.
        nodes: what the search is worth, counted in nodes: no clock but `deadline` has a say, so
            that equal searches find equal answers. Tables and books answer, provers have their
            share. Beyond it only the line of a proven result is visited, and on small boards and
            where marks fall what the prover's share was.
        level: 1 (a child can beat it) to 10 (best play).
        seed: makes the levels below 10, and the search, reproducible.
        algorithm: one of `ALGORITHMS`.
        deadline: `time.monotonic()` seconds at which the answer is due at the latest. Of a
            repeatable search this is the only clock, and of a textbook search, which has no
            answer before its end.
        lines: moves that an analysis searches as it would the best one, 1 to 20, the others less;
            None searches all alike.
        in_game: whether the search may use what earlier ones of this process found, as those of
            the same game, and all of its time: stronger, but the answer depends on them. No seed,
            depth or nodes allow it.
        reproducible: whether equal requests must get equal answers; a seed, a depth or nodes imply
            it.
        threads: processors for one search for the best move at level 10, 1 to 64: stronger, but no
            answer can be repeated, and `engine_nodes` are those of one thread. Where the solver, a
            table, a textbook search or the engines for gravity and misère answer, and in pure
            Python, one is used. None is one, and the answer does not name it.
        engine_nodes: nodes that each searcher visits at most, for searches that are to be weak, as
            a level's, or brief: no book of gomoku answers and nothing is proven where marks fall;
            with a `depth` nothing is proven at all.

    Raises:
        InvalidLimits: a value out of range, or threads with what is to be repeatable; `field`
            names it.
    """

    time_ms: int | None = DEFAULT_TIME_MS
    depth: int | None = None
    nodes: int | None = None
    level: int = BEST_LEVEL
    seed: int | None = None
    algorithm: str = "auto"
    deadline: float | None = None
    reproducible: bool = False
    lines: int | None = None
    in_game: bool = False
    threads: int | None = None
    engine_nodes: int | None = None

    def __post_init__(self) -> None:
        for name, least, most in _RANGES:
            value = getattr(self, name)
            if value is not None and not (is_integer(value) and least <= value <= most):
                raise InvalidLimits(f"{name} must be an integer from {least} to {most}", name)
        if self.algorithm not in ALGORITHMS:
            raise InvalidLimits(f"algorithm must be one of {', '.join(ALGORITHMS)}", "algorithm")
        if self.threads is not None and self.threads > 1 and self.is_repeatable:
            named = (name for name in ("seed", "depth", "nodes") if getattr(self, name) is not None)
            promise = next(named, "reproducible")
            raise InvalidLimits(
                f"threads above 1 may find another answer the next time, and {promise} promises "
                "the same: leave one of them out",
                "threads",
            )

    @property
    def is_repeatable(self) -> bool:
        """Whether the search is bounded by counts alone: `time_ms` stands for so many nodes, where
        `nodes` does not say how many."""
        counted = self.nodes is not None or self.depth is not None
        return self.reproducible or self.seed is not None or counted

    def due(self) -> float | None:
        """`time.monotonic()` seconds at which a search that starts now must have answered."""
        if self.time_ms is None or self.is_repeatable:
            return self.deadline
        due = time.monotonic() + self.time_ms / 1000
        return due if self.deadline is None else min(due, self.deadline)

    def is_cut_short(self) -> bool:
        """Whether a repeatable search that ends now may owe its answer to the clock."""
        deadline = self.deadline if self.is_repeatable else None
        return deadline is not None and time.monotonic() >= deadline
