"""The engine's values, and every margin, reduction and budget of its search.

A number without a source of its own was set by hand and judged by games of the engine against
itself at equal nodes; the numbers of the evaluation, which are fitted, are in `weights`. Depths are
in plies that are left to search, values and margins in the units of the evaluation (a 256th of the
natural logarithm of the odds), budgets in nodes.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES, WIN

# Values: see `scores` for the convention.
PROVEN: Final = WIN - MAX_PLIES
"""A value at least so large is a win in which every defence was tried."""

PRESUMED: Final = MAX_ESTIMATE
"""PRESUMED - n stands for a win in n plies in which only the cells near the marks were tried."""

CERTAIN: Final = 19_000
"""A value beyond it, proven or presumed, counts plies: MAX_PLIES below PRESUMED and some room."""

MAX_EVALUATION: Final = 15_000
"""The largest value of the evaluation."""

UNKNOWN: Final = 32_000
"""No value: beyond every value, so that it is the infinity of a search window too."""

# Principal variation search.
DEEPEST: Final = 99
"""The last iteration of a search without a depth of its own."""

DRAFT_OFFSET: Final = 8
"""Added to a depth in the table, which stores none below 0: a forced move is searched at depth
-1 too, after a null move."""

REVERSE_FUTILITY_DEPTH: Final = 8
FUTILITY_DEPTH: Final = 3
IMPROVEMENT: Final = 40
"""How much smaller the margin of reverse futility is in a node whose side has improved: its
evaluation is above that at its last move. (Stockfish and Rapfi call such a node `improving`.)"""

FEWER_MOVES: Final = 35
"""Percentage of moves that late-move pruning skips besides, in a node that has not improved."""

INTERNAL_REDUCTION_DEPTH: Final = 4
"""Internal iterative reduction: from this depth a node without a move of the table is searched a
ply less deep, as its moves are in a poor order."""

NULL_MOVE_DEPTH: Final = 3
"""The least depth of a null move."""

LATE_MOVE_DEPTH: Final = 2
"""The least depth at which late moves are reduced."""

ROOT_LATE_MOVE_DEPTH: Final = 3
ROOT_FULL_MOVES: Final = 4
"""Moves of the root that are searched to the full depth, before the late ones."""

FEW_DEFENCES: Final = 3
"""With at most so many answers to an open four's threat, they are searched a ply deeper."""


def reverse_futility_margin(depth: int) -> int:
    """How far the evaluation must be above beta for the node to be left as failing high."""
    return 40 * depth


def futility_margin(depth: int) -> int:
    """How far the evaluation must be below alpha for the node to be left as failing low."""
    return 50 + 50 * depth


def null_move_depth(depth: int) -> int:
    """The depth of the search after a null move."""
    return depth - 4 - depth // 4


def late_move_limit(depth: int) -> int:
    """Late-move pruning: moves tried in a node off the principal variation."""
    return 5 + 2 * depth + depth * depth // 5


def losing_move_limit(depth: int) -> int:
    """Moves tried while all of them lose to threats; twice as many on the principal variation."""
    return 12 + 2 * depth


@cache
def late_move_reduction(depth: int, number: int) -> int:
    """Plies that move `number`, counted from 0, is searched less deep.

    The product of two logarithms is the usual form in chess engines, Stockfish among them.
    """
    return int(0.6 + math.log(depth) * math.log(number) / 1.5) if depth and number else 0


# Move ordering: what is added to the weights of a cell, for the most urgent moves to come first.
OWN_URGENCY: Final = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
"""By what a mark on the cell makes for the mover: the classes of `patterns`."""

FOE_URGENCY: Final = (0, 0, 2, 8, 10, 40, 55, 100, 35, 50, 200, 500, 2000)
"""By what the mark takes from the other side."""

TABLE_MOVE_URGENCY: Final = 100_000
"""The move of the transposition table comes first: more than all else together."""

KILLER_URGENCY: Final = 40
COUNTERMOVE_URGENCY: Final = 30
REFUTATION_URGENCY: Final = 150
"""For the cells of the line that refuted an earlier move of the node."""

REFUTED_MOVES: Final = 3
"""The moves of a node, from the first, whose refutations are learnt from."""

