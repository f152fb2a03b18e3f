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
"""The depth of the last iteration, if the task limits no depth."""

DRAFT_OFFSET: Final = 8
"""Added to each depth in the table, which cannot store negative numbers. A forced move after a null
move may have a negative depth."""

REVERSE_FUTILITY_DEPTH: Final = 8
FUTILITY_DEPTH: Final = 3
IMPROVEMENT: Final = 40
"""Subtracted from the margin of reverse futility if the node is *improving*: its evaluation is
higher than at the side's last move."""

FEWER_MOVES: Final = 35
"""Late-move pruning tries this many percent fewer moves at a node that is not improving."""

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
    """Return how many moves are tried at a node off the principal variation."""
    return 5 + 2 * depth + depth * depth // 5


def losing_move_limit(depth: int) -> int:
    """Return how many moves are tried while all of them lose to threats."""
    return 12 + 2 * depth


@cache
def late_move_reduction(depth: int, number: int) -> int:
    """Return by how many plies to reduce the depth of a node's move `number`, counted from 0.

    The product of two logarithms is the usual form in chess engines such as Stockfish.
    """
    return int(0.6 + math.log(depth) * math.log(number) / 1.5) if depth and number else 0


# Points that order the moves, in the units of `policy`: moves with more points come first.
OWN_URGENCY: Final = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
"""OWN_URGENCY[class]: the mover's points for a cell of this class in a search of fours."""

TABLE_MOVE_URGENCY: Final = 100_000
"""The points of the move from the table: more than all other points together."""

KILLER_URGENCY: Final = 40
COUNTERMOVE_URGENCY: Final = 30
REFUTATION_URGENCY: Final = 150
"""The points that each cell of a line gets if the line refutes a move of the node."""

REFUTED_MOVES: Final = 3
"""Only refutations of a node's first REFUTED_MOVES moves give points."""

HISTORY_SHIFT: Final = 6
"""A move gets its history, divided by 2**6, as points."""

HISTORY_DECAY: Final = 13
"""Each update also subtracts history * bonus / 2**13, which keeps the history within ±2**13."""


def history_bonus(depth: int) -> int:
    """Return what a cutoff adds to the history of the move that caused it. Each move tried before
    loses as much."""
    return min(800, 4 * depth * depth + 4)


# Threats.
NEXT_WIN: Final = 5
NEXT_LOSS: Final = 4
"""A win that the counts of threats do not show takes at least NEXT_WIN plies, a loss NEXT_LOSS."""

QUIESCENCE_NODES: Final = 60
"""The most nodes to look for a win by continuous fours at one node of the tree."""

QUIESCENCE_PLIES: Final = 40
VCF_PLIES: Final = 7
"""The fewest plies of a win that a search of fours looks for. Counts of threats show quicker
wins."""

THREE_PROOF: Final = 3
"""A three starts with this proof number. A four starts with 1: it leaves only one answer."""

THRESHOLD_SHIFT: Final = 2
"""The proof-number search leaves a move when the move's number exceeds the second-best number by a
quarter (1 / 2**2). So it switches less often: the 1 + epsilon trick of Pawlewicz and Lew (2007)."""

SETTLED_RANK: Final = 4
"""Added to the rank of a decided node, so that the table keeps the node longer: see `Table`."""

# The driver.
ROOT_VCF_NODES: Final = 20_000
ROOT_VCF_PLIES: Final = (8, 12, 16, 24, 40, 80, MAX_PLIES)
"""The engine looks for a win by fours in at most 8 plies, then in at most 12, and so on. So it
finds a short win first."""

ASPIRATION_DEPTH: Final = 4
ASPIRATION_WINDOW: Final = 40
"""The first window reaches this far below and above the last iteration's value. While the new value
is outside, this distance grows by the factor ASPIRATION_GROWTH. From ASPIRATION_WIDEST on, the
window has no bound on the side of the new value."""

ASPIRATION_GROWTH: Final = 4
ASPIRATION_WIDEST: Final = 2_000

FORCED_DEPTH: Final = 4
"""If the root has only one move, the search ends when it has reached this depth and used
FORCED_SHARE of its limits. It does not end sooner, because the answer states a value."""

FORCED_SHARE: Final = 0.25
"""The part of the time or nodes to spend on a forced move. With a smaller part, the engine misses
11 of 262 wins in games of Rapfi."""

REFUTATION_DEPTH: Final = 4
"""From this depth on, the engine checks whether threats refute the chosen move."""

COMPLETION_VCF_NODES: Final = 5_000
COMPLETION_VCF_PLIES: Final = 200
COMPLETION_THREAT_NODES: Final = 50_000
"""The limits of searches for the next move of a proven win, if the table has lost this move."""

COMPLETION_NODES: Final = 100_000
"""The most nodes that a search may visit to complete its proven lines, all lines together."""

COMPLETION_SECONDS: Final = 0.01
COMPLETION_OVERTIME: Final = 0.01
"""Even at the deadline, a search for a line's next move gets COMPLETION_SECONDS. All such searches
end COMPLETION_OVERTIME after the deadline. The contract allows an answer to be 20 ms late."""

NEXT_ITERATION: Final = 0.6
"""No iteration begins after this part of the time. It would probably not end in time, because it
takes longer than all earlier iterations together. Searches within a game ignore this."""


def threat_budget(nodes: int) -> int:
    """Return the most nodes to look for a win by threats at the root, after `nodes` nodes."""
    return max(1_000, nodes >> 2)


def refutation_budget(nodes: int) -> int:
    """Return the most nodes to check whether threats refute the chosen move."""
    return max(1_000, nodes >> 3)


def proof_budget(nodes: int) -> int:
    """Return the most nodes to play out a presumed win, after `nodes` nodes of search."""
    return max(10_000, nodes)


PROOF_POSITION_NODES: Final = 10
"""Playing out a position takes about as long as this many nodes. Its searches take extra time."""

PROOF_THREAT_NODES: Final = 300
"""The most nodes to look for a win by threats in one played-out position."""

PROOF_DEPTHS: Final = (4, 6, 8)
"""The depths of the searches for a winner's move that no quicker way has found."""

ADVICE_THREAT_NODES: Final = (2_000, 50_000)
ADVICE_NODES: Final = 3_000_000
"""The most nodes to find a winning move for a certificate: first by searches for a win by threats,
then by a search of all moves."""

OPENING_NODES: Final = 20_000
"""The most nodes to value an empty board; they take about 20 ms."""
