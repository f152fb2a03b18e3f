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
"""A value of at least this is a win in which every defence was tried."""

PRESUMED: Final = MAX_ESTIMATE
"""PRESUMED - n is a win in n plies in which only the cells near the marks were tried."""

CERTAIN: Final = 19_000
"""A value beyond it, proven or presumed, counts plies: it is more than MAX_PLIES below PRESUMED."""

MAX_EVALUATION: Final = 15_000
"""The largest value of the evaluation."""

UNKNOWN: Final = 32_000
"""No value. It is beyond every value, so it also serves as infinity in search windows."""

# Principal variation search.
DEEPEST: Final = 99
"""The depth of the last iteration if the task gives none."""

DRAFT_OFFSET: Final = 8
"""Added to depths in the table, which stores none below 0: after a null move, a forced move may be
searched at depth -1."""

REVERSE_FUTILITY_DEPTH: Final = 8
FUTILITY_DEPTH: Final = 3
IMPROVEMENT: Final = 40
"""How much smaller the margin of reverse futility is in a node whose evaluation is above that at
the same side's last move. (Stockfish and Rapfi call such a node `improving`.)"""

FEWER_MOVES: Final = 35
"""Percentage of moves that late-move pruning also skips in a node that is not improving."""

INTERNAL_REDUCTION_DEPTH: Final = 4
"""Internal iterative reduction: from this depth on, a node without a table move is searched one ply
less deep, as its moves are in a poor order."""

NULL_MOVE_DEPTH: Final = 3
"""The least depth of a null move."""

LATE_MOVE_DEPTH: Final = 2
"""The least depth at which late moves are reduced."""

ROOT_LATE_MOVE_DEPTH: Final = 3
ROOT_FULL_MOVES: Final = 4
"""The first moves of the root, which are always searched to the full depth."""

FEW_DEFENCES: Final = 3
"""With at most this many answers to the threat of an open four, each is searched a ply deeper."""


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


# Move ordering: what is added to the weights of a cell, so that the most urgent moves come first.
OWN_URGENCY: Final = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
"""By the class of the cell for the mover: see `patterns`."""

FOE_URGENCY: Final = (0, 0, 2, 8, 10, 40, 55, 100, 35, 50, 200, 500, 2000)
"""By the class of the cell for the other side, from which the mark takes it."""

TABLE_MOVE_URGENCY: Final = 100_000
"""The transposition table's move comes first: this is more than everything else together."""

KILLER_URGENCY: Final = 40
COUNTERMOVE_URGENCY: Final = 30
REFUTATION_URGENCY: Final = 150
"""For the cells in the line that refuted an earlier move of the node."""

REFUTED_MOVES: Final = 3
"""The search learns from the refutations of this many first moves of a node."""

HISTORY_SHIFT: Final = 6
"""History counts a 64th in the ordering."""

HISTORY_DECAY: Final = 13
"""An update removes bonus / 2**13 of the history, so that it stays below 2**13."""


def history_bonus(depth: int) -> int:
    """What a cutoff adds to the history of its move, and subtracts from that of those before it."""
    return min(800, 4 * depth * depth + 4)


# Threats.
NEXT_WIN: Final = 5
NEXT_LOSS: Final = 4
"""Plies to the soonest win and loss that the counts do not show."""

QUIESCENCE_NODES: Final = 60
"""Nodes of a search for continuous fours in the tree."""

QUIESCENCE_PLIES: Final = 40
VCF_PLIES: Final = 7
"""A search of fours looks for wins of at least this many plies: the counts show shorter ones."""

THREE_PROOF: Final = 3
"""The proof number of a three that was not searched. That of a four, with one answer, is 1."""

THRESHOLD_SHIFT: Final = 2
"""A child of the proof search may exceed the second best by a quarter, so that the search changes
less often between the two: the 1 + epsilon trick of Pawlewicz and Lew (2007)."""

SETTLED_RANK: Final = 4
"""What a settled node gets in the table beyond the logarithm of its work, as its rank."""

LAST_PLY: Final = 400
"""The last ply to search: null moves can make a line longer than the board, and the arrays have
only a few more rows."""

# The driver.
ROOT_VCF_NODES: Final = 20_000
ROOT_VCF_PLIES: Final = (8, 12, 16, 24, 40, 80, MAX_PLIES)
"""The most plies of the win by fours, raised step by step so that a short win is found first."""

ASPIRATION_DEPTH: Final = 4
ASPIRATION_WINDOW: Final = 40
"""Half the first window around the last iteration's value. It grows ASPIRATION_GROWTH times if the
search fails, and from ASPIRATION_WIDEST on there is no limit."""

ASPIRATION_GROWTH: Final = 4
ASPIRATION_WIDEST: Final = 2_000

FORCED_DEPTH: Final = 4
"""A single move at the root is searched to this depth, for its value ..."""

FORCED_SHARE: Final = 0.25
"""... and with this share of the time or nodes: of 262 wins in Rapfi's games, 11 need it."""

REFUTATION_DEPTH: Final = 4
"""From this depth on, the chosen move is checked for a win by threats against it."""

COMPLETION_VCF_NODES: Final = 5_000
COMPLETION_VCF_PLIES: Final = 200
COMPLETION_THREAT_NODES: Final = 50_000
"""To find the next move of a proven win whose line is no longer in the table."""

COMPLETION_NODES: Final = 100_000
"""The most nodes for completing all lines of a search."""

COMPLETION_SECONDS: Final = 0.01
COMPLETION_OVERTIME: Final = 0.01
"""Seconds for completing a line, each time, and after the deadline in all. That is half of the
20 ms that an answer may be late; the rest is for writing the answer."""


NEXT_ITERATION: Final = 0.6
"""The share of the time after which no iteration begins, except in a game: each takes longer than
all before it."""


def threat_budget(nodes: int) -> int:
    """Nodes for the root's search for a win by threats, after `nodes` in all."""
    return max(1_000, nodes >> 2)


def refutation_budget(nodes: int) -> int:
    """Nodes for the search for the other side's win by threats after the chosen move."""
    return max(1_000, nodes >> 3)


def proof_budget(nodes: int) -> int:
    """Nodes for playing out a presumed win, after `nodes` in all."""
    return max(10_000, nodes >> 2)


PROOF_POSITION_NODES: Final = 10
"""The work for one of its positions outside the kernel takes as long as this many nodes."""

PROOF_THREAT_NODES: Final = 300
"""Nodes of a search for a win by threats in one of its positions."""

PROOF_DEPTHS: Final = (4, 6, 8)
"""The depths of the searches for the winner's move there, if nothing else finds one."""

ADVICE_THREAT_NODES: Final = (2_000, 50_000)
ADVICE_NODES: Final = 3_000_000
"""For a winning move of a certificate: nodes of the searches for a win by threats, and of the
search of all moves if they find none."""
