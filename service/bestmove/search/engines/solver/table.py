# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: warn-return-any=False, disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""The solver's transposition table, in which symmetric positions share entries.

This is plain Python; `table.pxd` has the C types for Cython.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bestmove.game.geometry import BoardSymmetry
from bestmove.search import declared, memory
from bestmove.search.engines.solver.parameters import SYMMETRIC_PLIES

compiled: bool = declared.is_compiled(__file__)

# Plain Python reads the constants of live_lines.pxd and table.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

WORD = 0xFFFFFFFFFFFFFFFF  # keeps the low 64 bits of a product, as C does

# Two odd multipliers that mix well: 2^64 divided by the golden ratio (Knuth 1973), and the second
# prime of xxHash64.
GOLDEN = 0x9E3779B97F4A7C15
PRIME = 0xC2B2AE3D27D4EB4F

_ENTRY_WORDS: Final = 4


# -- the last word of an entry of the transposition table -------------------------------------
#
#     bits 0-6    win: the plies of a win; 0 if no win is known
#     bits 7-13   no win: the attacker cannot win within this many plies
#     bits 14-20  move + 1: the attacker's winning move, or a defender's move that prevents a win
#     bits 21-22  turn: whose turn it is, and whether the defender only blocks
#     bits 23-28  effort: the bit length of the number of nodes searched for the result
#     bits 32-63  generation: the number of the search that stored the entry


def _win_of(info: int) -> int:
    return info & 127


def _no_win_of(info: int) -> int:
    return (info >> 7) & 127


def _move_of(info: int) -> int:
    stored = (info >> 14) & 127
    return stored - 1


def _turn_of(info: int) -> int:
    return (info >> 21) & 3


def _effort_of(info: int) -> int:
    return (info >> 23) & 63


def _generation_of(info: int) -> int:
    return info >> 32


def _packed(win: int, no_win: int, move: int, turn: int, effort: int, generation: int) -> int:
    stored = move + 1
    return win | no_win << 7 | stored << 14 | turn << 21 | effort << 23 | generation << 32


