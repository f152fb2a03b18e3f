"""What it costs to run: start, memory, processor, and the size of an image."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from statistics import median

from benchmarks.peers import players as peers
from benchmarks.report.driving import Server, drive, gunicorn, uvicorn, warm
from benchmarks.report.http import FASTAPI, FLASK, OURS, USUAL
from benchmarks.report.measuring import Effort, in_turn, ratio, say
from benchmarks.report.searching import search_posts, single_posts
from benchmarks.report.writing import (
    PEERS_MISSING,
    Headline,
    Section,
    number,
    seconds,
    table,
    times,
)

DISTRIBUTION = "bestmove"
MEBIBYTE = 2**20

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA = re.compile(r"""extra == ['"]([^'"]+)""")

Start = Callable[[], AbstractContextManager[Server]]


def measure(effort: Effort) -> Section:
    """The section of the report."""
    section = Section("Cost")
    _processor_and_memory(section, effort)
    _start(section, effort)
    _size(section)
    return section


def _starts() -> dict[str, Start | None]:
    has_fastapi = peers.installed("fastapi") and peers.installed("uvicorn")
    return {
        OURS: gunicorn,
        FLASK: lambda: gunicorn("benchmarks.peers.bare:app"),
        FASTAPI: (lambda: uvicorn("benchmarks.peers.echo:app")) if has_fastapi else None,
        USUAL: lambda: gunicorn("benchmarks.peers.naive:app"),
    }


def _processor_and_memory(section: Section, effort: Effort) -> None:
    say("processor time and memory")
    requests = single_posts()
    costs: dict[str, list[float]] = {}
    memory: dict[str, list[float]] = {}
    starts: dict[str, list[float]] = {}
    for _ in range(effort.rounds(3)):
        for name, start in _starts().items():
            if start is None:
                continue
            with start() as server:
                starts.setdefault(name, []).append(server.start_seconds)
                warm(server.port, requests)
                before = server.cpu_seconds()
                sample = drive(server.port, requests, 4, effort.seconds(3)).require(200)
                spent = server.cpu_seconds() - before
                costs.setdefault(name, []).append(spent / len(sample.latencies) * 1000)
                memory.setdefault(name, []).append(server.memory() / MEBIBYTE)
    rows: list[list[object]] = []
    for name, start in _starts().items():
        if start is None:
            rows.append([name, PEERS_MISSING, "", "", "", ""])
            continue
        rows.append(
            [
                name,
                number(ratio(costs[name], costs[FLASK])),
                seconds(median(costs[name])),
                number(ratio(memory[name], memory[FLASK])),
                f"{number(median(memory[name]))} MiB",
                seconds(median(starts[name])),
            ]
        )
    section.table(
        [
            "3×3 POST, one worker",
            "processor, of Flask's",
            "processor, 1,000 requests",
            "memory, of Flask's",
            "memory",
            "start",
        ],
        rows,
        "Processor time, memory and start",
    )
    section.say(
        "Processor time is that of the server's processes alone, user and system. Memory is the "
        "proportional set size (PSS) of the server with its one worker after the load. Start is "
        "from the command to the first answer; ours solves 3×3 on the way."
    )
    section.headlines.append(
        Headline(
            "processor time of 1,000 3×3 POSTs, of a bare Flask echo's",
            times(ratio(costs[OURS], costs[FLASK])),
        )
    )
    _memory_by_workers(section, effort)


def _memory_by_workers(section: Section, effort: Effort) -> None:
    rows: list[list[object]] = []
    sums = []
    counts = (1, 2) if effort.quick else (1, 2, 4)
    for workers in counts:
        say(f"memory of {workers} workers")
        with gunicorn(workers=str(workers)) as server:
            drive(server.port, single_posts(), 4, effort.seconds(1.5)).require(200)
            idle = server.memory() / MEBIBYTE
            drive(server.port, search_posts(50), 4, effort.seconds(4)).require(200, 503)
            sums.append((idle, server.memory() / MEBIBYTE))
        rows.append([workers, *(f"{number(value)} MiB" for value in sums[-1])])
    each = [
        (last - first) / (counts[-1] - counts[0])
        for first, last in zip(sums[0], sums[-1], strict=True)
    ]
    rows.append(["each further worker", *(f"{number(value)} MiB" for value in each)])
    section.table(["workers", "after 3×3", "after 15×15 as well"], rows, "Memory by workers")


def _start(section: Section, effort: Effort) -> None:
    say("start of a process")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import bestmove": [sys.executable, "-c", "import bestmove"],
        "import flask": [sys.executable, "-c", "import flask"],
        "import bestmove.api.app": [sys.executable, "-c", "import bestmove.api.app"],
        "bestmove --version": [sys.executable, "-m", "bestmove", "--version"],
    }
    took = in_turn(effort.rounds(9), {name: _run(line) for name, line in commands.items()})
    section.table(
        ["", "of Python's own", "time"],
        [
            [
                f"`{name}`",
                times(ratio(took[name], took["python -c pass"])),
                seconds(median(took[name])),
            ]
            for name in commands
        ],
        "Start of a process",
    )


def _run(command: list[str]) -> Callable[[], float]:
    def run() -> float:
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began

    return run


def needed(name: str, extra: str | None = None) -> dict[str, Distribution]:
    """The installed distributions that one needs to run, itself among them, with one of its extras
    or none."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        wanted = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if wanted in found:
            continue
        try:
            found[wanted] = distribution(wanted)
        except PackageNotFoundError:
            continue  # for another system or another Python
        for requirement in found[wanted].requires or []:
            of_extra = _EXTRA.search(requirement)
            is_asked = of_extra is None or (wanted == name and of_extra[1] == extra)
            if is_asked and (match := _NAME.match(requirement)):
                waiting.append(match.group())
    return found


def size_of(installed: Distribution) -> int:
    """Bytes of a distribution's files, compiled Python left out."""
    paths = [Path(str(file.locate())) for file in installed.files or []]
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc")


def _package_size() -> int:
    package = Path(__file__).parents[2] / "service" / "bestmove"
    return sum(
        os.path.getsize(path)
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".c")
    )


def _size(section: Section) -> None:
    sizes = {name: size_of(found) for name, found in needed(DISTRIBUTION, "server").items()}
    # Installed editable, its own files are elsewhere.
    sizes[DISTRIBUTION] = _package_size()
    whole = sum(sizes.values())
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:8]
    rest = whole - sum(size for _, size in largest)
    rows = [(name, f"{size / whole:.0%}", _mebibytes(size)) for name, size in largest]
    rows.append((f"{len(sizes) - len(largest)} others", f"{rest / whole:.0%}", _mebibytes(rest)))
    rows.append(("together", "100%", _mebibytes(whole)))
    section.say("### Size of what is installed")
    section.say(table(["", "share", "size"], rows))
    section.say(
        "What an image holds on top of its Python base image: the package and everything that it "
        "needs to run, without compiled bytecode."
    )
    section.headlines.append(
        Headline("installed, on top of a Python base image", _mebibytes(whole))
    )


def _mebibytes(size: float) -> str:
    return f"{number(size / MEBIBYTE)} MiB"
