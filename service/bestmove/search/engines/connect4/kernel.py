# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: disallow-any-unimported=False, warn-return-any=False
# mypy: disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""The search for boards with gravity. A set of cells is a 64-bit word.

`kernel.pxd` has the C types for Cython. As plain Python, the search visits the same nodes.

A column takes rows + 1 bits, from the lowest row up. The last bit, the sentinel, is never set, so
no vertical line runs into the next column. On 7×6:

     6 13 20 27 34 41 48    sentinels
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

A position is two sets: `own`, the discs of the side to move, and `mask`, all discs. The key of a
position is own + mask. Two positions never have the same key.

The score is positive if the side to move wins, negative if the side to move loses, 0 for a draw.
With `left` empty cells, a win with the next disc scores (left + 1) // 2. Each further disc of the
winner costs 1. The loser's score is minus the winner's score.

`_at_least` decides whether the score is at least `beta`. `score` tries several values of `beta`,
and finds the score by bisection.

Rules of Pascal Pons, "Solving Connect Four" (2015):

- Safe moves: try a move only if the other side cannot win with the next disc.
- Bounds by distance: a side that cannot win with the next disc needs at least one disc more.
- Table: store lower and upper bounds.
- Order: try moves with many threats (empty cells that complete a line) first, then those near the
  middle.

Further rules:

- Replies: a move wins if the other side has no safe reply.
- Forced move: if only one move is safe, make that move without a look-up in the table.
- Look-ups first: look up all moves in the table before searching any (enhanced transposition
  cutoffs, Schaeffer and Plaat 1996).
- Follow-up (claimeven, Allis 1988): if every column has an even number of empty cells, the side
  that is not to move can answer each disc with a disc on top. Then the side to move gets only the
  first, third, … empty cell of each column.
- Odd column: if exactly one column has an odd number of empty cells, the side to move can put a
  disc there. Then follow-up limits the other side.
- No line: a side cannot win without k cells in a row that the side has or can still get.

