"""Which small changes to the code do the tests notice? Tries mutants, or your own faults.

    python -m benchmarks.mutation --room client --sample 20
    python -m benchmarks.mutation --patches FOLDER

A mutant is one small change. The mutants are a random sample (--seed), made by cosmic-ray in Python
and by javascript.mjs in the page. A room is a folder of the package. With --patches, each `.patch`
file in FOLDER (written by `git diff`) is a fault. Each fault is applied in a copy of the checkout,
where tests run until one fails that passes without the fault: first the tests of its room, then the
other quick tests that can notice it and, with --whole, the slow ones (which always run for the
page). A stopped run continues where it was, unless the code or the tests have changed. The program
prints the faults that no test notices.

There are no mutants of compiled modules, because their `.py` does not run, nor of annotations and
other code that only the type checker reads, nor any that would not be valid Python.
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
    parser.add_argument("--room", action="append", choices=rooms, help="default: all rooms")
    parser.add_argument("--sample", type=int, default=20, help="mutants of each room (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (default 1)")
    parser.add_argument("--patches", type=Path, help="a folder of faults instead of mutants")
    parser.add_argument("--whole", action="store_true", help="run the slow tests, too")
    parser.add_argument("--minutes", type=float, default=15, help="for each stage (default 15)")
    parser.add_argument("--report", type=Path, default=CACHE / "report.md", help="its file")
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
