"""How fast is a request over HTTP? Compares with a bare Flask view."""

from statistics import median

from benchmarks.report import driving
from benchmarks.report.driving import Load, compare, single_posts
from benchmarks.report.measuring import Effort, in_turn, ratio, say
from benchmarks.report.writing import Section, number, seconds
from tests.support.connection import Connection, encode
from tests.support.questions import get
from tests.support.replicas import Replica
from tests.support.tictactoe import free, open_positions

OURS = "Best Move"
FLASK = "bare Flask echo"

CONNECTIONS = 4
POST_TARGET = 0.72
BATCH = 1000
BATCH_TARGET = 1 / 20


def measure(effort: Effort) -> Section:
    section = Section("Over HTTP")
    section.say(
        "The servers and wrk, the client, share the machine. Each server has one worker process "
        "and the service's own gunicorn configuration. The service logs every request and counts "
        "it for Prometheus; the echo does neither."
    )
    with driving.gunicorn() as ours, driving.gunicorn(driving.FLASK) as echo:
        _kinds(section, effort, ours.port, echo.port)
        _batch(section, effort, ours)
    return section


def _kinds(section: Section, effort: Effort, ours: int, echo: int) -> None:
    say("kinds of requests")
    positions = open_positions()
    kinds: dict[str, Load] = {
        "POST /best-move": (ours, single_posts()),
        "GET /best-move": (ours, [get(f"/best-move?board={cells}") for cells in positions]),
        "GET /best-move, 304": (ours, _conditional(ours, positions)),
        "POST /play": (
            ours,
            [encode("/play", {"board": cells, "move": free(cells)[0]}) for cells in positions],
        ),
        "POST /analyze": (ours, [encode("/analyze", {"board": cells}) for cells in positions]),
        "GET /healthz": (ours, [get("/healthz")]),
        FLASK: (echo, single_posts()),
    }
    for port, requests in kinds.values():
        if port == ours:
            driving.warm(port, requests)
    rates, samples = compare(kinds, CONNECTIONS, effort.rounds(5), effort.seconds(2))
    rows: list[list[object]] = [
        [
            name,
            number(ratio(rates[name], rates[FLASK])),
            number(median(rates[name])),
            seconds(sample.median),
            seconds(sample.p99),
        ]
        for name, sample in samples.items()
    ]
    heading = (f"{CONNECTIONS} connections", "relative to Flask", "requests/s", "median", "99%")
    section.table(heading, rows, "Kinds of requests, all open 3×3 positions")
    # In a server's best round, other work on the machine disturbs the server least.
    share = max(rates["POST /best-move"]) / max(rates[FLASK])
    section.headline(
        "3×3 `POST /best-move`: best rate, relative to a bare Flask echo's best",
        number(share),
        f"at least {POST_TARGET}",
        share >= POST_TARGET,
    )


def _conditional(port: int, positions: list[str]) -> list[bytes]:
    """Return a GET for each position, with the ETag of the answer, as if the client already had
    it."""
    paths = [f"/best-move?board={cells}" for cells in positions]
    with Connection(port) as connection:
        return [get(path, If_None_Match=connection.get(path).headers["etag"]) for path in paths]


def _batch(section: Section, effort: Effort, server: Replica) -> None:
    say(f"batch of {BATCH:,}")
    boards = open_positions()[:BATCH]
    together = [encode("/best-moves", {"boards": boards})]
    alone = [encode("/best-move", {"board": board}) for board in boards]
    with Connection(server.port) as connection:

        def asked(requests: list[bytes]) -> float:
            answers = [connection.send(request) for request in requests]
            assert all(answer.status == 200 for answer in answers)
            return sum(answer.seconds for answer in answers)

        contenders = {"batch": lambda: asked(together), "alone": lambda: asked(alone)}
        took = in_turn(effort.rounds(9), contenders)
    share = ratio(took["batch"], took["alone"])
    section.headline(
        f"time of a batch of {BATCH:,} boards, relative to {BATCH:,} single requests",
        f"1/{1 / share:.0f}",
        "under 1/20",
        share < BATCH_TARGET,
    )
