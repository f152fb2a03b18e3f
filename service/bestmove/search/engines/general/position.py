# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: warn-return-any=False, disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""A position under any rules: its windows, its moves, and bounds of its value.

Plain Python; `position.pxd` declares the C types.

A window is k cells in a row. A window is *open* for a side until a mark of the other side in the
window closes it. Where a row longer than k is not a line, the side's own mark next to an end closes
the window too, because the row would become too long. A mark completes a line exactly when it fills
a window that is open for its side.

A *threat* of a side is a cell where the side completes a line.

In misère, with gravity, and where a row longer than k is not a line, an extra mark may harm its
owner. So the search uses no null moves and no strategy stealing.

`_outlook` bounds the value of a position by its windows alone:

- A side needs at least as many moves as its fullest open window has empty cells. Without an open
  window, the side never completes a line.
- Where a line wins, a side to move wins if it has a threat. So the other side must block a single
  threat, and cannot block two threats.
- In misère, a side need not complete a line while it has another move.
- Potential (Erdős and Selfridge 1973), without gravity and misère:

  1. An open window of side A with n empty cells weighs 2^-n. The potential of A is the sum of the
     weights.
  2. B always marks the cell whose windows weigh most.
  3. If the potential is below 1 with B to move, or below 1/2 with A to move, the potential stays
     below 1. So A never fills a window.
  4. Closed windows stay closed, so this also holds where a row longer than k is not a line.

- Potential in misère, without gravity (Hefetz, Krivelevich and Szabó 2007):

  1. A always marks the cell whose windows weigh least. The weight of these windows doubles.
  2. B then marks another cell and closes the windows there. So the potential loses at least the
     weight that A added.
  3. So a potential below 1 stays below 1, and A never has to fill a window.
  4. The last mark on the board has no answer. If A makes the last mark, the potential may double.
     So the potential must be below 1/2.
