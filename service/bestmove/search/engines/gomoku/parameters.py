"""The numbers of the search: values of wins, margins, reductions and budgets.

Numbers without a source were set by hand. They were tested in games of the engine against itself,
with equal nodes for both sides.

- depths: plies left to search
- values and margins: 256 units add 1 to the natural logarithm of the odds of a win
- budgets: nodes
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from bestmove.search.scores import MAX_ESTIMATE, MAX_PLIES, WIN

# Values: `bestmove.search.scores` says what they mean.
PROVEN: Final = WIN - MAX_PLIES
"""A value of PROVEN or more is a proven win: every defence was tried."""

PRESUMED: Final = MAX_ESTIMATE
"""PRESUMED - n is a presumed win in n plies: only defences near the marks were tried."""

CERTAIN: Final = 19_000
"""A value above CERTAIN is a win, proven or presumed. A value below -CERTAIN is a loss.
CERTAIN is below PRESUMED - MAX_PLIES, the slowest presumed win."""

WON: Final = CERTAIN + 1

MAX_EVALUATION: Final = 15_000

UNKNOWN: Final = 32_000
"""Means that there is no value. As the bound of a window, it means infinity."""

# Principal variation search: see the steps of `Search.pvs`.
DEEPEST: Final = 99

DRAFT_OFFSET: Final = 8
"""The table stores each depth plus DRAFT_OFFSET, because the table cannot store negative numbers.
After a null move, a depth may be negative."""

REVERSE_FUTILITY_DEPTH: Final = 8
FUTILITY_DEPTH: Final = 3
IMPROVEMENT: Final = 40
"""If the evaluation is higher than at the mover's last turn, the margin of reverse futility is this
much smaller."""

FEWER_MOVES: Final = 35
"""If the evaluation is no higher than at the mover's last turn, late-move pruning tries this many
percent fewer moves."""

INTERNAL_REDUCTION_DEPTH: Final = 4
NULL_MOVE_DEPTH: Final = 3
LATE_MOVE_DEPTH: Final = 2
ROOT_LATE_MOVE_DEPTH: Final = 3
ROOT_FULL_MOVES: Final = 4
"""The first ROOT_FULL_MOVES moves of the root are always searched to the full depth."""

FEW_DEFENCES: Final = 3


def presumed(value: int) -> int:
    """Return the estimate for a win (if `value` is positive) or a loss that could not be proven."""
    return PRESUMED - 1 if value > 0 else 1 - PRESUMED


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
    """Return how many moves to try at a node where every tried move loses."""
    return 12 + 2 * depth


@cache
def late_move_reduction(depth: int, number: int) -> int:
    """Return the depth reduction of a late move, in plies. `number` 0 is the node's first move.

    Chess engines such as Stockfish also use a product of two logarithms.
    """
    return int(0.6 + math.log(depth) * math.log(number) / 1.5) if depth and number else 0


OWN_URGENCY: Final = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
"""Orders the moves in a search of fours. The search adds OWN_URGENCY[class] to the weight of a cell
with this class for the mover."""

# Points that order the moves, in the units of `policy`. Moves with more points come first.
TABLE_MOVE_URGENCY: Final = 100_000
"""More than all other points together, so that the table's move comes first."""

KILLER_URGENCY: Final = 40
COUNTERMOVE_URGENCY: Final = 30
REFUTATION_URGENCY: Final = 150
REFUTED_MOVES: Final = 3

HISTORY_SHIFT: Final = 6
HISTORY_DECAY: Final = 13
"""Each update also subtracts history * bonus / 2**HISTORY_DECAY. So the history stays within
±2**HISTORY_DECAY."""


def history_bonus(depth: int) -> int:
    """Return the bonus that a cutoff adds to its move's history.

    The cutoff also subtracts the bonus from the history of each move tried before.
    """
    return min(800, 4 * depth * depth + 4)


# Threats. If `static_win` finds no win or loss, a win takes at least NEXT_WIN plies, and a loss at
# least NEXT_LOSS plies. (Only a forced move that makes an open four wins sooner, in 3 plies.)
NEXT_WIN: Final = 5
NEXT_LOSS: Final = 4

QUIESCENCE_NODES: Final = 60
"""The most nodes of each search of fours that the main search starts."""

