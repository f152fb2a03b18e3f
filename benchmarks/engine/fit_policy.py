"""Which moves should be tried first? Fits policy.json of the gomoku engine to the moves that
searches choose.

    python -m benchmarks.engine.fit_policy --positions 140000

The positions are made as in `fit`. In each, a search of LABEL_NODES nodes chooses a move. The model
is a conditional logit (Coulom 2007, "Computing Elo ratings of move patterns in the game of Go").
Each line class, pair of line classes and cell class gets a value. The chance of a move on a cell
near the marks is proportional to exp(s), where s is the sum of the cell's values. Adam (Kingma and
Ba 2015) finds the values that make the chosen moves likeliest. The program writes the values into
policy.json.
"""

import random
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.fit import CLASSES, PAIRS, WIDTH, Table, of_cells, written
from benchmarks.engine.labelled import SIZE, in_parts, near, off_line
from benchmarks.engine.training import BATCH, HELD_OUT, Adam, Floats, batches
from benchmarks.options import asked
from bestmove.search.engines.gomoku import patterns, policy
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.parameters import UNKNOWN

LABEL_NODES: Final = 6_000
ASIDE: Final = (0, 1, 1, 2)
EPOCHS: Final = 5
RATE: Final = 2e-2
DECAY: Final = 1e-6
"""The factor of the L2 penalty. Without a penalty, many sets of values would fit equally well."""

NO_CELL: Final = len(patterns.COMBINATIONS)

Numbers = NDArray[np.int64]


class Choices(NamedTuple):
    """Positions and the moves that searches chose: each array has a row for each position.

    Attributes:
        own: for each cell, the mover's lines as an index in `patterns.COMBINATIONS`; NO_CELL if
            the cell is not a possible move.
        foe: the same for the opponent's lines.
        threatened: whether the opponent threatens an open four.
        chosen: the index of the chosen move.
    """

    own: NDArray[np.uint16]
    foe: NDArray[np.uint16]
    threatened: NDArray[np.bool_]
    chosen: NDArray[np.uint16]

    def part(self, rows: NDArray[np.int64]) -> "Choices":
        return Choices(self.own[rows], self.foe[rows], self.threatened[rows], self.chosen[rows])


def choices(seed: int, count: int) -> Choices:
    engine = GomokuEngine(SIZE, SIZE, 5, 16)
    made = Choices(
        np.full((count, SIZE * SIZE), NO_CELL, np.uint16),
        np.full((count, SIZE * SIZE), NO_CELL, np.uint16),
        np.zeros(count, bool),
        np.zeros(count, np.uint16),
    )
    at = 0
    for label in off_line(random.Random(seed), engine, LABEL_NODES, ASIDE):
        mover = label.to_move - 1
        cells = near(label.cells)
        engine.kernel.set_up(label.cells)
        seen = engine.kernel.classes()
        if label.move not in cells or engine.kernel.static_value(mover) != UNKNOWN:
            continue
        for cell in cells:
            found = seen[cell]
            assert found
            made.own[at, cell], made.foe[at, cell] = found[mover], found[1 - mover]
            made.threatened[at] |= found[3 - mover] == patterns.CELL_OPEN_FOUR
        made.chosen[at] = label.move
        at += 1
        if at == count:
            break
    return made


def _lines_and_pairs() -> Floats:
    rows = np.zeros((NO_CELL + 1, WIDTH), np.float32)
    for row, lines in zip(rows, patterns.COMBINATIONS, strict=False):
        for i, more in enumerate(lines[::-1]):
            row[more] += 1
            for less in lines[::-1][i + 1 :]:
                row[PAIRS[more, less]] += 1
        row[CLASSES + patterns.cell_class(*lines)] = 1
    return rows


FEATURES: Final = _lines_and_pairs()
CLASS_OF: Final = np.array([*(patterns.cell_class(*c) for c in patterns.COMBINATIONS), 0])
TOGETHER: Final = patterns.CELL_CLASSES**2


