"""Reports which tests noticed the faults, by room."""

from collections import Counter
from typing import Final

from benchmarks.mutation.running import Fault, Outcome

COLUMNS: Final = ("room", "quick", "slow", "none")


def report(outcomes: dict[Fault, Outcome]) -> str:
    """A table of the rooms, the test that noticed each fault, and the changes that none noticed."""
    counts: dict[str, Counter[str]] = {}
    noticed: list[str] = []
    unnoticed: list[str] = []
    for fault, (stage, test) in sorted(outcomes.items(), key=lambda item: item[0].name):
        counts.setdefault(fault.room or "top", Counter())[stage] += 1
        if test:
            noticed.append(f"- {fault.name}: {stage}: `{test}`\n")
        else:
            unnoticed.append(f"### {fault.name}\n\n```diff\n{fault.diff.strip()}\n```\n\n")
    counts["all"] = sum(counts.values(), Counter())
    lines = [
        "| room | faults | its tests | other quick ones | slow ones | none |\n",
        "| --- | --: | --: | --: | --: | --: |\n",
    ]
    for room, of in counts.items():
        cells = " | ".join(str(of[column]) for column in COLUMNS)
        lines.append(f"| {room} | {of.total()} | {cells} |\n")
    parts = ["# Which tests notice faults\n\n", *lines, "\n## Not noticed\n\n", *unnoticed]
    return "".join([*parts, "\n## Noticed\n\n", *noticed])
