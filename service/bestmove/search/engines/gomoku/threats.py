# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: disallow-any-unimported=False, warn-return-any=False
# mypy: disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""Find wins by threats in three ways.

- `static_threat` does not search. It looks at the number of cells where a mark makes a threat.
- `vcf` searches fours.
- `vct` searches fours and threes.

Plain Python; `threats.pxd` declares the types in C. The compiled searches run without the GIL.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.search import declared
from bestmove.search.engines.gomoku import parameters, weights
from bestmove.search.engines.gomoku.parameters import (
    PROVEN,
    THREE_PROOF,
    THRESHOLD_SHIFT,
    UNKNOWN,
    VCF_PLIES,
)
from bestmove.search.engines.gomoku.patterns import (
    CELL_FIVE,
    CELL_FOUR,
    CELL_FOUR_PLUS,
    CELL_FOUR_THREE,
    CELL_OPEN_FOUR,
    CELL_THREE,
    FIVES,
    FOUR,
    FOURS,
    OPEN_FOURS,
    THREES,
)
from bestmove.search.engines.gomoku.position import Position
from bestmove.search.engines.gomoku.table import EXACT, Table
from bestmove.search.scores import WIN

compiled: bool = declared.is_compiled(__file__)

if not cython.compiled:
    from bestmove.search.common.bits import trailing_zeros

# Plain Python reads the constants of position.pxd and threats.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

NUMBERS = (1 << 20) - 1  # infinity


