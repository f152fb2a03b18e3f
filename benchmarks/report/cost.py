"""How large a machine does the service need? Measures processor time, memory, and the time to
start."""

import random
import time
from statistics import median

from benchmarks.report import driving
from benchmarks.report.http import FLASK, OURS
from benchmarks.report.measuring import Effort, ratio, say
from benchmarks.report.writing import Section, number, seconds, times
from tests.support.crowd import Crowd
from tests.support.positions import large
from tests.support.questions import Only, best_move

MEBIBYTE = 2**20
REQUESTS_A_MINUTE = 1_000_000
UTILIZATION = 0.6
"""The autoscaler's target: the share of the time in which the processors are busy."""

APPS = {OURS: None, FLASK: driving.FLASK}


def measure(effort: Effort) -> Section:
    section = Section("Cost")
    _processor_and_memory(section, effort)
    _memory_by_workers(section, effort)
    return section


def _processor_and_memory(section: Section, effort: Effort) -> None:
    say("processor time and memory")
    requests = driving.single_posts()
    costs: dict[str, list[float]] = {name: [] for name in APPS}
    memory: dict[str, list[float]] = {name: [] for name in APPS}
    began: dict[str, list[float]] = {name: [] for name in APPS}
    for _ in range(effort.rounds(3)):
        for name, app in APPS.items():
            clock = time.perf_counter()
            with driving.gunicorn(app) as server:
                began[name].append(time.perf_counter() - clock)
                driving.warm(server.port, requests if name == OURS else requests[:1000])
                before = server.processor_seconds()
                sample = driving.drive(server.port, requests, 4, effort.seconds(3))
                spent = server.processor_seconds() - before
                costs[name].append(spent / sample.answers * 1000)
                memory[name].append(server.memory() / MEBIBYTE)
    rows: list[list[object]] = [
        [
            name,
            number(ratio(costs[name], costs[FLASK])),
            seconds(median(costs[name])),
            number(ratio(memory[name], memory[FLASK])),
            f"{number(median(memory[name]))} MiB",
            seconds(median(began[name])),
        ]
        for name in APPS
    ]
    section.table(
        [
            "3×3 POST, one worker",
            "processor, relative to Flask",
            "processor, 1,000 requests",
            "memory, relative to Flask",
            "memory",
            "start",
        ],
        rows,
        "Processor time, memory and start",
    )
    needed = REQUESTS_A_MINUTE / 60 * median(costs[OURS]) / 1000 / UTILIZATION
    section.say(
        "Processor time is that of the server's processes alone, user and system. A million "
        f"requests per minute need {needed:.0f} processors that are {UTILIZATION:.0%} busy. "
        "Memory is the proportional set size (PSS) of the server with its one worker after the "
        "load. Start is the time from the command to the first answer; ours solves 3×3 meanwhile."
    )
    section.headline(
        "processor time of 1,000 3×3 POSTs, relative to a bare Flask echo",
        times(ratio(costs[OURS], costs[FLASK])),
    )


def _memory_by_workers(section: Section, effort: Effort) -> None:
    chooser = random.Random(15)
    searches = Only([best_move(large(chooser), time_ms=50) for _ in range(50)])
    counts = (1, 2) if effort.quick else (1, 2, 4)
    sums: list[list[float]] = []
    for workers in counts:
        say(f"memory of {workers} workers")
        with driving.gunicorn(workers=workers) as server:
            driving.drive(server.port, driving.single_posts(), 4, effort.seconds(2))
            idle = server.memory() / MEBIBYTE
            Crowd(server.port, searches, size=4, seconds=effort.seconds(4)).start().wait()
            sums.append([idle, server.memory() / MEBIBYTE])
    each = [
        (last - first) / (counts[-1] - counts[0])
        for first, last in zip(sums[0], sums[-1], strict=True)
    ]
    rows: list[list[object]] = [
        [what, *(f"{number(value)} MiB" for value in values)]
        for what, values in zip([*counts, "each further worker"], [*sums, each], strict=True)
    ]
    section.table(["workers", "after 3×3", "after 15×15 as well"], rows, "Memory by workers")
