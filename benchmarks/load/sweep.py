"""Which work on a request needs a limit? Prints the ten most expensive requests of up to 1 kB.

python -m benchmarks.load.sweep --seconds 3600

The program makes random requests of every endpoint, game and switch, and varies the most expensive
requests. All requests go through the WSGI application in this process. The cost of a request is the
processor time that this thread spends outside the engines. Each request is measured up to three
times; the smallest time counts. Before each measurement, the program clears the caches that store
data about a game's rules.
"""

import io
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from werkzeug.test import run_wsgi_app

from benchmarks.load.report import Report
from benchmarks.options import asked
from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from bestmove.api.views import proofs
from bestmove.game import EMPTY, PRESETS, O, X, rules
from bestmove.game.rules import SWITCHES
from bestmove.search import dispatch
from bestmove.search.limits import ALGORITHMS, Limits
from bestmove.search.textbook import algorithms, tree

MOST_BYTES: Final = 1000
ALLOWED_MS: Final = 20.0
REPEATS: Final = 3
LISTED: Final = 10
MOST_SHOWN: Final = 300

SEARCHED: Final = 0.1
"""The share of requests with a full search. The other searches stop after one node, which
leaves time for more requests."""

GROUP: Final = 12
"""How many of the most expensive requests of each kind are varied further."""

PATHS: Final = ("/best-move", "/analyze", "/play", "/best-moves", "/game-tree", "/proof")
_NAMES: Final = ("top", "colums", "time_mss", "bord", "levle", "algoritm", "x" * 30)

Fields = dict[str, Any]


class Request(NamedTuple):
    """A request. Its fields are a query if `method` is GET, and otherwise a JSON body."""

    method: str
    path: str
    fields: Fields

    def text(self) -> str:
        if self.method == "POST":
            return json.dumps(self.fields, separators=(",", ":"))
        return urlencode(self.fields, safe="./", doseq=True)

    def kind(self) -> str:
        """Return the request's kind as text. Only requests of the same kind are compared."""
        forms = [name for name in ("moves", *SWITCHES) if name in self.fields]
        return " ".join([self.method, self.path, *forms])


