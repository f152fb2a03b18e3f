"""The engine's values, and every margin, reduction and budget of its search.

Numbers for which no source is given were set by hand and tested in games of the engine against
itself at equal nodes. The numbers of the evaluation are fitted: see `weights`. Depths are in plies
left to search, values and margins in the units of the evaluation (256 units add 1 to the natural
logarithm of the odds), budgets in nodes.
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
"""A value above CERTAIN is a win, and a value below -CERTAIN a loss. Proven or presumed, it counts
plies. CERTAIN is somewhat below PRESUMED - MAX_PLIES."""

WON: Final = CERTAIN + 1

MAX_EVALUATION: Final = 15_000

UNKNOWN: Final = 32_000
"""A number above every value. It means "no value" or, as the bound of a window, infinity."""

# Principal variation search.
DEEPEST: Final = 99
"""The depth of the last iteration, if the task limits no depth."""

DRAFT_OFFSET: Final = 8
"""Added to each depth that the table stores, because it stores no negative numbers. If a forced
move follows a null move, its depth may be negative."""

REVERSE_FUTILITY_DEPTH: Final = 8
FUTILITY_DEPTH: Final = 3
IMPROVEMENT: Final = 40
"""If the side to move has improved, the margin of reverse futility is smaller by this much. A side
has improved if its evaluation is higher than at its last move. (Stockfish and Rapfi call such a
node `improving`.)"""

FEWER_MOVES: Final = 35
"""If the side to move has not improved, late-move pruning tries fewer moves, by this percentage."""

INTERNAL_REDUCTION_DEPTH: Final = 4
"""Internal iterative reduction: from this depth on, a node without a move from the table is
searched one ply less deep, because its moves are poorly ordered."""

NULL_MOVE_DEPTH: Final = 3

LATE_MOVE_DEPTH: Final = 2
"""The least depth at which late moves are reduced."""

ROOT_LATE_MOVE_DEPTH: Final = 3
ROOT_FULL_MOVES: Final = 4
"""How many moves of the root are searched to the full depth; later moves are reduced."""

FEW_DEFENCES: Final = 3
"""If at most this many moves prevent an open four, each is searched one ply deeper."""


def reverse_futility_margin(depth: int) -> int:
    """Return how far above beta the evaluation must be for the node to count as failing high."""
    return 40 * depth


def futility_margin(depth: int) -> int:
    """Return how far below alpha the evaluation must be for the node to count as failing low."""
    return 50 + 50 * depth


def null_move_depth(depth: int) -> int:
    return depth - 4 - depth // 4


def late_move_limit(depth: int) -> int:
    """Return how many moves late-move pruning allows a node off the principal variation."""
    return 5 + 2 * depth + depth * depth // 5


def losing_move_limit(depth: int) -> int:
    """Return how many moves late-move pruning allows while all of them lose to threats."""
    return 12 + 2 * depth


@cache
def late_move_reduction(depth: int, number: int) -> int:
    """Return the reduction, in plies, of move `number`, counted from 0.

    The product of two logarithms is the usual form in chess engines such as Stockfish.
    """
    return int(0.6 + math.log(depth) * math.log(number) / 1.5) if depth and number else 0


# Move ordering, in the units of the policy: the most urgent moves come first.
OWN_URGENCY: Final = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
"""OWN_URGENCY[class]: the mover's points for a cell of this class in a search of fours."""

TABLE_MOVE_URGENCY: Final = 100_000
"""The points of the table's move: more than all other terms together."""

KILLER_URGENCY: Final = 40
COUNTERMOVE_URGENCY: Final = 30
REFUTATION_URGENCY: Final = 150
"""The points of each cell in the line of play that refuted an earlier move of the node."""

REFUTED_MOVES: Final = 3
"""For this many first moves of a node, the cells of a refutation get REFUTATION_URGENCY."""

HISTORY_SHIFT: Final = 6
"""In the ordering, a move's history is divided by 2**6."""

HISTORY_DECAY: Final = 13
"""Each update also subtracts history * bonus / 2**13, which keeps the history within ±2**13."""


def history_bonus(depth: int) -> int:
    """Return the points that a cutoff adds to its move's history, and subtracts from the history of
    each move that the node tried before."""
    return min(800, 4 * depth * depth + 4)


