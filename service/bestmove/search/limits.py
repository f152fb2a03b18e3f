"""What a search may spend, and the allowed ranges."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from bestmove.errors import InvalidLimits
from bestmove.game.inputs import CHOICES, RANGES, require_in_range
from bestmove.search.common import clock

TEXTBOOK: Final = tuple(name for name in CHOICES["algorithm"] if name != "auto")
"""The textbook searches."""

DEFAULT_TIME_MS: Final = 1000
BEST_LEVEL: Final = RANGES["level"][1]
MAX_TIME_MS: Final = RANGES["time_ms"][1]
MAX_DEPTH: Final = RANGES["depth"][1]
MAX_NODES: Final = RANGES["nodes"][1]
MAX_LINES: Final = RANGES["lines"][1]
MAX_THREADS: Final = RANGES["threads"][1]
"""The most threads for a search. Each further thread takes about 2 MB, and helps less."""

RATES: Final[Mapping[str, int]] = {
    "drops-of-four": 6_000,
    "drops": 2_500,
    "solver": 700,
    "gomoku": 1_000,
    "gomoku-long": 150,
    "general-small": 750,
    "general-medium": 220,
    "general-large": 50,
}
"""How many nodes each kind of compiled search visits in a millisecond on a modest processor. Every
repeatable search, compiled or not, converts `time_ms` to nodes at this rate. Each rate is about two
thirds of the lowest that `benchmarks/engine/repeatable.py --rates` measures. docs/algorithms.md
says where each rate applies."""

NODES_PER_MS: Final = 100
"""The nodes per millisecond that two conversions assume for every engine. Levels below 10 convert
`time_ms` to nodes. Proofs convert a budget of `nodes` to time."""

SLOWEST: Final = 10
LAST_RESORT_MS: Final = 10_000
"""If the engines are not compiled, a repeatable search without a deadline stops after `SLOWEST`
times its `time_ms`, but not before `LAST_RESORT_MS`. Its answer then says that it timed out."""


@dataclass(frozen=True, slots=True)
class Option:
    """How a program or a person gives a field of `Limits`.

    Attributes:
        least, most: the range of an integer.
        choices: the values of a text; none for an integer.
        words: what the field means, for the API's document, the command and assistants.
        doors: the paths of the service and the commands that take the field.
        default: the value of a field that is not given.
    """

    least: int
    most: int
    choices: tuple[str, ...]
    words: str
    doors: frozenset[str]
    default: Any


_SERVICE: Final = "/best-move /best-moves /analyze "


def _option(words: str, doors: str, default: Any = None) -> Any:
    """Return a dataclass field that carries what its `Option` says."""
    about = {"words": words, "doors": frozenset(doors.split()), "default": default}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may spend.

    Attributes:
        time_ms: wall-clock budget in milliseconds, 1 to 3,600,000; None means no such limit.
        depth: plies to look ahead, 1 to 400. `auto` always solves 3×3 to the end.
        nodes: the budget in nodes instead of time, so that equal searches find equal answers. A
            server limits the time as well. Tables and books answer with any budget. The search
            for `pv`, and proofs on small boards and with gravity, may exceed the budget.
        level: 1 (a child can beat it) to 10 (best play).
        seed: makes the search, and the choices of levels below 10, reproducible. Several moves may
            be proven equally good. At level 10, on boards of up to 20 cells and in Connect Four,
            the seed chooses one of these moves. Without a seed, the move of lowest index is chosen.
        algorithm: one of `CHOICES["algorithm"]`. `auto` chooses the strongest engine for the board;
            the others are textbook searches.
        evaluation: one of `CHOICES["evaluation"]`, which docs/algorithms.md describes; with the
            algorithm `auto` only `bare`.
        lines: how many moves an analysis searches as thoroughly as the best move, 1 to 20; the
            other moves are searched less. With None, all are searched to the same depth.
        reproducible: whether equal requests must get equal answers; a seed, a depth or nodes imply
            it.
        threads: threads for the best move at level 10, 1 to 64. More threads play better, but the
            answer may differ the next time. Only gomoku's compiled engine uses more than one
            thread. None means one thread, and the answer has no `threads`.
        pv: whether to search for the principal variation of a proven result; in Connect Four that
            takes a separate search. If false, the answer's `pv` may have only the best move.

    Raises:
        InvalidLimits: a value is not allowed, or a reproducible search has several threads. The
            error's `field` names the argument.
    """

    time_ms: int | None = _option(
        "Milliseconds for the search.",
        _SERVICE + "suggest play analyze prove label mcp",
        DEFAULT_TIME_MS,
    )
    depth: int | None = _option(
        "Plies to look ahead: the moves of both sides count.",
        _SERVICE + "suggest play analyze label",
    )
    nodes: int | None = _option(
        "Search this many nodes, however long that takes: the answer is then the same every time.",
        "suggest analyze label",
    )
    level: int = _option(
        "1 (a child can beat it) to 10 (best play).",
        _SERVICE + "suggest play gomocup mcp",
        BEST_LEVEL,
    )
    seed: int | None = _option(
        "Equal questions with equal seeds get equal answers.",
        _SERVICE + "suggest play gomocup",
    )
    algorithm: str = _option(
        "The search: auto, the default, is the strongest for the board; the others are textbook "
        "searches.",
        _SERVICE + "suggest play",
        "auto",
    )
    reproducible: bool = False
    lines: int | None = _option(
        "Search this many of the best moves deeper than the others; by default all alike.",
        "/analyze analyze",
    )
    threads: int | None = _option(
        "Search with at most this many processors, by default one. The answer may then differ "
        "each time: not with a seed, a depth or nodes.",
        "/best-move suggest play analyze",
    )
    evaluation: str = _option(
        "How a textbook search values positions.",
        _SERVICE + "suggest play",
        "bare",
    )
    pv: bool = True

    def __post_init__(self) -> None:
        require_in_range({name: getattr(self, name) for name in OPTIONS})
        if self.evaluation != "bare" and self.algorithm == "auto":
            raise InvalidLimits(
                f'the evaluation "{self.evaluation}" needs a textbook algorithm, such as "minimax"',
                "evaluation",
            )
        if self.threads is not None and self.threads > 1 and self.is_repeatable:
            named = (name for name in ("seed", "depth", "nodes") if getattr(self, name) is not None)
            promise = next(named, "reproducible")
            raise InvalidLimits(
                f"with threads above 1 the answer may differ the next time, but {promise} promises "
                "the same answer: leave one of them out",
                "threads",
            )

    @property
    def is_repeatable(self) -> bool:
        """True if equal searches must find equal answers: nodes or plies are counted, not time."""
        counted = self.nodes is not None or self.depth is not None
        return self.reproducible or self.seed is not None or counted


