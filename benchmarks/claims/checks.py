"""Each claim of README with its check."""

from __future__ import annotations

import doctest
import json
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from itertools import product
from typing import Final

from benchmarks.claims.service import (
    LONG_ENOUGH_MS,
    Service,
    local_ports,
    played,
    printed,
    sockets,
)
from benchmarks.report.echo_rate import open_positions
from bestmove.api.settings import table
from tests.support import oracle
from tests.support.connection import LOOPBACK
from tests.support.documents import ADDRESS, README, comparable, console_examples_of
from tests.support.replicas import ROOT

PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SWITCHES: Final = ("gravity", "overline", "misere")
OPEN: Final = open_positions()
PAGES: Final = ("/", "/docs", "/static/explorer.html")

Check = Callable[[Service, random.Random], bool]
CHECKS: Final[dict[str, Check]] = {}
"""Each claim, as README has it, with its check."""


def claim(*texts: str) -> Callable[[Check], Check]:
    """Name the sentences, or parts of them, that a function checks."""

    def keep(check: Check) -> Check:
        CHECKS.update(dict.fromkeys(texts, check))
        return check

    return keep


@claim("Hand it a board, and it answers with the best move")
def _(service: Service, chance: random.Random) -> bool:
    for cells in chance.sample(OPEN, 100):
        after = service.ask("/best-move", board=cells)["board_after"]
        if oracle.solve3(after)[0] != oracle.solve3(cells)[0]:
            return False
    return True


@claim("a REST microservice, a Python library and a command")
def _(service: Service, chance: random.Random) -> bool:
    board = chance.choice(OPEN)
    program = f"import bestmove; print(bestmove.best_move(bestmove.Board.parse('{board}')).move)"
    library = int(printed(sys.executable, "-c", program))
    command = json.loads(printed("bestmove", "suggest", "--json", board))
    move = service.ask("/best-move", board=board)["move"]
    return bool(library == move["index"] and command["move"] == move)


@claim("with a page to play on", "web pages")
def _(service: Service, _: random.Random) -> bool:
    return 'id="board"' in service.page("/") and "class Client" in service.page("/static/client.js")


@claim("Tic-tac-toe and Connect Four are solved", "3×3 and Connect Four are solved")
def _(service: Service, chance: random.Random) -> bool:
    boards = [service.ask("/best-move", board=cells) for cells in chance.sample(OPEN, 50)]
    discs = [played(service, chance, count, "connect-four") for count in (0, 4, 8, 9, 12, 16)]
    return all(answer["exact"] and answer["plies"] for answer in boards + discs)


@claim("4×4 to 6×6 mostly proven")
def _(service: Service, _: random.Random) -> bool:
    kinds = [(side, k) for side in (4, 5, 6) for k in range(3, side + 1)]
    proven = [
        service.ask("/best-move", rows=side, columns=side, k=k, time_ms=LONG_ENOUGH_MS)["exact"]
        for side, k in kinds
    ]
    return proven.count(True) > len(proven) / 2


@claim("every other (m,n,k)-game up to 20×20 gomoku")
def _(service: Service, chance: random.Random) -> bool:
    for _number in range(20):
        rows, columns = chance.randint(1, 20), chance.randint(1, 20)
        k = chance.randint(1, max(rows, columns))
        answer = service.ask("/best-move", rows=rows, columns=columns, k=k, time_ms=20)
        if answer["move"] is None or len(answer["board_after"].replace("/", "")) != rows * columns:
            return False
    over = {"rows": 21, "columns": 20, "k": 5}
    return service.connection.post("/best-move", over).status == 422


@claim("with or without gravity, exactly k or more in a row, misère too")
def _(service: Service, _: random.Random) -> bool:
    size = {"rows": 6, "columns": 7, "k": 4, "time_ms": 50}
    for values in product((False, True), repeat=len(SWITCHES)):
        given = dict(zip(SWITCHES, values, strict=True))
        answer = service.ask("/best-move", **size, **given)
        if answer["move"] is None or any(answer[name] != given[name] for name in SWITCHES):
            return False
    return True


@claim(
    "is proven where it can be and played where it cannot",
    "all else is the best estimate in the time given",
)
def _(service: Service, chance: random.Random) -> bool:
    small = service.ask("/best-move", rows=4, columns=4, k=4)
    large = played(service, chance, 2, "gomoku")
    guessed = large["outcome"] == "unknown" and -1 < large["score"] < 1
    return bool(small["exact"] and not large["exact"] and guessed)


