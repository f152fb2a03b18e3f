"""Which network should correct the evaluation? Fits network.bin of the gomoku engine.

    python -m benchmarks.engine.fit_network --positions 2300000

A third of the positions are made as in `fit` and labelled by searches. The other positions are from
whole games. The label of a position from a whole game averages two numbers: the game's result, and
a search's estimate of the mover's chance to win. The weights of `fit` stay unchanged: the network
learns what to add to their sum. The fit minimises the cross entropy by Adam (Kingma and Ba 2015),
with weight decay. A cell has features for a side only if the side has a mark on a line through the
cell, so empty space on a larger board changes nothing.

After the first fit, run the program again with the next seed: searches that use the network give
better labels.
"""

from __future__ import annotations

import random
from array import array
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.labelled import SIZE, UNIT, in_parts, off_line, whole_games
from benchmarks.engine.training import BATCH, HELD_OUT, Adam, Floats, batches
from benchmarks.options import asked
from bestmove.search.engines.gomoku import network, patterns
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.parameters import UNKNOWN

LABEL_NODES: Final = 5_000
ASIDE: Final = (0, 0, 1, 1, 2)

WIDER: Final = 1.12
"""The learnt values are multiplied by this factor, because labels with game results make them too
small for the margins of the search."""

EPOCHS: Final = 6
RATE: Final = 3e-3
DECAY: Final = 1e-2
FIRST_FACTOR: Final = 0.9
Counts = NDArray[np.uint8]

COMBINATIONS: Final = len(patterns.COMBINATIONS)
HAS_FEATURES: Final = np.array(
    [max(classes) >= patterns.TWO_CLOSED for classes in patterns.COMBINATIONS], np.float32
)[:, None]


class Positions(NamedTuple):
    """Labelled positions: each array has a row for each position.

    Attributes:
        counts: how many empty cells have each of `COMBINATIONS`, for the mover and the opponent.
        facts: 1 for each fact of the situation that is true, otherwise 0.
        weighted: the evaluation without the network, in nats.
        chance: the label, which is the mover's chance to win.
    """

    counts: Counts
    facts: Floats
    weighted: Floats
    chance: Floats

    def part(self, chosen: NDArray[np.int64]) -> Positions:
        return Positions(
            self.counts[chosen], self.facts[chosen], self.weighted[chosen], self.chance[chosen]
        )


def blank(count: int) -> Positions:
    return Positions(
        np.zeros((count, 2, COMBINATIONS), np.uint8),
        np.zeros((count, network.SITUATIONS), np.float32),
        np.zeros(count, np.float32),
        np.zeros(count, np.float32),
    )


def positions(seed: int, count: int) -> Positions:
    chance = random.Random(seed)
    engine = GomokuEngine(SIZE, SIZE, 5, 16)
    if seed % 3:
        labelled = whole_games(chance, engine, LABEL_NODES)
    else:
        labelled = off_line(chance, engine, LABEL_NODES, ASIDE)
    made = blank(count)
    at = 0
    for cells, to_move, chance_to_win, _ in labelled:
        kernel = engine.kernel
        kernel.set_up(cells)
        mover = to_move - 1
        if kernel.static_value(mover) != UNKNOWN:
            continue
        for seen in kernel.classes():
            if seen is not None:
                for row, side in enumerate((mover, 1 - mover)):
                    made.counts[at, row, seen[side]] += 1
        made.facts[at, kernel.facts(mover)] = 1
        made.weighted[at] = kernel.weighted_sum(mover) / UNIT
        made.chance[at] = chance_to_win
        at += 1
        if at == count:
            break
    return made


