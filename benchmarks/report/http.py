"""Over HTTP: the service beside the bare frameworks and beside the usual minimax in a view."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median

from benchmarks.load.connection import Connection
from benchmarks.peers import players as peers
from benchmarks.report import svg
from benchmarks.report.driving import (
    Drive,
    Sample,
    Server,
    drive,
    get,
    gunicorn,
    post,
    uvicorn,
    warm,
)
from benchmarks.report.echo_rate import open_positions
from benchmarks.report.measuring import Effort, in_turn, percentile, ratio, say
from benchmarks.report.writing import (
    PEERS_MISSING,
    Headline,
    Section,
    number,
    seconds,
    times,
)
from bestmove import Board
from bestmove.api.settings import Settings

OURS = "Best Move"
FLASK = "bare Flask echo"
FASTAPI = "bare FastAPI echo"
USUAL = "usual minimax in Flask"

NEW = "POST /best-move, each one new"

CONNECTIONS = (1, 2, 4, 8, 16, 32)
USUAL_CONNECTIONS = 4
POST_TARGET = 0.9
BATCH_TARGET = 1 / 20
BATCH = 1000
BUDGET_MS = 50


def measure(effort: Effort) -> Section:
    """The section of the report."""
    section = Section("Over HTTP")
    section.say(
        "Servers and clients share the machine: the clients, one process a connection, take a "
        "good part of it, so a ratio here is milder than that of the servers' own work (see "
        "*Cost*). Each server has one worker process unless it says otherwise; the Flask ones run "
        "under the service's own gunicorn configuration. The service logs every request and "
        "counts it for Prometheus; the echoes do neither."
    )
    with _contenders() as servers:
        _posts(section, effort, servers)
        _first_move(section, effort, servers)
        _kinds(section, effort, servers)
        _batch(section, effort, servers[OURS])
    _searches(section, effort)
    _workers(section, effort)
    return section


@contextmanager
def _contenders() -> Iterator[dict[str, Server]]:
    with ExitStack() as stack:
        servers = {
            OURS: stack.enter_context(gunicorn()),
            FLASK: stack.enter_context(gunicorn("benchmarks.peers.bare:app")),
        }
        if peers.installed("fastapi") and peers.installed("uvicorn"):
            servers[FASTAPI] = stack.enter_context(uvicorn("benchmarks.peers.echo:app"))
        servers[USUAL] = stack.enter_context(gunicorn("benchmarks.peers.naive:app"))
        yield servers


def single_posts() -> list[bytes]:
    """A POST of every open 3×3 position."""
    return [post("/best-move", {"board": cells}) for cells in open_positions()]


def new_posts(each: int) -> list[bytes]:
    """POSTs of every open 3×3 position that differ in a seed, so that none came before."""
    return [
        post("/best-move", {"board": cells, "seed": seed})
        for seed in range(each)
        for cells in open_positions()
    ]


class Samples:
    """What each contender's rounds came to, as a ruler for `in_turn`."""

    def __init__(self) -> None:
        self.of: dict[str, list[Sample]] = {}

    def driver(
        self, name: str, server: Server, requests: Sequence[bytes], connections: int, length: float
    ) -> Callable[[], float]:
        """A measurement that keeps its sample and gives the rate."""

        def run() -> float:
            sample = drive(server.port, requests, connections, length).require(200, 304)
            self.of.setdefault(name, []).append(sample)
            return sample.rate

        return run

    def latency(self, name: str, share: float) -> float:
        """The median of the rounds' percentiles, in seconds."""
        return median(sample.latency(share) for sample in self.of[name])


