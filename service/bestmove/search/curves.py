"""The curves that turn estimates into expected results.

`python -m benchmarks.engine.calibrate --fit` lets the engine play games against itself, and fits
the curves to the results, and writes them into curves.json. So an expected result is what equal
players score on average.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from bestmove.game import Rules
from bestmove.search import packed
from bestmove.search.scores import MAX_ESTIMATE

Points = tuple[tuple[int, float], ...]


class Curve(NamedTuple):
    """A curve from estimates to expected results.

    Attributes:
        points: (estimate, expected result). Straight lines join the points, beginning at (0, 0).
            The result of -v is minus the result of v.
        lead: added to every estimate for X. X's and O's chances differ in some games, because the
            search does not see who runs out of harmless moves first.
    """

    points: Points
    lead: int = 0


FEW: Final = 1_000
"""curves.json has curves for searches of this many nodes, and of 20,000 nodes."""

_LEAST: Final = 0.0001
"""The smallest expected result of a positive estimate. Rounding must not make the result 0."""

_HIGH: Final = 0.9
"""Results from `_HIGH` to 1 are compressed into the range from `_HIGH` to `MOST`."""

MOST: Final = 0.96
"""The largest expected result of an estimate. It means 98 wins and two losses in 100 games."""


@cache
def fitted() -> tuple[tuple[Rules, int, Curve], ...]:
    """Return the curves of curves.json, each with the rules and the nodes per search of its games.

    In the file, `values` has the estimates of a curve's points, and `results` the expected results.
    """
    return tuple(
        (
            Rules(**each["rules"]),
            each["nodes"],
            Curve(tuple(zip(each["values"], each["results"], strict=True)), each["lead"]),
        )
        for each in packed.tables(__file__)
    )


@lru_cache(256)
def curve_of(rules: Rules, nodes: int) -> Curve:
    """Return the curve fitted for the most similar game and the nearest number of nodes.

    A game that was not fitted has no lead: the lead depends on the size of the board.
    """

    def unlike(known: tuple[Rules, int, Curve]) -> tuple[int, float, float]:
        other, budget, _ = known
        switches = len(set(rules.changed.items()) ^ set(other.changed.items()))
        size = abs(math.log(rules.size / other.size)) + abs(rules.k - other.k)
        return switches, size, abs(math.log(max(1, nodes) / budget))

    other, _, curve = min(fitted(), key=unlike)
    return curve if other == rules else Curve(curve.points)


def expected_result(value: int, curve: Curve) -> float:
    """Convert an estimate for X to X's expected result, from -1 to 1, rounded to four places."""
    value += curve.lead
    points, size = curve.points, min(abs(value), MAX_ESTIMATE)
    at = bisect_right(points, size, key=itemgetter(0))
    low, below = points[at - 1] if at else (0, 0.0)
    high, above = points[at] if at < len(points) else (MAX_ESTIMATE, max(1.0, below))
    share = (size - low) / (high - low) if high > low else 1.0
    result = below + share * (above - below)
    if result > _HIGH:
        result = _HIGH + (min(1.0, result) - _HIGH) * (MOST - _HIGH) / (1 - _HIGH)
    result = max(_LEAST, round(result, 4))
    return math.copysign(result, value) if value else 0.0