All rules also hold where a row longer than k does not win: a winning row still contains k in a row,
and a disc never makes the other side's rows longer.
"""

from __future__ import annotations

from array import array

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.search import declared, memory
from bestmove.search.common.clock import Limited
from bestmove.search.common.clock import compiled as _clock_compiled
from bestmove.search.scores import WIN

compiled: bool = declared.is_compiled(__file__, _clock_compiled)

# Plain Python reads the constants of kernel.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

WORD = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15  # an odd factor gives different keys different products
INFINITE = WIN + 1

# The table has SLOTS entries in a bucket. An entry has, from the highest bit:
#
# - the part of the hashed key that is not the bucket's number
# - the lower bound plus BIAS (6 bits)
# - the upper bound plus BIAS (6 bits)
# - the cost in nodes, as a power of 4 (4 bits)
SLOTS = 4
PAYLOAD = 16
BIAS = 32

# The list of exact scores: see `DropKernel.listed`.
ENTRY = 5
SIGN = 0x80000000
UNLISTED = INFINITE

# With more than LOOK_UP empty cells, look up all moves first. With fewer than REMEMBER empty cells,
# store no position. The numbers were tuned on positions of 9 to 28 discs.
LOOK_UP = 7
REMEMBER = 6

# The points of the evaluation:
#
# - THREAT: for each empty cell that completes a line
# - GOOD_THREAT: added in the odd rows for the first player, in the even rows for the second player
#   (Allis 1988)
# - INWARD: for each disc and each column between the disc and the nearer edge
THREAT = 40
GOOD_THREAT = 110
INWARD = 6


def _count(cells: int) -> int:
    n = 0
    while cells:
        cells &= cells - 1
        n += 1
    return n


def _lower_of(entry: int) -> int:
    bound = (entry >> 10) & 63
    return bound - BIAS


def _upper_of(entry: int) -> int:
    bound = (entry >> 4) & 63
    return bound - BIAS


class DropKernel(Limited):
    """Searches positions of one board.

    The table starts small, to fit in the processor's caches, and grows to at most 2**table_bits
    buckets of 32 bytes. The arguments are those of `solver.DropSolver`.
    """

    def __init__(
        self, rows: int, columns: int, k: int, table_bits: int = 20, overline: bool = True
    ) -> None:
        if rows < 1 or columns < 1 or (rows + 1) * columns > BITS:
            raise ValueError(f"{rows}×{columns} does not fit {BITS} bits: a column takes rows + 1")
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        if not 16 <= table_bits <= 24:
            raise ValueError(f"table_bits must be 16 to 24, not {table_bits}")
        if not compiled:
            declared.make_arrays(self, __file__)
        self.rows = rows
        self.columns = columns
        self.k = k
        h = rows + 1
        self._h = h
        self._cells = rows * columns
        rows_of = [sum(1 << (h * c + r) for c in range(columns)) for r in range(rows)]
        self.bottom = rows_of[0]
        self.board = sum(rows_of)
        # Pair the cells of each column from the top. `_lower` has the lower cell of each pair.
        self._lower = sum(cells for r, cells in enumerate(rows_of) if (rows - r) % 2 == 0)
        self._odd = sum(rows_of[::2])
        # Only the directions in which a line fits. Other shifts could exceed the word.
        ways = [1] if rows >= k else []
        if columns >= k:
            ways.append(h)
            if rows >= k:
                ways += [h - 1, h + 1]
        self._ways = len(ways)
        self._way = array("i", ways or [0])
        self._is_exact = not overline and k > 1  # with k = 1 the first disc wins
        self._is_four = k == 4 and len(ways) == 4 and overline
        middle_first = sorted(range(columns), key=lambda c: abs(2 * c + 1 - columns))
        self._column = array("Q", [((1 << rows) - 1) << (h * c) for c in middle_first])
        self._row = array("Q", rows_of[::-1])
        self._inward = array("i", [min(c, columns - 1 - c) for c in middle_first])
        # With fewer empty cells, the mirror image is rarely visited.
        self._mirrored = 2 * self._cells // 3
        self._key_bits = h * columns
        self._key_mask = (1 << (h * columns)) - 1
        self._least_bits = max(min(8, self._key_bits), self._key_bits + PAYLOAD - BITS)
        self._most_bits = max(self._least_bits, min(table_bits, self._key_bits))
        self._table = memory.words(4 << self._most_bits)
        self.use_list(b"", -1)
        self.begin(None, None)

    def begin(self, deadline: float | None, nodes: int | None) -> None:
        self._bits = self._least_bits
        self._filled = 0
        for i in range(SLOTS << self._bits):
            self._table[i] = 0
        self.start(deadline, nodes)
        self.check()

    # -- cells -----------------------------------------------------------------------------

    def _fours(self, own: int, h: int) -> int:
        """Return the cells, empty or not, where a disc completes four in a row. `h`: rows + 1."""
        r = (own << 1) & (own << 2) & (own << 3)
        p = (own << h) & (own << 2 * h)
        r |= p & ((own << 3 * h) | (own >> h))
        p = (own >> h) & (own >> 2 * h)
        r |= p & ((own << h) | (own >> 3 * h))
        p = (own << (h - 1)) & (own << 2 * (h - 1))
        r |= p & ((own << 3 * (h - 1)) | (own >> (h - 1)))
        p = (own >> (h - 1)) & (own >> 2 * (h - 1))
        r |= p & ((own << (h - 1)) | (own >> 3 * (h - 1)))
        p = (own << (h + 1)) & (own << 2 * (h + 1))
        r |= p & ((own << 3 * (h + 1)) | (own >> (h + 1)))
        p = (own >> (h + 1)) & (own >> 2 * (h + 1))
        return r | p & ((own << (h + 1)) | (own >> 3 * (h + 1)))

    def _completing(self, own: int) -> int:
        """Return the cells, empty or not, where a disc completes a line."""
        r = 0
        for i in range(self._ways):
            s = self._way[i]
            # after[n]: the cells with n or more discs in a row after them.
            after = WORD
            shifted = own
            self._after[0] = after
            for n in range(1, self.k + 1):
                shifted >>= s
                after &= shifted
                self._after[n] = after
            # A cell completes k in a row if j discs come before the cell and k - 1 - j come after.
            before = WORD
            shifted = own
            for j in range(self.k):
                shifted = (shifted << s) & WORD
                further = before & shifted
                n = self.k - 1 - j
                if self._is_exact:
                    r |= before & ~further & self._after[n] & ~self._after[n + 1]
                else:
                    r |= before & self._after[n]
                before = further
        return r

    def _threats(self, own: int, mask: int) -> int:
        if self._is_four:
            # Shifts by a constant are faster.
            r = self._fours(own, 7) if self._h == 7 else self._fours(own, self._h)
        else:
            r = self._completing(own)
        return r & (self.board ^ mask)

    def _has_row(self, own: int) -> bool:
        """Return True if k or more discs are in a row, even if longer rows do not win."""
        h = self._h
        if self._is_four:
            m = own & (own >> 1)
            if m & (m >> 2):
                return True
            m = own & (own >> h)
            if m & (m >> 2 * h):
                return True
            m = own & (own >> (h - 1))
            if m & (m >> 2 * (h - 1)):
                return True
            m = own & (own >> (h + 1))
            return (m & (m >> 2 * (h + 1))) != 0
        for i in range(self._ways):
            m = own
            for j in range(1, self.k):
                m &= own >> j * self._way[i]
            if m:
                return True
        return False

    def _replies(self, mask: int, threats: int) -> int:
        """Return the safe moves: those that leave the other side no win with the next disc.

        `threats`: the cells where the other side completes a line.
        """
        possible = (mask + self.bottom) & self.board
        forced = possible & threats
        if forced:
            possible = 0 if forced & (forced - 1) else forced
        return possible & (self.board ^ (threats >> 1))

    def _mirror(self, cells: int) -> int:
        r = 0
        column = WORD >> (BITS - self._h)
        for i in range(self.columns):
            r |= ((cells >> i * self._h) & column) << (self.columns - 1 - i) * self._h
        return r

    # -- the table -------------------------------------------------------------------------

    def _entry(self, key: int) -> int:
        one = 1
        tag_bits = self._key_bits - self._bits
        hashed = (key * GOLDEN) & self._key_mask
        tag = hashed & ((one << tag_bits) - 1)
        first = (hashed >> tag_bits) << 2
        for i in range(first, first + SLOTS):
            if self._table[i] >> PAYLOAD == tag and self._table[i]:
                return self._table[i]
        return 0

    def _store(self, key: int, lower: int, upper: int, cost: int) -> None:
        """Store bounds. In a full bucket, replace the entry of least cost."""
        assert -BIAS <= lower <= upper < BIAS
        least = 16
        weight = 0
        one = 1
        tag_bits = self._key_bits - self._bits
        hashed = (key * GOLDEN) & self._key_mask
        tag = hashed & ((one << tag_bits) - 1)
        first = (hashed >> tag_bits) << 2
        at = first
        while cost > 3 and weight < 15:
            cost >>= 2
            weight += 1
        for i in range(first, first + SLOTS):
            if self._table[i] == 0:
                self._filled += 1
                at = i
                break
            if self._table[i] >> PAYLOAD == tag:
                at = i
                break
            if self._table[i] & 15 < least:
                least = self._table[i] & 15
                at = i
        bounds = ((lower + BIAS) << 6) | (upper + BIAS)
        self._table[at] = (tag << PAYLOAD) | (bounds << 4) | weight
        if self._bits < self._most_bits and self._filled >> (self._bits + 1):
            self._grow()

    def _grow(self) -> None:
        moved = [0] * 4
        one = 1
        buckets = one << self._bits
        wider = 2 if self._bits + 2 <= self._most_bits else self._most_bits - self._bits
        tag_bits = self._key_bits - self._bits - wider
        self._bits += wider
        self._filled = 0
        for i in range(buckets * SLOTS, SLOTS * (one << self._bits)):
            self._table[i] = 0
        for b in range(buckets - 1, -1, -1):
            for e in range(SLOTS):
                moved[e] = self._table[SLOTS * b + e]
                self._table[SLOTS * b + e] = 0
            for e in range(SLOTS):
                entry = moved[e]
                if entry:
                    tag = entry >> PAYLOAD
                    j = SLOTS * ((b << wider) | (tag >> tag_bits))
                    while self._table[j]:
                        j += 1
                    tag &= (one << tag_bits) - 1
                    self._table[j] = (tag << PAYLOAD) | (entry & 0xFFFF)
                    self._filled += 1

    # -- the list of exact scores ------------------------------------------------------------

    def use_list(self, listed: bytes | memoryview, discs: int) -> None:
        """Look up positions with `discs` discs in a list of scores.

        Args:
            listed: the bytes of the list, as the method `listed` describes them.
            discs: an even number, or a negative number if there is no list.
        """
        self._listed = listed
        self._listed_count = len(listed) // ENTRY
        self._listed_left = self._cells - discs if discs >= 0 else -1

    def _code(self, own: int, mask: int, is_image: int) -> int:
        """Return the key that `listed` describes, for a position or for its mirror image.

        The highest bit is inverted, because the list is in the order of signed numbers.
        """
        code = 0
        for i in range(self.columns):
            column = self.columns - 1 - i if is_image else i
            bit = 1
            bit <<= self._h * column
            while mask & bit:
                code = (code << 2) | (2 if own & bit else 3)
                bit <<= 1
            code <<= 1
        return (code << 1) ^ SIGN

    def listed(self, own: int, mask: int) -> int:
        """Return the score of a position in the list; `UNLISTED` if the list lacks the position.

        The list has either a position or its mirror image. An entry has five bytes:

        - Four bytes are the key. The key lists the discs column by column from the left, each
          column from the bottom. The bits 10 are a disc of the side to move, 11 are a disc of the
          other side. A bit 0 ends each column, and another 0 ends the key.
        - The fifth byte is 0 for a draw. For a win it is 100 minus the plies to the end, for a loss
          the negative of that.

        The entries are sorted by the key, read as a signed number.
        """
        for is_image in range(2):
            wanted = self._code(own, mask, is_image)
            low = 0
            high = self._listed_count
            while low < high:
                middle = (low + high) >> 1
                at = ENTRY * middle
                code = self._listed[at] ^ 0x80
                for i in range(1, 4):
                    code = (code << 8) | self._listed[at + i]
                if code == wanted:
                    value = self._listed[at + 4]
                    if value == 0:
                        return 0
                    plies = 100 - value if value < 128 else value - 156
                    score = (self._listed_left + 2 - plies) >> 1
                    return score if value < 128 else -score
                if code < wanted:
                    low = middle + 1
                else:
                    high = middle
        return UNLISTED

    # -- the search ------------------------------------------------------------------------

    def _list(self, own: int, mask: int, moves: int, base: int) -> int:
        """List the moves and their safe replies from index `base` on; return the number of moves.

        Return 0 if some move has no safe reply.
        """
        n = 0
        for i in range(self.columns):
            move = moves & self._column[i]
            if move:
                threats = self._threats(own | move, mask | move)
                reply = self._replies(mask | move, threats)
                if reply == 0:
                    return 0
                urgency = _count(threats)
                j = base + n
                while j > base and self._urgency[j - 1] < urgency:
                    self._urgency[j] = self._urgency[j - 1]
                    self._ordered[j] = self._ordered[j - 1]
                    self._replied[j] = self._replied[j - 1]
                    j -= 1
                self._urgency[j] = urgency
                self._ordered[j] = move
                self._replied[j] = reply
                n += 1
        return n

    def _attainable(self, own: int, mask: int, beta: int) -> int:
        """Return the cells that a side has or can get, by the rules "follow-up" and "odd column".

        The result is for the side to move if beta > 0, and for the opponent if beta <= 0.
        """
        empty = self.board ^ mask
        odd = (mask + self.bottom) & self.board & (self.board ^ self._lower)
        if beta > 0:
            return own | (empty if odd else empty & self._lower)
        if odd and odd & (odd - 1) == 0:
            empty = (empty ^ odd) & self._lower
        return (own ^ mask) | empty

    def _at_least(self, own: int, mask: int, moves: int, left: int, beta: int) -> int:
        """Return a bound that decides whether the score is at least beta.

        A result of at least beta is a lower bound; a result below beta is an upper bound.

        The side to move must not be able to win with the next disc. `moves` are the safe moves;
        there must be at least one.

        The steps apply the rules in the module's docstring. Commit 1d14d39b added all but step 3.
        "Without this step, nodes × 1.07" means 1.07 times as many nodes in fifteen searches at
        commit 1ef92bab. The searched positions have 4 to 24 discs, on boards from 4×5 to 6×7.
        """
        assert moves
        assert not own & ~mask
        assert not self._threats(own, mask) & ((mask + self.bottom) & self.board)
        # Step 1. Stop at a limit. With at most two empty cells the game is a draw, because neither
        # side can win with the next disc.
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        if self.stopped or left <= 2:
            return 0
        # Step 2. Bound the score by the number of empty cells. This step hardly changes the number
        # of nodes.
        lower = -((left - 2) >> 1)
        if lower >= beta:
            return lower
        upper = (left - 1) >> 1
        if upper < beta:
            return upper
        # Step 3. Look up the position in the list of exact scores (12 discs, 7×6). Commit 177ead07
        # added this step; the effect is not measured.
        if left == self._listed_left:
            score = self.listed(own, mask)
            if score != UNLISTED:
                return score
        # Step 4. Make a forced move at once. This step adds nodes (without the step, nodes × 0.92),
        # but a node with a forced move takes little time.
        other = own ^ mask
        if moves & (moves - 1) == 0:
            mask |= moves
            reply = self._replies(mask, self._threats(own | moves, mask))
            if reply == 0:
                return upper
            return -self._at_least(other, mask, reply, left - 1, 1 - beta)

        # Step 5. If beta > 0, check whether the side to move can still win; otherwise, whether the
        # opponent can. If the side cannot, return the bound 0. Without this step, nodes × 1.34.
        if not self._has_row(self._attainable(own, mask, beta)):
            return 0

        # Step 6. Return a bound from the table if the bound decides. Without the table, nodes ×
        # 2.46. With many empty cells, a position and its mirror image share an entry. Sharing
        # hardly changes the number of nodes.
        key = own + mask
        if left > self._mirrored:
            image = self._mirror(own) + self._mirror(mask)
            if image < key:
                key = image
        if left >= REMEMBER:
            entry = self._entry(key)
            if entry:
                lower = _lower_of(entry)
                upper = _upper_of(entry)
                if lower >= beta or upper < beta:
                    self.table_hits += 1
                    return lower if lower >= beta else upper

        # Step 7. List the moves, those with the most threats first. Without sorting, nodes × 2.71.
        # If every move has a safe reply, the side to move cannot win with the next two discs. So
        # reduce the upper bound. Without the reduction, nodes × 1.15.
        base = MOST_COLUMNS * left
        n = self._list(own, mask, moves, base)
        if n == 0:
            return (left - 1) >> 1
        if (left - 3) >> 1 < upper:
            upper = (left - 3) >> 1
            if upper < beta:
                return upper

        # Step 8. Look up all moves before searching any. Without this step, nodes × 1.07.
        if left > LOOK_UP:
            for i in range(n):
                entry = self._entry(other + (mask | self._ordered[base + i]))
                if entry:
                    result = -_upper_of(entry)
                    if result >= beta:
                        self.table_hits += 1
                        return result

        # Step 9. Search the moves. If a move scores at least beta, the search ends.
        start = self.nodes
        best = -BIAS
        for i in range(n):
            result = -self._at_least(
                other, mask | self._ordered[base + i], self._replied[base + i], left - 1, 1 - beta
            )
            if self.stopped:
                return 0
            if result > best:
                best = result
                if best >= beta:
                    self.cutoffs += 1
                    break
        # Step 10. Store the bounds, unless few cells are left.
        if best >= beta:
            lower = best
        elif best < upper:
            upper = best
        if left >= REMEMBER:
            self._store(key, lower, upper, self.nodes - start)
        return best

    def wins(self, own: int, move: int) -> bool:
        """Return True if a move completes a line. `own`: the mover's discs before the move."""
        return bool(self._threats(own, 0) & move)

    def at_least(self, own: int, mask: int, beta: int) -> int:
        """Decide whether the score of a position is at least beta.

        Args:
            own: the discs of the side to move. Neither side may have won.
            mask: all discs.
            beta: a score.

        Returns:
            A lower bound of at least beta, or an upper bound below beta. The number is meaningless
            if the search was `stopped`.
        """
        left = self._cells - _count(mask)
        if self._threats(own, mask) & ((mask + self.bottom) & self.board):
            return (left + 1) >> 1
        moves = self._replies(mask, self._threats(own ^ mask, mask))
        if moves == 0:
            return -(left >> 1)
        with cython.nogil:
            return self._at_least(own, mask, moves, left, beta)

    def first_worth(self, own: int, mask: int, score: int, best_first: bool) -> int:
        """Return the first move that has the position's score.

        Args:
            own: the discs of the side to move. Neither side may have won.
            mask: all discs. At least one cell must be empty.
            score: the score of the position.
            best_first: True to try the moves in the order of the search, False to try them by cell
                index.

        Returns:
            The move as a bit; 0 if the search was `stopped` first.
        """
        left = self._cells - _count(mask)
        base = MOST_COLUMNS * left
        possible = (mask + self.bottom) & self.board
        wins = possible & self._threats(own, mask)
        if wins:
            possible = wins
        n = 0
        if best_first and not wins:
            n = self._list(own, mask, self._replies(mask, self._threats(own ^ mask, mask)), base)
        if n == 0:
            for i in range(self.rows):
                moves = possible & self._row[i]
                while moves:
                    self._ordered[base + n] = moves & (~moves + 1)
                    moves &= moves - 1
                    n += 1
        for i in range(n):
            move = self._ordered[base + i]
            if wins or left == 1:
                return move
            if self.stopped:
                return 0
            bound = self.at_least(own ^ mask, mask | move, 1 - score)
            if bound <= -score and not self.stopped:
                return move
        return 0

    def line(self, own: int, mask: int, move: int, score: int) -> list[int]:
        """Return best play after a move, until the game ends or the search is `stopped`.

        Args:
            own, mask: the position before the move.
            move: the move, as a bit.
            score: the score of the move.
        """
        line: list[int] = []
        left = self._cells - _count(mask)
        while score != (left + 1) >> 1 and left > 1:
            own ^= mask
            mask |= move
            score = -score
            left -= 1
            move = self.first_worth(own, mask, score, True)
            if move == 0:
                break
            line.append(move)
        return line

    def score(self, own: int, mask: int) -> int | None:
        """Return the score of a position that is not won; None if the budget ran out."""
        left = self._cells - int(mask).bit_count()
        low, high = -(left // 2), (left + 1) // 2
        while low < high:
            # First try the scores far from 0, because quick wins and losses are decided cheaply.
            beta = (low + high) // 2
            beta = 1 + (min(beta, -(-low // 2)) if beta <= 0 else max(beta, high // 2))
            bound = self.at_least(own, mask, beta)
            if self.stopped:
                return None
            if bound >= beta:
                low = max(low, bound)
            else:
                high = min(high, bound)
        return low

    # -- estimates -------------------------------------------------------------------------

    def _worth(self, own: int, mask: int, good: int) -> int:
        """Evaluate one side. `good`: the cells where a threat of this side counts more."""
        threats = self._threats(own, mask)
        worth = THREAT * _count(threats) + GOOD_THREAT * _count(threats & good)
        for i in range(self.columns):
            worth += INWARD * self._inward[i] * _count(own & self._column[i])
        return worth

    def _estimate(
        self, own: int, mask: int, moves: int, left: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the value of a fail-soft search to `depth` plies. `moves`: as in `_at_least`.

        With n discs at the end of the game, a win is worth WIN - n and a loss is worth n - WIN.
        All lines are searched to the same depth, so the first win or loss that a deepening search
        finds is the shortest.
        """
        assert moves
        assert not own & ~mask
        assert not self._threats(own, mask) & ((mask + self.bottom) & self.board)
        other = own ^ mask
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
        self._length[left] = 0
        if self.stopped or left <= 2:
            return 0
        if depth <= 0:
            good = self._odd if (self._cells - left) % 2 == 0 else self.board ^ self._odd
            return self._worth(own, mask, good) - self._worth(other, mask, self.board ^ good)
        base = MOST_COLUMNS * left
        n = self._list(own, mask, moves, base)
        if n == 0:
            return WIN - (self._cells - left + 3)
        best = -INFINITE
        for i in range(n):
            value = -self._estimate(
                other,
                mask | self._ordered[base + i],
                self._replied[base + i],
                left - 1,
                depth - 1,
                -beta,
                -alpha,
            )
            if self.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    self._line[BITS * left] = self._ordered[base + i]
                    for j in range(self._length[left - 1]):
                        self._line[BITS * left + 1 + j] = self._line[BITS * (left - 1) + j]
                    self._length[left] = self._length[left - 1] + 1
                    if alpha >= beta:
                        self.cutoffs += 1
                        break
        return best

    def estimate(
        self, own: int, mask: int, depth: int, alpha: int, beta: int
    ) -> tuple[int, list[int]]:
        """Return the value of a search to `depth` plies, and the principal variation.

        Args:
            own: the discs of the side to move. Neither side may have won.
            mask: all discs. At least one cell must be empty.
            depth: plies, at least 0.
            alpha, beta: the window.

        Returns:
            The value as in `_estimate`, and the moves of the variation as bits (none if the value
            is at most alpha). The value is meaningless if the search was `stopped`.
        """
        left = self._cells - _count(mask)
        if self._threats(own, mask) & ((mask + self.bottom) & self.board):
            return WIN - (self._cells - left + 1), []
        moves = self._replies(mask, self._threats(own ^ mask, mask))
        if moves == 0:
            return (-(WIN - (self._cells - left + 2)) if left > 1 else 0), []
        with cython.nogil:
            value = self._estimate(own, mask, moves, left, depth, alpha, beta)
        return value, [self._line[BITS * left + i] for i in range(self._length[left])]
