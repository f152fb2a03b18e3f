"""The points of a cell decide when the search tries a move there.

The tables turn the classes of `patterns` into tenths of a point. The chance that a cell is the best
move grows exponentially with the cell's points (Coulom 2007, "Computing Elo ratings of move
patterns in the game of Go"). `benchmarks/engine/fit_policy.py` fits the points to moves that
searches chose, and writes the tables into this file.
"""

from __future__ import annotations

from array import array
from functools import cache
from typing import Final

from bestmove.search.engines.gomoku import patterns
from bestmove.search.engines.gomoku.weights import in_units

UNIT: Final = 40
"""A move with UNIT more points is e times as likely to be the best move. Killers, countermoves and
history earn points on the same scale. UNIT was chosen by test games."""

OWN_LINES: Final = (-283, -167, -88, -131, -28, 76, 114, 81, 101, 228, 252, -202, 0)
"""OWN_LINES, OWN_PAIRS and OWN_CELLS are for the mover's classes."""

OWN_PAIRS: Final = (
    (-153,),
    (-165, -179),
    (-166, -130, -122),
    (-123, -159, -93, -135),
    (-99, -131, -87, -98, -50),
    (-74, -102, -80, -61, -13, 36),
    (11, -29, 99, 33, 84, 136, 260),
    (-46, -54, 12, 0, 58, 116, 207, 105),
    (98, 56, 42, 107, 119, 131, 90, 30, 455),
    (225, 159, 288, 214, 198, 182, 132, 53, 126, -188),
    (164, 157, 246, 219, 262, 306, 255, 303, 260, 72, -119),
    (-182, -145, -158, -98, -99, -99, -70, -31, -5, -17, -1, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
)
"""OWN_PAIRS[larger class][smaller class]: the points for two lines with these classes."""

OWN_CELLS: Final = (112, -138, -168, -146, -130, 14, 234, 336, 171, 271, 295, -251, 0)

FOE_LINES: Final = (-265, -258, -202, -188, -192, -196, -76, -111, -43, 77, 95, 341, 754)
"""FOE_LINES, FOE_PAIRS and FOE_CELLS are for the opponent's classes. They reward a mark that takes
a good cell from the opponent."""

FOE_PAIRS: Final = (
    (-391,),
    (-300, -293),
    (-270, -224, -262),
    (-302, -309, -255, -314),
    (-236, -264, -234, -266, -202),
    (-170, -218, -213, -218, -154, -89),
    (-134, -194, -131, -194, -106, -17, 70),
    (-164, -180, -120, -137, -64, 10, 43, 45),
    (-28, -73, -79, -30, -26, -21, -2, 3, 162),
    (49, -24, 124, 87, 99, 112, 169, 63, 128, -60),
    (-14, -24, 76, 117, 171, 225, 252, 164, 305, 221, 275),
    (400, 220, 273, 381, 416, 452, 381, 309, 489, 174, 113, 126),
    (786, 708, 720, 740, 708, 676, 574, 598, 243, 144, 144, 0, 0),
)
FOE_CELLS: Final = (-189, -398, -355, -335, -342, -97, 5, 180, -7, 49, 351, 341, 754)

TOGETHER: Final = (
    (0, -1088, -1218, -215, -1320, -260, 142, 557, -806, -276, 397, 0, 742),
    (-1036, -644, -491, 10, -335, 137, 372, 534, -134, 155, 532, 0, 774),
    (-590, -373, -264, -66, -113, 164, 297, 325, -17, 133, 283, 0, 609),
    (-107, 109, 78, -4, 42, 89, 110, 55, -68, -1, 78, 0, 396),
    (-985, -378, -160, -19, -102, 121, 248, 328, -115, 80, 380, 0, 536),
    (-198, 398, 242, -20, 243, 100, -17, -184, 91, -74, -58, 0, 344),
    (597, 623, 455, 156, 351, 27, -156, -299, -19, -212, -287, 0, 168),
    (518, 815, 546, 137, 236, -225, -600, -482, -166, -526, 0, 0, 0),
    (-688, 115, 43, -168, -128, -116, -199, -370, -264, -289, -436, 0, 202),
    (113, 294, 152, -128, 95, -195, -393, -513, -332, -499, -110, 0, 96),
    (157, 262, -290, -67, -139, 123, -455, 0, -313, -363, 0, 0, 0),
    (-1, -74, -73, -33, -29, -32, -18, 0, -29, -5, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
)
"""TOGETHER[a][b]: the points for a cell of class a for the mover and class b for the opponent."""

TOGETHER_THREATENED: Final = (
    (0, -199, -290, -567, -357, -514, -717, -381, -211, 193, -93, 637, 898),
    (-175, -400, -530, -799, -630, -863, -1073, -964, 346, 364, 324, 633, 972),
    (-214, -600, -670, -835, -771, -964, -1081, -967, 386, 202, 86, 344, 777),
    (-406, -912, -867, -912, -985, -1119, -1140, -854, 81, -77, -405, -53, 456),
    (-266, -674, -734, -919, -786, -968, -1112, -820, 468, 329, 51, 355, 657),
    (-396, -920, -990, -1142, -1046, -1221, -1299, -934, 334, 22, -270, -8, 283),
    (-522, -1161, -1185, -1243, -1252, -1397, -1354, -846, -135, -299, -551, -532, 144),
    (-201, -1087, -1051, -851, -1039, -1026, -813, -235, -752, -547, 0, -796, 0),
    (459, 856, 744, 547, 620, 575, 460, 89, 509, 279, -146, -225, 238),
    (1132, 799, 611, 420, 595, 249, 147, 340, 359, -50, 52, -374, 112),
    (-38, -354, -24, -331, 159, -285, -77, 0, 159, 0, 0, -231, 0),
    (0, -12, -3, 0, -6, -1, 0, 0, 0, 0, 0, -27, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
)
"""Replaces TOGETHER if the opponent threatens an open four."""


WINS: Final = {patterns.CELL_OPEN_FOUR: 5_000, patterns.CELL_FIVE: 10_000}
"""Points, not tenths. Set by hand, to put a winning move before other moves."""


@cache
def own() -> array[int]:
    """Return the points for each combination of the mover's line classes."""
    return array(
        "i",
        [
            in_units(classes, OWN_LINES, OWN_PAIRS, OWN_CELLS)
            + WINS.get(patterns.cell_class(*classes), 0)
            for classes in patterns.COMBINATIONS
        ],
    )


@cache
def foe() -> array[int]:
    """Return the points for each combination of the opponent's line classes."""
    combinations = patterns.COMBINATIONS
    return array("i", [in_units(each, FOE_LINES, FOE_PAIRS, FOE_CELLS) for each in combinations])


@cache
def together() -> array[int]:
    """Return the points of TOGETHER, row by row, and then the points of TOGETHER_THREATENED."""
    rows = (*TOGETHER, *TOGETHER_THREATENED)
    return array("i", [(tenths + 5) // 10 for row in rows for tenths in row])
