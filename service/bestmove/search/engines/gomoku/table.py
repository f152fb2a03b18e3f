# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
"""The transposition table. `table.pxd` has the C types."""

from __future__ import annotations

from typing import Final

from bestmove.search import declared, memory
from bestmove.search.engines.gomoku.parameters import SETTLED_RANK

compiled: bool = declared.is_compiled(__file__)

# Bounds. EXACT has the bits of UPPER and LOWER, so `bound & LOWER` is true for LOWER and EXACT.
UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3

NUMBER_MASK = (1 << 20) - 1

_GENERATIONS: Final = (1 << 13) - 1
_BUCKET: Final = 4


class Table:
    """A hash table in buckets of four entries, which threads use without a lock.

    An entry has two words: the data, and key xor data. Two threads may write one word each. Then
    the words give a wrong key, and the entry is not found (Hyatt and Mann 2002).

    The first row below shows the data of the principal variation search and of searches of fours.
    The second row shows the data of the proof-number search, which uses other keys.

        63        51 50   49 48   41 40  32 31        16 15     0
        [generation][bound ][draft ][ move ][ evaluation ][ value ]
        [generation][   rank       ][   proof  40 .. 21   ][ disproof  20 .. 1 ][0]

    - `generation`: the number of the search that stored the entry. An entry with a number below
      `oldest` counts as absent.
    - `draft`: the depth of the search plus DRAFT_OFFSET, or the plies within which no win by fours
      exists.
    - `rank`: the binary logarithm of the nodes spent, plus SETTLED_RANK if `proof` or `disproof`
      is 0.
    - `value` and `evaluation` are stored with 32768 added.
    - `move`: a cell, or 0 for none.

    Args:
        bits: the table has 2**bits entries; 4 to 28.

    Raises:
        ValueError: bits out of range.
    """

    def __init__(self, bits: int) -> None:
        if not 4 <= bits <= 28:
            raise ValueError(f"table_bits must be from 4 to 28, not {bits}")
        self.keys = memory.words(1 << bits)
        self.entries = memory.words(1 << bits)
        self.mask = (1 << bits) - _BUCKET
        self.generation = self.oldest = 0
        self.value = self.evaluation = self.move = self.draft = self.bound = 0
        self.proof = self.disproof = 0

    def share(self, other: Table) -> None:
        self.keys = other.keys
        self.entries = other.entries
        self.mask = other.mask
        self.generation = other.generation
        self.oldest = other.oldest

    def begin(self, keep: bool = False) -> None:
        """Begin a search; forget the entries of earlier searches unless `keep` is set."""
        self.generation += 1
        if not keep:
            self.oldest = self.generation
        if self.generation > _GENERATIONS:
            # All generation numbers are used: clear the table.
            for i in range(len(self.entries)):
                self.entries[i] = 0
            self.generation = self.oldest = 1

    def probe(self, key: int) -> int:
        first = key & self.mask
        for i in range(first, first + 4):
            data = self.entries[i]
            if self.keys[i] ^ data == key and data >> 51 >= self.oldest:
                return data
        return 0

    def put(self, key: int, data: int) -> None:
        """Store data. Replace the entry with this key, else an entry of an earlier search, else the
        entry of lowest `draft` or `rank`."""
        first = key & self.mask
        chosen = first
        least = 1000
        for i in range(first, first + 4):
            old = self.entries[i]
            if self.keys[i] ^ old == key and old >> 51 >= self.oldest:
                chosen = i
                break
            rank = -1
            if old >> 51 == self.generation:
                rank = (old >> 41) & 255
            if rank < least:
                least = rank
                chosen = i
        self.keys[chosen] = key ^ data
        self.entries[chosen] = data

    def find(self, key: int) -> bool:
        """Return True if data is stored with this key; if so, set the attributes `value`,
        `evaluation`, `move`, `draft` and `bound`."""
        data = self.probe(key)
        if data == 0:
            return False
        self.value = (data & 0xFFFF) - 32768
        self.evaluation = ((data >> 16) & 0xFFFF) - 32768
        self.move = (data >> 32) & 511
        self.draft = (data >> 41) & 255
        self.bound = (data >> 49) & 3
        return True

    def store(
        self, key: int, value: int, evaluation: int, move: int, draft: int, bound: int
    ) -> None:
        assert -32768 <= value <= 32767
        assert -32768 <= evaluation <= 32767
        assert 0 <= move <= 511
        assert 0 <= draft <= 255
        assert 1 <= bound <= 3
        data = self.generation
        data = (data << 2) | bound
        data = (data << 8) | draft
        data = (data << 9) | move
        data = (data << 16) | (evaluation + 32768)
        data = (data << 16) | (value + 32768)
        self.put(key, data)

    def find_numbers(self, key: int) -> bool:
        """Return True if data is stored with this key; if so, set `proof` and `disproof`."""
        data = self.probe(key)
        if data == 0:
            return False
        self.proof = (data >> 21) & NUMBER_MASK
        self.disproof = (data >> 1) & NUMBER_MASK
        return True

    def store_numbers(self, key: int, proof: int, disproof: int, work: int) -> None:
        """Store the proof numbers of a node. `work`: how many nodes the node's search visited."""
        assert proof <= NUMBER_MASK
        assert disproof <= NUMBER_MASK
        rank = 0
        while work > 1 and rank < 40:
            work >>= 1
            rank += 1
        if proof == 0 or disproof == 0:
            rank += SETTLED_RANK
        data = self.generation
        data = (data << 10) | rank
        data = (data << 20) | proof
        data = (data << 20) | disproof
        self.put(key, data << 1)