class ThreatSearch(Position):
    """A position, and the searches for a win by threats.

    Arrays of the search:

        moves[ply*STRIDE + i]   the cells to try at the ply
        urgency[ply*STRIDE + i] the sort key of this cell, largest first: the high bits say how
                                urgent the cell is, the low bits are PLACE - i
        pv[ply*STRIDE + p]      the move at ply p of the principal variation from `ply` on
        pv_end[ply]             the ply after the last move of this variation
        stamp[cell]             scratch memory of the functions that list moves; 0 between calls
        own_urgency[number]     the urgency of a four on a cell where the attacker has the classes
                                `patterns.COMBINATIONS[number]`

    Limits and results:

        fours_limit             the node count at which `vcf` stops
        threats_limit           the node count at which `vct` stops
        proof, disproof         the numbers that the last call of `vct` found

    Args:
        rows, columns, k, overline: as in Position.
        table_bits: the transposition table has 2**table_bits entries of 16 bytes.
    """

    def __init__(
        self, rows: int, columns: int, k: int, table_bits: int, overline: bool = True
    ) -> None:
        super().__init__(rows, columns, k, overline)
        if not compiled:
            declared.make_arrays(self, __file__)
        self.table = Table(table_bits)
        classes, of_cells = weights.cell_tables()
        for i, of in enumerate(classes):
            self.own_urgency[i] = of_cells[i] + parameters.OWN_URGENCY[of]
        self.fours_limit = self.threats_limit = 0
        self.proof = self.disproof = 0

    def begin(
        self, cells: bytes, deadline: float | None, nodes: int | None, keep: bool = False
    ) -> None:
        """Set up a position for a new search.

        If `keep`, the search also uses the table's entries from earlier searches.
        """
        self.set_up(cells)
        if self.empty == 0:
            raise ValueError("the board is full")
        for i in range(PLACES):
            self.stamp[i] = 0
        self.table.begin(keep)
        self.start(deadline, nodes)

    def line(self) -> list[int]:
        """Return the principal variation of the last search, as cell indices."""
        return [self.index_of(self.pv[i]) for i in range(self.pv_end[0])]

    def static_value(self, side: int) -> int:
        """Return the mover's value if it is known without a search; otherwise UNKNOWN."""
        return self.static_win(side, 0)

    def fours_win(self, side: int, plies: int, most_nodes: int) -> int:
        """Return the plies of a win by continuous fours; 0 if none is found within `plies` plies.

        The search stops when `nodes` reaches `most_nodes`. `line()` returns the moves of the win.
        """
        self.fours_limit = most_nodes
        with cython.nogil:
            return self.vcf(side, 0, plies, False)

    def threats_win(self, side: int, most_nodes: int) -> int:
        """Return the index of the first move of a win by fours and threes; -1 if none is proven.

        The search stops when `nodes` reaches `most_nodes`. Afterwards, a `disproof` of 0 means that
        no such win exists.
        """
        self.threats_limit = self.fours_limit = most_nodes
        with cython.nogil:
            self.vct(side, side, 0, NUMBERS, NUMBERS)
        if self.proof:
            return -1
        key = self.threats_key(side, side)
        n = self.list_attacks(side, 0)
        for i in range(n):
            cell = self.moves[i]
            child = key ^ self.zobrist[cell * 2 + side] ^ self.side_hash
            if self.table.find_numbers(child) and self.table.proof == 0:
                return self.index_of(cell)
        return -1

    def first_of(self, side: int, group: int) -> int:
        """Return the first cell of a side's group; 0 (a wall) if the group is empty."""
        for i in range(self.words):
            if self.group[(side * GROUPS + group) * WORDS + i]:
                return (i << 6) + trailing_zeros(self.group[(side * GROUPS + group) * WORDS + i])
        return 0

    def static_threat(self, side: int, ply: int) -> int:
        """Return the proven value if the numbers in `count` decide; otherwise UNKNOWN.

        The value is right even if only exactly k in a row win, because the classes of cells take
        the rule into account.
        """
        own = side * CELL_CLASSES
        foe = CELL_CLASSES - own
        if self.count[own + CELL_FIVE]:
            return WIN - (ply + 1)
        if self.count[foe + CELL_FIVE] > 1:
            # The side cannot win now, and can take only one of the opponent's winning cells.
            return -(WIN - (ply + 2))
        if self.count[foe + CELL_FIVE] == 0:
            if self.count[own + CELL_OPEN_FOUR]:
                # The open four leaves two winning cells. The other side can take only one, and
                # cannot win first.
                return WIN - (ply + 3)
            if (
                self.count[own + CELL_FOUR_THREE]
                and self.fours(1 - side) + self.count[foe + CELL_OPEN_FOUR] == 0
            ):
                # The answer to the four makes no four, and leaves the line of the three free. So
                # the three becomes an open four.
                return WIN - (ply + 5)
        return UNKNOWN

    def static_win(self, side: int, ply: int) -> int:
        """Return 0 if neither side has a live line; otherwise the value of `static_threat`."""
        value = self.static_threat(side, ply)
        if value == UNKNOWN and self.is_dead():
            return 0
        return value

    def fours(self, side: int) -> int:
        """Count the cells where a side's mark makes one four, but no open four."""
        own = side * CELL_CLASSES
        return (
            self.count[own + CELL_FOUR]
            + self.count[own + CELL_FOUR_PLUS]
            + self.count[own + CELL_FOUR_THREE]
        )

    def key(self, side: int) -> int:
        return self.hash ^ self.side_hash if side else self.hash

    def take_pv(self, ply: int, cell: int) -> None:
        assert 0 <= ply < PLIES - 1
        self.pv[ply * STRIDE + ply] = cell
        for i in range(ply + 1, self.pv_end[ply + 1]):
            self.pv[ply * STRIDE + i] = self.pv[(ply + 1) * STRIDE + i]
        self.pv_end[ply] = self.pv_end[ply + 1]
        if self.pv_end[ply] <= ply:
            self.pv_end[ply] = ply + 1

    def rank(self, base: int, i: int, urgency: int) -> None:
        assert 0 <= i <= PLACE
        self.urgency[base + i] = urgency * (PLACE + 1) + PLACE - i

    def pick(self, base: int, i: int, n: int) -> int:
        """Swap move i with the most urgent of moves i to n - 1. Return the most urgent move."""
        assert 0 <= i < n
        first = self.urgency[base + i]
        best = first
        for j in range(i + 1, n):
            best = max(best, self.urgency[base + j])
        place = PLACE - (best & PLACE)
        self.urgency[base + place] = first + i - place
        self.urgency[base + i] = best + place - i
        cell = self.moves[base + place]
        self.moves[base + place] = self.moves[base + i]
        self.moves[base + i] = cell
        return cell

    def list_defences(self, side: int, base: int) -> int:
        """List every move that does not lose at once; return how many.

        The other side can make an open four (or two fours) on each *threat cell*, but cannot
        complete a line. A defence makes a four, or prevents the open fours on all threat cells. Two
        kinds of marks can prevent the open four on a threat cell:

        - a mark on the threat cell
        - a mark at most k - 1 cells away, on a line where the other side would make a four

        A mark farther away never prevents the open four, even if only exactly k in a row win. (Only
        the other side's marks can make that side's row too long.)
        """
        foe = 1 - side
        assert self.count[foe * CELL_CLASSES + CELL_FIVE] == 0
        assert self.count[foe * CELL_CLASSES + CELL_OPEN_FOUR] > 0
        n = 0
        # Step 1. Count in `stamp` how many open fours each move prevents. Stop a move's count at
        # the first open four that the move does not prevent.
        threats = 0
        for i in range(self.words):
            word = self.group[(foe * GROUPS + OPEN_FOURS) * WORDS + i]
            while word:
                x = (i << 6) + trailing_zeros(word)
                word &= word - 1
                threats += 1
                if self.stamp[x] == threats - 1:
                    self.stamp[x] = threats
                    if threats == 1:
                        self.moves[base + n] = x
                        n += 1
                for d in range(4):
                    was = self.line_classes[x * 4 + d]
                    if (was >> (4 * foe)) & 15 < FOUR:
                        continue
                    marks = self.line_marks[self.line_of[x * 4 + d]]
                    shift = self.shift_of[x * 4 + d]
                    for way in range(2):
                        step = 2 * way - 1
                        m = x
                        at = shift
                        for _ in range(self.k - 1):
                            m += step * self.step[d]
                            at += 2 * step
                            if self.board[m] == 0:
                                if self.stamp[m] == threats - 1:
                                    mark = side + 1
                                    found = self.window_classes(marks | (mark << at), shift)
                                    sums = self.line_sums[x] - self.summands[was]
                                    sums += self.summands[found]
                                    makes = self.number_of[(sums >> (SUM_BITS * foe)) & SUM]
                                    makes = self.class_of[makes]
                                    if makes < CELL_OPEN_FOUR:
                                        self.stamp[m] = threats
                                        if threats == 1:
                                            self.moves[base + n] = m
                                            n += 1
                            elif self.board[m] != foe + 1:
                                break
        # Step 2. Keep the moves that prevent all open fours.
        kept = 0
        for i in range(n):
            m = self.moves[base + i]
            if self.stamp[m] == threats:
                self.moves[base + kept] = m
                kept += 1
            else:
                self.stamp[m] = 0
        # Step 3. Add the side's own fours, because the other side must answer a four first.
        for i in range(self.words):
            word = self.group[(side * GROUPS + FOURS) * WORDS + i]
            while word:
                m = (i << 6) + trailing_zeros(word)
                word &= word - 1
                if self.stamp[m] == 0:
                    self.moves[base + kept] = m
                    kept += 1
        for i in range(kept):
            self.stamp[self.moves[base + i]] = 0
        return kept

    def list_attacks(self, side: int, base: int) -> int:
        """List the attacker's fours and threes; return how many.

        If the opponent threatens to complete a line, list only the answer. If the opponent
        threatens an open four, list only the fours and threes from `list_defences`.
        """
        foe = 1 - side
        n = 0
        kept = 0
        if self.count[foe * CELL_CLASSES + CELL_FIVE]:
            self.moves[base] = self.first_of(foe, FIVES)
            return 1
        if self.count[foe * CELL_CLASSES + CELL_OPEN_FOUR]:
            n = self.list_defences(side, base)
            for i in range(n):
                if self.class_at(self.moves[base + i], side) >= CELL_THREE:
                    self.moves[base + kept] = self.moves[base + i]
                    kept += 1
            return kept
        for group in range(FOURS, THREES + 1):
            for i in range(self.words):
                word = self.group[(side * GROUPS + group) * WORDS + i]
                while word:
                    self.moves[base + n] = (i << 6) + trailing_zeros(word)
                    word &= word - 1
                    n += 1
        return n

    def last_mark(self, side: int, ply: int) -> int:
        for i in range(1, min(ply, self.made) + 1):  # `ply` counts null moves, too
            if self.board[self.made_cell[self.made - i]] == side + 1:
                return self.made_cell[self.made - i]
        return 0

    def vcf(self, side: int, ply: int, left: int, near: bool) -> int:
        """Return the plies of a win by continuous fours; 0 if none is found within `left` plies.

        Each move of the attacker makes a four. A four leaves one reply, so any win is proven.

        If `near`, try only fours linked to the attacker's last mark. The main search tried the
        other fours at earlier nodes. Trying these fours again took more than half of all nodes.
        """
        assert 0 <= ply <= LAST_PLY + 2
        # Step 1. Count the node, and stop at a limit.
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        self.pv_end[ply] = ply
        if self.stopped or ply > LAST_PLY:
            return 0
        foe = 1 - side
        # Step 2. If `static_threat` decides, return the plies of the win, or 0 for a loss.
        value = self.static_threat(side, ply)
        if value != UNKNOWN:
            return WIN - value - ply if value >= PROVEN else 0
        if left < VCF_PLIES or self.nodes >= self.fours_limit:
            return 0
        # Step 3. If the defender's reply made a four, the attacker must answer. If the answer makes
        # an open four, the attacker wins. If the answer makes no four, the search ends.
        must = 0
        if self.count[foe * CELL_CLASSES + CELL_FIVE]:
            must = self.first_of(foe, FIVES)
            makes = self.class_at(must, side)
            if makes == CELL_OPEN_FOUR:
                self.pv[ply * STRIDE + ply] = must
                self.pv_end[ply] = ply + 1
                return 3
            if makes < CELL_FOUR:
                return 0
        # Step 4. Return 0 if an earlier search found no win within `left` plies.
        key = self.key(side) ^ self.fours_hash
        last = self.last_mark(side, ply) if near else 0
        if last:
            key ^= self.zobrist[last * 2 + side] >> 1
        if self.table.find(key) and self.table.draft >= left:
            return 0
        # Step 5. List the fours, and rank them by `own_urgency`.
        found = 0
        n = 0
        base = ply * STRIDE
        if must:
            self.moves[base] = must
            self.rank(base, 0, 0)
            n = 1
        else:
            for i in range(self.words):
                word = self.group[(side * GROUPS + FOURS) * WORDS + i]
                if last:
                    word &= self.linked[last * WORDS + i]
                while word:
                    cell = (i << 6) + trailing_zeros(word)
                    word &= word - 1
                    self.moves[base + n] = cell
                    makes = self.number_of[(self.line_sums[cell] >> (SUM_BITS * side)) & SUM]
                    self.rank(base, n, self.own_urgency[makes])
                    n += 1
        # Step 6. For each four, make the four and the only reply, and search again.
        while n:
            cell = self.pick(base, 0, n)
            n -= 1
            self.moves[base] = self.moves[base + n]
            self.urgency[base] = self.urgency[base + n] + n
            self.make_threat(cell, side)
            must = self.first_of(side, FIVES)
            assert must
            self.make_threat(must, foe)
            found = self.vcf(side, ply + 2, left - 2, near)
            self.unmake()
            self.unmake()
            if self.stopped:
                return 0
            if found:
                self.pv_end[ply + 1] = self.pv_end[ply + 2]
                for i in range(ply + 2, self.pv_end[ply + 2]):
                    self.pv[(ply + 1) * STRIDE + i] = self.pv[(ply + 2) * STRIDE + i]
                if self.pv_end[ply + 1] < ply + 2:
                    self.pv_end[ply + 1] = ply + 2
                self.pv[(ply + 1) * STRIDE + ply + 1] = must
                self.take_pv(ply, cell)
                return found + 2
        # Step 7. Store that no win was found, unless the node limit ended the search.
        if self.nodes < self.fours_limit:
            self.table.store(key, 0, 0, 0, left if left < 255 else 255, EXACT)
        return 0

    def threats_key(self, side: int, attacker: int) -> int:
        key = self.key(side) ^ self.threats_hash
        return key ^ self.fours_hash if attacker else key

    def vct(self, side: int, attacker: int, ply: int, most_proof: int, most_disproof: int) -> None:
        """Search for a win by continuous threats: depth-first proof-number search (Nagai 2002).

        The attacker tries only fours and threes. The defender tries every move that does not lose
        at once, so every win found is proven. The search ends when the position's proof number
        reaches `most_proof`, or the disproof number reaches `most_disproof`. The two numbers are
        then in `proof` and `disproof`.
        """
        assert most_proof > 0
        assert most_disproof > 0
        began = self.nodes
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        # Step 1. List the moves. Return if `static_threat` decides, if nothing threatens the
        # defender, or if there is no move to list.
        key = self.threats_key(side, attacker)
        value = self.static_threat(side, ply)
        n = 0
        base = ply * STRIDE
        foe = 1 - side
        won = False
        over = value != UNKNOWN
        if over:
            won = value >= PROVEN if side == attacker else value <= -PROVEN
        elif side == attacker:
            n = self.list_attacks(side, base)
            over = n == 0
        elif self.count[attacker * CELL_CLASSES + CELL_FIVE]:
            self.moves[base] = self.first_of(attacker, FIVES)
            n = 1
        elif self.count[attacker * CELL_CLASSES + CELL_OPEN_FOUR]:
            n = self.list_defences(side, base)
            over = won = n == 0
        else:
            over = True
        if over:
            self.proof = 0 if won else NUMBERS
            self.disproof = NUMBERS if won else 0
            self.table.store_numbers(key, self.proof, self.disproof, 1)
            return
        # Step 2. Compute the position's two numbers from the numbers of the moves. On the
        # attacker's turn, `least` is the proof number, and `total` is the disproof number. On the
        # defender's turn, `least` is the disproof number. Return when `least` or `total` reaches
        # its limit.
        attacking = side == attacker
        most_ours = most_proof if attacking else most_disproof
        most_theirs = most_disproof if attacking else most_proof
        while True:
            least = NUMBERS
            second = NUMBERS
            total = 0
            chosen = 0
            best = 0
            for i in range(n):
                cell = self.moves[base + i]
                child = key ^ self.zobrist[cell * 2 + side] ^ self.side_hash
                if self.table.find_numbers(child):
                    ours = self.table.proof if attacking else self.table.disproof
                    theirs = self.table.disproof if attacking else self.table.proof
                else:
                    ours = 1
                    theirs = 1
                    if attacking and self.class_at(cell, side) < CELL_FOUR:
                        ours = THREE_PROOF
                if ours < least:
                    second = least
                    least = ours
                    chosen = theirs
                    best = i
                elif ours < second:
                    second = ours
                total += theirs
            if total >= NUMBERS:
                total = NUMBERS - 1  # NUMBERS would mean a decided position
            if least == 0:
                total = NUMBERS
            elif total == 0:
                least = NUMBERS
            if (
                least >= most_ours
                or total >= most_theirs
                or self.stopped
                or self.nodes >= self.threats_limit
            ):
                break
            # Step 3. Search move `best` until the move's `ours` exceeds `second` by a quarter, or
            # until `total` reaches its limit.
            limit_ours = second + (second >> THRESHOLD_SHIFT) + 1
            if limit_ours > most_ours:
                limit_ours = most_ours
            limit_theirs = most_theirs - total + chosen
            cell = self.moves[base + best]
            self.make_threat(cell, side)
            if attacking:
                self.vct(foe, attacker, ply + 1, limit_ours, limit_theirs)
            else:
                self.vct(foe, attacker, ply + 1, limit_theirs, limit_ours)
            self.unmake()
        self.proof = least if attacking else total
        self.disproof = total if attacking else least
        self.table.store_numbers(key, self.proof, self.disproof, self.nodes - began)
