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
    (Rules(15, 15, 5), 1000, 0, ((10, 0.009), (39, 0.0523), (89, 0.0835), (159, 0.1512), (238,
        0.2147), (319, 0.2636), (403, 0.3349), (501, 0.4253), (626, 0.5503), (792, 0.7007), (1035,
        0.7936), (1422, 0.9014), (2040, 0.9931), (18444, 1.0))),
    (Rules(15, 15, 5), 20000, 0, ((9, 0.0215), (37, 0.046), (90, 0.1291), (157, 0.1395), (237,
        0.4356), (322, 0.4471), (399, 0.5134), (500, 0.6412), (622, 0.7727), (799, 0.8882), (1030,
        0.9664), (5338, 1.0))),
    (Rules(15, 15, 5, overline=False), 1000, 0, ((10, 0.0116), (40, 0.0369), (89, 0.1143), (158,
        0.1683), (239, 0.2297), (317, 0.3217), (402, 0.3892), (501, 0.4888), (625, 0.5979), (790,
        0.7092), (1032, 0.8196), (1419, 0.9052), (3699, 0.9498))),
    (Rules(15, 15, 5, overline=False), 20000, 0, ((10, 0.002), (39, 0.1199), (88, 0.1949), (160,
        0.2953), (237, 0.5014), (318, 0.5669), (404, 0.604), (500, 0.8051), (627, 0.9136), (796,
        0.9818), (1030, 0.9838), (6157, 1.0))),
    (Rules(20, 20, 5), 1000, 0, ((10, 0.002), (40, 0.0528), (89, 0.1108), (159, 0.1591), (239,
        0.198), (318, 0.2787), (403, 0.369), (502, 0.4567), (626, 0.5869), (795, 0.686), (1034,
        0.7649), (1430, 0.917), (2079, 0.9908), (14786, 1.0))),
    (Rules(20, 20, 5), 20000, 0, ((9, 0.002), (68, 0.1209), (161, 0.1711), (239, 0.3161), (317,
        0.5), (405, 0.7007), (507, 0.7519), (626, 0.848), (787, 0.9292), (1037, 0.9902), (2559,
        1.0))),
    (Rules(6, 6, 4, misere=True), 1000, 80, ((10, 0.002), (39, 0.1555), (86, 0.3272), (157,
        0.5418), (237, 0.672), (317, 0.7584), (402, 0.8168), (502, 0.8806), (622, 0.9325), (782,
        0.9647), (1008, 0.9908), (18320, 1.0))),
    (Rules(6, 6, 4, misere=True), 20000, 0, ((11, 0.0654), (41, 0.152), (88, 0.4133), (159,
        0.5552), (237, 0.6939), (316, 0.8366), (403, 0.8901), (497, 0.9385), (620, 0.9854), (801,
        0.9874), (16137, 1.0))),
    (Rules(6, 7, 4, gravity=True, misere=True), 1000, -320, ((10, 0.002), (40, 0.0841), (90,
        0.1088), (162, 0.2168), (242, 0.335), (320, 0.4428), (407, 0.5812), (504, 0.7169), (624,
        0.8178), (787, 0.8563), (1006, 0.9051), (1348, 0.9175), (20116, 0.9994))),
    (Rules(6, 7, 4, gravity=True, misere=True), 20000, -360, ((9, 0.002), (40, 0.076), (91,
        0.2165), (161, 0.2763), (244, 0.4958), (321, 0.6411), (451, 0.7711), (625, 0.779), (783,
        0.7853), (1011, 0.9188), (19615, 1.0))),
    (Rules(7, 7, 4), 1000, 0, ((27, 0.002), (154, 0.1212), (354, 0.1333), (578, 0.1803), (785,
        0.4884), (1068, 0.6), (1431, 0.8353), (2129, 0.9259), (19986, 1.0))),
    (Rules(7, 7, 4), 20000, 0, ((63, 0.3333), (525, 0.6522), (1069, 0.7778), (8193, 1.0))),
    (Rules(8, 9, 4, gravity=True), 1000, 0, ((12, 0.002), (71, 0.0349), (159, 0.1014), (240,
        0.134), (319, 0.2096), (406, 0.3111), (633, 0.3679), (1020, 0.3707), (1410, 0.5714), (1919,
        0.6923), (19996, 1.0))),
    (Rules(8, 9, 4, gravity=True), 20000, 0, ((12, 0.002), (74, 0.004), (197, 0.0764), (317,
        0.2934), (408, 0.3237), (506, 0.3824), (623, 0.519), (929, 0.6524), (19941, 1.0))),
    (Rules(9, 9, 5), 1000, 0, ((10, 0.002), (38, 0.0059), (86, 0.0194), (155, 0.058), (237,
        0.1422), (316, 0.258), (401, 0.3738), (501, 0.5177), (620, 0.5777), (783, 0.7435), (1017,
        0.879), (1367, 0.9059), (16957, 1.0))),
    (Rules(9, 9, 5), 20000, 0, ((27, 0.002), (86, 0.015), (156, 0.0551), (236, 0.1343), (317,
        0.3107), (401, 0.5522), (501, 0.7565), (630, 0.9245), (778, 0.9612), (1123, 0.9837),
        (18176, 1.0))),
    (Rules(9, 9, 4, misere=True), 1000, 0, ((11, 0.002), (40, 0.1329), (88, 0.2701), (160, 0.3956),
        (238, 0.5492), (318, 0.6325), (404, 0.7237), (502, 0.8041), (624, 0.8515), (790, 0.8969),
        (1028, 0.9555), (1420, 0.9838), (2082, 0.9969), (19912, 1.0))),
    (Rules(9, 9, 4, misere=True), 20000, 0, ((10, 0.002), (40, 0.115), (89, 0.2142), (159, 0.3698),
        (239, 0.6156), (319, 0.6906), (402, 0.7752), (503, 0.8041), (624, 0.8875), (788, 0.8955),
        (1026, 0.9493), (1408, 0.9875), (18455, 1.0))),
    (Rules(9, 9, 5, gravity=True), 1000, 0, ((9, 0.048), (54, 0.1381), (153, 0.2136), (245,
        0.2681), (405, 0.4657), (19824, 1.0))),
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