"""

from __future__ import annotations

import random
from typing import Final

from bestmove.errors import InvalidRules
from bestmove.game import Rules
from bestmove.game.geometry import Geometry, cells_of
from bestmove.search import declared
from bestmove.search.common.clock import Limited
from bestmove.search.common.clock import compiled as _clock_compiled
from bestmove.search.scores import WIN

compiled: bool = declared.is_compiled(__file__, _clock_compiled)

# Plain Python reads the constants of position.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

CAP = 15_000  # the largest evaluation

# The potentials are integers: an open window with n empty cells weighs ONE >> n.
ONE = 1 << 20

# In the evaluation, the worth of being the side to move.
TEMPO = 15

# In misère, the worth of an empty cell where only the opponent would complete a line.
RESERVE = 40

FIRST = 1 << 30  # the urgency of the table's move

_NEAR_CELLS: Final = 36
"""On larger boards, an estimate tries only cells near a mark, except with gravity or in misère."""


class Position(Limited):
    """A board with marks, and the state of the board's windows."""

    def __init__(self, rules: Rules) -> None:
        if not compiled:
            declared.make_arrays(self, __file__)
        self.rows = rules.rows
        self.columns = rules.columns
        self.size = rules.size
        self.k = rules.k
        self.gravity = rules.gravity and rules.rows > 1
        self.overline = rules.overline
        self.misere = rules.misere
        self.nearby = rules.size > _NEAR_CELLS and not self.gravity and not rules.misere
        self._fill_windows(rules.geometry)
        self._fill_symmetries(rules.geometry)
        for m in range(self.k):
            # With few empty cells, each mark multiplies a window's `weight` and `urge` by four. In
            # misère without gravity, each mark doubles `urge`, because the mark doubles the
            # window's weight in the potential.
            doublings = 1 if self.misere and not self.gravity else 2
            self.weight[m] = 1024 >> 2 * min(self.k - m, 5)
            self.urge[m] = 4096 >> doublings * min(self.k - m, 6)
        self.own_urge = self.foe_urge = 8
        if self.misere:
            # In misère, avoid the side's own windows, and leave the opponent's windows open.
            self.own_urge = -8
            self.foe_urge = -4 if self.gravity or self.k <= 3 else -1

    def _fill_windows(self, geometry: Geometry) -> None:
        windows = geometry.lines
        if len(windows) * self.k > MEMBERS:
            raise InvalidRules(f"{len(windows)} lines of {self.k} cells are too many", "k")
        members: list[list[int]] = [[] for _ in range(self.size)]
        ends: list[list[int]] = [[] for _ in range(self.size)]
        for i in range(WINDOWS * 2):
            self.end_of[i] = -1
        self.window_count = len(windows)
        for window, line in enumerate(windows):
            for i, cell in enumerate(line.cells):
                self.cell_of[window * self.k + i] = cell
                members[cell].append(window)
            for i, cell in enumerate(cells_of(line.ends)):
                self.end_of[window * 2 + i] = cell
                ends[cell].append(window)
        at = end_at = around_at = 0
        for cell in range(self.size):
            for window in members[cell]:
                self.member[at] = window
                at += 1
            for window in ends[cell]:
                self.end[end_at] = window
                end_at += 1
            for near in geometry.around(cell, 2):
                self.around[around_at] = near
                around_at += 1
            self.member_at[cell + 1] = at
            self.end_at[cell + 1] = end_at
            self.around_at[cell + 1] = around_at

    def _fill_symmetries(self, geometry: Geometry) -> None:
        images = geometry.symmetries
        if self.size > SYMMETRIC_CELLS or self.k == 1:
            images = images[:1]
        self.symmetries = len(images)
        words = random.Random(20)
        marks = [words.getrandbits(64) for _ in range(2 * self.size)]
        falls = [words.getrandbits(64) for _ in range(self.size)]
        closes = [words.getrandbits(64) for _ in range(2 * self.window_count)]
        self.estimate_key = words.getrandbits(64)
        for i in range(self.size + 1):
            self.count_key[i] = words.getrandbits(64)
        windows = {line.mask: window for window, line in enumerate(geometry.lines)}
        for i, symmetry in enumerate(images):
            for cell, place in enumerate(symmetry.image):
                for side in range(2):
                    self.zobrist[(i * self.size + cell) * 2 + side] = marks[place * 2 + side]
                if self.size <= SYMMETRIC_CELLS:
                    self.image[i * self.size + cell] = place
                    self.inverse[i * self.size + place] = cell
                if self.gravity:
                    self.fallen[i * self.size + cell] = falls[place]
            for mask, window in windows.items():
                other = windows[symmetry.image_of(mask)]
                for side in range(2):
                    at = (i * self.window_count + window) * 2 + side
                    self.closed[at] = closes[other * 2 + side]

    # The position.

    def set_up(self, cells: bytes) -> None:
        """Replace the position on the board.

        Raises:
            ValueError: a wrong number of cells, or with gravity a mark above an empty cell.
        """
        if len(cells) != self.size:
            raise ValueError(f"{len(cells)} cells, not {self.rows} × {self.columns}")
        for i in range(CELLS):
            self.cells[i] = self.near[i] = 0
        for i in range(CELLS * 2):
            self.threats[i] = 0
            self.history[i] = 0
        for i in range(WINDOWS * 2):
            self.own[i] = self.blocked[i] = 0
        for i in range(WINDOWS):
            self.rest[i] = 0
        for i in range(2 * MARKS):
            self.opened[i] = 0
        for i in range(IMAGES):
            self.keys[i] = 0
        self.made = 0
        for cell in range(self.size):
            self.live[cell] = 2 * (
                self.member_at[cell + 1]
                - self.member_at[cell]
                + self.end_at[cell + 1]
                - self.end_at[cell]
            )
            for i in range(self.member_at[cell], self.member_at[cell + 1]):
                self.rest[self.member[i]] ^= cell
                if self.k == 1:
                    self.threats[cell * 2] += 1
                    self.threats[cell * 2 + 1] += 1
        self.opened[0] = self.opened[MARKS] = self.window_count
        self.hot[0] = self.hot[1] = self.size if self.k == 1 else 0
        self.empty = self.size
        for column in range(self.columns):
            self.drop[column] = self.size - self.columns + column
        for cell in range(self.size - 1, -1, -1):
            if cells[cell]:
                if self.gravity and self.drop[cell % self.columns] != cell:
                    raise ValueError(f"the mark on cell {cell} is above an empty cell")
                self._make(cell, cells[cell] - 1)

    def free(self) -> list[int]:
        return [
            cell
            for cell in range(self.size)
            if self.cells[cell] == 0
            and (not self.gravity or self.drop[cell % self.columns] == cell)
        ]

    def play(self, cell: int, side: int) -> bool:
        """Make a move; return True if it completes a line."""
        completes = self.threats[cell * 2 + side] > 0
        self._make(cell, side)
        return completes

    def take_back(self, cell: int, side: int) -> None:
        """Undo the last move, which must be `cell` by `side`."""
        self._unmake(cell, side)

    def _close(self, window: int, side: int, cell: int) -> None:
        at = window * 2 + side
        assert self.blocked[at] == 0
        marks = self.own[at]
        self.opened[side * MARKS + marks] -= 1
        if marks + 1 == self.k:
            x = self.rest[window]
            self.threats[x * 2 + side] -= 1
            if x != cell and self.threats[x * 2 + side] == 0:
                self.hot[side] -= 1
        keys = self.made * IMAGES
        for i in range(self.symmetries):
            self.keys[keys + i] ^= self.closed[(i * self.window_count + window) * 2 + side]
        for i in range(window * self.k, window * self.k + self.k):
            x = self.cell_of[i]
            self.live[x] -= 1
            if self.live[x] == 0 and self.cells[x]:
                self._toggle(x)
        if not self.overline:
            for i in range(2):
                x = self.end_of[window * 2 + i]
                if x >= 0:
                    self.live[x] -= 1
                    if self.live[x] == 0 and self.cells[x]:
                        self._toggle(x)

    def _reopen(self, window: int, side: int, cell: int) -> None:
        marks = self.own[window * 2 + side]
        self.opened[side * MARKS + marks] += 1
        if marks + 1 == self.k:
            x = self.rest[window]
            if x != cell and self.threats[x * 2 + side] == 0:
                self.hot[side] += 1
            self.threats[x * 2 + side] += 1
        for i in range(window * self.k, window * self.k + self.k):
            self.live[self.cell_of[i]] += 1
        if not self.overline:
            for i in range(2):
                x = self.end_of[window * 2 + i]
                if x >= 0:
                    self.live[x] += 1

    def _toggle(self, cell: int) -> None:
        keys = self.made * IMAGES
        mark = self.cells[cell] - 1
        for i in range(self.symmetries):
            self.keys[keys + i] ^= self.zobrist[(i * self.size + cell) * 2 + mark]

    def _make(self, cell: int, side: int) -> None:
        foe = 1 - side
        assert self.cells[cell] == 0
        assert not self.gravity or self.drop[cell % self.columns] == cell
        if self.threats[cell * 2]:
            self.hot[0] -= 1
        if self.threats[cell * 2 + 1]:
            self.hot[1] -= 1
        self.empty -= 1
        keys = self.made * IMAGES
        self.made += 1
        for i in range(keys, keys + self.symmetries):
            self.keys[i + IMAGES] = self.keys[i]
        if self.gravity:
            self.drop[cell % self.columns] = cell - self.columns
            for i in range(self.symmetries):
                self.keys[keys + IMAGES + i] ^= self.fallen[i * self.size + cell]
        if self.nearby:
            for i in range(self.around_at[cell], self.around_at[cell + 1]):
                self.near[self.around[i]] += 1
        for i in range(self.member_at[cell], self.member_at[cell + 1]):
            window = self.member[i]
            if self.blocked[window * 2 + foe] == 0:
                self._close(window, foe, cell)
            self.blocked[window * 2 + foe] += 1
            self.rest[window] ^= cell
            marks = self.own[window * 2 + side]
            self.own[window * 2 + side] = marks + 1
            if self.blocked[window * 2 + side] == 0:
                self.opened[side * MARKS + marks] -= 1
                self.opened[side * MARKS + marks + 1] += 1
                if marks + 2 == self.k:
                    last = self.rest[window] * 2 + side
                    if self.threats[last] == 0:
                        self.hot[side] += 1
                    self.threats[last] += 1
        for i in range(self.end_at[cell], self.end_at[cell + 1]):
            window = self.end[i]
            if self.blocked[window * 2 + side] == 0:
                self._close(window, side, cell)
            self.blocked[window * 2 + side] += 1
        self.cells[cell] = side + 1
        if self.live[cell]:
            self._toggle(cell)

    def _unmake(self, cell: int, side: int) -> None:
        foe = 1 - side
        assert self.cells[cell] == side + 1
        self.cells[cell] = 0
        for i in range(self.end_at[cell], self.end_at[cell + 1]):
            window = self.end[i]
            self.blocked[window * 2 + side] -= 1
            if self.blocked[window * 2 + side] == 0:
                self._reopen(window, side, cell)
        for i in range(self.member_at[cell], self.member_at[cell + 1]):
            window = self.member[i]
            marks = self.own[window * 2 + side] - 1
            self.own[window * 2 + side] = marks
            if self.blocked[window * 2 + side] == 0:
                self.opened[side * MARKS + marks + 1] -= 1
                self.opened[side * MARKS + marks] += 1
                if marks + 2 == self.k:
                    last = self.rest[window] * 2 + side
                    self.threats[last] -= 1
                    if self.threats[last] == 0:
                        self.hot[side] -= 1
            self.rest[window] ^= cell
            self.blocked[window * 2 + foe] -= 1
            if self.blocked[window * 2 + foe] == 0:
                self._reopen(window, foe, cell)
        if self.nearby:
            for i in range(self.around_at[cell], self.around_at[cell + 1]):
                self.near[self.around[i]] -= 1
        if self.gravity:
            self.drop[cell % self.columns] = cell
        self.made -= 1
        self.empty += 1
        if self.threats[cell * 2]:
            self.hot[0] += 1
        if self.threats[cell * 2 + 1]:
            self.hot[1] += 1

    def _gives_away(self, cell: int, foe: int) -> bool:
        """Return True if a mark on `cell` lets `foe` complete a line in the cell above it."""
        above = cell - self.columns
        return above >= 0 and self.threats[above * 2 + foe] > 0

    def _wins_in(self, plies: int, ply: int) -> int:
        """Return the value of a win after `plies` more plies; 0 if the board is full sooner."""
        return WIN - (ply + plies) if plies <= self.empty else 0

    def _outlook(self, side: int, ply: int) -> None:
        """Set `up` and `low`, the bounds of the value of a position that is not over.

        Set `forced` to the one move that blocks the other side's threat, or to -1.
        """
        foe = 1 - side
        assert self.empty > 0
        # Step 1. Count the legal moves (`choices`), and the cells where the side (`here`) or the
        # other side (`there`) completes a line.
        here = 0
        there = 0
        choices = 0
        good = 0  # moves that do not let the other side win in the cell above
        answer = -1
        self.forced = -1
        if self.gravity:
            for i in range(self.columns):
                cell = self.drop[i]
                if cell >= 0:
                    choices += 1
                    if self.threats[cell * 2 + side]:
                        here += 1
                    if self.threats[cell * 2 + foe]:
                        there += 1
                        answer = cell
                    if not self._gives_away(cell, foe):
                        good += 1
        else:
            choices = good = self.empty
            here = self.hot[side]
            there = self.hot[foe]
        # Step 2. Return if these counts show that the game is over in at most two plies.
        if self.misere:
            if here == choices:
                self.up = self.low = -(WIN - (ply + 1))
                return
        elif here:
            self.up = self.low = WIN - (ply + 1)
            return
        elif there > 1 or good == 0 or (self.gravity and there and self._gives_away(answer, foe)):
            self.up = self.low = -(WIN - (ply + 2))
            return
        # Step 3. Otherwise, bound the value by the open windows: see the module's docstring.
        self._bound(side, ply)
        # Step 4. A single threat of the other side must be blocked.
        if there and not self.misere:
            if not self.gravity:
                answer = 0
                while self.cells[answer] or self.threats[answer * 2 + foe] == 0:
                    answer += 1
            self.forced = answer

    def _bound(self, side: int, ply: int) -> None:
        foe = 1 - side
        # For each side: the empty cells of its fullest open window, and the potential.
        mine = 0
        theirs = 0
        my_potential = 0
        their_potential = 0
        for i in range(self.k):
            if self.opened[side * MARKS + i]:
                mine = self.k - i
                my_potential += self.opened[side * MARKS + i] * (ONE >> mine)
            if self.opened[foe * MARKS + i]:
                theirs = self.k - i
                their_potential += self.opened[foe * MARKS + i] * (ONE >> theirs)
        self.up = self.low = 0
        if mine:
            soonest = 2 * mine - 1
            if soonest < 3:
                soonest = 3
            if self.misere:
                # With an odd number of empty cells, the side to move makes the board's last mark.
                if self.gravity or my_potential << (self.empty & 1) >= ONE:
                    self.low = -self._wins_in(soonest, ply)
            elif self.gravity or 2 * my_potential >= ONE:
                self.up = self._wins_in(soonest, ply)
        if theirs:
            soonest = 2 * theirs
            if self.misere:
                if self.gravity or 2 * their_potential >> (self.empty & 1) >= ONE:
                    self.up = self._wins_in(soonest, ply)
            elif self.gravity or their_potential >= ONE:
                if soonest < 4:
                    soonest = 4
                self.low = -self._wins_in(soonest, ply)

    def _evaluate(self, side: int) -> int:
        foe = 1 - side
        value = 0
        for i in range(self.k):
            value += self.weight[i] * (self.opened[side * MARKS + i] - self.opened[foe * MARKS + i])
        value += TEMPO
        if self.misere:
            value = RESERVE * (self.hot[foe] - self.hot[side]) - value
        if value > CAP:
            value = CAP
        elif value < -CAP:
            value = -CAP
        return value

    def evaluate(self, side: int) -> int:
        return self._evaluate(side)

    def mirror_holds(self) -> bool:
        """Return True if, in misère, the opponent can mirror each move of the side to move.

        Before the opponent can complete a line, the side to move completes the line's image, and
        loses. A symmetry must swap all cells in pairs. The two cells of a pair must be both empty,
        or marked by different sides.

        A marked cell may be its own image on two conditions:

        - Each window through the cell contains a pair, so that nobody fills the window.
        - A row longer than k is a line too. Otherwise the cell's mark could make one side's row
          too long, but not the image of this row.
        """
        i = self.symmetries - 1 if self.misere else 0
        while i > 0 and not self._mirrors(i):
            i -= 1
        return i > 0

    def _mirrors(self, i: int) -> bool:
        for cell in range(self.size):
            place = self.image[i * self.size + cell]
            if place == cell:
                holds = self.overline and self.cells[cell] and self._has_pairs(cell, i)
            else:
                both = 3 if self.cells[cell] else 0
                returns = self.image[i * self.size + place] == cell
                holds = returns and self.cells[cell] + self.cells[place] == both
            if not holds:
                return False
        return True

    def _has_pairs(self, cell: int, i: int) -> bool:
        image = [self.image[i * self.size + x] for x in range(self.size)]
        for j in range(self.member_at[cell], self.member_at[cell + 1]):
            window = self.member[j] * self.k
            cells = [self.cell_of[x] for x in range(window, window + self.k)]
            if not any(image[x] != x and image[x] in cells for x in cells):
                return False
        return True

    def mirroring_move(self, side: int) -> int:
        """Return a move after which the side can mirror the other side's moves, or -1."""
        for cell in self.free() if self.misere and self.symmetries > 1 else ():
            over = self.play(cell, side)
            holds = not over and self.mirror_holds()
            self.take_back(cell, side)
            if holds:
                return cell
        return -1

    # Moves.

    def _list(self, side: int, ply: int, first: int, forced: int, proving: bool) -> int:
        """List the moves that do not lose at once, with their urgency; return the number of moves.

        Without gravity, cells that touch no open window are equivalent. Only the first is listed.
        The urgency includes `history`, except in proofs without gravity, where `history` costs
        nodes.
        """
        foe = 1 - side
        base = ply * STRIDE
        n = 0
        passed = False
        nearby = self.nearby and not proving
        learnt = self.gravity or not proving
        if forced >= 0:
            self.moves[base] = forced
            self.urges[base] = 0
            return 1
        for i in range(self.columns if self.gravity else self.size):
            cell = i
            if self.gravity:
                cell = self.drop[i]
                if cell < 0 or (not self.misere and self._gives_away(cell, foe)):
                    continue
            elif self.cells[cell] or (nearby and self.near[cell] == 0):
                continue
            if self.misere and self.threats[cell * 2 + side]:
                continue
            urge = 0
            if self.live[cell] == 0 and not self.gravity:
                if passed:
                    continue
                passed = True
            for j in range(self.member_at[cell], self.member_at[cell + 1]):
                window = self.member[j] * 2
                if self.blocked[window + side] == 0:
                    urge += self.own_urge * self.urge[self.own[window + side]]
                if self.blocked[window + foe] == 0:
                    urge += self.foe_urge * self.urge[self.own[window + foe]]
            if cell == first:
                urge = FIRST
            elif learnt:
                urge += self.history[cell * 2 + side]
            self.moves[base + n] = cell
            self.urges[base + n] = urge
            n += 1
        return n
