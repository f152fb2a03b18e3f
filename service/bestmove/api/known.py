"""Answers that need no second thought: 3×3 boards, by what was asked, word for word.

With best play 3×3 has a few thousand answers, and the same ones are asked for again and again.
A request that came before is recognised by its bytes, before it is parsed (`bestmove.api.lane`); a
board of a batch by its spelling and options. Only what passed every check gets in, so nothing is
answered so that the long way would refuse. The memories are bounded.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from bestmove.api import responses
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import BEST_LEVEL, Limits
from bestmove.search.results import SearchStats

MOST_REQUESTS: Final = 8192
MOST_BOARDS: Final = 8192
LONGEST: Final = 256
"""Bytes of a request that is worth remembering."""

SIZE: Final = "3x3"

_BEST_PLAY: Final = Limits(time_ms=None)
_ELAPSED: Final = ',"elapsed_ms":'

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Ready:
    """An answer of /best-move or /analyze to a 3×3 board, written out.

    Attributes:
        plain: the JSON object without `search`, as a GET answers it.
        opening: the JSON object with `search`, up to the value of its last field, `elapsed_ms`.
        stats: what the look-up cost.
    """

    plain: str
    opening: str
    stats: SearchStats

    def with_search(self, elapsed_ms: float) -> str:
        """The whole object, with `search` at its end."""
        return f"{self.opening}{elapsed_ms}}}}}"


class Memory(Generic[Key, Value]):
    """What was answered lately: a dictionary that forgets its oldest entry when it is full."""

    def __init__(self, most: int) -> None:
        self._entries: dict[Key, Value] = {}
        self._most = most
        self.get = self._entries.get

    def add(self, key: Key, value: Value) -> None:
        """Remember; safe from several threads."""
        entries = self._entries
        while len(entries) >= self._most:
            entries.pop(next(iter(entries)), None)
        entries[key] = value


def is_known(board: Board, limits: Limits) -> bool:
    """Whether the answer to this question can be written out: 3×3, best play, by look-up."""
    rules = board.rules
    return (
        rules.rows == rules.columns == 3
        and limits.level == BEST_LEVEL
        and analysis.is_cheap(board, limits)
    )


@lru_cache(MOST_BOARDS)
def ready(board: Board) -> Ready:
    """The answer of /best-move for a board for which `is_known` holds."""
    found = analysis.best_move(board, _BEST_PLAY)
    return _written(responses.best_move(board, found), found.search)


@lru_cache(MOST_BOARDS)
def ready_analysis(board: Board) -> Ready:
    """The answer of /analyze for a board for which `is_known` holds."""
    found = analysis.analyze(board, _BEST_PLAY)
    return _written(responses.analysis(board, found), found.search)


def _written(answer: dict[str, Any], stats: SearchStats) -> Ready:
    plain = responses.text(answer)
    opening, _, _ = responses.text(answer | {"search": responses.search(stats)}).rpartition(
        _ELAPSED
    )
    return Ready(plain, opening + _ELAPSED, stats)