def _posts(section: Section, effort: Effort, servers: Mapping[str, Server]) -> None:
    requests = single_posts()
    for name, server in servers.items():
        if name != USUAL:
            warm(server.port, requests)
    rows: list[list[object]] = []
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in servers}
    tails: dict[str, list[tuple[float, float]]] = {name: [] for name in servers}
    for connections in (4,) if effort.quick else CONNECTIONS:
        say(f"3×3 POST, {connections} connections")
        samples = Samples()
        length = effort.seconds(2.0 if connections == 4 else 1.0)
        rounds = effort.rounds(7 if connections == 4 else 3)
        result = in_turn(
            rounds,
            {
                name: samples.driver(name, server, requests, connections, length)
                for name, server in servers.items()
                if name != USUAL or connections == USUAL_CONNECTIONS
            },
            warm_up=False,
        )
        for name, measured in result.items():
            of_flask = ratio(measured, result[FLASK])
            tail = samples.latency(name, 0.99)
            rates[name].append((connections, median(measured)))
            tails[name].append((connections, tail * 1000))
            rows.append(
                [
                    name,
                    connections,
                    number(of_flask),
                    number(median(measured)),
                    seconds(samples.latency(name, 0.5)),
                    seconds(samples.latency(name, 0.9)),
                    seconds(tail),
                ]
            )
        if connections == 4:
            _post_headlines(section, result)
    rows.sort(key=lambda row: (list(servers).index(str(row[0])), row[1]))
    if FASTAPI not in servers:
        rows.append([FASTAPI, PEERS_MISSING, "", "", "", "", ""])
    section.table(
        ["", "connections", "of Flask's rate", "requests/s", "median", "90%", "99%"],
        rows,
        "POST /best-move, all open 3×3 positions",
    )
    shown = {name: line for name, line in rates.items() if len(line) > 1 or effort.quick}
    ticks = [float(count) for count in CONNECTIONS]
    section.plot(
        "http-rate",
        svg.lines(
            "POST /best-move on 3×3: requests a second, one worker",
            shown,
            "connections",
            "requests/s",
            log_x=True,
            x_ticks=ticks if not effort.quick else [4],
        ),
        "Requests a second against connections",
    )
    section.plot(
        "http-latency",
        svg.lines(
            "POST /best-move on 3×3: what 99 of 100 answers stay within",
            {name: tails[name] for name in shown},
            "connections",
            "milliseconds (log scale)",
            log_x=True,
            log_y=True,
            x_ticks=ticks if not effort.quick else [4],
        ),
        "99th percentile of the latency against connections",
    )


def _post_headlines(section: Section, rates: Mapping[str, Sequence[float]]) -> None:
    share = ratio(rates[OURS], rates[FLASK])
    section.headlines.append(
        Headline(
            "3×3 `POST /best-move`: rate, of a bare Flask echo's",
            number(share),
            f"at least {POST_TARGET}",
            share >= POST_TARGET,
        )
    )
    if FASTAPI in rates:
        section.headlines.append(
            Headline(
                "3×3 `POST /best-move`: rate, of a bare FastAPI echo's",
                number(ratio(rates[OURS], rates[FASTAPI])),
            )
        )
    section.headlines.append(
        Headline(
            "3×3 `POST /best-move`, all positions: rate, of the usual minimax in a Flask view",
            times(ratio(rates[OURS], rates[USUAL])),
        )
    )


def _first_move(section: Section, effort: Effort, servers: Mapping[str, Server]) -> None:
    say("3×3 POST, the empty board")
    request = post("/best-move", {"board": "." * 9})
    names = (OURS, FLASK, USUAL)
    with ExitStack() as stack:
        connections = {name: stack.enter_context(Connection(servers[name].port)) for name in names}

        def asked(name: str) -> Callable[[], float]:
            calls = 2 if name == USUAL else 200

            def run() -> float:
                answers = [connections[name].send(request) for _ in range(calls)]
                assert all(answer.status == 200 for answer in answers)
                return median(answer.seconds for answer in answers)

            return run

        took = in_turn(effort.rounds(5), {name: asked(name) for name in names}, warm_up=False)
    section.table(
        ["", "in our time", "median"],
        [
            [name, times(ratio(took[name], took[OURS])), seconds(median(took[name]))]
            for name in names
        ],
        "POST /best-move, the empty 3×3 board, one connection",
    )
    section.headlines.append(
        Headline(
            "the empty 3×3 board over HTTP: the usual minimax in a Flask view takes",
            f"{times(ratio(took[USUAL], took[OURS]))} our time",
        )
    )


