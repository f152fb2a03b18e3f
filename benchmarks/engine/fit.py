"""Which weights should the evaluation have? Fits them to the results of searches.

    python -m benchmarks.engine.fit --positions 300000

Positions come from games of the engine against itself. Three of four positions get one or two more
random moves, to resemble the positions in a search. Each position is labelled by a search of
LABEL_NODES nodes. Logistic regression finds the weights that predict the label without a search. A
weight of 256 adds 1 to the natural logarithm of the odds. The weights are written into
`weights.json`.

Then build the engine, and let the new build play the old build with
`benchmarks.engine.match --nodes`. If the new build wins, run this program again.
"""

import json
import random
import re
from itertools import combinations, combinations_with_replacement, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.labelled import SIZE, UNIT, in_parts, off_line
from benchmarks.options import asked
from bestmove.search.engines.gomoku import patterns, weights
from bestmove.search.engines.gomoku.driver import GomokuEngine

LABEL_NODES = 4_000
ASIDE = (0, 1, 1, 2)
"""Random moves that are added to a position: none, one (twice as likely) or two."""

PENALTY = 1e-6
HELD_OUT = 10  # every tenth block of 400 positions is for judging the result, not for the fit

CLASSES = patterns.LINE_CLASSES
SITUATION = (
    "TEMPO",
    "OWN_FOUR",
    "OWN_DOUBLE_THREE",
    "OWN_THREE",
    "FOE_OPEN_FOUR",
    "FOE_OPEN_FOUR_OWN_FOUR",
    "FOE_DOUBLE_THREE",
    "FOE_FOUR",
)
"""Facts about a position. In `weights`, the constant TEMPO is the weight of TEMPO, and so on."""

Row = tuple[list[int], float]
Floats = NDArray[np.float64]


def _columns() -> dict[tuple[int, int], int]:
    pairs = combinations_with_replacement(range(CLASSES), 2)
    return {(more, less): 2 * CLASSES + i for i, (less, more) in enumerate(pairs)}


PAIRS = _columns()
WIDTH = 2 * CLASSES + len(PAIRS)


def features(engine: GomokuEngine, cells: bytes, to_move: int) -> list[int]:
    """Return a position's features:

    - for each line class, cell class and pair of line classes: how many the mover has, minus how
      many the opponent has
    - for each name in `SITUATION`: 1 if the fact is true, otherwise 0
    """
    row = [0] * WIDTH
    counts = [[0] * patterns.CELL_CLASSES, [0] * patterns.CELL_CLASSES]
    engine.kernel.set_up(cells)
    for seen in engine.kernel.classes():
        if seen is None:
            continue
        for side, sign in ((to_move - 1, 1), (2 - to_move, -1)):
            lines = patterns.COMBINATIONS[seen[side]][::-1]
            cell_class = seen[2 + side]
            row[CLASSES + cell_class] += sign
            counts[sign < 0][cell_class] += 1
            for line in lines:
                row[line] += sign
            for more, less in combinations(lines, 2):
                row[PAIRS[more, less]] += sign
    own, foe = counts
    fours = sum(own[patterns.CELL_FOUR : patterns.CELL_OPEN_FOUR]) > 0
    threat = foe[patterns.CELL_OPEN_FOUR] > 0
    situation = (
        True,
        fours,
        own[patterns.CELL_DOUBLE_THREE] > 0,
        own[patterns.CELL_THREE] + own[patterns.CELL_THREE_PLUS] > 0,
        threat,
        threat and fours,
        not threat and foe[patterns.CELL_DOUBLE_THREE] > 0,
        not threat and sum(foe[patterns.CELL_FOUR : patterns.CELL_OPEN_FOUR]) > 0,
    )
    return row + [int(flag) for flag in situation]


def rows(seed: int, count: int) -> list[Row]:
    engine = GomokuEngine(SIZE, SIZE, 5, 15)
    labelled = off_line(random.Random(seed), engine, LABEL_NODES, ASIDE)
    return [
        (features(engine, cells, to_move), chance)
        for cells, to_move, chance, _ in islice(labelled, count)
    ]