QUIESCENCE_PLIES: Final = 40
VCF_PLIES: Final = 7
"""With fewer plies left than this, a search of fours checks only the counts of threats."""

THREE_PROOF: Final = 3
"""A three starts with this proof number. A four starts with 1, because a four leaves only one
reply."""

THRESHOLD_SHIFT: Final = 2
"""The proof-number search stays with a move until the move's number exceeds the second-lowest
number by a quarter (1 / 2**THRESHOLD_SHIFT). So the search switches moves less often (Pawlewicz and
Lew 2007)."""

SETTLED_RANK: Final = 4

# The driver.
ROOT_VCF_NODES: Final = 20_000
ROOT_VCF_PLIES: Final = (8, 12, 16, 24, 40, 80, MAX_PLIES)
"""The engine looks for wins by fours within 8 plies first, then within 12, and so on."""

ASPIRATION_DEPTH: Final = 4
ASPIRATION_WINDOW: Final = 40
"""The first window of an iteration is the previous iteration's value ± this margin."""

ASPIRATION_GROWTH: Final = 4
ASPIRATION_WIDEST: Final = 2_000
"""If the margin reaches this size, the search drops the bound that the new value has crossed."""

FORCED_DEPTH: Final = 4
"""The root's only move is searched at least to this depth, because the answer states a value."""

FORCED_SHARE: Final = 0.25
"""The part of the time or nodes to spend on the root's only move. Without this search, the engine
missed 11 of the 262 wins in `benchmarks/engine/won_positions.txt`."""

REFUTATION_DEPTH: Final = 4

# When a proven variation lacks a move, `Proofs` searches for fours (VCF), then for threats.
# `completion_nodes` limits all these searches of a task together.
COMPLETION_VCF_NODES: Final = 5_000
COMPLETION_VCF_PLIES: Final = 200
COMPLETION_THREAT_NODES: Final = 50_000
COMPLETION_NODES: Final = 100_000

LINE_MOVES: Final = 6
"""The variation of an estimate has at least this many moves, or one for each ply of its depth."""

COMPLETION_SECONDS: Final = 0.01
"""Even near the deadline, each search for a variation's next move gets this many seconds."""

COMPLETION_OVERTIME: Final = 0.01
"""Work on variations ends at most this many seconds after the deadline. An answer may be 20 ms
late."""

NEXT_ITERATION: Final = 0.6
"""No iteration begins after this part of the time, except with `Memory.GAME`, or if depth or nodes
limit the search. An iteration takes longer than all earlier iterations together, so a late
iteration would probably not end in time."""


# Budgets that grow with `nodes`, the number of nodes visited so far.


def threat_budget(nodes: int) -> int:
    """Return how many nodes a search for a win by threats at the root may visit."""
    return max(1_000, nodes >> 2)


def refutation_budget(nodes: int) -> int:
    """Return how many nodes a check for a refutation by threats may visit."""
    return max(1_000, nodes >> 3)


def line_budget(nodes: int) -> int:
    """Return how many nodes may be visited to lengthen the variation of an estimate."""
    return min(10_000, nodes >> 5)


def completion_nodes(nodes: int | None) -> int:
    """Return how many nodes the work on variations may take beyond a node limit."""
    return COMPLETION_NODES if nodes is None else min(COMPLETION_NODES, max(10_000, nodes // 10))


def proof_budget(nodes: int) -> int:
    """Return how many nodes may be visited to play out a presumed win."""
    return max(10_000, nodes)


# Limits for playing out a win.
PROOF_POSITION_NODES: Final = 10
"""Playing out one position takes about as long as visiting this many nodes. Searches of the
position cost extra."""

PROOF_FOURS_NODES: Final = 20
"""The most nodes of each search of fours in `Search.prove`."""

PROOF_THREAT_NODES: Final = 300
PROOF_DEPTHS: Final = (4, 6, 8)
"""The depths of the searches for a winner's move, if quicker ways do not find the move."""

# To find a certificate's move, the engine searches for a win by threats: with the first limit, then
# with the second. If no win is found, the main search may visit ADVICE_NODES nodes.
ADVICE_THREAT_NODES: Final = (2_000, 50_000)
ADVICE_NODES: Final = 3_000_000

OPENING_NODES: Final = 20_000
"""The most nodes of the search that values an empty board, about 20 ms."""
