"""Over HTTP: searches on large boards, and the workers that share them."""

from __future__ import annotations

import random
from contextlib import ExitStack
from statistics import median

from benchmarks.report.driving import (
    Drive,
    Sample,
    Samples,
    drive,
    get,
    gunicorn,
    post,
)
from benchmarks.report.echo_rate import open_positions
from benchmarks.report.measuring import Effort, in_turn, percentile, ratio, say
from benchmarks.report.writing import (
    Section,
    number,
    seconds,
)
from bestmove import Board
from bestmove.api.settings import Settings

BUDGET_MS = 50


def measure(section: Section, effort: Effort) -> None:
    """Add to the section what searches cost, and how the workers share them."""
    _searches(section, effort)
    _workers(section, effort)


def single_posts() -> list[bytes]:
    """A POST of every open 3×3 position."""
    return [post("/best-move", {"board": cells}) for cells in open_positions()]


def large_boards() -> list[Board]:
    """Positions on 15×15 with a few marks around the middle, where nothing is decided yet."""
    chance = random.Random(15)
    boards: list[Board] = []
    while len(boards) < 12:
        board = Board.empty(15, 15)
        for _ in range(chance.choice((5, 6, 7, 8))):
            near = [at for at in board.moves if _is_central(board, at)]
            board = board.play(chance.choice(near))
        boards.append(board)
    return boards


def _is_central(board: Board, index: int) -> bool:
    row, column = board.rules.coordinates(index)
    return 4 <= row <= 10 and 4 <= column <= 10


def search_posts(time_ms: int) -> list[bytes]:
    """Searches on 15×15."""
    return [
        post("/best-move", {"board": str(board), "time_ms": time_ms}) for board in large_boards()
    ]


def _searches(section: Section, effort: Effort) -> None:
    requests = search_posts(BUDGET_MS)
    rows: list[list[object]] = []
    workers = Settings().worker_count
    with gunicorn(workers=str(workers)) as server:
        # Every worker has its engines once all of them have searched at the same time.
        drive(server.port, requests, 4 * workers, 1)
        for connections in (1, 2) if effort.quick else (1, 2, 4, 8, 16):
            say(f"15×15 at {BUDGET_MS} ms, {connections} connections")
            load = Drive(server.port, requests, connections, effort.seconds(5))
            probes = drive(server.port, [get("/healthz")], 1, effort.seconds(4.5)).require(200)
            sample = load.sample().require(200, 503)
            # Refusals come at once: the latency that matters is that of the answers.
            answered = sample.statuses[200] / len(sample.latencies)
            slow = sample.latencies[-sample.statuses[200] :]
            late = sum(latency > BUDGET_MS * 1.2 / 1000 for latency in slow) / len(slow)
            rows.append(
                [
                    connections,
                    f"{late:.1%}",
                    f"{answered:.1%}",
                    number(sample.rate * answered),
                    seconds(percentile(slow, 0.5)),
                    seconds(percentile(slow, 0.99)),
                    seconds(probes.latency(0.99)),
                ]
            )
    section.table(
        [
            "connections",
            f"later than {BUDGET_MS * 1.2:.0f} ms",
            "answered",
            "answers/s",
            "median",
            "99%",
            "99% of GET /healthz",
        ],
        rows,
        f"15×15 at {BUDGET_MS} ms a move, {workers} workers",
    )
    section.say(
        "Those not answered had a 503 at once, for all searches that the service allows were in "
        "progress: clients here ask again without the pause that its `Retry-After` asks for. "
        "The probe runs all the time on a connection of its own. A kept-alive connection stays "
        "with its worker, so that two may meet at one while another is idle."
    )


def _workers(section: Section, effort: Effort) -> None:
    threads = Settings().threads
    kinds: list[tuple[str, str | None, int, int]] = [
        (f"gthread, {threads} threads", None, workers, threads) for workers in (1, 2, 4)
    ]
    kinds += [("gthread, 8 threads", None, 2, 8)]
    kinds += [("sync", "sync", workers, threads) for workers in (1, 2, 4)]
    if effort.quick:
        kinds = [kinds[0], kinds[-3]]
    requests, searches = single_posts(), search_posts(200)
    samples = Samples()
    probes: dict[str, list[Sample]] = {}
    with ExitStack() as stack:
        servers = {
            f"{name}, {workers} worker{'s' * (workers > 1)}": stack.enter_context(
                gunicorn(worker_class=kind, workers=str(workers), threads=str(threads))
            )
            for name, kind, workers, threads in kinds
        }
        say("classes of workers: 3×3")
        for server in servers.values():
            drive(server.port, requests, 8, effort.seconds(2))
        rates = in_turn(
            effort.rounds(5),
            {
                name: samples.driver(name, server, requests, 8, effort.seconds(1.0))
                for name, server in servers.items()
            },
        )
        say("classes of workers: probes beside searches")
        for _ in range(effort.rounds(3)):
            for name, server in servers.items():
                load = Drive(server.port, searches, 2, effort.seconds(2.5))
                sample = drive(server.port, [get("/healthz")], 1, effort.seconds(2)).require(200)
                load.sample().require(200, 503)
                probes.setdefault(name, []).append(sample)
    usual = next(iter(servers))
    section.table(
        [
            "",
            "of the first's rate",
            "requests/s",
            "99%",
            "probe, median",
            "probe, 99%",
        ],
        [
            [
                name,
                number(ratio(rates[name], rates[usual])),
                number(median(rates[name])),
                seconds(samples.latency(name, 0.99)),
                seconds(median(sample.latency(0.5) for sample in probes[name])),
                seconds(median(sample.latency(0.99) for sample in probes[name])),
            ]
            for name in servers
        ],
        "Classes and counts of workers",
    )
    section.say(
        "3×3 POST over 8 connections; and `GET /healthz` while two clients have 15×15 searched "
        "for 200 ms a move. `sync` serves no kept-alive connections, so each request pays for a "
        "new one, and a worker that searches answers no probe: hence `gthread`, and one worker "
        "for each processor that the container may use."
    )
