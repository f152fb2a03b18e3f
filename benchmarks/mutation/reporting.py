"""Reports which tests noticed the faults, by room, and which faults are equivalent."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Final

from benchmarks.mutation.running import ROOT, Fault, Outcome

EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")

DEFINITION: Final = re.compile(
    r"\s*(?:(?:export|default|async|static|get|set) )*"
    r"(?:(?:def|class|function\*?) (?P<named>\w+)"
    r"|(?!if|for|while|switch|catch|with)\*?(?P<method>#?\w+)\(.*\) \{$)"
)
"""A line that begins a function or a class in Python or JavaScript."""

COLUMNS: Final = ("room", "quick", "slow", "none", "equivalent")


def report(outcomes: dict[Fault, Outcome]) -> str:
    """A table of the rooms, the test that noticed each fault, and the changes that none noticed."""
    counts: dict[str, Counter[str]] = {}
    noticed: list[str] = []
    unnoticed: list[str] = []
    for fault, (stage, test) in sorted(outcomes.items(), key=lambda item: item[0].name):
        reason = equivalent(fault) if stage == "none" else None
        column = "equivalent" if reason else stage
        counts.setdefault(fault.room or "top", Counter())[column] += 1
        if test:
            noticed.append(f"- {fault.name}: {stage}: `{test}`\n")
        else:
            why = reason or "survived"
            unnoticed.append(f"### {fault.name}\n\n{why}\n\n```diff\n{fault.diff.strip()}\n```\n\n")
    counts["all"] = sum(counts.values(), Counter())
    lines = [
        "| room | faults | its tests | other quick ones | slow ones | none | equivalent |\n",
        "| --- | --: | --: | --: | --: | --: | --: |\n",
    ]
    for room, of in counts.items():
        cells = " | ".join(str(of[column]) for column in COLUMNS)
        lines.append(f"| {room} | {of.total()} | {cells} |\n")
    parts = ["# Which tests notice faults\n\n", *lines, "\n## Not noticed\n\n", *unnoticed]
    return "".join([*parts, "\n## Noticed\n\n", *noticed])


def equivalent(fault: Fault) -> str | None:
    """Why the fault has no visible effect; `None` if equivalent.toml does not list it."""
    found = _key(fault)
    for entry in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]:
        if (entry["file"], entry["function"], entry["change"].strip()) == found:
            return f"equivalent: {entry['reason']}"
    return None


def _key(fault: Fault) -> tuple[str, str, str]:
    """The fault's first file, the innermost function that it changes, and its changed lines without
    indentation."""
    file = fault.files[0]
    changed = [
        line[0] + " " + line[1:].strip()
        for line in fault.diff.splitlines()
        if line[:1] in ("-", "+") and not line.startswith(("---", "+++"))
    ]
    return file, _function(fault), "\n".join(changed)


def _function(fault: Fault) -> str:
    start = re.search(r"^@@ -(\d+)", fault.diff, re.MULTILINE)
    assert start
    body = fault.diff[start.end() :].split("\n")[1:]
    above = next(number for number, line in enumerate(body) if line[:1] in ("-", "+"))
    lines = (ROOT / fault.files[0]).read_text(encoding="utf-8").split("\n")
    at = int(start[1]) + above - 1
    indent = len(lines[at]) - len(lines[at].lstrip())
    for line in reversed(lines[:at]):
        less = len(line) - len(line.lstrip())
        if line.strip() and less < indent:
            indent = less
            if found := DEFINITION.match(line):
                return found["named"] or found["method"]
    return ""
