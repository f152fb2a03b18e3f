"""The engine's values, and every margin, reduction and budget of its search.

Numbers without a source were set by hand, and tested in games of the engine against itself at equal
nodes. The numbers of the evaluation are fitted: see `weights`. Units:

- depths: plies left to search
- values and margins: 256 units add 1 to the natural logarithm of the odds
- budgets: nodes
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES, WIN

# Values: see `scores` for the convention.
PROVEN: Final = WIN - MAX_PLIES
"""A value of PROVEN or more is a proven win: every defence was tried."""

PRESUMED: Final = MAX_ESTIMATE
"""PRESUMED - n is a presumed win in n plies: only defences near the marks were tried."""

CERTAIN: Final = 19_000
"""A value above CERTAIN is a win, proven or presumed. A value below -CERTAIN is a loss. CERTAIN is
below PRESUMED - MAX_PLIES, the slowest presumed win."""

WON: Final = CERTAIN + 1

MAX_EVALUATION: Final = 15_000

UNKNOWN: Final = 32_000
"""A number above every value. It means "no value" or, as the bound of a window, infinity."""

# Principal variation search.
DEEPEST: Final = 99

DRAFT_OFFSET: Final = 8
"""Added to each depth in the table, which cannot store negative numbers. A forced move after a null
move may have a negative depth."""

REVERSE_FUTILITY_DEPTH: Final = 8
FUTILITY_DEPTH: Final = 3
IMPROVEMENT: Final = 40
"""Subtracted from the margin of reverse futility at an improving node. (*Improving*: the evaluation
is higher than at the side's last turn.)"""

FEWER_MOVES: Final = 35
"""At a node that is not improving, late-move pruning tries FEWER_MOVES percent fewer moves."""

INTERNAL_REDUCTION_DEPTH: Final = 4
"""The least depth for internal iterative reduction: see step 7 of `Search.pvs`."""

NULL_MOVE_DEPTH: Final = 3

LATE_MOVE_DEPTH: Final = 2
"""The least depth at which late moves are reduced."""

ROOT_LATE_MOVE_DEPTH: Final = 3
ROOT_FULL_MOVES: Final = 4
"""How many moves of the root are always searched to the full depth."""

FEW_DEFENCES: Final = 3
"""If at most this many moves prevent an open four, each is searched one ply deeper."""


def reverse_futility_margin(depth: int) -> int:
    """Return how far above beta an evaluation must be to end the search of its node."""
    return 40 * depth


def futility_margin(depth: int) -> int:
    """Return how far below alpha an evaluation must be to end the search of its node."""
    return 50 + 50 * depth


def null_move_depth(depth: int) -> int:
    return depth - 4 - depth // 4


def late_move_limit(depth: int) -> int:
    """Return how many moves to try at a node off the principal variation."""
    return 5 + 2 * depth + depth * depth // 5


def losing_move_limit(depth: int) -> int:
    """Return how many moves to try at a node as long as all tried moves lose."""
    return 12 + 2 * depth


@cache
def late_move_reduction(depth: int, number: int) -> int:
    """Return how many plies less deep to search move `number` of a node. The first move is 0.

    The product of two logarithms is the usual form in chess engines such as Stockfish.
    """
    return int(0.6 + math.log(depth) * math.log(number) / 1.5) if depth and number else 0


# Points that order the moves, in the units of `policy`: moves with more points come first.
OWN_URGENCY: Final = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
"""OWN_URGENCY[class]: in a search of fours, the points of a cell with this class for the mover."""

TABLE_MOVE_URGENCY: Final = 100_000
"""The points of the move from the table: more than all other points together."""

KILLER_URGENCY: Final = 40
COUNTERMOVE_URGENCY: Final = 30
REFUTATION_URGENCY: Final = 150
REFUTED_MOVES: Final = 3
"""If one of a node's first REFUTED_MOVES moves loses, each cell of the refuting variation gets
REFUTATION_URGENCY points."""

HISTORY_SHIFT: Final = 6
"""A move gets history / 2**HISTORY_SHIFT points."""

HISTORY_DECAY: Final = 13
"""Each update also subtracts history * bonus / 2**HISTORY_DECAY. So the history stays within
±2**HISTORY_DECAY."""


def history_bonus(depth: int) -> int:
    """Return what a cutoff adds to the history of the move that caused the cutoff, and subtracts
    from the history of each move tried earlier."""
    return min(800, 4 * depth * depth + 4)


# Threats.
NEXT_WIN: Final = 5
"""If the counts of threats show no win, a win takes at least this many plies."""

NEXT_LOSS: Final = 4
"""If the counts of threats show no loss, a loss takes at least this many plies."""

QUIESCENCE_NODES: Final = 60
"""The most nodes of each search of fours that the main search starts."""

QUIESCENCE_PLIES: Final = 40
VCF_PLIES: Final = 7
"""With fewer plies left than this, a search of fours checks only the counts of threats."""

THREE_PROOF: Final = 3
"""A three starts with this proof number. A four starts with 1, as it leaves only one answer."""

THRESHOLD_SHIFT: Final = 2
"""The proof-number search leaves a move when the move's proof number (for the defender: disproof
number) exceeds the second-lowest by a quarter (1 / 2**2). So the search switches less often
(Pawlewicz and Lew 2007: 1 + epsilon)."""

SETTLED_RANK: Final = 4
"""Added to the rank of a decided node, so that the table keeps the node longer: see `Table`."""

# The driver.
ROOT_VCF_NODES: Final = 20_000
ROOT_VCF_PLIES: Final = (8, 12, 16, 24, 40, 80, MAX_PLIES)
"""The engine looks for a win by fours in at most 8 plies, then in at most 12, and so on. So it
finds a short win first."""

ASPIRATION_DEPTH: Final = 4
ASPIRATION_WINDOW: Final = 40
"""The first window of an iteration is the previous iteration's value ± this margin."""

ASPIRATION_GROWTH: Final = 4
"""When the new value is outside the window, the margin grows by this factor."""

ASPIRATION_WIDEST: Final = 2_000
"""When the margin reaches this size, the bound that the new value has crossed becomes infinite."""

FORCED_DEPTH: Final = 4
"""If the root has only one move, the search ends when it has reached this depth and spent
FORCED_SHARE. It does not end sooner, because the answer states a value."""

FORCED_SHARE: Final = 0.25
"""The part of the time or nodes to spend on a forced move. With a smaller part, the engine misses
11 of 262 wins in games of Rapfi."""

REFUTATION_DEPTH: Final = 4
"""From this depth on, the engine checks whether threats refute the chosen move."""

COMPLETION_VCF_NODES: Final = 5_000
COMPLETION_VCF_PLIES: Final = 200
COMPLETION_THREAT_NODES: Final = 50_000
"""If the table lacks a proven win's next move, a search with these limits looks for the move."""

COMPLETION_NODES: Final = 100_000
"""The most nodes that a task takes to complete the variations of all its proven results."""

COMPLETION_SECONDS: Final = 0.01
"""The time that a search for a variation's next move gets, even at the deadline."""

COMPLETION_OVERTIME: Final = 0.01
"""The search for a variation's next move may go on for this many seconds after the deadline. The
contract allows an answer to be 20 ms late."""

NEXT_ITERATION: Final = 0.6
"""No iteration begins after this part of the time, except in a search with `Memory.GAME`. The
next iteration would probably end too late: it takes longer than all earlier ones together."""


# Budgets that grow with `nodes`, the number of nodes visited so far.


def threat_budget(nodes: int) -> int:
    """Return how many nodes a search for a win by threats at the root may visit."""
    return max(1_000, nodes >> 2)


def refutation_budget(nodes: int) -> int:
    """Return how many nodes a check for a refutation by threats may visit."""
    return max(1_000, nodes >> 3)


def proof_budget(nodes: int) -> int:
    """Return the most nodes to visit in order to play out a presumed win."""
    return max(10_000, nodes)


PROOF_POSITION_NODES: Final = 10
"""The time for playing out one position, in nodes. Searches of the position cost extra."""

PROOF_THREAT_NODES: Final = 300
"""The most nodes of each search for a win by threats, while a presumed win is played out."""

PROOF_DEPTHS: Final = (4, 6, 8)
"""The depths at which to search for a winner's move if no quicker way finds one."""

ADVICE_THREAT_NODES: Final = (2_000, 50_000)
"""For a certificate, the most nodes of the first and of the second search for a win by threats."""

ADVICE_NODES: Final = 3_000_000
"""If no threats win, a certificate's search of all moves may visit this many nodes."""

OPENING_NODES: Final = 20_000
"""The most nodes of the search that values an empty board; they take about 20 ms."""