class Table:
    """The transposition table.

    An entry has four words: the two halves of the key, the zone of a win, and the word of
    `_packed`. Two neighbouring entries are a slot. A position can be in either entry of its slot.
    The table has 2**bits entries.

    For the position that `find` last looked up at a ply:

        _symmetry[ply]                  the symmetry that maps the position to the stored position
        _key_p[ply], _key_q[ply]        the key of the stored position
        _slot[ply]                      the index of the slot's first word in `_entries`

    For each symmetry:

        _place_of[symmetry*CELLS + cell]            the image of a cell
        _images[(symmetry*SET_BYTES + i)*BYTE + b]  the image of the set of cells b << 8*i

    Raises:
        ValueError: `bits` is not 4 to 28.
    """

    def __init__(self, symmetries: Sequence[BoardSymmetry], bits: int) -> None:
        if not 4 <= bits <= 28:
            raise ValueError(f"table_bits must be 4 to 28, not {bits}")
        if not compiled:
            declared.make_arrays(self, __file__)
        self._make_symmetries(symmetries)
        self._shift = 64 - (bits - 1)
        self._entries = memory.words(_ENTRY_WORDS << bits)
        self._generation = 0
        self.win = self.no_win = self.move = self.zone = 0

    def _make_symmetries(self, symmetries: Sequence[BoardSymmetry]) -> None:
        self._symmetry_count = len(symmetries)
        images = [symmetry.image for symmetry in symmetries]
        for i, symmetry in enumerate(symmetries):
            self._inverse[i] = images.index(symmetry.back)
            for cell, place in enumerate(symmetry.image):
                self._place_of[CELLS * i + cell] = place
                low = (i * SET_BYTES + cell // 8) * BYTE
                bit = 1 << cell % 8
                for rest in range(bit):
                    self._images[low + bit + rest] = self._images[low + rest] | (1 << place)

    def begin(self) -> None:
        self._generation = (self._generation + 1) & 0xFFFFFFFF
        if self._generation == 0:
            # All generation numbers are used, so clear the table.
            for i in range(len(self._entries)):
                self._entries[i] = 0
            self._generation = 1

    def _image(self, cells: int, symmetry: int) -> int:
        at = symmetry * SET_BYTES * BYTE
        image = 0
        while cells:
            image |= self._images[at + (cells & (BYTE - 1))]
            cells >>= 8
            at += BYTE
        return image

    def find(self, ply: int, p: int, q: int, turn: int) -> bool:
        """Look up the position with the key `p`, `q`, `turn`; return True if the table has it.

        The attributes `win`, `no_win`, `move` and `zone` get the result.
        """
        raw_p = p
        raw_q = q
        self._symmetry[ply] = 0
        if ply <= SYMMETRIC_PLIES:
            # Of symmetric positions, the one with the lowest key is stored.
            for i in range(1, self._symmetry_count):
                image_p = self._image(raw_p, i)
                image_q = self._image(raw_q, i)
                if image_p < p or (image_p == p and image_q < q):
                    p = image_p
                    q = image_q
                    self._symmetry[ply] = i
        self._key_p[ply] = p
        self._key_q[ply] = q
        h = ((p + turn + 1) * GOLDEN) & WORD
        h ^= h >> 29
        h = ((h + q) * PRIME) & WORD
        h ^= h >> 32
        h = (h * GOLDEN) & WORD
        at = (h >> self._shift) << 3
        self._slot[ply] = at
        for _ in range(2):
            info = self._entries[at + 3]
            if self._is_entry(at, info, ply, turn):
                self.win = _win_of(info)
                self.no_win = _no_win_of(info)
                self.move = _move_of(info)
                self.zone = self._entries[at + 2]
                if self._symmetry[ply]:
                    i = self._inverse[self._symmetry[ply]]
                    self.zone = self._image(self.zone, i)
                    if self.move >= 0:
                        self.move = self._place_of[CELLS * i + self.move]
                return True
            at += 4
        return False

    def _is_entry(self, at: int, info: int, ply: int, turn: int) -> bool:
        return (
            self._entries[at] == self._key_p[ply]
            and self._entries[at + 1] == self._key_q[ply]
            and _generation_of(info) == self._generation
            and _turn_of(info) == turn
        )

    def store(
        self, ply: int, turn: int, win: int, no_win: int, move: int, zone: int, spent: int
    ) -> None:
        """Store a result of the position that `find` last looked up at this ply.

        `spent`: the nodes searched for the result. The result goes to one entry of the slot:

        - The position's own entry, if the slot has such an entry. If the result has no win, the
          entry keeps an old win. The entry also keeps an old `no_win` that is larger.
        - Else an entry of an earlier search.
        - Else the first entry, if the result has at least the `effort` of that entry.
        - Else the second entry.
        """
        assert 0 <= win <= 127
        assert 0 <= no_win <= 127
        assert -1 <= move < CELLS
        first = self._slot[ply]
        at = first
        chosen = -1
        effort = 0
        while spent > 0:
            spent >>= 1
            effort += 1
        if self._symmetry[ply]:
            zone = self._image(zone, self._symmetry[ply])
            if move >= 0:
                move = self._place_of[CELLS * self._symmetry[ply] + move]
        for _ in range(2):
            info = self._entries[at + 3]
            if _generation_of(info) != self._generation:
                if chosen < 0:
                    chosen = at
            elif self._is_entry(at, info, ply, turn):
                chosen = at
                if win == 0 and _win_of(info) > 0:
                    win = _win_of(info)
                    zone = self._entries[at + 2]
                    if move < 0:
                        move = _move_of(info)
                if _no_win_of(info) > no_win:
                    no_win = _no_win_of(info)
                if _effort_of(info) > effort:
                    effort = _effort_of(info)
                break
            at += 4
        if chosen < 0:
            chosen = first if effort >= _effort_of(self._entries[first + 3]) else first + 4
        self._entries[chosen] = self._key_p[ply]
        self._entries[chosen + 1] = self._key_q[ply]
        self._entries[chosen + 2] = zone
        self._entries[chosen + 3] = _packed(win, no_win, move, turn, effort, self._generation)