def fit(x: Floats, y: Floats) -> Floats:
    """Fit by logistic regression with Newton's method. The weights of `SITUATION` have almost no
    penalty."""
    scale = x.std(0) + 1e-6
    scale[WIDTH:] = 1
    x = x / scale
    penalty = np.full(x.shape[1], 2 * PENALTY)
    penalty[WIDTH:] = 1e-9
    found: Floats = np.zeros(x.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-x @ found))
        slope = x.T @ (chance - y) / len(y) + penalty * found
        spread = (x * (chance * (1 - chance))[:, None]).T @ x / len(y) + np.diag(penalty)
        step = np.linalg.solve(spread, slope)
        found -= step
        if abs(step).max() < 1e-6:
            break
    fitted: Floats = found / scale
    return fitted


def loss(x: Floats, y: Floats, fitted: Floats) -> float:
    z = x @ fitted
    return float(np.mean(np.logaddexp(0, z) - y * z))


Table = tuple[int, ...] | tuple[tuple[int, ...], ...]


def tables(fitted: Floats) -> dict[str, Table | int]:
    names = ("LINE_WEIGHTS", "PAIR_WEIGHTS", "CELL_WEIGHTS")
    values: dict[str, Table | int] = dict(zip(names, of_cells(fitted, UNIT), strict=True))
    values |= dict(zip(SITUATION, (round(UNIT * weight) for weight in fitted[WIDTH:]), strict=True))
    return values


def of_cells(fitted: Floats, unit: int) -> tuple[Table, Table, Table]:
    """Return the weights of line classes, pairs and cell classes, multiplied by 10 * `unit`."""
    tenths = [round(10 * unit * float(number)) for number in fitted[:WIDTH]]
    lines = tenths[:CLASSES]
    pairs = [[tenths[PAIRS[more, less]] for less in range(more + 1)] for more in range(CLASSES)]
    interpolate(lines, pairs)
    return tuple(lines), tuple(map(tuple, pairs)), tuple(tenths[CLASSES : 2 * CLASSES])


def interpolate(lines: list[int], pairs: list[list[int]]) -> None:
    """With k = 5, no line has the class TWO. Set the weights of TWO to averages of TWO_CLOSED
    and TWO_WAYS."""
    below, two, above = patterns.TWO_CLOSED, patterns.TWO, patterns.TWO_WAYS
    lines[two] = (lines[below] + lines[above]) // 2
    for other in range(CLASSES):
        ends = [(end, end if other == two else other) for end in (below, above)]
        pairs[max(two, other)][min(two, other)] = sum(pairs[max(e)][min(e)] for e in ends) // 2


def written(tables: object) -> str:
    """Return the tables as JSON. Each innermost list or object is on one line."""
    text = json.dumps(tables, indent=1)
    return re.sub(r"[\[{][^][{}]*[\]}]", lambda inner: " ".join(inner[0].split()), text) + "\n"


def main() -> None:
    given = asked(__doc__, positions=300_000, seed=1)
    labelled = [row for part in in_parts(rows, given.positions, given.seed) for row in part]
    x = np.array([row for row, _ in labelled], float)
    y = np.array([chance for _, chance in labelled])
    kept = np.arange(len(y)) // 400 % HELD_OUT != 0
    fitted = fit(x[kept], y[kept])
    least = float(-np.mean(y[~kept] * np.log(y[~kept]) + (1 - y[~kept]) * np.log(1 - y[~kept])))
    print(f"{len(y)} positions; loss on the held-out positions, in nats:")
    print(f"  {loss(x[~kept], y[~kept], fitted):.4f} fitted, {least:.4f} at the lowest")
    place = Path(weights.__file__).with_suffix(".json")
    place.write_text(written(tables(fitted)), "utf-8")
    print(f"written into {place}")


if __name__ == "__main__":
    main()