@claim("On larger boards wins by continuous fours and threes are proven")
def _(service: Service, _: random.Random) -> bool:
    games = ["h8 a1 i8 b3 j8 o15", "h8 a1 i8 b3 j9 o15 j10 a15", "h8 a1 i8 c1 j8 e1"]
    answers = [service.ask("/best-move", game="gomoku", moves=moves) for moves in games]
    return all(answer["exact"] and answer["outcome"] == "win" for answer in answers)


@claim("pip install 'bestmove[server]'", "brings the library, the command and the clients")
def _(_: Service, __: random.Random) -> bool:
    needed = {re.split(r"[^\w-]", need)[0].lower() for need in PROJECT["dependencies"]}
    server = {
        re.split(r"[^\w-]", need)[0].lower() for need in PROJECT["optional-dependencies"]["server"]
    }
    program = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv[1:]));"
        "import bestmove, bestmove.client, bestmove.cli, bestmove.bots"
    )
    done = subprocess.run([sys.executable, "-c", program, *server], check=False)
    return done.returncode == 0 and "flask" in server and not needed & server


@claim("bestmove serve # http://127.0.0.1:8000", "# serves on http://127.0.0.1:8000")
def _(_: Service, __: random.Random) -> bool:
    usual = dict(re.findall(r"^\| `(BESTMOVE_\w+)` \| `?([^|`]*?)`? \|", table(), re.MULTILINE))
    return (usual["BESTMOVE_HOST"], usual["BESTMOVE_PORT"]) == (LOOPBACK, "8000")


@claim(
    "with Python 3.11 or newer and `make`", "make test # lints, checks types and runs every test"
)
def _(_: Service, __: random.Random) -> bool:
    recipe = subprocess.run(
        ["make", "--dry-run", "test"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    tools = ("ruff", "mypy", "pytest")
    return PROJECT["requires-python"] == ">=3.11" and all(tool in recipe for tool in tools)


@claim("$ curl -s -d", "$ printf 'X...O....\\nXX.OO....\\n' | bestmove suggest")
def _(service: Service, _: random.Random) -> bool:
    return all(
        comparable(printed("bash", "-c", ADDRESS.sub(service.address, command)))
        == comparable(answer)
        for command, answer in console_examples_of(README)
    )


@claim(
    "`score` is the expected result for X: 1 X wins, −1 O wins, 0 a tie", "says that it is proven"
)
def _(service: Service, chance: random.Random) -> bool:
    for cells in chance.sample(OPEN, 100):
        answer = service.ask("/best-move", board=cells)
        if (answer["score"], answer["exact"]) != (oracle.solve3(cells)[0], True):
            return False
    return True


@claim("The board may be a flat string, rows or an array, or a game and its moves")
def _(service: Service, chance: random.Random) -> bool:
    moves = chance.sample(range(9), 4)
    cells = "".join("XO"[moves.index(at) % 2] if at in moves else "." for at in range(9))
    rows = [cells[at : at + 3] for at in (0, 3, 6)]
    boards: list[object] = [cells, "/".join(rows), rows, [*map(list, rows)]]
    spellings: list[dict[str, object]] = [
        *({"board": board} for board in boards),
        {"game": "tic-tac-toe", "moves": moves},
    ]
    answers = [service.ask("/best-move", **spelling) for spelling in spellings]
    return {(answer["board"], answer["move"]["index"]) for answer in answers} == {
        (cells, answers[0]["move"]["index"])
    }


@claim("`POST /play` makes your move and answers with the reply")
def _(service: Service, chance: random.Random) -> bool:
    cells = chance.choice([cells for cells in OPEN if cells.count(".") > 5])
    move = chance.choice([at for at, cell in enumerate(cells) if cell == "."])
    mark = "X" if cells.count("X") == cells.count("O") else "O"
    answer = service.ask("/play", board=cells, move=move)
    mine = cells[:move] + mark + cells[move + 1 :]
    if answer["status"] != "in_progress":
        return bool(answer["board"] == mine and answer["move"] is None)
    reply = answer["move"]["index"]
    after = mine[:reply] + answer["turn"] + mine[reply + 1 :]
    return bool((answer["board"], answer["board_after"]) == (mine, after))


@claim("`/analyze` scores every move")
def _(service: Service, chance: random.Random) -> bool:
    cells = chance.choice(OPEN)
    moves = service.ask("/analyze", board=cells)["moves"]
    scored = {move["index"]: move["score"] for move in moves}
    mark = "X" if cells.count("X") == cells.count("O") else "O"
    return scored == {
        at: oracle.solve3(cells[:at] + mark + cells[at + 1 :])[0]
        for at, cell in enumerate(cells)
        if cell == "."
    }


@claim("`/best-moves` takes up to 1,000 boards")
def _(service: Service, chance: random.Random) -> bool:
    boards = chance.choices(OPEN, k=1000)
    results = service.ask("/best-moves", boards=boards)["results"]
    told = [item["result"]["board"] for item in results]
    many = service.connection.post("/best-moves", {"boards": [*boards, "." * 9]})
    return told == boards and many.status == 422


@claim(">>> from bestmove import Board, best_move")
def _(_: Service, __: random.Random) -> bool:
    results = doctest.testfile(str(README), module_relative=False)
    return results.attempted > 0 and results.failed == 0


@claim("field by field in [openapi.yaml](openapi.yaml)", "Answers may gain fields")
def _(service: Service, _: random.Random) -> bool:
    document = json.loads(service.page("/openapi.json"))
    described = json.dumps(document["components"]["schemas"])
    fields = service.ask("/best-move", board="." * 9).keys()
    answers = [name for name in document["components"]["schemas"] if name.endswith("Answer")]
    shut = [
        name
        for name in answers
        if document["components"]["schemas"][name].get("additionalProperties") is False
    ]
    return bool(answers) and not shut and all(f'"{name}":' in described for name in fields)


@claim("the library, the client, play in a terminal, Gomocup")
def _(service: Service, _: random.Random) -> bool:
    program = f"from bestmove.client import Client; Client('http://{service.address}').best_move('X........')"
    printed(sys.executable, "-c", program)
    talk = "printf 'START 15\\nINFO timeout_turn 100\\nBEGIN\\nEND\\n' | bestmove gomocup"
    moves = printed("bash", "-c", talk).splitlines()
    board = printed("bash", "-c", "printf 'b2\\nquit\\n' | bestmove play --plain")
    return moves[0] == "OK" and bool(re.fullmatch(r"\d+,\d+", moves[-1])) and "X" in board


@claim("settings, metrics, traces; compose, systemd, Kubernetes, security")
def _(service: Service, _: random.Random) -> bool:
    measured = "bestmove_searches" in service.page("/metrics")
    told = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    kinds = [path.name for path in (ROOT / "deploy").iterdir()]
    found = all(any(word in name for name in kinds) for word in ("compose", "systemd", "kuber"))
    return measured and found and table() in told and "opentelemetry-instrument" in told


@claim("## Read on", "Changes are in [CHANGELOG.md](CHANGELOG.md)", "MIT licence")
def _(_: Service, __: random.Random) -> bool:
    text = README.read_text(encoding="utf-8")
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)}
    return PROJECT["license"] == "MIT" and all((ROOT / link).exists() for link in links)


