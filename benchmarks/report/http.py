"""Over HTTP: the service beside the bare frameworks and beside the usual minimax in a view."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median

from benchmarks.peers import players as peers
from benchmarks.report import searching, svg
from benchmarks.report.driving import (
    Samples,
    Server,
    get,
    gunicorn,
    post,
    uvicorn,
    warm,
)
from benchmarks.report.echo_rate import open_positions
from benchmarks.report.measuring import Effort, in_turn, ratio, say
from benchmarks.report.searching import single_posts
from benchmarks.report.writing import (
    PEERS_MISSING,
    Headline,
    Section,
    number,
    seconds,
    times,
)
from tests.support.connection import Connection

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
    searching.measure(section, effort)
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


def new_posts(each: int) -> list[bytes]:
    """POSTs of every open 3×3 position that differ in a seed, so that none came before."""
    return [
        post("/best-move", {"board": cells, "seed": seed})
        for seed in range(each)
        for cells in open_positions()
    ]


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
