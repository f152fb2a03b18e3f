# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: disallow-any-unimported=False, warn-return-any=False
# mypy: disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""Principal variation search of any (m,n,k)-board.

Plain Python; `search.pxd` declares the types in C. The compiled search runs without the GIL.

There are two kinds of wins:

- *Proven* (`WIN - n`): every defence was tried.
- *Presumed* (`PRESUMED - n`): only defences near the marks were tried.

A null move assumes that a mark never hurts its owner. This assumption can fail if only exactly k in
a row win. Then an estimate may be wrong, but a proven value stays right.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.search import declared
from bestmove.search.engines.gomoku import network, parameters, patterns, policy
from bestmove.search.engines.gomoku.network import FACTOR_SHIFT
from bestmove.search.engines.gomoku.parameters import (
    CERTAIN,
    COUNTERMOVE_URGENCY,
    DRAFT_OFFSET,
    FEW_DEFENCES,
    FEWER_MOVES,
    FUTILITY_DEPTH,
    HISTORY_DECAY,
    HISTORY_SHIFT,
    IMPROVEMENT,
    INTERNAL_REDUCTION_DEPTH,
    KILLER_URGENCY,
    LATE_MOVE_DEPTH,
    MAX_EVALUATION,
    NEXT_LOSS,
    NEXT_WIN,
    NULL_MOVE_DEPTH,
    PRESUMED,
    PROOF_FOURS_NODES,
    PROVEN,
    QUIESCENCE_NODES,
    QUIESCENCE_PLIES,
    REFUTATION_URGENCY,
    REFUTED_MOVES,
    REVERSE_FUTILITY_DEPTH,
    ROOT_FULL_MOVES,
    ROOT_LATE_MOVE_DEPTH,
    TABLE_MOVE_URGENCY,
    UNKNOWN,
    WON,
)
from bestmove.search.engines.gomoku.patterns import (
    CELL_DOUBLE_THREE,
    CELL_FIVE,
    CELL_FOUR_PLUS,
    CELL_FOUR_THREE,
    CELL_OPEN_FOUR,
    CELL_THREE,
    CELL_THREE_PLUS,
    FIVES,
    OPEN_FOURS,
)
from bestmove.search.engines.gomoku.table import EXACT, LOWER, UPPER
from bestmove.search.engines.gomoku.threats import ThreatSearch
from bestmove.search.engines.gomoku.threats import compiled as _threats_compiled
from bestmove.search.engines.gomoku.weights import (
    FOE_DOUBLE_THREE,
    FOE_FOUR,
    FOE_OPEN_FOUR,
    FOE_OPEN_FOUR_OWN_FOUR,
    OWN_DOUBLE_THREE,
    OWN_FOUR,
    OWN_THREE,
    TEMPO,
)
from bestmove.search.scores import WIN

compiled: bool = declared.is_compiled(__file__, _threats_compiled)

if not cython.compiled:
    from bestmove.search.common.bits import trailing_zeros
    from bestmove.search.common.layer import layer

# Plain Python reads the constants of position.pxd, threats.pxd and search.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

ALL_MOVES = 512  # more moves than a node can have
FOUR_HALVES = 0x8000_8000_8000_8000
THREATENED = patterns.CELL_CLASSES**2
"""Where the second half of `both_policy` begins. This half is for positions under a threat of an
open four."""


def from_table(value: int, ply: int) -> int:
    """Convert a node's value from the table to the search.

    The table counts the plies to a win or loss from the node. The search counts from the root.
    """
    if value > CERTAIN:
        return value - ply
    return value + ply if value < -CERTAIN else value


def to_table(value: int, ply: int) -> int:
    """Convert a node's value from the search to the table."""
    if value > CERTAIN:
        return value + ply
    return value - ply if value < -CERTAIN else value