class Trained(Adam):
    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        rows = 2 * network.FEATURES + network.SITUATIONS
        hidden = network.HIDDEN
        first = {
            "features": chance.normal(0, 0.05, (COMBINATIONS, network.FEATURES)) * HAS_FEATURES,
            "inputs": chance.normal(0, rows**-0.5, (rows, hidden)),
            "outputs": chance.normal(0, 0.3 * hidden**-0.5, hidden),
            "situation": np.zeros(network.SITUATIONS),
            "factor": np.full(1, FIRST_FACTOR),
        }
        super().__init__(first)

    def forward(self, given: Positions) -> tuple[Floats, Floats, Floats]:
        """Return the hidden layer's inputs and outputs, and the logarithms of the odds."""
        values = self.values
        sums = given.counts.astype(np.float32) @ values["features"]
        inputs = np.concatenate([sums.reshape(len(sums), -1), given.facts], 1)
        neurons = (inputs @ values["inputs"]).clip(0)
        odds = neurons @ values["outputs"] + given.facts @ values["situation"]
        return inputs, neurons, odds + given.weighted * values["factor"]

    def learn(self, given: Positions, rate: float) -> None:
        values = self.values
        inputs, neurons, odds = self.forward(given)
        wrong = (1 / (1 + np.exp(-odds)) - given.chance) / len(odds)
        behind = wrong[:, None] * values["outputs"] * (neurons > 0)
        sums = (behind @ values["inputs"].T)[:, : 2 * network.FEATURES]
        counts = given.counts.astype(np.float32).reshape(-1, COMBINATIONS)
        slopes = {
            "features": counts.T @ sums.reshape(-1, network.FEATURES) * HAS_FEATURES,
            "inputs": inputs.T @ behind,
            "outputs": neurons.T @ wrong,
            "situation": given.facts.T @ wrong,
            "factor": np.array([given.weighted @ wrong]),
        }
        for name in ("features", "inputs", "outputs"):
            values[name] = values[name] * (1 - rate * DECAY)
        self.step(slopes, rate)

    def loss(self, given: Positions) -> float:
        total = 0.0
        for part in np.array_split(np.arange(len(given.chance)), len(given.chance) // BATCH + 1):
            some = given.part(part)
            odds = self.forward(some)[2]
            total += float(np.sum(np.logaddexp(0, odds) - some.chance * odds))
        return total / len(given.chance)

    def numbers(self) -> array[int]:
        values = self.values
        parts = (
            values["features"] * network.UNIT,
            values["inputs"] * network.UNIT,
            values["outputs"] * network.UNIT * WIDER,
            values["situation"] * UNIT * WIDER,
            values["factor"] * (1 << network.FACTOR_SHIFT) * WIDER,
        )
        return array("h", [round(float(value)) for part in parts for value in part.ravel()])


def train(given: Positions, seed: int, epochs: int = EPOCHS) -> Trained:
    kept = len(given.chance) * (HELD_OUT - 1) // HELD_OUT
    held_out = given.part(np.arange(kept, len(given.chance)))
    likely = held_out.chance
    least = -np.mean(likely * np.log(likely) + (1 - likely) * np.log(1 - likely))
    alone = np.mean(np.logaddexp(0, held_out.weighted) - likely * held_out.weighted)
    print(f"{alone:.4f} nats without it, {least:.4f} at the lowest", flush=True)
    found = Trained(seed)
    chance = np.random.default_rng(seed)
    for epoch in range(epochs):
        for rows, share in batches(chance, kept, epoch, epochs):
            found.learn(given.part(rows), RATE * share)
        print(f"{found.loss(held_out):.4f} after {epoch + 1} rounds", flush=True)
    return found


def main() -> None:
    options = asked(__doc__, positions=2_300_000, seed=1)
    given: tuple[NDArray[Any], ...] = blank(options.positions)
    at = 0
    for part in in_parts(positions, options.positions, options.seed):
        upto = at + len(part.chance)
        for column, some in zip(given, part, strict=True):
            column[at:upto] = some
        at = upto
    made = Positions(*(column[:at] for column in given))
    numbers = train(made, options.seed).numbers()
    network.unpacked(numbers)
    place = Path(network.__file__).with_name("network.bin")
    place.write_bytes(np.array(numbers, "<i2").tobytes())
    print(f"written into {place}")


if __name__ == "__main__":
    main()
