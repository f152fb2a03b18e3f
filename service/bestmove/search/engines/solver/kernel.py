# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: disallow-any-unimported=False, warn-return-any=False
# mypy: disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""Decides whether one side, the attacker, can complete a line within n plies against any defence.

The board has up to 64 cells. This is plain Python; `kernel.pxd` has the C types for Cython.
Compiled, the search runs without the GIL. Both forms visit the same nodes.

A live line of a side is a line that the side can still complete. Two rules prove without a search
that the attacker cannot win:

- Potential (Erdős and Selfridge 1973): a line with c empty cells weighs 2^-c, so a completed line
  weighs 1. The potential is the weight of all the attacker's live lines. If the potential is below
  1 on the defender's turn, the defender keeps it below 1. He always marks the cell whose lines
  weigh most.
- Pairs (Hales and Jewett 1963): a line may get two of its empty cells as its pair. No cell is in
  two pairs. If the attacker marks one cell of a pair, the defender marks the other. So the attacker
  never completes a line that has a pair.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.game import Rules
from bestmove.search import declared
from bestmove.search.engines.solver.live_lines import LiveLines
from bestmove.search.engines.solver.live_lines import compiled as _lines_compiled
from bestmove.search.engines.solver.parameters import (
    ATTACKER_TURN,
    DEFENDER_TURN,
    FOREVER,
    NEVER,
    NULL_PLIES,
    ONE,
    STOPPED,
)
from bestmove.search.engines.solver.table import Table

compiled: bool = declared.is_compiled(__file__, _lines_compiled)

if not cython.compiled:
    from bestmove.search.common.bits import trailing_zeros

# Plain Python reads the constants of live_lines.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

UNDECIDED = STOPPED - 1
WORD = 0xFFFFFFFFFFFFFFFF

# The search tries the table's move first, then the move in `_killer`, then the moves that
# `_look_ahead` has ranked. All other moves follow by weight. `_look_ahead` may lower the rank of
# the move in `_killer`.
TABLE_RANK = 1 << 62
KILLER_RANK = 1 << 61
AHEAD_RANK = 1 << 60


def _unit(cell: int) -> int:
    one = 1
    return one << cell


def _lowest(cells: int) -> int:
    assert cells
    return cells & (~cells + 1)


def _count(word: int) -> int:
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count