HISTORY_SHIFT: Final = 6
"""History counts a 64th in the ordering."""

HISTORY_DECAY: Final = 13
"""An update takes bonus / 2**13 of the history away, which so stays below 2**13."""


def history_bonus(depth: int) -> int:
    """What a cutoff at a depth adds to the history of its move, and takes from those before it."""
    return min(800, 4 * depth * depth + 4)


# Threats.
NEXT_WIN: Final = 5
NEXT_LOSS: Final = 4
"""Plies to the soonest win and loss that the static win does not see."""

QUIESCENCE_NODES: Final = 60
"""Nodes of a search for continuous fours in the tree."""

QUIESCENCE_PLIES: Final = 40
VCF_PLIES: Final = 7
"""A search of fours is made for wins of at least so many plies: the counts show shorter ones."""

THREE_PROOF: Final = 3
"""Proof number of a three that was not searched; 1 for a four, which has one answer."""

THRESHOLD_SHIFT: Final = 2
"""A child of the proof search may go a quarter past the second best: the 1 + epsilon trick of
Pawlewicz and Lew (2007), against going to and fro between the two."""

SETTLED_RANK: Final = 4
"""Rank in the table that a settled node is given beyond the logarithm of its work."""

LAST_PLY: Final = 400
"""Nothing is searched beyond it: the arrays have a few rows more, and null moves can make a line
longer than the board."""

# The driver.
ROOT_VCF_NODES: Final = 20_000
ROOT_VCF_PLIES: Final = (8, 12, 16, 24, 40, 80, MAX_PLIES)
"""Lengths of the win by fours that are looked for in turn, so that a short one is found first."""

ASPIRATION_DEPTH: Final = 4
ASPIRATION_WINDOW: Final = 40
"""Half the first window around the value of the iteration before; four times as much when it
fails, and no limit from ASPIRATION_WIDEST."""

ASPIRATION_GROWTH: Final = 4
ASPIRATION_WIDEST: Final = 2_000

FORCED_DEPTH: Final = 4
"""A single move at the root is searched so deep, for its value ..."""

FORCED_SHARE: Final = 0.25
"""... and for such a part of the time or nodes: of 262 wins of Rapfi's games 11 need it."""

REFUTATION_DEPTH: Final = 4
"""From this depth the move chosen is searched for a win by threats against it."""

COMPLETION_VCF_NODES: Final = 5_000
COMPLETION_VCF_PLIES: Final = 200
COMPLETION_THREAT_NODES: Final = 50_000
"""To find the next move of a win that is proven but whose line the table has lost."""

COMPLETION_NODES: Final = 100_000
"""And for all lines of a search."""

COMPLETION_SECONDS: Final = 0.01
COMPLETION_OVERTIME: Final = 0.01
"""By the clock, a line may be completed for so long at a time, and past the deadline in all: half
of the 20 ms that an answer may be late, as the answer itself is still to be made."""


NEXT_ITERATION: Final = 0.6
"""Of the time. Later no iteration begins, but in a game: it takes longer than all before it."""


def threat_budget(nodes: int) -> int:
    """Nodes of the root's search for a win by threats, after so many nodes in all."""
    return max(1_000, nodes >> 2)


def refutation_budget(nodes: int) -> int:
    """Nodes of the search for the other side's win by threats after the move chosen."""
    return max(1_000, nodes >> 3)


def proof_budget(nodes: int) -> int:
    """Nodes for playing out a presumed win, after so many nodes in all."""
    return max(10_000, nodes >> 2)


PROOF_POSITION_NODES: Final = 10
"""The work for one position of it outside the kernel takes as long as so many nodes."""

PROOF_THREAT_NODES: Final = 300
"""Nodes of a search for a win by threats in one of its positions."""

PROOF_DEPTHS: Final = (4, 6, 8)
"""And depths of the searches for the winner's move there, where nothing else shows one."""

ADVICE_THREAT_NODES: Final = (2_000, 50_000)
ADVICE_NODES: Final = 3_000_000
"""For a winning move that a certificate needs: nodes of the searches for one by threats, and of the
search of all moves where they find none."""
