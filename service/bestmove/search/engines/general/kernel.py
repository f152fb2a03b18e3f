# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: disallow-any-unimported=False, warn-return-any=False
# mypy: disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""The searches of the general engine, for any rules on boards up to 20×20.

Plain Python; `kernel.pxd` declares the C types. The compiled searches need no GIL.

- `_prove` searches to the end of the game, and decides if a position is worth at least a value.
- `_estimate` is a principal variation search to a given depth, with an evaluation. It tries only
  the most urgent moves, and proves nothing.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.game import Rules
from bestmove.search import declared, memory
from bestmove.search.engines.general.position import Position
from bestmove.search.engines.general.position import compiled as _position_compiled

compiled: bool = declared.is_compiled(__file__, _position_compiled)

# Values; see `scores`.
COUNTS_PLIES = 25_000  # the value of a win is higher; the value of a loss is below -COUNTS_PLIES
UNKNOWN = 32_000

UPPER = 1
LOWER = 2
EXACT = 3

# Plain Python reads the constants of position.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

GENERATIONS = 8191

NARROW = 8  # `_estimate` first tries at most NARROW + 2 * depth moves: see step 6


def from_table(value: int, ply: int) -> int:
    """Convert a value from the table, for a position at `ply`.

    The value of a win or loss depends on a number of plies. The search counts plies from the root;
    the table counts plies from the stored position.
    """
    if value > COUNTS_PLIES:
        return value - ply
    return value + ply if value < -COUNTS_PLIES else value


def to_table(value: int, ply: int) -> int:
    if value > COUNTS_PLIES:
        return value + ply
    return value - ply if value < -COUNTS_PLIES else value


# The data word of a table entry, from the highest bit:
# - the generation (13 bits)
# - the effort (6 bits): the binary logarithm of the nodes searched for the entry
# - the move plus 1 (13 bits)
# - two numbers plus 32768 (16 bits each):
#   - for a proof: the lower bound and the upper bound
#   - for an estimate: the value, and 4 * depth plus the kind of bound


def _effort_of(data: int) -> int:
    return (data >> 45) & 63


def _first_of(data: int) -> int:
    field = (data >> 16) & 0xFFFF
    return field - 32768


def _second_of(data: int) -> int:
    field = data & 0xFFFF
    return field - 32768