class Clock:
    """Measures the time that this thread spends in the engines.

    Attributes:
        searching: this time, in seconds.
        limit: the most nodes of a search for a move; None if the request's limits apply.
    """

    def __init__(self) -> None:
        self.searching = 0.0
        self.limit: int | None = None
        for module, name in (
            (dispatch, "search"),
            (dispatch, "search_moves"),
            (algorithms, "run"),
            (tree, "search"),
            (proofs, "attempt"),
        ):
            setattr(module, name, self._around(getattr(module, name)))

    def _around(self, search: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            if self.limit is not None and len(given) > 1 and isinstance(given[1], Limits):
                limits = replace(given[1], nodes=self.limit)
                given = (given[0], limits, *given[2:])
            started = time.thread_time()
            try:
                return search(*given, **named)
            finally:
                self.searching += time.thread_time() - started

        return timed


class Service:
    def __init__(self) -> None:
        self._clock = Clock()
        settings = Settings(max_time_ms=4, log_level="error", metrics=False)
        self._app = create_app(settings)

    def cost(self, request: Request, nodes: int | None) -> tuple[float, str]:
        """Handle a request, with at most `nodes` nodes. Return the milliseconds outside the search,
        and the status."""
        self._clock.limit = nodes
        least, status = float("inf"), ""
        for number in range(REPEATS):
            rules._rules.cache_clear()
            asked = request
            if "seed" in request.fields:  # another seed, because the service remembers answers
                asked = request._replace(fields={**request.fields, "seed": number})
            spent, status = self._once(asked)
            least = min(least, spent)
            if least < ALLOWED_MS / 100:
                break
        return least, status

    def _once(self, request: Request) -> tuple[float, str]:
        text = request.text()
        body = text.encode() if request.method == "POST" else b""
        environ = {
            "REQUEST_METHOD": request.method,
            "PATH_INFO": request.path,
            "QUERY_STRING": "" if body else text,
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": "application/json",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
        }
        self._clock.searching = 0.0
        started = time.thread_time()
        _, status, _ = run_wsgi_app(self._app, environ, buffered=True)
        spent = time.thread_time() - started - self._clock.searching
        return spent * 1000, status[:3]


class Breeder:
    def __init__(self, seed: int) -> None:
        self._chooser = random.Random(seed)

    def new(self) -> Request:
        chooser = self._chooser
        path = chooser.choice(PATHS)
        method = "GET" if path in PATHS[:2] and chooser.random() < 0.3 else "POST"
        if path == "/game-tree":
            return Request(method, path, {"tree": self._tree()})
        fields: Fields = {"time_ms": 1}
        for name in SWITCHES:
            if chooser.random() < 0.3:
                fields[name] = chooser.random() < 0.5
        if chooser.random() < 0.7:
            fields["k"] = chooser.randint(1, 20)
        if path == "/best-moves":
            board = self._board(*[chooser.randint(1, 6) for _ in range(2)])
            item = chooser.choice((board, board, {"moves": ""}, {}))
            fields["boards"] = [item] * chooser.choice((10, 40, 100, 300))
        else:
            fields["board"] = self._board(*[chooser.choice((20, 20, 15, 7, 3)) for _ in range(2)])
        request = Request(method, path, fields)
        for _ in range(chooser.randrange(4)):
            request = self.changed(request)
        return request

    def changed(self, request: Request) -> Request:
        chooser, fields = self._chooser, dict(request.fields)
        which = chooser.randrange(6)
        if request.path == "/game-tree":
            if which < 4:
                fields["tree"] = self._tree()
            else:
                fields["algorithm"] = chooser.choice(ALGORITHMS)
        elif which < 3 and "boards" in fields:
            boards = list(fields["boards"])
            place = chooser.randrange(len(boards))
            if which:
                boards[place] = self._changed_board(boards[place])
            else:
                boards = boards[: place + 1] * 2
            fields["boards"] = boards
        elif which < 3 and "board" in fields:
            fields["board"] = self._changed_board(fields["board"])
        elif which == 3:
            self._change_moves(fields)
        else:
            self._change_option(fields)
        if request.path == "/play":
            fields.setdefault("move", chooser.randrange(400))
        return request._replace(fields=fields)

    def crossed(self, one: Request, other: Request) -> Request:
        some = {name: value for name, value in other.fields.items() if self._chooser.random() < 0.5}
        return one._replace(fields={**one.fields, **some})

    def _change_moves(self, fields: Fields) -> None:
        chooser = self._chooser
        fields.pop("board", None)
        columns = chooser.choice((9, 20))
        cells = list(range(20 * columns))
        if chooser.random() < 0.5:
            cells.sort(key=lambda cell: (-(cell // columns), cell // 2 % 2, cell))
        else:
            chooser.shuffle(cells)
        cells = cells[: chooser.randint(1, 400)]
        text = "".join(chooser.choice("123456789") for _ in range(chooser.randint(1, 180)))
        huge = chooser.randrange(10 ** chooser.choice((3, 300)))
        fields["moves"] = chooser.choice((cells, text, [*cells[:9], huge], "t20 " * 200))
        fields.update(rows=20, columns=columns)

    def _change_option(self, fields: Fields) -> None:
        chooser = self._chooser
        name, values = chooser.choice(
            (
                ("k", range(1, 21)),
                *((name, (True, False)) for name in SWITCHES),
                ("first", (X, O)),
                ("level", range(1, 11)),
                ("seed", range(3)),
                ("depth", (1, 2, 10)),
                ("lines", (1, 20)),
                ("threads", (1, 2)),
                ("algorithm", ALGORITHMS),
                ("game", (*PRESETS, "x" * 40)),
                ("move", (0, 399, {"row": 0, "column": 19}, {"column": 3}, {"rwo": 10**300})),
                ("", ()),
            )
        )
        if not name:
            for number in range(chooser.choice((1, 30, 150))):
                fields[f"{chooser.choice(_NAMES)}{number}"] = number
        elif name in fields and chooser.random() < 0.3:
            del fields[name]
        else:
            fields[name] = chooser.choice(values)

    def _board(self, rows: int, columns: int) -> str:
        chooser = self._chooser
        size = rows * columns
        taken = chooser.choice((size, size, chooser.randint(0, size)))
        longest = chooser.choice((1, 2, 4, columns, rows, 2 * columns))
        marks: list[str] = []
        while len(marks) < taken:  # add runs in pairs, so that X and O get equally many marks
            length = chooser.choice((longest, chooser.randint(1, longest)))
            for mark in chooser.choice(((X, O), (O, X))):
                marks += mark * length
        marks = marks[:taken] + [EMPTY] * (size - taken)
        if chooser.random() < 0.5:
            marks = [marks[cell % columns * rows + cell // columns] for cell in range(size)]
        if chooser.random() < 0.5:
            marks.reverse()
        return self._even(marks, columns)

    def _changed_board(self, board: Any) -> str:
        chooser, rows = self._chooser, board.split("/") if isinstance(board, str) else [""]
        if len(set(map(len, rows))) > 1 or not rows[0]:
            return self._board(*chooser.choice(((20, 20), (3, 3))))
        marks, columns = list("".join(rows)), len(rows[0])
        for _ in range(chooser.choice((1, 1, 3, 10))):
            one, other = chooser.randrange(len(marks)), chooser.randrange(len(marks))
            kind = chooser.randrange(4)
            if kind == 0:
                marks[one] = chooser.choice((X, O, EMPTY))
            elif kind == 1:
                marks[one], marks[other] = marks[other], marks[one]
            elif kind == 2:  # copy one row onto another
                start, source = one // columns * columns, other // columns * columns
                marks[start : start + columns] = marks[source : source + columns]
            else:
                marks[one % columns :: columns] = marks[other % columns :: columns]
        return self._even(marks, columns)

    def _even(self, marks: list[str], columns: int) -> str:
        places = {mark: [at for at, own in enumerate(marks) if own == mark] for mark in (X, O)}
        while len(places[X]) - len(places[O]) not in (0, 1):
            more, fewer = (X, O) if len(places[X]) > len(places[O]) else (O, X)
            place = places[more].pop(self._chooser.randrange(len(places[more])))
            marks[place] = fewer
            places[fewer].append(place)
        lines = range(0, len(marks), columns)
        return "/".join("".join(marks[start : start + columns]) for start in lines)

    def _tree(self) -> Any:
        chooser = self._chooser
        node: Any = chooser.choice(
            (1, {"value": 1}, [1] * 300, [[1]] * 150, [{"value": 1, "children": [1, 2]}] * 25)
        )
        for _ in range(chooser.choice((0, 1, 5, 150))):
            node = [node]
        return node


class Found(NamedTuple):
    ms: float
    status: str
    request: Request


def sweep(seconds: float, seed: int = 1) -> list[Found]:
    service, breeder, chooser = Service(), Breeder(seed), random.Random(seed)
    groups: dict[str, list[Found]] = {}
    ends, count = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        count += 1
        if not groups or chooser.random() < 0.15:
            request = breeder.new()
        else:
            group = chooser.choice(list(groups.values()))
            request = chooser.choice(group).request
            if chooser.random() < 0.2:
                request = breeder.crossed(request, chooser.choice(group).request)
            for _ in range(chooser.choice((1, 1, 2, 4))):
                request = breeder.changed(request)
        if len(request.text().encode()) > MOST_BYTES:
            continue
        group = groups.setdefault(request.kind(), [])
        nodes = None if chooser.random() < SEARCHED else 1
        group.append(Found(*service.cost(request, nodes), request))
        group.sort(key=lambda found: -found.ms)
        del group[GROUP:]
    print(f"{count} requests of {len(groups)} kinds", file=sys.stderr)
    return sorted((group[0] for group in groups.values() if group), key=lambda found: -found.ms)


def table(worst: list[Found], shown: int = MOST_SHOWN) -> str:
    lines = ["| ms | bytes | status | request |", "| ---: | ---: | --- | --- |"]
    for ms, status, request in worst:
        text = request.text()
        size, text = len(text.encode()), text.replace("|", "\\|")
        text = text if len(text) <= shown else f"{text[:shown]}…"
        lines.append(
            f"| {ms:.1f} | {size:,} | {status} | {request.method} {request.path} `{text}` |"
        )
    return "\n".join(lines)


def main() -> int:
    given = asked(__doc__, seconds=3600.0, seed=1, whole=False)
    worst = sweep(given.seconds, given.seed)[:LISTED]
    print(table(worst, MOST_BYTES if given.whole else MOST_SHOWN))
    report = Report("processor time outside the search")
    report.figures = {"worst (ms)": round(worst[0].ms, 1), "allowed (ms)": ALLOWED_MS}
    report.require(worst[0].ms <= ALLOWED_MS, "a request takes longer")
    print(report)
    return 1 if report.broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
