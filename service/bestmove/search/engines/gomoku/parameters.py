"""The engine's values, and every margin, reduction and budget of its search.

Numbers for which no source is given were set by hand and tested in games of the engine against
itself at equal nodes. The numbers of the evaluation are fitted: see `weights`. Depths are in plies
left to search, values and margins in the units of the evaluation (a 256th of the natural logarithm
of the odds), budgets in nodes.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES, WIN

# Values: see `scores` for the convention.
PROVEN: Final = WIN - MAX_PLIES
"""A value of at least this is a win against which every defence was tried."""

PRESUMED: Final = MAX_ESTIMATE
"""PRESUMED - n means a win in n plies for which only the cells near the marks were tried."""

CERTAIN: Final = 19_000
"""The bound beyond which a value is a win, proven or presumed, and counts plies: PRESUMED less
MAX_PLIES, and some room."""

WON: Final = CERTAIN + 1

MAX_EVALUATION: Final = 15_000

UNKNOWN: Final = 32_000
"""Larger than every value, so it means "no value", and infinity as the bound of a window."""

# Principal variation search.
DEEPEST: Final = 99
"""The depth of the last iteration, if the task limits no depth."""

DRAFT_OFFSET: Final = 8
"""Added to depths in the table, which stores none below 0. After a null move, a forced move may be
searched at a depth below 0."""

REVERSE_FUTILITY_DEPTH: Final = 8
FUTILITY_DEPTH: Final = 3
IMPROVEMENT: Final = 40
"""How much smaller the margin of reverse futility is if the side to move has improved: its
evaluation is higher than at its last move. (Stockfish and Rapfi call such a node `improving`.)"""

FEWER_MOVES: Final = 35
"""The percentage of moves that late-move pruning also skips, if the side has not improved."""

INTERNAL_REDUCTION_DEPTH: Final = 4
"""Internal iterative reduction: from this depth on, a node without a move from the table is
searched one ply less deep, because its moves are poorly ordered."""

NULL_MOVE_DEPTH: Final = 3

LATE_MOVE_DEPTH: Final = 2
"""The least depth at which late moves are reduced."""

ROOT_LATE_MOVE_DEPTH: Final = 3
ROOT_FULL_MOVES: Final = 4
"""How many moves of the root are searched to the full depth; the later ones are reduced."""

FEW_DEFENCES: Final = 3
"""If at most this many moves prevent an open four, they are searched one ply deeper."""


def reverse_futility_margin(depth: int) -> int:
    """Return how far above beta the evaluation must be for the node to count as failing high."""
    return 40 * depth


def futility_margin(depth: int) -> int:
    """Return how far below alpha the evaluation must be for the node to count as failing low."""
    return 50 + 50 * depth


def null_move_depth(depth: int) -> int:
    return depth - 4 - depth // 4


def late_move_limit(depth: int) -> int:
    """Late-move pruning: return how many moves a node off the principal variation tries."""
    return 5 + 2 * depth + depth * depth // 5


def losing_move_limit(depth: int) -> int:
    """Return how many moves a node off the principal variation tries while all lose to threats."""
    return 12 + 2 * depth


@cache
def late_move_reduction(depth: int, number: int) -> int:
    """Return by how many plies move `number`, counted from 0, is searched less deep.

    The product of two logarithms is the usual form in chess engines such as Stockfish.
    """
    return int(0.6 + math.log(depth) * math.log(number) / 1.5) if depth and number else 0


# Move ordering, in the units of the policy: the most urgent moves come first.
OWN_URGENCY: Final = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
"""In a search of fours, the points that a cell's weight gets for the cell class that a mark there
makes for the mover; see `patterns`."""

TABLE_MOVE_URGENCY: Final = 100_000
"""The points of the table's move: more than all other terms together."""

KILLER_URGENCY: Final = 40
COUNTERMOVE_URGENCY: Final = 30
REFUTATION_URGENCY: Final = 150
"""The points of each cell of a line that refuted an earlier move of the node."""

REFUTED_MOVES: Final = 3
"""How many moves of a node, from the first on, have their refutations used in this way."""

HISTORY_SHIFT: Final = 6
"""In the ordering, a move's history is divided by 2**6."""

