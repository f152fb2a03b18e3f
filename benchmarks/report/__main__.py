"""Writes a report on whether to use this service: `make bench`, or `python -m benchmarks.report`.

Without --to, a full run writes into bench-report, and a partial or quick run prints its report.
"""

import argparse
import sys
import time
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from benchmarks.report.measuring import Effort, machine, say
from benchmarks.report.writing import Section, save, written

FOLDER = Path("bench-report")

FAILED = "Not measured"

PARTS = ("http", "engine", "bots", "cost")
"""The modules of this package that measure; each has a function `measure`."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("--only", metavar="PARTS", help=f"some of {','.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="try it out: one short round each")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where to write the report")
    options = parser.parse_args(arguments)
    chosen = options.only.split(",") if options.only else list(PARTS)
    if unknown := set(chosen) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    whole = not options.only and not options.quick
    about = machine()
    sections = list(run(chosen, Effort(options.quick)))
    command = " ".join(
        ["python -m benchmarks.report", *(sys.argv[1:] if arguments is None else arguments)]
    )
    folder = options.to or (FOLDER if whole else None)
    if folder is None:
        print(written(sections, about, command))
    else:
        print(f"written: {save(folder, sections, about, 'make bench' if whole else command)}")
    return 1 if any(section.title == FAILED for section in sections) else 0


def run(parts: list[str], effort: Effort) -> list[Section]:
    sections = []
    for part in parts:
        began = time.perf_counter()
        say(f"{part} …")
        measure: Callable[[Effort], Section] = import_module(f"benchmarks.report.{part}").measure
        try:
            sections.append(measure(effort))
        except Exception:  # the other parts of the report continue
            traceback.print_exc()
            sections.append(Section(FAILED, [f"The part `{part}` could not be measured."]))
        say(f"{part}: {time.perf_counter() - began:.0f} s")
    return sections


if __name__ == "__main__":
    sys.exit(main())