class GeneralKernel(Position):
    """Searches positions under one set of rules, one position at a time."""

    def __init__(self, rules: Rules, table_bits: int) -> None:
        if not 4 <= table_bits <= 28:
            raise ValueError(f"table_bits must be from 4 to 28, not {table_bits}")
        super().__init__(rules)
        if not compiled:
            declared.make_arrays(self, __file__)
        entries = 1 << table_bits
        self.table_key = memory.words(entries)
        self.table_data = memory.words(entries)
        self.table_mask = entries - 2
        self.generation = 0

    def begin(self, cells: bytes, deadline: float | None, nodes: int | None) -> None:
        """Begin a search of a position. None means no limit."""
        self.set_up(cells)
        self.generation += 1
        if self.generation > GENERATIONS:
            # No generation number is left, so clear the table.
            self._wipe()
            self.generation = 1
        self.start(deadline, nodes)

    def _wipe(self) -> None:
        for at in range(self.table_mask + 2):
            self.table_data[at] = 0

    def _pick(self, base: int, i: int, n: int) -> int:
        """Find the most urgent move from index i on; swap it to index i and return it."""
        assert 0 <= i < n
        best = i
        for j in range(i + 1, n):
            if self.urges[base + j] > self.urges[base + best]:
                best = j
        cell = self.moves[base + best]
        urge = self.urges[base + best]
        self.moves[base + best] = self.moves[base + i]
        self.urges[base + best] = self.urges[base + i]
        self.moves[base + i] = cell
        self.urges[base + i] = urge
        return cell

    def _reward(self, side: int, ply: int, number: int, bonus: int) -> None:
        """Raise the history score of the cutoff move `number`; lower those of the earlier moves."""
        base = ply * STRIDE
        if bonus > 800:
            bonus = 800
        for i in range(number + 1):
            at = self.moves[base + i] * 2 + side
            if i == number:
                self.history[at] += bonus - ((self.history[at] * bonus) >> 13)
            else:
                self.history[at] -= bonus + ((self.history[at] * bonus) >> 13)

    # The transposition table.

    def _key(self) -> int:
        """Return the smallest key of the symmetric positions; set `table_image` to the symmetry.

        A key depends on:

        - which windows are open for which side;
        - the marks in open windows and next to their ends;
        - the number of empty cells; with gravity, also which cells are empty.
        """
        keys = self.made * IMAGES
        best = self.keys[keys]
        self.table_image = 0
        for i in range(1, self.symmetries):
            if self.keys[keys + i] < best:
                best = self.keys[keys + i]
                self.table_image = i
        return best ^ self.count_key[self.empty]

    def _probe(self, key: int) -> int:
        at = key & self.table_mask
        if self.table_key[at] == key and self.table_data[at] >> 51 == self.generation:
            return self.table_data[at]
        at += 1
        if self.table_key[at] == key and self.table_data[at] >> 51 == self.generation:
            return self.table_data[at]
        return 0

    def _move_of(self, data: int, image: int) -> int:
        cell = (data >> 32) & 511
        cell -= 1
        if image and cell >= 0:
            cell = self.inverse[image * self.size + cell]
        return cell

    def _store(self, key: int, image: int, cell: int, first: int, second: int, work: int) -> None:
        """Store an entry at one of two indices. The first keeps the entry that took more nodes."""
        assert -32768 <= first <= 32767
        assert -32768 <= second <= 32767
        effort = 0
        while work > 1 and effort < 63:
            work >>= 1
            effort += 1
        at = key & self.table_mask
        if (
            self.table_data[at] >> 51 == self.generation
            and self.table_key[at] != key
            and (
                (self.table_data[at + 1] >> 51 == self.generation and self.table_key[at + 1] == key)
                or _effort_of(self.table_data[at]) > effort
            )
        ):
            at += 1
        if image and cell >= 0:
            cell = self.image[image * self.size + cell]
        data = self.generation
        data = (data << 6) | effort
        data = (data << 13) | (cell + 1)
        data = (data << 16) | (first + 32768)
        data = (data << 16) | (second + 32768)
        self.table_key[at] = key
        self.table_data[at] = data

    # The searches.

    def _prove(self, side: int, ply: int, beta: int) -> int:
        """Search for `prove`. The position is not over.

        In the comments, "without the table, nodes × 2.5" means: without the table, a proof takes
        2.5 times as many nodes.
        """
        # Step 1. Count the node, and stop at a limit.
        began = self.nodes
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.check()
            if self.stopped:
                return 0
        # Step 2. Bounds from the windows. Without the potentials, nodes × 2.3 or more (commit
        # c6540e4d). With the potentials for misère (commit 65e71f07), the proof of misère 5×5 with
        # k = 4 takes 7 million nodes. Without these potentials, 118 million nodes were not enough.
        self._outlook(side, ply)
        up = self.up
        low = self.low
        if up < beta or up == low:
            return up
        if low >= beta:
            return low
        forced = self.forced
        # Step 3. Table of bounds. Without the table, nodes × 2.5 or more (commit c6540e4d). If keys
        # included the marks that no longer matter, the proof of 4×4 with k = 4 would take 370,000
        # nodes instead of 45,000 (commit ae6a68f3).
        key = self._key()
        image = self.table_image
        data = self._probe(key)
        first = -1
        if data:
            first = self._move_of(data, image)
            up = min(up, from_table(_second_of(data), ply))
            low = max(low, from_table(_first_of(data), ply))
            if up < beta or up == low:
                self.table_hits += 1
                return up
            if low >= beta:
                self.table_hits += 1
                return low
        # Step 4. Search the moves until a move is worth at least beta. If the other side threatens
        # to complete a line, search only the move that blocks the line. If the search tried all
        # moves, nodes × 1.04 (six small games, at most 60,000 nodes for each proof; commit
        # 1ef92bab).
        base = ply * STRIDE
        n = self._list(side, ply, first, forced, True)
        best = -UNKNOWN
        for i in range(n):
            cell = self._pick(base, i, n)
            self._make(cell, side)
            value = 0
            if self.empty:
                value = -self._prove(1 - side, ply + 1, 1 - beta)
            self._unmake(cell, side)
            if self.stopped:
                return 0
            if value > best:
                best = value
                if value >= beta or first < 0:
                    first = cell
                if value >= beta:
                    self.cutoffs += 1
                    if forced < 0 and self.gravity:
                        self._reward(side, ply, i, self.empty)
                    break
        # Step 5. Store the bounds.
        if best >= beta:
            low = best
        elif best < up:
            up = best
        else:
            best = up
        low = to_table(low, ply)
        self._store(key, image, first, low, to_table(up, ply), self.nodes - began)
        return best

    def _estimate(self, side: int, ply: int, depth: int, alpha: int, beta: int) -> int:
        """Return the value by a principal variation search, fail-soft. The position is not over.

        Commit c6540e4d added all steps. In the comments, "without the pruning, nodes × 2.57" means:
        without the pruning, a search takes 2.57 times as many nodes. The factors are from four
        games, searched to depth 3 to 5 (commit 1ef92bab). The gain in strength was not measured.
        """
        # Step 1. Count the node, and stop at a limit.
        began = self.nodes
        self.nodes += 1
        self.pv_end[ply] = ply
        if self.nodes >= self.next_check:
            self.check()
            if self.stopped:
                return 0
        # Step 2. Bounds from the windows, as in `_prove`.
        self._outlook(side, ply)
        up = self.up
        low = self.low
        if up <= alpha or up == low:
            return up
        if low >= beta:
            return low
        forced = self.forced
        # Step 3. Leaf: evaluate at depth 0 unless the move is forced.
        if depth <= 0 and forced < 0:
            value = self._evaluate(side)
            if value > up:
                value = up
            if value < low:
                value = low
            return value
        # Step 4. Table: off the principal variation, return the value of a stored search that was
        # at least as deep.
        key = self._key() ^ self.estimate_key
        image = self.table_image
        data = self._probe(key)
        first = -1
        if data:
            first = self._move_of(data, image)
            value = from_table(_first_of(data), ply)
            bound = _second_of(data) & 3
            if (
                _second_of(data) >> 2 >= depth
                and beta - alpha == 1
                and ((value >= beta and bound & LOWER) or (value <= alpha and bound & UPPER))
            ):
                self.table_hits += 1
                return value
        # Step 5. List the moves near marks; if there is no such move, list all moves. Without the
        # restriction to near moves, nodes × 2.01.
        base = ply * STRIDE
        n = self._list(side, ply, first, forced, False)
        if n == 0:
            n = self._list(side, ply, first, forced, True)
        # Step 6. Late-move pruning: without gravity and below the root, try only the most urgent
        # moves. If all urgent moves lose, try the other moves too. Without the pruning, nodes ×
        # 2.57.
        limit = n
        if not self.gravity and ply > 0 and n > NARROW + 2 * depth:
            limit = NARROW + 2 * depth if depth > 0 else NARROW
        # Step 7. Extension: a forced move costs no depth.
        deeper = depth - 1 if forced < 0 else depth
        best = -UNKNOWN
        floor = alpha
        for i in range(n):
            if i >= limit and best > -COUNTS_PLIES:
                break
            cell = self._pick(base, i, n)
            self._make(cell, side)
            if self.empty == 0:
                value = 0
                self.pv_end[ply + 1] = ply + 1
            elif i == 0:
                value = -self._estimate(1 - side, ply + 1, deeper, -beta, -alpha)
            else:
                # Step 8. Late-move reduction from depth 3 on, after the fourth move. Without the
                # reduction, nodes × 1.37.
                less = 1 if depth > 2 and i > 3 else 0
                value = -self._estimate(1 - side, ply + 1, deeper - less, -alpha - 1, -alpha)
                if value > alpha and (less or value < beta):
                    value = -self._estimate(1 - side, ply + 1, deeper, -beta, -alpha)
            self._unmake(cell, side)
            if self.stopped:
                break
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    first = cell
                    self._take_pv(ply, cell)
                    if value >= beta:
                        self.cutoffs += 1
                        if forced < 0:
                            self._reward(side, ply, i, 4 * depth * depth)
                        break
        # Step 9. Store the value.
        if self.stopped:
            return best
        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= floor:
            bound = UPPER
        value = to_table(best, ply)
        self._store(key, image, first, value, depth << 2 | bound, self.nodes - began)
        return best

    def _take_pv(self, ply: int, cell: int) -> None:
        self.pv[ply * STRIDE + ply] = cell
        for i in range(ply + 1, self.pv_end[ply + 1]):
            self.pv[ply * STRIDE + i] = self.pv[(ply + 1) * STRIDE + i]
        self.pv_end[ply] = self.pv_end[ply + 1]

    def prove(self, side: int, ply: int, beta: int, end: int) -> int:
        """Decide whether the position, which must not be over, is worth at least `beta`.

        Args:
            side: the side to move: 0 for X, 1 for O.
            ply: the number of moves made since the root.
            end: the node count at which to stop.

        Returns:
            If at least `beta`: a lower bound of the true value. If less: an upper bound. If the
            search was `stopped`: a number without meaning.
        """
        self.slice(end)
        if beta > 0 and self.mirror_holds():
            return 0
        with cython.nogil:
            return self._prove(side, ply, beta)

    def estimate(self, side: int, ply: int, depth: int, end: int) -> int:
        """Search to `depth` plies and return the value. Then `line` returns the best variation.

        If the search is `stopped`, only the moves searched so far count.
        """
        self.slice(end)
        with cython.nogil:
            return self._estimate(side, ply, depth, -UNKNOWN, UNKNOWN)

    def line(self, ply: int) -> list[int]:
        return [self.pv[ply * STRIDE + i] for i in range(ply, self.pv_end[ply])]

    def ordered(self, side: int, most: int = STRIDE) -> list[int]:
        """Return the legal moves, at most `most`.

        Wins come first, then the moves of `_list` by urgency, then the others.
        """
        self._outlook(side, 0)
        n = self._list(side, 0, -1, self.forced, True)
        likely = [self._pick(0, i, n) for i in range(min(n, most))]
        wins = []
        if self.hot[side] and not self.misere:
            wins = [cell for cell in self.free() if self.threats[cell * 2 + side]]
        rest = self.free() if len(likely) < most else []
        return list(dict.fromkeys([*wins, *likely, *rest]))[:most]

    def proven_move(self) -> int:
        """Return the move that a proof stored for this position, or -1."""
        key = self._key()
        data = self._probe(key)
        cell = self._move_of(data, self.table_image) if data else -1
        # Different positions may share a key, so the move may be illegal here.
        return cell if cell in self.free() else -1