class SolverKernel(LiveLines):
    """Searches boards of one size, one position at a time.

    A group is a set of lines that can share one pair of cells. Arrays without the index `ply` hold
    values of the current node:

        _best[ply]               the best move
        _zone[ply]               a set of cells: a proven win needs no others
        _killer[ply]             the last move that `_look_ahead` found
        _moves[ply*CELLS + i]    the moves to try
        _score[ply*CELLS + i]    the ranks of these moves
        _attack_weight[cell]     the weight of the attacker's lines through the cell
        _defence_weight[cell]    the weight of the defender's lines through the cell
        _open_weight[cell]       like _attack_weight, but only of lines without a pair
        _common[cell]            the empty cells that are in every live line through the cell
        _owner[cell]             the group that has the cell in its pair
        _allowed[group]          the empty cells that all lines of the group share
        _group_weight[group]     the weight of the group's lines
        _paired[group]           2 if the group has a pair, 1 if none was found, 0 if not tried yet
        _group[i]                the group of the attacker's live line i, or -1
    """

    def __init__(self, rows: int, columns: int, k: int, table_bits: int = 20) -> None:
        rules = Rules.of(rows, columns, k)
        super().__init__(rules)
        self._all = WORD >> (64 - rules.size)
        self._table = Table(rules.geometry.symmetries, table_bits)
        if not compiled:
            declared.make_arrays(self, __file__)

    # -- transposition table ---------------------------------------------------------------

    def _find(self, ply: int, turn: int) -> bool:
        # The key has the empty cells of all live lines, and each side's marks in that side's live
        # lines. Other cells do not matter.
        empty = self._cells[2 * ply] | self._cells[2 * ply + 1]
        p = (self._attacker[ply] & self._full[2 * ply]) | empty
        q = (self._defender[ply] & self._full[2 * ply + 1]) | empty
        if not self._table.find(ply, p, q, turn | self._blocks_only << 1):
            return False
        self._zone[ply] = self._table.zone
        self.table_hits += 1
        return True

    def _store(self, ply: int, turn: int, win: int, no_win: int, move: int, before: int) -> None:
        turn |= self._blocks_only << 1
        spent = self.nodes - before
        self._table.store(ply, turn, win, no_win, move, self._zone[ply], spent)

    def _store_none(self, ply: int, turn: int, value: int, n: int, move: int, before: int) -> int:
        """Store and return `value`: NEVER, or 0 for no win within n plies.

        `before`: the value of `nodes` at the start of this node.
        """
        self._store(ply, turn, 0, FOREVER if value == NEVER else n, move, before)
        return value

    # -- the search ------------------------------------------------------------------------

    def _weigh(self, row: int, at_most: int, defender: bool) -> int:
        """Return the weight of a side's lines with up to `at_most` empty cells.

        Also set the side's weight of each cell, and update `_common`. Call this for the attacker
        first, then for the defender: the attacker's call resets `_common`.
        """
        total = 0
        base = row * LINES
        weights = self._attack_weight
        if defender:
            weights = self._defence_weight
        for i in range(CELLS):
            weights[i] = 0
            if not defender:
                self._common[i] = WORD
        for i in range(base, base + self._live[row]):
            c = self._left[i]
            weight = self._weight[c] if c <= at_most else 0
            total += weight
            line = r = self._rest[i]
            while r:
                low = _lowest(r)
                r ^= low
                cell = trailing_zeros(low)
                weights[cell] += weight
                self._common[cell] &= line
        return total

    def _surpassed_by(self, cell: int) -> int:
        """Return the bit of another cell that is in every live line through `cell`; 0 for none.

        The other cell is at least as good for either side, so `cell` need not be tried
        (Maker-Breaker domination). Of several cells in the same lines, the lowest is tried.
        """
        bit = _unit(cell)
        better = self._common[cell] & ~bit
        while better:
            low = _lowest(better)
            better ^= low
            if low < bit or not self._common[trailing_zeros(low)] & bit:
                return low
        return 0

    def _augment(self, group: int) -> bool:
        """Give the group one more cell; return False if that is impossible.

        If no cell is free, take the cell of a group that can get a different cell in exchange.
        """
        free = self._allowed[group] & ~self._seen
        low = free & ~self._taken
        if low:
            low = _lowest(low)
            self._taken |= low
            self._owner[trailing_zeros(low)] = group
            return True
        while free:
            low = _lowest(free)
            self._seen |= low
            cell = trailing_zeros(low)
            if self._owner[cell] != group and self._augment(self._owner[cell]):
                self._owner[cell] = group
                return True
            free = self._allowed[group] & ~self._seen
        return False

    def _split_group(self, base: int, end: int, group: int, groups: int) -> int:
        """Halve a group that got no pair; return the number of groups.

        The lines of one half may share more empty cells, so the half may get a pair.
        """
        lines = 0
        for i in range(end - base):
            if self._group[i] == group:
                lines += 1
        if lines < 2:
            return groups
        lines >>= 1
        self._allowed[group] = self._allowed[groups] = self._all
        self._group_weight[group] = self._group_weight[groups] = 0
        self._paired[group] = self._paired[groups] = 0
        g = group
        for i in range(end - base):
            if self._group[i] == group:
                if lines == 0:
                    g = groups
                lines -= 1
                self._group[i] = g
                self._allowed[g] &= self._rest[base + i]
                self._group_weight[g] += self._weight[self._left[base + i]]
        return groups + 1

    def _group_lines(self, base: int, end: int, reach: int) -> int:
        """Group successive lines of a lane that all share two or more empty cells.

        Return the number of groups. Lines with more than `reach` empty cells get no group.
        """
        groups = 0
        last = -1
        common = 0
        for i in range(base, end):
            if self._left[i] > reach:
                self._group[i - base] = -1
                continue
            r = self._rest[i]
            lane = self._lane[self._line_of[i]]
            weight = self._weight[self._left[i]]
            if lane == last and (common & r) & ((common & r) - 1):
                common &= r
                self._allowed[groups - 1] = common
                self._group_weight[groups - 1] += weight
            else:
                common = r
                self._allowed[groups] = r
                self._group_weight[groups] = weight
                groups += 1
            last = lane
            self._group[i - base] = groups - 1
        return groups

    def _pair_up(self, base: int, end: int, groups: int) -> None:
        """Give each group a pair of cells if possible, the heaviest group first.

        A pair's cells may change later, but a group with a pair keeps a pair (transversal matroids:
        Edmonds and Fulkerson 1965). Set `_paired`, and set `_taken` to the cells of all pairs.
        """
        self._taken = 0
        for g in range(groups):
            self._paired[g] = 0
        while True:
            best = -1
            for g in range(groups):
                if self._paired[g] == 0 and (
                    best < 0 or self._group_weight[g] > self._group_weight[best]
                ):
                    best = g
            if best < 0:
                return
            self._paired[best] = 1
            self._seen = 0
            if self._augment(best):
                self._seen = 0
                if self._augment(best):
                    self._paired[best] = 2
                else:
                    # The group gets no second cell, so release its first cell.
                    for i in range(self.size):
                        if self._taken >> i & 1 and self._owner[i] == best:
                            self._taken ^= _unit(i)
            if self._paired[best] == 1:
                groups = self._split_group(base, end, best, groups)

    def _pairs(self, ply: int, reach: int) -> int:
        """Choose pairs, and return the potential of the lines without a pair.

        The attacker's heaviest move is counted in, and so are cells of pairs, as if the attacker
        had marked them. If the result is below ONE, the attacker cannot complete a line with up to
        `reach` empty cells.
        """
        row = 2 * ply
        base = row * LINES
        end = base + self._live[row]
        total = 0
        most = 0
        self._pair_up(base, end, self._group_lines(base, end, reach))
        for i in range(CELLS):
            self._open_weight[i] = 0
        for i in range(base, end):
            if self._left[i] > reach or self._paired[self._group[i - base]] == 2:
                continue
            r = self._rest[i] & ~self._taken
            weight = self._weight[_count(r)]
            total += weight
            while r:
                low = _lowest(r)
                r ^= low
                self._open_weight[trailing_zeros(low)] += weight
        for i in range(self.size):
            if self._open_weight[i] > most:
                most = self._open_weight[i]
        # `_answered`: moves of the attacker that cannot win, because the potential remains below
        # ONE. Cells of pairs are not included.
        self._answered = 0
        for i in range(self.size):
            if total + self._open_weight[i] < ONE:
                self._answered |= _unit(i)
        self._answered &= ~self._taken
        self._unpaired = total
        return total + most

    def _list(self, ply: int, place: int, cell: int, first: int) -> None:
        self._moves[ply * CELLS + place] = cell
        self._score[ply * CELLS + place] = (
            TABLE_RANK
            if cell == first
            else 2 * self._attack_weight[cell] + self._defence_weight[cell]
        )

    def _next(self, ply: int, i: int, count: int) -> int:
        """Return the next move to try, and swap it into place i.

        The highest rank comes first; of equal ranks, the lowest cell.
        """
        base = ply * CELLS
        best = base + i
        for j in range(base + i + 1, base + count):
            if self._score[j] > self._score[best] or (
                self._score[j] == self._score[best] and self._moves[j] < self._moves[best]
            ):
                best = j
        move = self._moves[best]
        score = self._score[best]
        self._moves[best] = self._moves[base + i]
        self._score[best] = self._score[base + i]
        self._moves[base + i] = move
        self._score[base + i] = score
        return move

    def _fork(self, row: int, threat: int, ply: int) -> bool:
        """Return True if one move makes two lines that each lack one cell.

        If the defender has a `threat`, the move must block it. Also set `_best[ply]` and
        `_zone[ply]`.
        """
        forks = self._forking[row]
        if threat:
            forks &= threat
        while forks:
            bit = _lowest(forks)
            forks ^= bit
            zone = 0
            for i in range(row * LINES, row * LINES + self._live[row]):
                if self._left[i] == 2 and self._rest[i] & bit:
                    if zone and zone != self._rest[i]:
                        self._zone[ply] = zone | self._rest[i]
                        self._best[ply] = trailing_zeros(bit)
                        return True
                    zone = self._rest[i]
        return False

    def _attack(self, ply: int, n: int) -> int:
        """Return what `ask` returns, with the attacker to move.

        For a win, set `_best[ply]` and `_zone[ply]`.

        The ratios of nodes in the comments were measured with six searches (at commit 1ef92bab).
        The searches start from empty boards of 4×4 to 5×5 cells, with k 4 and 5. Four of them use
        `blocks_only`. A step without a ratio was not measured alone.
        """
        assert n > 0
        assert n & 1
        row = 2 * ply
        one = self._winning[row]
        threat = self._winning[row + 1]
        before = self.nodes
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        if self.stopped:
            return STOPPED
        # Step 1. If a line lacks one cell, the attacker completes the line.
        if one:
            one = _lowest(one)
            self._zone[ply] = one
            self._best[ply] = trailing_zeros(one)
            return 1
        # Step 2. Without a live line, the attacker never wins. Nor does he win if the defender can
        # complete a line on either of two cells, because the attacker can block only one.
        if self._live[row] == 0 or threat & (threat - 1):
            return NEVER
        # Step 3. No line lacks just one cell, so a win takes at least three plies. A move that
        # makes two threats wins in three plies. Without the step, 1.03 times as many nodes. Added
        # in commit 2a6e9f3f.
        if n < 3:
            return 0
        if self._fork(row, threat, ply):
            return 3
        if n < 5:
            return 0
        # Step 4. If the defender threatens to complete a line, the attacker must block that line.
        if threat:
            self._play(ply, ATTACKER_TURN, threat)
            value = self._defend(ply + 1, n - 1)
            if value > 0:
                self._best[ply] = trailing_zeros(threat)
                self._zone[ply] = self._zone[ply + 1] | threat
                return value + 1
            return value
        # Step 5. If the potential is below ONE after every move, the attacker cannot win. A move
        # adds the weight of its cell. In n plies the attacker makes (n + 1) / 2 marks, so lines
        # that lack more marks do not count. Without step 5, step 7 saves the same nodes. Added in
        # commit 2a6e9f3f.
        reach = (n + 1) >> 1
        limited = self._longest[row] > reach
        total = self._weigh(row, reach, False)
        most = 0
        for i in range(self.size):
            if self._attack_weight[i] > most:
                most = self._attack_weight[i]
        if total + most < ONE:
            return 0 if limited else NEVER
        # Step 6. Use the table's result if it settles n plies. Without the table, 5.06 times as
        # many nodes; without the table's symmetries, 4.23 times. Added in commit 29e6ad9d.
        first = -1
        if self._find(ply, ATTACKER_TURN):
            first = self._table.move
            if 0 < self._table.win <= n:
                self._best[ply] = first
                return self._table.win
            if self._table.no_win == FOREVER:
                return NEVER
            if self._table.no_win >= n:
                return 0
        # Step 7. If pairs and the potential prove that the attacker cannot win, stop. Without the
        # step, 1.17 times as many nodes. Added in commit 29e6ad9d; a matching finds the pairs since
        # commit 6cf09346.
        if self._pairs(ply, reach) < ONE:
            return self._store_none(ply, ATTACKER_TURN, 0 if limited else NEVER, n, -1, before)
        answered = self._answered
        # Step 8. List the moves. The defender makes (n - 1) / 2 marks before the win, so his lines
        # with more empty cells do not count.
        self._weigh(row + 1, (n - 1) >> 1, True)
        count = 0
        for i in range(self.size):
            # Skip a cell if no line through the cell can be completed within n plies.
            if not self._attack_weight[i] and not self._defence_weight[i]:
                continue
            # Skip a move after which the potential or `_pairs` proves that the attacker cannot win.
            # Without this rule, 1.03 times as many nodes.
            if total + self._attack_weight[i] < ONE or answered >> i & 1:
                continue
            # Skip a cell if another cell is at least as good. Step 9 of `_defend` does the same.
            # Without both rules, 1.23 times as many nodes. Added in commit 507b9ce6.
            if self._surpassed_by(i):
                continue
            self._list(ply, count, i, first)
            count += 1
        # Step 9. Try the moves until one wins.
        for i in range(count):
            move = self._next(ply, i, count)
            bit = _unit(move)
            self._play(ply, ATTACKER_TURN, bit)
            value = self._defend(ply + 1, n - 1)
            if value == STOPPED:
                return STOPPED
            if value > 0:
                self.cutoffs += 1
                self._best[ply] = move
                self._zone[ply] = self._zone[ply + 1] | bit
                self._store(ply, ATTACKER_TURN, value + 1, 0, move, before)
                return value + 1
            if value == 0:
                limited = True
        return self._store_none(ply, ATTACKER_TURN, 0 if limited else NEVER, n, -1, before)

    def _defend(self, ply: int, n: int) -> int:
        """Return what `ask` returns, with the defender to move.

        If the attacker wins, set `_zone[ply]`. If not, set `_best[ply]` to a move that prevents the
        win, or to -1.
        """
        assert n >= 0
        assert not n & 1
        row = 2 * ply
        one = self._winning[row]
        before = self.nodes
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        if self.stopped:
            return STOPPED
        self._best[ply] = -1
        # Step 1. The defender completes a line of his own.
        if self._winning[row + 1]:
            self._best[ply] = trailing_zeros(self._winning[row + 1])
            return NEVER
        # Step 2. Without a live line, the attacker never wins.
        if self._live[row] == 0:
            return NEVER
        # The defender moves first, so the attacker's first mark is the second ply.
        if n < 2:
            return 0
        # Step 3. If the attacker can complete a line on either of two cells, the defender can take
        # only one.
        if one & (one - 1):
            bit = _lowest(one)
            one ^= bit
            self._zone[ply] = bit | _lowest(one)
            self._best[ply] = trailing_zeros(bit)
            return 2
        # Step 4. If the attacker can complete a line on one cell, the defender must take the cell.
        # After any other move the attacker wins there, so the zone includes the cell.
        if one:
            self._play(ply, DEFENDER_TURN, one)
            value = self._attack(ply + 1, n - 1)
            self._best[ply] = trailing_zeros(one)
            if value > 0:
                self._zone[ply] = self._zone[ply + 1] | one
                return value + 1
            return value
        # No line lacks just one cell, so a win takes at least four plies.
        if n < 4:
            return 0
        # Step 5. If the potential is below ONE, the defender prevents a win: he marks the heaviest
        # cell. Without the step, 1.03 times as many nodes. Added in commit 2a6e9f3f.
        if self._potential[row] < ONE:
            self._weigh(row, FOREVER, False)
            move = 0
            for i in range(self.size):
                if self._attack_weight[i] > self._attack_weight[move]:
                    move = i
            self._best[ply] = move
            return NEVER
        # Step 6. Table, as in `_attack`.
        first = -1
        if self._find(ply, DEFENDER_TURN):
            first = self._table.move
            self._best[ply] = first
            if 0 < self._table.win <= n:
                return self._table.win
            if self._table.no_win == FOREVER:
                return NEVER
            if self._table.no_win >= n:
                return 0
        # Step 7. Null move (Thomsen's lambda search 2000): let the defender pass. If the attacker
        # still cannot win, every move of the defender prevents a win: one more mark never hurts the
        # defender. Without steps 7 and 8, 1.09 times as many nodes. Added in commit 2a6e9f3f.
        longest = 0
        replies = self._cells[row] | self._cells[row + 1]
        zone = replies
        within = n - 1
        if within > NULL_PLIES:
            within = NULL_PLIES
        self._play(ply, DEFENDER_TURN, 0)
        value = self._attack(ply + 1, within)
        if value == STOPPED:
            return STOPPED
        if value == NEVER or (value == 0 and within == n - 1):
            self._best[ply] = -1
            return self._store_none(ply, DEFENDER_TURN, value, n, -1, before)
        # Step 8. Relevance zone (Wu and Lin 2010): if the pass in step 7 loses, `_zone` has the
        # cells that the attacker's win needs. A move can prevent this win in two places: in the
        # zone, or on a line that the defender can complete before the win. Skip all other moves.
        # Without the step, 1.29 times as many nodes. Added in commit 2a6e9f3f.
        if value > 0:
            longest = value + 1
            zone = self._zone[ply + 1]
            for i in range((row + 1) * LINES, (row + 1) * LINES + self._live[row + 1]):
                if self._left[i] <= longest >> 1:
                    zone |= self._rest[i]
            replies &= zone
        # Step 9. List the moves.
        self._weigh(row, n >> 1, False)
        self._weigh(row + 1, FOREVER, True)
        count = 0
        while replies:
            bit = _lowest(replies)
            replies ^= bit
            i = trailing_zeros(bit)
            better = self._surpassed_by(i)
            # Skip a cell if another cell is at least as good. The zone gets both cells, because
            # the attacker's win after one of the moves may need the other cell.
            if better:
                zone |= bit | better
                continue
            self._list(ply, count, i, first)
            if i != first and i == self._killer[ply]:
                self._score[ply * CELLS + count] += KILLER_RANK
            count += 1
        # Step 10. If the defender only blocks, look for a move after which pairs stop the attacker.
        # Without the step, 1.29 times as many nodes. Added in commit 507b9ce6.
        if self._blocks_only and count > 1:
            value = self._look_ahead(ply, n, count, first)
            if value != UNDECIDED:
                self.cutoffs += 1
                move = self._best[ply]
                self._killer[ply] = move
                return self._store_none(ply, DEFENDER_TURN, value, n, move, before)
        # Step 11. Try the moves until one prevents the win.
        for i in range(count):
            move = self._next(ply, i, count)
            self._play(ply, DEFENDER_TURN, _unit(move))
            value = self._attack(ply + 1, n - 1)
            if value == STOPPED:
                return STOPPED
            if value <= 0:
                self.cutoffs += 1
                self._best[ply] = move
                return self._store_none(ply, DEFENDER_TURN, value, n, move, before)
            if value + 1 > longest:
                longest = value + 1
            zone |= self._zone[ply + 1]
        self._zone[ply] = zone
        self._best[ply] = -1
        self._store(ply, DEFENDER_TURN, longest, 0, -1, before)
        return longest

    def _look_ahead(self, ply: int, n: int, count: int, first: int) -> int:
        """Look for a move after which `_pairs` proves that the attacker cannot win.

        Set `_best[ply]` to this move, and return 0 or NEVER. If there is no such move, rank the
        moves and return UNDECIDED. A low potential of the lines without a pair gives a high rank.
        """
        row = 2 * ply
        for i in range(count):
            move = self._next(ply, i, count)
            self._play(ply, DEFENDER_TURN, _unit(move))
            self.nodes += 1
            # The attacker may win within three plies, so pairs prove nothing.
            if self._winning[row + 2] or self._forking[row + 2]:
                continue
            if self._pairs(ply + 1, n >> 1) < ONE:
                self._best[ply] = move
                return 0 if self._longest[row + 2] > n >> 1 else NEVER
            if move != first:
                self._score[ply * CELLS + i] = AHEAD_RANK - self._unpaired
        return UNDECIDED

    # -- what the solver calls ---------------------------------------------------------------

    def begin(self, deadline: float | None, nodes: int | None) -> None:
        """Begin a search within these limits, with an empty table."""
        self._table.begin()
        self.start(deadline, nodes)

    def ask(
        self, attacker: int, defender: int, turn: int, n: int, end: int, blocks_only: bool = False
    ) -> int:
        """Search for a win of the attacker within n plies, whatever the defender does.

        Args:
            attacker, defender: the marks of each side. Neither side may have a line.
            turn: ATTACKER_TURN or DEFENDER_TURN.
            n: odd if the attacker is to move, else even; at most FOREVER.
            end: the value of `nodes` at which to stop.
            blocks_only: whether the defender may only block: the defender's lines do not count.

        Returns:
            - A number from 1 to n: the plies of a win. A shorter win may exist.
            - 0: there is no win within n plies.
            - NEVER: there is no win at all.
            - STOPPED: the search was stopped.
        """
        for i in range(PLIES):
            self._killer[i] = -1
        self._blocks_only = blocks_only
        self._place(attacker, defender)
        self.slice(end)
        with cython.nogil:
            return self._attack(0, n) if turn == ATTACKER_TURN else self._defend(0, n)

    @property
    def best(self) -> int:
        """Return the move that `ask` found.

        The attacker's move is a winning move if `ask` found a win. The defender's move prevents a
        win if `ask` found no win. The defender's move may be -1:

        - after NEVER: every move of the defender prevents a win.
        - after 0: `ask` does not say which move prevents a win within n plies.
        """
        return self._best[0]

    def weights(self, attacker: int, defender: int) -> list[int]:
        """Return the weight of the attacker's live lines through each cell."""
        self._place(attacker, defender)
        self._weigh(0, FOREVER, False)
        return list(self._attack_weight)
