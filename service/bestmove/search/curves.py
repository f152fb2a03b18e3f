"""The curves that turn estimates into expected results.

`python -m benchmarks.engine.calibrate --fit` lets the engine play games against itself, and fits
the curves to the results. So an expected result is what equal players score on average.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from bestmove.game import Rules
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


EDGES: Final = (20, 60, 120, 200, 280, 360, 450, 560, 700, 900, 1200, 1800, 3000, 9000, 19_000)
"""The ends of intervals of estimates. The fit averages the results in each interval."""

FEW: Final = 1_000
"""`CURVES` has curves for searches of this many nodes, and of 20,000 nodes."""

_LEAST: Final = 0.0001
"""The smallest expected result of a positive estimate. Rounding must not make the result 0."""

_HIGH: Final = 0.9
"""Results from `_HIGH` to 1 are compressed into the range from `_HIGH` to `MOST`."""

MOST: Final = 0.96
"""The largest expected result of an estimate. It means 98 wins and two losses in 100 games."""

# fmt: off
CURVES: Final[tuple[tuple[Rules, int, int, Points], ...]] = (
    (Rules(15, 15, 5), 1000, 0, ((26, 0.0119), (89, 0.0539), (158, 0.0795), (238, 0.2126), (317,
        0.2998), (449, 0.3448), (624, 0.46), (794, 0.6225), (1029, 0.7336), (1405, 0.8662), (1978,
        0.913), (19988, 1.0))),
    (Rules(15, 15, 5), 20000, 0, ((9, 0.0215), (37, 0.046), (90, 0.1291), (157, 0.1395), (237,
        0.4356), (322, 0.4471), (399, 0.5134), (500, 0.6412), (622, 0.7727), (799, 0.8882), (1030,
        0.9664), (5338, 1.0))),
    (Rules(15, 15, 5, overline=False), 1000, 0, ((9, 0.002), (65, 0.042), (158, 0.1061), (239,
        0.1374), (318, 0.243), (402, 0.2906), (502, 0.3746), (623, 0.4534), (785, 0.5359), (1028,
        0.7435), (1424, 0.8547), (5876, 1.0))),
    (Rules(15, 15, 5, overline=False), 20000, 0, ((9, 0.0087), (37, 0.1939), (89, 0.208), (162,
        0.4053), (239, 0.6379), (361, 0.6833), (497, 0.7273), (625, 0.8397), (797, 0.9716), (5601,
        1.0))),
    (Rules(20, 20, 5), 1000, 0, ((10, 0.002), (70, 0.0078), (160, 0.0894), (238, 0.1633), (318,
        0.3362), (404, 0.4502), (501, 0.4963), (623, 0.5216), (797, 0.6742), (1037, 0.7649), (1438,
        0.8968), (2019, 0.9789), (19985, 1.0))),
    (Rules(20, 20, 5), 20000, 0, ((30, 0.0325), (89, 0.1701), (160, 0.1781), (240, 0.2908), (365,
        0.4458), (497, 0.578), (626, 0.8594), (793, 0.9752), (2177, 1.0))),
    (Rules(6, 6, 4, misere=True), 1000, 0, ((11, 0.0554), (41, 0.1429), (89, 0.3077), (158, 0.4852),
        (238, 0.6464), (316, 0.7088), (402, 0.7827), (502, 0.8901), (625, 0.9095), (783, 0.9651),
        (1017, 0.9931), (17096, 1.0))),
    (Rules(6, 6, 4, misere=True), 20000, 0, ((11, 0.0654), (41, 0.152), (88, 0.4133), (159, 0.5552),
        (237, 0.6939), (316, 0.8366), (403, 0.8901), (497, 0.9385), (620, 0.9854), (801, 0.9874),
        (16137, 1.0))),
    (Rules(6, 7, 4, gravity=True, misere=True), 1000, 0, ((10, 0.0639), (40, 0.0837), (87, 0.1996),
        (158, 0.3137), (239, 0.4893), (317, 0.6194), (401, 0.6655), (501, 0.7209), (625, 0.7827),
        (785, 0.8283), (1017, 0.9051), (1334, 0.963), (20000, 1.0))),
    (Rules(6, 7, 4, gravity=True, misere=True), 20000, 0, ((10, 0.002), (40, 0.0543), (87, 0.0686),
        (158, 0.348), (241, 0.5172), (384, 0.601), (614, 0.7391), (832, 0.8571), (19924, 1.0))),
    (Rules(7, 7, 4), 1000, 0, ((27, 0.002), (154, 0.1212), (354, 0.1333), (578, 0.1803), (785,
        0.4884), (1068, 0.6), (1431, 0.8353), (2129, 0.9259), (19986, 1.0))),
    (Rules(7, 7, 4), 20000, 0, ((63, 0.3333), (525, 0.6522), (1069, 0.7778), (8193, 1.0))),
    (Rules(8, 9, 4, gravity=True), 1000, 0, ((12, 0.002), (71, 0.0349), (159, 0.1014), (240, 0.134),
        (319, 0.2096), (406, 0.3111), (633, 0.3679), (1020, 0.3707), (1410, 0.5714), (1919,
        0.6923), (19996, 1.0))),
    (Rules(8, 9, 4, gravity=True), 20000, 0, ((12, 0.002), (74, 0.004), (197, 0.0764), (317, 0.2934),
        (408, 0.3237), (506, 0.3824), (623, 0.519), (929, 0.6524), (19941, 1.0))),
    (Rules(9, 9, 5), 1000, 0, ((7, 0.002), (35, 0.0046), (85, 0.0066), (155, 0.0473), (236, 0.1136),
        (317, 0.2114), (402, 0.3275), (497, 0.5896), (624, 0.6831), (775, 0.795), (1022, 0.908),
        (1307, 0.9231), (10917, 1.0))),
    (Rules(9, 9, 5), 20000, 0, ((16, 0.002), (85, 0.004), (152, 0.0491), (231, 0.1908), (311, 0.3553),
        (402, 0.5231), (510, 0.8136), (631, 0.8194), (798, 0.9048), (5962, 1.0))),
    (Rules(9, 9, 4, misere=True), 1000, 0, ((10, 0.0238), (40, 0.164), (88, 0.2694), (159, 0.3582),
        (238, 0.5021), (319, 0.6623), (402, 0.7763), (503, 0.8033), (625, 0.8707), (786, 0.8824),
        (1024, 0.9303), (1418, 0.9827), (2073, 0.9857), (19947, 1.0))),
    (Rules(9, 9, 4, misere=True), 20000, 0, ((11, 0.002), (40, 0.1519), (88, 0.2325), (159, 0.4158),
        (240, 0.5834), (356, 0.7134), (557, 0.7728), (795, 0.9136), (1032, 0.9539), (1416, 0.9899),
        (18451, 1.0))),
    (Rules(9, 9, 5, gravity=True), 1000, 0, ((9, 0.048), (54, 0.1381), (153, 0.2136), (245, 0.2681),
        (405, 0.4657), (19824, 1.0))),
    (Rules(9, 9, 5, gravity=True), 20000, 0, ((9, 0.002), (40, 0.0139), (85, 0.106), (152, 0.125),
        (237, 0.1417), (314, 0.2523), (392, 0.3462), (497, 0.6364), (18733, 1.0))),
)
# fmt: on
"""Each item has the rules of the games, the nodes per search, the lead and the points."""


@lru_cache(256)
def curve_of(rules: Rules, nodes: int) -> Curve:
    """Return the curve fitted for the most similar game and the nearest number of nodes.

    A game that was not fitted has no lead: the lead depends on the size of the board.
    """

    def unlike(fitted: tuple[Rules, int, int, Points]) -> tuple[int, float, float]:
        other, budget, *_ = fitted
        switches = len(set(rules.changed.items()) ^ set(other.changed.items()))
        size = abs(math.log(rules.size / other.size)) + abs(rules.k - other.k)
        return switches, size, abs(math.log(max(1, nodes) / budget))

    other, _, lead, points = min(CURVES, key=unlike)
    return Curve(points, lead if other == rules else 0)


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