def _kinds(section: Section, effort: Effort, servers: Mapping[str, Server]) -> None:
    say("kinds of requests")
    ours = servers[OURS]
    positions = open_positions()
    gets = [get(f"/best-move?board={cells}") for cells in positions]
    kinds: dict[str, tuple[Server, Sequence[bytes]]] = {
        "POST /best-move": (ours, single_posts()),
        NEW: (ours, new_posts(4 if effort.quick else 12)),
        "GET /best-move": (ours, gets),
        "GET /best-move, 304": (ours, _conditional(ours, positions)),
        "POST /play": (ours, [_play(cells) for cells in positions]),
        "POST /analyze": (ours, [post("/analyze", {"board": cells}) for cells in positions]),
        "GET /healthz": (ours, [get("/healthz")]),
        FLASK: (servers[FLASK], single_posts()),
    }
    samples = Samples()
    length = effort.seconds(1.0)
    contenders = {
        name: samples.driver(name, server, requests, 4, length)
        for name, (server, requests) in kinds.items()
    }
    for name, (server, requests) in kinds.items():
        if name not in (NEW, FLASK):
            warm(server.port, requests)
    rates = in_turn(effort.rounds(5), contenders, warm_up=False)
    section.table(
        ["4 connections", "of Flask's rate", "requests/s", "median", "99%"],
        [
            [
                name,
                number(ratio(rates[name], rates[FLASK])),
                number(median(rates[name])),
                seconds(samples.latency(name, 0.5)),
                seconds(samples.latency(name, 0.99)),
            ]
            for name in kinds
        ],
        "Kinds of requests, all open 3×3 positions",
    )
    section.say(
        "The service remembers the requests for 3×3 that it has answered, up to 8,192 of them, "
        "word for word, and their answers: what *each one new* costs is the whole way, from the "
        "JSON to the table and back."
    )
    section.plot(
        "http-kinds",
        svg.bars(
            "Kinds of requests on 3×3, 4 connections, one worker",
            {name: median(measured) for name, measured in rates.items()},
            "requests/s; more is better",
            others={FLASK},
        ),
        "Requests a second by kind of request",
    )


def _conditional(server: Server, positions: Sequence[str]) -> list[bytes]:
    """A GET for each position by a client that has the answer already."""
    requests = []
    with Connection(server.port) as connection:
        for cells in positions:
            answer = connection.get(f"/best-move?board={cells}")
            tag = answer.headers["etag"]
            requests.append(get(f"/best-move?board={cells}", If_None_Match=tag))
    return requests


def _play(cells: str) -> bytes:
    return post("/play", {"board": cells, "move": cells.index(".")})


def _batch(section: Section, effort: Effort, server: Server) -> None:
    say(f"batch of {BATCH:,}")
    boards = open_positions()[:BATCH]
    batch = post("/best-moves", {"boards": boards})
    singles = [post("/best-move", {"board": board}) for board in boards]
    with Connection(server.port) as connection:

        def together() -> float:
            answer = connection.send(batch)
            assert answer.status == 200
            assert len(json.loads(answer.body)["results"]) == len(boards)
            return answer.seconds

        def alone() -> float:
            began = time.perf_counter()
            for request in singles:
                assert connection.send(request).status == 200
            return time.perf_counter() - began

        took = in_turn(effort.rounds(9), {"batch": together, "alone": alone})
    share = ratio(took["batch"], took["alone"])
    section.headlines.append(
        Headline(
            f"a batch of {BATCH:,} boards costs, of {BATCH:,} single requests",
            f"1/{1 / share:.0f}",
            "under 1/20",
            share < BATCH_TARGET,
        )
    )
    section.table(
        ["", "in a batch's time", "time", "boards/s"],
        [
            [
                name,
                times(ratio(took[key], took["batch"])),
                seconds(median(took[key])),
                number(len(boards) / median(took[key])),
            ]
            for key, name in (
                ("batch", f"one `POST /best-moves` of {BATCH:,} boards"),
                ("alone", f"{BATCH:,} `POST /best-move`, one connection"),
            )
        ],
        "A batch",
    )


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
