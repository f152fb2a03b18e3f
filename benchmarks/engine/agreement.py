"""Does an analysis list the best move first? Compares the answers of `analyze` and `best_move`.

python -m benchmarks.engine.agreement --positions 20000

Differences that can come from the clock alone are counted separately. `--show` prints examples of
each kind of fault.
"""

import random
import sys
from collections import Counter

from benchmarks.options import asked
from tests.support.agreement import faults, random_limits, random_position


def main() -> int:
    arguments = asked(__doc__, positions=1_000, seed=1, show=2)
    counts: Counter[str] = Counter()
    for number in range(arguments.positions):
        dice = random.Random(f"{arguments.seed} {number}")
        board, limits = random_position(dice), random_limits(dice)
        for fault in faults(board, limits):
            counts[fault] += 1
            if counts[fault] <= arguments.show:
                print(f"{fault}: {board!r} {limits}", flush=True)
    print(f"{arguments.positions} positions")
    for fault, count in counts.most_common():
        print(f"{count:6} {fault}")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