HISTORY_DECAY: Final = 13
"""An update first takes the share bonus / 2**13 off the history, so it stays below 2**13."""


def history_bonus(depth: int) -> int:
    """Return what a cutoff adds to its move's history and subtracts from earlier moves'."""
    return min(800, 4 * depth * depth + 4)


# Threats.
NEXT_WIN: Final = 5
NEXT_LOSS: Final = 4
"""The plies to the soonest win, and to the soonest loss, that the counts do not show."""

QUIESCENCE_NODES: Final = 60
"""The most nodes of a search for continuous fours within the tree."""

QUIESCENCE_PLIES: Final = 40
VCF_PLIES: Final = 7
"""The shortest win that a search of fours looks for, in plies: the counts show shorter ones."""

THREE_PROOF: Final = 3
"""The proof number of a three that was not searched. A four, which has one answer, starts at 1."""

THRESHOLD_SHIFT: Final = 2
"""The proof-number search stays with a child until its number exceeds the second best by a quarter.
This is the 1 + epsilon trick of Pawlewicz and Lew (2007), so that it switches less often."""

SETTLED_RANK: Final = 4
"""Added to the rank of a decided node in the table; the rank is a logarithm of the node's work."""

# The driver.
ROOT_VCF_NODES: Final = 20_000
ROOT_VCF_PLIES: Final = (8, 12, 16, 24, 40, 80, MAX_PLIES)
"""The lengths for which a win by fours is searched one after another: a short win is found
first."""

ASPIRATION_DEPTH: Final = 4
ASPIRATION_WINDOW: Final = 40
"""Half of the first window, around the value of the last iteration. If the value is outside, the
window grows by ASPIRATION_GROWTH; from ASPIRATION_WIDEST on it has no limit on that side."""

ASPIRATION_GROWTH: Final = 4
ASPIRATION_WIDEST: Final = 2_000

FORCED_DEPTH: Final = 4
"""If the root has only one move, the search ends after this depth and FORCED_SHARE of its limits.
It does not end at once, because the answer includes the value of the move."""

FORCED_SHARE: Final = 0.25
"""The part of the time or nodes after which a forced move is returned. 11 of 262 wins in games of
Rapfi are found only with so large a part."""

REFUTATION_DEPTH: Final = 4
"""From this depth on, the chosen move is searched for a refutation by threats."""

COMPLETION_VCF_NODES: Final = 5_000
COMPLETION_VCF_PLIES: Final = 200
COMPLETION_THREAT_NODES: Final = 50_000
"""The most nodes to find the next move of a proven win whose line the table no longer has."""

COMPLETION_NODES: Final = 100_000
"""The most nodes to complete all lines of a search."""

COMPLETION_SECONDS: Final = 0.01
COMPLETION_OVERTIME: Final = 0.01
"""How long lines may be completed: each time, and after the deadline in total. An answer may be 20
ms late; half of that completes lines, the other half makes the answer."""


NEXT_ITERATION: Final = 0.6
"""The part of the time after which no iteration begins, except within a game: an iteration takes
longer than all before it."""


def threat_budget(nodes: int) -> int:
    """Return the nodes for the root's search of threats, when `nodes` have been visited."""
    return max(1_000, nodes >> 2)


def refutation_budget(nodes: int) -> int:
    """Return the nodes of the search for the other side's win by threats after the chosen move."""
    return max(1_000, nodes >> 3)


def proof_budget(nodes: int) -> int:
    """Return the nodes to play out a presumed win, when `nodes` have been visited."""
    return max(10_000, nodes)


PROOF_POSITION_NODES: Final = 10
"""The time per played-out position outside the kernel, expressed as a number of nodes."""

PROOF_THREAT_NODES: Final = 300
"""The most nodes of a search for a win by threats in such a position."""

PROOF_DEPTHS: Final = (4, 6, 8)
"""Depths of the searches for the winner's move in such a position, if nothing else finds one."""

ADVICE_THREAT_NODES: Final = (2_000, 50_000)
ADVICE_NODES: Final = 3_000_000
"""The most nodes to find a winning move for a certificate: for the searches for a win by threats,
and, if they find none, for the search of all moves."""

OPENING_NODES: Final = 20_000
"""The most nodes for the value of an empty board: 20 ms."""