class Search(ThreatSearch):
    """A position, and the search for its best move.

    The current variation:

        ply_move[ply]           the move made at the ply; 0 for a null move
        ply_evaluation[ply]     the evaluation at the ply; UNKNOWN under a threat

    What orders the moves:

        killer[ply*2 + i]       the last two moves that caused a cutoff at the ply
        history[cell*2 + side]  high if the side's marks on the cell caused many cutoffs
        reply[cell*2 + side]    the countermove: the side's move that last refuted the opponent's
                                mark on the cell
        own_policy[number]      the points of `policy.own` for the mover's combination
        foe_policy[number]      the points of `policy.foe` for the opponent's combination
        both_policy[pair]       the points of `policy.together` for a cell's two classes

    The root:

        root_move[0 .. root_count - 1]  the root's moves, the best so far first
        root_complete           whether all moves that do not lose at once are listed
        root_tried              how many root moves the last iteration has searched

    Args:
        rows, columns, k, table_bits, overline: as in ThreatSearch.
    """

    def __init__(
        self, rows: int, columns: int, k: int, table_bits: int, overline: bool = True
    ) -> None:
        super().__init__(rows, columns, k, table_bits, overline)
        if not compiled:
            declared.make_arrays(self, __file__)
        self.own_policy = policy.own()
        self.foe_policy = policy.foe()
        self.both_policy = policy.together()
        for depth in range(DEPTHS):
            self.reverse_futility[depth] = parameters.reverse_futility_margin(depth)
            self.futility[depth] = parameters.futility_margin(depth)
            self.null_depth[depth] = parameters.null_move_depth(depth)
            self.late_moves[depth] = parameters.late_move_limit(depth)
            self.losing_moves[depth] = parameters.losing_move_limit(depth)
            self.bonus[depth] = parameters.history_bonus(depth)
        for depth in range(REDUCTIONS):
            for number in range(REDUCTIONS):
                self.reduction[depth * REDUCTIONS + number] = parameters.late_move_reduction(
                    depth, number
                )
        numbers = network.network()
        self.sum_weights = numbers.sums
        self.fact_weights = numbers.facts
        self.outputs = numbers.outputs
        self.situation = numbers.situation
        self.factor = numbers.factor
        self.root_count = self.root_tried = 0
        self.root_complete = False

    def begin(
        self, cells: bytes, deadline: float | None, nodes: int | None, keep: bool = False
    ) -> None:
        super().begin(cells, deadline, nodes, keep)
        for i in range(2 * PLACES):
            self.history[i] = 0
            self.reply[i] = 0
        for i in range(2 * PLIES):
            self.killer[i] = 0
        for i in range(PLIES + 1):
            self.ply_evaluation[i] = UNKNOWN

    def evaluation(self, side: int) -> int:
        """Estimate the position for the side to move, without a search."""
        return self.evaluate(side)

    def weighted_sum(self, side: int) -> int:
        return self.weighted(side, self.facts_of(side))

    def facts(self, side: int) -> list[int]:
        """Return the facts of `facts_of` as a list of bit numbers."""
        return [fact for fact in range(network.SITUATIONS) if self.facts_of(side) >> fact & 1]

    def all_moves(self, side: int) -> list[int]:
        """Return every empty cell, the most urgent first."""
        n = self.list_everywhere(0, 0)
        self.rank_moves(side, 0, n, 0)
        return [self.index_of(self.pick(0, i, n)) for i in range(n)]

    def most_urgent(self, side: int) -> int:
        """Return the most urgent move that does not lose at once; any move if all lose."""
        foe = 1 - side
        if self.count[foe * CELL_CLASSES + CELL_FIVE]:
            return self.index_of(self.first_of(foe, FIVES))
        if self.count[foe * CELL_CLASSES + CELL_OPEN_FOUR]:
            n = self.list_defences(side, 0)
            if n == 0:
                return self.index_of(self.first_of(foe, OPEN_FOURS))
        else:
            n = self.list_everywhere(0, 0)
        self.rank_moves(side, 0, n, 0)
        return self.index_of(self.pick(0, 0, n))

    def list_root(self, side: int) -> None:
        """List the root's moves: under a threat, only the answers; otherwise, cells near marks."""
        foe = 1 - side
        self.root_complete = True
        if self.count[foe * CELL_CLASSES + CELL_FIVE]:
            self.moves[0] = self.first_of(foe, FIVES)
            n = 1
        elif self.count[foe * CELL_CLASSES + CELL_OPEN_FOUR]:
            n = self.list_defences(side, 0)
        else:
            n = self.list_candidates(0)
            self.root_complete = False
        if n == 0:
            # No move prevents the open four, so every move loses. List the cell of the open four.
            self.moves[0] = self.first_of(foe, OPEN_FOURS)
            n = 1
        self.ply_evaluation[0] = UNKNOWN if self.root_complete else self.evaluate(side)
        self.rank_moves(side, 0, n, 0)
        for i in range(n):
            self.root_move[i] = self.pick(0, i, n)
        self.root_count = n

    def root_index(self, number: int) -> int:
        return self.index_of(self.root_move[number])

    def search_root(self, side: int, depth: int, alpha: int, beta: int) -> int:
        """Search the root to a depth; return the best value. `line()` begins with the best move.

        If the search is stopped, return the best value so far, or -UNKNOWN if there is none.
        """
        with cython.nogil:
            return self.root(side, depth, alpha, beta)

    def search_move(self, side: int, index: int, depth: int, alpha: int, beta: int) -> int:
        """Search one move; return the value for `side`. `line()` begins with the move."""
        cell = self.cell_at(index)
        self.ply_move[0] = cell
        with cython.nogil:
            self.make(cell, side)
            value = -self.pvs(1 - side, depth - 1, -beta, -alpha, 1, True)
            self.unmake()
            if not self.stopped:
                self.take_pv(0, cell)
        return value

    def prove_move(self, side: int, index: int, depth: int) -> int:
        """Return within how many plies a move wins against every defence; 0 if that is unproven."""
        cell = self.cell_at(index)
        self.ply_move[0] = cell
        with cython.nogil:
            self.make(cell, side)
            plies = self.prove(1 - side, side, depth - 1, 1)
            self.unmake()
        return plies + 1 if plies else 0

    def proof_moves(self, side: int, winner: int, plies: int) -> list[int]:
        """Return the next moves of a variation that `prove` has proven to last `plies` plies.

        They are the winner's move or the longest defence, or all moves of a win by fours up to the
        point where the counts of threats decide. Return [] if the table does not have them.
        """
        if side == winner:
            self.fours_limit = self.nodes + PROOF_FOURS_NODES
            if self.vcf(side, 2, QUIESCENCE_PLIES, True) == plies:
                return [self.index_of(self.pv[2 * STRIDE + i]) for i in range(2, self.pv_end[2])]
        if not self.table.find(self.proof_key(side, winner)) or self.table.value != plies:
            return []
        return [self.index_of(self.table.move)] if self.table.move else []

    def search_for_win(self, side: int, depth: int) -> bool:
        """Return True if a search to this depth finds a win, proven or presumed."""
        self.ply_move[0] = 0
        with cython.nogil:
            value = self.pvs(side, depth, CERTAIN, WON, 1, False)
        return value > CERTAIN and not self.stopped

    def table_move(self, side: int, least: int = -parameters.UNKNOWN) -> int:
        """Return the index of the table's move if the move is worth `least` or more; else -1."""
        if not self.table.find(self.key(side)):
            return -1
        if least > -parameters.UNKNOWN and not (
            self.table.value >= least and self.table.bound & LOWER
        ):
            return -1
        move = self.table.move
        return self.index_of(move) if move and self.board[move] == 0 else -1

    def remember_win(self, side: int, plies: int, index: int) -> None:
        """Store that the side to move wins in `plies` plies, beginning with this move."""
        self.table.store(self.key(side), WIN - plies, 0, self.cell_at(index), 255, LOWER)

    def list_candidates(self, base: int) -> int:
        """List the empty cells near a mark that have a live line; return how many.

        If there is no such cell, list every empty cell.
        """
        n = 0
        for i in range(self.words):
            word = self.near[self.made * WORDS + i] & ~self.taken[i]
            while word:
                cell = (i << 6) + trailing_zeros(word)
                word &= word - 1
                if self.line_sums[cell]:
                    self.moves[base + n] = cell
                    n += 1
        if n == 0:
            n = self.list_everywhere(base, 0)
        return n

    def list_everywhere(self, base: int, n: int) -> int:
        """Add all other empty cells to a list of n moves; return the new n."""
        for i in range(n):
            self.stamp[self.moves[base + i]] = 1
        listed = n
        for row in range(1, self.rows + 1):
            for column in range(1, self.columns + 1):
                cell = row * self.width + column
                if self.board[cell] == 0 and self.stamp[cell] == 0:
                    self.moves[base + n] = cell
                    n += 1
        for i in range(listed):
            self.stamp[self.moves[base + i]] = 0
        return n

    def rank_moves(self, side: int, ply: int, n: int, first: int) -> None:
        """Set the urgency of each listed move; `first` is the table's move or 0."""
        base = ply * STRIDE
        pairs = THREATENED if self.count[(1 - side) * CELL_CLASSES + CELL_OPEN_FOUR] else 0
        countermove = 0
        if ply > 0 and self.ply_move[ply - 1]:
            countermove = self.reply[self.ply_move[ply - 1] * 2 + side]
        for i in range(n):
            cell = self.moves[base + i]
            sums = self.line_sums[cell]
            a = self.number_of[(sums >> (SUM_BITS * side)) & SUM]
            b = self.number_of[(sums >> (SUM_BITS * (1 - side))) & SUM]
            urgency = self.own_policy[a] + self.foe_policy[b]
            urgency += self.both_policy[pairs + self.class_of[a] * CELL_CLASSES + self.class_of[b]]
            urgency += self.history[cell * 2 + side] >> HISTORY_SHIFT
            if cell == first:
                urgency += TABLE_MOVE_URGENCY
            elif cell == self.killer[ply * 2] or cell == self.killer[ply * 2 + 1]:
                urgency += KILLER_URGENCY
            if cell == countermove:
                urgency += COUNTERMOVE_URGENCY
            self.urgency[base + i] = urgency * (PLACE + 1) + PLACE - i  # as `rank` does

    def evaluate(self, side: int) -> int:
        """Return the evaluation for the side to move: weighted sum plus network correction."""
        facts = self.facts_of(side)
        value = (self.weighted(side, facts) * self.factor) >> FACTOR_SHIFT
        value += self.corrected(side, facts)
        if value > MAX_EVALUATION:
            return MAX_EVALUATION
        return -MAX_EVALUATION if value < -MAX_EVALUATION else value

    def weighted(self, side: int, facts: int) -> int:
        value = self.sums[4] >> COUNT_BITS
        value = (-value if side else value) + TEMPO
        if facts & OWN_FOURS:
            value += OWN_FOUR
        if facts & OWN_DOUBLE_THREES:
            value += OWN_DOUBLE_THREE
        if facts & OWN_THREES:
            value += OWN_THREE
        if facts & FOE_OPEN_FOURS:
            value += FOE_OPEN_FOUR
            if facts & OWN_FOURS:
                value += FOE_OPEN_FOUR_OWN_FOUR
        else:
            if facts & FOE_DOUBLE_THREES:
                value += FOE_DOUBLE_THREE
            if facts & FOE_FOURS:
                value += FOE_FOUR
        return value

    def facts_of(self, side: int) -> int:
        """Return facts about threats as bits, such as OWN_FOURS if `side` can make a four."""
        own = side * CELL_CLASSES
        foe = CELL_CLASSES - own
        own_fours = self.fours(side)
        foe_fours = self.fours(1 - side)
        own_double = self.count[own + CELL_DOUBLE_THREE]
        foe_double = self.count[foe + CELL_DOUBLE_THREE]
        own_threes = self.count[own + CELL_THREE] + self.count[own + CELL_THREE_PLUS]
        foe_threes = self.count[foe + CELL_THREE] + self.count[foe + CELL_THREE_PLUS]
        open_fours = self.count[foe + CELL_OPEN_FOUR]
        facts = 1
        if own_fours > 0:
            facts |= OWN_FOURS
        facts |= (own_fours > 2) << 2
        if own_double > 0:
            facts |= OWN_DOUBLE_THREES
        if own_threes > 0:
            facts |= OWN_THREES
        facts |= (own_threes + own_double > 1) << 5
        if open_fours > 0:
            facts |= FOE_OPEN_FOURS
        facts |= (open_fours > 1) << 7
        if foe_double > 0:
            facts |= FOE_DOUBLE_THREES
        if foe_fours > 0:
            facts |= FOE_FOURS
        facts |= (foe_fours > 2) << 10
        facts |= (foe_threes + foe_double > 0) << 11
        facts |= (foe_threes + foe_double > 1) << 12
        return facts

    def corrected(self, side: int, facts: int) -> int:
        some = facts & (FEW_SETS - 1)
        others = FEW_SETS + (facts >> FACTS_TOGETHER)
        for j in range(HIDDEN):
            self.biases[j] = self.fact_weights[some * HIDDEN + j]
            self.biases[j] += self.fact_weights[others * HIDDEN + j]
        # A word packs four sums of 16 bits. A negative sum has borrowed 1 from the next sum. Give
        # the 1 back.
        for i in range(FEATURE_WORDS):
            word = self.sums[(2 * side + i) & (FEATURE_WORDS - 1)]
            self.inputs[i] = (word + FOUR_HALVES) ^ FOUR_HALVES
        value = layer(self.inputs, self.sum_weights, self.biases, self.outputs, HIDDEN)
        return self.situation[some] + self.situation[others] + value

    def quiescence(self, side: int, ply: int, beta: int) -> int:
        value = self.evaluate(side)
        if value < beta and self.has_rich_fours(side):
            win = self.fours_value(side, ply)
            if win != UNKNOWN:
                return win
        return value

    def fours_value(self, side: int, ply: int) -> int:
        self.fours_limit = self.nodes + QUIESCENCE_NODES
        found = self.vcf(side, ply, QUIESCENCE_PLIES, True)
        return WIN - (ply + found) if found else UNKNOWN

    def table_value(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value just found in the table if this value decides the node; else UNKNOWN."""
        value = from_table(self.table.value, ply)
        bound = self.table.bound
        if value >= PROVEN and bound & LOWER:
            return value
        if value <= -PROVEN and bound & UPPER:
            return value
        if beta - alpha == 1 and self.table.draft >= depth + DRAFT_OFFSET:
            if bound == EXACT:
                return value
            if bound == LOWER and value >= beta:
                return value
            if bound == UPPER and value <= alpha:
                return value
        return UNKNOWN

    def reduction_of(self, depth: int, number: int) -> int:
        return self.reduction[min(depth, REDUCTIONS - 1) * REDUCTIONS + min(number, REDUCTIONS - 1)]

    def is_improving(self, evaluation: int, ply: int) -> bool:
        before = UNKNOWN
        if ply >= 2:
            before = self.ply_evaluation[ply - 2]
            if before == UNKNOWN and ply >= 4:
                before = self.ply_evaluation[ply - 4]
        return before == UNKNOWN or evaluation > before

    def has_rich_fours(self, side: int) -> bool:
        """Return True if some mark makes a four on one line, and at least a two on another line.

        Other fours seldom win.
        """
        own = side * CELL_CLASSES
        return self.count[own + CELL_FOUR_PLUS] + self.count[own + CELL_FOUR_THREE] > 0

    def pvs(self, side: int, depth: int, alpha: int, beta: int, ply: int, null: bool) -> int:
        """Return the value for the side to move: principal variation search, fail-soft.

        `null`: whether a null move may be tried.

        What the steps gain:

        - nodes: the nodes without the step, divided by the nodes with the step
          (`benchmarks.engine.steps` at commit 1ef92bab: 40 openings to depth 11)
        - commit: the commit that added the step; 07bdf468 if blank
        - Elo: the gain when the step was added, in games at 60,000 nodes a move

          step                          nodes  commit    Elo
             3  fours only below beta          6c5c5e5e
             5  known move first        1.74
             6  improving               1.27   1e3959a8
             7  internal reduction      1.30   1e3959a8
          6, 7  together                       1e3959a8  47
             9  reverse futility        6.96
         3, 10  win by fours            0.91
            10  fours near the last mark       c4484b6a  44
            12  futility                1.20
            13  null move               0.99
            14  late-move pruning       2.93
            14  `losing_limit`          1.00   e226574a
            15  policy                         87ba7eb4  28
            15  killers                 0.93
            15  countermove             1.01
            15  history                 0.94
            16  FEW_DEFENCES            0.65   e226574a
            17  late-move reduction     2.60
            18  refutations             1.01   e226574a
        """
        assert -UNKNOWN <= alpha < beta <= UNKNOWN
        assert depth < DEPTHS
        assert 0 <= ply <= LAST_PLY + 1

        # Step 1. Count the node, and stop at a limit.
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        self.pv_end[ply] = ply
        if self.stopped:
            return 0

        # Step 2. Static win: return a value that is known without a search.
        value = self.static_win(side, ply)
        if value != UNKNOWN:
            return value
        foe = 1 - side
        forced = self.count[foe * CELL_CLASSES + CELL_FIVE] > 0
        threatened = self.count[foe * CELL_CLASSES + CELL_OPEN_FOUR] > 0

        # Step 3. Leaf: at depth 0, evaluate, unless the move is forced. If the evaluation is below
        # beta, look for a win by fours. Such searches at the other leaves took six tenths of all
        # nodes, and could not change the result.
        if depth <= 0 and not forced:
            return self.quiescence(side, ply, beta)
        if ply > LAST_PLY:
            return self.evaluate(side)

        # Step 4. Win-distance pruning: return if even the soonest possible win is worth at most
        # alpha, or if even the soonest possible loss is worth at least beta.
        if WIN - (ply + NEXT_WIN) <= alpha:
            return WIN - (ply + NEXT_WIN)
        if -(WIN - (ply + NEXT_LOSS)) >= beta:
            return -(WIN - (ply + NEXT_LOSS))

        # Step 5. Transposition table: return a proven value. Off the principal variation, also
        # return a value from a deep enough search. Otherwise take the evaluation from the table,
        # and try the table's move first.
        pv_node = beta - alpha > 1
        quiet = not forced and not threatened
        key = self.key(side)
        known = self.table.find(key)
        first = 0
        evaluation = 0  # not used under a threat
        if known:
            self.table_hits += 1
            value = self.table_value(depth, alpha, beta, ply)
            if value != UNKNOWN:
                return value
            first = self.table.move
            evaluation = self.table.evaluation
        elif quiet:
            evaluation = self.evaluate(side)
        self.ply_evaluation[ply] = evaluation if quiet else UNKNOWN

        # Step 6. Improving: if the evaluation has risen since the side's previous turn, step 9
        # prunes more nodes, and step 14 prunes fewer moves. An unknown earlier evaluation
        # counts as lower.
        improving = self.is_improving(evaluation, ply)

        # Step 7. Internal iterative reduction: without a move from the table, search one ply less
        # deep, because the moves are poorly ordered.
        if quiet and first == 0 and depth >= INTERNAL_REDUCTION_DEPTH:
            depth -= 1

        base = ply * STRIDE
        limit = ALL_MOVES
        losing_limit = ALL_MOVES
        if forced:
            # Step 8. Forced move: try only the cell where the opponent would complete a line.
            self.moves[base] = self.first_of(foe, FIVES)
            self.rank(base, 0, 0)
            n = 1
        else:
            prunable = not pv_node and not threatened
            if beta <= -MAX_EVALUATION or beta >= MAX_EVALUATION:
                prunable = False

            # Step 9. Reverse futility: near the leaves, an evaluation far above beta ends the
            # search of the node.
            if (
                prunable
                and depth <= REVERSE_FUTILITY_DEPTH
                and evaluation - self.reverse_futility[depth] + IMPROVEMENT * improving >= beta
            ):
                return evaluation

            # Step 10. Win by fours: look for a win by fours only if the table does not have the
            # position yet.
            if not known and self.has_rich_fours(side):
                value = self.fours_value(side, ply)
                if value != UNKNOWN:
                    return value
                if self.stopped:
                    return 0

            if threatened:
                # Step 11. Defences: under a threat of an open four, try only the moves that answer
                # the threat. If there is no such move, the side loses.
                n = self.list_defences(side, base)
                if n == 0:
                    return -(WIN - (ply + NEXT_LOSS))
            else:
                # Step 12. Futility: near the leaves, an evaluation far below alpha ends the search
                # of the node.
                if (
                    prunable
                    and depth <= FUTILITY_DEPTH
                    and evaluation + self.futility[depth] <= alpha
                ):
                    return evaluation

                # Step 13. Null move: if the evaluation is at least beta, search a pass to a smaller
                # depth. If the pass is worth at least beta, the search of the node ends. Two null
                # moves never follow each other.
                if prunable and null and depth >= NULL_MOVE_DEPTH and evaluation >= beta:
                    self.ply_move[ply] = 0
                    value = -self.pvs(foe, self.null_depth[depth], -beta, 1 - beta, ply + 1, False)
                    if self.stopped:
                        return 0
                    if value >= beta:
                        return value if value < CERTAIN else beta

                # Step 14. Candidates and late-move pruning: off the principal variation, try only
                # the `limit` most urgent cells near the marks. While every tried move loses,
                # `losing_limit` replaces `limit`.
                n = self.list_candidates(base)
                losing_limit = self.losing_moves[depth]
                if pv_node:
                    losing_limit *= 2
                else:
                    limit = self.late_moves[depth]
                    if not improving:
                        limit -= limit * FEWER_MOVES // 100

            # Step 15. Order: first the table's move, then the other moves by points. The policy and
            # the history give points. Killers and the countermove get extra points.
            self.rank_moves(side, ply, n, first)
        complete = not quiet
        return self.search_moves(
            side, depth, alpha, beta, ply, n, limit, losing_limit, forced, complete, key, evaluation
        )

    def search_moves(
        self,
        side: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        n: int,
        limit: int,
        losing_limit: int,
        forced: bool,
        complete: bool,
        key: int,
        evaluation: int,
    ) -> int:
        """Search the listed moves of a node, and store the result: the second half of `pvs`.

        Args:
            n: how many moves are listed.
            limit: how many moves to try.
            losing_limit: replaces `limit` while every tried move loses.
            forced: whether the node has only the forced move of step 8.
            complete: whether all moves that do not lose at once are listed.
        """
        foe = 1 - side
        base = ply * STRIDE
        pv_node = beta - alpha > 1
        best = -UNKNOWN
        best_cell = 0
        floor = alpha

        # Step 16. Extension: a forced move costs no depth. An answer to a threat costs no depth if
        # there are at most FEW_DEFENCES answers.
        deeper = depth - 1
        if forced or (complete and n <= FEW_DEFENCES):
            deeper = depth

        for i in range(n):
            cell = self.pick(base, i, n)
            if i >= (limit if best > -CERTAIN else losing_limit):
                break
            makes = self.class_at(cell, side)
            self.ply_move[ply] = cell
            self.make(cell, side)
            if i == 0:
                value = -self.pvs(foe, deeper, -beta, -alpha, ply + 1, True)
            else:
                # Step 17. Late-move reduction: search later moves less deep. If the move makes a
                # three or more, halve the reduction. On the principal variation, reduce by one ply
                # less. Under a threat, do not reduce.
                less = 0
                if depth >= LATE_MOVE_DEPTH and not complete:
                    less = self.reduction_of(depth, i)
                    if makes >= CELL_THREE:
                        less = less // 2
                    if pv_node and less > 0:
                        less -= 1
                    if less > deeper:
                        less = deeper
                value = self.search_late(foe, deeper, less, alpha, beta, ply + 1)
            self.unmake()
            if self.stopped:
                return 0

            # Step 18. Refutations: if one of the first moves loses, give points to the cells of the
            # variation that refutes the move. Then these cells are tried sooner.
            if value <= -CERTAIN and i < REFUTED_MOVES and not complete:
                self.learn_refutation(base, i + 1, n, ply + 1)

            # Step 19. Keep the best move. A value of at least beta ends the search of the node.
            if value > best:
                best = value
                best_cell = cell
                if value > alpha:
                    alpha = value
                    if pv_node or value >= PROVEN:
                        self.take_pv(ply, cell)
                    if value >= beta:
                        self.cutoffs += 1
                        if not forced:
                            self.update_history(side, ply, depth, base, i)
                        break

        # Step 20. Presumed loss: a loss is presumed, not proven, because some cells may be untried.
        if not complete and best <= -PROVEN:
            best = -(PRESUMED - (WIN + best))

        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= floor:
            bound = UPPER
        value = to_table(best, ply)
        self.table.store(key, value, evaluation, best_cell, depth + DRAFT_OFFSET, bound)
        return best

    def search_late(self, side: int, depth: int, less: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value of the move just made, for the side that made the move.

        - Search to the depth minus `less`, in the window from alpha to alpha + 1.
        - If the value is above alpha, search to the full depth.
        - If the value is still above alpha, but below beta, search in the full window.

        Args:
            side, depth, ply: of the position after the move, as in `pvs`.
            alpha, beta: the window, from the view of the side that made the move.
        """
        value = -self.pvs(side, depth - less, -alpha - 1, -alpha, ply, True)
        if value > alpha and less > 0:
            value = -self.pvs(side, depth, -alpha - 1, -alpha, ply, True)
        if alpha < value < beta:
            value = -self.pvs(side, depth, -beta, -alpha, ply, True)
        return value

    def learn_refutation(self, base: int, first: int, n: int, ply: int) -> None:
        for i in range(ply, self.pv_end[ply]):
            cell = self.pv[ply * STRIDE + i]
            for j in range(first, n):
                if self.moves[base + j] == cell:
                    self.urgency[base + j] += REFUTATION_URGENCY * (PLACE + 1)
                    break

    def update_history(self, side: int, ply: int, depth: int, base: int, number: int) -> None:
        assert depth > 0
        cell = self.moves[base + number]
        bonus = self.bonus[depth]
        if self.killer[ply * 2] != cell:
            self.killer[ply * 2 + 1] = self.killer[ply * 2]
            self.killer[ply * 2] = cell
        if ply > 0 and self.ply_move[ply - 1]:
            self.reply[self.ply_move[ply - 1] * 2 + side] = cell
        for i in range(number + 1):
            cell = self.moves[base + i] * 2 + side
            if i == number:
                self.history[cell] += bonus - ((self.history[cell] * bonus) >> HISTORY_DECAY)
            else:
                self.history[cell] -= bonus + ((self.history[cell] * bonus) >> HISTORY_DECAY)

    def root(self, side: int, depth: int, alpha: int, beta: int) -> int:
        n = self.root_count
        best = -UNKNOWN
        # Step 1. Count the node. A single root move costs no depth.
        self.nodes += 1
        self.pv_end[0] = 0
        self.root_tried = 0
        deeper = depth - 1 if n > 1 else depth
        i = 0
        while i < n:
            cell = self.root_move[i]
            self.ply_move[0] = cell
            makes = self.class_at(cell, side)
            self.make(cell, side)
            if best == -UNKNOWN:
                value = -self.pvs(1 - side, deeper, -beta, -alpha, 1, True)
            else:
                # Step 2. Late-move reduction, as in step 17 of `pvs`, but smaller and for fewer
                # moves.
                less = 0
                if (
                    depth >= ROOT_LATE_MOVE_DEPTH
                    and i >= ROOT_FULL_MOVES
                    and not self.root_complete
                ):
                    less = self.reduction_of(depth, i)
                    if less > 0:
                        less -= 1
                    if makes >= CELL_THREE:
                        less = 0
                    if less > deeper:
                        less = deeper
                value = self.search_late(1 - side, deeper, less, alpha, beta, 1)
            self.unmake()
            if self.stopped:
                return best
            # Step 3. Move the best move so far to the front.
            if value > best:
                best = value
                if value > alpha or i == 0:
                    self.take_pv(0, cell)
                    for j in range(i, 0, -1):
                        self.root_move[j] = self.root_move[j - 1]
                    self.root_move[0] = cell
                if value > alpha:
                    alpha = value
                if value >= beta:
                    self.cutoffs += 1
                    return best
            i += 1
            self.root_tried = i
            if i == n and not self.root_complete and best <= -PROVEN:
                # Step 4. If all cells near the marks lose, try the rest of the board too, to prove
                # the loss.
                for j in range(n):
                    self.moves[j] = self.root_move[j]
                n = self.list_everywhere(0, n)
                for j in range(self.root_count, n):
                    self.root_move[j] = self.moves[j]
                self.root_count = n
                self.root_complete = True
        return best

    def proof_key(self, side: int, winner: int) -> int:
        return self.threats_key(side, winner) ^ (self.fours_hash >> 1)

    def prove(self, side: int, winner: int, depth: int, ply: int) -> int:
        """Return within how many plies the winner wins against every defence; 0 if unproven.

        Some of the winner's moves are tried, and all of the loser's that do not lose at once:

        - If the winner could complete a line, every move but the one on that cell loses in 2 plies.
        - If the winner could make an open four, every move but the defences loses in 4 plies.

        So no defence lasts longer than the number returned, even if only exactly k in a row win.
        The table keeps the results of `prove` under keys of their own, because other values in the
        table are no strict bounds: a number of plies, or 0 and the depth of the failed attempt.
        """
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        if self.stopped or ply > LAST_PLY:
            return 0
        # Step 1. Return what the counts of threats decide.
        attacks = side == winner
        value = self.static_win(side, ply)
        if value != UNKNOWN:
            if not attacks:
                value = -value
            return WIN - ply - value if value >= PROVEN else 0
        # Step 2. Return what the table has. Otherwise try first the move of an earlier attempt,
        # else the winning move of the main search, else the winner's answer to the reply before.
        key = self.proof_key(side, winner)
        first = 0
        if self.table.find(key):
            if self.table.value or self.table.draft >= depth + DRAFT_OFFSET:
                return self.table.value
            first = self.table.move
        if first == 0:
            if self.table.find(self.key(side)):
                first = self.table.move
            if attacks and self.killer[ply * 2] and not (first and self.table.value > CERTAIN):
                first = self.killer[ply * 2]
        # Step 3. Winner: look for a win by fours.
        if attacks and self.has_rich_fours(side):
            self.fours_limit = self.nodes + PROOF_FOURS_NODES
            value = self.vcf(side, ply, QUIESCENCE_PLIES, True)
            if value:
                self.table.store(key, value, 0, self.pv[ply * STRIDE + ply], 255, LOWER)
                return value
        # Step 4. List the moves. If all replies near the marks lose, step 5 lists all others.
        foe = 1 - side
        forced = self.count[foe * CELL_CLASSES + CELL_FIVE] > 0
        threatened = self.count[foe * CELL_CLASSES + CELL_OPEN_FOUR] > 0
        base = ply * STRIDE
        if forced:
            self.moves[base] = self.first_of(foe, FIVES)
            self.rank(base, 0, 0)
            n = 1
        elif depth == 0:
            return 0
        else:
            n = self.list_defences(side, base) if threatened else self.list_candidates(base)
            self.rank_moves(side, ply, n, first)
        # Step 5. Try the moves: winner until one wins, loser until one may not lose.
        longest = 4 if threatened and not forced and not attacks and n < self.empty else 0
        complete = forced or threatened
        deeper = depth if forced or (complete and n <= FEW_DEFENCES) else depth - 1
        best = 0
        i = 0
        while i < n and not (attacks and i >= self.late_moves[depth]):
            cell = self.pick(base, i, n)
            # Search late moves less deep. If a late reply then does not lose, search it again.
            less = 0
            if not complete:
                less = min(deeper, 2 * self.reduction_of(depth, i))
            self.ply_move[ply] = cell
            self.make(cell, side)
            plies = self.prove(foe, winner, deeper - less, ply + 1)
            if plies == 0 and less > 0 and not attacks:
                plies = self.prove(foe, winner, deeper, ply + 1)
            self.unmake()
            if self.stopped:
                return 0
            if attacks == (plies > 0):
                longest = plies + 1 if attacks else 0
                best = cell
                if not forced:
                    self.update_history(side, ply, depth, base, i)
                break
            if plies + 1 >= longest and not attacks:
                longest = plies + 1
                best = cell
            i += 1
            if i == n and not attacks and not complete:
                complete = True
                n = self.list_everywhere(base, n)
                for j in range(i, n):
                    self.rank(base, j, 0)
        draft = 255 if longest else depth + DRAFT_OFFSET
        self.table.store(key, longest, 0, best, draft, LOWER)
        return longest