class Fitted(Adam):
    """The fitted values, in nats. `own` is for the mover's lines through a cell, `foe` for the
    opponent's lines. `together` has values for pairs: the mover's and the opponent's cell class."""

    def __init__(self) -> None:
        sizes = {"own": WIDTH, "foe": WIDTH, "together": 2 * TOGETHER}
        super().__init__({name: np.zeros(size) for name, size in sizes.items()})

    def chances(self, given: Choices) -> tuple[Floats, Numbers]:
        """Return each cell's chance to be chosen, and each cell's index in `together`."""
        own, foe, together = self.values.values()
        pair = CLASS_OF[given.own] * patterns.CELL_CLASSES + CLASS_OF[given.foe]
        pair = pair + TOGETHER * given.threatened[:, None]
        promise = (FEATURES @ own)[given.own] + (FEATURES @ foe)[given.foe] + together[pair]
        promise[given.own == NO_CELL] = -np.inf
        likely = np.exp(promise - promise.max(1, keepdims=True))
        return likely / likely.sum(1, keepdims=True), pair

    def learn(self, given: Choices, rate: float) -> None:
        wrong, pair = self.chances(given)
        wrong[np.arange(len(wrong)), given.chosen] -= 1
        weights = wrong.ravel() / len(wrong)
        slopes = {
            "own": np.bincount(given.own.ravel(), weights, NO_CELL + 1) @ FEATURES,
            "foe": np.bincount(given.foe.ravel(), weights, NO_CELL + 1) @ FEATURES,
            "together": np.bincount(pair.ravel(), weights, 2 * TOGETHER),
        }
        decayed = {name: slope + DECAY * self.values[name] for name, slope in slopes.items()}
        self.step(decayed, rate)

    def judged(self, given: Choices) -> tuple[float, float]:
        """Return the mean loss in nats, and the share of positions in which the likeliest move was
        chosen."""
        loss = 0.0
        first = 0
        for rows in np.array_split(np.arange(len(given.chosen)), len(given.chosen) // BATCH + 1):
            some = given.part(rows)
            likely = self.chances(some)[0]
            loss -= float(np.log(likely[np.arange(len(rows)), some.chosen]).sum())
            first += int((likely.argmax(1) == some.chosen).sum())
        return loss / len(given.chosen), first / len(given.chosen)

    def tables(self) -> dict[str, Table]:
        values: dict[str, Table] = {}
        for side in ("own", "foe"):
            names = (f"{side.upper()}_{part}" for part in ("LINES", "PAIRS", "CELLS"))
            fitted = self.values[side].astype(float)
            values |= zip(names, of_cells(fitted, policy.UNIT), strict=True)
        both = (10 * policy.UNIT * self.values["together"]).round().astype(int)
        quiet, threatened = both.reshape(2, patterns.CELL_CLASSES, patterns.CELL_CLASSES).tolist()
        values["TOGETHER"] = tuple(map(tuple, quiet))
        values["TOGETHER_THREATENED"] = tuple(map(tuple, threatened))
        return values


def train(given: Choices, seed: int, epochs: int = EPOCHS) -> Fitted:
    kept = len(given.chosen) * (HELD_OUT - 1) // HELD_OUT
    held_out = given.part(np.arange(kept, len(given.chosen)))
    found = Fitted()
    chance = np.random.default_rng(seed)
    for epoch in range(epochs):
        for rows, share in batches(chance, kept, epoch, epochs):
            found.learn(given.part(rows), RATE * share)
        loss, first = found.judged(held_out)
        print(f"{loss:.4f} nats, {first:.1%} first, after {epoch + 1} rounds", flush=True)
    return found


def main() -> None:
    options = asked(__doc__, positions=140_000, seed=1)
    made = in_parts(choices, options.positions, options.seed)
    given = Choices(*(np.concatenate(column) for column in zip(*made, strict=True)))
    place = Path(policy.__file__).with_suffix(".json")
    place.write_text(written(train(given, options.seed).tables()), "utf-8")
    print(f"written into {place}")


if __name__ == "__main__":
    main()