OPTIONS: Final[Mapping[str, Option]] = {
    each.name: Option(*RANGES.get(each.name, (1, 1)), CHOICES.get(each.name, ()), **each.metadata)
    for each in fields(Limits)
    if each.metadata
}
"""The options of a search: the fields of `Limits` that more than the Python library takes."""


@dataclass(frozen=True, slots=True)
class SearchLimits(Limits):
    """`Limits`, with more fields for the package's own use.

    Attributes:
        deadline: the latest time for the answer, in `time.monotonic()` seconds. Repeatable and
            textbook searches have no other time limit. A textbook search that reaches the deadline
            has no answer.
        in_game: whether the search uses all of its time and begins with what earlier searches of
            the same game in this process found. Such a search plays better, but its answer depends
            on the earlier searches. `in_game` has no effect with a seed, a depth or nodes.
        engine_nodes: a node limit for each engine and each thread, for searches that should be weak
            or brief, such as searches of levels below 10. With gravity or a `depth`, the
            prover then searches only in Connect Four's book.
    """

    deadline: float | None = None
    in_game: bool = False
    engine_nodes: int | None = None

    @classmethod
    def of(cls, limits: Limits, options: Mapping[str, object] | None = None) -> SearchLimits:
        """Return the same limits as `SearchLimits`.

        Raises:
            TypeError: `limits` is no `Limits`, or the caller was given options instead.
        """
        if options:
            given = ", ".join(f"{name}={value!r}" for name, value in options.items())
            raise TypeError(f"the options of a search are fields of Limits: limits=Limits({given})")
        if isinstance(limits, SearchLimits):
            return limits
        if not isinstance(limits, Limits):
            raise TypeError(f"limits must be a Limits, such as Limits(level=3), not {limits!r}")
        return cls(**{each.name: getattr(limits, each.name) for each in fields(limits)})

    def begun(self) -> SearchLimits:
        """Return these limits with the deadline of a search that begins now.

        So `time_ms` includes the time that the engine takes to start.
        """
        time_ms = self.time_ms
        if self.algorithm != "auto" or time_ms is None or self.nodes is not None:
            return self
        if self.is_repeatable:
            if clock.compiled or self.deadline is not None:
                return self
            time_ms = max(SLOWEST * time_ms, LAST_RESORT_MS)
        due = time.monotonic() + time_ms / 1000
        if self.deadline is not None and self.deadline <= due:
            return self
        return replace(self, deadline=due)

    def due(self) -> float | None:
        """Return the time by which a search that starts now must answer, in `time.monotonic()`
        seconds; None if there is no such limit."""
        if self.time_ms is None or self.is_repeatable:
            return self.deadline
        due = time.monotonic() + self.time_ms / 1000
        return due if self.deadline is None else min(due, self.deadline)

    def is_cut_short(self) -> bool:
        """Return True right after a repeatable search that the deadline may have cut short."""
        is_late = self.deadline is not None and time.monotonic() >= self.deadline
        return is_late and self.is_repeatable
