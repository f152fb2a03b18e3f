"""Which small changes to the code do the tests notice? Mutants of a room, or faults of one's own.

    python -m benchmarks.mutation --room client --sample 20
    python -m benchmarks.mutation --patches FOLDER

A mutant is one small change, sampled at random by --seed, by cosmic-ray in Python and by
javascript.mjs in the page. With --patches each `.patch` in a folder (of `git diff`) is a fault.
Each is applied in a copy of the checkout and shown to the tests until one fails that passes
without it: those of its room, the other quick ones that can notice it and, with --whole, the slow
ones (those of the page always). A run that was stopped goes on where it was, until the code or the
tests change. Who survives is shown, to be judged: equivalent mutants, which change nothing that
can be seen, are listed in equivalent.toml.

The compiled kernels are left out, as their `.py` does not run; annotations, what only the type
checker reads, and changes that are no Python are no mutants.
"""

import argparse
import signal
import sys
from pathlib import Path

from benchmarks.mutation.reporting import report
from benchmarks.mutation.running import OWN, ROOT, Fault, notice

CACHE = ROOT / ".cache" / "mutation"


def main() -> None:
    """Sample or read the faults, test, and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    rooms = [room or "top" for room in OWN]
    parser.add_argument("--room", action="append", choices=rooms, help="all unless given")
    parser.add_argument("--sample", type=int, default=20, help="mutants of each room (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default 1)")
    parser.add_argument("--patches", type=Path, help="a folder of faults instead of mutants")
    parser.add_argument("--whole", action="store_true", help="run the slow tests, too")
    parser.add_argument("--minutes", type=float, default=15, help="of each stage (default 15)")
    parser.add_argument("--report", type=Path, default=CACHE / "report.md", help="where it goes")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped; the same command goes on"))
    chosen = ["" if room == "top" else room for room in options.room or rooms]
    if options.patches:
        faults = [
            Fault(path.stem, path.read_text(encoding="utf-8"))
            for path in sorted(options.patches.glob("*.patch"))
        ]
        faults = [fault for fault in faults if fault.room in chosen]
    else:
        from benchmarks.mutation.sampling import sample

        faults = [fault for room in chosen for fault in sample(room, options.sample, options.seed)]
    outcomes = notice(faults, options.whole, 60 * options.minutes, CACHE)
    text = report(outcomes)
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