# Threats.
NEXT_WIN: Final = 5
NEXT_LOSS: Final = 4
"""The plies to the soonest win and the soonest loss that the counts of threats do not show."""

QUIESCENCE_NODES: Final = 60
"""The most nodes of a search for continuous fours within the tree."""

QUIESCENCE_PLIES: Final = 40
VCF_PLIES: Final = 7
"""The shortest win, in plies, of a search of fours: the counts of threats show shorter wins."""

THREE_PROOF: Final = 3
"""The first proof number of a three. A four starts at 1, because it leaves only one answer."""

THRESHOLD_SHIFT: Final = 2
"""The proof-number search stays with a child until the child's number exceeds the second best by a
quarter (1 / 2**2). So it switches less often: the 1 + epsilon trick of Pawlewicz and Lew (2007)."""

SETTLED_RANK: Final = 4
"""Added to the rank of a decided node in the table, which keeps nodes of high rank. A rank is the
binary logarithm of the number of nodes searched."""

# The driver.
ROOT_VCF_NODES: Final = 20_000
ROOT_VCF_PLIES: Final = (8, 12, 16, 24, 40, 80, MAX_PLIES)
"""The root is searched for a win by fours in at most so many plies, one length after another. So a
short win is found first."""

ASPIRATION_DEPTH: Final = 4
ASPIRATION_WINDOW: Final = 40
"""Half the width of the first window, which surrounds the value of the last iteration. If the new
value is outside the window, ASPIRATION_GROWTH multiplies this number. From ASPIRATION_WIDEST on,
the window has no bound on the side of the new value."""

ASPIRATION_GROWTH: Final = 4
ASPIRATION_WIDEST: Final = 2_000

FORCED_DEPTH: Final = 4
"""If the root has only one move, the search ends once it has reached this depth and used
FORCED_SHARE of its limits. It does not end at once, because the answer has the move's value."""

FORCED_SHARE: Final = 0.25
"""The part of the time or nodes after which a forced move is returned. With a smaller part, 11 of
262 wins in games of Rapfi are not found."""

REFUTATION_DEPTH: Final = 4
"""From this depth on, the engine looks for a refutation of the chosen move by threats."""

COMPLETION_VCF_NODES: Final = 5_000
COMPLETION_VCF_PLIES: Final = 200
COMPLETION_THREAT_NODES: Final = 50_000
"""The limits of the searches for the next move of a proven win, if the table has lost the move."""

COMPLETION_NODES: Final = 100_000
"""The most nodes to complete all lines of a search."""

COMPLETION_SECONDS: Final = 0.01
COMPLETION_OVERTIME: Final = 0.01
"""Even at the deadline, the search for one move of a line may take COMPLETION_SECONDS. All such
searches end at the latest COMPLETION_OVERTIME seconds after the deadline. An answer may be 20 ms
late: 10 ms to complete lines, and 10 ms to make the answer."""


NEXT_ITERATION: Final = 0.6
"""After this part of the time, no iteration begins, because it would probably not end in time: it
takes longer than all earlier iterations together. Searches within a game ignore this."""


def threat_budget(nodes: int) -> int:
    """Return the most nodes to look for a win by threats at the root, after `nodes` nodes."""
    return max(1_000, nodes >> 2)


def refutation_budget(nodes: int) -> int:
    """Return the most nodes to look for a refutation of the chosen move by threats."""
    return max(1_000, nodes >> 3)


def proof_budget(nodes: int) -> int:
    """Return the most nodes to play out a presumed win, after `nodes` nodes of search."""
    return max(10_000, nodes)


PROOF_POSITION_NODES: Final = 10
"""Outside the kernel, playing out one position takes about as long as this many nodes in it."""

PROOF_THREAT_NODES: Final = 300
"""The most nodes of a search for a win by threats in a played-out position."""

PROOF_DEPTHS: Final = (4, 6, 8)
"""The depths of the searches for the winner's move in a played-out position. They come after the
quicker ways to find the move."""

ADVICE_THREAT_NODES: Final = (2_000, 50_000)
ADVICE_NODES: Final = 3_000_000
"""The most nodes to find a winning move for a certificate: first by searches for a win by threats,
then by a search of all moves."""

OPENING_NODES: Final = 20_000
"""The most nodes to value an empty board; they take about 20 ms."""
