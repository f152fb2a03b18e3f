"""A small network that corrects the weighted sum of the evaluation.

Several lines together may be worth more, or less, than the sum of their weights. The network
corrects this. The network has one layer of HIDDEN neurons. The inputs of the layer are:

- For each side, the sums of FEATURES numbers over all empty cells. The numbers of a cell depend on
  the classes of the four lines through the cell.
- SITUATIONS facts about the position, each true or false: see `Search.facts_of`.

Every move of the main search updates the sums (an efficiently updatable neural network: Nasu
2018). The network computes in integers, so that every build visits the same nodes.

`benchmarks/engine/fit_network.py` writes network.bin: little-endian integers of 16 bits.

    count                   what
    combinations × FEATURES the features of each combination of classes, in units of 1 / UNIT
    (2 × FEATURES) × HIDDEN weights of the sums of features, the mover's first, in units of 1 / UNIT
    SITUATIONS × HIDDEN     weights of the facts, in units of 1 / UNIT
    HIDDEN                  weights of the neurons, in units of 1 / UNIT
    SITUATIONS              what each fact adds to the evaluation directly
    1                       what multiplies the weighted sum, in units of 1 / 1024
"""

from __future__ import annotations

from array import array
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from bestmove.search import declared, packed
from bestmove.search.engines.gomoku.patterns import COMBINATIONS

_SIZES: Final = declared.constants(__file__)
FEATURES: Final = _SIZES["FEATURES"]
WORD_FEATURES: Final = _SIZES["WORD_FEATURES"]

PLACE_BITS: Final = 16

HIDDEN: Final = _SIZES["HIDDEN"]
SITUATIONS: Final = _SIZES["SITUATIONS"]
FACTS_TOGETHER: Final = _SIZES["FACTS_TOGETHER"]

UNIT: Final = 256
FACTOR_SHIFT: Final = 10


class Network(NamedTuple):
    """The network's numbers in the form that the search uses.

    Attributes:
        features: two 64-bit words for each combination of classes. A word packs four features.
        sums: the layer's weights for the sums of features, in units of 1 / UNIT. `common.layer`
            says which weight belongs to which sum and neuron.
        facts: what true facts add to each neuron, in units of 1 / UNIT**2. There are two tables,
            one after the other: the first FACTS_TOGETHER facts are the bits of the first table's
            index, the other facts are the bits of the second table's index. Each entry has HIDDEN
            numbers.
        outputs: the weight of each neuron.
        situation: what true facts add to the evaluation directly: two tables as in `facts`, but
            with one number in each entry.
        factor: what multiplies `Search.weighted_sum`, in units of 1 / 1024.
    """

    features: array[int]
    sums: array[int]
    facts: array[int]
    outputs: array[int]
    situation: array[int]
    factor: int


@cache
def network() -> Network:
    data = resources.files(__package__).joinpath("network.bin").read_bytes()
    return unpacked(packed.numbers("h", data))


def unpacked(numbers: array[int]) -> Network:
    """Make the network from the numbers in network.bin.

    Raises:
        ValueError: there are too few or too many numbers.
    """
    sizes = (
        len(COMBINATIONS) * FEATURES,
        2 * FEATURES * HIDDEN,
        SITUATIONS * HIDDEN,
        HIDDEN,
        SITUATIONS,
        1,
    )
    if len(numbers) != sum(sizes):
        raise ValueError(f"{len(numbers)} numbers, not {sum(sizes)}")
    parts = []
    at = 0
    for size in sizes:
        parts.append(numbers[at : at + size])
        at += size
    of_cells, sums, facts, outputs, situation, factor = parts
    features = array("q")
    for at in range(0, len(of_cells), WORD_FEATURES):
        own = of_cells[at : at + WORD_FEATURES]
        features.append(sum(value << PLACE_BITS * place for place, value in enumerate(own)))
    rows = []
    for fact, weight in enumerate(situation):
        row = facts[fact * HIDDEN : (fact + 1) * HIDDEN]
        rows.append([*(UNIT * value for value in row), weight])
    sets = sums_of_sets(rows[:FACTS_TOGETHER]) + sums_of_sets(rows[FACTS_TOGETHER:])
    added = array("i", [value for row in sets for value in row[:-1]])
    worth = array("i", [row[-1] for row in sets])
    paired = array("h")
    for pair in range(0, len(sums), 2 * HIDDEN):
        for j in range(pair, pair + HIDDEN):
            paired.extend((sums[j], sums[j + HIDDEN]))
    return Network(features, paired, added, outputs, worth, factor[0])


def sums_of_sets(rows: list[list[int]]) -> list[list[int]]:
    """Return 2**n sums of the n rows. Sum s includes row i if bit i of s is 1."""
    sums = [[0] * len(rows[0])]
    for row in rows:
        sums += [[a + b for a, b in zip(known, row, strict=True)] for known in sums]
    return sums