@claim("Nothing is stored")
def _(service: Service, chance: random.Random) -> bool:
    def told() -> tuple[object, bool]:
        answer = service.connection.post(
            "/best-move", {"board": "X...O....", "level": 3, "seed": 5}
        )
        found = answer.json()
        return {**found, "search": None}, "set-cookie" in answer.headers

    before = told()
    for cells in chance.sample(OPEN, 100):
        service.ask("/play", board=cells, move=cells.index("."))
    return before == told() and not before[1]


@claim("no secret is held")
def _(_: Service, __: random.Random) -> bool:
    names = re.findall(r"BESTMOVE_\w+", table())
    return bool(names) and not re.search("SECRET|TOKEN|PASSWORD|KEY", " ".join(names))


@claim("no outgoing connection is made")
def _(service: Service, chance: random.Random) -> bool:
    for path in (*PAGES, "/metrics", "/readyz", "/games"):
        service.page(path)
    service.ask("/best-move", board=chance.choice(OPEN))
    ours = {
        inode
        for pid in (service.running.process.pid, *service.running.workers)
        for inode in sockets(pid)
    }
    ports = {port for inode, port in local_ports() if inode in ours}
    return ports == {service.running.port}


@claim("the pages load nothing from another host")
def _(service: Service, _: random.Random) -> bool:
    for path in PAGES:
        text = service.page(path)
        loads = re.findall(
            r'<(?:script|img|link|iframe|source)\b[^>]*?(?:src|href)="([^"]+)"', text
        )
        policy = service.connection.get(path).headers["content-security-policy"]
        if not loads or any("//" in target for target in loads) or "http" in policy:
            return False
    return True
